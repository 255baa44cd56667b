//! What observing costs, as a run tells it itself: the probes pause half of the time.

use results::interval::{Reading, TrialInterval};

use crate::lab::Lab;
use testbed::Postgres;

fn plan(server: &Postgres) -> String {
    format!(
        "name: Observed\ntargets: {{ it: {{ url: \"{}\" }} }}\nbaseline: it\n\
         workloads: {{ read: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\nclients: [2]\nobserver_cost: true\n\
         trial: {{ warm_up: 0s, measure: 8s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n",
        server.tcp_url()
    )
}

/// Whether anything was read from the server when this second had ended, which is in the next one.
fn is_read(second: &TrialInterval) -> bool {
    matches!(second.probes.get("pg.database"), Some(Reading::Values { .. }))
}

#[test]
fn probes_that_pause_half_of_the_time_tell_what_they_cost() {
    let lab = Lab::new();
    let server = Postgres::start_default();
    lab.write("plan.yaml", plan(&server));
    let ended = lab.pgdyno("run plan.yaml --details");

    let run = lab.run();
    let cost = run.trials()[0].observer.clone().expect("the trial says what it cost");
    // Two fifths of a second make a pair; of the last second, and of a machine that is late, there are fewer.
    let pairs = cost.ratios.len() + cost.stolen_pairs_excluded as usize;
    assert!((2..=20).contains(&pairs), "{cost:?}");
    assert!(cost.ratios.iter().all(|ratio| ratio.is_finite() && *ratio > 0.0), "{:?}", cost.ratios);
    ended.measured().prints(&[" and a change of the throughput ", "pairs of fifths of a second"]);
    assert_eq!(cost.over_us, 4_000_000, "half of the time is observed");

    let seconds = run.dir().trial_intervals(1).expect("seconds");
    assert_eq!(seconds.len(), 8);
    // A busy machine may make a reading fail, but none is made in a second that is not to be read.
    assert!(seconds.iter().filter(|second| second.index % 2 == 1).all(|second| !is_read(second)));
    assert!(seconds.iter().any(is_read));
    let samples: u32 = run.dir().trial_activity(1).expect("samples").iter().map(|second| second.window.samples).sum();
    // Half of eighty; that each period falls into a stretch that is observed is a lot.
    assert!((1..=60).contains(&samples), "{samples}");
}

#[test]
fn a_generator_that_tells_only_of_whole_seconds_cannot_tell_what_observing_costs() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        "name: x\ntargets: { it: { url: \"host=/nowhere\" } }\nbaseline: it\nobserver_cost: true\n\
         workloads: { read: { builtin: select-only, scale: 1, generator: pgbench } }\nclients: [2]\n",
    );
    let ended = lab.pgdyno("plan check plan.yaml");
    ended.exits(2).says(&["plan.yaml:4", "\"read\" does not report", "generator: pgdyno"]);
}

#[test]
fn there_is_no_cost_of_probes_that_are_off() {
    let lab = Lab::new();
    lab.write(
        "plan.yaml",
        "name: x\ntargets: { it: { url: \"host=/nowhere\" } }\nbaseline: it\nprobes: false\nobserver_cost: true\n\
         workloads: { read: { think: 5ms, builtin: select-only, scale: 1 } }\nclients: [2]\n",
    );
    let ended = lab.pgdyno("plan check plan.yaml");
    ended.exits(2).says(&["plan.yaml:5", "there are no probes to measure", "remove `probes: false`"]);
}
