//! Progress of pgbench for people who watch any generator.

use crate::external::measured::ToolProgress;
use crate::report::LoadPhase;
use outputs::pgbench::ProgressLine;

/// What a progress line says of one interval.
pub(super) fn progress_of_line(line: &ProgressLine, phase: LoadPhase, index: u32) -> ToolProgress {
    // Where nothing was processed pgbench prints zeros, which are no latency.
    let has_latency = line.tps > 0.0;
    ToolProgress {
        phase,
        index,
        tps: line.tps,
        latency_mean_ms: Some(line.latency_ms).filter(|ms| has_latency && ms.is_finite()),
        latency_stddev_ms: Some(line.stddev_ms).filter(|ms| has_latency && ms.is_finite()),
        latency_percentile_ms: None,
        failed: line.failed.map(|failed| failed as f64),
        lag_mean_ms: line.lag_ms.filter(|_| has_latency),
        skipped: line.skipped,
    }
}
