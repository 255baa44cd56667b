//! Workloads of every kind, from the plan to the report: own scripts, open loops, searches for a capacity, business
//! objects, other generators.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use judge::caveats::Caveat;
use results::interval::TrialInterval;
use results::trial::{Incident, LoadTotals, Preparation, Trial, TrialPhase};

use crate::lab::{BRIEF, Lab};
use crate::process::Ended;
use testbed::Postgres;

/// A plan of one workload on a server that is compared with itself.
fn plan(server: &Postgres, workload: &str, rest: &str) -> String {
    let side = format!("{{ url: \"{}\" }}", server.socket_conninfo());
    format!(
        "name: Workloads\ntargets:\n  one: {side}\n  two: {side}\nbaseline: one\nworkloads:\n  work: {{ {workload} }}\n{rest}"
    )
}

/// Runs a plan of one short trial for each side, which must end in a report.
fn run(lab: &Lab, server: &Postgres, workload: &str) -> (Ended, Vec<Trial>) {
    lab.write("plan.yaml", plan(server, workload, &format!("clients: [2]\n{BRIEF}")));
    let ended = lab.pgdyno("run plan.yaml --details");
    ended.measured();
    let run = lab.run();
    assert!(run.path().join("report.html").is_file(), "{ended}");
    (ended, run.trials())
}

fn load(trial: &Trial) -> &LoadTotals {
    trial.load.as_ref().expect("a completed trial has figures")
}

#[test]
fn own_scripts_run_by_weight_and_go_with_the_run_directory() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres("CREATE TABLE notes (kind int, price int)");
    fs::create_dir(lab.path().join("shop")).expect("made");
    lab.write("shop/buy.sql", "INSERT INTO notes VALUES (1, :price);\n");
    lab.write("shop/back.sql", "INSERT INTO notes VALUES (2, :price);\n");
    let (ended, trials) = run(
        &lab,
        &server,
        "think: 5ms, script: [shop/buy.sql@9, shop/back.sql], define: { price: 12 }, mode: extended",
    );
    ended.prints(&["closed loop"]);
    for trial in &trials {
        let scripts: Vec<&str> = load(trial).scripts.keys().map(String::as_str).collect();
        assert_eq!(scripts, ["back.sql", "buy.sql"]);
    }
    let count =
        |kind: u32| server.query_count(&format!("SELECT count(*) FROM notes WHERE kind = {kind} AND price = 12"));
    assert!(count(1) > 3 * count(2) && count(2) > 0, "{} to {}", count(1), count(2));

    // The run stands for itself: the originals may go.
    fs::remove_dir_all(lab.path().join("shop")).expect("removed");
    let run = lab.run();
    assert_eq!(run.names("scripts/work"), ["back.sql", "buy.sql"]);
    let copy = run.path().join("plan.yaml").display().to_string();
    lab.pgdyno(&format!("plan check {copy}")).exits(0);
    lab.pgdyno(&format!("run {copy} --runs again")).measured();
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    lab.pgdyno(&format!("report {} --format markdown", run.path().display())).exits(0).prints(&["work"]);
}

#[test]
fn members_of_a_mix_are_drawn_by_weight_on_their_own_data_and_have_figures_of_their_own() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    server.query_postgres("CREATE TABLE notes (price int)");
    lab.write("buy.sql", "INSERT INTO notes VALUES (:price);\n");
    let mix = "pay: { weight: 6, builtin: simple-update, scale: 2 }, \
               browse: { weight: 6, sysbench: { script: oltp_point_select, table_size: 500 } }, \
               items: { weight: 3, erp: { object: catalog, inserts_percent: 100 } }, \
               own: { script: buy.sql, define: { price: 12 } }";
    let (_, trials) = run(&lab, &server, &format!("think: 1ms, mix: {{ {mix} }}"));
    for trial in &trials {
        let scripts: Vec<&str> = load(trial).scripts.keys().map(String::as_str).collect();
        assert_eq!(scripts, ["browse", "items", "own", "pay"]);
        let count = |script: &str| load(trial).scripts[script].transactions;
        assert_eq!(load(trial).failed, 0, "{:?}", load(trial).first_errors);
        assert!(count("own") > 0 && count("pay") > count("own") && count("browse") > count("items"), "{trial:?}");
    }
    // Each member's scale is that of its own data.
    let accounts = "SELECT count(*) FROM pgbench_accounts WHERE aid > 100000 AND abalance <> 0";
    assert!(server.query_count(accounts) > 0, "the second half of the accounts is paid to, too");
    let prices = "SELECT count(*) > 0 AND min(price) = 12 AND max(price) = 12 FROM notes";
    assert_eq!(server.query_postgres(prices), "t", "the variable `price` of another member is none of its own");
    assert!(server.query_count("SELECT count(*) FROM erp_item") >= 100_000);
    let report = format!("report {} --format csv --table scripts", lab.run().path().display());
    lab.pgdyno(&report).exits(0).prints(&["work,2,browse,one,", "work,2,items,two,", "work,2,own,", "work,2,pay,"]);

    // The run stands for itself, and goes on.
    fs::remove_file(lab.path().join("buy.sql")).expect("removed");
    let run = lab.run();
    assert_eq!(run.names("scripts/work/own"), ["buy.sql"]);
    let copy = run.path().join("plan.yaml").display().to_string();
    lab.pgdyno(&format!("plan check {copy} --connect")).exits(0);
    lab.pgdyno(&format!("run {copy} --runs again")).measured();
}

