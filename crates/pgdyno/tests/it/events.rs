//! Events: what a plan makes happen in its trials is done at its instant, recorded, and survived.

use rustix::process::Signal;

use results::log::{CheckpointCause, Event};
use results::trial::{EventRecord, Outcome};

use crate::lab::Lab;
use testbed::newest;

/// One local server with these events.
fn plan(measure: &str, events: &str) -> String {
    let local = format!("{{ local: {{ bin: {} }} }}", newest().display());
    format!(
        "name: Events\ntargets:\n  it: {local}\nbaseline: it\n\
         workloads: {{ write: {{ builtin: tpcb-like, scale: 1 }} }}\nclients: [2]\n\
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
    assert_eq!(trial.outcome, Outcome::Completed);
    let names: Vec<&str> = trial.events.iter().map(|event| event.name.as_str()).collect();
    assert_eq!(names, ["mark", "stop", "crash", "one", "own"]);
    let load_start = run.dir().intervals(1).expect("seconds")[1].start_us;
    for EventRecord { name, planned_us, requested_us, took_us, error, .. } in &trial.events {
        assert!(*requested_us >= load_start + planned_us, "{name}: not before its instant");
        assert!(took_us.is_some() && error.is_none(), "{name}: {error:?}");
    }
    // The server's own words lie between request and end.
    let log = run.dir().log(1).expect("readable").expect("a log");
    let said = |wanted: fn(&CheckpointCause) -> bool| {
        let starts = log.entries.iter().filter_map(|entry| match &entry.event {
            Event::CheckpointStarting { cause, .. } if wanted(cause) => Some(entry.at_us),
            _ => None,
        });
        starts.collect::<Vec<i64>>()
    };
    let during = |name: &str, at_us: &i64| {
        let event = trial.events.iter().find(|event| event.name == name).expect("it was made");
        let begin = i64::try_from(event.requested_us).expect("small");
        let took = i64::try_from(event.took_us.expect("done")).expect("small");
        (begin - 100_000..=begin + took + 100_000).contains(at_us)
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
    let tally = run.dir().tally(1).expect("readable");
    assert!(tally.len() > 100 && tally.is_sorted_by_key(|at| (at.at_us, at.transactions)), "{tally:?}");
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
fn ctrl_c_during_an_event_ends_the_run_and_leaves_nothing() {
    let lab = Lab::new();
    lab.write("plan.yaml", plan("60s", "{ own: { at: 2s, command: \"sleep 600\" } }"));
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_saying("event own").signal(Signal::INT);
    pgdyno.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
    let [trial] = &lab.run().trials()[..] else { panic!("one trial") };
    assert_eq!((&trial.outcome, trial.events[0].took_us), (&Outcome::Interrupted, None));
}
