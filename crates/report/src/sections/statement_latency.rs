//! Latency by statement, as the load engine timed it: how much of a mean transaction each statement takes on both
//! sides, and of a target without a comparison.

use judge::Judgement;
use judge::compare::PairJudgement;
use judge::statements::{PairStatements, StatementChange, StatementFigures};
use judge::units;
use stats::Estimate;

use super::statements_alone;
use crate::budgets::signed_milliseconds;
use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, FoldedRows, Holds, ReportSection, SectionBlock, Showing,
    TableCell, TableKind,
};
use crate::pair_table::foremost_of;

/// Rows that are worth a place, without those of failures.
const ROWS_MAX: usize = 5;
/// So much of all changes together is to be in them.
const CARRIED: f64 = 0.9;
/// Rows of failing statements that others have not shown already.
const FAILING: usize = 3;
/// Statements that share a COMMIT and are named one by one.
const WRITERS: usize = 6;
/// Statements of a table, a workload may have thousands.
pub(super) const KEPT: usize = 50;

const EXPLANATION: &str = "Milliseconds of a mean transaction and of one execution, measured by the clients. A statement begins \
                           when the previous wait of its transaction ends, and ends with its complete answer. In a pipeline \
                           each statement begins with the pipeline, so statements overlap.";
const BASELINE: &str = "baseline";
const CANDIDATE: &str = "candidate";

/// A statement of a comparison a row.
pub(crate) static CHANGES: TableKind = TableKind {
    name: "statement-changes",
    about: "Statements of a comparison: the change of a mean transaction and of one execution",
    columns: &[
        DocumentColumn::for_programs("candidate", Holds::Words),
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_people("statement"),
        DocumentColumn::for_programs("script", Holds::Words),
        DocumentColumn::for_programs("line", Holds::Count),
        DocumentColumn::new("baseline", BASELINE, Holds::Figure(ColumnUnit::Part)),
        DocumentColumn::new("candidate", CANDIDATE, Holds::Figure(ColumnUnit::Part)),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Added)),
        DocumentColumn::new("one execution", "mean_change", Holds::Point(ColumnUnit::Change)),
        DocumentColumn::new("its p99", "p99_change", Holds::Point(ColumnUnit::Change)).on_page(),
        DocumentColumn::for_programs("blocks", Holds::Count),
        DocumentColumn::new("text", "text", Holds::Code),
    ],
};

