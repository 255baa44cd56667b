//! What each layer of a ladder adds, as a section, and as data.

use judge::Judgement;
use judge::compare::{LayerLadder, LayerStep, MetricJudgement};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::data::{EstimateData, VerdictData};
use super::document::{
    Bar, ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell,
    TableKind,
};

/// A ladder of layers for one workload and number of clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayersData {
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Blocks in which every rung was measured.
    pub blocks: usize,
    /// The steps from the baseline up, and the total at the end. The milliseconds of the steps add up to the total, and
    /// their ratios multiply to it.
    pub rows: Vec<LayerRowData>,
}

/// One step, or the total.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LayerRowData {
    /// The target without the layer.
    pub from: String,
    /// The target with it.
    pub to: String,
    /// Mean latency without it, in milliseconds.
    pub baseline_ms: EstimateData,
    /// Mean latency with it, in milliseconds.
    pub candidate_ms: EstimateData,
    /// Its overhead, in milliseconds.
    pub change_ms: EstimateData,
    /// The metric of `change`.
    pub metric: &'static str,
    /// With the layer / without it − 1; absent without an interval.
    pub change: Option<EstimateData>,
    /// The verdict on that change.
    pub verdict: VerdictData,
}

/// The ladder at every place.
pub(crate) fn layers_data(judgement: &Judgement) -> Vec<LayersData> {
    judgement
        .comparison
        .layers
        .iter()
        .filter_map(|layers| {
            Some(LayersData {
                workload: layers.place.workload.clone(),
                clients: layers.place.clients.known_count()?,
                blocks: layers.blocks,
                rows: steps_with_total(layers).map(row_of_step).collect(),
            })
        })
        .collect()
}

fn steps_with_total(layers: &LayerLadder) -> impl Iterator<Item = &LayerStep> {
    layers.steps.iter().chain([&layers.total])
}

fn row_of_step(step: &LayerStep) -> LayerRowData {
    let deciding = deciding_metric(step);
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

fn deciding_metric(step: &LayerStep) -> &MetricJudgement {
    &step.metrics[0]
}

const EXPLANATION: &str = "Each row has one layer more than the row above it. All steps are judged over the same blocks: their \
                           milliseconds add up to the last row, and their ratios multiply to it.";

/// A layer a row, and the whole at the end.
pub(crate) static TABLE: TableKind = TableKind {
    name: "layers",
    about: "Overhead of each layer of a ladder",
    columns: &[
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_people("layer"),
        DocumentColumn::for_programs("from", Holds::Words),
        DocumentColumn::for_programs("to", Holds::Words),
        DocumentColumn::new("without", "without", Holds::Point(ColumnUnit::Part)),
        DocumentColumn::new("with", "with", Holds::Point(ColumnUnit::Part)),
        DocumentColumn::of_bars("waterfall"),
        DocumentColumn::new("overhead", "added", Holds::Estimate(ColumnUnit::Added)),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("metric", "change_of", Holds::Words),
        DocumentColumn::new("verdict", "verdict", Holds::Words),
    ],
};

/// A table for each workload and number of clients; none without a ladder.
pub(crate) fn layers_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.comparison.layers.is_empty() {
        return None;
    }
    let threshold = judgement.comparison.question.threshold.as_share();
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    for ladder in &judgement.comparison.layers {
        let (place, measured) = (&ladder.place, ladder.blocks);
        let clients = units::format_clients(place.clients);
        let caption = format!("{}, {clients}, ms of mean latency, {measured} blocks", place.workload);
        let rows = steps_with_total(ladder)
            .enumerate()
            .map(|(index, step)| row_cells(ladder, index, step, threshold))
            .collect();
        blocks.push(SectionBlock::Table(DocumentTable {
            caption: Some(caption),
            ..DocumentTable::from_rows(&TABLE, rows)
        }));
    }
    Some(ReportSection { id: "layers", title: "Overhead of each layer".to_owned(), blocks })
}

fn row_cells(ladder: &LayerLadder, index: usize, step: &LayerStep, threshold: f64) -> DocumentRow {
    let is_whole = index == ladder.steps.len();
    let name = if is_whole { format!("{} → {}", step.from, step.to) } else { format!("+ {}", step.to) };
    let deciding = deciding_metric(step);
    let [without, with] = step.latency_ms;
    DocumentRow::from_cells(vec![
        TableCell::from_words(&ladder.place.workload),
        TableCell::optional_count(ladder.place.clients.known_count()),
        TableCell::Words(name),
        TableCell::from_words(&step.from),
        TableCell::from_words(&step.to),
        TableCell::Estimate(without),
        TableCell::Estimate(with),
        TableCell::Bar(Bar { baseline: without.point, candidate: with.point, change: step.added_ms }),
        TableCell::Estimate(step.added_ms),
        TableCell::change_of_metric(deciding, threshold),
        TableCell::from_words(deciding.metric.name()),
        TableCell::from_words(deciding.verdict.name_in_reports()),
    ])
}
