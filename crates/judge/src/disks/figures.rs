//! The figures of one stage: fio's own over the whole time, and steady rates with intervals from the series.

use results::disk::{DiskFlow, DiskLatency, DiskSecond, StageOutcome};
use stats::Estimate;
use stats::batch_means::within_trial;

use super::{DiskUnit, ObservedStage};

/// From this size on, a request is of the kind that bandwidth limits.
const LARGE_BLOCK_BYTES: u64 = 128 << 10;

/// What one stage measured.
#[derive(Debug, Clone)]
pub struct StageFigures {
    /// Its name.
    pub name: String,
    /// Why it does not count; absent when it ended as it should.
    pub failed: Option<String>,
    /// fio's `rw`; absent when untold, or when there are several jobs that are no clones.
    pub pattern: Option<String>,
    /// Size of a request, as far as all jobs have the same.
    pub block_bytes: Option<u64>,
    /// Whether the page cache was passed by.
    pub direct: Option<bool>,
    /// Requests of one job in flight.
    pub depth: u32,
    /// Jobs at the same time.
    pub jobs: u32,
    /// Whether writes are followed by fdatasync or fsync.
    pub synced: bool,
    /// Requests per second over the whole time.
    pub iops: f64,
    /// Bytes per second over the whole time.
    pub bytes_per_s: f64,
    /// Requests per second in the long run (after a burst), within this stage only;
    /// absent when the series is too short.
    pub steady_iops: Option<Estimate>,
    /// Bytes per second in the long run.
    pub steady_bytes_per_s: Option<Estimate>,
    /// Latency of reads, or of writes where nothing was read; of synced writes without the call that syncs.
    pub latency: Option<DiskLatency>,
    /// Latency of the calls that sync.
    pub sync_latency: Option<DiskLatency>,
    /// The largest share of the time that a device below was busy.
    pub utilisation: Option<f64>,
}

impl StageFigures {
    /// The figures of a stage whose long run begins at this entry of its series.
    pub(super) fn from_stage(observed: &ObservedStage, base_from: usize) -> Self {
        let stage = &observed.stage;
        let groups = &stage.groups;
        let sum = |read: fn(&DiskFlow) -> f64| {
            groups.iter().flat_map(|group| [&group.read, &group.write]).flatten().map(read).sum()
        };
        let first = groups.first();
        let steady = |unit| {
            let rates = total_rates(&observed.seconds[base_from.min(observed.seconds.len())..], unit)?;
            within_trial(&rates).map(|within| within.mean)
        };
        Self {
            name: stage.name.clone(),
            failed: failure_reason(&stage.outcome),
            pattern: first
                .filter(|first| {
                    groups.iter().all(|group| (&group.name, &group.pattern) == (&first.name, &first.pattern))
                })
                .and_then(|group| group.pattern.clone()),
            block_bytes: first
                .and_then(|group| group.block_bytes)
                .filter(|bytes| groups.iter().all(|group| group.block_bytes == Some(*bytes))),
            direct: first.and_then(|group| group.direct),
            depth: groups.iter().map(|group| group.depth).max().unwrap_or(0),
            jobs: groups.iter().map(|group| group.jobs).sum(),
            synced: groups.iter().any(|group| group.sync_every.is_some() || group.sync.is_some()),
            iops: sum(|flow| flow.operations_per_s),
            bytes_per_s: sum(|flow| flow.bytes_per_s),
            steady_iops: steady(DiskUnit::Iops),
            steady_bytes_per_s: steady(DiskUnit::Bandwidth),
            latency: first.and_then(|group| group.read.as_ref().or(group.write.as_ref())?.latency.clone()),
            sync_latency: first.and_then(|group| group.sync.as_ref()?.latency.clone()),
            utilisation: stage.devices.iter().filter_map(|device| device.utilisation).reduce(f64::max),
        }
    }

    /// Which limit its requests are likely to meet.
    pub fn limiting_unit(&self) -> DiskUnit {
        unit_for_block_size(self.block_bytes)
    }

    /// Requests per second in the long run, else over the whole time.
    pub fn base_iops(&self) -> f64 {
        self.steady_iops.map_or(self.iops, |steady| steady.point)
    }

    /// Bytes per second in the long run, else over the whole time.
    pub fn base_bytes_per_s(&self) -> f64 {
        self.steady_bytes_per_s.map_or(self.bytes_per_s, |steady| steady.point)
    }
}

/// The limit that requests of this size are likely to meet.
pub(super) fn unit_for_block_size(block_bytes: Option<u64>) -> DiskUnit {
    if block_bytes.is_some_and(|bytes| bytes >= LARGE_BLOCK_BYTES) { DiskUnit::Bandwidth } else { DiskUnit::Iops }
}

fn failure_reason(outcome: &StageOutcome) -> Option<String> {
    match outcome {
        StageOutcome::Completed => None,
        StageOutcome::Interrupted => Some("interrupted".to_owned()),
        StageOutcome::Failed { error } => Some(error.clone()),
        StageOutcome::NotMeasured { why } => Some(format!("not measured: {why}")),
    }
}

/// Reads and writes together, entry by entry; none where a log is missing.
pub(super) fn total_rates(seconds: &[DiskSecond], unit: DiskUnit) -> Option<Vec<f64>> {
    seconds
        .iter()
        .map(|second| {
            let parts = [second.read, second.write];
            parts
                .iter()
                .flatten()
                .map(|rate| match unit {
                    DiskUnit::Iops => rate.operations_per_s,
                    DiskUnit::Bandwidth => rate.bytes_per_s,
                })
                .sum::<Option<f64>>()
        })
        .collect()
}
