//! One candidate against the baseline at one place: every metric, block by block.

use std::collections::{BTreeMap, BTreeSet};

use results::trial::Trial;
use stats::paired::{MetricPair, PairedChange, paired_change};
use stats::positive::{geometric_mean, geometric_mean_estimate, is_known_change};
use stats::stopping::{FEWEST_BLOCKS, StoppingDecision, StoppingRule};
use stats::verdict::{BetterDirection, Verdict, judge_change};
use stats::{ConfidenceLevel, Estimate};

use super::diluted::Diluted;
use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Excluded, Observations};
use super::question::RunQuestion;
use crate::failures::{FailureComparison, FailureVerdict, compare_failures, firm_verdicts};

/// The judgement on one pair of cells.
#[derive(Debug, Clone)]
pub struct PairJudgement {
    /// The target that it is compared with: the run's baseline, or the one that the plan names beside it.
    pub baseline: String,
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Every metric, the one that decides first.
    pub metrics: Vec<MetricJudgement>,
    /// The deciding metric of both sides that are not paired, each the geometric mean of its figures, of which one is
    /// enough. Of pairs, that of the only side whose figures count.
    pub points: [Option<f64>; 2],
    /// The deciding metric of both sides, block by block.
    pub blocks: Vec<BlockPoint>,
    /// Trials of either side whose figures do not count.
    pub excluded: Vec<Excluded>,
    /// What became of the transactions of both sides; absent while a side has no trial that tells.
    pub failures: Option<FailureComparison>,
    /// Why the change is shown smaller than it is; absent where nothing says so.
    pub diluted: Option<Diluted>,
    /// p value of "the deciding metric is unchanged", for the family of all pairs; absent without an interval.
    pub p_value: Option<f64>,
}

impl PairJudgement {
    /// The metric that decides.
    pub fn deciding_metric(&self) -> Metric {
        self.metrics[0].metric
    }

    /// The verdict on the deciding metric, which is the verdict on the pair.
    pub fn verdict(&self) -> Verdict {
        self.metrics[0].verdict
    }

    /// What the failures of both sides say.
    pub fn failure_verdict(&self) -> FailureVerdict {
        self.failures.as_ref().map_or(FailureVerdict::NoSureDifference, |failures| failures.verdict)
    }

    /// Whether both sides complete transactions.
    pub fn works_on_both_sides(&self) -> bool {
        !matches!(self.overall_conclusion(), Conclusion::Broken | Conclusion::DoesNotWork)
    }

    /// The verdict on the pair from all that decides: its figures, and its failures.
    pub fn overall_conclusion(&self) -> Conclusion {
        match (self.failure_verdict(), self.verdict()) {
            (FailureVerdict::Broken, _) => Conclusion::Broken,
            (FailureVerdict::NeitherWorks, _) => Conclusion::DoesNotWork,
            (FailureVerdict::More, _) => Conclusion::Verdict(Verdict::Regressed),
            (FailureVerdict::BaselineBroken | FailureVerdict::Fewer, Verdict::Regressed) => {
                Conclusion::Verdict(Verdict::Regressed)
            }
            (FailureVerdict::BaselineBroken | FailureVerdict::Fewer, _) => Conclusion::Verdict(Verdict::Improved),
            (FailureVerdict::NoSureDifference, verdict) => Conclusion::Verdict(verdict),
        }
    }

    /// The change of the deciding metric.
    pub fn deciding_change(&self) -> Option<Estimate> {
        self.metrics[0].change
    }

    /// Whether there is a change of which neither direction nor order of magnitude is known.
    pub fn is_change_unknown(&self) -> bool {
        self.metrics[0].is_change_unknown()
    }

    /// The change without an interval, of sides that are not paired and one of which has a single figure.
    pub fn change_alone(&self) -> Option<f64> {
        let [baseline, candidate] = self.points;
        self.deciding_change().is_none().then_some(candidate? / baseline? - 1.0)
    }

    /// The largest loss and the largest gain, as shares, that the interval leaves open; a negative loss is the smallest
    /// gain. None of fewer blocks than give a verdict, and of a change that is not known.
    pub fn left_open(&self) -> Option<[f64; 2]> {
        let interval = self.metrics[0].known_change().filter(|change| change.n >= FEWEST_BLOCKS)?.interval;
        Some(match self.deciding_metric().better_direction() {
            BetterDirection::Higher => [-interval.low, interval.high],
            BetterDirection::Lower => [interval.high, -interval.low],
        })
    }
}

