//! A captured load, statement by statement: what the capture says of each, and the database time of a trial. Judges
//! from observations only: no files, no clock.

use std::collections::BTreeMap;

use results::statement_latency::StatementLatencies;
use results::workload::{StatementKind, WorkloadStatements};

/// A statement of a captured load: all its places in scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FingerprintedStatement<'a> {
    /// Its fingerprint.
    pub(crate) fingerprint: &'a str,
    /// Its places, the one with most calls first.
    pub(crate) places: Vec<CapturedPlace>,
}

/// A statement of one script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CapturedPlace {
    /// Its number in the workload.
    pub(crate) number: usize,
    /// How often the capture has it.
    pub(crate) calls: u64,
    /// The server's time for these calls in the capture, in microseconds.
    pub(crate) busy_us: u64,
}

impl FingerprintedStatement<'_> {
    /// The numbers of its places in the workload.
    pub(crate) fn statement_numbers(&self) -> Vec<usize> {
        self.places.iter().map(|place| place.number).collect()
    }
}

/// The statements of a captured load by fingerprint, in the order of their first places; none of other workloads.
pub(crate) fn captured_statements(workload: &WorkloadStatements) -> Vec<FingerprintedStatement<'_>> {
    let mut statements: Vec<FingerprintedStatement<'_>> = Vec::new();
    let mut places_in_list: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, sent) in workload.statements.iter().enumerate() {
        let Some(captured) = sent.captured.as_ref().filter(|_| sent.kind == StatementKind::Sql) else { continue };
        let place = CapturedPlace { number, calls: captured.calls, busy_us: captured.busy_us };
        match places_in_list.get(captured.fingerprint.as_str()) {
            Some(known) => statements[*known].places.push(place),
            None => {
                places_in_list.insert(&captured.fingerprint, statements.len());
                statements.push(FingerprintedStatement { fingerprint: &captured.fingerprint, places: vec![place] });
            }
        }
    }
    for statement in &mut statements {
        statement.places.sort_by_key(|place| std::cmp::Reverse(place.calls));
    }
    statements
}

/// What the database time at a place is made of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DatabaseTimes {
    /// The database time of each usable trial of the place, by trial number: milliseconds for all calls of the capture.
    pub(crate) ms_by_trial: BTreeMap<u32, f64>,
    /// The share of the capture's calls that it covers, 0 to 1: those of statements that every trial has executed.
    pub(crate) covered_calls: f64,
}

/// The database times of the trials of a place, each with its number: Σ captured calls × mean time over the statements
/// that all of these trials have executed, so that sides and blocks are about the same statements. Nothing of a
/// workload that is not captured.
pub(crate) fn database_times(workload: &WorkloadStatements, trials: &[(u32, &StatementLatencies)]) -> DatabaseTimes {
    let mut places: Vec<CapturedPlace> =
        captured_statements(workload).into_iter().flat_map(|statement| statement.places).collect();
    let all_calls: u64 = places.iter().map(|place| place.calls).sum();
    let timed: Vec<_> =
        trials.iter().filter(|(_, latencies)| latencies.statements.len() == workload.statements.len()).collect();
    if timed.is_empty() || all_calls == 0 {
        return DatabaseTimes::default();
    }
    places.retain(|place| timed.iter().all(|(_, latencies)| latencies.statements[place.number].all_ns() > 0.0));
    let covered: u64 = places.iter().map(|place| place.calls).sum();
    let mut times = DatabaseTimes { covered_calls: covered as f64 / all_calls as f64, ms_by_trial: BTreeMap::new() };
    for (number, latencies) in timed {
        let mut ms = 0.0;
        for place in &places {
            let statement = &latencies.statements[place.number];
            ms += place.calls as f64 * statement.all_ns() / statement.executions as f64 / 1e6;
        }
        if ms > 0.0 {
            times.ms_by_trial.insert(*number, ms);
        }
    }
    times
}

#[cfg(test)]
mod tests {
    use results::statement_latency::StatementLatency;
    use results::trial::LatencySummary;
    use results::workload::{CapturedCalls, SentStatement};

    use super::*;

    fn sent(fingerprint: &str, calls: u64) -> SentStatement {
        SentStatement {
            script: "001.sql".to_owned(),
            line: 1,
            kind: StatementKind::Sql,
            text: "SELECT".to_owned(),
            parameters: Vec::new(),
            variants: 1,
            captured: Some(CapturedCalls { fingerprint: fingerprint.to_owned(), calls, busy_us: 0 }),
        }
    }

    fn timed(each: &[(u64, f64)]) -> StatementLatencies {
        let mut statements = Vec::new();
        for (executions, ms) in each {
            let mean_ns = ms * 1e6;
            let latency = LatencySummary {
                mean_ns,
                stddev_ns: 0.0,
                min_ns: 0,
                p50_ns: 0,
                p95_ns: 0,
                p99_ns: 0,
                p999_ns: 0,
                max_ns: 0,
            };
            let latency = (*executions > 0).then_some(latency);
            statements.push(StatementLatency { executions: *executions, failed: 0, retried: 0, latency });
        }
        StatementLatencies { format: 1, statements }
    }

    #[test]
    fn database_time_weighs_statements_by_captured_calls_and_leaves_out_what_a_trial_has_not_executed() {
        let workload = WorkloadStatements {
            format: 1,
            workload: "peak".to_owned(),
            statements: vec![sent("a", 100), sent("b", 10), sent("a", 900), sent("c", 90)],
            captured: None,
        };
        let one = timed(&[(5, 2.0), (1, 30.0), (50, 1.0), (0, 0.0)]);
        let other = timed(&[(9, 2.0), (2, 40.0), (7, 1.5), (3, 7.0)]);
        let times = database_times(&workload, &[(1, &one), (2, &other)]);
        assert_eq!(times.ms_by_trial, BTreeMap::from([(1, 1400.0), (2, 1950.0)]));
        assert!((times.covered_calls - 1010.0 / 1100.0).abs() < 1e-9);
        let statements = captured_statements(&workload);
        let found: Vec<(&str, Vec<usize>)> =
            statements.iter().map(|it| (it.fingerprint, it.statement_numbers())).collect();
        assert_eq!(found, [("a", vec![2, 0]), ("b", vec![1]), ("c", vec![3])]);
    }
}
