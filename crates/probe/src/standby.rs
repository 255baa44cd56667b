//! How far a standby is behind its primary, over a session with each: `pg.standby`.
//!
//! Bytes are positions in the WAL, compared at one instant. The age is measured: the position of the WAL of the primary
//! is read, and the standby is asked until it has replayed that far, so that all that had been committed before is
//! visible there. It contains the way to both servers and back.

use std::time::{Duration, Instant as Clock};

use control::Config;
use results::interval::Reading;
use results::probe_fields::pg_standby;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout_at};
use tokio_postgres::Client;
use tokio_postgres::types::PgLsn;

use crate::counter::{ReadingValues, increase_of};
use crate::postgres::error_with_causes;
use crate::series::SnapshotSeries;

/// The longest that [`StandbyProbe::attach_to_pair`] waits for each connection.
const ATTACH_AT_MOST: Duration = Duration::from_secs(5);

/// How long one reading waits for the standby; a position that it has not replayed then is asked for again by the next.
const WAIT_AT_MOST: Duration = Duration::from_millis(150);

/// The pauses between two questions whether it has, from the first to all later ones.
const ASK_AFTER: [Duration; 3] = [Duration::from_micros(500), Duration::from_millis(1), Duration::from_millis(3)];

const PRIMARY: &str = "SELECT pg_current_wal_lsn() /* pgdyno pg.standby */";

/// A conflict cancels a query of the standby that stands in the way of replay.
const STANDBY: &str = "
    SELECT pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn(),
           (SELECT coalesce(sum(confl_tablespace + confl_lock + confl_snapshot + confl_bufferpin + confl_deadlock), 0)::bigint
              FROM pg_stat_database_conflicts)
      /* pgdyno pg.standby */";

const REPLAYED: &str = "SELECT pg_last_wal_replay_lsn() >= $1 /* pgdyno pg.standby */";

/// The probe of a standby and its primary.
pub(crate) struct StandbyProbe {
    primary: KeptSession,
    standby: KeptSession,
    series: SnapshotSeries<StandbySnapshot>,
    /// A position of the primary that the standby had not replayed when the last reading ended.
    pending: Option<PendingPosition>,
}

struct PendingPosition {
    read_at: Clock,
    lsn: PgLsn,
}

#[derive(Debug, Clone)]
struct StandbySnapshot {
    levels: ReadingValues,
    conflicts: u64,
}

impl StandbyProbe {
    /// Connects to both, or goes on trying at every reading.
    pub(crate) async fn attach_to_pair(primary: &Config, standby: &Config) -> Self {
        let (primary, standby) = (KeptSession::for_server(primary), KeptSession::for_server(standby));
        let mut probe = Self { primary, standby, series: SnapshotSeries::new(), pending: None };
        // Not lost: when this fails, the first reading tries again and says why it could not.
        let _ = probe.primary.open_session(Instant::now() + ATTACH_AT_MOST).await;
        let _ = probe.standby.open_session(Instant::now() + ATTACH_AT_MOST).await;
        probe
    }

    pub(crate) fn forget_snapshots(&mut self) {
        self.series.forget_snapshot();
        self.pending = None;
    }

    /// Its reading, by `deadline`.
    pub(crate) async fn read_until_deadline(&mut self, deadline: Instant) -> (String, Reading) {
        let begun = Clock::now();
        let snapshot = match timeout_at(deadline, self.take_snapshot(deadline)).await {
            Ok(snapshot) => snapshot,
            Err(_) => Err("timed out: no answer in time for this second's reading".to_owned()),
        };
        if snapshot.is_err() {
            // An answer that comes later would be taken for that to another question.
            self.primary.hang_up();
            self.standby.hang_up();
        }
        let reading = self.series.reading_from_outcome(begun..Clock::now(), snapshot, |before, after| {
            let mut values = after.levels.clone();
            values.extend([increase_of(pg_standby::CONFLICTS, before.conflicts, after.conflicts)?]);
            Ok::<_, crate::counter::Backwards>(values)
        });
        (pg_standby::PROBE.to_string(), reading)
    }

