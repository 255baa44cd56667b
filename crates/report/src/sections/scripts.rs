//! Throughput and latency of each script of a workload that has several: own scripts, and the members of a mix.

use judge::Judgement;
use judge::script_figures::{ScriptFigures, ScriptLevel};

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// A script of a target a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "scripts",
    about: "Throughput and latency of each script of workloads that have several",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("script", "script", Holds::Words),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("share", "share", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("throughput", "throughput", Holds::Point(ColumnUnit::Tps)),
        DocumentColumn::new("mean latency", "latency_mean", Holds::Estimate(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p99 latency", "latency_p99", Holds::Point(ColumnUnit::Milliseconds)),
        DocumentColumn::new("change of mean latency", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("failed", "failed", Holds::Count),
        DocumentColumn::new("blocks", "blocks", Holds::Count).on_page(),
    ],
};

/// What the shares are.
const DRAWN_BY_WEIGHT: &str = "each client draws its next script by weight; in a closed loop one throughput is shared by all scripts, and a script \
     that became slower shows in its latency";

/// A row for each script on each target; none where every workload has one script.
pub(super) fn scripts_section(judgement: &Judgement) -> Option<ReportSection> {
    let rows: Vec<DocumentRow> = judgement.scripts.iter().map(row_of_script).collect();
    if rows.is_empty() {
        return None;
    }
    let blocks = vec![
        SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows)),
        SectionBlock::Note(DRAWN_BY_WEIGHT.to_owned()),
    ];
    Some(ReportSection { id: "scripts", title: "Throughput and latency by script".to_owned(), blocks })
}

fn row_of_script(of: &ScriptFigures) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&of.place.workload),
        TableCell::optional_count(of.place.clients.known_count()),
        TableCell::from_words(&of.script),
        TableCell::from_words(&of.target),
        TableCell::Figure(of.share),
        cell_of_level(of.throughput_per_s),
        cell_of_level(of.latency_mean_ms),
        cell_of_level(of.latency_p99_ms),
        TableCell::optional_estimate(of.change),
        TableCell::Count(of.failed),
        TableCell::Count(of.blocks as u64),
    ])
}

pub(super) fn cell_of_level(level: ScriptLevel) -> TableCell {
    match level {
        ScriptLevel::Missing => TableCell::Missing,
        ScriptLevel::OfOnlyTrial(figure) => TableCell::Figure(figure),
        ScriptLevel::OverTrials(estimate) => TableCell::Estimate(estimate),
    }
}
