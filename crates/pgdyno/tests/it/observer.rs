//! What observing costs, as a run tells it itself: the probes pause in one of every two seconds.

use results::interval::{Interval, Reading};

use crate::lab::Lab;
use crate::server::Server;

fn plan(server: &Server) -> String {
    format!(
        "name: Observed\ntargets: {{ it: {{ url: \"{}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [2]\nobserver_cost: true\n\
         trial: {{ warm_up: 0s, measure: 8s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.url()
    )
}

/// Whether anything was read from the server when this second had ended, which is in the next one.
fn is_read(second: &Interval) -> bool {
    matches!(second.probes.get("pg.database"), Some(Reading::Values { .. }))
}

#[test]
fn probes_that_pause_in_every_other_second_tell_what_they_cost() {
    let lab = Lab::new();
    let server = Server::start(&lab);
    lab.write("plan.yaml", plan(&server));
    let ended = lab.pgdyno("run plan.yaml");
    ended.measured().prints(&["a change of the throughput by ", "over 4 pairs of seconds"]);

    let run = lab.run();
    let seconds = run.dir().intervals(1).expect("seconds");
    let observed: Vec<bool> = seconds.iter().map(|second| second.observed.expect("known")).collect();
    assert_eq!(observed.len(), 8);
    assert!(observed.chunks(2).all(|pair| pair[0] != pair[1]), "{observed:?}");
    // A busy machine may make a reading fail, but none is made in a second that is not to be observed.
    for (second, next) in seconds.iter().zip(&observed[1..]) {
        assert!(*next || !is_read(second), "{second:?}");
    }
    assert!(seconds.iter().any(is_read));
    let activity = run.dir().activity(1).expect("samples");
    for (second, observed) in activity.iter().zip(&observed).filter(|(_, observed)| !**observed) {
        assert!(second.window.gap.is_some() && second.window.samples <= 1, "{observed} {second:?}");
    }
    assert!(activity.iter().any(|second| second.window.samples > 1));
    let cost = run.trials()[0].observer.clone().expect("the trial says what it cost");
    let rate = |second: &Interval| second.transactions as f64 / second.duration_us as f64;
    for (pair, ratio) in seconds.chunks(2).zip(&cost.ratios) {
        let first_over_second = rate(&pair[0]) / rate(&pair[1]);
        let expected = if pair[0].observed == Some(true) { first_over_second } else { 1.0 / first_over_second };
        assert!((ratio / expected - 1.0).abs() < 1e-9, "{ratio} {expected}");
    }
    assert_eq!(cost.ratios.len(), 4);
}

#[test]
fn there_is_no_cost_of_probes_that_are_off() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        "name: x\ntargets: { it: { url: \"host=/nowhere\" } }\nbaseline: it\nprobes: false\nobserver_cost: true\n\
         workloads: { read: { builtin: select-only, scale: 1 } }\nclients: [2]\n",
    );
    let ended = lab.pgdyno("plan check plan.yaml");
    ended.exits(2).says(&["plan.yaml:5", "no probes whose cost could be told", "leave out"]);
}
