//! The figures of the loads that run beside the workloads: how often each was executed on a target, and how long an
//! execution took. They are no part of the figures of the workload. Judges from observations only.

use std::collections::{BTreeMap, BTreeSet};

use results::trial::{BesideTotals, Trial};
use stats::Estimate;
use stats::paired::change_of_log_ratios;

use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};
use crate::script_figures::ScriptLevel;

/// The figures of one load beside one target, in one workload and number of clients.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadBesideFigures {
    /// The workload that was measured, and its clients.
    pub place: ComparisonPlace,
    /// The target.
    pub target: String,
    /// The name of the load beside.
    pub load: String,
    /// What it does, as the key of the plan.
    pub kind: String,
    /// Clients of the load beside.
    pub clients: u32,
    /// Trials beside which it ran and that are compared.
    pub trials: u64,
    /// Executions that were completed in their measurement phases.
    pub completed: u64,
    /// Executions that failed.
    pub failed: u64,
    /// Executions that were under way at the end of a trial.
    pub unfinished: u64,
    /// Mean duration of a completed execution in milliseconds.
    pub duration_mean_ms: ScriptLevel,
    /// The longest completed one in milliseconds; absent when none was completed.
    pub duration_max_ms: Option<f64>,
    /// Bytes per second that the completed ones wrote; absent where nobody counted.
    pub bytes_per_s: Option<f64>,
    /// Candidate over baseline less 1 of the mean duration; absent of the baseline, where that has no such load, and
    /// with fewer than two blocks.
    pub change: Option<Estimate>,
}

/// Of every load beside every target, workload by workload.
pub fn loads_beside_of_run(question: &RunQuestion, observations: &Observations<'_>) -> Vec<LoadBesideFigures> {
    let mut all = Vec::new();
    for place in observations.places_in_order() {
        let baseline = observations.usable_trials(&place, &ComparedSide::main(&question.baseline));
        for target in std::iter::once(&question.baseline).chain(&question.candidates) {
            let trials = observations.usable_trials(&place, &ComparedSide::main(target));
            let names: BTreeSet<&str> =
                trials.values().flat_map(|trial| &trial.beside).map(|totals| totals.name.as_str()).collect();
            for name in names {
                let Some(mut figures) = figures_of_load(&place, target, name, &trials) else { continue };
                if *target != question.baseline {
                    figures.change = change_of_duration(question, name, &baseline, &trials);
                }
                all.push(figures);
            }
        }
    }
    all
}

fn figures_of_load(
    place: &ComparisonPlace,
    target: &str,
    name: &str,
    trials: &BTreeMap<u32, &Trial>,
) -> Option<LoadBesideFigures> {
    let totals: Vec<&BesideTotals> = trials.values().filter_map(|trial| totals_of_load(trial, name)).collect();
    let first = totals.first()?;
    let means: Vec<f64> = totals.iter().filter_map(|totals| mean_ms(totals)).collect();
    let longest = totals.iter().filter_map(|totals| totals.latency).map(|latency| latency.max_ns).max();
    let measured_s = totals.iter().map(|totals| totals.measure_us).sum::<u64>() as f64 / 1e6;
    let bytes: Option<u64> = totals.iter().map(|totals| totals.bytes).sum();
    Some(LoadBesideFigures {
        place: place.clone(),
        target: target.to_owned(),
        load: name.to_owned(),
        kind: first.kind.clone(),
        clients: first.clients,
        trials: totals.len() as u64,
        completed: totals.iter().map(|totals| totals.completed).sum(),
        failed: totals.iter().map(|totals| totals.failed).sum(),
        unfinished: totals.iter().map(|totals| totals.unfinished).sum(),
        duration_mean_ms: ScriptLevel::from_figures(&means),
        duration_max_ms: longest.map(|longest_ns| longest_ns as f64 / 1e6),
        bytes_per_s: bytes.filter(|_| measured_s > 0.0).map(|bytes| bytes as f64 / measured_s),
        change: None,
    })
}

fn totals_of_load<'t>(trial: &'t Trial, name: &str) -> Option<&'t BesideTotals> {
    trial.beside.iter().find(|totals| totals.name == name)
}

fn mean_ms(totals: &BesideTotals) -> Option<f64> {
    totals.latency.map(|latency| latency.mean_ns / 1e6).filter(|ms| *ms > 0.0)
}

/// How the mean duration of an execution changes, block by block.
fn change_of_duration(
    question: &RunQuestion,
    name: &str,
    baseline: &BTreeMap<u32, &Trial>,
    candidate: &BTreeMap<u32, &Trial>,
) -> Option<Estimate> {
    let mut logarithms = Vec::new();
    for (block, trial) in candidate {
        let other = baseline.get(block).and_then(|other| totals_of_load(other, name)).and_then(mean_ms);
        if let (Some(here), Some(there)) = (totals_of_load(trial, name).and_then(mean_ms), other) {
            logarithms.push((here / there).ln());
        }
    }
    change_of_log_ratios(&logarithms, question.blocks.stopping_rule().level_at(logarithms.len()))
}
