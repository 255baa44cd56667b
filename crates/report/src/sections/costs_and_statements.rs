//! The verdicts that do not decide: on costs of a transaction, on the latencies beside the deciding metric, and on
//! statements.

use judge::Judgement;
use judge::beside::{JudgedCost, JudgedStatement, SecondaryRuling};
use judge::units;
use stats::verdict::Verdict;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell,
    TableKind,
};
use crate::pair_table::cells_of_pair;

const NO_CHANGE: &str = "No cost and no statement has a significant change.";
/// Statements that the document has, a run may have thousands.
const STATEMENTS_MAX: usize = 2_000;
/// Rows of a table of significant changes that are worth a place.
const ROWS_MAX: usize = 12;

const BASELINE: DocumentColumn = DocumentColumn::new("baseline", "baseline", Holds::Figure(ColumnUnit::OfTheRow));
const CANDIDATE: DocumentColumn =
    DocumentColumn::new("candidate", "candidate_value", Holds::Figure(ColumnUnit::OfTheRow));
const CHANGE: DocumentColumn = DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change));
const BLOCKS: DocumentColumn = DocumentColumn::for_programs("blocks", Holds::Count);
const VERDICT: DocumentColumn = DocumentColumn::new("verdict", "verdict", Holds::Words);
const BEYOND_THRESHOLD: DocumentColumn = DocumentColumn::for_programs("beyond_threshold", Holds::Words);

