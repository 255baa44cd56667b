//! Sides that take turns, measured: each keeps what is its own, and what happens to one is not done to the other.

use judge::caveats::{Caveat, OfTurns};
use judge::observed::Observed;
use results::interval::Reading;
use results::probe_fields::{host_cpu, pg_database};
use results::trial::{Trial, TrialPhase};
use rustix::process::Signal;
use testbed::Postgres;

use crate::lab::Lab;
use crate::run_view::RunView;

fn plan(one: &Postgres, two: &Postgres, workload: &str, trial: &str) -> String {
    format!(
        "name: Turns\ntargets:\n  one: {{ url: \"{}\" }}\n  two: {{ url: \"{}\" }}\nbaseline: one\n\
         workloads: {{ work: {{ {workload} }} }}\nclients: [2]\ninterleave: slices\nslice: 0.1s\n\
         trial: {{ warm_up: 0s, {trial} }}\nblocks: {{ at_least: 1, at_most: 1 }}\nprobes: false\n",
        one.tcp_url(),
        two.tcp_url()
    )
}

fn side<'a>(trials: &'a [Trial], target: &str) -> &'a Trial {
    trials.iter().find(|trial| trial.cell.target == target).unwrap_or_else(|| panic!("no trial of {target}"))
}

/// One trial of each side was measured at the same time, and each had about as much time as it was to have.
#[track_caller]
fn each_had_its_time(run: &RunView, measured_us: u64) {
    for trial in run.trials() {
        let turns = trial.turns.as_ref().unwrap_or_else(|| panic!("trial {} took no turns", trial.number));
        assert_eq!(turns.with.len(), 1, "{turns:?}");
        let own: u64 = run.dir().trial_intervals(trial.number).expect("seconds").iter().filter_map(|s| s.turn_us).sum();
        let share = own as f64 / measured_us as f64;
        assert!((0.7..1.5).contains(&share), "trial {}: {own} of {measured_us} us", trial.number);
    }
}

#[test]
fn the_transactions_of_turns_seconds_and_totals_are_the_same() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server, &server, "think: 5ms, builtin: select-only, scale: 1", "measure: 2s"));
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    each_had_its_time(&run, 2_000_000);
    for trial in run.trials() {
        let of_turns: u64 =
            run.dir().trial_turns(trial.number).expect("turns").iter().map(|turn| turn.transactions).sum();
        let of_seconds: u64 =
            run.dir().trial_intervals(trial.number).expect("seconds").iter().map(|s| s.transactions).sum();
        let total = trial.load.as_ref().expect("figures").transactions;
        assert_eq!([of_turns, of_seconds], [total; 2], "trial {}", trial.number);
    }
    let places: Vec<Vec<u32>> = run
        .trials()
        .iter()
        .map(|trial| run.dir().trial_turns(trial.number).expect("turns").iter().map(|turn| turn.place).collect())
        .collect();
    assert!(places[0].iter().zip(&places[1]).all(|(one, two)| one + two == 1), "one after the other: {places:?}");
    assert!(places[0].contains(&0) && places[0].contains(&1), "in a random order: {places:?}");
}

