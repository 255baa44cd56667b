//! The rules, one file each. A rule looks over whole trials, never at one second; its thresholds are constants with
//! their reason. A healthy run has no finding.

mod archiver_lag;
mod autovacuum_interference;
mod bandwidth_bound;
mod bloat;
mod blocked_by_session;
mod cache_misses;
mod checkpoint_stalls;
mod checkpoints_forced;
mod commit_flush;
mod concurrent_workload;
mod connection_churn;
mod cost_per_transaction;
mod cpu_profile;
mod cpu_saturated;
mod cpu_stolen;
mod cpu_throttled;
mod disk_cap_suspected;
mod disk_limit;
mod encryption_differs;
mod excess_rows_read;
mod full_page_writes;
mod function_changed;
mod generator_bound;
mod generic_plan;
mod heap_fetches;
mod jit;
mod lightweight_locks;
mod logging;
mod memory_stall;
mod network_bound;
mod noisy_neighbour;
mod packet_loss;
mod parallel_workers;
mod plan_changed;
mod planning_time;
mod pooler_queue;
mod route_differs;
mod row_locks;
mod schema_differs;
mod sequence_cache;
mod server_process_advice;
mod server_process_differs;
mod settings_not_applied;
mod shared_buffers_undersized;
mod slower_node;
mod stale_statistics;
mod sync_replication;
mod table_definition_differs;
mod temp_file_spill;
mod throughput_collapse;
mod too_many_connections;
mod unexplained_difference;
mod vacuum_held_back;
mod wal_zero_fill;
mod write_overhead;
mod writeback_stall;

pub(super) use cost_per_transaction::{RULE as COST_PER_TRANSACTION, SHARE_THAT_EXPLAINS_COSTS, finding_of_costs};
pub(super) use cpu_throttled::RULE as CPU_THROTTLED;
#[cfg(test)]
pub(super) use function_changed::RULE as FUNCTION_CHANGED;
pub(super) use memory_stall::RULE as MEMORY_STALL;
pub(super) use route_differs::RULE as ROUTE_DIFFERS;
pub(super) use schema_differs::RULE as SCHEMA_DIFFERS;
#[cfg(test)]
pub(super) use table_definition_differs::RULE as TABLE_DEFINITION_DIFFERS;
pub(super) use table_definition_differs::{COLUMNS_LISTED, DefinitionDifference, definition_differences};
pub(super) use unexplained_difference::{RULE as UNEXPLAINED_DIFFERENCE, finding_of_left_over};

use super::rule::Rule;

/// The rule whose finding has one of the others for its cause, as a rule.
pub(super) const SYMPTOM: &Rule = &throughput_collapse::RULE;

/// The rule whose finding says where time went, and not why.
pub(super) const DESCRIPTION: &Rule = &cpu_profile::RULE;

/// Whether a rule concludes from a definition that only one side has, and from statements that surely take longer
/// there.
pub(super) fn is_by_elimination(rule: &Rule) -> bool {
    let all = [&function_changed::RULE, &schema_differs::RULE, &table_definition_differs::RULE, &write_overhead::RULE];
    all.iter().any(|other| other.code.name == rule.code.name)
}

/// Every rule, in the order of the documentation: what causes another is before it.
pub const ALL: &[&Rule] = &[
    &network_bound::RULE,
    &bandwidth_bound::RULE,
    &packet_loss::RULE,
    &generator_bound::RULE,
    &connection_churn::RULE,
    &pooler_queue::RULE,
    &encryption_differs::RULE,
    &route_differs::RULE,
    &cpu_throttled::RULE,
    &too_many_connections::RULE,
    &cpu_saturated::RULE,
    &cpu_stolen::RULE,
    &noisy_neighbour::RULE,
    &concurrent_workload::RULE,
    &server_process_differs::RULE,
    &memory_stall::RULE,
    &generic_plan::RULE,
    &stale_statistics::RULE,
    &jit::RULE,
    &planning_time::RULE,
    &heap_fetches::RULE,
    &bloat::RULE,
    &parallel_workers::RULE,
    &logging::RULE,
    &excess_rows_read::RULE,
    &plan_changed::RULE,
    &write_overhead::RULE,
    &function_changed::RULE,
    &table_definition_differs::RULE,
    &slower_node::RULE,
    &schema_differs::RULE,
    &sequence_cache::RULE,
    &disk_limit::RULE,
    &disk_cap_suspected::RULE,
    &cache_misses::RULE,
    &shared_buffers_undersized::RULE,
    &writeback_stall::RULE,
    &blocked_by_session::RULE,
    &row_locks::RULE,
    &lightweight_locks::RULE,
    &checkpoints_forced::RULE,
    &checkpoint_stalls::RULE,
    &full_page_writes::RULE,
    &archiver_lag::RULE,
    &wal_zero_fill::RULE,
    &commit_flush::RULE,
    &sync_replication::RULE,
    &vacuum_held_back::RULE,
    &autovacuum_interference::RULE,
    &temp_file_spill::RULE,
    &settings_not_applied::RULE,
    &throughput_collapse::RULE,
    &cost_per_transaction::RULE,
    &unexplained_difference::RULE,
    &cpu_profile::RULE,
];
