//! The table of checks: one file each. Among rules that undermine equally much the order
//! here decides which is named first.

mod aborted;
mod arithmetic_of_storage;
mod caps;
mod checkpoints;
mod client_bound;
mod commit_path;
mod contention;
mod duration;
mod in_flight_of_storage;
mod littles_law;
mod more_per_client;
mod one_shot;
mod peaks;
mod placement;
mod repetitions;
mod round_trips;
mod same_disk;
mod saturation;
mod silent_fallback;
mod size_against_memory;
mod unlike_sides;

use super::material::Material;
use super::outcome::Outcome;

/// One rule.
#[derive(Debug)]
pub struct Check {
    /// Its name, for references and for machines.
    pub id: &'static str,
    /// The rule, as one sentence without a period.
    pub rule: &'static str,
    /// What it finds in an account.
    pub judge: fn(&Material) -> Outcome,
}

/// Every check.
pub const CHECKS: &[Check] = &[
    round_trips::CHECK,
    saturation::CHECK,
    in_flight_of_storage::CHECK,
    unlike_sides::CHECK,
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
    repetitions::CHECK,
    arithmetic_of_storage::CHECK,
    duration::CHECK,
];
