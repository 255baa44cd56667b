//! Events: what a plan makes happen in its trials is done at its instant, recorded, and survived.

use std::path::PathBuf;

use rustix::process::Signal;

use results::log::{CheckpointCause, LogEvent};
use results::trial::{EventRecord, Gap, LedgerTotals, Trial, TrialOutcome};

use crate::lab::Lab;
use testbed::newest_version;

/// One local server with these events.
fn plan(measure: &str, events: &str) -> String {
    let local = format!("{{ local: {{ bin: {} }} }}", newest_version().display());
    format!(
        "name: Events\ntargets:\n  it: {local}\nbaseline: it\n\
         workloads: {{ write: {{ think: 5ms, builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 1s, measure: {measure} }}\nblocks: {{ at_least: 1, at_most: 1 }}\nevents: {events}\n"
    )
}

#[test]
fn what_the_plan_makes_happen_happens_at_its_instant_and_the_trial_goes_on() {
    let lab = Lab::new();
    let told = lab.path().join("told");
    let events = format!(
        "{{ mark: {{ at: 2s, do: checkpoint }}, stop: {{ at: 4s, do: restart }}, crash: {{ at: 8s, do: kill-postmaster }}, \
         one: {{ at: 12s, do: kill-backend }}, own: {{ at: 15s, command: \"echo $PGDYNO_TARGET $PGPORT > {}\" }} }}",
        told.display()
    );
    lab.write("plan.yaml", plan("17s", &events));
    let ended = lab.pgdyno("run plan.yaml");
    ended.says(&["trial 1: event stop: restart", "event crash: kill-postmaster"]);
    let run = lab.run();
    let [trial] = &run.trials()[..] else { panic!("one trial") };
    assert_eq!(trial.outcome, TrialOutcome::Completed);
    let names: Vec<&str> = trial.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["mark", "stop", "crash", "one", "own"]);
    let load_start = run.dir().trial_intervals(1).expect("seconds")[1].start_us;
    for EventRecord { name, planned_us, requested_us, took_us, error, .. } in &trial.events {
        assert!(*requested_us >= load_start + planned_us, "{name}: not before its instant");
        assert!(took_us.is_some() && error.is_none(), "{name}: {error:?}");
    }
    // The server's own words lie between request and end, by the clock of the log, which is another one.
    let log = run.dir().server_log(1).expect("readable").expect("a log");
    let said = |wanted: fn(&CheckpointCause) -> bool| {
        let starts = log.entries.iter().filter_map(|entry| match &entry.event {
            LogEvent::CheckpointStarting { cause, .. } if wanted(cause) => Some(entry.at_us),
            _ => None,
        });
        starts.collect::<Vec<i64>>()
    };
    let during = |name: &str, at_us: &i64| {
        let event = trial.events.iter().find(|event| event.name == name).expect("it was made");
        let begin = i64::try_from(event.requested_us).expect("small");
        let took = i64::try_from(event.took_us.expect("done")).expect("small");
        (begin - 1_000_000..=begin + took + 1_000_000).contains(at_us)
    };
    assert!(said(|cause| *cause == CheckpointCause::Requested).iter().any(|at| during("mark", at)), "{log:?}");
    assert!(said(|cause| *cause == CheckpointCause::Shutdown).iter().any(|at| during("stop", at)), "{log:?}");

    let load = trial.load.as_ref().expect("figures");
    for name in ["stop", "crash", "one"] {
        let event = trial.events.iter().find(|event| event.name == name).expect("it was made");
        let lost = load
            .outages
            .iter()
            .any(|outage| outage.start_us + 1_000_000 > event.requested_us && outage.end_us.is_some());
        assert!(lost, "{name}: {:?}", load.outages);
        let gap_us = event.write_gap.expect("it writes").length_us().expect("it came back");
        assert!(gap_us >= 10_000, "{name}: {gap_us}");
        assert!(event.read_gap.is_none(), "nothing only reads");
    }
    let tally = run.dir().trial_tally(1).expect("readable");
    assert!(tally.len() > 100 && tally.is_sorted_by_key(|at| (at.at_us, at.transactions)), "{tally:?}");
    let attempts: Vec<u64> =
        run.dir().trial_intervals(1).expect("seconds").iter().map(|second| second.attempts).collect();
    assert!(attempts.iter().sum::<u64>() >= 2 * 3, "each of the clients came back three times: {attempts:?}");
    // A second may begin and end with an attempt more.
    assert!(attempts.iter().all(|attempts| *attempts <= 102), "the server is not stormed: {attempts:?}");
    let ledger = load.ledger.as_ref().expect("a ledger is kept where there are events");
    assert!(ledger.acknowledged > 0 && ledger.lost == 0 && ledger.unexpected == 0, "{ledger:?}");
    assert!(std::fs::read_to_string(told).expect("the command ran").starts_with("it "));
    lab.assert_no_temporary_data();
}

