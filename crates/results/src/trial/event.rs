//! What was made to happen in a trial.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// An event of the plan as it was made to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventRecord {
    /// Its name in the plan.
    pub name: String,
    /// What was done, in the words of the plan: a word of `do`, or the command.
    pub what: String,
    /// When it was to be, in microseconds since the begin of the measurement.
    pub planned_us: u64,
    /// When it was asked for, in microseconds since the load's start, by the monotonic clock that the load engine has.
    pub requested_us: u64,
    /// The same instant by the clock of the machine that pgdyno runs on.
    pub requested_at: Timestamp,
    /// How long it took until whoever did it said that it was done, in microseconds; absent when it was given up.
    pub took_us: Option<u64>,
    /// What kept it from being done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
