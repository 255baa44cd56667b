//! What a diagnosis promises whatever its rules are.

use results::probe_fields::{host_server, pg_wal};

use super::built::Built;
use super::*;

#[test]
fn a_healthy_run_has_no_finding() {
    for built in [Built::healthy(), Built::pair()] {
        let findings = built.diagnosis().findings;
        assert!(findings.is_empty(), "{findings:#?}");
    }
}

#[test]
fn a_healthy_run_whose_sides_take_turns_has_no_finding_either() {
    let turns = |cell: super::built::Measurement| cell.takes_turns(0.4);
    let findings = Built::pair().with_first(turns).with(turns).diagnosis().findings;
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_second_counts_for_as_much_of_it_as_the_side_had_its_turn() {
    let look = |share: Option<f64>| {
        let built = Built::healthy().with(|cell| match share {
            Some(share) => cell.takes_turns(share),
            None => cell,
        });
        let observed = built.observed();
        let question = RunQuestion::of_run(&observed);
        let cells = case::Cells::from_observed(&observed, &question);
        let case = cells.all_cases().next().unwrap();
        let tps = case.all_seconds().next().unwrap().throughput_per_s().unwrap();
        let figures = [host_server::BACKENDS_CPU_US, pg_wal::BYTES];
        let [cpu, wal] =
            figures.map(|field| (case.counter_rate_per_s(field).unwrap(), case.per_transaction(field).unwrap()));
        [tps, case.throughput_per_s().unwrap(), case.ready_per_cpu().unwrap(), cpu.0, cpu.1, wal.0, wal.1]
    };
    let alone = look(None);
    for (one, other) in alone.into_iter().zip(look(Some(0.4))) {
        assert!((one / other - 1.0).abs() < 0.02, "{alone:?} {:?}", look(Some(0.4)));
    }
}

#[test]
fn a_second_in_which_a_side_hardly_had_its_turn_is_no_standstill() {
    let rule = rules::ALL.iter().find(|rule| rule.code.name == "throughput-collapse").unwrap();
    let odd = |fields: serde_json::Value| Built::healthy().with(|cell| cell.takes_turns(0.5).second(5, fields));
    odd(serde_json::json!({ "transactions": 0, "turn_us": 20_000 })).is_fine_for(rule);
    odd(serde_json::json!({ "transactions": 0, "turn_us": 0 })).is_fine_for(rule);
    assert!(odd(serde_json::json!({ "transactions": 0 })).look(rule).unwrap().is_some());
}

#[test]
fn a_rule_that_lacks_something_says_what() {
    let built = Built::healthy().with(|cell| cell.gap("host.cgroup", "could not read it"));
    let unanswered = built.diagnosis().unanswered;
    let lacks = unanswered.iter().find(|unanswered| unanswered.rule.code.name == "cpu-throttled").unwrap();
    assert_eq!(lacks.lacks, "host.cgroup cpu_periods: could not read it");
}

#[test]
fn what_one_side_has_explains_the_difference_and_stands_before_what_both_have() {
    let throttled = |cell: super::built::Measurement| cell.probe("host.cgroup", &[("cpu_throttled_periods", 8.0)]);
    let one_side = Built::pair().with(throttled).diagnosis();
    assert_eq!(one_side.findings[0].bearing, Bearing::Difference { target: "new".to_owned() });
    assert_eq!(one_side.findings[0].cells[0].target, "new");
}

#[test]
fn what_is_not_known_of_the_other_side_explains_no_difference() {
    let throttled = |cell: super::built::Measurement| cell.probe("host.cgroup", &[("cpu_throttled_periods", 8.0)]);
    let unwatched = |cell: super::built::Measurement| cell.gap("host.cgroup", "it is not watched");
    let unknown = Bearing::OtherSideUnknown { of: vec!["db".to_owned()] };
    for built in [Built::pair().with_first(unwatched), Built::pair().without_first()] {
        let diagnosis = built.with(throttled).diagnosis();
        assert_eq!((diagnosis.findings[0].rule.code.name, &diagnosis.findings[0].bearing), ("cpu-throttled", &unknown));
    }
    let everywhere = Built::pair().with_first(throttled).with(throttled).diagnosis();
    assert_eq!(everywhere.findings[0].bearing, Bearing::EverySide);
}

#[test]
fn every_rule_has_its_three_fixtures_in_its_file() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/diagnose/rules");
    // What is said when all others have looked at all cells is tested by whole diagnoses.
    let is_last = |rule: &Rule| {
        [&rules::COST_PER_TRANSACTION, &rules::UNEXPLAINED_DIFFERENCE].iter().any(|last| last.code == rule.code)
    };
    for rule in rules::ALL.iter().filter(|rule| !is_last(rule)) {
        let path = format!("{directory}/{}.rs", rule.code.name.replace('-', "_"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        for fixture in ["finds(&RULE)", "is_fine_for(&RULE)", "lacks(&RULE)"] {
            assert!(text.contains(fixture), "{path} has no test with {fixture}");
        }
    }
}