/// A side of a statement of a comparison a row.
pub(crate) static SIDES: TableKind = TableKind {
    name: "statement-latency",
    about: "Latency by statement, as the load engine timed it",
    columns: &[
        DocumentColumn::for_programs("candidate", Holds::Words),
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_people("statement"),
        DocumentColumn::for_programs("script", Holds::Words),
        DocumentColumn::for_programs("line", Holds::Count),
        DocumentColumn::new("side", "side", Holds::Words),
        DocumentColumn::new("executions", "executions", Holds::Count),
        DocumentColumn::new("failed", "failed", Holds::Count),
        DocumentColumn::new("retried", "retried", Holds::Count),
        DocumentColumn::new("ms of a transaction", "of_transaction", Holds::Figure(ColumnUnit::Part)),
        DocumentColumn::new("share", "share", Holds::Figure(ColumnUnit::Share)),
        DocumentColumn::new("mean", "mean", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p50", "p50", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p95", "p95", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("p99", "p99", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::new("max", "max", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::for_programs("text", Holds::Words),
    ],
};

/// Two tables for each pair: the changes, and the figures of both sides; one for each target without a comparison.
/// None where no statement was timed.
pub(crate) fn statement_latency_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    let baseline = &judgement.comparison.question.baseline;
    let foremost = foremost_of(&judgement.statements, |pair| (&pair.candidate, &pair.place));
    for pair in &judgement.statements {
        let [mut changes, sides] = tables_of_pair(pair, baseline);
        let is_of_most_clients = foremost.iter().any(|one| std::ptr::eq(*one, pair));
        // A transaction of one statement says the same as that.
        let is_captured = judgement.comparison.question.captured.contains(&pair.place.workload);
        let is_foremost = is_of_most_clients && pair.statements.len() > 1 && !is_captured;
        changes.showing = Showing::foremost_or_folded(is_foremost);
        changes.notes.extend(fewer_blocks(pair, &judgement.comparison.pairs));
        blocks.extend([SectionBlock::Table(changes), SectionBlock::Table(sides)]);
    }
    blocks.extend(statements_alone::tables_of_targets(judgement).into_iter().map(SectionBlock::Table));
    if blocks.len() == 1 {
        return None;
    }
    Some(ReportSection { id: "statement-latency", title: "Latency by statement".to_owned(), blocks })
}

fn tables_of_pair(pair: &PairStatements, baseline: &str) -> [DocumentTable; 2] {
    let (carrying, others) = carrying_and_others(pair);
    let statements: Vec<&StatementChange> = carrying.iter().chain(&others).take(KEPT).copied().collect();
    let clients = units::format_clients(pair.place.clients);
    let what = format!("{}, {clients}: {} against {baseline}", pair.place.workload, pair.candidate);
    let changes = DocumentTable {
        caption: Some(format!("{what}, ms per transaction")),
        renamed: vec![(BASELINE, baseline.to_owned()), (CANDIDATE, pair.candidate.clone())],
        folded: folded_rows(carrying.len(), &others),
        ..DocumentTable::from_rows(
            &CHANGES,
            statements.iter().map(|statement| row_of_change(pair, statement)).collect(),
        )
    };
    let sides = DocumentTable {
        caption: Some(format!("{what}, figures of both sides")),
        showing: Showing::Folded,
        ..DocumentTable::from_rows(
            &SIDES,
            statements.iter().flat_map(|statement| rows_of_sides(pair, statement)).collect(),
        )
    };
    [changes, sides]
}

/// Those that change a transaction most first.
fn by_change(pair: &PairStatements) -> Vec<&StatementChange> {
    let mut all: Vec<_> = pair.statements.iter().collect();
    all.sort_by(|one, other| other.more_ms().abs().total_cmp(&one.more_ms().abs()));
    all
}

/// Those that carry most of the change and those that fail, a few of each; and all others.
fn carrying_and_others(pair: &PairStatements) -> (Vec<&StatementChange>, Vec<&StatementChange>) {
    let all = by_change(pair);
    let whole_ms: f64 = all.iter().map(|statement| statement.more_ms().abs()).sum();
    let mut carried_ms = 0.0;
    let mut failing = 0;
    let (mut shown, mut others) = (Vec::new(), Vec::new());
    for statement in all {
        let is_missing = shown.len() < ROWS_MAX && carried_ms < CARRIED * whole_ms;
        let fails = statement.sides.iter().any(|side| side.failed + side.retried > 0);
        if shown.is_empty() || is_missing {
            carried_ms += statement.more_ms().abs();
            shown.push(statement);
        } else if fails && failing < FAILING {
            failing += 1;
            shown.push(statement);
        } else {
            others.push(statement);
        }
    }
    (shown, others)
}

/// The others, with their sum.
fn folded_rows(from: usize, others: &[&StatementChange]) -> Option<FoldedRows> {
    if others.is_empty() {
        return None;
    }
    let [baseline, candidate] =
        [0, 1].map(|side| others.iter().map(|statement| statement.sides[side].time_ms).sum::<f64>());
    let noun = if others.len() == 1 { "other" } else { "others" };
    let change = signed_milliseconds(candidate - baseline);
    let left_out = left_out(from + others.len());
    let summary = format!("{} {noun}: {baseline:.3} → {candidate:.3} ms, {change}{left_out}", others.len());
    Some(FoldedRows { from, summary })
}

/// How many of so many statements no table has.
pub(super) fn left_out(statements: usize) -> String {
    match statements.saturating_sub(KEPT) {
        0 => String::new(),
        more => format!(", {more} of them only in the run directory"),
    }
}

/// That the statements are of fewer blocks than the verdict.
fn fewer_blocks(pair: &PairStatements, compared: &[PairJudgement]) -> Option<String> {
    let all = compared.iter().find(|one| one.candidate == pair.candidate && one.place == pair.place)?.blocks.len();
    if pair.blocks >= all {
        return None;
    }
    Some(format!("{} of {all} blocks: in the others the statements were not timed on both sides", pair.blocks))
}

fn cells_of_statement(pair: &PairStatements, statement: &StatementChange) -> Vec<TableCell> {
    let name = format!("{}:{}", statement.script, statement.line);
    vec![
        TableCell::from_words(&pair.candidate),
        TableCell::from_words(&pair.place.workload),
        TableCell::optional_count(pair.place.clients.known_count()),
        TableCell::Words(format!("{name}{}{}", of_writers(&statement.commits), describe_failures(statement))),
        TableCell::from_words(&statement.script),
        TableCell::Count(u64::from(statement.line)),
    ]
}

fn row_of_change(pair: &PairStatements, statement: &StatementChange) -> DocumentRow {
    let [baseline, candidate] = statement.sides.map(|side| TableCell::Figure(side.time_ms));
    let point = statement.more_ms();
    let change = match statement.time_ms {
        Some(estimate) => TableCell::Estimate(Estimate { point, ..estimate }),
        None => TableCell::Figure(point),
    };
    let mut cells = cells_of_statement(pair, statement);
    cells.extend([
        baseline,
        candidate,
        change,
        change_of_an_execution(statement),
        TableCell::optional_estimate(statement.p99),
        TableCell::Count(pair.blocks as u64),
        TableCell::from_words(&statement.text),
    ]);
    DocumentRow::from_cells(cells)
}

/// How the mean of an execution changes; without an interval where there is no ratio over blocks.
fn change_of_an_execution(statement: &StatementChange) -> TableCell {
    match (statement.mean, statement.sides.map(|side| side.mean_ms)) {
        (Some(change), _) => TableCell::Estimate(change),
        (None, [Some(baseline), Some(candidate)]) => TableCell::Figure(candidate / baseline - 1.0),
        (None, [Some(_), None]) => words_only("only on the baseline"),
        (None, [None, Some(_)]) => words_only("only on the candidate"),
        (None, [None, None]) => words_only("never succeeded"),
    }
}

fn words_only(words: &str) -> TableCell {
    TableCell::words_with_figure(words, TableCell::Missing)
}

fn rows_of_sides(pair: &PairStatements, statement: &StatementChange) -> Vec<DocumentRow> {
    let mut rows = Vec::new();
    for (side, figures) in ["baseline", "candidate"].into_iter().zip(&statement.sides) {
        let mut cells = cells_of_statement(pair, statement);
        cells.push(TableCell::from_words(side));
        cells.extend(cells_of_figures(figures));
        cells.push(TableCell::from_words(&statement.text));
        rows.push(DocumentRow::from_cells(cells));
    }
    rows
}

/// Counts, the time of a transaction with its share, and the latency of an execution.
pub(super) fn cells_of_figures(figures: &StatementFigures) -> Vec<TableCell> {
    let StatementFigures { executions, failed, retried, time_ms, share, mean_ms, p50_ms, p95_ms, p99_ms, max_ms } =
        *figures;
    let mut cells = vec![
        TableCell::Count(executions),
        TableCell::Count(failed),
        TableCell::Count(retried),
        TableCell::Figure(time_ms),
    ];
    cells.extend(
        [share, mean_ms, p50_ms, p95_ms, p99_ms, max_ms]
            .map(|figure| figure.map_or(TableCell::Missing, TableCell::Figure)),
    );
    cells
}

/// Of a COMMIT, whose time it is.
pub(super) fn of_writers(lines: &[u32]) -> String {
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match numbers.as_slice() {
        [] => String::new(),
        [one] => format!(" (of line {one})"),
        [first, .., last] if numbers.len() > WRITERS => format!(" (of {} lines from {first} to {last})", numbers.len()),
        several => format!(" (of lines {})", several.join(", ")),
    }
}

fn describe_failures(statement: &StatementChange) -> String {
    let failed = counts_in_brackets("failed", statement.sides.map(|side| side.failed));
    failed + &counts_in_brackets("retried", statement.sides.map(|side| side.retried))
}

fn counts_in_brackets(what: &str, [one, other]: [u64; 2]) -> String {
    if one + other == 0 { String::new() } else { format!(" ({one} → {other} {what})") }
}

#[cfg(test)]
mod tests {
    use judge::compare::ComparisonPlace;
    use results::workload::StatementNumber;
    use stats::ClosedInterval;

    use super::*;
    use crate::document::TableRoom;

    fn statement(line: u32, [one, other]: [f64; 2], failed: u64) -> StatementChange {
        let figures = |ms: f64, failed: u64| StatementFigures {
            executions: 100,
            failed,
            time_ms: ms,
            mean_ms: Some(ms),
            ..StatementFigures::default()
        };
        let point = other - one;
        let interval = ClosedInterval { low: point - 0.1, high: point + 0.1 };
        StatementChange {
            number: StatementNumber(line - 1),
            script: "own.sql".to_owned(),
            line,
            text: format!("SELECT {line} {}", "ä".repeat(80)),
            commits: Vec::new(),
            sides: [figures(one, 0), figures(other, failed)],
            time_ms: Some(Estimate { point, interval, n: 3 }),
            mean: None,
            p99: None,
        }
    }

    fn pair(statements: Vec<StatementChange>) -> PairStatements {
        let place = ComparisonPlace { workload: "w".to_owned(), clients: 4.into() };
        PairStatements { candidate: "new".to_owned(), place, blocks: 3, statements }
    }

    #[test]
    fn statements_that_carry_the_change_and_those_that_fail_are_shown_and_the_others_are_summed_up() {
        let mut statements: Vec<_> = (1..=1000).map(|line| statement(line, [0.001, 0.001], 0)).collect();
        statements[6] = statement(7, [1.0, 3.0], 0);
        statements[8] = statement(9, [0.5, 0.5], 12);
        let [changes, sides] = tables_of_pair(&pair(statements), "old");
        assert_eq!(changes.caption.as_deref(), Some("w, 4 clients: new against old, ms per transaction"));
        let rows = changes.people_texts(TableRoom::Little);
        assert_eq!(rows.len(), 2, "{rows:#?}");
        assert_eq!(rows[0][..6], ["own.sql:7", "1.000", "3.000", "+2.000", "[+1.900, +2.100]", "+200 %"]);
        assert!(rows[0][6].starts_with("SELECT 7 ä") && rows[0][6].ends_with("ä…"), "{rows:#?}");
        assert_eq!(rows[1][0], "own.sql:9 (0 → 12 failed)");
        let folded = changes.folded.unwrap().summary;
        assert_eq!(folded, "998 others: 0.998 → 0.998 ms, +0.000, 950 of them only in the run directory");
        assert_eq!(sides.rows.len(), 2 * KEPT);
    }

    #[test]
    fn a_commit_is_shown_as_the_time_of_the_statements_that_wrote() {
        let mut commit = statement(5, [1.0, 3.0], 0);
        (commit.text, commit.commits) = ("COMMIT".to_owned(), vec![2, 4]);
        let [changes, _] = tables_of_pair(&pair(vec![commit]), "old");
        assert_eq!(changes.people_texts(TableRoom::Little)[0][0], "own.sql:5 (of lines 2, 4)");
        assert_eq!(of_writers(&[7]), " (of line 7)");
        assert_eq!(of_writers(&[1, 2, 3, 4, 5, 6, 9]), " (of 7 lines from 1 to 9)");
    }

    #[test]
    fn no_more_than_a_few_lines_are_shown_however_the_change_is_spread() {
        let statements = (1..=30).map(|line| statement(line, [1.0, 1.5], 3)).collect();
        let [changes, _] = tables_of_pair(&pair(statements), "old");
        assert_eq!(changes.people_texts(TableRoom::Little).len(), ROWS_MAX + FAILING);
    }
}
