//! Two sides that were not measured in the same blocks: every figure of one against every figure of the other. The
//! order of the figures says nothing, and changes nothing.

use stats::Estimate;
use stats::positive::geometric_mean;
use stats::unpaired::{UnpairedFigure, unpaired_change};
use stats::verdict::{PracticalThreshold, Verdict, judge_change};

use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::pair::{MetricJudgement, PairJudgement, firm_failures};
use super::question::RunQuestion;
use super::{Comparison, finished_blocks, ladders, spread};
use crate::failures::compare_failures;
use crate::observed::Observed;

/// Compares the baseline of `question` with its one candidate at every place that both have, and there has to be one;
/// `blocks` is the number of the finished blocks of the side that has fewer.
pub fn compare_unpaired(observed: &Observed, question: RunQuestion, blocks: u32) -> Option<Comparison> {
    let observations = Observations::of_run(observed, &question);
    let names = question.all_targets();
    let sides: Vec<ComparedSide> = names.map(|name| ComparedSide::main(name)).collect();
    let mut in_all = observations.places_in_order();
    in_all.retain(|place| sides.iter().all(|side| observations.is_measured(place, side)));
    (!in_all.is_empty()).then(|| at_places(observed, question, &observations, &in_all, blocks))
}

/// Compares every candidate with the baseline at every place of figures that other tools measured: numbers of
/// repetitions are of the order of the files, and pair nothing.
pub(super) fn compare_outputs(observed: &Observed, question: RunQuestion) -> Comparison {
    let observations = Observations::of_run(observed, &question);
    at_places(observed, question, &observations, &observations.places_in_order(), finished_blocks(observed))
}

fn at_places(
    observed: &Observed,
    question: RunQuestion,
    observations: &Observations<'_>,
    places: &[ComparisonPlace],
    blocks: u32,
) -> Comparison {
    let mut pairs = Vec::new();
    for candidate in &question.candidates {
        let sides = [ComparedSide::main(&question.baseline), ComparedSide::main(candidate)];
        pairs.extend(places.iter().map(|place| judge_place(&question, observations, &sides, place)));
    }
    firm_failures(&mut pairs);
    let ladders = ladders::ladders_of_targets(&question, observations);
    let spreads = spread::spreads_of_targets(&question, observations);
    Comparison { blocks, pairs, ladders, spreads, ..Comparison::of_facts(observed, question) }
}

/// The throughputs of a side, cell by cell and in each block by block.
pub fn figures_by_cell(observed: &Observed, question: &RunQuestion, target: &str) -> Vec<Vec<f64>> {
    let observations = Observations::of_run(observed, question);
    let side = ComparedSide::main(target);
    let mut by_cell = Vec::new();
    for place in observations.places_in_order() {
        let trials = observations.usable_trials(&place, &side);
        by_cell.push(trials.values().filter_map(|trial| Metric::Throughput.figure_of_trial(trial)).collect());
    }
    by_cell
}

fn unpaired_figures(
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
    metric: Metric,
) -> Vec<UnpairedFigure> {
    let mut figures = Vec::new();
    for (block, trial) in observations.usable_trials(place, side) {
        if let Some(value) = observations.figure_of_trial(metric, trial) {
            figures.push(UnpairedFigure { block, value });
        }
    }
    // Sums of the same figures in another order differ in their last digit.
    figures.sort_by(|a, b| a.value.total_cmp(&b.value));
    figures
}

fn judge_place(
    question: &RunQuestion,
    observations: &Observations<'_>,
    sides: &[ComparedSide; 2],
    place: &ComparisonPlace,
) -> PairJudgement {
    let all = observations.metrics_at_place(question, place);
    let mut metrics = Vec::new();
    for metric in all.iter().copied() {
        let means = sides.each_ref().map(|side| observations.estimate_at_place(place, side, metric));
        let figures = sides.each_ref().map(|side| unpaired_figures(observations, place, side, metric));
        metrics.push(judge_metric(metric, means, &figures, question.threshold));
    }
    let [baseline, candidate] = sides.each_ref().map(|side| unpaired_figures(observations, place, side, all[0]));
    let points = [&baseline, &candidate].map(|side| {
        let figures: Vec<f64> = side.iter().map(|figure| figure.value).collect();
        geometric_mean(&figures)
    });
    let p_value = unpaired_change(&baseline, &candidate).ok().map(|change| change.p_value());
    let excluded = [0, 1].map(|side| observations.excluded_trials(place, &sides[side])).concat();
    PairJudgement {
        baseline: sides[0].target.clone(),
        candidate: sides[1].target.clone(),
        place: place.clone(),
        metrics,
        points,
        blocks: Vec::new(),
        excluded,
        failures: compare_failures(question, observations, place, [&sides[0], &sides[1]], None),
        diluted: None,
        p_value,
    }
}

fn judge_metric(
    metric: Metric,
    means: [Option<Estimate>; 2],
    [baseline, candidate]: &[Vec<UnpairedFigure>; 2],
    threshold: PracticalThreshold,
) -> MetricJudgement {
    let change = unpaired_change(baseline, candidate).ok();
    MetricJudgement {
        metric,
        baseline: means[0],
        candidate: means[1],
        of_only_trials: [baseline, candidate].map(|figures| match figures.as_slice() {
            [only] => Some(only.value),
            _ => None,
        }),
        verdict: change.as_ref().map_or(Verdict::without_interval(baseline.len().min(candidate.len())), |change| {
            judge_change(&change.change, &change.spread, threshold, metric.better_direction())
        }),
        change: change.map(|change| change.change),
    }
}