/// Leaves to each pair what stands of its failures beside those of all others.
pub(super) fn firm_failures(pairs: &mut [PairJudgement]) {
    let verdicts = firm_verdicts(&pairs.iter().map(|pair| pair.failures.as_ref()).collect::<Vec<_>>());
    for (pair, verdict) in pairs.iter_mut().zip(verdicts) {
        if let Some(failures) = &mut pair.failures {
            failures.verdict = verdict;
        }
    }
}

/// What is concluded of a pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Conclusion {
    /// The candidate completes practically nothing of what the baseline completes.
    Broken,
    /// Neither side completes anything.
    DoesNotWork,
    /// Both sides work: that on their figures, or on their failures where these are worse, or alone better.
    Verdict(Verdict),
}

/// One metric of a pair.
#[derive(Debug, Clone)]
pub struct MetricJudgement {
    /// Which.
    pub metric: Metric,
    /// The baseline's level, in the metric's unit: over the blocks of the change where there is one, so that the ratio
    /// of the two levels is the change; else over its own trials.
    pub baseline: Option<Estimate>,
    /// The candidate's.
    pub candidate: Option<Estimate>,
    /// The figure of the only trial of the baseline and of the candidate: without an interval, and absent where there
    /// are several.
    pub of_only_trials: [Option<f64>; 2],
    /// candidate / baseline − 1.
    pub change: Option<Estimate>,
    /// What the change says.
    pub verdict: Verdict,
}

impl MetricJudgement {
    /// The change, as far as its interval tells a direction or an order of magnitude.
    pub fn known_change(&self) -> Option<Estimate> {
        self.change.filter(is_known_change)
    }

    /// The level of a side (0 the baseline): over its trials, else the figure of its only one.
    pub fn level_of_side(&self, side: usize) -> Option<f64> {
        [self.baseline, self.candidate][side].map(|estimate| estimate.point).or(self.of_only_trials[side])
    }

    /// The change without an interval, where a side has one trial.
    pub fn change_alone(&self) -> Option<f64> {
        let [baseline, candidate] = [0, 1].map(|side| self.level_of_side(side));
        self.change.is_none().then_some(candidate? / baseline? - 1.0)
    }

    /// Whether there is a change whose interval tells neither.
    pub fn is_change_unknown(&self) -> bool {
        self.change.is_some() && self.known_change().is_none()
    }

    /// The same where no number of blocks like those that were made would settle it, since their figures do not count.
    fn without_forecast(&mut self) {
        if let Verdict::NotEnoughData { more_blocks, .. } = &mut self.verdict {
            *more_blocks = None;
        }
    }
}

/// The deciding metric of both sides in one block.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockPoint {
    /// The block.
    pub block: u32,
    /// Trial numbers, baseline and candidate.
    pub trials: [u32; 2],
    /// Figures in the metric's unit, baseline and candidate.
    pub figures: [f64; 2],
    /// candidate / baseline − 1.
    pub change: f64,
    /// Whether it stands apart from the other blocks.
    pub outlying: bool,
    /// The change over all blocks but this one.
    pub change_without: Option<f64>,
}

/// Judges `candidate` against `baseline` at `place` from the blocks in which both sides were measured.
pub(super) fn judge_pair(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    [baseline, candidate]: [&ComparedSide; 2],
) -> PairJudgement {
    let sides = [baseline, candidate].map(|side| observations.usable_trials(place, side));
    let all = observations.metrics_at_place(question, place);
    let mut metrics: Vec<MetricJudgement> = all
        .iter()
        .copied()
        .map(|metric| {
            let estimates = [baseline, candidate].map(|side| observations.estimate_at_place(place, side, metric));
            judge_metric(question, rule, observations, metric, estimates, sides.each_ref())
        })
        .collect();
    let deciding = pairs_by_block(observations, all[0], sides.each_ref());
    let one_works = sides[0].is_empty() != sides[1].is_empty();
    let paired = change_over_blocks(rule, &deciding);
    let mut excluded = observations.excluded_trials(place, baseline);
    excluded.extend(observations.excluded_trials(place, candidate));
    if deciding.len() < FEWEST_BLOCKS && !excluded.is_empty() {
        metrics.iter_mut().for_each(MetricJudgement::without_forecast);
    }
    let level = Some(rule.level_at(blocks_executed(observations, place, [baseline, candidate])));
    let failures = compare_failures(question, observations, place, [baseline, candidate], level);
    PairJudgement {
        baseline: baseline.target.clone(),
        candidate: candidate.target.clone(),
        place: place.clone(),
        metrics,
        points: if one_works { points_alone(observations, all[0], sides.each_ref()) } else { [None; 2] },
        blocks: block_points(&deciding, paired.as_ref(), &sides),
        excluded,
        failures,
        diluted: None,
        p_value: paired.and_then(|p| stats::holm::p_value(&p.log_ratios(), rule.level_at(deciding.len()))),
    }
}

