//! Tables of one pair that set the parts of a whole beside each other, baseline and candidate with a waterfall.

use judge::budget::BudgetRow;
use judge::compare::ComparisonPlace;
use judge::units;

use super::document::{
    self, Bar, ColumnUnit, DocumentColumn, DocumentTable, Holds, SectionBlock, Showing, TableCell, TableKind,
};

const BASELINE: &str = "baseline";
const CANDIDATE: &str = "candidate";

/// The columns of both sides, which the table calls by their names, and of the change between them.
pub(crate) const SIDES: [DocumentColumn; 4] = [
    DocumentColumn::new("baseline", BASELINE, Holds::Point(ColumnUnit::Part)),
    DocumentColumn::new("candidate", CANDIDATE, Holds::Point(ColumnUnit::Part)),
    DocumentColumn::of_bars("waterfall"),
    DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Added)),
];

/// The columns of a pair, for programs only.
pub(crate) const PAIR: [DocumentColumn; 3] = [
    DocumentColumn::for_programs("candidate", Holds::Words),
    DocumentColumn::for_programs("workload", Holds::Words),
    DocumentColumn::for_programs("clients", Holds::Count),
];

/// Which pair, and what is told of it.
struct PairTable<'a> {
    /// The baseline's target.
    baseline: &'a str,
    /// The candidate's.
    candidate: &'a str,
    /// Where.
    place: &'a ComparisonPlace,
    /// What the figures are, such as `ms per transaction`.
    figures: &'static str,
    /// Whether a page shows it unfolded.
    is_foremost: bool,
    /// The rows.
    rows: Vec<document::DocumentRow>,
    /// Below them.
    notes: Vec<String>,
}

impl PairTable<'_> {
    /// It as a table of a kind.
    fn into_table(self, kind: &'static TableKind) -> DocumentTable {
        let clients = units::format_clients(self.place.clients);
        let Self { baseline, candidate, place, figures, .. } = self;
        DocumentTable {
            caption: Some(format!("{}, {clients}: {candidate} against {baseline}, {figures}", place.workload)),
            showing: Showing::foremost_or_folded(self.is_foremost),
            renamed: vec![(BASELINE, baseline.to_owned()), (CANDIDATE, candidate.to_owned())],
            notes: self.notes,
            ..DocumentTable::from_rows(kind, self.rows)
        }
    }
}

/// The rows of a pair's table, and what is told below it.
pub(crate) type PairContent = (Vec<document::DocumentRow>, Vec<String>);

/// A table for each of these pairs; the one with the most clients of each candidate and workload is foremost.
pub(crate) fn tables_of_pairs<T>(
    pairs: &[T],
    (baseline, figures, kind): (&str, &'static str, &'static TableKind),
    of: impl Fn(&T) -> (&str, &ComparisonPlace),
    content: impl Fn(&T) -> PairContent,
) -> Vec<SectionBlock> {
    let foremost = foremost_of(pairs, &of);
    let mut blocks = Vec::new();
    for pair in pairs {
        let ((candidate, place), (rows, notes)) = (of(pair), content(pair));
        let is_foremost = foremost.iter().any(|one| std::ptr::eq(*one, pair));
        let table = PairTable { baseline, candidate, place, figures, is_foremost, rows, notes };
        blocks.push(SectionBlock::Table(table.into_table(kind)));
    }
    blocks
}

/// Of what is told of pairs, that of each candidate and workload with the most clients.
pub(crate) fn foremost_of<T>(all: &[T], of: impl Fn(&T) -> (&str, &ComparisonPlace)) -> Vec<&T> {
    all.iter()
        .filter(|one| {
            let (candidate, place) = of(one);
            let mut same =
                all.iter().map(&of).filter(|(name, other)| *name == candidate && other.workload == place.workload);
            same.all(|(_, other)| other.clients <= place.clients)
        })
        .collect()
}

/// The cells of a pair: candidate, workload, clients.
pub(crate) fn cells_of_pair(candidate: &str, place: &ComparisonPlace) -> [TableCell; 3] {
    [
        TableCell::from_words(candidate),
        TableCell::from_words(&place.workload),
        TableCell::optional_count(place.clients.known_count()),
    ]
}

/// The cells of both sides and of the change.
pub(crate) fn cells_of_sides(row: &BudgetRow) -> [TableCell; 4] {
    let BudgetRow { baseline_ms, candidate_ms, change_ms } = *row;
    let bar = Bar { baseline: baseline_ms.point, candidate: candidate_ms.point, change: change_ms };
    [
        TableCell::Estimate(baseline_ms),
        TableCell::Estimate(candidate_ms),
        TableCell::Bar(bar),
        TableCell::Estimate(change_ms),
    ]
}
