//! Sides that took turns on one server: ways to it, or the baseline beside itself. What such a server counted meanwhile
//! is of all of them together and tells nothing of one, so it is a gap with that reason. The messages of its log stay:
//! they say what happened and when. So does what is of a database, where each side has its own: its tables, functions
//! and statements, and the figures of `pg_stat_database`. So do a pooler's account of targets that are not the same,
//! which is a part of the way, and what the processes of a side's own sessions used. And sides in pods: what reads the
//! host of one sees no process of the other's server, which is no stranger.

use std::collections::BTreeMap;

use plan::Plan;
use results::facts::{Platform, TargetFacts};
use results::probe_fields::host_foreign;
use results::trial::{Cell, Trial};

use super::WatchedPhase;

/// Why a figure is missing.
const WHY: &str = "the sides alternate in slices on one server, whose figures cannot be attributed to one side; \
                   `interleave: trials` has them";

/// Why it is not known what strangers took of the CPUs.
const UNSEEN: &str = "the sides alternate in slices, and a container does not see the processes of the other side's \
                      server";

/// Takes from each trial what is not of its side alone.
pub(super) fn take_back(
    watched: &mut BTreeMap<u32, WatchedPhase>,
    trials: &[Trial],
    plan: Option<&Plan>,
    facts: &BTreeMap<String, TargetFacts>,
) {
    for trial in trials {
        let Some(turns) = &trial.turns else { continue };
        let others =
            || trials.iter().filter(|other| turns.with.contains(&other.number)).map(|other| &other.cell.target);
        let own = &trial.cell.target;
        let same_target = others().any(|other| other == own);
        if let (true, Some(watched)) = (others().any(|other| is_one(own, other, facts)), watched.get_mut(&trial.number))
        {
            let sharing = others().filter(|other| is_one(own, other, facts));
            let database = database_of_cell(&trial.cell, own, plan, facts);
            let has_own_database = database.is_some()
                && sharing.into_iter().all(|other| {
                    let others = database_of_cell(&trial.cell, other, plan, facts);
                    others.is_some() && others != database
                });
            watched.take_back(WHY, has_own_database, |probe| same_target || !probe.starts_with("pooler."));
        }
        let is_in_pod = facts.get(own).is_some_and(|facts| facts.platform == Platform::Kubernetes);
        if let (true, Some(watched)) = (is_in_pod, watched.get_mut(&trial.number)) {
            watched.leave_out(host_foreign::PROBE, UNSEEN);
        }
    }
}

/// The database in which the trials of a cell work on a target, if it is known.
fn database_of_cell(
    cell: &Cell,
    target: &str,
    plan: Option<&Plan>,
    facts: &BTreeMap<String, TargetFacts>,
) -> Option<String> {
    let of_workload = plan.and_then(|plan| plan.database_on(target, plan.workload_by_name(&cell.workload)?));
    of_workload.or_else(|| facts.get(target)?.server.database.clone())
}

/// Whether two targets are known to be one server: servers that were started at the same instant are one.
pub(crate) fn is_one(one: &str, other: &str, facts: &BTreeMap<String, TargetFacts>) -> bool {
    let [started, other_started] = [one, other].map(|target| facts.get(target)?.server.started_at);
    one == other || started.is_some() && started == other_started
}

#[cfg(test)]
mod tests {
    use results::probe_fields::{host_disk, host_server, pg_database, pg_wal, pooler_stats};
    use serde_json::json;

    use super::*;

    /// The first of two trials that took turns, of targets `a` and `b` (or of `a` twice), whose servers started then.
    fn first_of(targets: [&str; 2], started_at: [Option<&str>; 2]) -> WatchedPhase {
        first_on("url", targets, started_at, [None, None])
    }

