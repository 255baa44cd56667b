//! A judgement in the forms that other programs read: tables, test results, benchmark trackers, metrics. Each says what
//! the report says, and nothing that it does not.

mod bencher;
mod benchmark_action;
mod csv;
mod junit;
mod openmetrics;
mod scrape;
mod summary;

pub use bencher::bencher_json;
pub use benchmark_action::{BenchmarkDirection, benchmark_action};
pub use csv::{CsvTable, TABLES};
pub use junit::junit_xml;
pub use openmetrics::openmetrics_text;
pub use scrape::{Scraped, scrape_text};
pub use summary::markdown_summary;

use super::data::{BetterData, ComparisonData, EstimateData, MetricData, MetricName, ReportData, TrialData};

/// A figure of one target at one place, over its blocks.
struct TargetFigure<'a> {
    target: &'a str,
    place: &'a ComparisonData,
    metric: &'a MetricData,
    estimate: EstimateData,
}

impl TargetFigure<'_> {
    /// `WORKLOAD, N clients, TARGET`.
    fn full_name(&self) -> String {
        format!("{}, {}", place_of_comparison(self.place), self.target)
    }
}

/// `WORKLOAD, N clients`.
fn place_of_comparison(of: &ComparisonData) -> String {
    format!("{}, {}", of.workload, judge::units::format_clients(of.clients))
}

/// A count in a machine's form: nothing where nobody tells it.
fn count_or_empty(count: Option<u32>) -> String {
    count.map_or(String::new(), |count| count.to_string())
}

/// The word that JSON has for a choice.
fn word_of_choice(choice: impl serde::Serialize) -> String {
    let value = serde_json::to_value(choice).expect("plain data always serialises");
    value.as_str().expect("a choice without fields").to_owned()
}

/// Every figure of every target, the baseline's once for each place.
fn all_figures(data: &ReportData) -> Vec<TargetFigure<'_>> {
    let mut figures = Vec::new();
    for (at, one) in data.comparisons.iter().enumerate() {
        let before = &data.comparisons[..at];
        let is_first = before.iter().all(|other| (&other.workload, other.clients) != (&one.workload, one.clients));
        for metric in &one.metrics {
            let figure = |target, estimate| TargetFigure { target, place: one, metric, estimate };
            figures
                .extend(metric.baseline.filter(|_| is_first).map(|estimate| figure(data.baseline.as_str(), estimate)));
            figures.extend(metric.candidate.map(|estimate| figure(one.candidate.as_str(), estimate)));
        }
    }
    figures
}
