//! How far the latencies of a target lie apart at each place, and how long its clients took to connect: figures that
//! are told and not compared.

use results::trial::Trial;
use stats::Estimate;
use stats::positive::{non_negative_mean, non_negative_mean_estimate};

use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::question::RunQuestion;

/// A figure over the trials of a target at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OverTrials {
    /// Its level: the geometric mean, or the arithmetic one where a trial has zero.
    pub mean: f64,
    /// The same with its interval; absent of a single trial.
    pub estimate: Option<Estimate>,
    /// Trials that tell it.
    pub trials: usize,
}

/// One target at one place.
#[derive(Debug, Clone)]
pub struct TargetSpread {
    /// The target.
    pub target: String,
    /// The workload and the clients.
    pub place: ComparisonPlace,
    /// Mean latency.
    pub latency_mean_ms: Option<OverTrials>,
    /// Standard deviation of the latency over the transactions of a trial.
    pub latency_stddev_ms: Option<OverTrials>,
    /// The time in which all clients were connected before a trial's load.
    pub connected_ms: Option<OverTrials>,
}

/// Every target at every place of which one of the two is known, the baseline first.
pub(super) fn spreads_of_targets(question: &RunQuestion, observations: &Observations<'_>) -> Vec<TargetSpread> {
    let mut spreads = Vec::new();
    for place in observations.places_in_order() {
        for target in question.all_targets() {
            let trials = observations.usable_trials(&place, &ComparedSide::main(target));
            let trials: Vec<&Trial> = trials.values().copied().collect();
            spreads.push(TargetSpread {
                target: target.clone(),
                place: place.clone(),
                latency_mean_ms: over_trials(&figures_of_trials(&trials, |trial| {
                    Metric::LatencyMean.figure_of_trial(trial)
                })),
                latency_stddev_ms: over_trials(&figures_of_trials(&trials, latency_stddev_ms)),
                connected_ms: over_trials(&figures_of_trials(&trials, connected_ms)),
            });
        }
    }
    spreads.retain(|one| one.latency_stddev_ms.is_some() || one.connected_ms.is_some());
    spreads
}

fn figures_of_trials(trials: &[&Trial], read: fn(&Trial) -> Option<f64>) -> Vec<f64> {
    trials.iter().filter_map(|trial| read(trial)).collect()
}

fn over_trials(figures: &[f64]) -> Option<OverTrials> {
    let mean = non_negative_mean(figures)?;
    Some(OverTrials { mean, estimate: non_negative_mean_estimate(figures), trials: figures.len() })
}

fn latency_stddev_ms(trial: &Trial) -> Option<f64> {
    let ns = match (&trial.load, &trial.told) {
        (Some(load), _) => load.latency.as_ref().map(|latency| latency.stddev_ns),
        (None, told) => told.as_ref()?.latency.stddev_ns,
    };
    Some(ns? / 1e6)
}

fn connected_ms(trial: &Trial) -> Option<f64> {
    match (&trial.load, &trial.told) {
        (Some(load), _) => Some(load.connected_us? as f64 / 1e3),
        (None, told) => Some(told.as_ref()?.connecting_ns? / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use results::told::{LatencySpread, StatedFigures, ToldLatency};
    use serde_json::json;

    use super::*;

    fn trial(load: serde_json::Value) -> Trial {
        let mut trial = json!({
            "format": 4, "number": 1, "block": 1, "cell": { "target": "old", "workload": "read", "clients": 8 },
            "role": "main", "outcome": { "state": "completed" }, "preparation": [], "finishing": [], "settings": {},
            "phases": [], "incidents": [],
        });
        trial["load"] = load;
        serde_json::from_value(trial).expect("a trial")
    }

    #[test]
    fn a_single_trial_has_a_mean_without_an_interval_and_no_trial_has_nothing() {
        assert_eq!(over_trials(&[]), None);
        assert_eq!(over_trials(&[3.0]), Some(OverTrials { mean: 3.0, estimate: None, trials: 1 }));
        let two = over_trials(&[2.0, 8.0]).expect("a mean");
        assert!((two.mean - 4.0).abs() < 1e-9 && two.trials == 2, "{two:?}");
        assert_eq!(two.estimate.map(|estimate| estimate.point), Some(two.mean));
    }

    #[test]
    fn what_another_tool_told_counts_where_pgdyno_measured_nothing() {
        let spread = LatencySpread { stddev_ns: Some(2e6), ..LatencySpread::default() };
        let latency = ToldLatency::with_spread(None, spread);
        let mut told = StatedFigures { latency, ..StatedFigures::default() };
        told.connecting_ns = Some(7e6);
        let told = Trial { told: Some(told), ..trial(serde_json::Value::Null) };
        assert_eq!((latency_stddev_ms(&told), connected_ms(&told)), (Some(2.0), Some(7.0)));
        let neither = trial(serde_json::Value::Null);
        assert_eq!((latency_stddev_ms(&neither), connected_ms(&neither)), (None, None));
    }

    #[test]
    fn a_run_of_before_the_time_to_connect_was_kept_has_none() {
        let load = json!({
            "measure_us": 1_000_000, "transactions": 1, "failed": 0, "unknown": 0, "scripts": {},
            "latency": { "mean_ns": 1e6, "stddev_ns": 5e5, "min_ns": 1, "p50_ns": 1, "p95_ns": 1, "p99_ns": 1,
                         "p999_ns": 1, "max_ns": 1 },
            "engine": { "backend": "epoll", "threads": 1, "cpu_us": 1, "busiest_thread": 0.5, "loop_lag_ns_max": 1 },
        });
        let before = trial(load.clone());
        assert_eq!((latency_stddev_ms(&before), connected_ms(&before)), (Some(0.5), None));
        let mut now = load;
        now["connected_us"] = json!(12_500);
        assert_eq!(connected_ms(&trial(now)), Some(12.5));
    }
}
