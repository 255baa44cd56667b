//! The time budgets as a section, and as data.

use judge::Judgement;
use judge::budget::PairBudget;
use judge::budget::{BudgetPart, BudgetRow, Taken, TransactionResource, Waterfall};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::data::EstimateData;
use super::document::{self, ColumnUnit, DocumentColumn, Holds, ReportSection, SectionBlock, TableCell, TableKind};
use super::pair_table::{PAIR, SIDES, cells_of_pair, cells_of_sides, tables_of_pairs};

/// One pair's budget.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BudgetData {
    /// The candidate's target.
    pub candidate: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Blocks in which both sides have a budget. The parts are means over these blocks.
    pub blocks: usize,
    /// Blocks of the comparison. The mean latency is over these blocks, and the parts sum to it.
    pub blocks_of_latency: usize,
    /// The blocks without a budget, with the reasons; absent if every block has one.
    pub without: Option<String>,
    /// The parts in the order of a transaction's route, and the mean latency at the end.
    pub rows: Vec<BudgetRowData>,
    /// Resources that a transaction uses besides time, as far as both sides were read.
    pub taken: Vec<TakenData>,
}

/// A resource that a transaction uses besides time.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TakenData {
    /// Its name.
    pub resource: String,
    /// `ms`, `B` or `blocks`.
    pub unit: &'static str,
    /// Of the baseline, per transaction.
    pub baseline: EstimateData,
    /// Of the candidate, per transaction.
    pub candidate: EstimateData,
    /// candidate / baseline − 1.
    pub change: EstimateData,
}

/// One part, in milliseconds per transaction.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BudgetRowData {
    /// Its name.
    pub part: String,
    /// Of the baseline.
    pub baseline_ms: EstimateData,
    /// Of the candidate.
    pub candidate_ms: EstimateData,
    /// Candidate − baseline.
    pub change_ms: EstimateData,
    /// The part's share of the change of the mean latency; below 0 if it changes the other way. The shares of the parts
    /// sum to 1. Absent if the mean latency has no certain change.
    pub share_of_change: Option<f64>,
}

/// The name of the row that the others sum to.
const WHOLE: &str = "mean latency";

/// All budgets.
pub(crate) fn budget_data(judgement: &Judgement) -> Vec<BudgetData> {
    judgement
        .budgets
        .iter()
        .filter_map(|pair| {
            Some(BudgetData {
                candidate: pair.candidate.clone(),
                workload: pair.place.workload.clone(),
                clients: pair.place.clients.known_count()?,
                blocks: pair.waterfall.blocks,
                blocks_of_latency: pair.waterfall.blocks_of_latency,
                without: missing_blocks_note(pair),
                rows: named_rows(pair).map(|row| row_data(&row)).collect(),
                taken: pair.taken.iter().map(taken_data).collect(),
            })
        })
        .collect()
}

fn taken_data(taken: &Taken) -> TakenData {
    let (resource, unit) = (name_of_resource(taken.resource), taken.resource.unit());
    let (baseline, candidate, change) = (taken.baseline.into(), taken.candidate.into(), taken.change.into());
    TakenData { resource: resource.to_owned(), unit, baseline, candidate, change }
}

/// The name of what is taken.
fn name_of_resource(resource: TransactionResource) -> &'static str {
    match resource {
        TransactionResource::CpuTime => "CPU time of the server",
        TransactionResource::Wal => "WAL",
        TransactionResource::Blocks => "blocks accessed",
        TransactionResource::BlocksDirtied => "blocks dirtied",
        TransactionResource::TemporaryFiles => "temporary files",
    }
}

/// That the parts are of fewer blocks than the whole, and why.
fn missing_blocks_note(pair: &PairBudget) -> Option<String> {
    let (blocks, all) = (pair.waterfall.blocks, pair.waterfall.blocks_of_latency);
    if pair.without.is_empty() {
        return None;
    }
    let reasons: Vec<String> =
        pair.without.iter().map(|trial| format!("block {}, {}: {}", trial.block, trial.target, trial.reason)).collect();
    Some(format!("parts: means over {blocks} of {all} blocks; mean latency: over all blocks: {}", reasons.join("; ")))
}

/// One line for each thing that a transaction takes besides time.
fn taken_lines(pair: &PairBudget) -> impl Iterator<Item = String> {
    pair.taken.iter().map(|taken| {
        let (blocks, all) = (taken.change.n, pair.waterfall.blocks_of_latency);
        let of_blocks = if blocks == all {
            String::new()
        } else {
            format!(" ({blocks} of {all} blocks: in the others one side was not read)")
        };
        format!(
            "{} per transaction: {} → {}, {}{of_blocks}",
            name_of_resource(taken.resource),
            figure_of_resource(taken.baseline.point, taken.resource),
            figure_of_resource(taken.candidate.point, taken.resource),
            units::change_with_interval(taken.change.point, taken.change.interval.low, taken.change.interval.high)
        )
    })
}

