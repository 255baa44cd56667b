//! Budgets over blocks: each side's parts, and the change of each part from baseline to candidate with its interval.
//!
//! The whole is the mean latency that the comparison has of the pair, not another one: its two levels, and their change
//! in milliseconds, which has the sign of the change. The parts of a side are their means over the blocks with a
//! budget, all multiplied by one factor, so that they sum to that level.

use std::collections::{BTreeMap, BTreeSet};

use stats::divisia::{WholesWithPart, share_of_change};
use stats::estimate::mean_estimate_at;
use stats::positive::{difference_from_change, mean_of_part};
use stats::stopping::StoppingRule;
use stats::{ClosedInterval, ConfidenceLevel, Estimate};

use super::of_trial::{Budget, in_part};
use super::part::BudgetPart;
use crate::account::is_as_good_as_none;
use crate::compare::MetricJudgement;

/// Parts below this share of the larger latency, and whose change is below it, are shown together.
const SMALL: f64 = 0.005;

/// The budgets of two sides at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Waterfall {
    /// Part by part, in the order of a transaction's way.
    pub steps: Vec<WaterfallStep>,
    /// The whole: the mean latency of the comparison.
    pub total: BudgetRow,
    /// Blocks in which both sides have a budget; the parts are of these.
    pub blocks: usize,
    /// Blocks of the comparison; the whole is of these.
    pub blocks_of_latency: usize,
}

/// One part's row.
#[derive(Debug, Clone, PartialEq)]
pub struct WaterfallStep {
    /// Which; several small ones are one.
    pub part: String,
    /// Its figures.
    pub row: BudgetRow,
    /// Its share of the change of the whole, by the logarithm as in [`stats::divisia`]: below 0 where it changes the
    /// other way. The shares of all steps sum to 1. Absent where the whole has no certain change.
    pub share_of_change: Option<f64>,
}

/// Milliseconds per transaction.
#[derive(Debug, Clone, PartialEq)]
pub struct BudgetRow {
    /// Of the baseline.
    pub baseline_ms: Estimate,
    /// Of the candidate.
    pub candidate_ms: Estimate,
    /// Candidate less baseline, block by block, at the level of the rule that ended the blocks. The parts' changes sum
    /// to the whole's.
    pub change_ms: Estimate,
}

impl BudgetRow {
    /// Candidate over baseline, with the interval of the change; none where one side has as good as none.
    pub fn ratio_estimate(&self) -> Option<Estimate> {
        let (baseline_ms, candidate_ms, change_ms) = (self.baseline_ms.point, self.candidate_ms.point, self.change_ms);
        if is_as_good_as_none(baseline_ms, candidate_ms) {
            return None;
        }
        let [point, low, high] = [change_ms.point, change_ms.interval.low, change_ms.interval.high]
            .map(|change| ((baseline_ms + change) / baseline_ms).max(0.0));
        Some(Estimate { point, interval: ClosedInterval { low, high }, n: change_ms.n })
    }

