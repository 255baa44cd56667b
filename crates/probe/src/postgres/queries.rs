//! The queries as data: one `.sql` file per probe and minimum server version. Each file returns
//! - `server_started_us`, `stats_reset_us`: what the counters count from; when either changes, the series starts anew;
//! - optionally `hidden`: whether the role may not see what the figures are made of, which is a gap;
//! - optionally `series`: then there are several rows, and a figure's name is the row's series and the column's name;
//! - figures: `bigint` or `double precision`, NULL where the server does not measure them. They are counters, except
//!   those that the file's line `-- gauges:` names.

/// The probes, in the order in which they are read.
pub(crate) const PROBES: [&str; 10] = [
    "pg.database",
    "pg.bgwriter",
    "pg.checkpointer",
    "pg.wal",
    "pg.io",
    "pg.tables",
    "pg.locks",
    "pg.horizon",
    "pg.replication",
    "pg.archiver",
];

/// What the probe's own session needs, for the `options` of its start-up packet: never to wait long, never to be in the
/// way, never to write, never to be closed as idle, and never to meet a table that somebody has called pg_stat_wal.
pub(crate) const SESSION: &str = "-c search_path=pg_catalog -c statement_timeout=500ms -c lock_timeout=100ms \
                                  -c idle_session_timeout=0 -c default_transaction_read_only=on -c jit=off \
                                  -c max_parallel_workers_per_gather=0";

/// Asks for the server's major version and the role.
pub(crate) const SERVER: &str = include_str!("../../sql/server.sql");

/// A probe's query from one server version on.
#[derive(Debug)]
pub(crate) struct Query {
    probe: &'static str,
    since: i32,
    pub(crate) sql: &'static str,
}

const QUERIES: [Query; 16] = [
    Query { probe: "pg.database", since: 14, sql: include_str!("../../sql/database.14.sql") },
    Query { probe: "pg.database", since: 18, sql: include_str!("../../sql/database.18.sql") },
    Query { probe: "pg.bgwriter", since: 14, sql: include_str!("../../sql/bgwriter.14.sql") },
    Query { probe: "pg.bgwriter", since: 17, sql: include_str!("../../sql/bgwriter.17.sql") },
    Query { probe: "pg.checkpointer", since: 14, sql: include_str!("../../sql/checkpointer.14.sql") },
    Query { probe: "pg.checkpointer", since: 17, sql: include_str!("../../sql/checkpointer.17.sql") },
    Query { probe: "pg.checkpointer", since: 18, sql: include_str!("../../sql/checkpointer.18.sql") },
    Query { probe: "pg.wal", since: 14, sql: include_str!("../../sql/wal.14.sql") },
    Query { probe: "pg.wal", since: 18, sql: include_str!("../../sql/wal.18.sql") },
    Query { probe: "pg.io", since: 16, sql: include_str!("../../sql/io.16.sql") },
    Query { probe: "pg.io", since: 18, sql: include_str!("../../sql/io.18.sql") },
    Query { probe: "pg.tables", since: 14, sql: include_str!("../../sql/tables.14.sql") },
    Query { probe: "pg.locks", since: 14, sql: include_str!("../../sql/locks.14.sql") },
    Query { probe: "pg.horizon", since: 14, sql: include_str!("../../sql/horizon.14.sql") },
    Query { probe: "pg.replication", since: 14, sql: include_str!("../../sql/replication.14.sql") },
    Query { probe: "pg.archiver", since: 14, sql: include_str!("../../sql/archiver.14.sql") },
];

/// No query of the probe is for so old a server.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{probe} needs PostgreSQL {since} or later; the server is {major}")]
pub(crate) struct TooOld {
    probe: String,
    since: i32,
    major: i32,
}

/// The query of `probe` for a server of this major version: the newest that is not for a later one.
pub(crate) fn query(probe: &str, major: i32) -> Result<&'static Query, TooOld> {
    let of_probe = || QUERIES.iter().filter(|query| query.probe == probe);
    let since = of_probe().map(|query| query.since).min().unwrap_or(i32::MAX);
    let fitting = of_probe().filter(|query| query.since <= major).max_by_key(|query| query.since);
    fitting.ok_or_else(|| TooOld { probe: probe.to_owned(), since, major })
}

impl Query {
    /// The figures that are levels, not counters.
    pub(crate) fn gauges(&self) -> impl Iterator<Item = &'static str> {
        let line = self.sql.lines().find_map(|line| line.strip_prefix("-- gauges:"));
        line.into_iter().flat_map(|names| names.split(',')).map(str::trim).filter(|name| *name != "none")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_gets_the_newest_query_that_is_not_for_a_later_one() {
        let check = |probe: &str, major: i32, expected: &str| {
            assert_eq!(query(probe, major).unwrap().sql.lines().next().unwrap(), expected);
        };
        check("pg.wal", 14, "-- pg.wal, PostgreSQL 14 to 17. Times are measured only while track_wal_io_timing is on.");
        check("pg.wal", 17, "-- pg.wal, PostgreSQL 14 to 17. Times are measured only while track_wal_io_timing is on.");
        check("pg.bgwriter", 19, "-- pg.bgwriter, PostgreSQL 17: what backends wrote is in pg.io from here on.");
        check("pg.bgwriter", 16, query("pg.bgwriter", 14).unwrap().sql.lines().next().unwrap());
    }

    #[test]
    fn a_server_that_is_too_old_is_told_so() {
        let error = query("pg.io", 15).unwrap_err().to_string();
        assert_eq!(error, "pg.io needs PostgreSQL 16 or later; the server is 15");
    }

    #[test]
    fn every_file_opens_with_its_probe_and_says_which_columns_are_gauges() {
        for query in QUERIES {
            let opening = format!("-- {}, PostgreSQL {}", query.probe, query.since);
            assert!(query.sql.starts_with(&opening), "{opening}");
            assert_eq!(query.sql.matches("-- gauges:").count(), 1, "{opening}");
            for gauge in query.gauges() {
                assert!(query.sql.contains(&format!(" AS {gauge},")), "{opening}: {gauge}");
            }
        }
        assert_eq!(query("pg.database", 14).unwrap().gauges().collect::<Vec<_>>(), ["backends"]);
        assert_eq!(query("pg.wal", 14).unwrap().gauges().count(), 0);
    }

    #[test]
    fn every_probe_has_a_query_for_the_newest_server() {
        for probe in PROBES {
            assert!(query(probe, 18).is_ok(), "{probe}");
        }
        assert!(QUERIES.iter().all(|query| PROBES.contains(&query.probe)));
    }
}
