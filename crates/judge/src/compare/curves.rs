//! The curve of a capacity: p99 against the offered rate, every step of every search of one target.

use results::trial::{Role, Trial, TrialOutcome};
use stats::Estimate;

use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::question::RunQuestion;
use super::search;

/// One target's steps at one place.
#[derive(Debug, Clone)]
pub struct CapacityCurve {
    /// The target.
    pub target: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The limit of p99, in milliseconds.
    pub limit_ms: f64,
    /// The capacity over the blocks, in transactions per second; absent with fewer than two searches that found one.
    pub capacity_per_s: Option<Estimate>,
    /// Every step, by rate.
    pub points: Vec<CurvePoint>,
}

/// One step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// The trial.
    pub trial: u32,
    /// The block.
    pub block: u32,
    /// Transactions per second that were offered.
    pub rate_per_s: f64,
    /// 99th percentile of latency, in milliseconds; absent when nothing was completed.
    pub p99_ms: Option<f64>,
    /// Whether it kept the limit.
    pub held: bool,
}

/// The curves of all targets, the baseline first.
pub(super) fn curves_of_targets(
    question: &RunQuestion,
    observations: &Observations<'_>,
    trials: &[Trial],
) -> Vec<CapacityCurve> {
    let mut curves = Vec::new();
    for place in observations.places_in_order() {
        let Some(search) = question.load_loop(&place.workload).capacity_search() else { continue };
        for target in question.all_targets() {
            let here = trials.iter().filter(|trial| {
                trial.outcome == TrialOutcome::Completed
                    && trial.role == Role::Main
                    && trial.cell.target == *target
                    && ComparisonPlace::from_cell(&trial.cell) == place
            });
            let mut points: Vec<CurvePoint> = here
                .filter_map(|trial| {
                    Some(CurvePoint {
                        trial: trial.number,
                        block: trial.block,
                        rate_per_s: trial.step?.rate_per_s,
                        p99_ms: Metric::LatencyP99.figure_of_trial(trial),
                        held: search::is_limit_kept(search, trial),
                    })
                })
                .collect();
            points.sort_by(|one, other| one.rate_per_s.total_cmp(&other.rate_per_s));
            curves.push(CapacityCurve {
                target: target.clone(),
                place: place.clone(),
                limit_ms: search.p99.as_secs_f64() * 1e3,
                capacity_per_s: observations.estimate_at_place(&place, &ComparedSide::main(target), Metric::Capacity),
                points,
            });
        }
    }
    curves
}
