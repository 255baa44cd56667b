//! What two generators say of one cell: as lines for a person, and as data.

use judge::Judgement;
use judge::compare::{CrossCheck, MetricJudgement};
use schemars::JsonSchema;
use serde::Serialize;
use stats::Estimate;
use stats::verdict::Verdict;

use super::data::EstimateData;
use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use super::required::format_metric_value;

/// A figure of one cell by two generators.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CrossCheckData {
    /// The target.
    pub target: String,
    /// The workload that is cross-checked.
    pub workload: String,
    /// Number of clients; absent where it is not known.
    pub clients: Option<u32>,
    /// The workload's generator, and the other one.
    pub generators: [&'static str; 2],
    /// The metric, such as `throughput`.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// The figure of each generator, in the order of `generators`; absent if a generator does not report it.
    pub figures: [Option<EstimateData>; 2],
    /// Other generator / workload's generator − 1; absent without an interval.
    pub change: Option<EstimateData>,
    /// Whether the two figures agree.
    pub agreement: AgreementData,
}

/// Whether the figures of two generators agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AgreementData {
    /// The whole interval of the difference lies within the practical threshold.
    Agree,
    /// The interval of the difference excludes 0.
    Differ,
    /// The data do not decide it.
    NotEnoughData,
    /// There is no result yet: the run is being measured.
    SoFar,
}

impl AgreementData {
    fn agreement_word(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Differ => "differ",
            Self::NotEnoughData => "not enough data",
            Self::SoFar => "so far",
        }
    }
}

impl From<&Verdict> for AgreementData {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Equivalent => Self::Agree,
            Verdict::Improved | Verdict::Regressed => Self::Differ,
            Verdict::NotWorse | Verdict::NotBetter | Verdict::NotEnoughData { .. } => Self::NotEnoughData,
            Verdict::SoFar => Self::SoFar,
        }
    }
}

/// Every figure of every cell, the one that decides first.
pub(crate) fn cross_check_data(judgement: &Judgement) -> Vec<CrossCheckData> {
    judgement
        .comparison
        .cross_checks
        .iter()
        .flat_map(|check| check.metrics.iter().map(move |metric| data_of_metric(check, metric)))
        .collect()
}

fn data_of_metric(check: &CrossCheck, judged: &MetricJudgement) -> CrossCheckData {
    CrossCheckData {
        target: check.target.clone(),
        workload: check.place.workload.clone(),
        clients: check.place.clients.known_count(),
        generators: check.generators.map(plan::WordChoice::as_word),
        metric: judged.metric.name(),
        unit: judged.metric.unit(),
        figures: [judged.baseline, judged.candidate].map(|figure| figure.map(EstimateData::from)),
        change: judged.known_change().map(EstimateData::from),
        agreement: (&judged.verdict).into(),
    }
}

const EXPLANATION: &str = "Each cell is measured by two programs in the same blocks. They agree if the whole interval of the \
                           difference is within the practical threshold. They differ if it excludes zero. Otherwise there is \
                           not enough data.";

/// A figure of a cell a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "cross-check",
    about: "Figures of one cell by two generators",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("metric", "metric", Holds::Words),
        DocumentColumn::for_programs("unit", Holds::Words),
        DocumentColumn::for_people("figures"),
        DocumentColumn::for_programs("generator", Holds::Words),
        DocumentColumn::for_programs("figure", Holds::Point(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("other", Holds::Words),
        DocumentColumn::for_programs("other_figure", Holds::Point(ColumnUnit::OfTheRow)),
        DocumentColumn::new("difference", "difference", Holds::Estimate(ColumnUnit::Change)),
        DocumentColumn::new("result", "they", Holds::Words),
    ],
};

/// A row for each figure of each cell; none where nothing is cross-checked.
pub(crate) fn cross_check_section(judgement: &Judgement) -> Option<ReportSection> {
    let threshold = judgement.comparison.question.threshold.as_share();
    let mut rows = Vec::new();
    for check in &judgement.comparison.cross_checks {
        rows.extend(check.metrics.iter().map(|metric| row_of_metric(check, metric, threshold)));
    }
    if rows.is_empty() {
        return None;
    }
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection {
        id: "cross-check",
        title: "Cross-check: one cell by two generators, in the same blocks".to_owned(),
        blocks,
    })
}

fn row_of_metric(check: &CrossCheck, judged: &MetricJudgement, threshold: f64) -> DocumentRow {
    let figure =
        |of: Option<Estimate>| of.map_or_else(|| "–".to_owned(), |of| format_metric_value(judged.metric, of.point));
    let [own, other] = check.generators.map(plan::WordChoice::as_word);
    let figures = format!("{own} {}, {other} {}", figure(judged.baseline), figure(judged.candidate));
    let agreement = AgreementData::from(&judged.verdict);
    let cells = vec![
        TableCell::from_words(&check.target),
        TableCell::from_words(&check.place.workload),
        TableCell::optional_count(check.place.clients.known_count()),
        TableCell::from_words(judged.metric.name()),
        TableCell::from_words(judged.metric.unit()),
        TableCell::Words(figures),
        TableCell::from_words(own),
        TableCell::optional_estimate(judged.baseline),
        TableCell::from_words(other),
        TableCell::optional_estimate(judged.candidate),
        TableCell::change_of_metric(judged, threshold),
        TableCell::from_words(agreement.agreement_word()),
    ];
    DocumentRow { cells, stands_out: agreement == AgreementData::Differ }
}
