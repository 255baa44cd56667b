//! Several generators that send a load as one: they execute what one does, in the same order for each client and at the
//! same rate; what they saw is put together and kept; a lost one takes its trial with it by name, or, where the plan
//! has events, leaves the others at work.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use results::trial::{Incident, Trial, TrialOutcome, TrialPhase};
use rustix::process::{Pid, Signal, kill_process};
use testbed::Postgres;

use crate::generators::{PASSWORD, own_name, server, with_ssh};
use crate::lab::{Lab, PGDYNO};
use crate::run_view::RunView;

/// A plan whose load comes from these hosts.
fn plan(lab: &Lab, (server, host): (&Postgres, &str), hosts: &str, more: &str) {
    let url = format!("host={host} port={} user=bench dbname=postgres sslmode=disable", server.tcp_port());
    lab.write(
        "plan.yaml",
        format!(
            "name: From several\ntargets: {{ a: {{ url: \"{url}\", may_disturb: true }} }}\nbaseline: a\nseed: 7\n\
             generators: {{ farm: {{ ssh: {hosts}, pgdyno: {PGDYNO} }} }}\nblocks: {{ at_least: 1, at_most: 1 }}\n\
             threads: 2\n{more}"
        ),
    );
}

fn start(lab: &Lab) -> crate::process::Running {
    lab.program("run plan.yaml").env("PATH", with_ssh(lab)).env("PGPASSWORD", PASSWORD).start()
}

fn generator_pid(lab: &Lab, host: &str) -> Pid {
    let pid = fs::read_to_string(lab.path().join(format!("generator-{host}.pid"))).expect("its process id");
    pid.trim().parse().ok().and_then(Pid::from_raw).expect("a process id")
}

/// What each client executed, in its order, and how many arrivals a run was offered.
fn executed(host: &str, server: &Postgres, hosts: &str, pace: &str) -> (BTreeMap<u32, Vec<i64>>, RunView, Lab) {
    let query = |sql: &str| server.query_database("postgres", sql);
    query("DROP TABLE IF EXISTS operations");
    query("CREATE TABLE operations (place bigserial, client int, n int)");
    let lab = Lab::new();
    lab.write("own.sql", "\\set n random(1, 1000000)\nINSERT INTO operations (client, n) VALUES (:client_id, :n);\n");
    let workload = format!("workloads: {{ w: {{ script: [own.sql], {pace} }} }}\nclients: [10]\n");
    plan(&lab, (server, host), hosts, &format!("{workload}trial: {{ warm_up: 1s, measure: 3s }}\n"));
    start(&lab).end_within(Duration::from_secs(90)).measured();
    let mut by_client: BTreeMap<u32, Vec<i64>> = BTreeMap::new();
    let rows = query("SELECT string_agg(client || ' ' || n, E'\\n' ORDER BY place) FROM operations");
    for line in rows.lines() {
        let (client, n) = line.split_once(' ').expect("two numbers");
        by_client.entry(client.parse().expect("a client")).or_default().push(n.trim().parse().expect("a number"));
    }
    let run = lab.run();
    (by_client, run, lab)
}

fn only_trial(run: &RunView) -> Trial {
    run.trials().remove(0)
}

