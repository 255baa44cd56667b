//! Latency by statement of a target that is compared with nothing: a short table for a person, and as data.

use judge::Judgement;
use judge::statements::{TargetStatements, TimedStatement};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;

use super::columns::{Alignment, aligned};
use super::statement_latency::{StatementFiguresData, cut, figures_data, of_writers};

/// Lines of a table on a terminal.
const LINES: usize = 8;
/// Statements of a place that the data hold, a workload may have thousands.
const KEPT: usize = 50;

/// The statements of one target in one workload at one number of clients.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TargetStatementsData {
    /// The target.
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: u32,
    /// Blocks in which they were timed.
    pub blocks: usize,
    /// The statements, the one that takes most of a transaction first.
    pub statements: Vec<TimedStatementData>,
    /// The number of further statements that were executed.
    pub left_out: usize,
}

/// One statement.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TimedStatementData {
    /// Its number in the workload, from 0.
    pub number: u32,
    /// The name of its script.
    pub script: String,
    /// Its line in the script.
    pub line: u32,
    /// Its text in one line, shortened. The run directory has the full text.
    pub text: String,
    /// For a COMMIT, the lines of the statements whose writes it commits.
    pub commits: Vec<u32>,
    /// Its figures.
    pub figures: StatementFiguresData,
}

/// All places.
pub(crate) fn data(judgement: &Judgement) -> Vec<TargetStatementsData> {
    let of_place = |one: &TargetStatements| {
        Some(TargetStatementsData {
            target: one.target.clone(),
            workload: one.place.workload.clone(),
            clients: one.place.clients.known()?,
            blocks: one.blocks,
            statements: by_time(one).into_iter().take(KEPT).map(statement_data).collect(),
            left_out: one.statements.len().saturating_sub(KEPT),
        })
    };
    judgement.statements_alone.iter().filter_map(of_place).collect()
}

fn statement_data(statement: &TimedStatement) -> TimedStatementData {
    TimedStatementData {
        number: statement.number.0,
        script: statement.script.clone(),
        line: statement.line,
        text: statement.text.clone(),
        commits: statement.commits.clone(),
        figures: figures_data(&statement.figures),
    }
}

/// The statements, the one that takes most of a transaction first.
fn by_time(one: &TargetStatements) -> Vec<&TimedStatement> {
    let mut all: Vec<_> = one.statements.iter().collect();
    all.sort_by(|one, other| other.figures.time_ms.total_cmp(&one.figures.time_ms));
    all
}

/// Tables of the places worth one on a terminal: of each workload the one with the most clients; a transaction of one
/// statement says the same as its latency.
pub(crate) fn tables(judgement: &Judgement) -> impl Iterator<Item = (String, Vec<String>)> {
    let all = &judgement.statements_alone;
    let is_foremost = |one: &&TargetStatements| {
        let same = all.iter().filter(|other| other.place.workload == one.place.workload);
        one.statements.len() > 1 && same.map(|other| other.place.clients).max() == Some(one.place.clients)
    };
    all.iter().filter(is_foremost).map(lines)
}

/// The lines of one place under a heading, columns aligned.
fn lines(one: &TargetStatements) -> (String, Vec<String>) {
    let clients = units::clients(one.place.clients);
    let heading = format!("Latency by statement ({}, {clients}, {})", one.place.workload, one.target);
    let titles = ["", "ms of a transaction", "share", "mean", "p99", "failed", "statement"];
    let mut table = vec![titles.map(str::to_owned)];
    let all = by_time(one);
    let ms = |figure: Option<f64>| figure.map_or_else(|| "never succeeded".to_owned(), units::milliseconds);
    for TimedStatement { script, line, text, commits, figures, .. } in all.iter().take(LINES) {
        table.push([
            format!("{script}:{line}"),
            format!("{:.3}", figures.time_ms),
            figures.share.map_or_else(String::new, units::percent),
            ms(figures.mean_ms),
            ms(figures.p99_ms),
            figures.failed.to_string(),
            format!("{}{}", cut(text), of_writers(commits)),
        ]);
    }
    let others = all.get(LINES..).unwrap_or_default();
    if !others.is_empty() {
        let sum: f64 = others.iter().map(|statement| statement.figures.time_ms).sum();
        let nothing = String::new;
        table.push([
            format!("{} more", others.len()),
            format!("{sum:.3}"),
            nothing(),
            nothing(),
            nothing(),
            nothing(),
            nothing(),
        ]);
    }
    use Alignment::{Left, Right};
    (heading, aligned(&table, [Left, Right, Right, Right, Right, Right, Left]))
}

#[cfg(test)]
mod tests {
    use judge::compare::Place;
    use judge::statements::StatementFigures;
    use results::workload::StatementNumber;

    use super::*;

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
        let place = Place { workload: "w".to_owned(), clients: 4.into() };
        TargetStatements {
            target: "db".to_owned(),
            place,
            blocks: 3,
            statements: (1..=statements).map(statement).collect(),
        }
    }

    #[test]
    fn the_dearest_statements_have_a_line_and_the_others_share_one() {
        let (heading, lines) = lines(&place(12));
        assert_eq!(heading, "Latency by statement (w, 4 clients, db)");
        assert_eq!(lines.len(), 1 + LINES + 1, "{lines:#?}");
        let words: Vec<_> = lines[1].split_whitespace().take(3).collect();
        assert_eq!(words, ["own.sql:12", "12.000", "25"], "{lines:#?}");
        assert!(lines[1].ends_with("SELECT 12") && lines[9].starts_with("4 more"), "{lines:#?}");
    }
}
