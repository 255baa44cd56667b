//! The table of checks: one file each. Among rules that undermine equally much the order
//! here decides which is named first.

mod asked;
mod branch_contention;
mod change_arithmetic;
mod claim_mismatch;
mod commit_path_unmeasured;
mod commit_without_sync;
mod concurrent_sides;
mod copied_figures;
mod cpu_of_host;
mod cpu_stolen;
mod data_size_mismatch;
mod disk_cap;
mod durability_off;
mod duration_mismatch;
mod ended_early;
mod failures_counted;
mod generator_bound;
mod incomplete_cells;
mod latency_order;
mod littles_law;
mod no_checkpoint;
mod no_repetition;
mod no_saturation;
mod noisy_neighbour;
mod offered_rate_as_result;
mod peak_not_reached;
mod percentile_support;
mod repetition_trend;
mod round_trips;
mod routes;
mod settings_not_applied;
mod shared_host;
mod smallest_latency_differs;
mod storage_arithmetic;
mod storage_class_mismatch;
mod storage_jobs_differ;
mod storage_limit_unmeasured;
mod storage_queue_depth;
mod superlinear_scaling;
mod table_contradicts_output;
mod undeclared_difference;
mod unsteady_throughput;
mod workload_differs;

use super::material::Material;
use super::outcome::CheckResult;
use crate::codes::Code;
pub(super) use concurrent_sides::overlaps_of_unknown_hosts;

/// One rule.
#[derive(Debug)]
pub struct Check {
    /// The code of what it finds.
    pub code: &'static Code,
    /// The rule, as one sentence without a period.
    pub rule: &'static str,
    /// What it looks at.
    about: RuleSubject,
    /// What it finds in an account that has some of it.
    judge: fn(&Material) -> CheckResult,
}

/// What a rule is about. It is not applied to an account that has none of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RuleSubject {
    /// Trials of a database.
    Transactions,
    /// Jobs on disks.
    Storage,
    /// Trials of a database, and tables of anything.
    TransactionsAndTables,
    /// Trials of a database beside jobs on disks.
    TransactionsAndStorage,
    /// What is compared, whatever was measured of it.
    Sides,
}

impl Check {
    /// Whether what it is about was measured.
    pub fn applies_to(&self, material: &Material) -> bool {
        let has_trials = !material.trials.is_empty();
        let has_storage =
            !(material.stages.is_empty() && material.beyond_disk.is_empty() && material.failed_jobs.is_empty());
        match self.about {
            RuleSubject::Transactions => has_trials,
            RuleSubject::Storage => has_storage,
            RuleSubject::TransactionsAndTables => has_trials || !material.computed.is_empty(),
            RuleSubject::TransactionsAndStorage => has_trials && has_storage,
            RuleSubject::Sides => true,
        }
    }

    /// What it finds in an account to which it applies.
    pub fn judge_material(&self, material: &Material) -> CheckResult {
        (self.judge)(material)
    }
}

/// The name of the check that is about what the server did: cells that ended early, and failed transactions.
pub const INCOMPLETE_CELLS: &str = incomplete_cells::CHECK.code.name;

/// Every check.
pub const CHECKS: &[Check] = &[
    round_trips::CHECK,
    smallest_latency_differs::CHECK,
    no_saturation::CHECK,
    storage_queue_depth::CHECK,
    undeclared_difference::CHECK,
    workload_differs::CHECK,
    storage_jobs_differ::CHECK,
    concurrent_sides::CHECK,
    branch_contention::CHECK,
    generator_bound::CHECK,
    shared_host::CHECK,
    cpu_stolen::CHECK,
    noisy_neighbour::CHECK,
    settings_not_applied::CHECK,
    superlinear_scaling::CHECK,
    data_size_mismatch::CHECK,
    storage_class_mismatch::CHECK,
    disk_cap::CHECK,
    storage_limit_unmeasured::CHECK,
    durability_off::CHECK,
    commit_path_unmeasured::CHECK,
    commit_without_sync::CHECK,
    no_repetition::CHECK,
    offered_rate_as_result::CHECK,
    peak_not_reached::CHECK,
    incomplete_cells::CHECK,
    failures_counted::CHECK,
    table_contradicts_output::CHECK,
    no_checkpoint::CHECK,
    littles_law::CHECK,
    copied_figures::CHECK,
    latency_order::CHECK,
    percentile_support::CHECK,
    repetition_trend::CHECK,
    unsteady_throughput::CHECK,
    change_arithmetic::CHECK,
    storage_arithmetic::CHECK,
    duration_mismatch::CHECK,
    claim_mismatch::CHECK,
];
