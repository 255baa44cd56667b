//! The rules, one file each. A rule looks over whole trials, never at one second; its thresholds are constants with
//! their reason. A healthy run has no finding.

mod another_function;
mod another_plan;
mod archiver_behind;
mod autovacuum_interference;
mod bandwidth_bound;
mod bloat;
mod buffers_too_few;
mod cache_misses;
mod checkpoint_stalls;
mod checkpoints_forced;
mod commit_flush;
mod connection_churn;
mod cpu_saturated;
mod cpu_stolen;
mod cpu_throttled;
mod dearer_writes;
mod disk_limit;
mod disk_looks_capped;
mod full_page_writes;
mod generator_bound;
mod generic_plan;
mod jit;
mod lightweight_locks;
mod locked_by_another;
mod logging;
mod made_otherwise;
mod memory_stall;
mod network_bound;
mod noisy_neighbour;
mod other_sessions;
mod packet_loss;
mod parallel_workers;
mod pooler_queue;
mod row_locks;
mod rows_read;
mod sequence_cache;
mod settings_not_applied;
mod stale_statistics;
mod sync_replication;
mod temp_file_spill;
mod throughput_collapse;
mod too_many_connections;
mod vacuum_held_back;
mod wal_zero_fill;
mod writeback_stall;

use super::rule::Rule;

/// The rule whose finding has one of the others for its cause, as a rule.
pub(super) const SYMPTOM: &Rule = &throughput_collapse::RULE;

/// Every rule, in the order of the documentation: what causes another is before it.
pub const ALL: &[&Rule] = &[
    &network_bound::RULE,
    &bandwidth_bound::RULE,
    &packet_loss::RULE,
    &generator_bound::RULE,
    &connection_churn::RULE,
    &pooler_queue::RULE,
    &cpu_throttled::RULE,
    &too_many_connections::RULE,
    &cpu_saturated::RULE,
    &cpu_stolen::RULE,
    &noisy_neighbour::RULE,
    &other_sessions::RULE,
    &memory_stall::RULE,
    &generic_plan::RULE,
    &stale_statistics::RULE,
    &jit::RULE,
    &bloat::RULE,
    &parallel_workers::RULE,
    &logging::RULE,
    &rows_read::RULE,
    &another_plan::RULE,
    &dearer_writes::RULE,
    &another_function::RULE,
    &made_otherwise::RULE,
    &sequence_cache::RULE,
    &disk_limit::RULE,
    &disk_looks_capped::RULE,
    &cache_misses::RULE,
    &buffers_too_few::RULE,
    &writeback_stall::RULE,
    &locked_by_another::RULE,
    &row_locks::RULE,
    &lightweight_locks::RULE,
    &checkpoints_forced::RULE,
    &checkpoint_stalls::RULE,
    &full_page_writes::RULE,
    &archiver_behind::RULE,
    &wal_zero_fill::RULE,
    &commit_flush::RULE,
    &sync_replication::RULE,
    &vacuum_held_back::RULE,
    &autovacuum_interference::RULE,
    &temp_file_spill::RULE,
    &settings_not_applied::RULE,
    &throughput_collapse::RULE,
];
