//! Tuning: what a finding would mend is tried beside the server as it was, and the rounds are told.

use std::fs;

use judge::observed::Observed;
use plan::{Plan, Reach};
use rustix::process::Signal;
use testbed::newest_version;

use crate::lab::Lab;
use crate::run_view::RunView;

/// A server whose sorts go through temporary files, whatever else is going on.
fn plan(measure: &str) -> String {
    format!(
        "name: Sorts\ntargets:\n  pg: {{ local: {{ bin: {}, settings: {{ work_mem: 64kB }} }} }}\nbaseline: pg\n\
         workloads: {{ sort: {{ script: [sort.sql], scale: 1 }} }}\nclients: [2]\n\
         trial: {{ warm_up: 0.2s, measure: {measure} }}\nblocks: {{ at_least: 3, at_most: 3 }}\n",
        newest_version().display()
    )
}

const SORT: &str = "SELECT count(*) FROM (SELECT repeat('x', 90) || g AS t FROM generate_series(1, 20000) AS g ORDER BY t DESC) AS s;\n";

fn work_mem(plan: &Plan, target: &str) -> String {
    match &plan.target_by_name(target).expect("it is in the plan").reach {
        Reach::Local(local) => local.settings["work_mem"].clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_first_finding_s_mend_is_tried_beside_the_server_and_the_rounds_are_told() {
    let lab = Lab::new();
    lab.write("sort.sql", SORT);
    lab.write("plan.yaml", plan("1s"));
    let ended = lab.pgdyno("tune plan.yaml --time 1h --details");
    ended
        .says(&["initial measurement of pg", "round 1: work_mem = "])
        .prints(&["Tuning rounds (pg)", "ended: no finding has a fix that was not tried"]);
    let last = lab.runs().last().cloned().expect("runs");
    let last = RunView::open(&last);
    let tuning = last.dir().read_tuning().expect("readable").expect("the last run has the rounds");
    let first = &tuning.rounds[0];
    assert_eq!(first.attempt.rule, "temp-file-spill");
    let tried = &first.attempt.change.settings["work_mem"];
    let of_round = RunView::open(&lab.path().join("runs").join(&first.run));
    let observed = Observed::read(of_round.dir()).expect("readable");
    let tested = observed.plan.as_ref().expect("a plan");
    assert_eq!((work_mem(tested, "pg"), &work_mem(tested, "pg-round-1")), ("64kB".to_owned(), tried));
    assert_eq!(observed.facts["pg-round-1"].settings["work_mem"].value, *tried, "read back");
    // Whether it is faster on this machine is not for a test to say; that what is told agrees is.
    let kept = tuning.rounds.iter().any(|round| round.kept);
    assert_eq!(kept, !tuning.kept.is_empty());
    let conf = last.dir().path().join("tuned.conf");
    if kept {
        assert_eq!(fs::read_to_string(conf).expect("a file to apply"), format!("work_mem = '{tried}'\n"));
        let confirmed = Observed::read(last.dir()).expect("readable").plan.expect("a plan");
        assert_eq!((work_mem(&confirmed, "pg"), &work_mem(&confirmed, "pg-tuned")), ("64kB".to_owned(), tried));
    } else {
        assert!(!conf.exists() && last.dir().path().ends_with(&tuning.rounds.last().expect("a round").run));
    }
    let json = lab.pgdyno(&format!("report {} --format json --output -", last.dir().path().display()));
    json.exits(0).prints(&["\"id\":\"tuning\"", "temp-file-spill"]);
    lab.assert_no_temporary_data();
}

#[test]
fn what_cannot_be_tuned_and_a_time_that_is_too_short_are_refused_before_anything_is_started() {
    let lab = Lab::new();
    lab.write("sort.sql", SORT);
    lab.write("plan.yaml", plan("1m"));
    lab.pgdyno("tune plan.yaml --time 2m").exits(2).says(&["2 min is too short", "take about", "--time"]);
    lab.pgdyno("tune plan.yaml --target pgg").exits(2).says(&["no target \"pgg\"", "its targets are pg"]);
    lab.pgdyno("tune plan.yaml --time 3 weeks").exits(2);
    lab.write(
        "far.yaml",
        "name: x\ntargets: { pg: { url: postgresql://h/d } }\nbaseline: pg\n\
        workloads: { w: { builtin: select-only, scale: 1 } }\nclients: [1]\n",
    );
    lab.pgdyno("tune far.yaml").exits(2).says(&["target \"pg\" cannot be tuned", "tune a `local` target"]);
    assert!(lab.runs().is_empty());
}

#[test]
fn a_tuning_that_is_interrupted_says_so_and_leaves_nothing_behind() {
    let lab = Lab::new();
    lab.write("sort.sql", SORT);
    lab.write("plan.yaml", plan("20s"));
    let mut running = lab.start("tune plan.yaml --time 1h");
    running.await_saying("data at scale").signal(Signal::INT);
    running.end().exits(3).says(&["interrupted"]);
    lab.assert_no_temporary_data();
}