#[test]
fn an_error_of_a_script_is_told_with_its_place_before_anything_is_touched() {
    let lab = Lab::new();
    let plan = |script: &str| {
        format!(
            "name: x\ntargets: {{ a: {{ url: \"host=/nowhere dbname=x\" }} }}\nbaseline: a\n\
             workloads: {{ w: {{ script: [{script}] }} }}\nclients: [1]\n"
        )
    };
    lab.write("good.sql", "SELECT 1;\n");
    lab.write("bad.sql", "SELECT 1;\n\\set x 1 +\nSELECT :x;\n");
    lab.write("plan.yaml", plan("good.sql, bad.sql"));
    for command in ["plan check plan.yaml", "run plan.yaml", "plan explain plan.yaml"] {
        lab.pgdyno(command).exits(2).says(&["bad.sql:2:", "\\set x 1 +"]);
    }
    lab.write("unknown.sql", "SELECT 1;\nSELECT :nobody;\n");
    lab.write("plan.yaml", plan("good.sql, unknown.sql"));
    lab.pgdyno("plan check plan.yaml").exits(2).says(&["workload \"w\": unknown.sql:2:", "\"nobody\" has no value"]);
    lab.write("plan.yaml", plan("good.sql, missing.sql"));
    lab.pgdyno("plan check plan.yaml").exits(2).says(&["missing.sql", "No such file"]);
    lab.write("plan.yaml", plan("good.sql@none"));
    lab.pgdyno("plan check plan.yaml").exits(2).says(&["plan.yaml:4:", "good.sql@none", "weight"]);
    assert!(lab.runs().is_empty(), "no run directory is made");
}

#[test]
fn an_open_loop_offers_its_rate_and_says_what_became_of_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let (ended, trials) =
        run(&lab, &server, "builtin: select-only, scale: 1, rate: 100/s, arrivals: even, latency_limit: 10s");
    ended.prints(&["open loop, offered 100/s", "over the latency limit"]);
    for trial in &trials {
        let open = load(trial).open.as_ref().expect("an open loop");
        assert!((95..=105).contains(&open.offered), "{open:?}");
        assert!(open.service.is_some() && open.lag.is_some());
        assert!(load(trial).late.is_some(), "of what begins late is told how much");
    }
    let json = lab.pgdyno(&format!("report {} --format json", lab.run().path().display())).json();
    assert_eq!(json["comparisons"][0]["loop"], "open");
    assert_eq!(json["comparisons"][0]["metrics"][0]["metric"], "latency_mean");
    let offered_per_s = json["trials"][0]["offered_per_s"][0].as_f64().expect("a rate");
    assert!((95.0..=105.0).contains(&offered_per_s), "of the time that was its own: {offered_per_s}");
}

#[test]
fn what_a_server_does_not_keep_up_with_is_a_caveat() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("slow.sql", "SELECT pg_sleep(0.1);\n");
    let (ended, trials) = run(&lab, &server, "script: [slow.sql], rate: 200/s, latency_limit: 50ms");
    ended.prints(&["were offered and", "skipped"]);
    for trial in &trials {
        let caveats = lab.run().caveats(trial.number);
        let is_below = |caveat: &Caveat| matches!(caveat, Caveat::BelowOffered { skipped, .. } if *skipped > 0);
        assert!(caveats.iter().any(is_below), "{caveats:?}");
    }
}

