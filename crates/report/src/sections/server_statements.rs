//! The statements that took most of the server's time, as `pg_stat_statements` counted them.

use judge::Judgement;
use judge::server_statements::{ServerStatement, ServerStatements};
use judge::units;

use crate::document::{Block, Cell, Column, Holds, Row, Section, Showing, Table, TableKind, Unit};

const EXPLANATION: &str = "Counters of pg_stat_statements over the measurement phases, including pgdyno's own statements. Rows, blocks \
                           and WAL are per execution. The time is the execution time, without planning and without the route \
                           to the client.";

/// A statement a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "statements",
    about: "The statements that took most time on the server",
    columns: &[
        Column::for_programs("workload", Holds::Words),
        Column::for_programs("target", Holds::Words),
        Column::for_programs("clients", Holds::Count),
        Column::for_programs("query_id", Holds::Words),
        Column::new("share of the time", "share", Holds::Figure(Unit::Share)),
        Column::new("per second", "calls_per_s", Holds::Figure(Unit::OfTheRow)),
        Column::new("mean", "mean", Holds::Figure(Unit::Milliseconds)),
        Column::new("rows", "rows", Holds::Figure(Unit::OfTheRow)),
        Column::new("blocks hit", "blocks_hit", Holds::Figure(Unit::OfTheRow)),
        Column::new("blocks read", "blocks_read", Holds::Figure(Unit::OfTheRow)),
        Column::new("temp blocks", "temp_blocks", Holds::Figure(Unit::OfTheRow)),
        Column::new("WAL bytes", "wal_bytes", Holds::Figure(Unit::OfTheRow)),
        Column::new("statement", "text", Holds::Code),
    ],
};

/// A table for each cell, which only a page has; none where they were not counted.
pub(crate) fn server_statements_section(judgement: &Judgement) -> Option<Section> {
    if judgement.server_statements.is_empty() {
        return None;
    }
    let mut blocks = vec![Block::Explanation(EXPLANATION)];
    blocks.extend(judgement.server_statements.iter().map(|cell| Block::Table(table_of_cell(cell))));
    Some(Section { id: "statements", title: "Statements".to_owned(), blocks })
}

fn table_of_cell(cell: &ServerStatements) -> Table {
    let trials = if cell.trials == 1 { "1 trial".to_owned() } else { format!("{} trials", cell.trials) };
    let clients = units::clients(cell.place.clients);
    let caption = Some(format!("{}, {}, {clients}: {trials}", cell.target, cell.place.workload));
    let rows = cell.statements.iter().map(|statement| row_of_statement(cell, statement)).collect();
    Table { caption, showing: Showing::Page, ..Table::of(&TABLE, rows) }
}

fn row_of_statement(cell: &ServerStatements, statement: &ServerStatement) -> Row {
    Row::of(vec![
        Cell::words(&cell.place.workload),
        Cell::words(&cell.target),
        Cell::count(cell.place.clients.known()),
        Cell::words(statement.query_id.to_string()),
        Cell::Figure(statement.share),
        Cell::Figure(statement.calls_per_s),
        Cell::Figure(statement.mean_ms),
        Cell::Figure(statement.rows),
        Cell::Figure(statement.blocks_hit),
        Cell::Figure(statement.blocks_read),
        Cell::Figure(statement.temp_blocks),
        Cell::Figure(statement.wal_bytes),
        statement.text.as_ref().map_or(Cell::Missing, Cell::words),
    ])
}