    fn first_on(
        platform: &str,
        targets: [&str; 2],
        started_at: [Option<&str>; 2],
        databases: [Option<&str>; 2],
    ) -> WatchedPhase {
        let trial = |number: u32, target: &str| {
            json!({
                "format": 4, "number": number, "block": 1, "role": "main",
                "cell": { "target": target, "workload": "read", "clients": 8 },
                "outcome": { "state": "completed" }, "phases": [], "preparation": [], "finishing": [], "settings": {},
                "caveats": [], "slices": { "with": [3 - number], "length_us": 100_000 },
            })
        };
        let trials: Vec<Trial> =
            (1..).zip(targets).map(|(number, target)| serde_json::from_value(trial(number, target)).unwrap()).collect();
        let server = |(started_at, database): (Option<&str>, Option<&str>)| {
            let facts = json!({
                "format": 1, "name": "any", "platform": platform, "read_at": "2026-11-20T09:12:00Z",
                "path": { "transport": "tcp", "address": "a", "port": 5432, "same_host": true },
                "server": { "version": "PostgreSQL 17.6", "version_num": 170_006, "in_recovery": false,
                            "started_at": started_at, "database": database, "database_bytes": null, "locale": null },
                "settings": {}, "host": null, "gaps": {},
            });
            serde_json::from_value::<TargetFacts>(facts).unwrap()
        };
        let servers = started_at.into_iter().zip(databases).map(server);
        let facts = targets.map(str::to_owned).into_iter().zip(servers).collect();
        let reading = |name: &str| json!({ "took_us": 1, "over_us": 1_000_000, "values": { name: 5.0 } });
        let line = json!({ "phase": "measure", "index": 0, "start_us": 0, "duration_us": 1_000_000, "turn_us": 500_000,
            "transactions": 50, "failed": 0, "probes": { "pg.wal": reading("bytes"), "pg.database": reading("commits"), "pooler.stats": reading("queries"),
            "host.disk": reading("reads"), "host.foreign": reading("cpu_us"),
            "host.server": { "took_us": 1, "over_us": 1_000_000, "values": { "backends_cpu_us": 5.0, "load_cpu_us": 3.0 } } } })
        .to_string();
        let mut watched =
            BTreeMap::from([(1, WatchedPhase::from_lines(vec![serde_json::from_str(&line).unwrap()], vec![]))]);
        let tables = json!({ "format": 1, "over_us": 1, "tables": [] });
        watched.get_mut(&1).unwrap().tables = Some(serde_json::from_value(tables).unwrap());
        take_back(&mut watched, &trials, None, &facts);
        watched.remove(&1).unwrap()
    }

    /// Of the server, of its pooler, and of the whole host.
    fn told(watched: &WatchedPhase) -> [bool; 3] {
        [pg_wal::BYTES, pooler_stats::QUERIES, host_disk::READS].map(|field| watched.rise_of_counter(field).is_some())
    }

    #[test]
    fn what_a_server_counts_for_several_sides_is_of_none_of_them() {
        let (then, later) = (Some("2026-11-20T09:00:00Z"), Some("2026-11-20T09:00:01Z"));
        let ways_to_one = first_of(["a", "b"], [then, then]);
        assert_eq!(told(&ways_to_one), [false, true, true]);
        assert_eq!(ways_to_one.why_missing(pg_wal::PROBE), WHY);
        assert_eq!(told(&first_of(["a", "a"], [None, None])), [false, false, true], "a baseline beside itself");
        assert_eq!(told(&first_of(["a", "b"], [then, later])), [true; 3], "servers of their own");
        assert_eq!(told(&first_of(["a", "b"], [None, None])), [true; 3], "nothing says that they are one");
    }

    #[test]
    fn what_is_of_a_database_is_a_side_s_own_where_each_has_one() {
        let then = Some("2026-11-20T09:00:00Z");
        let has_own = |databases: [Option<&str>; 2]| {
            let watched = first_on("url", ["a", "b"], [then, then], databases);
            assert_eq!(watched.why_missing(pg_wal::PROBE), WHY, "the WAL is of the whole server");
            let of_tables = watched.tables.as_ref().is_some_and(|tables| tables.gap.is_none());
            assert_eq!(watched.risen_by(pg_database::COMMITS).is_some(), of_tables);
            of_tables
        };
        assert!(has_own([Some("base"), Some("branch")]));
        assert!(!has_own([Some("base"), Some("base")]));
        assert!(!has_own([Some("base"), None]), "nothing says that they are two");
    }

    #[test]
    fn what_the_processes_of_its_own_sessions_used_is_a_side_s_own() {
        let then = Some("2026-11-20T09:00:00Z");
        let watched = first_of(["a", "b"], [then, then]);
        assert_eq!(watched.rise_of_counter(host_server::LOAD_CPU_US), Some((3.0, 500_000)), "while it was its turn");
        assert_eq!(watched.rise_of_counter(host_server::BACKENDS_CPU_US), None);
        assert_eq!(watched.why_missing(host_server::PROBE), WHY);
    }

    #[test]
    fn sides_in_pods_do_not_tell_the_other_side_s_server_from_a_stranger() {
        let [in_pods, elsewhere] =
            ["kubernetes", "url"].map(|platform| first_on(platform, ["a", "b"], [None, None], [None, None]));
        assert_eq!((in_pods.rise_of_counter(host_foreign::CPU_US), told(&in_pods)), (None, [true; 3]));
        assert_eq!(in_pods.why_missing(host_foreign::PROBE), UNSEEN);
        assert!(elsewhere.rise_of_counter(host_foreign::CPU_US).is_some());
    }
}
