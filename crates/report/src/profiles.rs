//! What the CPU time of the load's sessions went into, by subsystem of the server: as a section, and as data.

use judge::Judgement;
use judge::budget::BudgetRow;
use judge::profile::{FlameNode, FunctionRow, PairProfile, SubsystemRow, WithoutProfile};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::data::EstimateData;
use super::document::{self, DocumentColumn, Holds, PageChart, ReportSection, SectionBlock, TableCell, TableKind};
use super::pair_table::{PAIR, SIDES, cells_of_pair, cells_of_sides, tables_of_pairs};

/// One pair's profile.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileData {
    /// The candidate's target.
    pub candidate: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// The part of the time budget that the subsystems sum to.
    pub part: String,
    /// Its time per transaction.
    pub total: ProfileRowData,
    /// The subsystems, the largest difference first; `not sampled` is last.
    pub subsystems: Vec<SubsystemData>,
    /// Samples of baseline and candidate.
    pub samples: [u64; 2],
    /// Share of the CPU time of baseline and candidate in functions of no known subsystem.
    pub unknown: [f64; 2],
    /// Blocks without samples, with the reasons; absent if every block has them.
    pub without: Option<String>,
    /// The stacks of both sides.
    pub flame: FlameData,
}

/// One subsystem.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SubsystemData {
    /// Its name.
    pub subsystem: String,
    /// Its CPU time per transaction.
    pub row: ProfileRowData,
    /// Its functions with the largest differences.
    pub functions: Vec<FunctionData>,
}

/// One function.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FunctionData {
    /// Its name.
    pub function: String,
    /// Its CPU time per transaction.
    pub row: ProfileRowData,
}

/// Milliseconds per transaction.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ProfileRowData {
    /// Of the baseline.
    pub baseline_ms: EstimateData,
    /// Of the candidate.
    pub candidate_ms: EstimateData,
    /// Candidate − baseline.
    pub change_ms: EstimateData,
}

/// A function with the functions that it called.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FlameData {
    /// Function or subsystem.
    pub name: String,
    /// Milliseconds per transaction of baseline and candidate, called functions included.
    pub ms: [f64; 2],
    /// Whether the difference is beyond chance over the blocks. The graph has a colour only for these.
    pub is_certain: bool,
    /// Called functions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<FlameData>,
}

/// The name of the row that the others sum to.
const WHOLE: &str = "on CPU";
/// Subsystems whose time and whose difference are below this share of the longer side's CPU time are one row.
const SMALL: f64 = 0.01;
/// Subsystems of a table at most; the rest is one row.
const SHOWN: usize = 12;

/// All profiles.
pub(crate) fn profiles_data(judgement: &Judgement) -> Vec<ProfileData> {
    judgement.profiles.iter().filter_map(profile_data).collect()
}

fn profile_data(pair: &PairProfile) -> Option<ProfileData> {
    Some(ProfileData {
        candidate: pair.candidate.clone(),
        workload: pair.place.workload.clone(),
        clients: pair.place.clients.known_count()?,
        part: pair.part.clone(),
        total: row_data(&pair.total),
        subsystems: pair.subsystems.iter().map(subsystem_data).collect(),
        samples: pair.samples,
        unknown: pair.unknown,
        without: blocks_without(pair),
        flame: flame_data(&pair.flame),
    })
}

fn subsystem_data(subsystem: &SubsystemRow) -> SubsystemData {
    SubsystemData {
        subsystem: subsystem.subsystem.clone(),
        row: row_data(&subsystem.row),
        functions: subsystem.functions.iter().map(function_data).collect(),
    }
}

fn function_data(function: &FunctionRow) -> FunctionData {
    FunctionData { function: function.function.clone(), row: row_data(&function.row) }
}

fn row_data(row: &BudgetRow) -> ProfileRowData {
    ProfileRowData {
        baseline_ms: row.baseline_ms.into(),
        candidate_ms: row.candidate_ms.into(),
        change_ms: row.change_ms.into(),
    }
}

fn flame_data(node: &FlameNode) -> FlameData {
    FlameData {
        name: node.name.clone(),
        ms: node.ms,
        is_certain: node.is_certain,
        children: node.children.iter().map(flame_data).collect(),
    }
}

