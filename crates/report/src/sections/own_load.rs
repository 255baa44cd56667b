//! A captured load statement by statement: how often, how much of the time, what changes, and whether plans differ.
//! What costs most stands first.

use judge::Judgement;
use judge::beside::{CapturedWeight, JudgedStatement, PlanComparison, StatementId, StatementTally};
use judge::captured_results::{DifferingStatement, ResultComparison};
use judge::units;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell,
    TableKind,
};
use crate::pair_table::cells_of_pair;

/// Rows that are worth a place where there is little.
const ROWS_MAX: usize = 8;
/// Statements that are named with what they return.
const DIFFERING_MAX: usize = 20;
/// Rows of a page.
const PAGE_ROWS_MAX: usize = 5_000;

const EXPLANATION: &str = "Statements of the captured load by what they cost. A statement that stands in several transactions is one. \
                           The share is that of the baseline's database time, the cost is the change of a statement's time as a \
                           share of all database time. Verdicts have a false discovery rate of 5 %. Statements with fewer than 30 \
                           executions in a block are rare and are judged together.";

const COLUMNS: [DocumentColumn; 16] = [
    DocumentColumn::for_programs("candidate", Holds::Words),
    DocumentColumn::for_programs("workload", Holds::Words),
    DocumentColumn::for_programs("clients", Holds::Count),
    DocumentColumn::for_programs("fingerprint", Holds::Words),
    DocumentColumn::new("statement", "statement", Holds::Code),
    DocumentColumn::new("calls/s", "calls_per_s", Holds::Figure(ColumnUnit::OfTheRow)),
    DocumentColumn::for_programs("calls", Holds::Count),
    DocumentColumn::new("share", "share", Holds::Figure(ColumnUnit::Share)),
    DocumentColumn::new("baseline", "baseline", Holds::Figure(ColumnUnit::Milliseconds)),
    DocumentColumn::new("candidate", "candidate_value", Holds::Figure(ColumnUnit::Milliseconds)),
    DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
    DocumentColumn::new("cost", "cost", Holds::Figure(ColumnUnit::Change)),
    DocumentColumn::new("plan", "plan", Holds::Words),
    DocumentColumn::new("results", "results", Holds::Words),
    DocumentColumn::new("verdict", "verdict", Holds::Words),
    DocumentColumn::for_programs("beyond_threshold", Holds::Words),
];

/// A statement of a captured load a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "own-load",
    about: "Statements of a captured load: calls, share of the database time, change, plan, results, verdict",
    columns: &COLUMNS,
};

/// The first of these rows, for people: programs read them all.
static COSTLIEST: TableKind =
    TableKind { name: "own-load-costliest", about: "The costliest statements", columns: &COLUMNS };

/// A table for each pair of a captured load; none where no load is captured.
pub(crate) fn own_load_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    for results in judgement.results.iter().filter(|results| !results.differing.is_empty()) {
        blocks.push(differing_results(results));
    }
    for tally in &judgement.beside.tallies {
        blocks.extend(tables_of_pair(judgement, tally).into_iter().map(SectionBlock::Table));
    }
    for fidelity in &judgement.fidelity {
        let clients = units::format_clients(fidelity.place.clients);
        blocks.push(SectionBlock::List {
            title: format!("{}, {clients}: the replay beside the capture", fidelity.place.workload),
            items: fidelity.in_words(),
            showing: Showing::Everywhere,
        });
    }
    if blocks.len() == 1 {
        return None;
    }
    Some(ReportSection { id: "own-load", title: "Statements of your load".to_owned(), blocks })
}

/// The statements that return something else: before any time.
fn differing_results(results: &ResultComparison) -> SectionBlock {
    let clients = units::format_clients(results.place.clients);
    let mut items: Vec<String> =
        results.differing.iter().take(DIFFERING_MAX).map(DifferingStatement::in_words).collect();
    if results.differing.len() > DIFFERING_MAX {
        items.push(format!("and {} more statements", results.differing.len() - DIFFERING_MAX));
    }
    SectionBlock::List {
        title: format!("{}, {clients}: {} returns other results", results.place.workload, results.candidate),
        items,
        showing: Showing::Everywhere,
    }
}

