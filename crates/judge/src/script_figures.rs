//! Throughput and latency of each script of a workload that has several: own scripts with weights, and the members of a
//! mix. Which one a client executes next is drawn by weight, so that the shares are those of the plan, and what a
//! target does to one script shows in its latency. Judges from observations only.

use std::collections::{BTreeMap, BTreeSet};

use results::trial::{ScriptTotals, Trial};
use stats::Estimate;
use stats::paired::change_of_log_ratios;
use stats::positive::geometric_mean_estimate;

use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};

/// The figures of one script on one target.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptFigures {
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The target.
    pub target: String,
    /// The script's name.
    pub script: String,
    /// Its part of the completed transactions of all scripts, 0 to 1.
    pub share: f64,
    /// Its transactions per second.
    pub throughput_per_s: ScriptLevel,
    /// Its mean latency in milliseconds.
    pub latency_mean_ms: ScriptLevel,
    /// The 99th percentile of its latency in milliseconds.
    pub latency_p99_ms: ScriptLevel,
    /// Candidate over baseline less 1 of its mean latency; absent of the baseline, and with fewer than two blocks.
    pub change: Option<Estimate>,
    /// Its transactions that failed.
    pub failed: u64,
    /// Blocks in which it was executed.
    pub blocks: usize,
}

/// A figure over the trials of a script.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ScriptLevel {
    /// No trial has it.
    Missing,
    /// One trial has it: there is no interval.
    OfOnlyTrial(f64),
    /// The level over several trials.
    OverTrials(Estimate),
}

impl ScriptLevel {
    pub(crate) fn from_figures(figures: &[f64]) -> Self {
        match (geometric_mean_estimate(figures), figures) {
            (Some(estimate), _) => Self::OverTrials(estimate),
            (None, [only]) => Self::OfOnlyTrial(*only),
            (None, _) => Self::Missing,
        }
    }
}

/// The scripts of every workload that has several, target by target; searches and captured loads, whose scripts are as
/// many as the application has kinds of transactions, have none.
pub fn script_figures_of_run(question: &RunQuestion, observations: &Observations<'_>) -> Vec<ScriptFigures> {
    let mut all = Vec::new();
    for place in observations.places_in_order() {
        if question.is_search(&place.workload) || question.captured.contains(&place.workload) {
            continue;
        }
        let baseline = observations.usable_trials(&place, &ComparedSide::main(&question.baseline));
        for target in question.all_targets() {
            let trials = observations.usable_trials(&place, &ComparedSide::main(target));
            for script in names_of_scripts(&trials) {
                let mut figures = figures_of_script(&place, target, &script, &trials);
                if *target != question.baseline {
                    figures.change = change_of_latency(question, &script, &baseline, &trials);
                }
                all.push(figures);
            }
        }
    }
    all
}

/// The names of the scripts, where there are several.
fn names_of_scripts(trials: &BTreeMap<u32, &Trial>) -> Vec<String> {
    let mut names = BTreeSet::new();
    for load in trials.values().filter_map(|trial| trial.load.as_ref()) {
        names.extend(load.scripts.keys().cloned());
    }
    if names.len() > 1 { names.into_iter().collect() } else { Vec::new() }
}

fn figures_of_script(
    place: &ComparisonPlace,
    target: &str,
    script: &str,
    trials: &BTreeMap<u32, &Trial>,
) -> ScriptFigures {
    let (mut per_s, mut mean_ms, mut p99_ms) = (Vec::new(), Vec::new(), Vec::new());
    let (mut own, mut of_all, mut failed) = (0, 0, 0);
    for load in trials.values().filter_map(|trial| trial.load.as_ref()) {
        let Some(totals) = load.scripts.get(script) else { continue };
        own += totals.transactions;
        of_all += load.scripts.values().map(|script| script.transactions).sum::<u64>();
        failed += totals.failed;
        if totals.transactions > 0 && load.measure_us > 0 {
            per_s.push(totals.transactions as f64 / load.measure_us as f64 * 1e6);
        }
        mean_ms.extend(mean_latency_ms(totals));
        p99_ms.extend(totals.latency.map(|latency| latency.p99_ns as f64 / 1e6));
    }
    ScriptFigures {
        place: place.clone(),
        target: target.to_owned(),
        script: script.to_owned(),
        share: own as f64 / of_all.max(1) as f64,
        blocks: per_s.len(),
        throughput_per_s: ScriptLevel::from_figures(&per_s),
        latency_mean_ms: ScriptLevel::from_figures(&mean_ms),
        latency_p99_ms: ScriptLevel::from_figures(&p99_ms),
        change: None,
        failed,
    }
}

fn mean_latency_ms(totals: &ScriptTotals) -> Option<f64> {
    totals.latency.map(|latency| latency.mean_ns / 1e6).filter(|ms| *ms > 0.0)
}

/// How the mean latency of a script changes, block by block.
fn change_of_latency(
    question: &RunQuestion,
    script: &str,
    baseline: &BTreeMap<u32, &Trial>,
    candidate: &BTreeMap<u32, &Trial>,
) -> Option<Estimate> {
    let mut logarithms = Vec::new();
    for (block, trial) in candidate {
        let other = baseline.get(block).and_then(|other| latency_of_script(other, script));
        if let (Some(here), Some(there)) = (latency_of_script(trial, script), other) {
            logarithms.push((here / there).ln());
        }
    }
    change_of_log_ratios(&logarithms, question.blocks.stopping_rule().level_at(logarithms.len()))
}

fn latency_of_script(trial: &Trial, script: &str) -> Option<f64> {
    mean_latency_ms(trial.load.as_ref()?.scripts.get(script)?)
}
