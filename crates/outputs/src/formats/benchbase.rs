//! BenchBase's `*.summary.json`: one run of one of its benchmarks.
//!
//! Throughput and latency are of all requests that were measured, those included that were aborted. Goodput is of those
//! that succeeded, and stands beside them. How many failed is not told.

use std::collections::BTreeMap;

use results::told::{LatencySpread, StatedCommon, StatedDetail, StatedFigures, ToldLatency};
use serde::Deserialize;

use super::unreadable_line;
use crate::output_format::{OutputFigures, OutputFormat, RunFigures, UnreadableLine};

/// The summary of a run of BenchBase.
pub(super) struct BenchbaseSummary;

/// The keys by which a summary is known.
const KEYS: [&str; 2] = ["\"Throughput (requests/second)\"", "\"Latency Distribution\""];

/// What a run ends with.
const ENDED: &str = "EXIT";

/// The file, of which older versions write a part.
#[derive(Deserialize)]
struct SummaryFile {
    #[serde(rename = "Throughput (requests/second)")]
    throughput_per_s: f64,
    #[serde(rename = "Goodput (requests/second)")]
    goodput_per_s: Option<f64>,
    #[serde(rename = "Latency Distribution")]
    latency: LatencyDistribution,
    #[serde(rename = "Benchmark Type")]
    benchmark: Option<String>,
    #[serde(rename = "DBMS Type")]
    database: Option<String>,
    #[serde(rename = "DBMS Version")]
    database_version: Option<String>,
    #[serde(rename = "Start timestamp (milliseconds)")]
    started_ms: Option<u64>,
    #[serde(rename = "Elapsed Time (nanoseconds)")]
    elapsed_ns: Option<u64>,
    #[serde(rename = "Measured Requests")]
    requests: Option<u64>,
    #[serde(rename = "Final State")]
    final_state: Option<String>,
    isolation: Option<String>,
    scalefactor: Option<String>,
    terminals: Option<String>,
}

/// Microseconds; negative where nothing was measured.
#[derive(Deserialize)]
struct LatencyDistribution {
    #[serde(rename = "Average Latency (microseconds)")]
    mean: Option<f64>,
    #[serde(rename = "Minimum Latency (microseconds)")]
    minimum: Option<f64>,
    #[serde(rename = "Maximum Latency (microseconds)")]
    maximum: Option<f64>,
    #[serde(rename = "25th Percentile Latency (microseconds)")]
    p25: Option<f64>,
    #[serde(rename = "Median Latency (microseconds)")]
    p50: Option<f64>,
    #[serde(rename = "75th Percentile Latency (microseconds)")]
    p75: Option<f64>,
    #[serde(rename = "90th Percentile Latency (microseconds)")]
    p90: Option<f64>,
    #[serde(rename = "95th Percentile Latency (microseconds)")]
    p95: Option<f64>,
    #[serde(rename = "99th Percentile Latency (microseconds)")]
    p99: Option<f64>,
}

impl OutputFormat for BenchbaseSummary {
    fn program_name(&self) -> &'static str {
        "BenchBase"
    }

    fn is_format_of(&self, head: &str) -> bool {
        head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with('{')
            && KEYS.iter().all(|key| head.contains(key))
    }

    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine> {
        let summary: SummaryFile = serde_json::from_str(text).map_err(|error| unreadable_line(text, &error))?;
        let mut figures = OutputFigures::default();
        figures.notes.push("throughput is of all measured requests, aborted ones included".to_owned());
        if let Some(database) = summary.database.as_deref().filter(|database| *database != "POSTGRES") {
            figures.notes.push(format!("BenchBase calls the database {database}, and not POSTGRES"));
        }
        figures.runs.push(summary.run_figures());
        Ok(figures)
    }
}

impl SummaryFile {
    fn run_figures(&self) -> RunFigures {
        let common = StatedCommon {
            tool: Some("BenchBase".to_owned()),
            script: self.benchmark.clone(),
            ..StatedCommon::default()
        };
        let duration_s = self.elapsed_ns.map(|ns| ns as f64 / 1e9);
        let detail = StatedDetail { common: common.into(), duration_s, ..StatedDetail::default() };
        let mut told = StatedFigures {
            detail: detail.into(),
            throughput_per_s: Some(self.throughput_per_s),
            transactions: self.requests,
            latency: self.latency.told_latency(),
        };
        if let Some(goodput) = self.goodput_per_s {
            told.figures.insert("goodput (requests/second)".to_owned(), goodput);
        }
        if let Some(isolation) = &self.isolation {
            told.labels.insert("isolation".to_owned(), isolation.clone());
        }
        if let Some(scale) = &self.scalefactor {
            match scale.parse() {
                Ok(whole) => told.scale = Some(whole),
                // A label tells cells apart, as a scale does.
                Err(_) => {
                    told.labels.insert("scalefactor".to_owned(), format!("scale {scale}"));
                }
            }
        }
        let aborted = match &self.final_state {
            Some(state) if state != ENDED => Some(format!("BenchBase ended in the state {state}")),
            _ => None,
        };
        RunFigures {
            line: 1,
            target: None,
            workload: self.benchmark.clone(),
            clients: self.terminals.as_ref().and_then(|terminals| terminals.parse().ok()),
            server_version: self.database_version.as_deref().and_then(version_of_server),
            started_s: self.started_ms.map(|ms| ms as f64 / 1e3),
            aborted,
            told,
        }
    }
}

