//! Tables as CSV (RFC 4180: lines end in CR LF), units in the names of columns, an empty field where nothing is known.

use ::csv::{Terminator, WriterBuilder};

use super::column::Holds;
use super::{ReportDocument, TableKind};

/// All rows of a kind, below the names of its columns.
pub fn csv_of_table(document: &ReportDocument, kind: &TableKind) -> String {
    let mut lines = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let tables = document.tables_of_kind(kind.name);
    let mut names = Vec::new();
    for column in kind.columns {
        names.extend(column.program_fields());
        if let (Holds::Each, Some(table)) = (column.holds, tables.first()) {
            names.extend(table.each.iter().cloned());
        }
    }
    lines.write_record(names).expect("writing into memory cannot fail");
    for row in tables.iter().flat_map(|table| &table.rows) {
        let cells = row.cells.iter().zip(kind.columns);
        let fields = cells.flat_map(|(cell, column)| cell.program_fields(column));
        lines.write_record(fields).expect("writing into memory cannot fail");
    }
    String::from_utf8(lines.into_inner().expect("writing into memory cannot fail")).expect("all fields are text")
}