    /// Of the milliseconds of baseline and candidate in each block, with the change at a level. None: too few blocks.
    pub(crate) fn of_blocks(blocks: impl IntoIterator<Item = [f64; 2]>, level: ConfidenceLevel) -> Option<Self> {
        let (mut baseline, mut candidate, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for [baseline_ms, candidate_ms] in blocks {
            baseline.push(baseline_ms);
            candidate.push(candidate_ms);
            changes.push(candidate_ms - baseline_ms);
        }
        Some(Self {
            baseline_ms: mean_of_part(&baseline)?,
            candidate_ms: mean_of_part(&candidate)?,
            change_ms: mean_estimate_at(&changes, level)?,
        })
    }
}

/// A certain difference of less than this share of the latency is not felt.
const LEAST_OF_LATENCY: f64 = 0.01;

/// From this share of the change of the whole on, a part is told whether its own change is certain or not.
const SHARE_TOLD: f64 = 0.05;

impl Waterfall {
    /// The parts in which the change of the whole lies or that certainly differ, the largest share first.
    pub fn steps_of_change(&self) -> Vec<&WaterfallStep> {
        let total = &self.total;
        let felt_ms = LEAST_OF_LATENCY * total.baseline_ms.point.max(total.candidate_ms.point);
        let mut steps: Vec<&WaterfallStep> = self.steps.iter().collect();
        steps.retain(|step| {
            let change = &step.row.change_ms;
            let is_certain = !change.interval.contains(0.0) && change.point.abs() >= felt_ms;
            is_certain || step.share_of_change.is_some_and(|share| share.abs() >= SHARE_TOLD)
        });
        let is_less = total.change_ms.point < 0.0;
        steps.sort_by(|one, other| {
            let by_change = one.row.change_ms.point.total_cmp(&other.row.change_ms.point);
            if is_less { by_change } else { by_change.reverse() }
        });
        steps
    }
}

/// Compares the budgets of two sides, by block; `latency` is the judgement on their mean latency, `rule` says when
/// there were blocks enough. None: fewer than two blocks have both budgets, or the latency has no change.
pub(super) fn compare_budgets(
    baseline: &BTreeMap<u32, Budget>,
    candidate: &BTreeMap<u32, Budget>,
    latency: &MetricJudgement,
    rule: &StoppingRule,
) -> Option<Waterfall> {
    let pairs: Vec<[&Budget; 2]> =
        baseline.iter().filter_map(|(block, budget)| Some([budget, candidate.get(block)?])).collect();
    let total = mean_latency_row(latency)?;
    let sides = BudgetSides {
        scales: [to_level(&pairs, 0, total.baseline_ms.point)?, to_level(&pairs, 1, total.candidate_ms.point)?],
        level: rule.level_at(pairs.len()),
        pairs: &pairs,
    };
    let parts: BTreeSet<&BudgetPart> = pairs.iter().flatten().flat_map(|budget| budget.keys()).collect();
    let small_ms = SMALL * total.baseline_ms.point.max(total.candidate_ms.point);
    let (mut steps, mut small) = (Vec::new(), Vec::new());
    for part in parts {
        let step = sides.step_named(part.to_string(), &total, |budget| in_part(budget, part))?;
        let figures = [&step.row.baseline_ms, &step.row.candidate_ms, &step.row.change_ms];
        if matches!(part, BudgetPart::Waiting(_)) && figures.iter().all(|figure| figure.point.abs() < small_ms) {
            small.push(part);
        } else {
            steps.push(step);
        }
    }
    if !small.is_empty() {
        let name = format!("{} smaller waits", small.len());
        let step = sides.step_named(name, &total, |budget| small.iter().map(|part| in_part(budget, part)).sum())?;
        // Before what is unexplained, which stays last.
        let end = steps.iter().position(|step| step.part == BudgetPart::Unexplained.to_string()).unwrap_or(steps.len());
        steps.insert(end, step);
    }
    let blocks_of_latency = total.change_ms.n;
    Some(Waterfall { steps, total, blocks: pairs.len(), blocks_of_latency })
}

/// The time on a CPU of both sides, block by block.
#[derive(Debug, Clone, PartialEq)]
pub struct OnCpuByBlock {
    /// The part of the budget.
    pub part: BudgetPart,
    /// Milliseconds of baseline and candidate by block; their means are the part's row of the waterfall.
    pub ms: BTreeMap<u32, [f64; 2]>,
    /// Of the intervals of changes.
    pub level: ConfidenceLevel,
}

/// The time on a CPU of the same blocks as the [`compare_budgets`]; none where a budget does not have it.
pub(super) fn on_cpu_by_block(
    baseline: &BTreeMap<u32, Budget>,
    candidate: &BTreeMap<u32, Budget>,
    latency: &MetricJudgement,
    rule: &StoppingRule,
) -> Option<OnCpuByBlock> {
    let both = baseline.iter().filter_map(|(block, budget)| Some((*block, [budget, candidate.get(block)?])));
    let by_block: BTreeMap<u32, [&Budget; 2]> = both.collect();
    let pairs: Vec<[&Budget; 2]> = by_block.values().copied().collect();
    let total = mean_latency_row(latency)?;
    let scales = [to_level(&pairs, 0, total.baseline_ms.point)?, to_level(&pairs, 1, total.candidate_ms.point)?];
    let mut parts = [BudgetPart::Running, BudgetPart::OnCpu].into_iter();
    let part = parts.find(|part| pairs.iter().flatten().any(|budget| budget.contains_key(part)))?;
    let mut ms = BTreeMap::new();
    for (block, budgets) in &by_block {
        ms.insert(*block, [0, 1].map(|side| in_part(budgets[side], &part) * scales[side]));
    }
    Some(OnCpuByBlock { level: rule.level_at(pairs.len()), ms, part })
}

/// The mean latency of both sides, and its change in milliseconds.
fn mean_latency_row(latency: &MetricJudgement) -> Option<BudgetRow> {
    let (baseline_ms, candidate_ms) = (latency.baseline?, latency.candidate?);
    Some(BudgetRow {
        baseline_ms,
        candidate_ms,
        change_ms: difference_from_change(baseline_ms.point, &latency.change?),
    })
}

/// By what a side's parts are multiplied so that their means over the blocks sum to its level. None of nothing.
fn to_level(pairs: &[[&Budget; 2]], side: usize, level_ms: f64) -> Option<f64> {
    let sum_ms: f64 = pairs.iter().flat_map(|pair| pair[side].values()).sum();
    if sum_ms > 0.0 { Some(level_ms * pairs.len() as f64 / sum_ms) } else { None }
}

/// The budgets of both sides, block by block.
struct BudgetSides<'a> {
    pairs: &'a [[&'a Budget; 2]],
    /// By what either side's milliseconds are multiplied.
    scales: [f64; 2],
    /// Of the intervals of changes.
    level: ConfidenceLevel,
}

