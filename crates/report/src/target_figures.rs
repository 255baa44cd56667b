//! What each target gets done by itself, at every number of clients: the figures of a run that compares nothing, and
//! the levels of which a comparison has the ratios.

use judge::Judgement;
use judge::compare::ClientRung;

use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// A target at a number of clients a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "clients",
    about: "Throughput and latency of each target, by clients",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("throughput", "throughput", Holds::Estimate(ColumnUnit::Tps)),
        DocumentColumn::new("mean latency", "latency_mean", Holds::Point(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p99 latency", "latency_p99", Holds::Point(ColumnUnit::Milliseconds)),
        DocumentColumn::new("blocks", "blocks", Holds::Count),
    ],
};

/// A row for each number of clients; none where no trial of a closed loop has ended.
pub(crate) fn target_figures_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut rows = Vec::new();
    for ladder in &judgement.comparison.ladders {
        rows.extend(ladder.rungs.iter().map(|rung| row_of(&ladder.workload, &ladder.target, rung)));
    }
    if rows.is_empty() {
        return None;
    }
    let blocks = vec![SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "target-figures", title: "Throughput and latency of each target".to_owned(), blocks })
}

fn row_of(workload: &str, target: &str, rung: &ClientRung) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(workload),
        TableCell::from_words(target),
        TableCell::Count(u64::from(rung.clients)),
        TableCell::optional_estimate(rung.throughput_per_s),
        TableCell::optional_estimate(rung.latency_mean_ms),
        TableCell::optional_estimate(rung.latency_p99_ms),
        rung.throughput_per_s.map_or(TableCell::Missing, |throughput| TableCell::Count(throughput.n as u64)),
    ])
}
