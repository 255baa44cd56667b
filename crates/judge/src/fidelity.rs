//! How near the replay of a captured load is to what was captured: how much of it is replayed, what fails, and how long
//! the baseline takes beside the captured server. Judges from observations only: no files, no clock.

use std::collections::BTreeMap;

use results::trial::Cell;
use results::workload::{CapturedLoad, WorkloadStatements};

use crate::captured::captured_statements;
use crate::codes::{REPLAY_FAILURES, REPLAY_INCOMPLETE, REPLAY_LATENCY};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};
use crate::issue::Issue;
use crate::observed::Observed;
use crate::thresholds;
use crate::units;

/// How near the replay at a place is to the capture.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayFidelity {
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The share of the captured calls that is replayed, 0 to 1.
    pub calls: f64,
    /// The share of the captured time that is replayed, 0 to 1; absent where the source has no times.
    pub time: Option<f64>,
    /// The share of the replayed calls that the database time covers, 0 to 1; absent where there is none.
    pub covered: Option<f64>,
    /// Statements that failed when they were captured, by SQLSTATE. Their transactions are not replayed.
    pub captured_failures: BTreeMap<String, u64>,
    /// What failed in the replay, the baseline first.
    pub sides: Vec<ReplayFailures>,
    /// Milliseconds of a mean call in the capture and in the replay on the baseline, of the same calls; absent where
    /// the source has no times.
    pub call_ms: Option<[f64; 2]>,
}

/// What failed in the replay on one target.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayFailures {
    /// The target.
    pub target: String,
    /// Transactions that ended.
    pub transactions: u64,
    /// Those that failed, by SQLSTATE.
    pub failures: BTreeMap<String, u64>,
}

/// Of every place whose load is captured.
pub fn fidelity_of_run(
    observed: &Observed,
    question: &RunQuestion,
    observations: &Observations<'_>,
) -> Vec<ReplayFidelity> {
    let mut all = Vec::new();
    for place in observations.places_in_order() {
        let Some(workload) = observed.workloads.get(&place.workload) else { continue };
        let Some(load) = &workload.captured else { continue };
        let targets = std::iter::once(&question.baseline).chain(&question.candidates);
        all.push(ReplayFidelity {
            calls: share_of_amount(load.replayed.calls, load.captured.calls).unwrap_or(1.0),
            time: share_of_amount(load.replayed.busy_us, load.captured.busy_us),
            covered: observations.covered_calls(&place),
            captured_failures: load.failures.clone(),
            sides: targets.filter_map(|target| failures_of_side(observations, &place, target)).collect(),
            call_ms: mean_call_ms(observed, observations, &place, &question.baseline, workload),
            place,
        });
    }
    all
}

fn share_of_amount(part: u64, whole: u64) -> Option<f64> {
    if whole == 0 { None } else { Some(part as f64 / whole as f64) }
}

fn failures_of_side(observations: &Observations<'_>, place: &ComparisonPlace, target: &str) -> Option<ReplayFailures> {
    let mut found = ReplayFailures { target: target.to_owned(), transactions: 0, failures: BTreeMap::new() };
    for load in observations.executed_trials(place, &ComparedSide::main(target)).filter_map(|trial| trial.load.as_ref())
    {
        found.transactions += load.transactions + load.failed;
        for (sqlstate, count) in &load.errors {
            *found.failures.entry(sqlstate.clone()).or_default() += count;
        }
    }
    Some(found).filter(|found| found.transactions > 0)
}

/// Milliseconds of a mean call when it was captured and in the replay on the baseline, over the calls of the capture
/// that the baseline has executed.
fn mean_call_ms(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    baseline: &str,
    workload: &WorkloadStatements,
) -> Option<[f64; 2]> {
    let mut timed = Vec::new();
    for trial in observations.usable_trials(place, &ComparedSide::main(baseline)).values() {
        let latencies = observed.watched.get(&trial.number).and_then(|watched| watched.statement_latency.as_ref());
        timed.extend(latencies.filter(|latencies| latencies.statements.len() == workload.statements.len()));
    }
    let (mut captured_ms, mut replayed_ms, mut calls) = (0.0, 0.0, 0.0);
    for captured in captured_statements(workload).iter().flat_map(|statement| &statement.places) {
        let executions: u64 = timed.iter().map(|trial| trial.statements[captured.number].executions).sum();
        let all_ns: f64 = timed.iter().map(|trial| trial.statements[captured.number].all_ns()).sum();
        if executions > 0 && captured.busy_us > 0 {
            captured_ms += captured.busy_us as f64 / 1e3;
            replayed_ms += captured.calls as f64 * all_ns / executions as f64 / 1e6;
            calls += captured.calls as f64;
        }
    }
    if calls == 0.0 {
        return None;
    }
    Some([captured_ms / calls, replayed_ms / calls])
}

