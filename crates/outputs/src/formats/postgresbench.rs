//! Results of PostgresBench: a JSON file for each service and size, with the figures of several runs of pgbench.

use std::collections::BTreeMap;

use results::told::{LatencySpread, StatedCommon, StatedDetail, StatedFigures, ToldLatency};
use serde::Deserialize;

use super::unreadable_line;
use crate::output_format::{OutputFigures, OutputFormat, RunFigures, UnreadableLine};

/// The results of one service.
pub(super) struct PostgresBenchResults;

/// The keys by which a file is known.
const KEYS: [&str; 4] = ["\"system\"", "\"benchmark\"", "\"scale_factor\"", "\"query_mode\""];

#[derive(Deserialize)]
struct ResultsFile {
    system: String,
    machine: Option<String>,
    instance: Option<InstanceOfService>,
    postgres_version: Option<String>,
    benchmark: BenchmarkOptions,
    results: Vec<RunOfPgbench>,
}

/// What the service runs on.
#[derive(Deserialize)]
struct InstanceOfService {
    #[serde(rename = "type")]
    kind: Option<String>,
}

/// The options of pgbench.
#[derive(Deserialize)]
struct BenchmarkOptions {
    tool: Option<String>,
    workload: Option<String>,
    scale_factor: Option<u32>,
    clients: Option<u32>,
    threads: Option<u32>,
    duration: Option<f64>,
    query_mode: Option<String>,
}

/// The figures of one run.
#[derive(Deserialize)]
struct RunOfPgbench {
    tps: Option<f64>,
    transactions: Option<u64>,
    failed_transactions: Option<u64>,
    latency_avg_ms: Option<f64>,
    latency_stddev_ms: Option<f64>,
    latency_p95_ms: Option<f64>,
    latency_p99_ms: Option<f64>,
    initial_connection_time_ms: Option<f64>,
}

impl OutputFormat for PostgresBenchResults {
    fn program_name(&self) -> &'static str {
        "PostgresBench"
    }

    fn is_format_of(&self, head: &str) -> bool {
        head.trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t']).starts_with('{')
            && KEYS.iter().all(|key| head.contains(key))
    }

    fn read_figures(&self, text: &str) -> Result<OutputFigures, UnreadableLine> {
        let file: ResultsFile = serde_json::from_str(text).map_err(|error| unreadable_line(text, &error))?;
        let mut figures = OutputFigures::default();
        let instance = file.instance.as_ref().and_then(|instance| instance.kind.as_deref());
        let described: Vec<&str> = [file.machine.as_deref(), instance].into_iter().flatten().collect();
        if !described.is_empty() {
            figures.notes.push(format!("{} ran on {}, as it says", file.system, described.join(", ")));
        }
        figures.runs = file.results.iter().map(|run| file.run_figures(run)).collect();
        Ok(figures)
    }
}

impl ResultsFile {
    fn run_figures(&self, run: &RunOfPgbench) -> RunFigures {
        let asked = &self.benchmark;
        let script = asked.workload.as_deref().map(script_name);
        let common = StatedCommon {
            tool: asked.tool.clone(),
            script: script.clone(),
            // Services of several sizes have the same name and other figures.
            labels: self.machine.iter().map(|machine| ("machine".to_owned(), machine.clone())).collect(),
            scale: asked.scale_factor,
            query_mode: asked.query_mode.clone(),
            threads: asked.threads,
            connecting_ns: run.initial_connection_time_ms.map(|ms| ms * 1e6),
            ..StatedCommon::default()
        };
        let detail = StatedDetail {
            common: common.into(),
            duration_s_stated: asked.duration,
            failed: run.failed_transactions,
            ..StatedDetail::default()
        };
        let told = StatedFigures {
            detail: detail.into(),
            throughput_per_s: run.tps,
            transactions: run.transactions,
            latency: run.told_latency(),
        };
        RunFigures {
            line: 1,
            target: Some(self.system.clone()),
            workload: script,
            clients: asked.clients,
            server_version: self.postgres_version.clone(),
            started_s: None,
            aborted: None,
            told,
        }
    }
}

/// What pgbench calls a workload that the file describes: `tpcb-like` of `TPC-B (built-in)`.
fn script_name(workload: &str) -> String {
    if workload.to_lowercase().starts_with("tpc-b") { "tpcb-like".to_owned() } else { workload.to_owned() }
}

impl RunOfPgbench {
    fn told_latency(&self) -> ToldLatency {
        let in_ms = [self.latency_avg_ms, self.latency_stddev_ms, self.latency_p95_ms, self.latency_p99_ms];
        let [mean_ns, stddev_ns, p95_ns, p99_ns] = in_ms.map(|ms| ms.map(|ms| ms * 1e6));
        let mut percentiles_ns = BTreeMap::new();
        for (name, figure) in [("p95", p95_ns), ("p99", p99_ns)] {
            if let Some(figure) = figure {
                percentiles_ns.insert(name.to_owned(), figure);
            }
        }
        ToldLatency::with_spread(mean_ns, LatencySpread { stddev_ns, percentiles_ns, ..LatencySpread::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figures of examples/audits/postgresbench.csv in the form of the benchmark's files.
    const RESULTS: &str = include_str!("../../tests/fixtures/postgresbench-rds.json");

    #[test]
    fn every_figure_of_a_run_is_read_with_its_unit() {
        assert!(PostgresBenchResults.is_format_of(RESULTS));
        let figures = PostgresBenchResults.read_figures(RESULTS).expect("a file of PostgresBench");
        assert_eq!(figures.notes, ["AWS RDS ran on 16vCPU, 64GB RAM, db.m8gd.4xlarge, as it says"]);
        assert_eq!(figures.runs.len(), 3);
        let run = &figures.runs[1];
        assert_eq!(run.target.as_deref(), Some("AWS RDS"));
        assert_eq!((run.workload.as_deref(), run.clients), (Some("tpcb-like"), Some(256)));
        assert_eq!(run.server_version.as_deref(), Some("18.3"));
        let told = &run.told;
        assert_eq!((told.scale, told.threads, told.query_mode.as_deref()), (Some(6849), Some(16), Some("prepared")));
        assert_eq!(
            (told.throughput_per_s, told.transactions, told.failed),
            (Some(7_152.463_069), Some(4_286_033), Some(0))
        );
        assert_eq!((told.duration_s_stated, told.duration_s), (Some(600.0), None));
        assert_eq!((told.latency.mean_ns, told.latency.stddev_ns), (Some(35_749e3), Some(22_048e3)));
        assert_eq!((told.latency.percentiles_ns["p95"], told.latency.percentiles_ns["p99"]), (72_181e3, 91_093e3));
        assert_eq!(told.connecting_ns, Some(815_129e3));
    }

    #[test]
    fn a_file_that_ends_early_is_no_result() {
        let error = PostgresBenchResults.read_figures(&RESULTS[..RESULTS.len() / 2]).expect_err("half a file");
        assert!(error.line > 1 && error.problem.contains("EOF"), "{error}");
    }
}
