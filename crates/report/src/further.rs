//! The pairs of targets that the plan compares besides each target with the baseline.

use judge::Judgement;
use judge::compare::PairJudgement;

use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use super::table;

const EXPLANATION: &str = "Pairs of targets from `compare` of the plan, in the same blocks. They are corrected for multiple \
                           comparisons by themselves. `pgdyno diagnose RUN --baseline NAME` explains such a difference.";

/// A pair at a place a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "further-comparisons",
    about: "Pairs of `compare` by workload and clients: the deciding metric of both sides, its change, the verdict",
    columns: &[
        DocumentColumn::for_people("comparison"),
        DocumentColumn::for_programs("candidate", Holds::Words),
        DocumentColumn::for_programs("baseline_target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::for_programs("metric", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        DocumentColumn::new("against", "baseline", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("candidate", "candidate_value", Holds::Figure(ColumnUnit::OfTheRow)),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("verdict", "verdict", Holds::Verdict),
    ],
};

/// A row for each pair at each place; none where the plan names no pairs.
pub(crate) fn further_section(judgement: &Judgement) -> Option<ReportSection> {
    let pairs = &judgement.comparison.further;
    if pairs.is_empty() {
        return None;
    }
    let rows = pairs.iter().map(|pair| row_of_further_pair(judgement, pair)).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "further-comparisons", title: "Further comparisons".to_owned(), blocks })
}

fn row_of_further_pair(judgement: &Judgement, pair: &PairJudgement) -> DocumentRow {
    let mut cells = vec![
        TableCell::Words(format!("{} against {}", pair.candidate, pair.baseline)),
        TableCell::from_words(&pair.candidate),
        TableCell::from_words(&pair.baseline),
    ];
    cells.extend(table::cells_of_pair_at_place(judgement, pair, ""));
    DocumentRow::from_cells(cells)
}