const EXPLANATION: &str = "Milliseconds of CPU time per transaction. The functions that the sessions of the load execute are \
                           sampled. The share of a subsystem among the samples is its share of the CPU time of the time \
                           budget. The rows sum to it.";

/// A subsystem a row, and the whole at the end.
pub(crate) static TABLE: TableKind = TableKind {
    name: "cpu-profile",
    about: "CPU time of the sessions by subsystem of the server",
    columns: &[
        PAIR[0],
        PAIR[1],
        PAIR[2],
        DocumentColumn::new("subsystem", "subsystem", Holds::Words),
        SIDES[0],
        SIDES[1],
        SIDES[2],
        SIDES[3],
        DocumentColumn::new("function with the largest change", "function", Holds::Words),
    ],
};

/// A table for each pair that was sampled; the one with the most clients of each candidate and workload is foremost.
pub(crate) fn profiles_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.profiles.is_empty() {
        return None;
    }
    let baseline = &judgement.comparison.question.baseline;
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    blocks.extend(tables_of_pairs(
        &judgement.profiles,
        (baseline, "ms of CPU per transaction", &TABLE),
        |pair| (&pair.candidate, &pair.place),
        |pair| (subsystem_cells(pair), notes_of_pair(pair, baseline)),
    ));
    let drawn = judgement.profiles.iter().filter(|pair| pair.place.clients.known_count().is_some());
    // By its place in the data of the page, which has those with a number of clients only.
    blocks.extend(drawn.enumerate().map(|(index, _)| SectionBlock::Chart(PageChart::Flame(index))));
    Some(ReportSection { id: "cpu-profile", title: "CPU profile".to_owned(), blocks })
}

/// The subsystems that are large or differ, in the order of their difference, and the whole.
fn subsystem_cells(pair: &PairProfile) -> Vec<document::DocumentRow> {
    let least_ms = SMALL * pair.total.baseline_ms.point.max(pair.total.candidate_ms.point);
    let mut rows = Vec::new();
    for subsystem in &pair.subsystems {
        let BudgetRow { baseline_ms, candidate_ms, .. } = subsystem.row;
        if rows.len() < SHOWN && baseline_ms.point.max(candidate_ms.point) >= least_ms {
            let function = subsystem.functions.first().map_or(String::new(), |function| function.function.clone());
            rows.push(row_cells(pair, subsystem.subsystem.clone(), &subsystem.row, function));
        }
    }
    rows.push(row_cells(pair, WHOLE.to_owned(), &pair.total, String::new()));
    rows
}

fn row_cells(pair: &PairProfile, subsystem: String, row: &BudgetRow, function: String) -> document::DocumentRow {
    let mut cells = Vec::from(cells_of_pair(&pair.candidate, &pair.place));
    cells.push(TableCell::Words(subsystem));
    cells.extend(cells_of_sides(row));
    cells.push(TableCell::Words(function));
    document::DocumentRow::from_cells(cells)
}

/// How many subsystems are not shown, what the figures rest on, and what they leave out.
fn notes_of_pair(pair: &PairProfile, baseline: &str) -> Vec<String> {
    let shown = subsystem_cells(pair).len() - 1;
    let mut notes = Vec::new();
    if pair.subsystems.len() > shown {
        notes.push(format!("{} smaller subsystems are not shown", pair.subsystems.len() - shown));
    }
    let mut sampled = Vec::new();
    for (side, name) in [baseline, &pair.candidate].into_iter().enumerate() {
        let (samples, unknown) = (pair.samples[side], units::format_percent(pair.unknown[side]));
        sampled.push(format!("{name}: {samples} samples, {unknown} of them in functions of no known subsystem"));
    }
    notes.push(sampled.join("; "));
    notes.extend(blocks_without(pair));
    notes
}

/// The blocks of which a side was not sampled, and why.
fn blocks_without(pair: &PairProfile) -> Option<String> {
    if pair.without.is_empty() {
        return None;
    }
    let mut reasons = Vec::new();
    for WithoutProfile { block, target, reason } in &pair.without {
        reasons.push(format!("block {block}, {target}: {reason}"));
    }
    Some(format!("not sampled: {}", reasons.join("; ")))
}
