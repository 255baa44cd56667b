//! How far the standbys that workloads read were behind their primaries.

use judge::Judgement;
use judge::standby_lag::StandbyLag;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "The standby that the load reads, once per second. The age is measured: the time after which the standby has replayed all WAL \
                           that the primary had written at an instant. All earlier commits are then visible there. It contains the way to both servers. \
                           The WAL is what the primary had written and the standby had not replayed. Replay cancels queries that stand in its way (conflicts), \
                           which fail with SQLSTATE 40001 or 40P01.";

/// A target in a workload, with a number of clients, a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "standby-lag",
    about: "Age of standbys that workloads read, WAL behind, and conflicts",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("mean age", "age_mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("highest age", "age_max", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("mean WAL behind (bytes)", "behind_mean_bytes", Holds::Count),
        DocumentColumn::new("most WAL behind (bytes)", "behind_max_bytes", Holds::Count),
        DocumentColumn::new("conflicts", "conflicts", Holds::Count),
        DocumentColumn::new("transactions cancelled", "cancelled", Holds::Count),
        DocumentColumn::new("trials", "trials", Holds::Count).on_page(),
    ],
};

/// A row for each target in each cell that reads a standby; none where no workload does.
pub(super) fn standby_lag_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.surroundings.standby_lag.is_empty() {
        return None;
    }
    let rows = judgement.surroundings.standby_lag.iter().map(row_of_cell).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "standby-lag", title: "Standbys that are read".to_owned(), blocks })
}

fn row_of_cell(of: &StandbyLag) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&of.place.workload),
        TableCell::optional_count(of.place.clients.known_count()),
        TableCell::from_words(&of.target),
        optional_figure(of.age_mean_ms),
        optional_figure(of.age_max_ms),
        rounded_count(of.behind_mean_bytes),
        rounded_count(of.behind_max_bytes),
        rounded_count(of.conflicts),
        TableCell::Count(of.cancelled),
        TableCell::Count(of.trials),
    ])
}

fn optional_figure(figure: Option<f64>) -> TableCell {
    figure.map_or(TableCell::Missing, TableCell::Figure)
}

fn rounded_count(count: Option<f64>) -> TableCell {
    count.map_or(TableCell::Missing, |count| TableCell::Count(count.round() as u64))
}
