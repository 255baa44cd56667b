//! pgbench's output and log as the summary of a run of the engine.

use super::Tool;
use super::log::TransactionRecords;
use crate::external::error::ExternalError;
use crate::external::measured::UnavailableFigure;
use crate::external::summary::ToolSummary;
use crate::job::EngineJob;
use crate::report::Summary;
use outputs::pgbench::{Connecting, PgbenchExtent, PgbenchReport};
use std::collections::BTreeMap;
use std::time::SystemTime;
use wire::SqlState;

/// What pgbench cannot tell of a job.
pub(super) fn missing_from_pgbench(job: &EngineJob) -> Vec<UnavailableFigure> {
    let always = [
        UnavailableFigure::Engine,
        UnavailableFigure::Outages,
        UnavailableFigure::Unfinished,
        UnavailableFigure::LatencyBySecond,
    ];
    let of_open_loop = job.pace.is_open().then_some(UnavailableFigure::LagByCause);
    always.into_iter().chain(of_open_loop).collect()
}

/// The summary of a run that began `start_ns` after `started_at`. Its throughput is the one that pgbench prints.
pub(super) fn pgbench_summary(
    report: &PgbenchReport,
    log: TransactionRecords,
    started_at: SystemTime,
    start_ns: u64,
) -> Result<Summary, ExternalError> {
    let logged: u64 = log.scripts.iter().map(|script| script.latency.count()).sum();
    if logged != report.processed {
        return Err(ExternalError::Disagrees { tool: Tool::Pgbench, logged, printed: report.processed });
    }
    let connection_ns = match report.connecting {
        Some(Connecting::Initially(ms)) => (ms * 1e6) as u64,
        // Part of every transaction.
        Some(Connecting::EachTime(_)) | None => 0,
    };
    // Not the time that it was to run but the time that its transactions took, on which its throughput rests.
    let measure_ns = match (report.tps, report.extent) {
        (Some(tps), _) if tps > 0.0 => (report.processed as f64 / tps * 1e9) as u64,
        (_, PgbenchExtent::Seconds(seconds)) => u64::from(seconds) * 1_000_000_000,
        (_, PgbenchExtent::Transactions { .. }) => 0,
    };
    let told = ToolSummary {
        tool: Tool::Pgbench,
        clients: report.clients,
        threads: report.threads,
        started_at,
        start_ns,
        connection_ns,
        measure_ns,
        errors: errors_by_sqlstate(&log),
        scripts: log.scripts,
        open: log.open,
    };
    Ok(told.into_summary())
}

/// pgbench tells two kinds of failure apart, without the server's words.
fn errors_by_sqlstate(log: &TransactionRecords) -> BTreeMap<SqlState, u64> {
    let kinds = [(SqlState::SERIALIZATION_FAILURE, log.serialization), (SqlState::DEADLOCK_DETECTED, log.deadlock)];
    kinds.into_iter().filter(|(_, count)| *count > 0).collect()
}