impl ReplayFidelity {
    /// It in sentences.
    pub fn in_words(&self) -> Vec<String> {
        let time =
            self.time.map_or_else(String::new, |share| format!(" and {} of the time", units::format_percent(share)));
        let covered = self.covered.filter(|share| *share < 1.0).map_or_else(String::new, |share| {
            format!("; the database time covers {} of the replayed calls", units::format_percent(share))
        });
        let mut sentences = vec![format!(
            "Replayed: {} of the calls{time} of the capture{covered}.",
            units::format_percent(self.calls)
        )];
        let mut failures = vec![format!("capture: {}", failures_in_words(&self.captured_failures))];
        for side in &self.sides {
            let of_all = format!("{} of {} transactions", failures_in_words(&side.failures), side.transactions);
            failures.push(format!("{}: {of_all}", side.target));
        }
        sentences.push(format!("Failures by SQLSTATE: {}.", failures.join("; ")));
        if let Some([captured_ms, replayed_ms]) = self.call_ms {
            sentences.push(format!(
                "A mean call took {} on the server when it was captured, and takes {} of a client in the replay on the \
                 baseline.",
                units::format_milliseconds(captured_ms),
                units::format_milliseconds(replayed_ms)
            ));
        }
        sentences
    }

    /// What makes the replay another load than the captured one.
    pub(crate) fn replay_issues(&self, load: &CapturedLoad) -> Vec<Issue> {
        let mut issues = Vec::new();
        let least = self.time.map_or(self.calls, |time| time.min(self.calls));
        if least < thresholds::REPLAYED_AT_LEAST {
            let text = format!(
                "{} replays {} of {} captured calls{}",
                self.place.workload,
                load.replayed.calls,
                load.captured.calls,
                self.time.map_or_else(String::new, |time| format!(", {} of their time", units::format_percent(time)))
            );
            issues.push(Issue::of_run(&REPLAY_INCOMPLETE, text, REPLAY_INCOMPLETE.fix.to_owned()));
        }
        for side in &self.sides {
            let failed: u64 = side.failures.values().sum();
            if failed as f64 > thresholds::REPLAY_FAILS_AT_MOST * side.transactions as f64 {
                let text = format!(
                    "{}: {failed} of {} replayed transactions fail ({}); captured: {}",
                    side.target,
                    side.transactions,
                    failures_in_words(&side.failures),
                    failures_in_words(&self.captured_failures)
                );
                let cells = vec![self.cell_of_target(&side.target)];
                let issue = Issue::of_run(&REPLAY_FAILURES, text, REPLAY_FAILURES.fix.to_owned());
                issues.push(Issue { cells, ..issue });
            }
        }
        if let Some([captured_ms, replayed_ms]) = self.call_ms
            && (captured_ms / replayed_ms).ln().abs() > thresholds::REPLAY_LATENCY_FACTOR.ln()
        {
            let text = format!(
                "{} at {}: a mean call takes {} in the replay on the baseline, and took {} when it was captured",
                self.place.workload,
                units::format_clients(self.place.clients),
                units::format_milliseconds(replayed_ms),
                units::format_milliseconds(captured_ms)
            );
            issues.push(Issue::of_run(&REPLAY_LATENCY, text, REPLAY_LATENCY.fix.to_owned()));
        }
        issues
    }

    fn cell_of_target(&self, target: &str) -> Cell {
        Cell { target: target.to_owned(), workload: self.place.workload.clone(), clients: self.place.clients }
    }
}

fn failures_in_words(failures: &BTreeMap<String, u64>) -> String {
    if failures.is_empty() {
        return "none".to_owned();
    }
    failures.iter().map(|(sqlstate, count)| format!("{count} × {sqlstate}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use results::workload::CapturedAmount;

    use super::*;

    fn fidelity(calls: f64, failed: u64, call_ms: [f64; 2]) -> ReplayFidelity {
        let failures = if failed > 0 { BTreeMap::from([("40001".to_owned(), failed)]) } else { BTreeMap::new() };
        ReplayFidelity {
            place: ComparisonPlace { workload: "peak".to_owned(), clients: 4.into() },
            calls,
            time: Some(0.999),
            covered: Some(0.99),
            captured_failures: BTreeMap::from([("23505".to_owned(), 3)]),
            sides: vec![ReplayFailures { target: "pg18".to_owned(), transactions: 1000, failures }],
            call_ms: Some(call_ms),
        }
    }

    #[test]
    fn a_replay_like_the_capture_has_no_issue_and_says_how_near_it_is() {
        let near = fidelity(0.98, 1, [0.4, 0.6]);
        assert_eq!(near.replay_issues(&CapturedLoad::default()).len(), 0);
        assert_eq!(
            near.in_words(),
            [
                "Replayed: 98 % of the calls and 99.9 % of the time of the capture; the database time covers 99 % of the \
                 replayed calls.",
                "Failures by SQLSTATE: capture: 3 × 23505; pg18: 1 × 40001 of 1000 transactions.",
                "A mean call took 0.40 ms on the server when it was captured, and takes 0.60 ms of a client in the \
                 replay on the baseline.",
            ]
        );
    }

    #[test]
    fn what_is_left_out_what_fails_and_another_latency_are_issues() {
        let amount = |calls| CapturedAmount { transactions: 1, calls, busy_us: 0 };
        let load = CapturedLoad { captured: amount(100), replayed: amount(80), ..CapturedLoad::default() };
        let codes: Vec<&str> =
            fidelity(0.8, 2, [0.4, 1.6]).replay_issues(&load).iter().map(|issue| issue.code.name).collect();
        assert_eq!(codes, ["replay-incomplete", "replay-failures", "replay-latency"]);
    }
}
