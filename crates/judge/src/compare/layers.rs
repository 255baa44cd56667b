//! Ladders of targets, each with one layer more than the one before it: what every step costs,
//! and all of them together.
//!
//! All steps are judged over the same blocks, those in which every rung was measured, so that their ratios multiply to
//! the ratio of the whole, and their milliseconds add up to it.

use std::collections::BTreeMap;

use results::trial::Trial;
use stats::Estimate;
use stats::positive::difference_from_change;
use stats::stopping::StoppingRule;

use super::metric::Metric;
use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::pair::{MetricJudgement, judge_metric};
use super::question::RunQuestion;

/// A ladder at one place.
#[derive(Debug, Clone)]
pub struct LayerLadder {
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Blocks in which every rung was measured.
    pub blocks: usize,
    /// The steps, from the baseline up.
    pub steps: Vec<LayerStep>,
    /// From the first rung to the last.
    pub total: LayerStep,
}

/// What one layer, or all of them, add.
#[derive(Debug, Clone)]
pub struct LayerStep {
    /// The target without it.
    pub from: String,
    /// The target with it.
    pub to: String,
    /// Mean latency of both over the blocks of the ladder, in milliseconds.
    pub latency_ms: [Estimate; 2],
    /// What it adds to the mean latency, in milliseconds: the change of the latency, in its unit.
    pub added_ms: Estimate,
    /// The metrics as ratios, the one that decides first.
    pub metrics: Vec<MetricJudgement>,
}

/// The ladders of the question at every place where all of their rungs were measured in two blocks or more.
pub(super) fn layers_of_places(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
) -> Vec<LayerLadder> {
    let mut found = Vec::new();
    for ladder in &question.ladders {
        for place in observations.places_in_order() {
            if !question.is_search(&place.workload) {
                found.extend(layers_at_place(question, rule, observations, ladder, place));
            }
        }
    }
    found
}

fn layers_at_place(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    ladder: &[String],
    place: ComparisonPlace,
) -> Option<LayerLadder> {
    let mut rungs: Vec<LayerRung<'_>> = ladder
        .iter()
        .map(|target| LayerRung { target, trials: observations.usable_trials(&place, &ComparedSide::main(target)) })
        .collect();
    let common: Vec<u32> = rungs
        .first()?
        .trials
        .keys()
        .copied()
        .filter(|block| rungs.iter().all(|r| r.trials.contains_key(block)))
        .collect();
    for rung in &mut rungs {
        rung.trials.retain(|block, _| common.contains(block));
    }
    let metrics = observations.metrics_at_place(question, &place);
    let step = |from: &LayerRung<'_>, to: &LayerRung<'_>| layer_step(question, rule, observations, metrics, [from, to]);
    let steps: Option<Vec<LayerStep>> = rungs.windows(2).map(|pair| step(&pair[0], &pair[1])).collect();
    let total = step(rungs.first()?, rungs.last()?)?;
    Some(LayerLadder { place, blocks: common.len(), steps: steps?, total })
}

struct LayerRung<'a> {
    target: &'a str,
    trials: BTreeMap<u32, &'a Trial>,
}

/// None when either side has no latency or there are too few blocks for an interval.
fn layer_step(
    question: &RunQuestion,
    rule: &StoppingRule,
    observations: &Observations<'_>,
    metrics: &[Metric],
    [from, to]: [&LayerRung<'_>; 2],
) -> Option<LayerStep> {
    let judged =
        |metric: &Metric| judge_metric(question, rule, observations, *metric, [None; 2], [&from.trials, &to.trials]);
    let latency = judged(&Metric::LatencyMean);
    let (before, after) = (latency.baseline?, latency.candidate?);
    Some(LayerStep {
        from: from.target.to_owned(),
        to: to.target.to_owned(),
        latency_ms: [before, after],
        added_ms: difference_from_change(before.point, &latency.change?),
        metrics: metrics.iter().map(judged).collect(),
    })
}
