//! All probes of one target: attached once, read once a second.
//! Promises that a reading ends soon after [`READ_AT_MOST`] whatever the server does, and that no probe's failure keeps
//! another from being read.

use std::collections::BTreeMap;
use std::time::Duration;

use results::interval::Reading;
use tokio::time::Instant;

use crate::host::{self, HostProbe, HostScope};
use crate::pooler::PoolerProbe;
use crate::postgres::PostgresProbe;
use crate::standby::StandbyProbe;

/// The longest that one [`Probes::read_all`] waits for the server.
const READ_AT_MOST: Duration = Duration::from_millis(800);

/// The longest that it waits for the pooler, which answers from its memory.
const POOLER_AT_MOST: Duration = Duration::from_millis(100);

/// The longest that it waits for a standby and its primary.
const STANDBY_AT_MOST: Duration = Duration::from_millis(400);

/// The probes attached to one target, and what each of them read last.
///
/// | name | what |
/// |---|---|
/// | `host.cpu`, `host.memory`, `host.network`, `host.tcp` | of the machine, from `/proc` |
/// | `host.pressure`, `host.vm` | how tasks waited for CPU, I/O and memory; reclaim and writeback |
/// | `host.server`, `host.cgroup` | the server's processes and the limits of their group |
/// | `host.processes` | the server's processes beyond the load's sessions, by kind |
/// | `host.foreign` | CPU time of the machine that neither the server nor pgdyno used |
/// | `host.disk`, `host.disk.parent` | the block device of the data directory, and the disk below it |
/// | `host.disk.wal` | the block device of the WAL, where that is another one |
/// | `pg.database` | the database connected to, from `pg_stat_database` |
/// | `pg.tables`, `pg.locks` | of that database's tables; locks waited for in the whole server, and who blocks |
/// | `pg.horizon` | what keeps vacuum from removing dead rows |
/// | `pg.replication`, `pg.archiver` | standbys and archived WAL files |
/// | `pg.slots` | replication slots, and what logical decoding did |
/// | `pg.standby` | how far a standby that the load reads is behind, and conflicts of queries with replay |
/// | `pooler.pools`, `pooler.stats` | of a PgBouncer before the server, over all its pools |
/// | `pg.bgwriter`, `pg.checkpointer`, `pg.wal`, `pg.io` | of the whole server, from the view of the same name |
///
/// A name has the same value names on every server version that can tell the value, so that versions can be compared.
///
/// PostgreSQL's own figures lag: a backend reports what it did when its transaction has ended, and no more than once a
/// second (half a second, through the statistics collector, in version 14). Over a few seconds the sums are right; a
/// single second may hold some of its neighbour's work. `pg.database` counts the probes' own session as well: a commit
/// for each query, a backend, its session time. A time that the server does not measure (`track_io_timing`,
/// `track_wal_io_timing` off) is absent.
pub struct Probes {
    host: Vec<Box<dyn HostProbe>>,
    postgres: Option<PostgresProbe>,
    pooler: Option<PoolerProbe>,
    standby: Option<StandbyProbe>,
}

impl Probes {
    /// Attaches to the server at `postgres` and to the machine at `host`; either may be absent.
    ///
    /// Never fails: what could not be reached within a few seconds is a gap in every reading until it can be. Must be
    /// called within a tokio runtime with time and I/O enabled, which also carries the connection.
    pub async fn attach_probes(postgres: Option<&control::Config>, host: Option<HostScope>) -> Self {
        let host = host.map_or_else(Vec::new, |scope| host::probes_of_scope(&scope));
        let postgres = match postgres {
            Some(config) => Some(PostgresProbe::attach_to_server(config).await),
            None => None,
        };
        Self { host, postgres, pooler: None, standby: None }
    }

    /// The same with a standby, which the server at `postgres` may be, and its primary. Never fails either.
    #[must_use]
    pub async fn with_standby(self, primary: &control::Config, standby: &control::Config) -> Self {
        Self { standby: Some(StandbyProbe::attach_to_pair(primary, standby).await), ..self }
    }

    /// The same with a PgBouncer, whose administration console is at `pooler`. Never fails either.
    #[must_use]
    pub async fn with_pooler(self, pooler: Option<&control::Config>) -> Self {
        let pooler = match pooler {
            Some(config) => Some(PoolerProbe::attach_to_console(config).await),
            None => None,
        };
        Self { pooler, ..self }
    }

    /// Takes the first snapshot of a series, so that the next [`Probes::read_all`] covers the time from here on only.
    pub async fn take_first_snapshot(&mut self) {
        for probe in &mut self.host {
            probe.forget_snapshot();
        }
        if let Some(postgres) = &mut self.postgres {
            postgres.forget_snapshots();
        }
        if let Some(pooler) = &mut self.pooler {
            pooler.forget_snapshots();
        }
        if let Some(standby) = &mut self.standby {
            standby.forget_snapshots();
        }
        self.read_all().await;
        if let Some(postgres) = &mut self.postgres {
            postgres.catch_up(Instant::now() + READ_AT_MOST).await;
        }
    }

    /// What the probes of a host read out of a copy of its files that was complete at this instant, and may be of some
    /// time ago. As [`Probes::read_all`] otherwise.
    pub fn read_copied(&mut self, at: std::time::Instant) -> BTreeMap<String, Reading> {
        self.host.iter_mut().map(|probe| (probe.name_of_probe().to_string(), probe.take_reading(Some(at)))).collect()
    }

    /// What each probe read since its previous snapshot, by probe name: counters as increases, gauges as they are now.
    ///
    /// Ends within 0.8 s (0.9 s with a pooler) plus the time that `/proc` takes. A probe without an earlier snapshot
    /// answers with a gap. After a gap the next reading spans more than one call; its `over_us` says how much.
    pub async fn read_all(&mut self) -> BTreeMap<String, Reading> {
        let deadline = Instant::now() + READ_AT_MOST;
        let mut readings = BTreeMap::new();
        for probe in &mut self.host {
            readings.insert(probe.name_of_probe().to_string(), probe.take_reading(None));
        }
        if let Some(postgres) = &mut self.postgres {
            readings.extend(postgres.read_until_deadline(deadline).await);
        }
        if let Some(pooler) = &mut self.pooler {
            // With a time of its own: a server that hangs is when the pooler's queue is worth knowing.
            readings.extend(pooler.read_until_deadline(Instant::now() + POOLER_AT_MOST).await);
        }
        if let Some(standby) = &mut self.standby {
            readings.extend([standby.read_until_deadline(Instant::now() + STANDBY_AT_MOST).await]);
        }
        readings
    }
}
