//! Progress of sysbench for people who watch any generator.

use crate::external::measured::ToolProgress;
use crate::report::LoadPhase;
use outputs::sysbench::IntervalLine;

/// What an intermediate report says of one interval.
pub(super) fn progress_of_interval(line: &IntervalLine, phase: LoadPhase, index: u32) -> ToolProgress {
    let (percentile, latency_ms) = line.latency_ms;
    ToolProgress {
        phase,
        index,
        tps: line.tps,
        latency_mean_ms: None,
        latency_stddev_ms: None,
        latency_percentile_ms: (percentile > 0 && line.tps > 0.0).then_some((f64::from(percentile), latency_ms)),
        failed: Some(line.errors),
        lag_mean_ms: None,
        skipped: None,
    }
}
