//! The table of checks: one file each. Among rules that undermine equally much the order
//! here decides which is named first.

mod aborted;
mod arithmetic_of_changes;
mod arithmetic_of_storage;
mod as_stated;
mod asked;
mod caps;
mod checkpoints;
mod client_bound;
mod commit_path;
mod contention;
mod drift;
mod duration;
mod in_flight_of_storage;
mod latency_order;
mod littles_law;
mod more_per_client;
mod one_shot;
mod peaks;
mod placement;
mod repetitions;
mod round_trips;
mod same_disk;
mod same_jobs;
mod same_work;
mod saturation;
mod silent_fallback;
mod size_against_memory;
mod unlike_sides;

use super::material::Material;
use super::outcome::CheckResult;

/// One rule.
#[derive(Debug)]
pub struct Check {
    /// Its name, for references and for machines.
    pub id: &'static str,
    /// The rule, as one sentence without a period.
    pub rule: &'static str,
    /// What it looks at.
    about: About,
    /// What it finds in an account that has some of it.
    judge: fn(&Material) -> CheckResult,
}

/// What a rule is about: of an account that has none of it, the rule says nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    /// Trials of a database.
    Transactions,
    /// Jobs on disks.
    Storage,
    /// What is compared, whatever was measured of it.
    Sides,
}

impl Check {
    /// What it finds in an account.
    pub fn outcome(&self, material: &Material) -> CheckResult {
        let has_storage =
            !(material.stages.is_empty() && material.beyond_disk.is_empty() && material.failed_jobs.is_empty());
        match self.about {
            About::Transactions if material.trials.is_empty() => {
                CheckResult::cannot_tell("throughput and latency of transactions: none was measured", vec![])
            }
            About::Storage if !has_storage => {
                CheckResult::cannot_tell("IOPS, bandwidth and latency of storage jobs: no disk was measured", vec![])
            }
            About::Transactions | About::Storage | About::Sides => (self.judge)(material),
        }
    }
}

/// Every check.
pub const CHECKS: &[Check] = &[
    round_trips::CHECK,
    saturation::CHECK,
    in_flight_of_storage::CHECK,
    unlike_sides::CHECK,
    same_work::CHECK,
    same_jobs::CHECK,
    contention::CHECK,
    client_bound::CHECK,
    placement::CHECK,
    silent_fallback::CHECK,
    more_per_client::CHECK,
    size_against_memory::CHECK,
    same_disk::CHECK,
    caps::CHECK,
    commit_path::CHECK,
    one_shot::CHECK,
    peaks::CHECK,
    aborted::CHECK,
    checkpoints::CHECK,
    littles_law::CHECK,
    latency_order::CHECK,
    repetitions::CHECK,
    drift::CHECK,
    arithmetic_of_changes::CHECK,
    arithmetic_of_storage::CHECK,
    duration::CHECK,
    as_stated::CHECK,
];
