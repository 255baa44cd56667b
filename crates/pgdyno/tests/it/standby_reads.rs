//! Workloads that read a standby: their sessions are there, its lag is measured, and replay that cancels their queries
//! is counted. Where there is no standby, that is said before anything is measured.

use results::interval::Reading;
use testbed::{Postgres, newest_version};

use crate::lab::Lab;

/// A pair on this machine, whose standby is read while a load beside writes on the primary.
fn plan(settings: &str, workload: &str, beside: &str) -> String {
    format!(
        "name: Standby\ntargets:\n  pair:\n    local: {{ bin: {}, standby: streaming }}\n    settings: {settings}\nbaseline: pair\n\
         workloads: {{ read: {{ {workload}, reads_from: standby }} }}\nclients: [2]\ntrial: {{ warm_up: 1s, measure: 4s }}\n\
         blocks: {{ at_least: 1, at_most: 1 }}\nbeside: {{ writes: {{ {beside} }} }}\n",
        newest_version().display()
    )
}

#[test]
fn a_standby_that_is_read_has_an_age() {
    let lab = Lab::new();
    lab.write(
        "write.sql",
        "\\set aid random(1, 100000)\nUPDATE pgbench_accounts SET abalance = abalance + 1 WHERE aid = :aid;\n",
    );
    let select = "builtin: select-only, scale: 1, think: 5ms";
    lab.write("plan.yaml", plan("{}", select, "script: [write.sql], pause: 2ms"));
    lab.pgdyno("run plan.yaml --details").prints(&["Standbys that are read", "mean age"]);
    let run = lab.run();
    let [trial] = &run.trials()[..] else { panic!("one trial") };
    let load = trial.load.as_ref().expect("figures");
    assert!(load.transactions > 0 && load.failed == 0, "{:?}", load.first_errors);
    assert!(trial.beside[0].completed > 0 && trial.beside[0].error.is_none(), "{:?}", trial.beside);
    let seconds = run.dir().trial_intervals(1).expect("seconds");
    let values: Vec<_> = seconds
        .iter()
        .filter_map(|second| match second.probes.get("pg.standby") {
            Some(Reading::Values { values, .. }) => Some(values),
            Some(Reading::Gap { .. }) | None => None,
        })
        .collect();
    assert!(values.len() >= 2, "{seconds:?}");
    for values in values {
        assert!(
            values["age_us"] > 0.0 && values["replay_behind_bytes"] >= values["receive_behind_bytes"],
            "{values:?}"
        );
    }
    // The probes watch the server that executes the load.
    let sampled = run.dir().trial_activity(1).expect("samples");
    assert!(sampled.iter().any(|second| !second.window.seen.is_empty()), "its sessions are on the standby");
}

#[test]
fn replay_that_cancels_queries_is_counted() {
    let lab = Lab::new();
    lab.write("long.sql", "SELECT count(*), pg_sleep(0.5) FROM pgbench_accounts;\n");
    lab.write("vacuum.sql", "UPDATE pgbench_accounts SET abalance = 1 WHERE aid < 100;\nVACUUM pgbench_accounts;\n");
    let settings = "{ max_standby_streaming_delay: 0, hot_standby_feedback: 'off' }";
    lab.write("plan.yaml", plan(settings, "script: [long.sql], scale: 1", "script: [vacuum.sql]"));
    lab.pgdyno("run plan.yaml");
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    let load = trial.load.as_ref().expect("figures");
    assert!(load.errors.get("40001").is_some_and(|cancelled| *cancelled > 0), "{:?}", load.errors);
    let csv = lab.pgdyno(&format!("report {} --format csv --table standby-lag", lab.run().path().display()));
    csv.prints(&["read,2,pair"]);
}

#[test]
fn a_url_without_a_standby_is_refused() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("one.sql", "SELECT 1;\n");
    let text = format!(
        "name: None\ntargets: {{ it: {{ url: \"{}\" }} }}\nbaseline: it\nworkloads: {{ one: {{ script: [one.sql], reads_from: \
         standby }} }}\nclients: [1]\ntrial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.socket_conninfo()
    );
    lab.write("plan.yaml", text);
    let ended = lab.pgdyno("run plan.yaml");
    ended.exits(3).says(&["workload \"one\" reads a standby, and target \"it\" has none", "hosts of the `url`"]);
}
