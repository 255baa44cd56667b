//! What each target gets done by itself, at every number of clients: the figures of a run that compares nothing, and
//! the levels of which a comparison has the ratios.

use judge::Judgement;
use judge::compare::Rung;

use super::document::{Block, Cell, Column, Holds, Row, Section, Table, TableKind, Unit};

/// A target at a number of clients a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "clients",
    about: "Throughput and latency of each target, by clients",
    columns: &[
        Column::new("workload", "workload", Holds::Words),
        Column::new("target", "target", Holds::Words),
        Column::new("clients", "clients", Holds::Count),
        Column::new("throughput", "throughput", Holds::Estimate(Unit::Tps)),
        Column::new("mean latency", "latency_mean", Holds::Point(Unit::Milliseconds)),
        Column::new("p99 latency", "latency_p99", Holds::Point(Unit::Milliseconds)),
        Column::new("blocks", "blocks", Holds::Count),
    ],
};

/// A row for each number of clients; none where no trial of a closed loop has ended.
pub(crate) fn target_figures_section(judgement: &Judgement) -> Option<Section> {
    let mut rows = Vec::new();
    for ladder in &judgement.comparison.ladders {
        rows.extend(ladder.rungs.iter().map(|rung| row_of(&ladder.workload, &ladder.target, rung)));
    }
    if rows.is_empty() {
        return None;
    }
    let blocks = vec![Block::Table(Table::of(&TABLE, rows))];
    Some(Section { id: "target-figures", title: "Throughput and latency of each target".to_owned(), blocks })
}

fn row_of(workload: &str, target: &str, rung: &Rung) -> Row {
    Row::of(vec![
        Cell::words(workload),
        Cell::words(target),
        Cell::Count(u64::from(rung.clients)),
        Cell::estimate(rung.throughput_per_s),
        Cell::estimate(rung.latency_mean_ms),
        Cell::estimate(rung.latency_p99_ms),
        rung.throughput_per_s.map_or(Cell::Missing, |throughput| Cell::Count(throughput.n as u64)),
    ])
}
