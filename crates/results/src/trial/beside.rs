//! What a load beside did while a trial was measured.

use serde::{Deserialize, Serialize};

use super::{LatencySummary, is_zero};

/// One load beside, over the measurement phase of a trial. Its executions are no transactions of the trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BesideTotals {
    /// Its name in the plan.
    pub name: String,
    /// What it does, as the key of the plan: `script`, `copy`, `vacuum`, `index_build`, `pg_basebackup`, `pg_dump` or
    /// `command`.
    pub kind: String,
    /// Clients that executed it at the same time.
    pub clients: u32,
    /// Length of the time that is counted, in microseconds.
    pub measure_us: u64,
    /// Executions that were completed in it, wherever they began.
    pub completed: u64,
    /// Executions that failed in it, not among `completed`.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub failed: u64,
    /// Executions that were under way at its end, and were given up.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unfinished: u64,
    /// Duration of the completed ones; absent when there was none. With a rate, from the scheduled start.
    pub latency: Option<LatencySummary>,
    /// Bytes that the completed ones wrote; absent where nobody counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// What the server or the program said first of an execution that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_error: Option<String>,
    /// Why it did not run to the end of the trial; absent when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl BesideTotals {
    /// One of which nothing is known but why.
    #[must_use]
    pub fn not_run(name: &str, kind: &str, clients: u32, why: String) -> Self {
        Self {
            name: name.to_owned(),
            kind: kind.to_owned(),
            clients,
            measure_us: 0,
            completed: 0,
            failed: 0,
            unfinished: 0,
            latency: None,
            bytes: None,
            first_error: None,
            error: Some(why),
        }
    }
}
