//! What the GitHub action benchmark-action/github-action-benchmark reads with `tool: customBiggerIsBetter` and `tool:
//! customSmallerIsBetter`: a list of names, units, values and ranges. Of figures of both directions it needs two files.

use serde_json::json;

use super::{BetterData, ReportData, all_figures, word_of_choice};

/// Which figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchmarkDirection {
    /// Throughput and capacity.
    BiggerIsBetter,
    /// Latency.
    SmallerIsBetter,
}

/// The figures of one direction; the range is the 95 % interval, whose ends are not equally far from the value.
pub fn benchmark_action(data: &ReportData, direction: BenchmarkDirection) -> String {
    let better = match direction {
        BenchmarkDirection::BiggerIsBetter => BetterData::Higher,
        BenchmarkDirection::SmallerIsBetter => BetterData::Lower,
    };
    let entries = all_figures(data).into_iter().filter(|figure| figure.metric.better == better).map(|figure| {
        let estimate = figure.estimate;
        json!({
            "name": format!("{}: {}", figure.full_name(), word_of_choice(figure.metric.metric)),
            "unit": figure.metric.unit,
            "value": estimate.point,
            "range": format!("{} … {}", four_significant_digits(estimate.low), four_significant_digits(estimate.high)),
            "extra": format!("95 % interval over {} blocks", estimate.n),
        })
    });
    format!("{:#}\n", entries.collect::<serde_json::Value>())
}

/// Four significant digits: a bound of a small figure must not look like zero.
fn four_significant_digits(value: f64) -> String {
    crate::rounding::rounded_to(4, value).to_string()
}