impl LatencyDistribution {
    fn told_latency(&self) -> ToldLatency {
        let mut percentiles_ns = BTreeMap::new();
        for (name, figure) in [
            ("p25", self.p25),
            ("p50", self.p50),
            ("p75", self.p75),
            ("p90", self.p90),
            ("p95", self.p95),
            ("p99", self.p99),
        ] {
            if let Some(ns) = measured_ns(figure) {
                percentiles_ns.insert(name.to_owned(), ns);
            }
        }
        let spread = LatencySpread {
            stddev_ns: None,
            min_ns: measured_ns(self.minimum),
            max_ns: measured_ns(self.maximum),
            percentiles_ns,
        };
        ToldLatency::with_spread(measured_ns(self.mean), spread)
    }
}

/// Nanoseconds of a latency in microseconds; none of one that was not measured.
fn measured_ns(microseconds: Option<f64>) -> Option<f64> {
    let microseconds = microseconds?;
    if microseconds < 0.0 { None } else { Some(microseconds * 1e3) }
}

/// `14.2` of what `version()` says, `PostgreSQL 14.2 on aarch64-unknown-linux-musl, …`.
fn version_of_server(text: &str) -> Option<String> {
    let version = text.strip_prefix("PostgreSQL ")?.split(' ').next()?;
    if version.starts_with(|c: char| c.is_ascii_digit()) { Some(version.to_owned()) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the documentation of BenchBase for Aurora DSQL prints it.
    const SUMMARY: &str = include_str!("../../tests/fixtures/benchbase-tpcc.summary.json");

    /// What a run of March 2022 wrote.
    const OLD: &str = r#"{
 "scalefactor": "1",
 "Current Timestamp (milliseconds)": 1646241382921,
 "Benchmark Type": "tpcc",
 "isolation": "TRANSACTION_SERIALIZABLE",
 "DBMS Version": "PostgreSQL 14.2 on aarch64-unknown-linux-musl, compiled by gcc, 64-bit",
 "Goodput (requests/second)": 33.31620875370126,
 "terminals": "1",
 "DBMS Type": "POSTGRES",
 "Latency Distribution": {
  "95th Percentile Latency (microseconds)": 51237,
  "Maximum Latency (microseconds)": 76220,
  "Median Latency (microseconds)": 28860,
  "Minimum Latency (microseconds)": 1904,
  "25th Percentile Latency (microseconds)": 24138,
  "90th Percentile Latency (microseconds)": 42043,
  "99th Percentile Latency (microseconds)": 60269,
  "75th Percentile Latency (microseconds)": 37324,
  "Average Latency (microseconds)": 29874
 },
 "Throughput (requests/second)": 33.4328738168708
}
"#;

    fn only_run(text: &str) -> (RunFigures, Vec<String>) {
        assert!(BenchbaseSummary.is_format_of(text), "{text}");
        let figures = BenchbaseSummary.read_figures(text).expect(text);
        assert_eq!(figures.runs.len(), 1);
        (figures.runs[0].clone(), figures.notes)
    }

    #[test]
    fn every_figure_of_a_summary_is_read_with_its_unit() {
        let (run, notes) = only_run(SUMMARY);
        assert_eq!((run.workload.as_deref(), run.clients, run.told.scale), (Some("tpcc"), Some(4), Some(1)));
        assert_eq!(run.told.throughput_per_s, Some(3.349_995_356_515_603));
        assert_eq!(run.told.figures["goodput (requests/second)"], 3.299_995_425_821_340_4);
        // 201 requests in 60.000083167 s are 3.3499953… per second.
        assert_eq!((run.told.transactions, run.told.duration_s), (Some(201), Some(60.000_083_167)));
        assert_eq!(run.started_s, Some(1_731_548_786.702));
        let latency = &run.told.latency;
        assert_eq!((latency.mean_ns, latency.min_ns), (Some(1_185_045e3), Some(218_524e3)));
        assert_eq!((latency.max_ns, latency.stddev_ns), (Some(8_337_726e3), None));
        let percentiles: Vec<(&str, f64)> = latency.percentiles_ns.iter().map(|(n, ns)| (n.as_str(), *ns)).collect();
        let expected = [
            ("p25", 456_543e3),
            ("p50", 1_066_925e3),
            ("p75", 1_747_994e3),
            ("p90", 2_085_734e3),
            ("p95", 2_176_054e3),
            ("p99", 3_827_992e3),
        ];
        assert_eq!(percentiles, expected);
        assert_eq!((run.told.failed, run.server_version, run.aborted), (None, None, None));
        assert!(notes.iter().any(|note| note.contains("AURORADSQL")), "{notes:?}");
    }

    #[test]
    fn an_older_summary_tells_the_version_and_neither_time_nor_requests() {
        let (run, notes) = only_run(OLD);
        assert_eq!(run.server_version.as_deref(), Some("14.2"));
        assert_eq!(run.told.labels["isolation"], "TRANSACTION_SERIALIZABLE");
        assert_eq!((run.told.duration_s, run.told.transactions, run.started_s), (None, None, None));
        assert_eq!(notes.len(), 1, "{notes:?}");
    }

    #[test]
    fn what_was_not_measured_is_absent_and_a_run_that_did_not_exit_has_failed() {
        let text = SUMMARY.replace("\"EXIT\"", "\"ERROR\"").replace("1185045", "-1");
        let (run, _) = only_run(&text);
        assert_eq!(run.aborted.as_deref(), Some("BenchBase ended in the state ERROR"));
        assert_eq!(run.told.latency.mean_ns, None);
        let (run, _) = only_run(&SUMMARY.replace("\"scalefactor\": \"1\"", "\"scalefactor\": \"0.1\""));
        assert_eq!((run.told.scale, run.told.labels["scalefactor"].as_str()), (None, "scale 0.1"));
    }

    #[test]
    fn a_truncated_summary_is_an_error_with_its_line() {
        let cut = &SUMMARY[..SUMMARY.find("\"Goodput").expect("there")];
        assert_eq!(BenchbaseSummary.read_figures(cut).expect_err("cut").line, 25);
    }
}
