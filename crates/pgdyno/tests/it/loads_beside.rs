//! Loads beside: they run on the server while the workload is measured, have figures of their own, leave nothing, and
//! a trial without the load that it was to have is not compared.

use results::trial::{BesideTotals, TrialOutcome};
use testbed::{Postgres, newest_version};

use crate::lab::Lab;

/// A local server with and without loads beside.
fn plan(beside: &str) -> String {
    format!(
        "name: Beside\ntargets:\n  alone: {{ local: {{ bin: {} }}, beside: [] }}\n  busy: {{ shared: {{ server_of: alone }} }}\n\
         baseline: alone\nworkloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0s, measure: 4s }}\nblocks: {{ at_least: 1, at_most: 1 }}\nprobes: false\nbeside: {beside}\n",
        newest_version().display()
    )
}

#[test]
fn every_load_beside_runs_on_its_targets_and_stands_in_the_report() {
    let lab = Lab::new();
    lab.write("report.sql", "\\set id random(1, 1000)\nSELECT count(*) FROM pgbench_accounts WHERE aid > :id;\n");
    lab.write("rows.csv", "1,1,1,5,2026-11-30 12:00:00\n1,1,2,-5,2026-11-30 12:00:01\n");
    let ingest = "ingest: { copy: { into: \"pgbench_history (tid, bid, aid, delta, mtime)\", rows: rows.csv, options: FORMAT \
                  csv }, clients: 2, rate: 20/s }";
    let beside = format!(
        "{{ report: {{ script: [report.sql] }}, {ingest}, vacuum: {{ vacuum: pgbench_branches, pause: 10ms }}, index: {{ \
         index_build: pgbench_accounts (abalance) }}, backup: {{ pg_basebackup: {{ options: [--no-manifest] }} }}, dump: {{ \
         pg_dump: {{}} }}, own: {{ command: \"test $PGDYNO_TARGET = busy && sleep 0.2\", pause: 10ms }} }}"
    );
    lab.write("plan.yaml", plan(&beside));
    lab.pgdyno("run plan.yaml --details").prints(&["Loads beside", "pg_basebackup", "ingest"]);
    let run = lab.run();
    for trial in run.trials() {
        assert_eq!(trial.outcome, TrialOutcome::Completed);
        if trial.cell.target == "alone" {
            assert_eq!(trial.beside, []);
            continue;
        }
        let names: Vec<&str> = trial.beside.iter().map(|load| load.name.as_str()).collect();
        assert_eq!(names, ["report", "ingest", "vacuum", "index", "backup", "dump", "own"]);
        for load in &trial.beside {
            assert!(load.error.is_none() && load.failed == 0, "{load:?}");
            assert!(load.completed > 0 && load.latency.is_some(), "{load:?}");
        }
        let counted: Vec<bool> = trial.beside.iter().map(|load| load.bytes.is_some_and(|bytes| bytes > 0)).collect();
        assert_eq!(counted, [false, false, false, false, true, true, false]);
    }
    let kept = run.names("beside");
    assert_eq!(kept, ["ingest", "report"]);
    let json = lab.pgdyno(&format!("report {} --format csv --table loads-beside", run.path().display()));
    json.exits(0).prints(&["report,script,busy", "backup,pg_basebackup,busy"]);
    lab.assert_no_temporary_data();
}

#[test]
fn an_index_that_was_being_built_does_not_remain() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres(
        "CREATE SCHEMA app; CREATE TABLE app.big AS SELECT g AS a, md5(g::text) AS b FROM generate_series(1, 200000) g",
    );
    // As long as its snapshot is held, no index is complete.
    let holder = server.hold_transaction("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SELECT 1");
    let text = format!(
        "name: Index\ntargets: {{ it: {{ url: \"{}\", may_disturb: true }} }}\nbaseline: it\n\
         workloads: {{ one: {{ script: [one.sql], think: 5ms }} }}\nclients: [1]\ntrial: {{ warm_up: 0s, measure: 2s }}\n\
         blocks: {{ at_least: 1, at_most: 1 }}\nprobes: false\nbeside: {{ index: {{ index_build: app.big (b) }} }}\n",
        server.socket_conninfo()
    );
    lab.write("one.sql", "SELECT 1;\n");
    lab.write("plan.yaml", text);
    lab.pgdyno("run plan.yaml");
    drop(holder);
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    let [BesideTotals { completed: 0, failed: 0, unfinished: 1, error: None, .. }] = &trial.beside[..] else {
        panic!("it was under way to the end: {:?}", trial.beside)
    };
    assert_eq!(server.query_postgres("SELECT count(*) FROM pg_class WHERE relname LIKE 'pgdyno_beside%'"), "0");
}

#[test]
fn a_trial_without_the_load_that_it_was_to_have_is_not_compared() {
    let lab = Lab::new();
    lab.write("report.sql", "SELECT * FROM no_such_table;\n");
    lab.write("plan.yaml", plan("{ report: { script: [report.sql], pause: 50ms } }"));
    let ended = lab.pgdyno("run plan.yaml --details");
    ended.prints(&["beside-load-failed", "load \"report\" beside failed", "no_such_table"]);
    let caveats = lab.run().trials().iter().map(|trial| trial.beside.len()).collect::<Vec<_>>();
    assert_eq!(caveats.iter().sum::<usize>(), 1);

    let lab = Lab::new();
    lab.write("plan.yaml", plan("{ own: { command: \"echo it broke >&2; exit 3\" } }"));
    lab.pgdyno("run plan.yaml").prints(&["load \"own\" beside failed: exit status: 3: it broke"]);
}

#[test]
fn what_a_load_beside_lacks_is_refused_before_anything_is_started() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("{ report: { script: [missing.sql] } }"));
    lab.pgdyno("run plan.yaml").exits(2).says(&["beside: load \"report\": could not read", "missing.sql"]);
    lab.write("rows.sql", "COPY t FROM STDIN;\n1\n");
    lab.write("plan.yaml", plan("{ report: { script: [rows.sql] } }"));
    lab.pgdyno("run plan.yaml").exits(2).says(&["the rows of COPY FROM STDIN have no end", "a line with \\. alone"]);
    assert!(lab.runs().is_empty());
    lab.assert_no_temporary_data();
}
