//! Ctrl-C in every phase: pgdyno ends soon, with status 3, what was measured stays, no server is left,
//! and `resume` goes on.

use std::time::Duration;

use results::trial::TrialOutcome;
use rustix::process::Signal;

use crate::impostors::Impostor;
use crate::lab::Lab;
use crate::process::{Ended, Program, Running};
use crate::run_view::RunView;
use testbed::{Postgres, newest_version};

/// "Soon", for a machine that is busy with other tests: no wait of pgdyno's own is as long.
const SOON: Duration = Duration::from_secs(20);

fn local_plan(trial: &str) -> String {
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    plan(&format!("  one: {local}\n  two: {local}\n"), "one", trial)
}

fn url_plan(server: &Postgres, trial: &str) -> String {
    plan(&format!("  it: {{ url: \"{}\" }}\n", server.tcp_url()), "it", trial)
}

fn plan(targets: &str, baseline: &str, trial: &str) -> String {
    format!(
        "name: Stopped\ntargets:\n{targets}baseline: {baseline}\n\
         workloads: {{ write: {{ think: 5ms, builtin: simple-update, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ {trial} }}\nblocks: {{ at_least: 2, at_most: 2 }}\n"
    )
}

/// Sends Ctrl-C as a terminal does, and checks what holds in every phase.
fn interrupt(lab: &Lab, mut pgdyno: Running) -> Ended {
    let traces = pgdyno.traces();
    pgdyno.signal_group(Signal::INT);
    let ended = pgdyno.end_within(SOON);
    ended.exits(3).says(&["interrupted"]);
    for line in ended.stdout.lines().filter(|line| line.starts_with("Exit status")) {
        assert_eq!(line, "Exit status 3 (interrupted)");
    }
    traces.assert_gone();
    lab.assert_no_temporary_data();
    ended
}

fn resume(lab: &Lab) -> Ended {
    lab.pgdyno(&format!("resume {}", lab.run().path().display()))
}

fn seconds(lab: &Lab, trial: u32, at_least: usize) -> bool {
    lab.runs().first().is_some_and(|run| RunView::has_seconds(run, trial, at_least))
}

#[test]
fn while_a_version_is_downloaded() {
    let lab = Lab::new();
    let stuck = Impostor::silent();
    let proxy = format!("http://127.0.0.1:{}", stuck.port());
    lab.write("plan.yaml", plan("  it: { local: { version: 17 } }\n", "it", "measure: 1s"));
    let cache = lab.path().join("cache");
    let program =
        lab.program("run plan.yaml").env("HTTPS_PROXY", proxy).env("NO_PROXY", "").env("XDG_CACHE_HOME", cache);
    let mut pgdyno = program.start();
    pgdyno.await_that("asks for the archive", |_| stuck.was_visited());
    interrupt(&lab, pgdyno);
    assert_eq!(lab.run().names("trials"), Vec::<String>::new());
}

#[test]
fn while_servers_are_created() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 0s, measure: 1s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("runs initdb", |pgdyno| pgdyno.traces().commands().contains("/initdb "));
    let traces = pgdyno.traces();
    pgdyno.signal_group(Signal::INT);
    pgdyno.end_within(SOON).exits(3).says(&["interrupted", "resume"]);
    // A server that is not ready yet is taken down by its supervisor; pgdyno does not wait for that.
    traces.await_gone();
    lab.assert_no_temporary_data();
    resume(&lab).measured();
    assert_eq!(lab.run().completed(), [1, 2, 3, 4]);
}

#[test]
fn while_the_data_are_made() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 1s").replace("scale: 1 ", "scale: 100 "));
    let mut pgdyno = lab.start("run plan.yaml");
    let copying = "SELECT count(*) FROM pg_stat_activity WHERE query ILIKE 'copy%' AND state = 'active'";
    pgdyno.await_that("copies", |_| server.query_count(copying) > 0);
    interrupt(&lab, pgdyno);
    server.await_that("SELECT count(*) = 0 FROM pg_stat_activity WHERE application_name LIKE 'pgdyno%'");
    // Nothing half-made stands in the way of the next.
    lab.write("smaller.yaml", url_plan(&server, "warm_up: 0s, measure: 1s"));
    lab.pgdyno("run smaller.yaml --runs others").exits(0);
}