#[test]
fn an_event_that_cannot_be_made_to_happen_fails_its_trial_by_name() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("5s", "{ own: { at: 2s, command: \"echo no such thing >&2; exit 3\" } }"));
    lab.pgdyno("run plan.yaml").exits(3).says(&["event \"own\"", "exit status: 3", "no such thing"]);
    lab.assert_no_temporary_data();
}

#[test]
fn a_server_that_is_frozen_acknowledges_nothing_for_so_long_and_loses_neither_connections_nor_commits() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("6s", "{ still: { at: 2s, freeze: 1500ms } }"));
    lab.pgdyno("run plan.yaml").says(&["event still: freeze"]);
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    let [event] = &trial.events[..] else { panic!("one event") };
    let Some(Gap::Between { start_us, end_us: Some(end_us) }) = event.write_gap else { panic!("a gap: {event:?}") };
    let took_us = event.took_us.expect("done");
    assert!(took_us >= 1_500_000, "{event:?}");
    // What was on its way when the processes were stopped may still have been acknowledged just after the request.
    assert!(end_us - start_us >= 1_400_000 && end_us <= event.requested_us + took_us + 1_000_000, "{event:?}");
    let load = trial.load.as_ref().expect("it was measured");
    assert!(load.outages.is_empty(), "{:?}", load.outages);
    assert_eq!((ledger(trial).lost, ledger(trial).unexpected), (0, 0));
}

#[test]
fn ctrl_c_while_a_server_is_frozen_ends_the_run_and_leaves_nothing() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("60s", "{ still: { at: 2s, freeze: 10m } }"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event still").signal(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
}

/// The same on a file system of its own; none where nobody may make one.
fn plan_on_disk(measure: &str, events: &str) -> Option<String> {
    if !testbed::is_root() {
        eprintln!("skipped: a file system is made by root");
        return None;
    }
    let bin = format!("{{ local: {{ bin: {} }}", newest_version().display());
    let own = format!("{bin}, filesystem: {{ type: ext4, size: 384MB }}");
    let read = "workloads: { read: { think: 5ms, builtin: select-only, scale: 1 },";
    Some(plan(measure, events).replace(&bin, &own).replace("workloads: {", read))
}

#[test]
fn a_disk_that_is_frozen_keeps_commits_waiting_and_reads_go_on() {
    let Some(plan) = plan_on_disk("6s", "{ still: { at: 2s, freeze_disk: 1500ms } }") else { return };
    let lab = Lab::new();
    lab.write("plan.yaml", plan);
    lab.pgdyno("run plan.yaml").says(&["event still: freeze_disk"]);
    let trials = lab.run().trials();
    let of = |workload: &str| trials.iter().find(|trial| trial.cell.workload == workload).expect("a trial");
    let [event] = &of("write").events[..] else { panic!("one event") };
    assert!(event.error.is_none(), "{event:?}");
    let gap_us = event.write_gap.expect("it writes").length_us().expect("it went on");
    assert!(gap_us >= 1_300_000, "{event:?}");
    assert!(of("write").load.as_ref().expect("figures").outages.is_empty());
    assert_eq!((ledger(of("write")).lost, ledger(of("write")).unexpected), (0, 0));
    let read_gap_us = of("read").events[0].read_gap.and_then(Gap::length_us).unwrap_or(0);
    assert!(read_gap_us < 1_000_000, "{:?}", of("read").events);
    lab.assert_no_temporary_data();
}

