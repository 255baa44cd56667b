//! Latency by statement of a target without a comparison.

use judge::Judgement;
use judge::statements::{TargetStatements, TimedStatement};
use judge::units;

use super::statement_latency::{KEPT, cells_of_figures, left_out, of_writers};
use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, FoldedRows, Holds, Showing, TableCell, TableKind,
};

/// Rows that are worth a place.
const ROWS_MAX: usize = 8;

/// A statement a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "statements-alone",
    about: "Latency by statement of targets without a comparison",
    columns: &[
        DocumentColumn::for_programs("target", Holds::Words),
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_people("statement"),
        DocumentColumn::for_programs("script", Holds::Words),
        DocumentColumn::for_programs("line", Holds::Count),
        DocumentColumn::new("executions", "executions", Holds::Count).on_page(),
        DocumentColumn::new("failed", "failed", Holds::Count),
        DocumentColumn::new("retried", "retried", Holds::Count).on_page(),
        DocumentColumn::new("ms of a transaction", "of_transaction", Holds::Figure(ColumnUnit::Part)),
        DocumentColumn::new("share", "share", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("mean", "mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p50", "p50", Holds::Figure(ColumnUnit::Milliseconds)).on_page(),
        DocumentColumn::new("p95", "p95", Holds::Figure(ColumnUnit::Milliseconds)).on_page(),
        DocumentColumn::new("p99", "p99", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("max", "max", Holds::Figure(ColumnUnit::Milliseconds)).on_page(),
        DocumentColumn::new("text", "text", Holds::Code),
    ],
};

/// A table for each target at each place; of each workload those with the most clients are foremost.
pub(super) fn tables_of_targets(judgement: &Judgement) -> Vec<DocumentTable> {
    let all = &judgement.statements_alone;
    let mut tables = Vec::new();
    for one in all {
        let same = all.iter().filter(|other| other.place.workload == one.place.workload);
        let is_of_most_clients = same.map(|other| other.place.clients).max() == Some(one.place.clients);
        // A transaction of one statement says the same as its latency.
        let is_foremost = is_of_most_clients && one.statements.len() > 1;
        tables.push(DocumentTable { showing: Showing::foremost_or_folded(is_foremost), ..table_of_target(one) });
    }
    tables
}

/// The statement that takes most of a transaction first.
fn table_of_target(one: &TargetStatements) -> DocumentTable {
    let mut statements: Vec<&TimedStatement> = one.statements.iter().collect();
    statements.sort_by(|one, other| other.figures.time_ms.total_cmp(&one.figures.time_ms));
    let blocks = if one.blocks == 1 { "1 block".to_owned() } else { format!("{} blocks", one.blocks) };
    let clients = units::format_clients(one.place.clients);
    let others = statements.get(ROWS_MAX..).unwrap_or_default();
    let folded = if others.is_empty() {
        None
    } else {
        let sum_ms: f64 = others.iter().map(|statement| statement.figures.time_ms).sum();
        let left_out = left_out(statements.len());
        let summary = format!("{} more: {sum_ms:.3} ms of a transaction{left_out}", others.len());
        Some(FoldedRows { from: ROWS_MAX, summary })
    };
    let rows = statements.iter().take(KEPT).map(|statement| row_of_statement(one, statement)).collect();
    DocumentTable {
        caption: Some(format!("{}, {clients}: {}, {blocks}", one.place.workload, one.target)),
        folded,
        ..DocumentTable::from_rows(&TABLE, rows)
    }
}

fn row_of_statement(one: &TargetStatements, statement: &TimedStatement) -> DocumentRow {
    let TimedStatement { script, line, text, commits, figures, .. } = statement;
    let mut cells = vec![
        TableCell::from_words(&one.target),
        TableCell::from_words(&one.place.workload),
        TableCell::optional_count(one.place.clients.known_count()),
        TableCell::Words(format!("{script}:{line}{}", of_writers(commits))),
        TableCell::from_words(script),
        TableCell::Count(u64::from(*line)),
    ];
    cells.extend(cells_of_figures(figures));
    cells.push(TableCell::from_words(text));
    DocumentRow::from_cells(cells)
}

#[cfg(test)]
mod tests {
    use judge::compare::ComparisonPlace;
    use judge::statements::StatementFigures;
    use results::workload::StatementNumber;

    use super::*;
    use crate::document::TableRoom;

    fn place(statements: u32) -> TargetStatements {
        let statement = |line: u32| TimedStatement {
            number: StatementNumber(line - 1),
            script: "own.sql".to_owned(),
            line,
            text: format!("SELECT {line}"),
            commits: Vec::new(),
            figures: StatementFigures {
                executions: 9,
                time_ms: f64::from(line),
                share: Some(0.25),
                mean_ms: Some(f64::from(line)),
                p99_ms: Some(9.0),
                ..StatementFigures::default()
            },
        };
        let place = ComparisonPlace { workload: "w".to_owned(), clients: 4.into() };
        TargetStatements {
            target: "db".to_owned(),
            place,
            blocks: 3,
            statements: (1..=statements).map(statement).collect(),
        }
    }

    #[test]
    fn statements_that_take_most_are_shown_and_the_others_are_summed_up() {
        let table = table_of_target(&place(12));
        assert_eq!(table.caption.as_deref(), Some("w, 4 clients: db, 3 blocks"));
        let rows = table.people_texts(TableRoom::Little);
        assert_eq!(rows.len(), ROWS_MAX, "{rows:#?}");
        assert_eq!(rows[0], ["own.sql:12", "0", "12.000", "25 %", "12.0 ms", "9.00 ms", "SELECT 12"]);
        assert_eq!(table.folded.unwrap().summary, "4 more: 10.000 ms of a transaction");
        assert_eq!(table.rows.len(), 12);
    }
}