#[test]
fn what_still_runs_long_after_a_trial_is_cancelled_and_a_caveat() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("stuck.sql", "\\if :client_id = 0\nSELECT pg_sleep(3600);\n\\else\nSELECT pg_sleep(0.01);\n\\endif\n");
    let rest = format!("clients: [2]\ninterleave: trials\n{BRIEF}");
    lab.write("plan.yaml", plan(&server, "script: [stuck.sql]", &rest));
    let ended = lab.pgdyno("run plan.yaml --details");
    let trials = lab.run().trials();
    ended.prints(&["1 transactions were still running 5 s after the end of the load"]);
    for trial in &trials {
        let cancelled = Incident::Cancelled { transactions: 1 };
        assert!(trial.incidents.contains(&cancelled), "{:?}", trial.incidents);
    }
}

/// Two clients that need 20 ms for each transaction hold 100 a second, and a p99 within 200 ms of a second up to near
/// there: room for a machine that stalls, since the p99 of so few transactions is the longest.
const SEARCH: &str =
    "script: [wait.sql], arrivals: even, capacity: { p99: 200ms, from: 10/s, to: 400/s, precision: 40% }";

#[test]
fn a_search_finds_the_capacity_by_trials_and_goes_on_where_it_was_interrupted() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("wait.sql", "SELECT pg_sleep(0.02);\n");
    let rest = "clients: [2]\ntrial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 1, at_most: 1 }\n";
    lab.write("plan.yaml", plan(&server, SEARCH, rest));
    let mut pgdyno = lab.start("run plan.yaml --seed 1");
    pgdyno.await_saying("trial 3/").signal(rustix::process::Signal::KILL);
    pgdyno.end().was_killed();
    let path = lab.run().path().display().to_string();
    let before = lab.run().completed();
    lab.pgdyno(&format!("resume {path} --details"))
        .exits(4)
        .prints(&["capacity at p99 ≤ 200 ms", "p99 against the rate"]);
    let trials = lab.run().trials();
    assert!(before.iter().all(|number| trials.iter().any(|trial| trial.number == *number)));
    for side in ["one", "two"] {
        let steps: Vec<&Trial> = trials.iter().filter(|trial| trial.cell.target == side).collect();
        let indices: Vec<u32> = steps.iter().map(|trial| trial.step.expect("a step").index).collect();
        assert_eq!(indices, (1..=indices.len() as u32).collect::<Vec<_>>(), "{side}: every step once");
        assert!(steps.len() >= 3, "{side}");
    }
    let json = lab.pgdyno(&format!("report {path} --format json")).json();
    let point = |side: &str| json["comparisons"][0]["blocks"][0][side].as_f64().expect("a capacity");
    for side in ["baseline", "candidate"] {
        assert!((20.0..=120.0).contains(&point(side)), "{side}: {}", point(side));
    }
    assert_eq!(json["curves"].as_array().map(Vec::len), Some(2));
}

#[test]
fn business_objects_are_written_into_data_of_their_own() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let (ended, trials) = run(&lab, &server, "think: 5ms, erp: { object: information-register }");
    ended.says(&["information-register at scale 1"]);
    assert!(trials.iter().all(|trial| load(trial).transactions > 0 && load(trial).failed == 0));
}

#[test]
fn sysbench_s_workloads_run_on_its_tables_beside_the_others_and_so_does_sysbench_itself() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let side = format!("{{ url: \"{}\" }}", server.socket_conninfo());
    let sysbench = "{ script: oltp_read_write, tables: 2, table_size: 1000 }";
    lab.write(
        "plan.yaml",
        format!(
            "name: Kinds\ntargets:\n  one: {side}\nbaseline: one\nworkloads:\n  ours: {{ think: 5ms, sysbench: {sysbench} }}\n  \
             theirs: {{ sysbench: {sysbench}, generator: sysbench }}\n  \
             mix: {{ think: 5ms, read-intensive: {{ read_percent: 80, tables: 2, table_size: 1000 }} }}\n  \
             known: {{ think: 5ms, builtin: select-only, scale: 1 }}\nclients: [2]\n\
             trial: {{ warm_up: 0s, measure: 5s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    lab.pgdyno("run plan.yaml --details").measured();
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 4);
    for trial in &trials {
        let LoadTotals { transactions, queries, .. } = load(trial);
        assert!(*transactions > 0, "{} did nothing: {:?}", trial.cell, trial.load);
        // At least so many: those of transactions that were begun anew or had not ended are counted, too, and a write
        // that finds its row gone, taken by the other client, is none.
        let each = match trial.cell.workload.as_str() {
            "ours" | "theirs" => Some((14, 4, 2)),
            "mix" => Some((80, 20, 2)),
            _ => None,
        };
        assert_eq!(queries.is_some(), each.is_some(), "{}", trial.cell);
        if let (Some(queries), Some((read, write, other))) = (queries, each) {
            assert!(queries.read >= read * transactions && 2 * queries.write > write * transactions, "{queries:?}");
            assert!(queries.write + queries.other >= (write + other) * transactions, "{queries:?}");
        }
    }
    assert_eq!(server.query_count("SELECT count(*) FROM sbtest2"), 1000);
    let path = lab.run().path().display().to_string();
    lab.pgdyno(&format!("report {path} --format markdown")).prints(&["queries of all trials: "]);
}

