//! sysbench's output as the summary of a run of the engine.

use super::{SysbenchJob, Tool};
use crate::external::measured::UnavailableFigure;
use crate::external::summary::ToolSummary;
use crate::report::{ScriptTotal, StatementCounts, Summary};
use outputs::sysbench::SysbenchReport;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// What sysbench cannot tell.
pub(super) const MISSING: [UnavailableFigure; 7] = [
    UnavailableFigure::Engine,
    UnavailableFigure::Outages,
    UnavailableFigure::Unfinished,
    UnavailableFigure::LatencyBySecond,
    UnavailableFigure::ExactLatency,
    UnavailableFigure::ExactMean,
    UnavailableFigure::FailuresByCode,
];

/// The summary of a run that began `start_ns` after `started_at`. Its throughput is the one that sysbench prints;
/// ignored errors are failed transactions.
pub(super) fn sysbench_summary(
    job: &SysbenchJob,
    report: &SysbenchReport,
    started_at: SystemTime,
    start_ns: u64,
) -> Summary {
    let mut script = ScriptTotal::new(job.script.clone());
    script.failed = report.ignored_errors.count;
    let [reads, writes, others, _] = report.queries;
    script.statements = StatementCounts { reads, writes, others };
    for bucket in report.histogram.iter().flat_map(|histogram| &histogram.buckets) {
        script.latency.record_many((bucket.latency_ms * 1e6) as u64, bucket.count);
    }
    let told = ToolSummary {
        tool: Tool::Sysbench,
        clients: job.threads.get(),
        threads: job.threads.get(),
        started_at,
        start_ns,
        connection_ns: 0,
        measure_ns: (report.total_s * 1e9) as u64,
        scripts: vec![script],
        errors: BTreeMap::new(),
        open: None,
    };
    told.into_summary()
}