#[test]
fn four_generators_execute_what_one_does_client_by_client_and_what_they_saw_adds_up() {
    let Some(name) = own_name() else { return };
    let server = server();
    let (one, _, _lab) = executed(&name, &server, "[a]", "think: 3ms");
    let (four, run, _lab) = executed(&name, &server, "[a, b, c, d]", "think: 3ms");
    assert_eq!(four.keys().copied().collect::<Vec<u32>>(), (0..10).collect::<Vec<u32>>());
    for (client, operations) in &one {
        let same = operations.len().min(four[client].len());
        assert!(same > 50, "client {client}: {same}");
        assert_eq!(operations[..same], four[client][..same], "client {client}");
    }
    let trial = only_trial(&run);
    let load = trial.load.as_ref().expect("figures");
    let ranges: Vec<(u32, u32)> = load.generators.iter().map(|of| (of.first_client, of.clients)).collect();
    assert_eq!(ranges, [(0, 2), (2, 3), (5, 2), (7, 3)], "contiguous ranges that differ by one at most");
    let names: Vec<&str> = load.generators.iter().map(|of| of.generator.as_str()).collect();
    assert_eq!(names, ["farm/1", "farm/2", "farm/3", "farm/4"]);
    let parts: u64 = load.generators.iter().map(|of| of.transactions).sum();
    assert_eq!(parts, load.transactions);
    assert!(load.generators.iter().all(|of| of.late_us == 0), "each knew the begin ahead: {:?}", load.generators);
    // All are of this host, so that the statistics of the server are of the same transactions.
    let inserted: u64 =
        server.query_database("postgres", "SELECT count(*) FROM operations").trim().parse().expect("a number");
    let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
    let told: u64 = seconds.iter().map(|second| second.transactions).sum();
    assert!((told..=told + 10).contains(&inserted), "{told} were told and {inserted} are there");
    let rows = run.dir().trial_generators(trial.number).expect("rows");
    assert_eq!(rows.len(), 4 * seconds.len());
    for second in &seconds {
        let own = rows.iter().filter(|row| (row.phase, row.index) == (second.phase, second.index));
        let sum: u64 = own.map(|row| row.transactions).sum();
        assert_eq!(sum, second.transactions, "{:?} {}", second.phase, second.index);
    }
    let facts = run.dir().load_place().expect("read").expect("it is another machine's load");
    assert_eq!((facts.name.as_str(), facts.others.len()), ("farm/1", 3));
    let measured: Vec<u32> =
        seconds.iter().filter(|second| second.phase == TrialPhase::Measure).map(|second| second.index).collect();
    assert_eq!(measured, [0, 1, 2]);
}

#[test]
fn four_generators_offer_exactly_the_arrivals_that_one_does() {
    let Some(name) = own_name() else { return };
    let server = server();
    let offered = |hosts: &str, pace: &str| {
        let (_, run, _lab) = executed(&name, &server, hosts, pace);
        let trial = only_trial(&run);
        let load = trial.load.expect("figures");
        let open = load.open.expect("an open loop");
        assert!(load.transactions.abs_diff(open.offered) <= 10, "{} of {}", load.transactions, open.offered);
        let parts: u64 = load.generators.iter().filter_map(|of| of.offered).sum();
        assert!(load.generators.is_empty() || parts == open.offered, "{parts} of {}", open.offered);
        open.offered
    };
    for pace in ["rate: 300/s", "rate: 301/s, arrivals: even"] {
        let (one, four) = (offered("[a]", pace), offered("[a, b, c, d]", pace));
        assert_eq!(one, four, "{pace}: the same schedule");
    }
}

const LONG: &str =
    "workloads: { write: { think: 5ms, builtin: simple-update, scale: 1, ledger: true } }\nclients: [5]\n";

#[test]
fn a_generator_that_is_lost_takes_the_trial_with_it_by_name_and_the_others_end_with_it() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    plan(&lab, (&server, &name), "[a, b]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 6s }}\n"));
    let mut running = start(&lab);
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    kill_process(generator_pid(&lab, "b"), Signal::KILL).expect("it was there");
    running.end().exits(3).says(&["generator \"farm/2\" was lost (host b)", "its connection broke"]);
    let TrialOutcome::Failed { error } = only_trial(&lab.run()).outcome else { panic!("it was completed") };
    assert!(error.contains("generator \"farm/2\" was lost"), "{error}");
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'bench'");
    let resumed = lab.program(&format!("resume {}", lab.run().path().display()));
    resumed.env("PATH", with_ssh(&lab)).env("PGPASSWORD", PASSWORD).end().measured();
    assert_eq!(lab.run().completed(), [1]);
}

#[test]
fn a_torn_message_and_a_silent_generator_are_losses_by_name() {
    let Some(name) = own_name() else { return };
    let server = server();
    let lab = Lab::new();
    plan(&lab, (&server, &name), "[a, torn]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 60s }}\n"));
    start(&lab).end_within(Duration::from_secs(60)).exits(3).says(&["generator \"farm/2\" was lost (host torn)"]);
    let lab = Lab::new();
    plan(&lab, (&server, &name), "[a, b]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 60s }}\n"));
    let mut running = start(&lab);
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    kill_process(generator_pid(&lab, "b"), Signal::STOP).expect("it was there");
    let ended = running.end_within(Duration::from_secs(60));
    ended.exits(3).says(&["generator \"farm/2\" was lost (host b): it sent nothing for 15 s"]);
}

