//! What a PgBouncer before the server says of its clients and its connections, from its administration console: SHOW
//! POOLS and SHOW STATS_TOTALS, over all pools but the console's own. The console knows the simple protocol only.

use std::time::{Duration, Instant as Clock};

use control::Config;
use results::interval::Reading;
use results::probe_fields::{ProbeField, pooler_pools, pooler_stats};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::{Client, SimpleQueryMessage, SimpleQueryRow};

use crate::counter::{ReadingValues, increase_of};
use crate::series::SnapshotSeries;

/// The longest that [`PoolerProbe::attach_to_console`] waits for the connection.
const ATTACH_AT_MOST: Duration = Duration::from_secs(5);

/// The database of the console itself.
const CONSOLE: &str = "pgbouncer";

/// Gauges of SHOW POOLS: the column, and our figure. Their sums are over pools.
const LEVELS: [(&str, ProbeField); 4] = [
    ("cl_active", pooler_pools::CLIENTS_ACTIVE),
    ("cl_waiting", pooler_pools::CLIENTS_WAITING),
    ("sv_active", pooler_pools::SERVERS_ACTIVE),
    ("sv_idle", pooler_pools::SERVERS_IDLE),
];

/// Counters of SHOW STATS_TOTALS: the column, and our figure. Times are in microseconds there already.
const COUNTERS: [(&str, ProbeField); 5] = [
    ("xact_count", pooler_stats::TRANSACTIONS),
    ("query_count", pooler_stats::QUERIES),
    ("xact_time", pooler_stats::TRANSACTION_TIME_US),
    ("query_time", pooler_stats::QUERY_TIME_US),
    ("wait_time", pooler_stats::WAIT_TIME_US),
];

/// The probes of one PgBouncer: `pooler.pools` and `pooler.stats`.
pub(crate) struct PoolerProbe {
    config: Config,
    session: Option<PoolerSession>,
    pools: SnapshotSeries<ReadingValues>,
    stats: SnapshotSeries<Vec<(ProbeField, u64)>>,
}

/// A connection and the task that carries its bytes.
struct PoolerSession {
    client: Client,
    connection: JoinHandle<()>,
}

impl Drop for PoolerSession {
    fn drop(&mut self) {
        self.connection.abort();
    }
}

impl PoolerProbe {
    /// Connects to the console, or goes on trying at every reading.
    pub(crate) async fn attach_to_console(config: &Config) -> Self {
        let mut config = config.clone();
        config.application_name("pgdyno-probe");
        let mut pooler = Self { config, session: None, pools: SnapshotSeries::new(), stats: SnapshotSeries::new() };
        // Not lost: when this fails, the first reading tries again and says why it could not.
        let _ = pooler.ensure_connected(Instant::now() + ATTACH_AT_MOST).await;
        pooler
    }

    pub(crate) fn forget_snapshots(&mut self) {
        self.pools.forget_snapshot();
        self.stats.forget_snapshot();
    }

    /// Both readings, by `deadline`.
    pub(crate) async fn read_until_deadline(&mut self, deadline: Instant) -> [(String, Reading); 2] {
        let begun = Clock::now();
        let pools = self.query_console("SHOW POOLS", deadline).await.and_then(|rows| level_values(&rows));
        let pools =
            self.pools.reading_from_outcome(begun..Clock::now(), pools, |_, after| Ok::<_, String>(after.clone()));
        let begun = Clock::now();
        let totals = self.query_console("SHOW STATS_TOTALS", deadline).await.and_then(|rows| counter_totals(&rows));
        let stats = self.stats.reading_from_outcome(begun..Clock::now(), totals, |before, after| {
            let both = before.iter().zip(after);
            let increases = both.map(|((field, before), (_, after))| increase_of(*field, *before, *after));
            increases.collect::<Result<ReadingValues, crate::counter::Backwards>>()
        });
        [(pooler_pools::PROBE.to_string(), pools), (pooler_stats::PROBE.to_string(), stats)]
    }