#[test]
fn a_disk_is_not_left_frozen_by_ctrl_c_nor_by_kill() {
    let Some(plan) = plan_on_disk("60s", "{ still: { at: 2s, freeze_disk: 10m } }") else { return };
    let lab = Lab::new();
    lab.write("plan.yaml", &plan);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event still").signal(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
    // A killed one has nobody to end its event early: it is over when it would have been.
    lab.write("plan.yaml", plan.replace("10m", "3s"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event still");
    let traces = pgdyno.traces();
    pgdyno.signal(Signal::KILL);
    pgdyno.end().was_killed();
    traces.await_gone();
    lab.pgdyno("restore").exits(0);
    lab.assert_no_temporary_data();
}

#[test]
fn ctrl_c_during_an_event_ends_the_run_and_leaves_nothing() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("60s", "{ own: { at: 2s, command: \"sleep 600\" } }"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event own").signal(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert_eq!((&trial.outcome, trial.events[0].took_us), (&TrialOutcome::Interrupted, None));
}

#[test]
fn an_event_that_is_not_done_within_its_limit_fails_its_trial_by_name() {
    let lab = Lab::new();
    let pid = lab.path().join("pid");
    let command = format!("sleep 600 & echo $! >{}; wait", pid.display());
    lab.write("plan.yaml", plan("5s", &format!("{{ own: {{ at: 2s, command: \"{command}\", within: 500ms }} }}")));
    lab.pgdyno("run plan.yaml").exits(3).says(&["event \"own\"", "it did not complete within 500ms"]);
    let pid = std::fs::read_to_string(pid).expect("it was begun");
    let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    assert!(state.is_empty() || state.contains(") Z "), "what it has started goes with it: {state}");
    lab.assert_no_temporary_data();
}

#[test]
fn a_server_that_never_comes_back_ends_the_run_which_says_what_it_looked_like() {
    let ruin = "echo 'shared_buffers = nonsense' >> $PGDATA/postgresql.auto.conf";
    let kill = "kill -9 $(head -1 $PGDATA/postmaster.pid)";
    for (events, told) in [
        // It is started again, and cannot be.
        (
            format!("{{ own: {{ at: 2s, command: \"{ruin}\" }}, stop: {{ at: 4s, do: restart }} }}"),
            ["event \"stop\" (restart)", "invalid value for parameter \"shared_buffers\""],
        ),
        // Nobody starts it again.
        (format!("{{ own: {{ at: 2s, command: \"{kill}\" }} }}"), ["the server ended", "signal: 9 (SIGKILL)"]),
    ] {
        let lab = Lab::new();
        lab.write("plan.yaml", plan("7s", &events));
        lab.pgdyno("run plan.yaml").exits(3).says(&told);
        lab.assert_no_temporary_data();
        let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
        assert!(matches!(trial.outcome, TrialOutcome::Failed { .. }));
        let load = trial.load.as_ref().expect("what was measured is kept");
        assert!(load.transactions > 0 && load.outages.iter().all(|outage| outage.end_us.is_none()), "{load:?}");
    }
}

#[test]
fn ctrl_c_during_an_outage_ends_the_run_and_leaves_nothing() {
    let lab = Lab::new();
    let kill = "{ own: { at: 2s, command: \"kill -9 $(head -1 $PGDATA/postmaster.pid)\" } }";
    lab.write("plan.yaml", plan("60s", kill));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second without a server", |_| {
        let seconds = |run: &PathBuf| std::fs::read_to_string(run.join("trials/1.partial/intervals.jsonl")).ok();
        lab.runs().first().and_then(seconds).is_some_and(|seconds| seconds.contains("\"clients_out\":2"))
    });
    pgdyno.signal(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert_eq!(trial.outcome, TrialOutcome::Interrupted);
}

/// A pair whose standby is cut off two seconds after the begin of a measurement, and promoted at six.
fn promotion(standby: &str, blocks: u32, further: &str) -> String {
    let events = format!("{{ cut: {{ at: 2s, do: detach-standby }}, {further}over: {{ at: 6s, do: promote }} }}");
    plan("10s", &events)
        .replace("local: {", &format!("local: {{ standby: {standby},"))
        .replace("at_least: 1, at_most: 1", &format!("at_least: {blocks}, at_most: {blocks}"))
}

/// Counts what is committed in the table that all transactions write, upon which nothing is until the primary ends.
const COMMITTED: &str = "psql -qAt >committed 2>&1 <<E &
BEGIN; LOCK TABLE pgbench_history; SELECT count(*), localtimestamp FROM pgbench_history; SELECT pg_sleep(600);
E
";

/// Counts how much of that is not there after the promotion.
const LOST: &str = "IFS='|' read count at <committed
psql -qAt -c \"SELECT $count - count(*) FROM pgbench_history WHERE mtime <= '$at'\" >>lost
";

#[test]
fn commits_that_a_promotion_loses_are_counted_and_the_next_trial_has_a_pair_again() {
    let lab = Lab::new();
    lab.write("committed.sh", COMMITTED);
    lab.write("lost.sh", LOST);
    let [committed, lost] = ["committed", "lost"].map(|name| format!("cd {} && . ./{name}.sh", lab.path().display()));
    let further = format!("all: {{ at: 4s, command: \"{committed}\" }}, there: {{ at: 8s, command: \"{lost}\" }}, ");
    lab.write("plan.yaml", promotion("streaming", 2, &further));
    lab.pgdyno("run plan.yaml").says(&["event over: promote"]).prints(&["acknowledged commits lost"]);
    let run = lab.run();
    let counted = std::fs::read_to_string(lab.path().join("lost")).expect("the commands ran");
    let counted: Vec<u64> = counted.lines().map(|line| line.parse().expect("a number")).collect();
    let lost: Vec<u64> = run.trials().iter().map(|trial| ledger(trial).lost).collect();
    assert_eq!(lost, counted, "by the ledger and by the table");
    assert!(lost.iter().all(|lost| *lost > 0), "{lost:?}");
    for trial in &run.trials() {
        let over = trial.events.iter().find(|event| event.name == "over").expect("it was made");
        assert!(over.write_gap.expect("it writes").length_us().is_some(), "the clients follow: {over:?}");
        assert_eq!(ledger(trial).unexpected, 0);
    }
    let facts = &run.dir().target_facts().expect("readable")["it"];
    let standbys = facts.standbys.as_ref().expect("a superuser sees them");
    assert_eq!((standbys.len(), standbys[0].sync_state.as_str()), (1, "async"));
    lab.assert_no_temporary_data();
}

#[test]
fn a_synchronous_standby_loses_nothing_of_what_was_acknowledged() {
    let lab = Lab::new();
    lab.write("plan.yaml", promotion("synchronous", 1, ""));
    lab.pgdyno("run plan.yaml").says(&["event over: promote"]).prints(&["0 of "]);
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert!(ledger(trial).acknowledged > 0 && ledger(trial).lost == 0, "{:?}", ledger(trial));
    let gap_us = trial.events[0].write_gap.expect("it writes").length_us().expect("it came back");
    assert!(gap_us >= 3_000_000, "nothing is acknowledged while the standby is away: {gap_us}");
    lab.assert_no_temporary_data();
}

#[test]
fn kill_9_after_a_promotion_leaves_neither_server() {
    let lab = Lab::new();
    lab.write("plan.yaml", promotion("streaming", 1, ""));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event cut");
    let traces = pgdyno.traces();
    assert_eq!(traces.servers(), 2, "{}", traces.commands());
    pgdyno.await_saying("event over").signal(Signal::KILL);
    pgdyno.end().was_killed();
    traces.await_gone();
    lab.assert_no_temporary_data();
}

fn ledger(trial: &Trial) -> &LedgerTotals {
    trial.load.as_ref().and_then(|load| load.ledger.as_ref()).expect("a ledger is kept")
}
