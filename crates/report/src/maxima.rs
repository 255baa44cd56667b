//! The maxima of a run: what each target got done at most in each workload, and what the baseline did.

use std::collections::BTreeMap;

use judge::Judgement;
use judge::compare::{Maximum, StillGaining};
use judge::units;

use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

/// A target in a workload a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "maxima",
    about: "The highest throughput of each target in each workload, over the numbers of clients",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("peak", "throughput", Holds::Estimate(ColumnUnit::Tps)),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
    ],
};

/// A row for each target in each workload, and a note on all peaks that were not reached; none without a ladder.
pub(crate) fn maxima_section(judgement: &Judgement) -> Option<ReportSection> {
    let maxima = &judgement.comparison.maxima;
    if maxima.is_empty() {
        return None;
    }
    let mut blocks =
        vec![SectionBlock::Table(DocumentTable::from_rows(&TABLE, maxima.iter().map(row_of_maximum).collect()))];
    blocks.extend(not_reached(judgement).map(SectionBlock::Note));
    Some(ReportSection { id: "maxima", title: "Peak throughput over the numbers of clients".to_owned(), blocks })
}

fn row_of_maximum(maximum: &Maximum) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&maximum.workload),
        TableCell::from_words(&maximum.target),
        TableCell::Estimate(maximum.throughput_per_s),
        TableCell::Count(u64::from(maximum.clients)),
        TableCell::optional_estimate(maximum.change),
    ])
}

/// Which peaks cannot be compared, because a side still gained with the most clients, in one line.
pub(crate) fn not_reached(judgement: &Judgement) -> Option<String> {
    let mut by_workload: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for maximum in &judgement.comparison.maxima {
        for StillGaining { target, gain } in &maximum.not_reached {
            let sides = by_workload.entry(&maximum.workload).or_default();
            let side = format!("{target} {}", units::format_change(*gain));
            // The baseline is compared with every candidate.
            if !sides.contains(&side) {
                sides.push(side);
            }
        }
    }
    if by_workload.is_empty() {
        return None;
    }
    let places: Vec<String> =
        by_workload.iter().map(|(workload, sides)| format!("{workload} ({})", sides.join(", "))).collect();
    Some(format!(
        "peaks not reached, and so not compared, since the throughput still rises with the most clients: {}; add more \
         clients to compare them",
        places.join(", ")
    ))
}
