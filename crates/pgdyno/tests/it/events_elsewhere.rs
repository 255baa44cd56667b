//! Events that an agent makes happen to a server that somebody else started: each is done and survived, and nothing
//! stays stopped or dead, also when pgdyno or the agent is killed meanwhile.

use std::fs;
use std::time::{Duration, Instant};

use results::trial::{EventRecord, TrialOutcome};
use rustix::process::Signal;

use crate::found::{Found, kill_noted, noted};
use crate::lab::Lab;

/// One server that was found, with these events.
fn plan(lab: &Lab, server: &Found, keys: &str, measure: &str, events: &str) {
    let url = server.0.tcp_url();
    let text = format!(
        "name: Events elsewhere\ntargets: {{ x: {{ url: \"{url}\", agent: {}{keys} }} }}\nbaseline: x\n\
         workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 1s, measure: {measure} }}\nblocks: {{ at_least: 1, at_most: 1 }}\nevents: {events}\n",
        noted()
    );
    lab.write("plan.yaml", text);
}

const LEAVE: &str = ", may_disturb: true";

/// The state of the server's first process, as `/proc` tells.
fn state(postmaster: i32) -> Option<char> {
    let stat = fs::read_to_string(format!("/proc/{postmaster}/stat")).ok()?;
    stat.rsplit_once(')')?.1.trim_start().chars().next()
}

fn postmaster(server: &Found) -> i32 {
    let file = fs::read_to_string(server.0.data_directory().join("postmaster.pid")).expect("it runs");
    file.lines().next().and_then(|line| line.trim().parse().ok()).expect("a process")
}

