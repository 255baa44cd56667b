//! The statements that took most of the server's time, as `pg_stat_statements` counted them.

use judge::Judgement;
use judge::failures::format_small_percent;
use judge::server_statements::{ServerStatement, ServerStatements};
use judge::units;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, FoldedRows, Holds, ReportSection, SectionBlock, Showing,
    TableCell, TableKind,
};

const EXPLANATION: &str = "Counters of pg_stat_statements over the measurement phases. The shares are of the time of all statements, \
                           with those of pgdyno's probes. Rows, blocks and WAL are per execution. The time is the execution \
                           time, without planning and without the route to the client.";

/// A statement a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "statements",
    about: "The statements that took most time on the server",
    columns: &[
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("target", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_programs("query_id", Holds::Words),
        DocumentColumn::new("share of the time", "share", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("per second", "calls_per_s", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("mean", "mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("rows", "rows", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("blocks hit", "blocks_hit", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("blocks read", "blocks_read", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("temp blocks", "temp_blocks", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("WAL bytes", "wal_bytes", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("statement", "text", Holds::Code),
    ],
};

/// A table for each cell, which only a page has; none where they were not counted.
pub(crate) fn server_statements_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.server_statements.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    blocks.extend(judgement.server_statements.iter().map(|cell| SectionBlock::Table(table_of_cell(cell))));
    Some(ReportSection { id: "statements", title: "Statements".to_owned(), blocks })
}

fn table_of_cell(cell: &ServerStatements) -> DocumentTable {
    let trials = if cell.trials == 1 { "1 trial".to_owned() } else { format!("{} trials", cell.trials) };
    let clients = units::format_clients(cell.place.clients);
    let caption = Some(format!("{}, {}, {clients}: {trials}", cell.target, cell.place.workload));
    let rows = cell.statements.iter().map(|statement| row_of_statement(cell, statement)).collect();
    DocumentTable {
        caption,
        showing: Showing::Page,
        folded: folded_probes(cell),
        ..DocumentTable::from_rows(&TABLE, rows)
    }
}

/// The statements of pgdyno's probes, which are the last rows; none where no statement is one of theirs.
fn folded_probes(cell: &ServerStatements) -> Option<FoldedRows> {
    let from = cell.statements.iter().position(|statement| statement.by_pgdyno)?;
    let probes = &cell.statements[from..];
    let statements = if probes.len() == 1 { "1 statement".to_owned() } else { format!("{} statements", probes.len()) };
    let share: f64 = probes.iter().map(|statement| statement.share).sum();
    let summary = format!("{statements} of pgdyno's probes: {} of the time", format_small_percent(share));
    Some(FoldedRows { from, summary })
}

fn row_of_statement(cell: &ServerStatements, statement: &ServerStatement) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&cell.place.workload),
        TableCell::from_words(&cell.target),
        TableCell::optional_count(cell.place.clients.known_count()),
        TableCell::from_words(statement.query_id.to_string()),
        TableCell::Figure(statement.share),
        TableCell::Figure(statement.calls_per_s),
        TableCell::Figure(statement.mean_ms),
        TableCell::Figure(statement.rows),
        TableCell::Figure(statement.blocks_hit),
        TableCell::Figure(statement.blocks_read),
        TableCell::Figure(statement.temp_blocks),
        TableCell::Figure(statement.wal_bytes),
        statement.text.as_ref().map_or(TableCell::Missing, TableCell::from_words),
    ])
}
