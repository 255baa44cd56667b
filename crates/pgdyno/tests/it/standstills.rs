//! A server that stands still while it is measured: when, for how long, and what that costs.

use judge::diagnose::FindingCost;
use judge::observed::Observed;
use results::trial::{Trial, TrialPhase};
use testbed::Postgres;

use crate::lab::Lab;
use crate::run_view::RunView;

/// The seconds of a trial that were its side's from begin to end, and in which nothing was completed: begin and end in
/// microseconds.
fn empty(run: &RunView, trial: u32) -> Vec<(u64, u64)> {
    let seconds = run.dir().trial_intervals(trial).unwrap_or_default();
    let is_empty =
        |second: &&results::interval::TrialInterval| second.phase == TrialPhase::Measure && second.transactions == 0;
    let whole = seconds.iter().filter(|second| second.turn_us.is_none_or(|us| us >= second.duration_us));
    whole.filter(is_empty).map(|second| (second.start_us, second.start_us + second.duration_us)).collect()
}

/// Has a plan measured of whose targets this is the last server, which stops for a second at least.
fn measured(lab: &Lab, targets: &str, more: &str, server: &Postgres) -> RunView {
    let plan = format!(
        "name: Still\ntargets: {targets}\nbaseline: one\nworkloads: {{ work: {{ think: 5ms, builtin: select-only, scale: 1 }} }}\n\
         clients: [4]\ntrial: {{ warm_up: 0s, measure: 15s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n{more}"
    );
    lab.write("plan.yaml", plan);
    let mut pgdyno = lab.start("run plan.yaml");
    pgdyno.await_that("a second", |_| lab.runs().first().is_some_and(|run| RunView::has_seconds(run, 1, 1)));
    let frozen = server.freeze_processes();
    pgdyno.await_that("a second without a transaction", |_| (1..=2).any(|trial| !empty(&lab.run(), trial).is_empty()));
    drop(frozen);
    pgdyno.end().measured();
    lab.run()
}

fn trial_of<'a>(trials: &'a [Trial], target: &str) -> &'a Trial {
    trials.iter().find(|trial| trial.cell.target == target).expect("a trial")
}

#[test]
fn a_server_that_stops_stands_still_for_as_long_and_longer_than_whole_seconds_tell() {
    let (lab, server) = (Lab::new(), Postgres::start_default());
    let run = measured(&lab, &format!("{{ one: {{ url: \"{}\" }} }}", server.tcp_url()), "", &server);
    let (trials, empty) = (run.trials(), empty(&run, 1));
    let noted = trials[0].load.as_ref().and_then(|load| load.standstills.clone()).expect("somebody listened");
    for (start_us, end_us) in &empty {
        let holds = noted.iter().any(|still| still.start_us <= *start_us && *end_us <= still.end_us);
        assert!(holds, "{start_us} to {end_us} us is in none of {noted:?}");
    }
    let observed = Observed::read(run.dir()).expect("a run");
    let diagnosis = judge::judge_run(&observed).diagnosis;
    let found = diagnosis.findings.iter().find(|finding| finding.rule.code.name == "throughput-collapse");
    let found = found.expect("it is found");
    let FindingCost::Throughput { share } = found.found.cost else { panic!("{found:?}") };
    let of_seconds: u64 = empty.iter().map(|(start_us, end_us)| end_us - start_us).sum();
    assert!(share >= of_seconds as f64 / 15e6, "{share} of empty {empty:?}");
}

#[test]
fn of_sides_that_take_turns_the_one_whose_server_stops_stands_still_and_not_the_other_that_waits_for_it() {
    let (lab, one, two) = (Lab::new(), Postgres::start_default(), Postgres::start_default());
    let targets = format!("{{ one: {{ url: \"{}\" }}, two: {{ url: \"{}\" }} }}", one.tcp_url(), two.tcp_url());
    let run = measured(&lab, &targets, "interleave: slices\nslice: 0.1s\nprobes: false\n", &two);
    let trials = run.trials();
    let longest_us = |target: &str| {
        let noted = trial_of(&trials, target).load.as_ref().and_then(|load| load.standstills.clone());
        noted.expect("somebody listened").iter().map(|still| still.end_us - still.start_us).max().unwrap_or(0)
    };
    let [one, two] = ["one", "two"].map(longest_us);
    // The turn goes on until what was under way has ended.
    assert!(two >= 1_000_000 && one < two, "{one} and {two} us");
}
