//! Progress of sysbench for people who watch any generator.

use crate::external::measured::Progress;
use crate::report::Phase;
use outputs::sysbench::IntervalLine;

/// What an intermediate report says of one interval.
pub(super) fn progress_of_interval(line: &IntervalLine, phase: Phase, index: u32) -> Progress {
    let (percentile, latency_ms) = line.latency_ms;
    Progress {
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
