//! A ladder of targets, each with one layer more than the one before it: what every step costs,
//! and all of them together.
//!
//! All steps are judged over the same blocks, those in which every rung was measured, so that their ratios multiply to
//! the ratio of the whole, and their milliseconds add up to it.

use std::collections::BTreeMap;

use results::trial::Trial;
use stats::Estimate;
use stats::estimate::{mean_estimate, mean_estimate_at};
use stats::stopping::StoppingRule;

use super::metric::Metric;
use super::observations::{Observations, Place, Side};
use super::pair::{MetricJudgement, judge_metric};
use super::question::Question;

/// A ladder at one place.
#[derive(Debug, Clone)]
pub struct Layers {
    /// Workload and clients.
    pub place: Place,
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
    /// Mean latency of both, in milliseconds.
    pub latency_ms: [Estimate; 2],
    /// What it adds to the mean latency, in milliseconds, at the level of the rule that ended the blocks.
    pub added_ms: Estimate,
    /// The metrics as ratios, the one that decides first.
    pub metrics: Vec<MetricJudgement>,
}

/// The ladder of the question at every place where all of its rungs were measured in two blocks or more.
pub(super) fn layers(question: &Question, rule: &StoppingRule, observations: &Observations<'_>) -> Vec<Layers> {
    if question.ladder.len() < 2 {
        return Vec::new();
    }
    let places = observations.places().into_iter().filter(|place| !question.is_search(&place.workload));
    places.filter_map(|place| at(question, rule, observations, place)).collect()
}

fn at(question: &Question, rule: &StoppingRule, observations: &Observations<'_>, place: Place) -> Option<Layers> {
    let mut rungs: Vec<Rung<'_>> = question
        .ladder
        .iter()
        .map(|target| Rung { target, trials: observations.usable(&place, &Side::main(target)) })
        .collect();
    let common: Vec<u32> =
        rungs[0].trials.keys().copied().filter(|block| rungs.iter().all(|r| r.trials.contains_key(block))).collect();
    for rung in &mut rungs {
        rung.trials.retain(|block, _| common.contains(block));
    }
    let metrics = question.metrics(&place.workload);
    let step = |from: &Rung<'_>, to: &Rung<'_>| step(question, rule, metrics, from, to);
    let steps: Option<Vec<LayerStep>> = rungs.windows(2).map(|pair| step(&pair[0], &pair[1])).collect();
    let total = step(rungs.first()?, rungs.last()?)?;
    Some(Layers { place, blocks: common.len(), steps: steps?, total })
}

struct Rung<'a> {
    target: &'a str,
    trials: BTreeMap<u32, &'a Trial>,
}

impl Rung<'_> {
    fn figures(&self, metric: Metric) -> Option<Vec<f64>> {
        self.trials.values().map(|trial| metric.of(trial)).collect()
    }
}

/// None when either side has no latency or there are too few blocks for an interval.
fn step(
    question: &Question,
    rule: &StoppingRule,
    metrics: &[Metric],
    from: &Rung<'_>,
    to: &Rung<'_>,
) -> Option<LayerStep> {
    let [before, after] = [from, to].map(|rung| rung.figures(Metric::LatencyMean));
    let (before, after) = (before?, after?);
    let added: Vec<f64> = before.iter().zip(&after).map(|(before, after)| after - before).collect();
    let judged = |metric: &Metric| {
        let sides = [from, to].map(|rung| mean_estimate(&rung.figures(*metric).unwrap_or_default()));
        judge_metric(question, rule, *metric, sides, [&from.trials, &to.trials])
    };
    Some(LayerStep {
        from: from.target.to_owned(),
        to: to.target.to_owned(),
        latency_ms: [mean_estimate(&before)?, mean_estimate(&after)?],
        added_ms: mean_estimate_at(&added, rule.level_at(added.len()))?,
        metrics: metrics.iter().map(judged).collect(),
    })
}