#[test]
fn bulk_insert_has_an_empty_table_for_each_client_in_every_trial() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let rest = "clients: [1, 3]\ntrial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 1, at_most: 1 }\n";
    lab.write("plan.yaml", plan(&server, "think: 5ms, sysbench: { script: bulk_insert }", rest));
    lab.pgdyno("run plan.yaml --details").measured();
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 4);
    for trial in &trials {
        assert!(load(trial).transactions > 0 && load(trial).failed == 0, "{}: {:?}", trial.cell, trial.load);
        let is_emptied =
            |step: &&Preparation| matches!(step, Preparation::Statement(sql) if sql.starts_with("TRUNCATE sbtest"));
        let emptied = trial.preparation.iter().filter(is_emptied).count();
        assert_eq!(Some(emptied as u32), trial.cell.clients.known_count(), "{:?}", trial.preparation);
    }
}

#[test]
fn the_real_sysbench_is_told_the_options_of_the_plan() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let side = format!("{{ url: \"{}\" }}", server.socket_conninfo());
    let of = "tables: 2, table_size: 1000, auto_inc: false, create_secondary: false";
    lab.write(
        "plan.yaml",
        format!(
            "name: Options\ntargets:\n  one: {side}\nbaseline: one\nworkloads:\n  \
             reads: {{ sysbench: {{ script: oltp_read_only, {of}, range_selects: false, distribution: {{ pareto: {{ h: 0.1 }} }} }}, generator: sysbench }}\n  \
             writes: {{ sysbench: {{ script: oltp_write_only, {of}, distribution: {{ special: {{ iter: 3, pct: 10, res: 50 }} }} }}, generator: sysbench }}\n\
             clients: [1]\ntrial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    lab.pgdyno("run plan.yaml --details").measured();
    let told: Vec<Vec<String>> = lab
        .run()
        .trials()
        .iter()
        .map(|trial| {
            assert!(load(trial).transactions > 0, "{} did nothing: {:?}", trial.cell, trial.load);
            load(trial).generator.as_ref().expect("another program").arguments.clone()
        })
        .collect();
    for option in [
        "--auto-inc=off",
        "--create-secondary=off",
        "--range-selects=off",
        "--rand-type=pareto",
        "--rand-pareto-h=0.1",
        "--rand-type=special",
        "--rand-spec-iter=3",
        "--rand-spec-pct=10",
        "--rand-spec-res=50",
    ] {
        assert!(told.iter().flatten().any(|argument| argument == option), "{option}: {told:?}");
    }
    assert_eq!(server.query_count("SELECT count(*) FROM pg_indexes WHERE indexname IN ('k_1', 'k_2')"), 0);
}

#[test]
fn pgbench_can_send_the_load_and_is_named() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let (ended, trials) = run(&lab, &server, "builtin: tpcb-like, scale: 1, generator: pgbench");
    ended.prints(&["pgbench"]);
    for trial in &trials {
        let generator = load(trial).generator.as_ref().expect("another program");
        assert_eq!(generator.program, "pgbench");
        assert!(load(trial).latency.is_some() && !generator.untold.is_empty());
        let caveats = lab.run().caveats(trial.number);
        let is_named =
            |caveat: &Caveat| matches!(caveat, Caveat::ExternalGenerator { program, .. } if program == "pgbench");
        assert!(caveats.iter().any(is_named), "{caveats:?}");
        let seconds = lab.run().dir().trial_intervals(trial.number).expect("its seconds");
        let told = |second: &TrialInterval| second.told.as_ref().is_some_and(|told| told.mean_ns.is_some());
        assert!(seconds.iter().all(told), "{seconds:?}");
    }
    let rows = server.query_count("SELECT count(*) FROM pgbench_history");
    assert_eq!(rows, load(trials.last().expect("a trial")).transactions, "the last trial's, which began with none");
}

