//! The queries as data: one `.sql` file per probe and minimum server version. Each file returns
//! - `server_started_us`, `stats_reset_us`: what the counters count from; when either changes, the series starts anew;
//! - optionally `hidden`: whether the role may not see what the figures are made of, which is a gap;
//! - optionally `series`: then there are several rows, and a figure's name is the row's series and the column's name;
//! - figures, called as the constants of the probe are: `bigint` or `double precision`, NULL where the server does not
//!   measure them.

use results::probe_fields::{
    FieldKind, ProbeName, pg_archiver, pg_bgwriter, pg_checkpointer, pg_database, pg_horizon, pg_io, pg_locks,
    pg_replication, pg_slots, pg_tables, pg_wal,
};

/// The probes, in the order in which they are read.
pub(crate) const PROBES: [ProbeName; 11] = [
    pg_database::PROBE,
    pg_bgwriter::PROBE,
    pg_checkpointer::PROBE,
    pg_wal::PROBE,
    pg_io::PROBE,
    pg_tables::PROBE,
    pg_locks::PROBE,
    pg_horizon::PROBE,
    pg_replication::PROBE,
    pg_slots::PROBE,
    pg_archiver::PROBE,
];

/// What the probe's own session needs, for the `options` of its start-up packet: never to wait long, never to be in the
/// way, never to write, never to be closed as idle, and never to meet a table that somebody has called pg_stat_wal.
pub(crate) const SESSION: &str = "-c search_path=pg_catalog -c statement_timeout=500ms -c lock_timeout=100ms \
                                  -c idle_session_timeout=0 -c default_transaction_read_only=on -c jit=off \
                                  -c max_parallel_workers_per_gather=0";

/// Ends every query of the probes, so that it can be told from the load where the server shows its text:
/// `pg_stat_statements`, `pg_stat_activity`, the log. A comment at the end stays in the text on every version.
pub(crate) const QUERY_MARK: &str = "/* pgdyno */";

/// The query as it is sent. The mark has a line of its own, since the last line may end in a comment.
pub(crate) fn marked_query(sql: &str) -> String {
    format!("{}\n{QUERY_MARK}", sql.trim_end())
}

/// Whether a text of the server's is that of a query of the probes.
pub(crate) fn is_marked_query(text: &str) -> bool {
    text.trim_end().ends_with(QUERY_MARK)
}

/// Asks for the server's major version and the role.
pub(crate) const SERVER: &str = include_str!("../../sql/server.sql");

/// A probe's query from one server version on.
#[derive(Debug)]
pub(crate) struct Query {
    probe: ProbeName,
    since: i32,
    pub(crate) sql: &'static str,
}

const QUERIES: [Query; 19] = [
    Query { probe: pg_database::PROBE, since: 14, sql: include_str!("../../sql/database.14.sql") },
    Query { probe: pg_database::PROBE, since: 18, sql: include_str!("../../sql/database.18.sql") },
    Query { probe: pg_bgwriter::PROBE, since: 14, sql: include_str!("../../sql/bgwriter.14.sql") },
    Query { probe: pg_bgwriter::PROBE, since: 17, sql: include_str!("../../sql/bgwriter.17.sql") },
    Query { probe: pg_checkpointer::PROBE, since: 14, sql: include_str!("../../sql/checkpointer.14.sql") },
    Query { probe: pg_checkpointer::PROBE, since: 17, sql: include_str!("../../sql/checkpointer.17.sql") },
    Query { probe: pg_checkpointer::PROBE, since: 18, sql: include_str!("../../sql/checkpointer.18.sql") },
    Query { probe: pg_wal::PROBE, since: 14, sql: include_str!("../../sql/wal.14.sql") },
    Query { probe: pg_wal::PROBE, since: 18, sql: include_str!("../../sql/wal.18.sql") },
    Query { probe: pg_wal::PROBE, since: 19, sql: include_str!("../../sql/wal.19.sql") },
    Query { probe: pg_io::PROBE, since: 16, sql: include_str!("../../sql/io.16.sql") },
    Query { probe: pg_io::PROBE, since: 18, sql: include_str!("../../sql/io.18.sql") },
    Query { probe: pg_tables::PROBE, since: 14, sql: include_str!("../../sql/tables.14.sql") },
    Query { probe: pg_locks::PROBE, since: 14, sql: include_str!("../../sql/locks.14.sql") },
    Query { probe: pg_locks::PROBE, since: 19, sql: include_str!("../../sql/locks.19.sql") },
    Query { probe: pg_horizon::PROBE, since: 14, sql: include_str!("../../sql/horizon.14.sql") },
    Query { probe: pg_replication::PROBE, since: 14, sql: include_str!("../../sql/replication.14.sql") },
    Query { probe: pg_slots::PROBE, since: 14, sql: include_str!("../../sql/slots.14.sql") },
    Query { probe: pg_archiver::PROBE, since: 14, sql: include_str!("../../sql/archiver.14.sql") },
];