#[test]
fn a_side_that_is_away_loses_its_turns_and_the_other_goes_on() {
    let lab = Lab::new();
    let (one, two) = (Postgres::start_default(), Postgres::start_default());
    lab.write("plan.yaml", plan(&one, &two, "think: 5ms, builtin: select-only, scale: 1", "measure: 6s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    two.kill_processes();
    let away = |run: &RunView, trial: u32| {
        run.dir().trial_intervals(trial).is_ok_and(|seconds| seconds.iter().any(|second| second.clients_out == 2))
    };
    pgdyno.await_that("a second without its clients", |_| (1..=2).any(|trial| away(&lab.run(), trial)));
    two.start_again();
    pgdyno.end().exits(4);

    let run = lab.run();
    let trials = run.trials();
    let (well, away) = (side(&trials, "one"), side(&trials, "two"));
    assert!(!away.load.as_ref().expect("figures").outages.is_empty());
    assert!(well.load.as_ref().expect("figures").outages.is_empty(), "its own server was there all the time");
    let turns = run.dir().trial_turns(well.number).expect("turns");
    let measured: Vec<_> = turns.iter().filter(|turn| turn.phase == TrialPhase::Measure).collect();
    assert!(measured.iter().all(|turn| !turn.lost), "{measured:?}");
    let lost =
        |caveat: &Caveat| matches!(caveat, Caveat::OfTurns(OfTurns::Lost { lost, of }) if *lost > 0 && lost < of);
    assert!(run.caveats(away.number).iter().any(lost), "{:?}", run.caveats(away.number));
    let json = lab.pgdyno(&format!("compare {} --json", run.path().display())).json();
    let blocks = json["comparisons"][0]["blocks"].as_array().cloned().unwrap_or_default();
    assert!(blocks.iter().all(|block| block["change"].is_null()), "an outage is compared: {blocks:?}");
}

/// What a probe's counters rose by while a trial measured, in microseconds.
fn cpu_us(run: &RunView, trial: &Trial, probe: &str, fields: &[&str]) -> f64 {
    let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
    let values = seconds.iter().filter(|second| second.phase == TrialPhase::Measure).filter_map(|second| match second
        .probes
        .get(probe)?
    {
        Reading::Values { values, .. } => Some(values),
        Reading::Gap { .. } => None,
    });
    values.map(|values| fields.iter().filter_map(|field| values.get(*field)).sum::<f64>()).sum()
}

#[test]
fn the_server_of_the_other_side_is_no_neighbour() {
    let lab = Lab::new();
    let (one, two) = (Postgres::start_default(), Postgres::start_default());
    // The servers work, and the engine next to nothing.
    lab.write("work.sql", "SELECT count(*) FROM generate_series(1, 100000);\n");
    let plan = plan(&one, &two, "script: [work.sql]", "measure: 4s").replace("probes: false\n", "");
    lab.write("plan.yaml", plan);
    lab.pgdyno("run plan.yaml").measured();
    let run = lab.run();
    let trials = run.trials();
    let of_server = |target| cpu_us(&run, side(&trials, target), "host.server", &["backends_cpu_us", "others_cpu_us"]);
    for (own, other) in [("one", "two"), ("two", "one")] {
        let whole = cpu_us(&run, side(&trials, own), "host.cpu", &["user_us", "nice_us", "system_us"]);
        let foreign = cpu_us(&run, side(&trials, own), "host.foreign", &["cpu_us"]);
        let servers = [of_server(own), of_server(other)];
        assert!(servers.iter().all(|us| *us > 0.0), "{servers:?}");
        // Whatever else there is, it is not what the servers used; the readings of the sides are not of one instant.
        let rest = whole - servers[0] - 0.5 * servers[1];
        assert!(foreign <= rest, "{own}: {foreign} us are foreign of {whole}, of which the servers used {servers:?}");
    }
}

#[test]
fn what_one_server_counts_for_two_ways_to_it_is_of_neither() {
    let (shared, other) = (Postgres::start_default(), Postgres::start_default());
    let counted = |one: &Postgres, two: &Postgres| {
        let lab = Lab::new();
        let plan =
            plan(one, two, "think: 5ms, builtin: select-only, scale: 1", "measure: 3s").replace("probes: false\n", "");
        lab.write("plan.yaml", plan);
        lab.pgdyno("run plan.yaml").measured();
        let run = lab.run();
        let observed = Observed::read(run.dir()).expect("a run");
        let told = |trial: &Trial| {
            let watched = &observed.watched[&trial.number];
            assert!(watched.rise_of_counter(host_cpu::USER_US).is_some(), "{}", watched.why_missing(host_cpu::PROBE));
            match watched.rise_of_counter(pg_database::COMMITS) {
                Some((commits, _)) => Ok(commits > 0.0),
                None => Err(watched.why_missing(pg_database::PROBE)),
            }
        };
        run.trials().iter().map(told).collect::<Vec<_>>()
    };
    let of_both =
        "the sides alternate in slices on one server, whose figures cannot be attributed to one side; `interleave: trials` \
         has them"
            .to_owned();
    assert_eq!(counted(&shared, &shared), [Err(of_both.clone()), Err(of_both)]);
    assert_eq!(counted(&shared, &other), [Ok(true), Ok(true)]);
}

#[test]
fn ctrl_c_ends_all_sides_and_resume_measures_them_together() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write(
        "plan.yaml",
        plan(&server, &server, "think: 5ms, builtin: select-only, scale: 1", "measure: 2s")
            .replace("at_least: 1, at_most: 1", "at_least: 2, at_most: 2"),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second of block 2", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 3, 1)));
    pgdyno.signal_group(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    let run = lab.run();
    assert_eq!(run.completed(), [1, 2], "those of the first block");
    let first = run.files("trials/1");
    lab.pgdyno(&format!("resume {}", run.path().display())).measured();
    assert_eq!(run.completed(), [1, 2, 3, 4]);
    assert_eq!(run.files("trials/1"), first, "what was measured stays as it is");
    let with: Vec<Vec<u32>> = run.trials().iter().map(|trial| trial.turns.clone().expect("turns").with).collect();
    assert_eq!(with, [[2], [1], [4], [3]]);
}

#[test]
fn sides_of_unlike_speed_are_both_measured_and_long_transactions_are_told() {
    let lab = Lab::new();
    let (one, two) = (Postgres::start_default(), Postgres::start_default());
    for (server, sleep_s) in [(&one, "0"), (&two, "0.25")] {
        server.query_postgres(&format!(
            "CREATE FUNCTION work() RETURNS void LANGUAGE sql AS $$ SELECT pg_sleep({sleep_s}) $$"
        ));
    }
    lab.write("work.sql", "SELECT work();\n");
    lab.write("plan.yaml", plan(&one, &two, "script: [work.sql]", "measure: 4s"));
    lab.pgdyno("run plan.yaml");
    let run = lab.run();
    let trials = run.trials();
    let count = |target| side(&trials, target).load.as_ref().expect("figures").transactions;
    let (fast, slow) = (count("one"), count("two"));
    assert!(slow >= 4, "a turn waits for what began in it: {slow}");
    assert!(fast > 20 * slow, "{fast} {slow}");
    let overrun = |caveat: &Caveat| matches!(caveat, Caveat::OfTurns(OfTurns::Overrun { .. }));
    assert!(run.caveats(side(&trials, "two").number).iter().any(overrun));
    // Each figure is of the time that was the side's: two clients that wait for 0.25 s do 8 transactions in a second.
    let json = lab.pgdyno(&format!("report {} --format json", run.path().display())).json();
    let per_s = json["comparisons"][0]["blocks"][0]["candidate"].as_f64();
    assert!(per_s.is_none_or(|per_s| per_s < 8.5), "{per_s:?}");
}

/// How many processes of PostgreSQL stand still on this machine.
fn stopped_servers() -> usize {
    let entries = std::fs::read_dir("/proc").expect("/proc").flatten();
    let stats = entries.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    stats.filter(|stat| stat.contains(" (postgres) T ")).count()
}

#[test]
fn the_server_of_the_other_side_stands_still_where_the_plan_asks_for_it() {
    let lab = Lab::new();
    let local = format!("{{ local: {{ bin: {} }} }}", testbed::newest_version().display());
    lab.write(
        "plan.yaml",
        format!(
            "name: Frozen\ntargets: {{ one: {local}, two: {local} }}\nbaseline: one\nworkloads: {{ write: {{ builtin: \
             tpcb-like, scale: 1 }} }}\nclients: [2]\ninterleave: frozen-slices\nslice: 0.2s\n\
             trial: {{ warm_up: 0s, measure: 3s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
        ),
    );
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    // Its first process, and what else a server has: more than a few.
    pgdyno.await_that("a server that stands still", |_| stopped_servers() > 3);
    pgdyno.end().exits(4);
    let run = lab.run();
    each_had_its_time(&run, 3_000_000);
    for trial in run.trials() {
        let load = trial.load.as_ref().expect("figures");
        assert_eq!((load.failed, load.outages.len()), (0, 0), "trial {}", trial.number);
        // Who watches a server goes on, and is not kept waiting for a slice.
        let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
        let read = seconds.iter().filter(|second| matches!(second.probes.get("pg.wal"), Some(Reading::Values { .. })));
        assert!(read.count() + 1 >= seconds.len(), "trial {}: {seconds:?}", trial.number);
        assert!(run.caveats(trial.number).iter().all(|caveat| *caveat != Caveat::OfTurns(OfTurns::Diluted)));
    }
}
