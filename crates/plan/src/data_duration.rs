//! How long it takes to create the data of a plan, and to bring the caches of a trial to their state: from sizes, and
//! from rates of an idle machine. Every time is a range, since disks and neighbours differ.

use std::iter::Sum;
use std::ops::{Add, Mul};
use std::time::Duration;

use super::cache::Cache;
use super::model::Plan;
use super::target::Target;

/// Stopping a server in order and starting it again.
pub(super) const RESTART: Duration = Duration::from_secs(2);

/// How many times longer data take on a busy machine than on an idle one: 4.1 times were measured with seven runnable
/// processes for each CPU.
pub(super) const SLOWER_AT_MOST: u32 = 5;

/// How often a byte of the data is written: to its table or index, and to the WAL.
pub(super) const WRITTEN_TIMES: u64 = 2;

/// What a slow disk writes per second, where neither the plan nor a limit says what this one does, in MiB.
pub(super) const SLOW_DISK_MIB_PER_S: u64 = 50;

/// Passes over all data that a warm cache takes at least: the second one shows that the first was enough.
const WARM_PASSES: u64 = 2;

/// What a pass reads per second, in MiB: from the kernel's cache, and from a slow disk.
pub(super) const WARM_MIB_PER_S: [u64; 2] = [1_500, 100];

/// A pass that has begun is cut off after this, and no other begins.
const WARM_AT_MOST: Duration = Duration::from_secs(240);

/// What is evicted from the kernel's cache per second, in MiB.
const EVICTED_MIB_PER_S: u64 = 4_000;

/// A time that is known between two ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DurationRange {
    /// On an idle machine with a fast disk.
    pub least: Duration,
    /// On a busy machine with a slow disk.
    pub most: Duration,
}

impl DurationRange {
    /// A time that is the same everywhere.
    pub(super) fn of_known_time(duration: Duration) -> Self {
        Self { least: duration, most: duration }
    }
}

impl Add for DurationRange {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { least: self.least + other.least, most: self.most + other.most }
    }
}

impl Mul<u32> for DurationRange {
    type Output = Self;

    fn mul(self, times: u32) -> Self {
        Self { least: self.least * times, most: self.most * times }
    }
}

impl Sum for DurationRange {
    fn sum<I: Iterator<Item = Self>>(each: I) -> Self {
        each.fold(Self::default(), Add::add)
    }
}

/// The time for so many MiB at so many per second.
fn time_for_mib(mib: u64, mib_per_s: u64) -> Duration {
    Duration::from_millis(mib.saturating_mul(1000) / mib_per_s.max(1))
}

impl Plan {
    /// How long creating the data of one server takes, if they are not there.
    pub(super) fn duration_of_data(&self, target: &Target) -> DurationRange {
        let disk_mib_per_s = self.disk_mib_per_s(target).unwrap_or(SLOW_DISK_MIB_PER_S);
        let mut all = DurationRange::default();
        for tables in self.managed_tables() {
            for data in &tables.data_sets {
                let made = time_for_mib(data.mib, data.kind.mib_per_s());
                let written = time_for_mib(data.mib * WRITTEN_TIMES, disk_mib_per_s);
                let least = match self.disk_mib_per_s(target) {
                    Some(_) => made.max(written),
                    None => made,
                };
                all = all + DurationRange { least, most: (made * SLOWER_AT_MOST).max(written).max(least) };
            }
        }
        all
    }

    /// What the disk of a target is said to write per second, in MiB.
    pub(super) fn disk_mib_per_s(&self, target: &Target) -> Option<u64> {
        let of_plan = self.disk.as_ref().and_then(|disk| disk.declared.bandwidth);
        let declared = target.disk.declared.bandwidth.or(of_plan)?;
        Some((declared.bytes_per_s() >> 20).max(1))
    }

    /// How long the caches of a target take before a trial of all workloads in this state.
    pub(super) fn duration_of_cache(&self, target: &Target, cache: Cache) -> DurationRange {
        let mib: u64 = self.managed_tables().iter().map(|tables| tables.mib).sum();
        match cache {
            Cache::AsIs => DurationRange::default(),
            Cache::Warm => {
                let [least, most] = WARM_MIB_PER_S.map(|rate| time_for_mib(mib * WARM_PASSES, rate).min(WARM_AT_MOST));
                DurationRange { least, most }
            }
            Cache::Cold => {
                let restart = if target.reach.as_local().is_some() { RESTART } else { RESTART * 2 };
                let least = restart + time_for_mib(mib, EVICTED_MIB_PER_S);
                DurationRange { least, most: least * SLOWER_AT_MOST }
            }
        }
    }
}
