//! The percentiles of the latency on both sides, all at once: a mean that is equivalent says nothing of the slowest
//! transactions.

use judge::Judgement;
use judge::compare::{Metric, MetricJudgement, PairJudgement};
use judge::units;
use stats::verdict::Verdict;

use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};

const EXPLANATION: &str = "A percentile of a side is its geometric mean over the blocks. Transactions of different trials are \
                           never pooled. The verdicts are those of the costs, with their threshold; percentiles that \
                           are not judged have none.";

/// A percentile of a comparison a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "percentiles",
    about: "Percentiles of the latency on both sides, with their changes",
    columns: &[
        DocumentColumn::new("target", "candidate", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("percentile", "metric", Holds::Words),
        DocumentColumn::new("baseline", "baseline", Holds::Point(ColumnUnit::Milliseconds)),
        DocumentColumn::new("candidate", "candidate_value", Holds::Point(ColumnUnit::Milliseconds)),
        DocumentColumn::new("change", "change", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("verdict", "verdict", Holds::Words),
    ],
};

/// A row for each percentile of each comparison; none where no comparison has percentiles of both sides.
pub(crate) fn percentiles_section(judgement: &Judgement) -> Option<ReportSection> {
    let mut rows = Vec::new();
    for pair in &judgement.comparison.pairs {
        for judged in &pair.metrics {
            if is_percentile(judged.metric) && judged.change.is_some() {
                rows.push(row_of(pair, judged, judgement));
            }
        }
    }
    if rows.is_empty() {
        return None;
    }
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "percentiles", title: "Percentiles of the latency".to_owned(), blocks })
}

fn is_percentile(metric: Metric) -> bool {
    match metric {
        Metric::LatencyP50 | Metric::LatencyP95 | Metric::LatencyP99 | Metric::LatencyP999 => true,
        Metric::Capacity
        | Metric::Throughput
        | Metric::WriteGap
        | Metric::ReadGap
        | Metric::DatabaseTime
        | Metric::StatementTime
        | Metric::LatencyMean => false,
    }
}

fn row_of(pair: &PairJudgement, judged: &MetricJudgement, judgement: &Judgement) -> DocumentRow {
    let question = &judgement.comparison.question;
    let (threshold, verdict) = (question.threshold.as_share(), judgement.beside.verdict_on(pair, judged));
    let costs_threshold = question.margins.costs.filter(|_| judged.metric != pair.deciding_metric());
    DocumentRow::from_cells(vec![
        TableCell::from_words(&pair.candidate),
        TableCell::from_words(&pair.place.workload),
        TableCell::optional_count(pair.place.clients.known_count()),
        TableCell::from_words(judged.metric.name()),
        TableCell::optional_estimate(judged.baseline),
        TableCell::optional_estimate(judged.candidate),
        TableCell::change_of_metric(judged, threshold),
        TableCell::from_words(verdict_in_words(verdict, costs_threshold)),
    ])
}

/// The verdict; of one that lies within the threshold of the costs, that.
fn verdict_in_words(verdict: Option<Verdict>, costs_threshold: Option<f64>) -> String {
    match (verdict, costs_threshold) {
        (Some(Verdict::Equivalent), Some(threshold)) => format!("within ±{} (costs)", units::format_percent(threshold)),
        (Some(verdict), _) => verdict.name_in_reports().to_owned(),
        (None, _) => "–".to_owned(),
    }
}
