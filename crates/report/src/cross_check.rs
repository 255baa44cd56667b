//! What two generators say of one cell: as lines for a person, and as data.

use judge::Judgement;
use judge::compare::{CrossCheck, MetricJudgement};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;
use stats::Estimate;
use stats::verdict::Verdict;

use super::columns::{Alignment, aligned};
use super::data::EstimateData;
use super::required::amount;
use super::words;

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
    /// What is measured, such as `throughput`.
    pub metric: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What either says of it, in the order of the generators; absent where it says nothing.
    pub figures: [Option<EstimateData>; 2],
    /// The other / the workload's own − 1; absent without an interval.
    pub change: Option<EstimateData>,
    /// Whether they say the same.
    pub agreement: AgreementData,
}

/// Whether two generators say the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum AgreementData {
    /// Whatever they differ by is smaller than the practical threshold.
    Agree,
    /// They differ: the interval excludes that they do not.
    Differ,
    /// The measurement cannot tell.
    NotEnoughData,
    /// None yet: it is being measured.
    SoFar,
}

impl AgreementData {
    fn word(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Differ => "DIFFER",
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
            Verdict::NotEnoughData { .. } => Self::NotEnoughData,
            Verdict::SoFar => Self::SoFar,
        }
    }
}

/// Every figure of every cell, the one that decides first.
pub(crate) fn data(judgement: &Judgement) -> Vec<CrossCheckData> {
    let of_cell = |check| move |metric| one(check, metric);
    judgement.comparison.cross_checks.iter().flat_map(|check| check.metrics.iter().map(of_cell(check))).collect()
}

fn one(check: &CrossCheck, judged: &MetricJudgement) -> CrossCheckData {
    CrossCheckData {
        target: check.target.clone(),
        workload: check.place.workload.clone(),
        clients: check.place.clients.known(),
        generators: check.generators.map(plan::Word::word),
        metric: judged.metric.name(),
        unit: judged.metric.unit(),
        figures: [judged.baseline, judged.candidate].map(|figure| figure.map(EstimateData::from)),
        change: judged.known_change().map(EstimateData::from),
        agreement: (&judged.verdict).into(),
    }
}

/// A line for each figure of each cell under a heading; none where nothing is cross-checked.
pub(crate) fn lines(judgement: &Judgement) -> Option<(String, Vec<String>)> {
    let checks = &judgement.comparison.cross_checks;
    let threshold = judgement.comparison.question.threshold.share();
    let rows: Vec<[String; 6]> =
        checks.iter().flat_map(|check| check.metrics.iter().map(move |metric| row(check, metric, threshold))).collect();
    let [left, right] = [Alignment::Left, Alignment::Right];
    let heading = "Cross-check: one cell by two generators, in the same blocks".to_owned();
    (!rows.is_empty()).then(|| (heading, aligned(&rows, [left, left, left, right, right, left])))
}

fn row(check: &CrossCheck, judged: &MetricJudgement, threshold: f64) -> [String; 6] {
    let none = || "–".to_owned();
    let figure = |of: Option<Estimate>| of.map_or_else(none, |of| amount(judged.metric, of.point));
    let [own, other] = check.generators.map(plan::Word::word);
    let [change, interval] = words::change_cells(judged, threshold);
    let figures = format!("{own} {}, {other} {}", figure(judged.baseline), figure(judged.candidate));
    [
        format!("{} · {} at {}", check.target, check.place.workload, units::clients(check.place.clients)),
        judged.metric.name().to_owned(),
        figures,
        change,
        interval,
        AgreementData::from(&judged.verdict).word().to_owned(),
    ]
}
