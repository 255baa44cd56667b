//! Issues of captured loads: statements that return something else, and how the replay differs from the capture.

use std::collections::BTreeSet;

use results::trial::Cell;

use crate::captured_results::{DifferingStatement, ResultComparison};
use crate::codes::RESULTS_DIFFER;
use crate::fidelity::ReplayFidelity;
use crate::issue::{Evidence, Issue, IssueEffect};
use crate::observed::Observed;

/// Statements that are named in one issue; the report's table has all of them.
const NAMED_MAX: usize = 20;

/// All issues of captured loads, those of results first.
pub(super) fn of_captured_loads(
    observed: &Observed,
    results: &[ResultComparison],
    fidelity: &[ReplayFidelity],
) -> Vec<Issue> {
    let mut issues = of_results(results);
    issues.extend(of_fidelity(observed, fidelity));
    issues
}

/// The statements that return something else, an issue for each candidate and workload: at all numbers of clients the
/// same statements stand in it once.
fn of_results(results: &[ResultComparison]) -> Vec<Issue> {
    let mut issues: Vec<Issue> = Vec::new();
    let mut places: Vec<(&str, &str)> = Vec::new();
    for one in results.iter().filter(|one| !one.differing.is_empty()) {
        let place = (one.candidate.as_str(), one.place.workload.as_str());
        if !places.contains(&place) {
            places.push(place);
        }
    }
    for (candidate, workload) in places {
        let here: Vec<&ResultComparison> =
            results.iter().filter(|one| one.candidate == candidate && one.place.workload == workload).collect();
        issues.push(issue_of_pair(candidate, workload, &here));
    }
    issues
}

fn issue_of_pair(candidate: &str, workload: &str, here: &[&ResultComparison]) -> Issue {
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let (mut cells, mut statements): (Vec<Cell>, Vec<&DifferingStatement>) = (Vec::new(), Vec::new());
    for one in here.iter().filter(|one| !one.differing.is_empty()) {
        cells.push(Cell { target: candidate.to_owned(), workload: workload.to_owned(), clients: one.place.clients });
        for statement in &one.differing {
            if named.insert(&statement.fingerprint) {
                statements.push(statement);
            }
        }
    }
    let compared = here.iter().map(|one| one.compared).max().unwrap_or(0);
    let (plural_ending, verb) = if statements.len() == 1 { ("", "returns") } else { ("s", "return") };
    let first = statements.first().map_or_else(String::new, |statement| statement.in_words());
    let text = match statements.len() {
        1 => format!("{candidate}: {first}"),
        many => format!("{candidate}: {many} of {compared} statement{plural_ending} {verb} other results; {first}"),
    };
    let mut evidence = Vec::new();
    for statement in statements.iter().take(NAMED_MAX) {
        evidence.push(Evidence::Noted { of: candidate.to_owned(), text: statement.in_words() });
    }
    let issue = Issue::of_run(&RESULTS_DIFFER, text, RESULTS_DIFFER.fix.to_owned());
    Issue { effect: IssueEffect::Invalidates, cells, evidence, ..issue }
}

/// What makes the replays other loads than the captured ones.
fn of_fidelity(observed: &Observed, fidelity: &[ReplayFidelity]) -> Vec<Issue> {
    let mut issues = Vec::new();
    for place in fidelity {
        let load = observed.workloads.get(&place.place.workload).and_then(|workload| workload.captured.as_ref());
        issues.extend(load.into_iter().flat_map(|load| place.replay_issues(load)));
    }
    issues
}