#[test]
fn a_generator_that_stalls_for_a_moment_is_waited_for_and_nothing_is_lost() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    plan(&lab, (&server, &name), "[a, b, c]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 5s }}\n"));
    let mut running = start(&lab);
    running.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    let stalled = generator_pid(&lab, "c");
    for _ in 0..4 {
        kill_process(stalled, Signal::STOP).expect("it is there");
        std::thread::sleep(Duration::from_millis(100));
        kill_process(stalled, Signal::CONT).expect("it is there");
        std::thread::sleep(Duration::from_millis(100));
    }
    running.end_within(Duration::from_secs(60)).measured();
    let run = lab.run();
    let trial = only_trial(&run);
    let load = trial.load.as_ref().expect("figures");
    let ledger = load.ledger.as_ref().expect("a ledger");
    assert_eq!((ledger.lost, ledger.unexpected, ledger.unknown), (0, 0, 0), "{ledger:?}");
    let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
    let told: u64 = seconds.iter().map(|second| second.transactions).sum();
    assert_eq!((told, seconds.len()), (load.transactions, 5));
}

#[test]
fn a_ctrl_c_ends_the_load_of_all_generators_with_the_same_second() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    plan(&lab, (&server, &name), "[a, b, c]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 60s }}\n"));
    let mut running = start(&lab);
    running.await_that("two seconds", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 2)));
    running.signal(Signal::INT);
    running.end_within(Duration::from_secs(30)).says(&["continue with `pgdyno resume"]);
    let run = lab.run();
    let trial = only_trial(&run);
    assert_eq!(trial.outcome, TrialOutcome::Interrupted);
    let load = trial.load.as_ref().expect("figures");
    let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
    assert_eq!(load.measure_us, seconds.len() as u64 * 1_000_000, "whole seconds of all of them");
    let rows = run.dir().trial_generators(trial.number).expect("rows");
    assert_eq!(rows.len(), 3 * seconds.len());
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE usename = 'bench'");
}

#[test]
fn with_events_the_others_go_on_and_what_the_lost_one_was_told_is_unknown() {
    let Some(name) = own_name() else { return };
    let (lab, server) = (Lab::new(), server());
    let kill = format!("kill -9 $(cat {}/generator-b.pid)", lab.path().display());
    let events = format!("events: {{ gone: {{ at: 2s, command: \"{kill}\" }} }}\n");
    plan(&lab, (&server, &name), "[a, b]", &format!("{LONG}trial: {{ warm_up: 0s, measure: 6s }}\n{events}"));
    start(&lab).end_within(Duration::from_secs(90)).measured();
    let run = lab.run();
    let trial = only_trial(&run);
    assert_eq!(trial.outcome, TrialOutcome::Completed);
    let lost = trial.incidents.iter().find_map(|incident| match incident {
        Incident::GeneratorLost { generator, clients, .. } => Some((generator.as_str(), *clients)),
        _ => None,
    });
    assert_eq!(lost, Some(("farm/2", 3)));
    let load = trial.load.as_ref().expect("figures");
    let ledger = load.ledger.as_ref().expect("a ledger");
    assert_eq!((ledger.lost, ledger.unexpected), (0, 0), "{ledger:?}");
    assert!(ledger.unknown > 0 && ledger.unknown == ledger.unknown_committed, "{ledger:?}");
    assert!(load.generators[0].transactions > load.generators[1].transactions, "{:?}", load.generators);
    let seconds = run.dir().trial_intervals(trial.number).expect("seconds");
    assert_eq!(seconds.len(), 6);
    let told: u64 = seconds.iter().map(|second| second.transactions).sum();
    assert_eq!(told, load.transactions);
    let report = lab.pgdyno(&format!("report {}", run.path().display())).exits(0).stdout.clone();
    assert!(report.contains("generator-lost") || report.contains("was lost"), "{report}");
}
