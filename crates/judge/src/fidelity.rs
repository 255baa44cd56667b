//! How near the replay of a captured load is to what was captured: how much of it is replayed, what fails, and how long
//! the baseline takes beside the captured server. Judges from observations only: no files, no clock.

use std::collections::BTreeMap;

use results::statement_latency::StatementLatencies;
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
    /// What was executed and what failed in the replay, the baseline first.
    pub sides: Vec<ReplayedSide>,
    /// Milliseconds of a mean call in the capture and in the replay on the baseline, of the same calls; absent where
    /// the source has no times.
    pub call_ms: Option<[f64; 2]>,
}

/// The replay on one target.
#[derive(Debug, Clone, PartialEq)]
pub struct ReplayedSide {
    /// The target.
    pub target: String,
    /// Transactions that ended.
    pub transactions: u64,
    /// Those that failed, by SQLSTATE.
    pub failures: BTreeMap<String, u64>,
    /// What a trial executes of the capture, on average; absent without times of statements.
    pub executed: Option<ExecutedShare>,
}

/// How much of a capture a trial executes while it is measured. A statement counts as often as the capture has it at
/// most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExecutedShare {
    /// Of the captured calls, 0 to 1.
    pub calls: f64,
    /// Of the captured time, 0 to 1; absent where the source has no times.
    pub time: Option<f64>,
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
        let targets = question.all_targets();
        all.push(ReplayFidelity {
            calls: share_of_amount(load.replayed.calls, load.captured.calls).unwrap_or(1.0),
            time: share_of_amount(load.replayed.busy_us, load.captured.busy_us),
            covered: observations.covered_calls(&place),
            captured_failures: load.failures.clone(),
            sides: targets.filter_map(|target| replayed_side(observed, observations, &place, target)).collect(),
            call_ms: mean_call_ms(observed, observations, &place, &question.baseline, workload),
            place,
        });
    }
    all
}

fn share_of_amount(part: u64, whole: u64) -> Option<f64> {
    if whole == 0 { None } else { Some(part as f64 / whole as f64) }
}

fn replayed_side(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    target: &str,
) -> Option<ReplayedSide> {
    let workload = observed.workloads.get(&place.workload)?;
    let mut side =
        ReplayedSide { target: target.to_owned(), transactions: 0, failures: BTreeMap::new(), executed: None };
    let mut shares = Vec::new();
    for trial in observations.executed_trials(place, &ComparedSide::main(target)) {
        let Some(load) = &trial.load else { continue };
        side.transactions += load.transactions + load.failed;
        for (sqlstate, count) in &load.errors {
            *side.failures.entry(sqlstate.clone()).or_default() += count;
        }
        let latencies = observed.watched.get(&trial.number).and_then(|watched| watched.statement_latency.as_ref());
        shares.extend(latencies.and_then(|latencies| executed_share(workload, latencies)));
    }
    if !shares.is_empty() {
        let trials = shares.len() as f64;
        let times: Option<f64> = shares.iter().map(|share| share.time).sum();
        side.executed = Some(ExecutedShare {
            calls: shares.iter().map(|share| share.calls).sum::<f64>() / trials,
            time: times.map(|times| times / trials),
        });
    }
    Some(side).filter(|side| side.transactions > 0)
}

/// What a trial with these times of statements has executed.
fn executed_share(workload: &WorkloadStatements, latencies: &StatementLatencies) -> Option<ExecutedShare> {
    let captured = workload.captured.as_ref()?.captured;
    if captured.calls == 0 || latencies.statements.len() != workload.statements.len() {
        return None;
    }
    let (mut calls, mut busy_us) = (0.0, 0.0);
    for place in captured_statements(workload).iter().flat_map(|statement| &statement.places) {
        if place.calls > 0 {
            let executed = latencies.statements[place.number].executions.min(place.calls) as f64;
            calls += executed;
            busy_us += executed / place.calls as f64 * place.busy_us as f64;
        }
    }
    let time = if captured.busy_us == 0 { None } else { Some(busy_us / captured.busy_us as f64) };
    Some(ExecutedShare { calls: calls / captured.calls as f64, time })
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
        let time = time_in_words(self.time);
        let covered = self.covered.filter(|share| *share < 1.0).map_or_else(String::new, |share| {
            format!("; the database time covers {} of the replayed calls", units::format_percent(share))
        });
        let mut sentences = vec![format!(
            "Replayed: {} of the calls{time} of the capture{covered}.",
            units::format_percent(self.calls)
        )];
        let mut executed = Vec::new();
        for side in &self.sides {
            if let Some(share) = side.executed {
                let calls = units::format_percent(share.calls);
                executed.push(format!("{} {calls} of the calls{}", side.target, time_in_words(share.time)));
            }
        }
        if !executed.is_empty() {
            sentences.push(format!("Executed and measured in a trial, of the capture: {}.", executed.join("; ")));
        }
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

fn time_in_words(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!(" and {} of the time", units::format_percent(share)))
}

fn failures_in_words(failures: &BTreeMap<String, u64>) -> String {
    if failures.is_empty() {
        return "none".to_owned();
    }
    failures.iter().map(|(sqlstate, count)| format!("{count} × {sqlstate}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use results::statement_latency::StatementLatency;
    use results::workload::{CapturedAmount, CapturedCalls, SentStatement, StatementKind};

    use super::*;

    fn fidelity(calls: f64, failed: u64, call_ms: [f64; 2]) -> ReplayFidelity {
        let failures = if failed > 0 { BTreeMap::from([("40001".to_owned(), failed)]) } else { BTreeMap::new() };
        ReplayFidelity {
            place: ComparisonPlace { workload: "peak".to_owned(), clients: 4.into() },
            calls,
            time: Some(0.999),
            covered: Some(0.99),
            captured_failures: BTreeMap::from([("23505".to_owned(), 3)]),
            sides: vec![ReplayedSide {
                target: "pg18".to_owned(),
                transactions: 1000,
                failures,
                executed: Some(ExecutedShare { calls: 0.97, time: Some(0.9) }),
            }],
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
                "Executed and measured in a trial, of the capture: pg18 97 % of the calls and 90 % of the time.",
                "Failures by SQLSTATE: capture: 3 × 23505; pg18: 1 × 40001 of 1000 transactions.",
                "A mean call took 0.40 ms on the server when it was captured, and takes 0.60 ms of a client in the \
                 replay on the baseline.",
            ]
        );
    }

    #[test]
    fn a_trial_has_executed_a_statement_as_often_as_the_capture_has_it_at_most() {
        let sent = |calls, busy_us| SentStatement {
            script: "001.sql".to_owned(),
            line: 1,
            kind: StatementKind::Sql,
            text: "SELECT".to_owned(),
            parameters: Vec::new(),
            variants: 1,
            captured: Some(CapturedCalls { fingerprint: format!("of {calls}"), calls, busy_us }),
        };
        let captured = CapturedAmount { transactions: 100, calls: 200, busy_us: 1_000 };
        let workload = WorkloadStatements {
            format: 1,
            workload: "peak".to_owned(),
            statements: vec![sent(100, 400), sent(60, 300)],
            captured: Some(CapturedLoad { captured, ..CapturedLoad::default() }),
        };
        let timed = |executions| StatementLatency { executions, failed: 0, retried: 0, latency: None };
        let latencies = StatementLatencies { format: 1, statements: vec![timed(50), timed(90)] };
        let share = executed_share(&workload, &latencies).expect("it is captured");
        assert_eq!(share, ExecutedShare { calls: 0.55, time: Some(0.5) });
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
