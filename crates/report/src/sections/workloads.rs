//! What the workloads are: the transaction, the data, and how transactions are sent. A name such as `read` does not say
//! what is read.

use judge::Judgement;
use judge::workloads::WorkloadInWords;

use crate::document::{
    DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use crate::words;

/// A workload a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "workloads",
    about: "The workloads: transaction, data, loop",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("transaction", "transaction", Holds::Words),
        DocumentColumn::new("data", "data", Holds::Words),
        DocumentColumn::new("load", "load", Holds::Words),
    ],
};

/// A row for each workload; none for figures of other tools, whose workloads are not known.
pub(crate) fn workloads_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.workloads.is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for WorkloadInWords { name, transaction, data } in &judgement.workloads {
        let load = words::load_loop(judgement.comparison.question.load_loop(name));
        rows.push(DocumentRow::from_cells(vec![
            TableCell::from_words(name),
            TableCell::from_words(transaction),
            TableCell::from_words(data),
            TableCell::from_words(load),
        ]));
    }
    let blocks = vec![SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "workloads", title: "Workloads".to_owned(), blocks })
}