    async fn take_snapshot(&mut self, deadline: Instant) -> Result<StandbySnapshot, String> {
        let primary = self.primary.open_session(deadline).await?;
        let newest: PgLsn = query_one(primary, PRIMARY, "the primary").await?.get(0);
        let read_at = Clock::now();
        let standby = self.standby.open_session(deadline).await?;
        let row = query_one(standby, STANDBY, "the standby").await?;
        let (received, replayed): (Option<PgLsn>, Option<PgLsn>) = (row.get(0), row.get(1));
        let replayed = replayed.ok_or("the server that the load reads is no standby")?;
        let conflicts: i64 = row.get(2);
        let pending = self.pending.take().unwrap_or(PendingPosition { read_at, lsn: newest });
        let is_replayed = wait_for_replay(standby, pending.lsn).await?;
        let age_us = pending.read_at.elapsed().as_micros() as f64;
        if !is_replayed {
            self.pending = Some(pending);
        }
        let levels = [
            (pg_standby::AGE_US, age_us),
            (pg_standby::REPLAY_BEHIND_BYTES, bytes_behind(newest, replayed)),
            // One that restores archived files receives nothing.
            (pg_standby::RECEIVE_BEHIND_BYTES, bytes_behind(newest, received.unwrap_or(replayed))),
        ];
        let levels = levels.into_iter().map(|(field, value)| (field.name.to_owned(), value)).collect();
        Ok(StandbySnapshot { levels, conflicts: conflicts.unsigned_abs() })
    }
}

fn bytes_behind(newest: PgLsn, position: PgLsn) -> f64 {
    u64::from(newest).saturating_sub(u64::from(position)) as f64
}

/// Whether the standby replays this position within the time of a reading.
async fn wait_for_replay(standby: &Client, lsn: PgLsn) -> Result<bool, String> {
    let begun = Clock::now();
    let mut pauses = ASK_AFTER.into_iter();
    loop {
        let row = standby.query_one(REPLAYED, &[&lsn]).await;
        let row = row.map_err(|error| format!("the standby: {}", error_with_causes(&error)))?;
        if row.get(0) {
            return Ok(true);
        }
        if begun.elapsed() >= WAIT_AT_MOST {
            return Ok(false);
        }
        sleep(pauses.next().unwrap_or(ASK_AFTER[2])).await;
    }
}

async fn query_one(client: &Client, sql: &str, of: &str) -> Result<tokio_postgres::Row, String> {
    client.query_one(sql, &[]).await.map_err(|error| format!("{of}: {}", error_with_causes(&error)))
}

/// A session that is opened again when it was lost.
struct KeptSession {
    config: Config,
    open: Option<OpenSession>,
}

/// A connection and the task that carries its bytes.
struct OpenSession {
    client: Client,
    connection: JoinHandle<()>,
}

impl Drop for OpenSession {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl KeptSession {
    fn for_server(config: &Config) -> Self {
        let mut config = config.clone();
        config.application_name("pgdyno-probe");
        Self { config, open: None }
    }

    fn hang_up(&mut self) {
        self.open = None;
    }

    async fn open_session(&mut self, deadline: Instant) -> Result<&Client, String> {
        if self.open.as_ref().is_none_or(|open| open.client.is_closed()) {
            self.open = None;
            let opened = timeout_at(deadline, Box::pin(self.config.open_connection())).await;
            let (client, connection) = opened
                .map_err(|_| "not connected: no answer in time".to_owned())?
                .map_err(|error| format!("not connected: {}", error_with_causes(&error)))?;
            let connection = tokio::spawn(async move {
                // Not lost: a broken connection fails the query that meets it.
                let _ = connection.await;
            });
            self.open = Some(OpenSession { client, connection });
        }
        self.open.as_ref().map(|open| &open.client).ok_or_else(|| "not connected".to_owned())
    }
}
