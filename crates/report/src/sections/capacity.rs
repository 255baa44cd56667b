//! The searches for a capacity: where the limit was kept, and where it was not.

use std::collections::BTreeSet;

use judge::Judgement;
use judge::compare::{CapacityCurve, CurvePoint};
use judge::units;

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, PageChart, ReportSection, SectionBlock, TableCell,
    TableKind,
};
use crate::words;

const EXPLANATION: &str = "Each point is a trial at an offered rate. It is filled if 99 % of all arrivals were served within the limit \
                           (the horizontal line), else hollow. The tinted band is the 95 % interval of the capacity over the blocks. \
                           Both axes are logarithmic.";
/// Steps of a curve that its sentence has at most.
const STEPS_MAX: usize = 9;

/// A step of a search a row, which people read in sentences.
pub(crate) static TABLE: TableKind = TableKind {
    name: "capacity",
    about: "Every step of every search for a capacity",
    columns: &[
        DocumentColumn::for_programs("workload", Holds::Words),
        DocumentColumn::for_programs("target", Holds::Words),
        DocumentColumn::for_programs("clients", Holds::Count),
        DocumentColumn::for_programs("limit", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::for_programs("trial", Holds::Count),
        DocumentColumn::for_programs("block", Holds::Count),
        DocumentColumn::for_programs("rate", Holds::Figure(ColumnUnit::Tps)),
        DocumentColumn::for_programs("latency_p99", Holds::Figure(ColumnUnit::Milliseconds)),
        DocumentColumn::for_programs("held", Holds::Words),
    ],
};

/// The curves of each place and a sentence on each curve; none where no capacity was searched for.
pub(crate) fn capacity_section(judgement: &Judgement) -> Option<ReportSection> {
    let curves = &judgement.comparison.curves;
    if curves.is_empty() {
        return None;
    }
    let mut blocks = vec![SectionBlock::Explanation(EXPLANATION)];
    let mut places = BTreeSet::new();
    for (index, curve) in curves.iter().enumerate() {
        if places.insert(&curve.place) {
            blocks.push(SectionBlock::Chart(PageChart::Capacity(index)));
        }
    }
    blocks.extend(curves.iter().map(|curve| SectionBlock::Note(curve_sentence(curve))));
    blocks.push(SectionBlock::Table(DocumentTable::from_rows(&TABLE, curves.iter().flat_map(rows_of_curve).collect())));
    Some(ReportSection { id: "capacity", title: "Capacity (✗ beyond the limit)".to_owned(), blocks })
}

fn rows_of_curve(curve: &CapacityCurve) -> Vec<DocumentRow> {
    let mut rows = Vec::new();
    for point in &curve.points {
        rows.push(DocumentRow::from_cells(vec![
            TableCell::from_words(&curve.place.workload),
            TableCell::from_words(&curve.target),
            TableCell::optional_count(curve.place.clients.known_count()),
            TableCell::Figure(curve.limit_ms),
            TableCell::Count(u64::from(point.trial)),
            TableCell::Count(u64::from(point.block)),
            TableCell::Figure(point.rate_per_s),
            point.p99_ms.map_or(TableCell::Missing, TableCell::Figure),
            TableCell::from_words(point.held.to_string()),
        ]));
    }
    rows
}

fn curve_sentence(curve: &CapacityCurve) -> String {
    let place = format!("{} at {}, {}", curve.place.workload, units::format_clients(curve.place.clients), curve.target);
    let limit = units::format_milliseconds(curve.limit_ms);
    let capacity = curve.capacity_per_s.map_or(String::new(), |capacity| {
        let interval = words::figure_interval(&capacity, |ends| {
            units::format_interval(&units::format_tps(ends.low), &units::format_tps(ends.high))
        });
        format!("{} {interval} at p99 ≤ {limit}; ", units::format_tps(capacity.point))
    });
    let steps: Vec<String> = shown_points(&curve.points).into_iter().map(step_in_words).collect();
    format!("{place}: {capacity}{} steps, p99 against the rate: {}", curve.points.len(), steps.join(", "))
}

fn step_in_words(point: &CurvePoint) -> String {
    let p99 = point.p99_ms.map_or("nothing completed".to_owned(), units::format_milliseconds);
    format!("{} {p99}{}", units::format_tps(point.rate_per_s), if point.held { "" } else { " ✗" })
}

/// So many points of a curve at most, evenly chosen, the ends among them.
fn shown_points(points: &[CurvePoint]) -> Vec<&CurvePoint> {
    if points.len() <= STEPS_MAX {
        return points.iter().collect();
    }
    let last = points.len() - 1;
    (0..STEPS_MAX).map(|i| &points[i * last / (STEPS_MAX - 1)]).collect()
}
