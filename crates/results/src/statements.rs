//! `statements.json`: what `pg_stat_statements` counted during the measurement phase of a trial, for the statements
//! that took the most time. Only of the database that the load runs in; texts as the server normalised them, with what
//! still looks like a literal left out.

use serde::{Deserialize, Serialize};

/// The newest format of `statements.json`.
pub const FORMAT: u32 = 1;

/// The statements of one trial, those that took the most time first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialStatements {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why there are none, or why they do not cover all of the measurement phase.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Time between the two snapshots in microseconds.
    pub over_us: u64,
    /// Executions of all statements together, listed or not.
    pub calls: u64,
    /// Execution time of all statements together in microseconds.
    pub total_us: f64,
    /// Time that all statements together took to be compiled (JIT), in microseconds, within the execution time for the
    /// most part; absent before version 15 of the server and in runs of before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jit_us: Option<f64>,
    /// The statements.
    pub statements: Vec<StatementIncreases>,
}

/// What one statement did. All figures are increases over the measurement phase;
/// top-level and nested executions together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementIncreases {
    /// The server's identifier of its normalised form, as in `activity.jsonl`.
    pub query_id: i64,
    /// Its normalised text, shortened; absent where the role may not see it.
    pub text: Option<String>,
    /// Whether a probe of pgdyno executed it, and not the load; false in runs of before it was written.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_pgdyno: bool,
    /// Executions.
    pub calls: u64,
    /// Execution time in microseconds.
    pub total_us: f64,
    /// Rows returned or affected.
    pub rows: u64,
    /// Blocks found in the buffer cache.
    pub blocks_hit: u64,
    /// Blocks read from outside it.
    pub blocks_read: u64,
    /// Blocks made dirty.
    pub blocks_dirtied: u64,
    /// Blocks of temporary files written.
    pub temp_blocks_written: u64,
    /// Bytes of WAL.
    pub wal_bytes: u64,
    /// Time that it took to be compiled (JIT), in microseconds, its parallel workers' included; absent as of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jit_us: Option<f64>,
    /// Executions by a plan for any values; absent before version 1.13 of the extension, which PostgreSQL 19 brings,
    /// and in runs of before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic_plan_calls: Option<u64>,
    /// Executions by a plan for the values that there were; absent as `generic_plan_calls` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub custom_plan_calls: Option<u64>,
}
