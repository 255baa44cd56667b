//! The account of differences: what was counted on both sides and surely differs, per transaction.

use judge::Judgement;
use judge::account::{CountedBy, CountedDifference, CountedUnit};
use judge::compare::ComparisonPlace;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use crate::pair_table::cells_of_pair;

/// Rows that a terminal shows.
const ROWS_MAX: usize = 12;
/// Rows that the document has: a server of a thousand tables has as many counters.
const DIFFERENCES_MAX: usize = 500;

/// A quantity of a comparison a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "account",
    about: "Account of differences: every counted quantity of which one side surely has more, per transaction",
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
    let mut rows = Vec::new();
    for placed in accounts {
        for difference in placed.account.differences.iter().take(DIFFERENCES_MAX) {
            rows.push(row_of_difference(&placed.candidate, &placed.place, difference));
        }
    }
    let blocks = if rows.is_empty() {
        vec![SectionBlock::Note(format!("None of {counted} counted quantities surely differs between the sides."))]
    } else {
        let caption = format!("{} of {counted} counted quantities surely differ", rows.len());
        vec![SectionBlock::Table(DocumentTable {
            caption: Some(caption),
            ..DocumentTable::of_first(&TABLE, rows, ROWS_MAX)
        })]
    };
    Some(ReportSection { id: "account", title: "Account of differences per transaction".to_owned(), blocks })
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
        difference.share_of_change.map_or(TableCell::Missing, TableCell::Figure),
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
        CountedBy::TimeBudget => "time budget",
        CountedBy::KernelSleeps => "sleeps in the kernel",
        CountedBy::LoadEngine => "load engine",
        CountedBy::StatementTimes => "statement times",
        CountedBy::StatementCounters => "pg_stat_statements",
        CountedBy::TableCounters => "tables",
        CountedBy::Probe(probe) => probe.as_str(),
        CountedBy::ServerLog => "server log",
    }
}