/// A metric of each side over its own trials.
fn points_alone(observations: &Observations<'_>, metric: Metric, sides: [&Trials<'_>; 2]) -> [Option<f64>; 2] {
    sides.map(|trials| {
        let figures: Vec<f64> =
            trials.values().filter_map(|trial| observations.figure_of_trial(metric, trial)).collect();
        geometric_mean(&figures)
    })
}

/// Blocks in which both sides have trials, whether or not their figures count.
fn blocks_executed(observations: &Observations<'_>, place: &ComparisonPlace, sides: [&ComparedSide; 2]) -> usize {
    let [one, other] = sides.map(|side| observations.executed_trials(place, side).map(|trial| trial.block).collect());
    let (one, other): (BTreeSet<u32>, BTreeSet<u32>) = (one, other);
    one.intersection(&other).count()
}

/// Whether more blocks are wanted for this pair: the plan's stopping rule on the deciding metric of the blocks so far.
pub(super) fn decide_on_more_blocks(
    metric: Metric,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    sides: [&ComparedSide; 2],
) -> StoppingDecision {
    let sides = sides.map(|side| observations.usable_trials(place, side));
    let log_ratios = stats::paired::log_ratios(&pairs_by_block(observations, metric, sides.each_ref()))
        .expect("usable trials have positive figures");
    rule.decide_after_blocks(&log_ratios)
}

type Trials<'a> = BTreeMap<u32, &'a Trial>;

/// Judges one metric of two sides; `alone` are the levels of either side by itself, for sides without a change.
pub(super) fn judge_metric(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    metric: Metric,
    alone: [Option<Estimate>; 2],
    sides: [&Trials<'_>; 2],
) -> MetricJudgement {
    let pairs = pairs_by_block(observations, metric, sides);
    let paired = change_over_blocks(rule, &pairs);
    let [baseline, candidate] = if paired.is_some() { levels_of_pairs(&pairs) } else { alone };
    let verdict = match &paired {
        Some(paired) => judge_change(&paired.change, &paired.spread, question.threshold, metric.better_direction()),
        None => Verdict::without_interval(pairs.len()),
    };
    let of_only_trials = sides.map(|trials| {
        let only = trials.values().next().filter(|_| trials.len() == 1)?;
        observations.figure_of_trial(metric, only)
    });
    MetricJudgement { metric, baseline, candidate, of_only_trials, change: paired.map(|p| p.change), verdict }
}

/// The level of either side over the same blocks.
fn levels_of_pairs(pairs: &[MetricPair]) -> [Option<Estimate>; 2] {
    let baseline: Vec<f64> = pairs.iter().map(|pair| pair.baseline).collect();
    let candidate: Vec<f64> = pairs.iter().map(|pair| pair.candidate).collect();
    [geometric_mean_estimate(&baseline), geometric_mean_estimate(&candidate)]
}

fn pairs_by_block(
    observations: &Observations<'_>,
    metric: Metric,
    [baseline, candidate]: [&Trials<'_>; 2],
) -> Vec<MetricPair> {
    baseline
        .iter()
        .filter_map(|(block, trial)| {
            Some(MetricPair {
                block: *block,
                baseline: observations.figure_of_trial(metric, trial)?,
                candidate: observations.figure_of_trial(metric, candidate.get(block)?)?,
            })
        })
        .collect()
}

fn change_over_blocks(rule: &StoppingRule, pairs: &[MetricPair]) -> Option<PairedChange> {
    let level: ConfidenceLevel = rule.level_at(pairs.len());
    // A latency percentile of 0 cannot be on a logarithmic scale; such a metric has no change.
    paired_change(pairs, level).ok()
}

fn block_points(pairs: &[MetricPair], paired: Option<&PairedChange>, sides: &[Trials<'_>; 2]) -> Vec<BlockPoint> {
    pairs
        .iter()
        .enumerate()
        .map(|(index, pair)| {
            let influence = paired.map(|p| &p.blocks[index]);
            BlockPoint {
                block: pair.block,
                trials: sides.each_ref().map(|trials| trials[&pair.block].number),
                figures: [pair.baseline, pair.candidate],
                change: pair.candidate / pair.baseline - 1.0,
                outlying: influence.is_some_and(|i| i.outlying),
                change_without: influence.and_then(|i| i.without).map(|estimate| estimate.point),
            }
        })
        .collect()
}