impl BudgetSides<'_> {
    /// A row over the blocks of what `ms` gives, with its share of the change of the whole.
    fn step_named(&self, part: String, total: &BudgetRow, ms: impl Fn(&Budget) -> f64) -> Option<WaterfallStep> {
        let (mut scaled, mut shares) = (Vec::new(), Vec::new());
        for pair in self.pairs {
            let part = pair.map(&ms);
            scaled.push([0, 1].map(|side: usize| part[side] * self.scales[side]));
            shares.push(WholesWithPart { whole: pair.map(|budget| budget.values().sum()), part });
        }
        let is_certain = !total.change_ms.interval.contains(0.0);
        Some(WaterfallStep {
            part,
            row: BudgetRow::of_blocks(scaled, self.level)?,
            share_of_change: if is_certain { share_of_change(&shares) } else { None },
        })
    }
}

#[cfg(test)]
mod tests {
    use results::activity::WaitEvent;
    use stats::paired::change_of_log_ratios;
    use stats::positive::geometric_mean_estimate;
    use stats::stopping::StoppingGoal;
    use stats::verdict::Verdict;

    use super::*;
    use crate::compare::Metric;

    fn rule() -> StoppingRule {
        StoppingRule::new(3, 10, StoppingGoal::Precision(0.02)).unwrap()
    }

    fn wait(event: &str) -> BudgetPart {
        BudgetPart::Waiting(WaitEvent { class: "LWLock".to_owned(), event: event.to_owned() })
    }

    fn blocks(parts: &[(BudgetPart, [f64; 3])]) -> BTreeMap<u32, Budget> {
        let budget = |block: usize| parts.iter().map(|(part, ms)| (part.clone(), ms[block])).collect();
        (0..3).map(|block| (block as u32 + 1, budget(block))).collect()
    }

    /// What the comparison says of the mean latency of these budgets, and of a side's further blocks.
    fn latency(
        baseline: &BTreeMap<u32, Budget>,
        candidate: &BTreeMap<u32, Budget>,
        rule: &StoppingRule,
        further: &[[f64; 2]],
    ) -> MetricJudgement {
        let whole = |budget: &Budget| budget.values().sum::<f64>();
        let mut pairs: Vec<[f64; 2]> =
            baseline.iter().filter_map(|(block, budget)| Some([whole(budget), whole(candidate.get(block)?)])).collect();
        pairs.extend(further);
        let side = |which: usize| geometric_mean_estimate(&pairs.iter().map(|pair| pair[which]).collect::<Vec<_>>());
        let logarithms: Vec<f64> = pairs.iter().map(|[one, other]| (other / one).ln()).collect();
        MetricJudgement {
            metric: Metric::LatencyMean,
            baseline: side(0),
            candidate: side(1),
            of_only_trials: [None, None],
            change: change_of_log_ratios(&logarithms, rule.level_at(pairs.len())),
            verdict: Verdict::SoFar,
        }
    }

    fn found(baseline: &BTreeMap<u32, Budget>, candidate: &BTreeMap<u32, Budget>) -> Option<Waterfall> {
        compare_budgets(baseline, candidate, &latency(baseline, candidate, &rule(), &[]), &rule())
    }

    fn is_sum(found: &Waterfall) {
        let sum = |of: fn(&BudgetRow) -> f64| found.steps.iter().map(|step| of(&step.row)).sum::<f64>();
        for of in [
            |row: &BudgetRow| row.baseline_ms.point,
            |row: &BudgetRow| row.candidate_ms.point,
            |row: &BudgetRow| row.change_ms.point,
        ] {
            assert!((sum(of) - of(&found.total)).abs() < 1e-9, "{found:?}");
        }
    }

    #[test]
    fn the_parts_changes_sum_to_the_whole_and_each_has_its_interval() {
        let baseline = blocks(&[(BudgetPart::OutsideServer, [1.0, 1.1, 0.9]), (BudgetPart::Running, [2.0, 2.0, 2.0])]);
        let candidate = blocks(&[(BudgetPart::OutsideServer, [1.5, 1.6, 1.4]), (BudgetPart::Running, [2.1, 1.9, 2.0])]);
        let found = found(&baseline, &candidate).unwrap();
        assert_eq!((found.blocks, found.blocks_of_latency), (3, 3));
        let change = |part: &str| &found.steps.iter().find(|step| step.part == part).unwrap().row.change_ms;
        assert!((change("outside the server").point - 0.5).abs() < 1e-3);
        assert!(change("outside the server").interval.low > 0.49, "it is the same in every block");
        assert!(change("on CPU").interval.low < 0.0 && change("on CPU").interval.high > 0.0);
        is_sum(&found);
    }

