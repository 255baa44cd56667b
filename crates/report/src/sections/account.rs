//! The account of differences: the parts of the time budget in which the change lies, and what was counted on both
//! sides and surely differs, per transaction.

use std::collections::BTreeMap;

use judge::Judgement;
use judge::account::{CountedBy, CountedDifference, CountedUnit};
use judge::budget::{PairBudget, WaterfallStep};
use judge::compare::ComparisonPlace;
use judge::diagnose::PlacedAccount;
use judge::units;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use crate::pair_table::cells_of_pair;

/// Rows that a terminal shows.
const ROWS_MAX: usize = 12;
const EXPLANATION: &str = "First the parts of the time budget that surely differ or are 5 % of the change or more. If a difference \
                           may be chance, the interval of the ratio contains 1. With the parts that are not listed, the shares \
                           sum to 100 %. Then every counted quantity that surely differs, the largest ratio first. These follow \
                           from each other and do not sum.";
/// Differences of the catalogs that are listed.
const CATALOGS_MAX: usize = 8;
/// Rows that the document has: a server of a thousand tables has as many counters.
const DIFFERENCES_MAX: usize = 500;

/// A quantity of a comparison a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "account",
    about: "Account of differences: the parts of the time budget in which the change lies, and every counted quantity of \
            which one side surely has more, per transaction",
    columns: &[
        DocumentColumn::new("target", "candidate", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::for_programs("counted_by", Holds::Words),
        DocumentColumn::new("per transaction", "quantity", Holds::Words),
        DocumentColumn::new("of", "of", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        DocumentColumn::new("baseline", "baseline", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("candidate", "candidate_value", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("ratio", "ratio", Holds::Estimate(ColumnUnit::OfTheRow)),
        DocumentColumn::new("of the change", "share_of_change", Holds::Figure(ColumnUnit::Change)),
    ],
};

/// A table of what differs; none where nothing was counted on both sides of a pair.
pub(crate) fn account_section(judgement: &Judgement) -> Option<ReportSection> {
    let accounts = &judgement.diagnosis.accounts;
    let counted: usize = accounts.iter().map(|placed| placed.account.counted).sum();
    if counted == 0 {
        return None;
    }
    let (mut rows, mut differences) = (Vec::new(), 0);
    for placed in accounts {
        for budget in &judgement.budgets {
            if budget.candidate == placed.candidate && budget.place == placed.place {
                rows.extend(budget.waterfall.steps_of_change().into_iter().map(|step| row_of_time(budget, step)));
            }
        }
        for difference in placed.account.differences.iter().take(DIFFERENCES_MAX) {
            rows.push(row_of_difference(&placed.candidate, &placed.place, difference));
        }
        differences += placed.account.differences.len();
    }
    let catalogs = catalogs_in_words(accounts);
    let none = format!("None of {counted} counted quantities surely differs between the sides.");
    let mut blocks = if rows.is_empty() {
        vec![SectionBlock::Note(none)]
    } else {
        let caption = format!("{differences} of {counted} counted quantities surely differ");
        let table = DocumentTable {
            caption: Some(if differences == 0 { none } else { caption }),
            ..DocumentTable::of_first(&TABLE, rows, ROWS_MAX)
        };
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(table)]
    };
    blocks.extend(catalogs.into_iter().map(SectionBlock::Note));
    Some(ReportSection { id: "account", title: "Account of differences per transaction".to_owned(), blocks })
}

/// What the system catalogs say differently of what the load uses, a line for each candidate.
fn catalogs_in_words(accounts: &[PlacedAccount]) -> Vec<String> {
    let mut by_candidate: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for placed in accounts {
        let named = by_candidate.entry(&placed.candidate).or_default();
        for line in &placed.catalog_differences {
            let said = format!("{}: {}", line.what, line.values);
            if !named.contains(&said) {
                named.push(said);
            }
        }
    }
    let mut notes = Vec::new();
    for (candidate, named) in by_candidate.into_iter().filter(|(_, named)| !named.is_empty()) {
        let more = match named.len().saturating_sub(CATALOGS_MAX) {
            0 => String::new(),
            more => format!("; {more} more"),
        };
        let shown = named.iter().take(CATALOGS_MAX).map(String::as_str).collect::<Vec<_>>().join("; ");
        notes.push(format!(
            "The system catalogs of {candidate} differ from those of the baseline in what can decide the cost of a statement, \
             whether it does or not: {shown}{more}."
        ));
    }
    notes
}

fn row_of_time(PairBudget { candidate, place, .. }: &PairBudget, step: &WaterfallStep) -> DocumentRow {
    let [baseline_ms, candidate_ms] = [&step.row.baseline_ms, &step.row.candidate_ms].map(|side| side.point);
    let mut cells = Vec::from(cells_of_pair(candidate, place));
    cells.extend([
        TableCell::from_words("time budget"),
        TableCell::from_words(&step.part),
        TableCell::Missing,
        TableCell::from_words(unit_in_words(CountedUnit::Ms)),
        cell_of_time(baseline_ms),
        cell_of_time(candidate_ms),
        TableCell::optional_estimate(step.row.ratio_estimate()),
        step.share_of_change.map_or(TableCell::Missing, TableCell::Figure),
    ]);
    DocumentRow::from_cells(cells)
}

fn cell_of_time(ms: f64) -> TableCell {
    TableCell::words_with_figure(units::format_milliseconds(ms), TableCell::Figure(ms))
}

fn row_of_difference(candidate: &str, place: &ComparisonPlace, difference: &CountedDifference) -> DocumentRow {
    let quantity = &difference.quantity;
    let [baseline, candidate_value] = difference
        .sides
        .map(|figure| TableCell::words_with_figure(quantity.in_words(figure), TableCell::Figure(figure)));
    let mut cells = Vec::from(cells_of_pair(candidate, place));
    cells.extend([
        TableCell::from_words(source_in_words(quantity.by)),
        TableCell::from_words(&quantity.name),
        quantity.of.as_ref().map_or(TableCell::Missing, TableCell::from_words),
        TableCell::from_words(unit_in_words(quantity.unit)),
        baseline,
        candidate_value,
        // A ratio to nothing says nothing.
        TableCell::optional_estimate(difference.ratio),
        TableCell::Missing,
    ]);
    DocumentRow::from_cells(cells)
}

fn unit_in_words(unit: CountedUnit) -> &'static str {
    match unit {
        CountedUnit::Ms => "ms",
        CountedUnit::Bytes => "B",
        CountedUnit::Count => "count",
    }
}

fn source_in_words(by: CountedBy) -> &'static str {
    match by {
        CountedBy::KernelSleeps => "sleeps in the kernel",
        CountedBy::LoadEngine => "load engine",
        CountedBy::StatementTimes => "statement times",
        CountedBy::StatementCounters => "pg_stat_statements",
        CountedBy::TableCounters => "tables",
        CountedBy::Probe(probe) => probe.as_str(),
        CountedBy::ServerLog => "server log",
    }
}
