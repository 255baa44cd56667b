//! Tables of one pair that set the parts of a whole beside each other, baseline and candidate with a waterfall.

use judge::budget::Row;
use judge::compare::Place;
use judge::units;

use super::document::{self, Bar, Cell, Column, Holds, Showing, Table, TableKind, Unit};

const BASELINE: &str = "baseline";
const CANDIDATE: &str = "candidate";

/// The columns of both sides, which the table calls by their names, and of the change between them.
pub(crate) const SIDES: [Column; 4] = [
    Column::new("baseline", BASELINE, Holds::Point(Unit::Part)),
    Column::new("candidate", CANDIDATE, Holds::Point(Unit::Part)),
    Column::of_bars("waterfall"),
    Column::new("change", "change", Holds::Estimate(Unit::Added)),
];

/// The columns of a pair, for programs only.
pub(crate) const PAIR: [Column; 3] = [
    Column::for_programs("candidate", Holds::Words),
    Column::for_programs("workload", Holds::Words),
    Column::for_programs("clients", Holds::Count),
];

/// Which pair, and what is told of it.
pub(crate) struct PairTable<'a> {
    /// The baseline's target.
    pub(crate) baseline: &'a str,
    /// The candidate's.
    pub(crate) candidate: &'a str,
    /// Where.
    pub(crate) place: &'a Place,
    /// What the figures are, such as `ms per transaction`.
    pub(crate) figures: &'static str,
    /// Whether a page shows it unfolded.
    pub(crate) is_foremost: bool,
    /// The rows.
    pub(crate) rows: Vec<document::Row>,
    /// Below them.
    pub(crate) notes: Vec<String>,
}

impl PairTable<'_> {
    /// It as a table of a kind.
    pub(crate) fn into_table(self, kind: &'static TableKind) -> Table {
        let clients = units::clients(self.place.clients);
        let Self { baseline, candidate, place, figures, .. } = self;
        Table {
            caption: Some(format!("{}, {clients}: {candidate} against {baseline}, {figures}", place.workload)),
            showing: Showing::foremost(self.is_foremost),
            renamed: vec![(BASELINE, baseline.to_owned()), (CANDIDATE, candidate.to_owned())],
            notes: self.notes,
            ..Table::of(kind, self.rows)
        }
    }
}

/// The cells of a pair: candidate, workload, clients.
pub(crate) fn cells_of_pair(candidate: &str, place: &Place) -> [Cell; 3] {
    [Cell::words(candidate), Cell::words(&place.workload), Cell::count(place.clients.known())]
}

/// The cells of both sides and of the change.
pub(crate) fn cells_of_sides(row: &Row) -> [Cell; 4] {
    let Row { baseline_ms, candidate_ms, change_ms } = *row;
    let bar = Bar { baseline: baseline_ms.point, candidate: candidate_ms.point, change: change_ms };
    [Cell::Estimate(baseline_ms), Cell::Estimate(candidate_ms), Cell::Bar(bar), Cell::Estimate(change_ms)]
}
