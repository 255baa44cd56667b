//! The latency of a trial's intervals, measured by pgdyno or told by another tool:
//! what is known of it and nothing else.

use std::collections::BTreeSet;

use judge::observed::{SecondFigures, SecondLatency};
use results::told::ToldLatency;

use super::data::ToldSeriesData;
use super::rounding::round_significant;

/// From this on an interval is no second: seconds of a clock are never exact.
const LONGER_THAN_A_SECOND_US: u64 = 1_500_000;
/// Percentiles that have a column of their own.
const OF_ALL_TRIALS: [&str; 3] = ["p50", "p95", "p99"];

/// A percentile of each interval in milliseconds, whoever told it.
pub(crate) fn percentile_series(
    seconds: &[SecondFigures],
    name: &str,
    measured: fn(&SecondLatency) -> u64,
) -> Vec<Option<f64>> {
    seconds
        .iter()
        .map(|second| {
            let ns = second
                .latency
                .as_ref()
                .map(|latency| measured(latency) as f64)
                .or_else(|| second.told.as_ref()?.percentiles_ns.get(name).copied())?;
            Some(round_significant(ns / 1e6))
        })
        .collect()
}

/// What else was told of latency, each figure that at least one interval has.
pub(crate) fn beyond_percentiles(seconds: &[SecondFigures]) -> Vec<ToldSeriesData> {
    let told: Vec<Option<&ToldLatency>> = seconds.iter().map(|second| second.told.as_ref()).collect();
    let series = |figure: &str, read: &dyn Fn(&ToldLatency) -> Option<f64>| {
        let ms: Vec<Option<f64>> =
            told.iter().map(|told| told.and_then(read).map(|ns| round_significant(ns / 1e6))).collect();
        ms.iter().any(Option::is_some).then(|| ToldSeriesData { figure: figure.to_owned(), ms })
    };
    let percentiles: BTreeSet<&str> =
        told.iter().flatten().flat_map(|told| told.percentiles_ns.keys().map(String::as_str)).collect();
    let others = percentiles.into_iter().filter(|name| !OF_ALL_TRIALS.contains(name));
    let others = others.filter_map(|name| series(name, &|told| told.percentiles_ns.get(name).copied()));
    let moments = [
        series("mean", &|told| told.mean_ns),
        series("stddev", &|told| told.stddev_ns),
        series("max", &|told| told.max_ns),
    ];
    moments.into_iter().flatten().chain(others).collect()
}

/// The lengths of the intervals in seconds, where one of them is longer than a second.
pub(crate) fn interval_lengths_s(seconds: &[SecondFigures]) -> Option<Vec<f64>> {
    let has_longer = seconds.iter().any(|second| second.duration_us > LONGER_THAN_A_SECOND_US);
    has_longer.then(|| seconds.iter().map(|second| second.duration_us as f64 / 1e6).collect())
}
