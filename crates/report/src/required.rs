//! What a plan requires of its workloads, and whether it holds: as lines for a person, and as data.

use judge::Judgement;
use judge::compare::Metric;
use judge::failures;
use judge::required::{Compliance, Limited, Requirement};
use judge::units;
use schemars::JsonSchema;
use serde::Serialize;
use stats::ClosedInterval;
use stats::verdict::BetterDirection;

use super::data::EstimateData;
use super::document::{
    ColumnUnit, DocumentColumn, DocumentRow, DocumentTable, Holds, ReportSection, SectionBlock, TableCell, TableKind,
};
use super::words;

/// A limit of a workload on one server.
#[derive(Debug, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RequirementData {
    /// The server's target.
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients; absent if unknown.
    pub clients: Option<u32>,
    /// The requirement, such as `p99 latency below 20.0 ms`.
    pub text: String,
    /// The measured figure: a rate per second, a latency in milliseconds, or the share of failed transactions; absent
    /// if no usable figure was measured.
    pub measured: Option<EstimateData>,
    /// The same in words.
    pub measured_text: String,
    /// Whether it is kept.
    pub compliance: ComplianceData,
}

/// Whether a requirement is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum ComplianceData {
    /// The whole interval is within the limit.
    Kept,
    /// None of the interval is within the limit, or an event had not ended.
    Broken,
    /// The limit is within the interval, or there is no figure.
    NotEnoughData,
}

impl ComplianceData {
    /// In a word.
    pub(crate) fn compliance_word(self) -> &'static str {
        match self {
            Self::Kept => "kept",
            Self::Broken => "BROKEN",
            Self::NotEnoughData => "not enough data",
        }
    }
}

impl From<Compliance> for ComplianceData {
    fn from(compliance: Compliance) -> Self {
        match compliance {
            Compliance::Kept => Self::Kept,
            Compliance::Broken => Self::Broken,
            Compliance::NotEnoughData => Self::NotEnoughData,
        }
    }
}

/// All limits of workloads.
pub(crate) fn requirement_data(judgement: &Judgement) -> Vec<RequirementData> {
    judgement.required.iter().map(data_of_requirement).collect()
}

fn data_of_requirement(required: &Requirement) -> RequirementData {
    let Requirement { target, place, limited, limit, measured, of, completes_nothing, ruling } = required;
    let text = match limited {
        Limited::Metric(metric) => {
            format!("{} {} {}", metric.name(), required_side_word(*metric), figure_in_unit(*limit, limited))
        }
        Limited::Failures => format!("failed transactions below {}", figure_in_unit(*limit, limited)),
        Limited::DatabaseTime => format!("database time no slower than {}", units::format_percent(*limit)),
        Limited::Statements => format!("statements no slower than {}", units::format_percent(*limit)),
    };
    let unusable = completes_nothing.clone().unwrap_or_else(|| "no usable figure was measured".to_owned());
    let measured_text = measured.as_ref().map_or(unusable, |estimate| {
        let ends_in_words = |ends: &ClosedInterval| {
            units::format_interval(&figure_in_unit(ends.low, limited), &figure_in_unit(ends.high, limited))
        };
        let interval = match limited {
            Limited::Metric(_) => words::figure_interval(estimate, ends_in_words),
            Limited::Failures | Limited::DatabaseTime | Limited::Statements => ends_in_words(&estimate.interval),
        };
        let whose = of.as_ref().map_or_else(String::new, |of| format!("{of}: "));
        format!("{whose}{} {interval}", figure_in_unit(estimate.point, limited))
    });
    RequirementData {
        target: target.clone(),
        workload: place.workload.clone(),
        clients: place.clients.known_count(),
        text,
        measured: measured.map(EstimateData::from),
        measured_text,
        compliance: (*ruling).into(),
    }
}

fn figure_in_unit(figure: f64, limited: &Limited) -> String {
    match limited {
        Limited::Metric(metric) => format_metric_value(*metric, figure),
        Limited::Failures => failures::format_small_percent(figure),
        Limited::DatabaseTime | Limited::Statements => units::format_change(figure),
    }
}

fn required_side_word(metric: Metric) -> &'static str {
    match metric.better_direction() {
        BetterDirection::Higher => "above",
        BetterDirection::Lower => "below",
    }
}

/// A figure with its unit: more is better of rates, less of times.
pub(crate) fn format_metric_value(metric: Metric, figure: f64) -> String {
    match metric.better_direction() {
        BetterDirection::Higher => units::format_tps(figure),
        BetterDirection::Lower => units::format_milliseconds(figure),
    }
}

const EXPLANATION: &str = "A limit is kept if the whole interval over the blocks is within it. It is broken if none of the \
                           interval is. Otherwise there is not enough data.";

/// A limit of a target a row.
pub(crate) static TABLE: TableKind = TableKind {
    name: "required",
    about: "Requirements of the plan on its workloads",
    columns: &[
        DocumentColumn::new("target", "target", Holds::Words),
        DocumentColumn::new("workload", "workload", Holds::Words),
        DocumentColumn::new("clients", "clients", Holds::Count),
        DocumentColumn::new("required", "required", Holds::Words),
        DocumentColumn::for_people("measured"),
        DocumentColumn::for_programs("measured", Holds::Point(ColumnUnit::OfTheRow)),
        DocumentColumn::for_programs("blocks", Holds::Count),
        DocumentColumn::new("result", "compliance", Holds::Words),
    ],
};

/// A row for each limit; none where nothing is required.
pub(crate) fn required_section(judgement: &Judgement) -> Option<ReportSection> {
    if judgement.required.is_empty() {
        return None;
    }
    let rows = judgement.required.iter().map(row_of).collect();
    let blocks =
        vec![SectionBlock::Explanation(EXPLANATION), SectionBlock::Table(DocumentTable::from_rows(&TABLE, rows))];
    Some(ReportSection { id: "required", title: "Required by the plan".to_owned(), blocks })
}

fn row_of(required: &Requirement) -> DocumentRow {
    let told = data_of_requirement(required);
    let cells = vec![
        TableCell::Words(told.target),
        TableCell::Words(told.workload),
        TableCell::optional_count(told.clients),
        TableCell::Words(told.text),
        TableCell::Words(told.measured_text),
        TableCell::optional_estimate(required.measured),
        required.measured.map_or(TableCell::Missing, |measured| TableCell::Count(measured.n as u64)),
        TableCell::Words(told.compliance.compliance_word().to_lowercase()),
    ];
    DocumentRow { cells, stands_out: told.compliance == ComplianceData::Broken }
}

/// A line for each limit that is not known to be kept.
pub(crate) fn not_kept(judgement: &Judgement) -> Vec<String> {
    let mut lines = Vec::new();
    for required in judgement.required.iter().filter(|required| required.ruling != Compliance::Kept) {
        let told = data_of_requirement(required);
        let place = format!("{} · {} at {}", told.target, told.workload, units::format_clients(required.place.clients));
        lines.push(format!(
            "required of {place}: {}: {} ({})",
            told.text,
            told.compliance.compliance_word(),
            told.measured_text
        ));
    }
    lines
}
