//! Costs of a transaction and the latencies that do not decide, of both sides block by block.

use std::collections::BTreeMap;

use results::trial::Trial;
use stats::holm;
use stats::verdict::{BetterDirection, Verdict};

use super::{FamilyCandidate, SecondaryRuling, rulings_of_family};
use crate::budget::TransactionResource;
use crate::compare::{ComparedSide, ComparisonPlace, Metric, Observations, PairJudgement, RunQuestion};
use crate::observed::Observed;
use crate::standby_lag::StandbyFigure;

/// What is compared beside the deciding metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComparedCost {
    /// A metric that does not decide at its place.
    Metric(Metric),
    /// What a transaction takes of the server besides time.
    Resource(TransactionResource),
    /// How far the standby that is read is behind.
    Standby(StandbyFigure),
}

/// The verdict on one cost of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedCost {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// What it is about.
    pub cost: ComparedCost,
    /// The verdict and its figures, in the unit of [`ComparedCost::unit`].
    pub ruling: SecondaryRuling,
}

/// The metrics that are judged beside the one that decides. Of few transactions p99.9 is their longest, so that one is
/// shown and not judged.
const METRICS: [Metric; 6] = [
    Metric::Throughput,
    Metric::StatementTime,
    Metric::LatencyMean,
    Metric::LatencyP50,
    Metric::LatencyP95,
    Metric::LatencyP99,
];

impl ComparedCost {
    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.name(),
            Self::Resource(resource) => resource.name(),
            Self::Standby(figure) => figure.figure_name(),
        }
    }

    /// The unit of its figures.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.unit(),
            Self::Resource(resource) => resource.unit(),
            Self::Standby(figure) => figure.unit_name(),
        }
    }

    fn better_direction(self) -> BetterDirection {
        match self {
            Self::Metric(metric) => metric.better_direction(),
            Self::Resource(_) | Self::Standby(_) => BetterDirection::Lower,
        }
    }

    /// Of one trial; a resource of which a transaction takes hardly anything counts as the least that matters, so that
    /// nothing can stand beside something.
    fn figure_of_trial(self, observed: &Observed, trial: &Trial) -> Option<f64> {
        match self {
            Self::Metric(metric) => metric.figure_of_trial(trial),
            Self::Resource(resource) => {
                let watched = observed.watched.get(&trial.number)?;
                if watched.has_others_at_work() {
                    return None;
                }
                Some(resource.amount_per_transaction(watched)?.max(resource.least_relevant_amount()))
            }
            Self::Standby(figure) => {
                let mean = figure.mean_of_trial(observed.watched.get(&trial.number)?)?;
                Some(mean.max(figure.least_relevant_amount()))
            }
        }
    }

    /// Whether a side takes so little of it that it does not matter.
    pub(crate) fn is_nothing(self, figure: f64) -> bool {
        let least = match self {
            Self::Metric(_) => return false,
            Self::Resource(resource) => resource.least_relevant_amount(),
            Self::Standby(of_standby) => of_standby.least_relevant_amount(),
        };
        figure <= least * 1.000_001
    }
}

/// Every cost of every pair, one family.
pub(super) fn judge_costs(
    observed: &Observed,
    question: &RunQuestion,
    observations: &Observations<'_>,
    pairs: &[&PairJudgement],
    threshold: f64,
) -> Vec<JudgedCost> {
    let rule = question.blocks.stopping_rule();
    let (mut named, mut candidates) = (Vec::new(), Vec::new());
    for pair in pairs {
        let sides = [&question.baseline, &pair.candidate].map(|target| ComparedSide::main(target));
        for cost in costs_beside_metric(pair.deciding_metric()) {
            let by_block = sides.each_ref().map(|side| cost_by_block(observed, observations, &pair.place, side, cost));
            let figures = of_both(&by_block);
            let level = rule.level_at(figures.len());
            let Some(candidate) = FamilyCandidate::from_pairs(&figures, level, threshold, cost.better_direction())
            else {
                continue;
            };
            if !candidate.sides.iter().all(|figure| cost.is_nothing(*figure)) {
                named.push((*pair, cost));
                candidates.push(candidate);
            }
        }
    }
    let rulings = named.into_iter().zip(rulings_of_family(candidates, holm::adjust_holm));
    let mut judged: Vec<JudgedCost> = rulings
        .map(|((pair, cost), ruling)| JudgedCost {
            candidate: pair.candidate.clone(),
            place: pair.place.clone(),
            cost,
            ruling,
        })
        .collect();
    for pair in pairs {
        let mut of_pair: Vec<&mut JudgedCost> =
            judged.iter_mut().filter(|one| one.candidate == pair.candidate && one.place == pair.place).collect();
        weigh_blocks_by_cpu_time(&mut of_pair, threshold);
    }
    judged
}

