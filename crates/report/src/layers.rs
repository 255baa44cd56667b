//! What each layer of a ladder adds, as a table for a person, and as data.

use judge::Judgement;
use judge::compare::{LayerStep, Layers, MetricJudgement};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::budgets::{signed, signed_interval};
use super::columns::{Alignment, aligned};
use super::data::{EstimateData, VerdictData};
use super::words;

/// A ladder at one place.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayersData {
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Blocks in which every rung was measured.
    pub blocks: usize,
    /// The steps from the baseline up, and the whole at the end. The milliseconds of the steps add up to the whole's,
    /// their ratios multiply to it.
    pub rows: Vec<LayerRowData>,
}

/// One step, or the whole.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayerRowData {
    /// The target without the layer.
    pub from: String,
    /// The target with it.
    pub to: String,
    /// Mean latency without it, in milliseconds.
    pub baseline_ms: EstimateData,
    /// With it.
    pub candidate_ms: EstimateData,
    /// What it adds.
    pub change_ms: EstimateData,
    /// What the change below is of.
    pub metric: &'static str,
    /// With the layer / without it − 1; absent without an interval.
    pub change: Option<EstimateData>,
    /// The verdict on that change.
    pub verdict: VerdictData,
}

/// The ladder at every place.
pub(crate) fn data(judgement: &Judgement) -> Vec<LayersData> {
    let at = |layers: &Layers| {
        Some(LayersData {
            workload: layers.place.workload.clone(),
            clients: layers.place.clients.known()?,
            blocks: layers.blocks,
            rows: rows(layers).map(row).collect(),
        })
    };
    judgement.comparison.layers.iter().filter_map(at).collect()
}

fn rows(layers: &Layers) -> impl Iterator<Item = &LayerStep> {
    layers.steps.iter().chain([&layers.total])
}

fn row(step: &LayerStep) -> LayerRowData {
    let deciding = deciding(step);
    LayerRowData {
        from: step.from.clone(),
        to: step.to.clone(),
        baseline_ms: step.latency_ms[0].into(),
        candidate_ms: step.latency_ms[1].into(),
        change_ms: step.added_ms.into(),
        metric: deciding.metric.name(),
        change: deciding.known_change().map(EstimateData::from),
        verdict: (&deciding.verdict).into(),
    }
}

fn deciding(step: &LayerStep) -> &MetricJudgement {
    &step.metrics[0]
}

/// The lines of a ladder under a heading, columns aligned; `threshold` is the practical threshold as a share.
pub(crate) fn lines(layers: &Layers, threshold: f64) -> (String, Vec<String>) {
    let clients = units::clients(layers.place.clients);
    let metric = deciding(&layers.total).metric.name();
    let heading = format!("What each layer adds ({}, {clients}, ms of mean latency)", layers.place.workload);
    let titles = ["", "without", "with", "adds", "95 %", metric, "95 %", "verdict"].map(str::to_owned);
    let mut table = vec![titles];
    for (index, step) in rows(layers).enumerate() {
        let name = if index == layers.steps.len() {
            format!("{} → {}", step.from, step.to)
        } else {
            format!("+ {}", step.to)
        };
        let deciding = deciding(step);
        let [change, interval] = words::change_cells(deciding, threshold);
        let [without, with] = step.latency_ms.map(|latency| format!("{:.3}", latency.point));
        table.push([
            name,
            without,
            with,
            signed(step.added_ms.point),
            signed_interval(&step.added_ms),
            change,
            interval,
            words::verdict(&deciding.verdict).to_owned(),
        ]);
    }
    use Alignment::{Left, Right};
    (heading, aligned(&table, [Left, Right, Right, Right, Right, Right, Right, Left]))
}