/// What is known of the results of a statement.
fn results_word(results: Option<&ResultComparison>, statement: &StatementId) -> &'static str {
    match (results, statement) {
        (Some(results), StatementId::Captured { fingerprint, .. }) => match results.difference_of(fingerprint) {
            Some(_) => "DIFFER",
            None => "same",
        },
        (Some(_), StatementId::One { .. } | StatementId::Rare(_)) | (None, _) => "–",
    }
}

/// The costliest statements, and behind them a folded table of all, which a page can search; one table where there are
/// few.
fn tables_of_pair(judgement: &Judgement, tally: &StatementTally) -> Vec<DocumentTable> {
    let baseline = &judgement.comparison.question.baseline;
    let mut statements: Vec<(&JudgedStatement, &CapturedWeight)> = Vec::new();
    for one in &judgement.beside.statements {
        if let Some(weight) = one.captured.as_ref().filter(|_| is_of_pair(one, tally)) {
            statements.push((one, weight));
        }
    }
    statements.sort_by(|(_, one), (_, other)| other.added_share.abs().total_cmp(&one.added_share.abs()));
    let results = judgement.results.iter().find(|one| one.candidate == tally.candidate && one.place == tally.place);
    let mut rows = Vec::new();
    for (one, weight) in statements.iter().take(PAGE_ROWS_MAX) {
        rows.push(row_of_statement(one, weight, results_word(results, &one.statement)));
    }
    let clients = units::format_clients(tally.place.clients);
    let sides = format!("{}, {clients}: {} against {baseline}", tally.place.workload, tally.candidate);
    let renamed = vec![("baseline", baseline.clone()), ("candidate_value", tally.candidate.clone())];
    let notes = vec![sentence_of_tally(tally)];
    if rows.len() <= ROWS_MAX {
        let caption = Some(sides);
        return vec![DocumentTable { caption, renamed, notes, ..DocumentTable::from_rows(&TABLE, rows) }];
    }
    let mut first = Vec::new();
    for (one, weight) in statements.iter().take(ROWS_MAX) {
        first.push(row_of_statement(one, weight, results_word(results, &one.statement)));
    }
    let caption = Some(format!("{sides}, the costliest {ROWS_MAX} of {}", rows.len()));
    let costliest =
        DocumentTable { caption, renamed: renamed.clone(), notes, ..DocumentTable::from_rows(&COSTLIEST, first) };
    let caption = Some(format!("{sides}, all {}", rows.len()));
    let showing = Showing::Folded;
    vec![costliest, DocumentTable { caption, renamed, showing, ..DocumentTable::from_rows(&TABLE, rows) }]
}

fn is_of_pair(one: &JudgedStatement, tally: &StatementTally) -> bool {
    one.candidate == tally.candidate && one.place == tally.place
}

fn sentence_of_tally(tally: &StatementTally) -> String {
    let words = tally.in_words();
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).chain(['.']).collect()
}

fn row_of_statement(one: &JudgedStatement, weight: &CapturedWeight, results: &'static str) -> DocumentRow {
    let (fingerprint, text) = match &one.statement {
        StatementId::Captured { fingerprint, text, .. } => (TableCell::from_words(fingerprint), text.clone()),
        StatementId::Rare(_) | StatementId::One { .. } => {
            let plural_ending = if weight.statements == 1 { "" } else { "s" };
            let text = format!("{} ({} statement{plural_ending})", one.statement.name(), weight.statements);
            (TableCell::Missing, text)
        }
    };
    let plan = match weight.plans {
        PlanComparison::Same => "same",
        PlanComparison::Changed => "changed",
        PlanComparison::NotKnown => "–",
    };
    let mut cells = Vec::from(cells_of_pair(&one.candidate, &one.place));
    cells.extend([
        fingerprint,
        TableCell::Words(text),
        weight.calls_per_s.map_or(TableCell::Missing, TableCell::Figure),
        TableCell::Count(weight.calls),
        TableCell::Figure(weight.share),
        TableCell::Figure(one.ruling.sides[0]),
        TableCell::Figure(one.ruling.sides[1]),
        one.ruling.change.map_or(TableCell::NotKnown, TableCell::Estimate),
        TableCell::Figure(weight.added_share),
        TableCell::from_words(plan),
        TableCell::from_words(results),
        TableCell::from_words(one.ruling.verdict.name_in_reports()),
        TableCell::from_words(one.ruling.is_beyond.to_string()),
    ]);
    DocumentRow { cells, stands_out: one.ruling.is_loss() }
}
