//! The noise floor: the baseline compared with itself by the method of the run.

use judge::Judgement;
use judge::compare::{MetricJudgement, PairJudgement};

use crate::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, Showing, TableCell,
    TableKind,
};

const EXPLANATION: &str = "The baseline was compared with itself, by the same method and interleaved with the other trials. \
                           Every interval should contain zero, and most should lie well within the practical threshold.";
const NOT_MEASURED: &str =
    "Not measured. With noise_floor: true in the plan, the baseline is also compared with itself.";

/// A metric of the baseline against itself a row. Programs read it as they read the comparisons.
static TABLE: TableKind = TableKind {
    name: "noise-floor",
    about: "The baseline against itself: the change, the verdict",
    columns: &[
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("metric", "metric", Holds::Words),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("verdict", "verdict", Holds::Words),
    ],
};

/// A table of the metrics that decide, and a folded one of the others; an explanation where it was not measured.
pub(crate) fn noise_floor_section(judgement: &Judgement) -> Option<ReportSection> {
    let pairs = &judgement.comparison.noise_floor;
    if judgement.comparison.pairs.is_empty() && pairs.is_empty() {
        return None;
    }
    let threshold = judgement.comparison.question.threshold.as_share();
    let (mut deciding, mut others) = (Vec::new(), Vec::new());
    for pair in pairs {
        for (at, judged) in pair.metrics.iter().enumerate() {
            let rows = if at == 0 { &mut deciding } else { &mut others };
            rows.push(row_of_metric(pair, judged, threshold));
        }
    }
    let mut blocks = vec![SectionBlock::Explanation(if pairs.is_empty() { NOT_MEASURED } else { EXPLANATION })];
    if !deciding.is_empty() {
        blocks.push(SectionBlock::Table(DocumentTable::from_rows(&TABLE, deciding)));
    }
    if !others.is_empty() {
        let caption = Some("Metrics that do not decide".to_owned());
        blocks.push(SectionBlock::Table(DocumentTable {
            caption,
            showing: Showing::Folded,
            ..DocumentTable::from_rows(&TABLE, others)
        }));
    }
    let title = format!("Noise floor ({} against itself)", judgement.comparison.question.baseline);
    Some(ReportSection { id: "noise-floor", title, blocks })
}

fn row_of_metric(pair: &PairJudgement, judged: &MetricJudgement, threshold: f64) -> DocumentRow {
    DocumentRow::from_cells(vec![
        TableCell::from_words(&pair.place.workload),
        TableCell::optional_count(pair.place.clients.known_count()),
        TableCell::from_words(judged.metric.name()),
        TableCell::change_of_metric(judged, threshold),
        TableCell::from_words(judged.verdict.name_in_reports()),
    ])
}
