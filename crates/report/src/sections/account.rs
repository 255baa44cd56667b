//! The account of differences: what was counted on both sides and surely differs, per transaction.

use judge::Judgement;
use judge::account::{CountedBy, CountedDifference, CountedUnit};
use judge::compare::Place;

use crate::document::{Block, Cell, Column, Holds, Row, Section, Table, TableKind, Unit};
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
        Column::new("target", "candidate", Holds::Words),
        Column::new("workload", "workload", Holds::Words),
        Column::new("clients", "clients", Holds::Count),
        Column::for_programs("counted_by", Holds::Words),
        Column::new("per transaction", "quantity", Holds::Words),
        Column::new("of", "of", Holds::Words),
        Column::for_programs("unit", Holds::Words),
        Column::new("baseline", "baseline", Holds::Figure(Unit::OfTheRow)),
        Column::new("candidate", "candidate_value", Holds::Figure(Unit::OfTheRow)),
        Column::new("ratio", "ratio", Holds::Estimate(Unit::OfTheRow)),
        Column::new("of the change", "share_of_change", Holds::Figure(Unit::Change)),
    ],
};

/// A table of what differs; none where nothing was counted on both sides of a pair.
pub(crate) fn account_section(judgement: &Judgement) -> Option<Section> {
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
        vec![Block::Note(format!("None of {counted} counted quantities surely differs between the sides."))]
    } else {
        let caption = format!("{} of {counted} counted quantities surely differ", rows.len());
        vec![Block::Table(Table { caption: Some(caption), ..Table::of_first(&TABLE, rows, ROWS_MAX) })]
    };
    Some(Section { id: "account", title: "Account of differences per transaction".to_owned(), blocks })
}

fn row_of_difference(candidate: &str, place: &Place, difference: &CountedDifference) -> Row {
    let quantity = &difference.quantity;
    let [baseline, candidate_value] =
        difference.sides.map(|figure| Cell::worded(quantity.in_words(figure), Cell::Figure(figure)));
    let mut cells = Vec::from(cells_of_pair(candidate, place));
    cells.extend([
        Cell::words(source_in_words(quantity.by)),
        Cell::words(&quantity.name),
        quantity.of.as_ref().map_or(Cell::Missing, Cell::words),
        Cell::words(unit_in_words(quantity.unit)),
        baseline,
        candidate_value,
        // A ratio to nothing says nothing.
        Cell::estimate(difference.ratio),
        difference.share_of_change.map_or(Cell::Missing, Cell::Figure),
    ]);
    Row::of(cells)
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