    #[test]
    fn whole_is_the_latency_of_the_comparison_and_its_sign_that_of_the_change() {
        // The arithmetic mean of the baseline is the larger one, its geometric mean the smaller.
        let baseline = blocks(&[(BudgetPart::OutsideServer, [0.5; 3]), (BudgetPart::Running, [0.5, 0.5, 39.5])]);
        let candidate = blocks(&[(BudgetPart::OutsideServer, [0.5; 3]), (BudgetPart::Running, [5.5, 6.5, 5.5])]);
        let latency = latency(&baseline, &candidate, &rule(), &[]);
        let found = compare_budgets(&baseline, &candidate, &latency, &rule()).unwrap();
        assert_eq!(Some(found.total.baseline_ms), latency.baseline);
        let (point, change) = (found.total.change_ms.point, latency.change.unwrap());
        assert!(point > 0.0 && change.point > 0.0, "{found:?}");
        assert_eq!(found.total.change_ms.interval.low > 0.0, change.interval.low > 0.0);
        is_sum(&found);
    }

    #[test]
    fn parts_of_fewer_blocks_sum_to_the_latency_of_all_blocks() {
        let baseline = blocks(&[(BudgetPart::OutsideServer, [1.0, 1.1, 0.9]), (BudgetPart::Running, [2.0; 3])]);
        let candidate = blocks(&[(BudgetPart::OutsideServer, [1.5, 1.6, 1.4]), (BudgetPart::Running, [2.0; 3])]);
        let latency = latency(&baseline, &candidate, &rule(), &[[9.0, 9.5]]);
        let found = compare_budgets(&baseline, &candidate, &latency, &rule()).unwrap();
        assert_eq!((found.blocks, found.blocks_of_latency), (3, 4));
        assert_eq!(Some(found.total.candidate_ms), latency.candidate);
        is_sum(&found);
    }

    #[test]
    fn no_bound_of_a_part_is_negative() {
        let baseline = blocks(&[(wait("WALWrite"), [0.0, 0.0, 3.0]), (BudgetPart::Running, [0.1, 9.0, 0.2])]);
        let found = found(&baseline, &baseline).unwrap();
        for row in found.steps.iter().map(|step| &step.row).chain([&found.total]) {
            let Estimate { point, interval, .. } = row.baseline_ms;
            assert!(interval.low >= 0.0 && interval.contains(point), "{row:?}");
        }
    }

    #[test]
    fn the_intervals_of_the_changes_are_at_the_level_of_the_rule() {
        let baseline = blocks(&[(BudgetPart::OutsideServer, [1.0; 3]), (BudgetPart::Running, [2.0, 2.0, 2.0])]);
        let candidate = blocks(&[(BudgetPart::OutsideServer, [1.0; 3]), (BudgetPart::Running, [2.1, 1.9, 2.3])]);
        let width = |rule: &StoppingRule| {
            let latency = latency(&baseline, &candidate, rule, &[]);
            let found = compare_budgets(&baseline, &candidate, &latency, rule).unwrap();
            found.steps[1].row.change_ms.interval.half_width()
        };
        let expected =
            |rule: &StoppingRule| mean_estimate_at(&[0.1, -0.1, 0.3], rule.level_at(3)).unwrap().interval.half_width();
        let fixed = StoppingRule::new(3, 3, StoppingGoal::Precision(0.02)).unwrap();
        let widths = width(&rule()) / width(&fixed) / (expected(&rule()) / expected(&fixed));
        assert!((widths - 1.0).abs() < 1e-9, "{widths}");
    }

    #[test]
    fn small_waits_are_one_row_and_what_is_unexplained_stays_last() {
        let sides = blocks(&[
            (BudgetPart::Running, [10.0; 3]),
            (wait("WALInsert"), [0.01; 3]),
            (wait("BufferMapping"), [0.02; 3]),
            (BudgetPart::Unexplained, [0.001; 3]),
        ]);
        let found = found(&sides, &sides).unwrap();
        let parts: Vec<&str> = found.steps.iter().map(|step| step.part.as_str()).collect();
        assert_eq!(parts, ["on CPU", "2 smaller waits", "unexplained"]);
    }

    #[test]
    fn without_a_block_in_common_there_is_nothing_to_compare() {
        let one = BTreeMap::from([(1, Budget::from([(BudgetPart::Running, 1.0)]))]);
        let other = BTreeMap::from([(2, Budget::from([(BudgetPart::Running, 1.0)]))]);
        assert_eq!(found(&one, &other), None);
    }
}