/// Accessing a block takes CPU time, which is judged as well: where that is known to rise by less than the threshold,
/// the number of accesses is no cost that could fail a run.
fn weigh_blocks_by_cpu_time(of_pair: &mut [&mut JudgedCost], threshold: f64) {
    let cpu_time = of_pair.iter().find(|one| one.cost == ComparedCost::Resource(TransactionResource::CpuTime));
    let rise = cpu_time.and_then(|one| one.ruling.change);
    if !rise.is_some_and(|rise| rise.interval.high < threshold) {
        return;
    }
    for one in of_pair.iter_mut().filter(|one| one.cost == ComparedCost::Resource(TransactionResource::Blocks)) {
        one.ruling.is_beyond &= one.ruling.verdict != Verdict::Regressed;
    }
}

/// What is judged beside the metric that decides.
fn costs_beside_metric(deciding: Metric) -> impl Iterator<Item = ComparedCost> {
    let metrics = METRICS.into_iter().filter(move |metric| *metric != deciding).map(ComparedCost::Metric);
    let resources = TransactionResource::ALL.into_iter().map(ComparedCost::Resource);
    metrics.chain(resources).chain(StandbyFigure::ALL.into_iter().map(ComparedCost::Standby))
}

fn cost_by_block(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
    cost: ComparedCost,
) -> BTreeMap<u32, f64> {
    let mut by_block = BTreeMap::new();
    for (block, trial) in observations.usable_trials(place, side) {
        if let Some(figure) = cost.figure_of_trial(observed, trial).filter(|figure| *figure > 0.0) {
            by_block.insert(block, figure);
        }
    }
    by_block
}

/// The figures of the blocks that both sides have.
fn of_both([baseline, candidate]: &[BTreeMap<u32, f64>; 2]) -> Vec<[f64; 2]> {
    baseline.iter().filter_map(|(block, figure)| Some([*figure, *candidate.get(block)?])).collect()
}

#[cfg(test)]
mod tests {
    use stats::{ClosedInterval, Estimate};

    use super::*;

    fn judged_cost(resource: TransactionResource, change: [f64; 3], verdict: Verdict) -> JudgedCost {
        let [low, point, high] = change;
        let change = Some(Estimate { point, interval: ClosedInterval { low, high }, n: 5 });
        let ruling =
            SecondaryRuling { sides: [1.0; 2], change, better: BetterDirection::Lower, verdict, is_beyond: true };
        let place = ComparisonPlace { workload: "w".to_owned(), clients: 1.into() };
        JudgedCost { candidate: "b".to_owned(), place, cost: ComparedCost::Resource(resource), ruling }
    }

    #[test]
    fn blocks_fail_a_run_only_where_their_cpu_time_may_have_risen() {
        let (worse, better) = (Verdict::Regressed, Verdict::Improved);
        let cases = [
            ([-0.6, -0.5, -0.4], worse, false),
            ([0.0, 0.1, 0.19], worse, false),
            ([0.0, 0.1, 0.21], worse, true),
            ([-0.6, -0.5, -0.4], better, true),
        ];
        for (cpu_time, verdict, expected) in cases {
            let mut cpu_time = judged_cost(TransactionResource::CpuTime, cpu_time, better);
            let mut blocks = judged_cost(TransactionResource::Blocks, [1.9, 2.0, 2.1], verdict);
            let mut read = judged_cost(TransactionResource::Wal, [1.9, 2.0, 2.1], worse);
            weigh_blocks_by_cpu_time(&mut [&mut blocks, &mut cpu_time, &mut read], 0.2);
            assert_eq!((blocks.ruling.is_beyond, read.ruling.is_beyond), (expected, true), "{cpu_time:?}");
        }
        let mut alone = judged_cost(TransactionResource::Blocks, [1.9, 2.0, 2.1], worse);
        weigh_blocks_by_cpu_time(&mut [&mut alone], 0.2);
        assert!(alone.ruling.is_beyond, "nobody knows the CPU time");
    }
}
