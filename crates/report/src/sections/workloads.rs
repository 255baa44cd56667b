//! What the workloads are: the transaction, the data, and how transactions are sent. A name such as `read` does not say
//! what is read.

use judge::Judgement;
use judge::workloads::WorkloadInWords;

use crate::document::{Block, Cell, Column, Holds, Row, Section, Table, TableKind};
use crate::words;

/// A workload a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "workloads",
    about: "The workloads: transaction, data, loop",
    columns: &[
        Column::new("workload", "workload", Holds::Words),
        Column::new("transaction", "transaction", Holds::Words),
        Column::new("data", "data", Holds::Words),
        Column::new("load", "load", Holds::Words),
    ],
};

/// A row for each workload; none for figures of other tools, whose workloads are not known.
pub(crate) fn workloads_section(judgement: &Judgement) -> Option<Section> {
    if judgement.workloads.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for WorkloadInWords { name, transaction, data } in &judgement.workloads {
        let load = words::load_loop(judgement.comparison.question.load_loop(name));
        rows.push(Row::of(vec![Cell::words(name), Cell::words(transaction), Cell::words(data), Cell::words(load)]));
    }
    let blocks = vec![Block::Table(Table::of(&TABLE, rows))];
    Some(Section { id: "workloads", title: "Workloads".to_owned(), blocks })
}