#[track_caller]
fn until(what: &str, is_so: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn what_an_agent_makes_happen_happens_at_its_instant_and_the_trial_goes_on() {
    let (lab, server) = (Lab::new(), Found::start());
    let told = lab.path().join("told");
    let events = format!(
        "{{ stop: {{ at: 2s, do: restart }}, crash: {{ at: 6s, do: kill-postmaster }}, one: {{ at: 10s, do: kill-backend }}, \
         still: {{ at: 13s, freeze: 1200ms }}, own: {{ at: 17s, agent_command: \"echo $PGDYNO_TARGET $PGDATA > {}\" }} }}",
        told.display()
    );
    plan(&lab, &server, LEAVE, "19s", &events);
    lab.pgdyno("plan explain plan.yaml").exits(0).prints(&["restarts the server", "by its agent"]);
    lab.pgdyno("run plan.yaml").measured().says(&["trial 1: event crash: kill-postmaster"]);
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert_eq!(trial.outcome, TrialOutcome::Completed);
    let event = |name: &str| trial.events.iter().find(|event| event.name == name).expect("it was made");
    for EventRecord { name, took_us, error, .. } in &trial.events {
        assert!(took_us.is_some() && error.is_none(), "{name}: {error:?}");
    }
    let load = trial.load.as_ref().expect("figures");
    for name in ["stop", "crash", "one"] {
        let asked = event(name).requested_us;
        let lost = load.outages.iter().any(|gap| gap.start_us + 1_000_000 > asked && gap.end_us.is_some());
        assert!(lost, "{name}: {:?}", load.outages);
    }
    let still_us = event("still").write_gap.expect("it writes").length_us().expect("it went on");
    assert!(still_us >= 1_000_000, "{still_us}");
    let data = fs::canonicalize(server.0.data_directory()).expect("it is there");
    assert_eq!(fs::read_to_string(told).expect("the command ran").trim(), format!("x {}", data.display()));
    let ledger = load.ledger.as_ref().expect("a ledger is kept where there are events");
    assert_eq!((ledger.lost, ledger.unexpected), (0, 0));
    let log = fs::read_to_string(server.0.log_path()).expect("its log");
    let said = |words: &str| log.lines().filter(|line| line.contains(words)).count();
    assert_eq!((said("received fast shutdown request"), said("automatic recovery in progress")), (1, 2), "{log}");
    assert_eq!(said("terminating any other active server processes"), 1, "{log}");
    server.assert_as_before();
    lab.pgdyno("restore").exits(0).prints(&["nothing is left to restore"]);
}

#[test]
fn a_server_that_stands_still_elsewhere_goes_on_after_ctrl_c_and_when_pgdyno_and_its_agent_are_killed() {
    let (lab, server) = (Lab::new(), Found::start());
    let process = postmaster(&server);
    for kill in [false, true] {
        let _none = fs::remove_file(lab.path().join("agent.pid"));
        let length = if kill { "6s" } else { "10m" };
        plan(&lab, &server, LEAVE, "60s", &format!("{{ still: {{ at: 2s, freeze: {length} }} }}"));
        let mut running = lab.start("run plan.yaml");
        running.await_that("it stands still", |_| state(process) == Some('T'));
        if kill {
            kill_noted(&lab);
        }
        running.signal(if kill { Signal::KILL } else { Signal::INT });
        let ended = running.end();
        if !kill {
            ended.exits(3).says(&["interrupted"]);
        }
        until("it goes on", || state(process) == Some('S'));
        lab.pgdyno("restore").exits(0);
    }
}

#[test]
fn a_server_whose_agent_ends_between_the_kill_and_the_start_is_started_by_restore() {
    let (lab, server) = (Lab::new(), Found::start());
    // The first time it hangs, and is killed before it has started anything.
    let (pg_ctl, data, log) =
        (testbed::newest_version().join("pg_ctl"), server.0.data_directory(), server.0.log_path());
    let start = format!("{} start -w -D {} -l {}", pg_ctl.display(), data.display(), log.display());
    let owner = "setpriv --reuid=$(stat -c %u $PGDATA) --regid=$(stat -c %g $PGDATA) --clear-groups";
    let owner = if testbed::is_root() { owner.replace("$PGDATA", &data.display().to_string()) } else { String::new() };
    let hung = lab.path().join("hung").display().to_string();
    lab.write("start.sh", format!("mkdir {hung} && exec sleep 30\nexec {owner} {start}\n"));
    let keys = format!(", may_disturb: true, restart_by: \"sh {}\"", lab.path().join("start.sh").display());
    plan(&lab, &server, &keys, "60s", "{ crash: { at: 2s, do: kill-postmaster } }");
    let process = postmaster(&server);
    let mut running = lab.start("run plan.yaml");
    running.await_that("it is dead", |_| state(process).is_none() && lab.path().join("hung").is_dir());
    running.signal(Signal::KILL);
    running.end().was_killed();
    kill_noted(&lab);
    assert!(server.0.try_sql(&server.0.socket_conninfo(), "SELECT 1").is_err(), "nobody has started it yet");
    lab.pgdyno("restore").exits(0).prints(&["was stopped"]);
    server.assert_as_before();
}

#[test]
fn what_cannot_be_made_to_happen_elsewhere_is_told_and_ends_the_run() {
    let (lab, server) = (Lab::new(), Found::start());
    plan(&lab, &server, LEAVE, "6s", "{ own: { at: 2s, agent_command: \"echo no such thing >&2; exit 3\" } }");
    lab.pgdyno("run plan.yaml").exits(3).says(&["event \"own\"", "exit status: 3: no such thing"]);
    let keys = ", may_disturb: true, restart_by: \"echo not today >&2; exit 1\"";
    plan(&lab, &server, keys, "6s", "{ stop: { at: 2s, do: restart } }");
    lab.pgdyno("run plan.yaml").exits(3).says(&["event \"stop\"", "not today"]);
    if testbed::is_root() {
        let agent =
            format!("{{ command: \"setpriv --reuid=65534 --clear-groups {} agent --stdio\" }}", crate::lab::PGDYNO);
        let text = fs::read_to_string(lab.path().join("plan.yaml")).expect("the plan").replace(&noted(), &agent);
        lab.write("plan.yaml", text.replace("do: restart", "freeze: 1s"));
        lab.pgdyno("run plan.yaml").exits(3).says(&["could not stop", "as the server's user"]);
    }
    server.assert_as_before();
}
