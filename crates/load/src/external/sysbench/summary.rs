//! sysbench's output as the summary of a run of the engine.

use super::{SysbenchJob, Tool};
use crate::external::measured::Missing;
use crate::external::summary::Told;
use crate::report::{ScriptTotal, Statements, Summary};
use outputs::sysbench::SysbenchReport;
use std::collections::BTreeMap;
use std::time::SystemTime;

/// What sysbench cannot tell.
pub(super) const MISSING: [Missing; 7] = [
    Missing::Engine,
    Missing::Outages,
    Missing::Unfinished,
    Missing::LatencyBySecond,
    Missing::ExactLatency,
    Missing::ExactMean,
    Missing::FailuresByCode,
];

/// The summary of a run that began `start_ns` after `started_at`. Its throughput is the one that sysbench prints;
/// ignored errors are failed transactions.
pub(super) fn summary(job: &SysbenchJob, report: &SysbenchReport, started_at: SystemTime, start_ns: u64) -> Summary {
    let mut script = ScriptTotal::new(job.script.clone());
    script.failed = report.ignored_errors.count;
    let [reads, writes, others, _] = report.queries;
    script.statements = Statements { reads, writes, others };
    for bucket in report.histogram.iter().flat_map(|histogram| &histogram.buckets) {
        script.latency.record_many((bucket.latency_ms * 1e6) as u64, bucket.count);
    }
    let told = Told {
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
    told.summary()
}