fn figure_of_resource(figure: f64, resource: TransactionResource) -> String {
    match resource {
        TransactionResource::CpuTime => units::format_milliseconds(figure),
        TransactionResource::Wal | TransactionResource::TemporaryFiles => units::format_bytes(figure),
        TransactionResource::Blocks | TransactionResource::BlocksDirtied => units::format_count(figure),
    }
}

fn row_data(NamedRow { part, row, share_of_change }: &NamedRow<'_>) -> BudgetRowData {
    BudgetRowData {
        share_of_change: *share_of_change,
        part: part.clone(),
        baseline_ms: row.baseline_ms.into(),
        candidate_ms: row.candidate_ms.into(),
        change_ms: row.change_ms.into(),
    }
}

/// A part, or the whole, as it is shown.
struct NamedRow<'a> {
    part: String,
    row: &'a BudgetRow,
    share_of_change: Option<f64>,
}

fn named_rows(pair: &PairBudget) -> impl Iterator<Item = NamedRow<'_>> {
    let waiting = BudgetPart::WaitingForCpu.to_string();
    let name = move |part: &str| match describe_throttling(pair) {
        Some(throttled) if part == waiting => format!("{part} ({throttled})"),
        _ => part.to_owned(),
    };
    let Waterfall { steps, total, .. } = &pair.waterfall;
    let has_shares = steps.iter().any(|step| step.share_of_change.is_some());
    let whole =
        NamedRow { part: WHOLE.to_owned(), row: total, share_of_change: if has_shares { Some(1.0) } else { None } };
    let parts = steps.iter().map(move |step| NamedRow {
        part: name(&step.part),
        row: &step.row,
        share_of_change: step.share_of_change,
    });
    parts.chain([whole])
}

/// What a CPU limit has to do with it, if it has.
fn describe_throttling(pair: &PairBudget) -> Option<String> {
    let share = |share: Option<f64>| share.map_or("no limit".to_owned(), |share| format!("{:.0} %", share * 100.0));
    let [baseline, candidate] = pair.throttled;
    let is_held_back = pair.throttled.iter().flatten().any(|share| *share > 0.0);
    is_held_back.then(|| match share(baseline) == share(candidate) {
        true => format!("throttled in {} of periods", share(candidate)),
        false => format!("throttled in {} → {} of periods", share(baseline), share(candidate)),
    })
}

const EXPLANATION: &str = "Milliseconds per transaction. The state of each session of the load is sampled on the server. The share \
                           of a state among the samples is its share of the mean latency. The parts sum to the mean \
                           latency. The rest is reported as unexplained and is not distributed over the other parts.";
const NOT_KNOWN: &str = "No time budget: no pair has two blocks in which the sessions were sampled.";

/// A part a row, and the whole at the end.
pub(crate) static TABLE: TableKind = TableKind {
    name: "budgets",
    about: "Time budget: the mean latency by part",
    columns: &[
        PAIR[0],
        PAIR[1],
        PAIR[2],
        DocumentColumn::new("part", "part", Holds::Words),
        SIDES[0],
        SIDES[1],
        SIDES[2],
        SIDES[3],
        DocumentColumn::new("of the change", "share_of_change", Holds::Figure(ColumnUnit::Change)),
        DocumentColumn::for_programs("blocks", Holds::Count),
        DocumentColumn::for_programs("blocks_of_latency", Holds::Count),
        DocumentColumn::for_programs("without", Holds::Words),
    ],
};

/// A table for each pair that tells; the one with the most clients of each candidate and workload is foremost.
pub(crate) fn budgets_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.comparison.pairs.is_empty() {
        return None;
    }
    let baseline = &judgement.comparison.question.baseline;
    let mut blocks =
        vec![SectionBlock::Explanation(if judgement.budgets.is_empty() { NOT_KNOWN } else { EXPLANATION })];
    blocks.extend(tables_of_pairs(
        &judgement.budgets,
        (baseline, "ms per transaction", &TABLE),
        |pair| (&pair.candidate, &pair.place),
        |pair| {
            let rows = named_rows(pair).map(|row| row_cells(pair, row)).collect();
            (rows, missing_blocks_note(pair).into_iter().chain(taken_lines(pair)).collect())
        },
    ));
    Some(ReportSection { id: "budget", title: "Time budget".to_owned(), blocks })
}

fn row_cells(pair: &PairBudget, NamedRow { part, row, share_of_change }: NamedRow<'_>) -> document::DocumentRow {
    let mut cells = Vec::from(cells_of_pair(&pair.candidate, &pair.place));
    cells.push(TableCell::Words(part));
    cells.extend(cells_of_sides(row));
    cells.push(share_of_change.map_or(TableCell::Missing, TableCell::Figure));
    cells.extend([
        TableCell::Count(pair.waterfall.blocks as u64),
        TableCell::Count(pair.waterfall.blocks_of_latency as u64),
        TableCell::Words(missing_blocks_note(pair).unwrap_or_default()),
    ]);
    document::DocumentRow::from_cells(cells)
}

/// A change in milliseconds with its sign.
pub(crate) fn signed_milliseconds(ms: f64) -> String {
    format!("{ms:+.3}").replace('-', "\u{2212}")
}