#[test]
fn while_the_data_wait_for_somebody_s_lock() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 1s"));
    lab.pgdyno("run plan.yaml --runs others").exits(0);
    let holder = server.hold_transaction("SELECT count(*) FROM pgbench_history");
    let pgdyno = lab.start("run plan.yaml");
    server.await_that("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    interrupt(&lab, pgdyno);
    drop(holder);
    resume(&lab).exits(0);
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn while_the_clients_connect() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    // Settings travel with the clients' logins: each of them takes this long.
    let slow = url_plan(&server, "warm_up: 0s, measure: 1s").replace("\" }", "\", settings: { post_auth_delay: 2 } }");
    let slow = slow.replace("at_least: 2, at_most: 2", "at_least: 1, at_most: 1");
    lab.write("plan.yaml", slow);
    let mut pgdyno = lab.start("run plan.yaml");
    let partial = |lab: &Lab| lab.runs().first().is_some_and(|run| run.join("trials/1.partial").exists());
    pgdyno.await_that("connects", |_| partial(&lab));
    interrupt(&lab, pgdyno);
    let run = lab.run();
    assert_eq!(run.completed(), Vec::<u32>::new());
    assert!(run.trials().iter().all(|trial| trial.load.is_none()), "{:?}", run.trials());
    resume(&lab).exits(0);
    assert_eq!(run.completed(), [1]);
}

#[test]
fn in_the_warm_up() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 300s, measure: 1s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("warms up", |_| seconds(&lab, 1, 1));
    interrupt(&lab, pgdyno);
    let trials = lab.run().trials();
    assert_eq!(trials[0].outcome, TrialOutcome::Interrupted);
    assert_eq!(trials[0].load, None, "nothing was measured");
}

#[test]
fn in_the_measurement() {
    let lab = Lab::new();
    // Long enough for the second trial to be still under way when the Ctrl-C comes, on a busy machine too.
    let plan = local_plan("warm_up: 0s, measure: 6s").replace("at_least: 2, at_most: 2", "at_least: 1, at_most: 1");
    lab.write("plan.yaml", plan);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures trial 2", |_| seconds(&lab, 2, 1));
    interrupt(&lab, pgdyno).says(&["resume"]).prints(&["report.html"]);
    let run = lab.run();
    let trials = run.trials();
    assert_eq!(run.completed(), [1]);
    assert_eq!(trials[1].outcome, TrialOutcome::Interrupted);
    let written = run.dir().trial_intervals(2).expect("its seconds");
    let load = trials[1].load.as_ref().expect("its figures");
    assert_eq!(written.iter().map(|second| second.transactions).sum::<u64>(), load.transactions);
    let first = run.files("trials/1");

    resume(&lab).measured();
    assert_eq!(run.completed(), [1, 2]);
    assert_eq!(run.files("trials/1"), first, "the finished trial is as it was");
    assert!(run.names("trials").contains(&"2.aside-1".to_owned()));
}

#[test]
fn between_two_trials() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 0s, measure: 1s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("trial 1/");
    interrupt(&lab, pgdyno);
    assert_eq!(lab.run().completed().first(), Some(&1));
    resume(&lab).measured();
    assert_eq!(lab.run().completed(), [1, 2, 3, 4]);
}

#[test]
fn while_the_next_trial_is_being_set_up() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 2s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures trial 1", |_| seconds(&lab, 1, 1));
    let holder = server.hold_transaction("SELECT count(*) FROM pgbench_history");
    pgdyno.await_saying("trial 1/");
    server.await_that("SELECT count(*) > 0 FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
    interrupt(&lab, pgdyno);
    drop(holder);
    assert_eq!(lab.run().completed(), [1]);
    resume(&lab).exits(0);
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn a_second_one_exits_at_once_and_the_servers_follow() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 300s, measure: 1s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("warms up", |_| seconds(&lab, 1, 1));
    let traces = pgdyno.traces();
    assert_eq!(traces.servers(), 2);
    pgdyno.signal_group(Signal::INT).await_saying("again to exit at once").signal_group(Signal::INT);
    let ended = pgdyno.end_within(SOON);
    // The first may already have brought it to its end.
    assert!(matches!(ended.status.code(), Some(130 | 3)), "{ended}");
    traces.await_gone();
    lab.assert_no_temporary_data();
}

