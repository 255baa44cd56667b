//! `statement-latency.json`: how long each statement of a trial's workload took its clients in the measurement phase.
//! What the server says of statements is in `statements.json`.

use serde::{Deserialize, Serialize};

use crate::trial::LatencySummary;

/// The newest format of `statement-latency.json`.
pub const FORMAT: u32 = 1;

/// The statements of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementLatencies {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Each in the place of its [number](crate::workload::StatementNumber), also those that were never executed.
    pub statements: Vec<StatementLatency>,
}

/// What ended in the measurement phase of one statement, also in transactions that failed later or had not ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementLatency {
    /// How often it was executed and succeeded.
    pub executions: u64,
    /// Transactions that failed with it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u64,
    /// Tries of a transaction that failed with it and were followed by another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retried: u64,
    /// How long the executions took: from the end of what the transaction waited for before, in a pipeline from when
    /// that was sent, to the complete answer. Percentiles have two significant digits; absent when there was none.
    pub latency: Option<LatencySummary>,
}

impl StatementLatency {
    /// What all its executions took together, in nanoseconds.
    #[must_use]
    pub fn all_ns(&self) -> f64 {
        self.latency.map_or(0.0, |latency| latency.mean_ns) * self.executions as f64
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}