/// No query of the probe is for so old a server.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{probe} needs PostgreSQL {since} or later; the server is {major}")]
pub(crate) struct TooOld {
    probe: ProbeName,
    since: i32,
    major: i32,
}

/// The query of `probe` for a server of this major version: the newest that is not for a later one.
pub(crate) fn query_for_version(probe: ProbeName, major: i32) -> Result<&'static Query, TooOld> {
    let of_probe = QUERIES.iter().filter(|query| query.probe == probe);
    let since = of_probe.clone().map(|query| query.since).min().unwrap_or(i32::MAX);
    let fitting = of_probe.filter(|query| query.since <= major).max_by_key(|query| query.since);
    fitting.ok_or(TooOld { probe, since, major })
}

impl Query {
    /// The figures that are levels, not counters.
    pub(crate) fn gauge_columns(&self) -> impl Iterator<Item = &'static str> {
        self.probe.fields().iter().filter(|field| field.kind == FieldKind::Gauge).map(|field| field.name)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_server_gets_the_newest_query_that_is_not_for_a_later_one() {
        let check = |probe: ProbeName, major: i32, expected: &str| {
            assert_eq!(query_for_version(probe, major).unwrap().sql.lines().next().unwrap(), expected);
        };
        check(
            pg_wal::PROBE,
            14,
            "-- pg.wal, PostgreSQL 14 to 17. Times are measured only while track_wal_io_timing is on.",
        );
        check(
            pg_wal::PROBE,
            17,
            "-- pg.wal, PostgreSQL 14 to 17. Times are measured only while track_wal_io_timing is on.",
        );
        check(pg_bgwriter::PROBE, 19, "-- pg.bgwriter, PostgreSQL 17: what backends wrote is in pg.io from here on.");
        check(pg_bgwriter::PROBE, 16, query_for_version(pg_bgwriter::PROBE, 14).unwrap().sql.lines().next().unwrap());
    }

    #[test]
    fn mark_of_a_query_is_found_in_the_text_of_a_server() {
        for query in QUERIES {
            assert!(is_marked_query(&marked_query(query.sql)), "{}", query.sql);
            assert!(!is_marked_query(query.sql), "{}", query.sql);
        }
        assert_eq!(marked_query("SELECT 1 -- one\n"), "SELECT 1 -- one\n/* pgdyno */");
        assert!(is_marked_query("SELECT $1 -- one\n/* pgdyno */ "));
        assert!(!is_marked_query("SELECT /* pgdyno */ abalance FROM pgbench_accounts"));
    }

    #[test]
    fn a_server_that_is_too_old_is_told_so() {
        let error = query_for_version(pg_io::PROBE, 15).unwrap_err().to_string();
        assert_eq!(error, "pg.io needs PostgreSQL 16 or later; the server is 15");
    }

    #[test]
    fn every_file_opens_with_its_probe() {
        for query in QUERIES {
            let opening = format!("-- {}, PostgreSQL {}", query.probe, query.since);
            assert!(query.sql.starts_with(&opening), "{opening}");
        }
    }

    /// What a query calls its columns: the last word of each, nothing in parentheses looked at.
    fn columns(sql: &str) -> BTreeSet<&'static str> {
        let mut depth = 0;
        let mut outermost = String::new();
        for c in sql.lines().map(|line| line.split("--").next().unwrap()).flat_map(|line| line.chars().chain([' '])) {
            depth += i32::from(c == '(');
            outermost.extend((depth == 0).then_some(c));
            depth -= i32::from(c == ')');
        }
        let (_, columns) = outermost.rsplit_once("SELECT ").unwrap();
        let columns = columns.split(" FROM ").next().unwrap().split(',');
        columns.map(|column| column.trim().rsplit([' ', '.']).next().unwrap().to_owned().leak() as &str).collect()
    }

    #[test]
    fn queries_return_the_figures_that_have_constants_and_no_others() {
        let of_all = BTreeSet::from(["server_started_us", "stats_reset_us", "hidden"]);
        for probe in PROBES.into_iter().filter(|probe| *probe != pg_io::PROBE) {
            let queries = QUERIES.iter().filter(|query| query.probe == probe);
            let returned: BTreeSet<&str> = queries.flat_map(|query| columns(query.sql)).collect();
            let named: BTreeSet<&str> = probe.fields().iter().map(|field| field.name).collect();
            assert_eq!(returned.difference(&of_all).copied().collect::<BTreeSet<_>>(), named, "{probe}");
        }
    }

    #[test]
    fn every_probe_has_a_query_for_the_newest_server() {
        for probe in PROBES {
            assert!(query_for_version(probe, 19).is_ok(), "{probe}");
        }
        assert!(QUERIES.iter().all(|query| PROBES.contains(&query.probe)));
    }
}
