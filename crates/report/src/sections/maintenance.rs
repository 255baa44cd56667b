//! Checkpoints and autovacuums of each target while it was measured, side by side.

use judge::Judgement;
use judge::maintenance::Maintenance;

use crate::document::{
    DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "The maintenance of each server during its measurement phases. A server counts a checkpoint when \
                           it begins (from PostgreSQL 18 on: when it is complete), and buffers while they are written. If sides alternate in slices, the slices of \
                           the other sides are included. Targets with different counts did not do the same work.";

/// A target in a workload, with a number of clients, a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "maintenance",
    about: "Checkpoints and autovacuums of each target during the measurement",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("trials", "trials", Holds::Count),
        DocumentColumn::new("checkpoints", "checkpoints", Holds::Count),
        DocumentColumn::new("buffers written by checkpoints", "checkpoint_buffers", Holds::Count),
        DocumentColumn::new("autovacuums of tables of its database", "autovacuums", Holds::Count),
    ],
};

/// A row for each target in each cell; none where no server did any maintenance.
pub(crate) fn maintenance_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.maintenance.is_empty() {
        return None;
    }
    let rows = judgement.maintenance.iter().map(row_of_cell).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "maintenance", title: "Checkpoints and autovacuums".to_owned(), blocks })
}

fn row_of_cell(one: &Maintenance) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&one.target),
        TableCell::from_words(&one.place.workload),
        TableCell::optional_count(one.place.clients.known_count()),
        TableCell::Count(one.trials),
        count_cell(one.checkpoints),
        count_cell(one.checkpoint_buffers),
        count_cell(one.autovacuums),
    ])
}

fn count_cell(count: Option<f64>) -> TableCell {
    count.map_or(TableCell::Missing, |count| TableCell::Count(count as u64))
}
