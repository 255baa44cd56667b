//! What each target gets done by itself, at every number of clients: the figures of a run that compares nothing, and
//! the levels of which a comparison has the ratios.

use judge::Judgement;
use judge::compare::ClientRung;
use stats::Estimate;

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

/// Why figures have no interval.
const SINGLE_TRIALS: &str = "figures without an interval are of single trials";

/// A row for each number of clients; none where no trial of a closed loop has ended.
pub(crate) fn target_figures_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut rows = Vec::new();
    for ladder in &judgement.comparison.ladders {
        rows.extend(ladder.rungs.iter().map(|rung| row_of(&ladder.workload, &ladder.target, rung)));
    }
    if rows.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    let mut rungs = judgement.comparison.ladders.iter().flat_map(|ladder| &ladder.rungs);
    if rungs.any(|rung| rung.throughput_per_s.is_none() && rung.of_only_trial.throughput_per_s.is_some()) {
        blocks.push(SectionBlock::Note(SINGLE_TRIALS.to_owned()));
    }
    Some(ReportSection { id: "target-figures", title: "Throughput and latency of each target".to_owned(), blocks })
}

fn row_of(workload: &str, target: &str, rung: &ClientRung) -> DocumentRow {
    let only = rung.of_only_trial;
    DocumentRow::from_cells(vec![
        TableCell::from_words(workload),
        TableCell::from_words(target),
        TableCell::Count(u64::from(rung.clients)),
        level_or_figure(rung.throughput_per_s, only.throughput_per_s),
        level_or_figure(rung.latency_mean_ms, only.latency_mean_ms),
        level_or_figure(rung.latency_p99_ms, only.latency_p99_ms),
        match (rung.throughput_per_s, only.throughput_per_s) {
            (Some(throughput), _) => TableCell::Count(throughput.n as u64),
            (None, Some(_)) => TableCell::Count(1),
            (None, None) => TableCell::Missing,
        },
    ])
}

/// A level over trials, else the figure of the only one, which has no interval.
fn level_or_figure(level: Option<Estimate>, only: Option<f64>) -> TableCell {
    match (level, only) {
        (Some(level), _) => TableCell::Estimate(level),
        (None, Some(figure)) => TableCell::Figure(figure),
        (None, None) => TableCell::Missing,
    }
}
