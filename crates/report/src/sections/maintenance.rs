//! Checkpoints and autovacuums of each target while it was measured, side by side.

use judge::Judgement;
use judge::maintenance::Maintenance;

use crate::document::{Block, Cell, Column, Holds, Row, Section, Table, TableKind};

const EXPLANATION: &str = "The maintenance of each server during its measurement phases. A server counts a checkpoint when \
                           it begins (from PostgreSQL 18 on: when it is complete), and buffers while they are written. If sides alternate in slices, the slices of \
                           the other sides are included. Targets with different counts did not do the same work.";

/// A target in a workload, with a number of clients, a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "maintenance",
    about: "Checkpoints and autovacuums of each target during the measurement",
    columns: &[
        Column::new("target", "target", Holds::Words),
        Column::new("workload", "workload", Holds::Words),
        Column::new("clients", "clients", Holds::Count),
        Column::new("trials", "trials", Holds::Count),
        Column::new("checkpoints", "checkpoints", Holds::Count),
        Column::new("buffers written by checkpoints", "checkpoint_buffers", Holds::Count),
        Column::new("autovacuums of tables of its database", "autovacuums", Holds::Count),
    ],
};

/// A row for each target in each cell; none where no server did any maintenance.
pub(crate) fn maintenance_section(judgement: &Judgement) -> Option<Section> {
    if judgement.maintenance.is_empty() {
        return None;
    }
    let rows = judgement.maintenance.iter().map(row_of_cell).collect();
    let blocks = vec![Block::Explanation(EXPLANATION), Block::Table(Table::of(&TABLE, rows))];
    Some(Section { id: "maintenance", title: "Checkpoints and autovacuums".to_owned(), blocks })
}

fn row_of_cell(one: &Maintenance) -> Row {
    Row::of(vec![
        Cell::words(&one.target),
        Cell::words(&one.place.workload),
        Cell::count(one.place.clients.known()),
        Cell::Count(one.trials),
        count_cell(one.checkpoints),
        count_cell(one.checkpoint_buffers),
        count_cell(one.autovacuums),
    ])
}

fn count_cell(count: Option<f64>) -> Cell {
    count.map_or(Cell::Missing, |count| Cell::Count(count as u64))
}