/// A cost of a comparison a row.
pub(crate) static COSTS: TableKind = TableKind {
    name: "cost-verdicts",
    about: "Verdicts on secondary metrics and costs: both sides, the change, the verdict",
    columns: &[
        DocumentColumn::new("target", "candidate", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("cost", "cost", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        BASELINE,
        CANDIDATE,
        CHANGE,
        BLOCKS,
        VERDICT,
        BEYOND_THRESHOLD,
    ],
};

/// A statement of a comparison, or the rare statements of a class, a row.
pub(crate) static STATEMENTS: TableKind = TableKind {
    name: "statement-verdicts",
    about: "Statements: both sides, the change of one execution, the verdict",
    columns: &[
        DocumentColumn::new("target", "candidate", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("statement, one execution", "statement", Holds::Words),
        DocumentColumn::for_programs("more_of_transaction", Holds::Figure(ColumnUnit::Added)),
        BASELINE,
        CANDIDATE,
        CHANGE,
        BLOCKS,
        VERDICT,
        BEYOND_THRESHOLD,
    ],
};

/// Of costs and of statements a table of significant changes, and a folded one of the others; none where nothing was
/// judged.
pub(crate) fn costs_and_statements_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut costs: Vec<(&SecondaryRuling, DocumentRow)> = Vec::new();
    for judged in &judgement.beside.costs {
        costs.push((&judged.ruling, row_of_cost(judged)));
    }
    let mut statements: Vec<(&SecondaryRuling, DocumentRow)> = Vec::new();
    for judged in foremost_statements(judgement).into_iter().filter(|judged| judged.captured.is_none()) {
        statements.push((&judged.ruling, row_of_statement(judged)));
    }
    let judged = costs.iter().chain(&statements);
    let is_any_significant = judged.clone().any(|(ruling, _)| is_significant(ruling));
    if judged.count() == 0 {
        return None;
    }
    let mut blocks = Vec::new();
    if !is_any_significant {
        blocks.push(SectionBlock::Explanation(NO_CHANGE));
    }
    blocks.extend(tables_by_significance(&COSTS, costs, ["Costs", "cost"]));
    blocks.extend(tables_by_significance(&STATEMENTS, statements, ["Statements", "statement"]));
    Some(ReportSection { id: "costs", title: "Costs and statements".to_owned(), blocks })
}

/// The statements that reports have: all, or those with the most to say.
pub(crate) fn foremost_statements(judgement: &Judgement) -> Vec<&JudgedStatement> {
    let mut all: Vec<&JudgedStatement> = judgement.beside.statements.iter().collect();
    if all.len() > STATEMENTS_MAX {
        all.sort_by_key(|one| rank_of_ruling(&one.ruling));
        all.truncate(STATEMENTS_MAX);
    }
    all
}

/// Losses first, then gains.
fn rank_of_ruling(ruling: &SecondaryRuling) -> u8 {
    match (ruling.verdict, ruling.is_beyond) {
        (Verdict::Regressed, true) => 0,
        (Verdict::Regressed, false) => 1,
        (Verdict::Improved, _) => 2,
        (Verdict::NotWorse | Verdict::NotBetter | Verdict::NotEnoughData { .. } | Verdict::SoFar, _) => 3,
        (Verdict::Equivalent, _) => 4,
    }
}

fn is_significant(ruling: &SecondaryRuling) -> bool {
    matches!(ruling.verdict, Verdict::Regressed | Verdict::Improved)
}

fn tables_by_significance(
    kind: &'static TableKind,
    judged: Vec<(&SecondaryRuling, DocumentRow)>,
    [plural, noun]: [&str; 2],
) -> Vec<SectionBlock> {
    let (mut significant, others): (Vec<_>, Vec<_>) =
        judged.into_iter().partition(|(ruling, _)| is_significant(ruling));
    significant.sort_by_key(|(ruling, _)| rank_of_ruling(ruling));
    let mut tables = Vec::new();
    if !significant.is_empty() {
        let rows = significant.into_iter().map(|(_, row)| row).collect();
        let caption = format!("{plural} with a significant change (emphasized: a loss of more than the threshold)");
        tables.push(SectionBlock::Table(DocumentTable {
            caption: Some(caption),
            ..DocumentTable::of_first(kind, rows, ROWS_MAX)
        }));
    }
    if !others.is_empty() {
        let rows: Vec<DocumentRow> = others.into_iter().map(|(_, row)| row).collect();
        let plural_ending = if rows.len() == 1 { "" } else { "s" };
        let caption = format!("{} {noun}{plural_ending} without a significant change", rows.len());
        tables.push(SectionBlock::Table(DocumentTable {
            caption: Some(caption),
            showing: Showing::Folded,
            ..DocumentTable::from_rows(kind, rows)
        }));
    }
    tables
}

fn row_of_cost(judged: &JudgedCost) -> DocumentRow {
    let sides = judged.ruling.sides.map(|figure| judge::side_in_words(judged.cost, figure));
    // A ratio to nothing says nothing.
    let has_ratio = !judge::is_nothing_beside_something(judged);
    let mut cells = Vec::from(cells_of_pair(&judged.candidate, &judged.place));
    cells.extend([TableCell::from_words(judged.cost.name()), TableCell::from_words(judged.cost.unit())]);
    cells.extend(cells_of_ruling(&judged.ruling, sides, has_ratio));
    DocumentRow { cells, stands_out: judged.ruling.is_loss() }
}

fn row_of_statement(judged: &JudgedStatement) -> DocumentRow {
    let mut cells = Vec::from(cells_of_pair(&judged.candidate, &judged.place));
    cells.extend([TableCell::from_words(judged.statement.name()), TableCell::Figure(judged.more_ms)]);
    cells.extend(cells_of_ruling(&judged.ruling, judged.ruling.sides.map(units::format_milliseconds), true));
    DocumentRow { cells, stands_out: judged.ruling.is_loss() }
}

/// Both sides, the change, and the verdict.
fn cells_of_ruling(ruling: &SecondaryRuling, sides_in_words: [String; 2], has_ratio: bool) -> [TableCell; 6] {
    let [baseline, candidate] = ruling.sides;
    let [baseline_words, candidate_words] = sides_in_words;
    let change = match ruling.change {
        None => TableCell::NotKnown,
        Some(change) if has_ratio => TableCell::Estimate(change),
        Some(change) => TableCell::words_with_figure("–", TableCell::Estimate(change)),
    };
    [
        TableCell::words_with_figure(baseline_words, TableCell::Figure(baseline)),
        TableCell::words_with_figure(candidate_words, TableCell::Figure(candidate)),
        change,
        ruling.change.map_or(TableCell::Missing, |change| TableCell::Count(change.n as u64)),
        TableCell::from_words(ruling.verdict.name_in_reports()),
        TableCell::from_words(ruling.is_beyond.to_string()),
    ]
}
