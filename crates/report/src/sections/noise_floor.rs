//! The noise floor: the baseline compared with itself by the method of the run.

use judge::Judgement;
use judge::compare::{MetricJudgement, PairJudgement};

use crate::document::{Block, Cell, Column, Holds, Row, Section, Showing, Table, TableKind, Unit};
use crate::words;

const EXPLANATION: &str = "The baseline was compared with itself, by the same method and interleaved with the other trials. \
                           Every interval should contain zero, and most should lie well within the practical threshold.";
const NOT_MEASURED: &str =
    "Not measured. With noise_floor: true in the plan, the baseline is also compared with itself.";

/// A metric of the baseline against itself a row. Programs read it as they read the comparisons.
static TABLE: TableKind = TableKind {
    name: "noise-floor",
    about: "The baseline against itself: the change, the verdict",
    columns: &[
        Column::new("workload", "workload", Holds::Words),
        Column::new("clients", "clients", Holds::Count),
        Column::new("metric", "metric", Holds::Words),
        Column::new("change", "change", Holds::Estimate(Unit::Change)),
        Column::new("verdict", "verdict", Holds::Words),
    ],
};

/// A table of the metrics that decide, and a folded one of the others; an explanation where it was not measured.
pub(crate) fn noise_floor_section(judgement: &Judgement) -> Option<Section> {
    let pairs = &judgement.comparison.noise_floor;
    if judgement.comparison.pairs.is_empty() && pairs.is_empty() {
        return None;
    }
    let threshold = judgement.comparison.question.threshold.share();
    let (mut deciding, mut others) = (Vec::new(), Vec::new());
    for pair in pairs {
        for (at, judged) in pair.metrics.iter().enumerate() {
            let rows = if at == 0 { &mut deciding } else { &mut others };
            rows.push(row_of_metric(pair, judged, threshold));
        }
    }
    let mut blocks = vec![Block::Explanation(if pairs.is_empty() { NOT_MEASURED } else { EXPLANATION })];
    if !deciding.is_empty() {
        blocks.push(Block::Table(Table::of(&TABLE, deciding)));
    }
    if !others.is_empty() {
        let caption = Some("Metrics that do not decide".to_owned());
        blocks.push(Block::Table(Table { caption, showing: Showing::Folded, ..Table::of(&TABLE, others) }));
    }
    let title = format!("Noise floor ({} against itself)", judgement.comparison.question.baseline);
    Some(Section { id: "noise-floor", title, blocks })
}

fn row_of_metric(pair: &PairJudgement, judged: &MetricJudgement, threshold: f64) -> Row {
    Row::of(vec![
        Cell::words(&pair.place.workload),
        Cell::count(pair.place.clients.known()),
        Cell::words(judged.metric.name()),
        Cell::change(judged, threshold),
        Cell::words(words::verdict(&judged.verdict)),
    ])
}