#[test]
fn a_cell_is_cross_checked_by_pgbench_on_the_same_data() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let twice = "clients: [2]\ntrial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 2, at_most: 2 }\n";
    lab.write("plan.yaml", plan(&server, "builtin: select-only, scale: 1, cross_check: pgbench", twice));
    let ended = lab.pgdyno("run plan.yaml --details");
    ended.measured().prints(&["Cross-check: one cell by two generators", "pgdyno", "pgbench"]);
    assert_eq!(
        server.query_count("SELECT count(*) FROM pg_database WHERE datname LIKE 'pgdyno%'"),
        0,
        "one size, one database"
    );
    let trials = lab.run().trials();
    let by = |trial: &Trial| load(trial).generator.as_ref().map(|generator| generator.program.clone());
    let programs: BTreeSet<Option<String>> = trials.iter().map(by).collect();
    assert_eq!(programs, BTreeSet::from([None, Some("pgbench".to_owned())]));
    let report = lab.pgdyno(&format!("report {} --format json", lab.run().path().display())).json();
    let checks = report["cross_checks"].as_array().expect("cross-checks");
    assert_eq!(checks[0]["metric"], "throughput");
    assert!(
        checks[0]["figures"].as_array().is_some_and(|both| both.iter().all(|one| one["point"].as_f64() > Some(0.0)))
    );
}

#[test]
fn the_measured_seconds_of_another_program_come_after_its_warm_up() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let phases = "clients: [2]\ntrial: { warm_up: 4s, measure: 4s }\nblocks: { at_least: 1, at_most: 1 }\n";
    lab.write("plan.yaml", plan(&server, "builtin: select-only, scale: 1, generator: pgbench", phases));
    lab.pgdyno("run plan.yaml --details").measured();
    let seconds = lab.run().dir().trial_intervals(1).expect("its seconds");
    let of = |phase: TrialPhase| seconds.iter().filter(move |second| second.phase == phase).count();
    assert!(of(TrialPhase::WarmUp) > 0 && of(TrialPhase::Measure) > 0, "{seconds:?}");
    assert!(seconds.windows(2).all(|two| two[0].start_us + two[0].duration_us <= two[1].start_us), "{seconds:?}");
}

#[test]
fn a_connection_for_each_transaction_is_timed_and_a_slow_statement_is_ended_by_the_server() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    // Of two, one: a machine that is so busy that a phase has ten transactions still cancels some.
    lab.write("sometimes.sql", "\\set slow random(1, 2) / 2\nSELECT pg_sleep(10 * :slow);\n");
    let (ended, trials) =
        run(&lab, &server, "script: [sometimes.sql], connections: per-transaction, statement_timeout: 100ms");
    ended.prints(&["connections were made: p50"]);
    for trial in &trials {
        let (made, load) = (load(trial).connecting.expect("connections").count, load(trial));
        let ended = load.transactions + load.errors.values().sum::<u64>();
        // Of each of the two clients, a phase may begin and end between a connection and the end of its transaction.
        assert!(made.abs_diff(ended) <= 2, "{made} connections, {ended} transactions");
    }
    assert!(trials.iter().any(|trial| load(trial).errors.contains_key("57014")), "some were cancelled");
}

#[test]
fn a_ledger_finds_every_acknowledged_commit() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let (ended, trials) = run(&lab, &server, "think: 5ms, builtin: tpcb-like, scale: 1, ledger: true");
    ended.prints(&["acknowledged commits, 0 lost, 0 unexpected"]);
    for trial in &trials {
        let ledger = load(trial).ledger.as_ref().expect("a ledger");
        assert!(ledger.acknowledged >= load(trial).transactions, "{ledger:?}");
        assert_eq!((ledger.lost, ledger.unexpected), (0, 0));
    }
}

#[test]
fn every_example_plan_with_its_scripts_is_in_order() {
    let lab = Lab::new();
    let plans = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plans");
    for entry in fs::read_dir(plans).expect("plans/") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            lab.pgdyno(&format!("plan check {}", path.display())).exits(0);
        }
    }
}