    /// The rows of a command. A connection that did not answer in time is given up: its answer would come later.
    async fn query_console(&mut self, command: &str, deadline: Instant) -> Result<Vec<SimpleQueryRow>, String> {
        self.ensure_connected(deadline).await?;
        let session = self.session.as_ref().ok_or("not connected")?;
        let answer = timeout_at(deadline, session.client.simple_query(command)).await;
        let failure = match answer {
            Ok(Ok(messages)) => {
                return Ok(messages
                    .into_iter()
                    .filter_map(|message| match message {
                        SimpleQueryMessage::Row(row) => Some(row),
                        _ => None,
                    })
                    .collect());
            }
            Ok(Err(error)) => match error.as_db_error() {
                Some(refused) => {
                    let message = refused.message();
                    return Err(format!(
                        "the pooler refuses {command}: {message}; hint: connect to the database pgbouncer as one of its \
                         admin_users or stats_users"
                    ));
                }
                None => format!("the connection was lost: {error}"),
            },
            Err(_) => "timed out: no answer in time for this second's reading".to_owned(),
        };
        self.session = None;
        Err(failure)
    }

    async fn ensure_connected(&mut self, deadline: Instant) -> Result<(), String> {
        if self.session.as_ref().is_some_and(|session| !session.client.is_closed()) {
            return Ok(());
        }
        self.session = None;
        let opened = timeout_at(deadline, Box::pin(self.config.open_connection())).await;
        let (client, connection) = opened
            .map_err(|_| "not connected: no answer in time".to_owned())?
            .map_err(|error| format!("not connected: {}", crate::postgres::error_with_causes(&error)))?;
        let connection = tokio::spawn(async move {
            // Not lost: a broken connection fails the command that meets it.
            let _ = connection.await;
        });
        self.session = Some(PoolerSession { client, connection });
        Ok(())
    }
}

/// The rows that are about pools of servers.
fn of_servers(rows: &[SimpleQueryRow]) -> impl Iterator<Item = &SimpleQueryRow> {
    rows.iter().filter(|row| row.try_get("database").ok().flatten() != Some(CONSOLE))
}

fn number_in_column(row: &SimpleQueryRow, column: &str) -> Result<u64, String> {
    let text = row.try_get(column).ok().flatten();
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| format!("the pooler reports no column {column}; it may not be a PgBouncer"))
}

fn level_values(rows: &[SimpleQueryRow]) -> Result<ReadingValues, String> {
    let mut values = ReadingValues::new();
    for (column, field) in LEVELS {
        let sum = of_servers(rows).try_fold(0, |sum, row| Ok::<_, String>(sum + number_in_column(row, column)?))?;
        values.insert(field.name.to_owned(), sum as f64);
    }
    let longest = of_servers(rows)
        .map(|row| Ok(number_in_column(row, "maxwait")? * 1_000_000 + number_in_column(row, "maxwait_us")?))
        .collect::<Result<Vec<u64>, String>>()?;
    // Without a pool nobody has come yet, so nobody waits.
    values.insert(pooler_pools::LONGEST_WAIT_US.name.to_owned(), longest.into_iter().max().map_or(0.0, |us| us as f64));
    Ok(values)
}

fn counter_totals(rows: &[SimpleQueryRow]) -> Result<Vec<(ProbeField, u64)>, String> {
    COUNTERS
        .iter()
        .map(|(column, field)| {
            let sum = of_servers(rows).try_fold(0, |sum, row| Ok::<_, String>(sum + number_in_column(row, column)?))?;
            Ok((*field, sum))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    #[test]
    fn every_figure_is_read() {
        let values = level_values(&[]).unwrap();
        assert_every_field(pooler_pools::PROBE, &values);
        let values =
            counter_totals(&[]).unwrap().into_iter().map(|(field, sum)| (field.name.to_owned(), sum as f64)).collect();
        assert_every_field(pooler_stats::PROBE, &values);
    }
}
