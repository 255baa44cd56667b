//! Bencher Metric Format (<https://bencher.dev/docs/reference/bencher-metric-format/>): by benchmark and measure a
//! value with its bounds. Bencher's built-in measures are used where there are any: `throughput` counts per second,
//! `latency` nanoseconds.

use serde_json::{Map, Value, json};

use super::{MetricName, ReportData, all_figures};

const NS_PER_MS: f64 = 1e6;

/// Every figure of every target with its 95 % interval.
pub fn bencher_json(data: &ReportData) -> String {
    let mut benchmarks = Map::new();
    for figure in all_figures(data) {
        let (measure, factor) = measure_of_metric(figure.metric.metric);
        let [value, lower_value, upper_value] =
            [figure.estimate.point, figure.estimate.low, figure.estimate.high].map(|value| value * factor);
        let benchmark = benchmarks.entry(figure.full_name()).or_insert_with(|| json!({}));
        benchmark[measure] = json!({ "value": value, "lower_value": lower_value, "upper_value": upper_value });
    }
    format!("{:#}\n", Value::Object(benchmarks))
}

/// Its slug, and by what a figure is multiplied.
fn measure_of_metric(metric: MetricName) -> (&'static str, f64) {
    match metric {
        MetricName::Capacity => ("capacity", 1.0),
        MetricName::Throughput => ("throughput", 1.0),
        MetricName::WriteGap => ("write-gap", NS_PER_MS),
        MetricName::ReadGap => ("read-gap", NS_PER_MS),
        MetricName::DatabaseTime => ("database-time", NS_PER_MS),
        MetricName::StatementTime => ("statement-time", NS_PER_MS),
        MetricName::LatencyMean => ("latency", NS_PER_MS),
        MetricName::LatencyP50 => ("latency-p50", NS_PER_MS),
        MetricName::LatencyP95 => ("latency-p95", NS_PER_MS),
        MetricName::LatencyP99 => ("latency-p99", NS_PER_MS),
        MetricName::LatencyP999 => ("latency-p999", NS_PER_MS),
    }
}