#[test]
fn a_second_one_says_what_restore_undoes() {
    if !testbed::is_root() {
        eprintln!("skipped: values of the kernel are changed by root");
        return;
    }
    let value = || std::fs::read_to_string("/proc/sys/vm/dirty_writeback_centisecs").expect("a value");
    let before = value();
    let lab = Lab::new();
    let bin = newest_version();
    let changed =
        format!("  it: {{ local: {{ bin: {} }}, sysctl: {{ vm.dirty_writeback_centisecs: 477 }} }}\n", bin.display());
    lab.write("plan.yaml", plan(&changed, "it", "warm_up: 300s, measure: 1s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("warms up", |_| seconds(&lab, 1, 1));
    pgdyno.signal_group(Signal::INT).await_saying("again to exit at once").signal_group(Signal::INT);
    let ended = pgdyno.end_within(SOON);
    // The first may already have brought it to its end.
    if ended.status.code() == Some(130) {
        ended.says(&["exiting at once without undoing ", "`pgdyno restore` undoes"]);
    }
    lab.pgdyno("restore").exits(0);
    assert_eq!(value(), before);
}

#[test]
fn sigterm_ends_a_run_as_the_first_ctrl_c_does() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 300s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| seconds(&lab, 1, 1));
    pgdyno.signal(Signal::TERM);
    pgdyno.end_within(SOON).exits(3).says(&["interrupted"]);
    assert_eq!(lab.run().trials()[0].outcome, TrialOutcome::Interrupted);
}

#[test]
fn a_hangup_ends_a_run_in_order_however_often_it_comes() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 0s, measure: 300s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| seconds(&lab, 1, 1));
    let traces = pgdyno.traces();
    pgdyno.signal(Signal::HUP).await_saying("finishing this second").signal(Signal::HUP).signal(Signal::HUP);
    pgdyno.end_within(SOON).exits(3).says(&["error: interrupted"]);
    traces.assert_gone();
    lab.assert_no_temporary_data();
    assert_eq!(lab.run().trials()[0].outcome, TrialOutcome::Interrupted);
}

#[test]
fn a_terminal_that_is_gone_ends_a_run_in_order() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 0s, measure: 300s"));
    let mut terminal = crate::terminal::on_a_terminal(&lab, "run plan.yaml").start();
    terminal.await_that("measures", |_| seconds(&lab, 1, 1));
    let traces = terminal.traces();
    terminal.signal(Signal::KILL);
    traces.await_gone();
    lab.assert_no_temporary_data();
    let run = lab.run();
    assert_eq!(run.trials()[0].outcome, TrialOutcome::Interrupted);
    assert!(run.path().join("report.html").exists(), "what there is was judged");
}

#[test]
fn whoever_ignores_a_hangup_is_not_stopped_by_it() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 2s"));
    let ignoring = format!("trap '' HUP; exec {} run plan.yaml", crate::lab::PGDYNO);
    let mut pgdyno = Program::new(&lab, "sh").arguments(["-c", &ignoring]).start();
    pgdyno.await_that("measures", |_| seconds(&lab, 1, 1));
    pgdyno.signal(Signal::HUP);
    pgdyno.end().measured();
    assert_eq!(lab.run().completed(), [1, 2]);
}

#[test]
fn pgbench_is_stopped_by_pgdyno_and_not_by_the_terminal() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let plan = url_plan(&server, "warm_up: 0s, measure: 300s");
    lab.write("plan.yaml", plan.replace("think: 5ms, ", "generator: pgbench, "));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| seconds(&lab, 1, 1));
    interrupt(&lab, pgdyno);
    assert_eq!(lab.run().trials()[0].outcome, TrialOutcome::Interrupted);
}

#[test]
fn in_a_pilot() {
    let lab = Lab::new();
    lab.write("plan.yaml", local_plan("warm_up: 0s, measure: 1s").replace("clients: [2]", "clients: [1, 2]"));
    let mut pgdyno = lab.start("plan explain plan.yaml --pilot");
    pgdyno.await_saying("data at scale 1: created");
    interrupt(&lab, pgdyno).prints(&["Order of the first block"]);
    assert!(lab.runs().is_empty(), "a pilot leaves no run");
}

#[test]
fn in_a_bench() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    let at = format!("-h {} -p {} -U postgres postgres", server.server_directory().display(), server.tcp_port());
    lab.pgdyno(&format!("bench {at} -i")).exits(0);
    let mut pgdyno = lab.start(&format!("bench {at} -T 300 -P 1"));
    pgdyno.await_saying("progress: 1.0 s");
    pgdyno.signal_group(Signal::INT);
    let ended = pgdyno.end_within(SOON);
    ended.exits(3).says(&["interrupted"]).prints(&["number of transactions actually processed", "tps = "]);
}

#[test]
fn while_the_server_is_silent() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", url_plan(&server, "warm_up: 0s, measure: 300s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("measures", |_| seconds(&lab, 1, 1));
    let _frozen = server.freeze_processes();
    interrupt(&lab, pgdyno);
}
