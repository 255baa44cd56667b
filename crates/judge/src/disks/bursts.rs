//! Bursts: a stage that begins faster than it goes on, because an allowance runs out (a token bucket, a write cache).

use stats::Estimate;
use stats::batch_means::within_trial;
use stats::fall::find_fall;

use super::figures::{total_rates, unit_for_block_size};
use super::{DiskUnit, ObservedStage};

/// A rate must fall to this share at most, or it is no other regime.
const FELL_TO: f64 = 0.8;

/// So much of the stage must have been seen after the fall, or it may have been a pause at its end.
const SEEN_AFTER: f64 = 0.2;

/// A rate that fell and stayed down.
#[derive(Debug, Clone, PartialEq)]
pub struct Burst {
    /// The stage.
    pub stage: String,
    /// Number of the first entry of the series after the fall.
    pub entry: usize,
    /// When it fell, in seconds since the stage's start.
    pub at_s: f64,
    /// What the rates are.
    pub unit: DiskUnit,
    /// The rate before.
    pub burst: f64,
    /// The rate after, with its interval within this stage; absent when too little of it was seen.
    pub base: Option<Estimate>,
    /// The same without an interval.
    pub base_rate: f64,
    /// What the allowance held at the stage's start, in requests or bytes: (burst − base) × time, since a bucket that
    /// is filled at the base rate and emptied at the burst rate lasts that long.
    pub credit: f64,
}

/// The burst of a stage, if it has one.
pub(super) fn find_burst(observed: &ObservedStage) -> Option<Burst> {
    let block = observed.stage.groups.first().and_then(|group| group.block_bytes);
    let unit = unit_for_block_size(block);
    let series = total_rates(&observed.seconds, unit)?;
    let found = find_fall(&series, FELL_TO)
        .filter(|found| (series.len() - found.at) as f64 >= SEEN_AFTER * series.len() as f64)?;
    let at_s = observed.seconds[found.at - 1].end_ms as f64 / 1e3;
    Some(Burst {
        stage: observed.stage.name.clone(),
        entry: found.at,
        at_s,
        unit,
        burst: found.before,
        base: within_trial(&series[found.at..]).map(|within| within.mean),
        base_rate: found.after,
        credit: (found.before - found.after) * at_s,
    })
}
