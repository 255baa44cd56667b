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
    /// The longest time after it was asked for, or around that, in which no transaction of a script that writes was
    /// acknowledged to any client; up to the next event. Absent where no such transaction was acknowledged at all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_gap: Option<Gap>,
    /// The same of all other transactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_gap: Option<Gap>,
    /// What was seen of it in the cluster that the server is in, in the order in which it was seen; each step once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Stepped>,
    /// What a primary that was to stop in order had to wait for; absent where it was not to wait for its sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smart_shutdown: Option<SmartShutdown>,
    /// What kept it from being done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A step of what follows when a cluster of CloudNativePG loses or changes its primary, as its objects tell of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailoverStep {
    /// The API server had answered the request.
    Accepted,
    /// The -rw Service led to no server any more.
    ServiceEmpty,
    /// The next primary was chosen (`status.targetPrimary`).
    PrimaryChosen,
    /// The old primary had stopped: its container had ended, or its pod was gone or not ready any more.
    OldPrimaryStopped,
    /// The node of the old primary was taken for lost: its pod counts as not ready, although its container was.
    NodeLost,
    /// The new primary was promoted (`status.currentPrimary`).
    Promoted,
    /// The new primary's pod had the label that the -rw Service selects.
    Labelled,
    /// The -rw Service led to a primary again.
    ServiceMoved,
    /// The cluster was healthy again: all of its instances were ready.
    Healthy,
}

/// A step that was seen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stepped {
    /// Which.
    pub step: FailoverStep,
    /// When the API server told of it, in microseconds since the load's start, by the clock that the load engine has.
    pub at_us: u64,
    /// The pod that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pod: Option<String>,
}

/// A stop that waits for the sessions that there are, and takes no new ones, before it ends them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmartShutdown {
    /// For how long it waits, in seconds (`smartShutdownTimeout` of the cluster).
    pub timeout_s: u32,
    /// The sessions just before the request; absent where the server could not be asked.
    pub sessions: Option<Vec<SessionsOf>>,
}

/// Sessions of one program and role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionsOf {
    /// What the program calls itself; absent where that may not be seen.
    pub application: Option<String>,
    /// The role.
    pub role: String,
    /// How many.
    pub count: u64,
    /// How many of them were idle, as far as that may be seen.
    pub idle: u64,
}

/// A time without an acknowledgement, by the clock of the load engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Gap {
    /// It lay between these two.
    Between {
        /// The last acknowledgement before it, in microseconds since the load's start.
        start_us: u64,
        /// The first one after it; absent if there was none before the load ended.
        end_us: Option<u64>,
    },
    /// It was shorter than so many microseconds, which is too short to be told from the time between transactions.
    Under(u64),
}

impl Gap {
    /// Its length in microseconds; absent where it is too short to be told, or had not ended.
    #[must_use]
    pub fn length_us(self) -> Option<u64> {
        match self {
            Self::Between { start_us, end_us } => Some(end_us?.saturating_sub(start_us)),
            Self::Under(_) => None,
        }
    }
}

/// How many transactions had been acknowledged at an instant: a line of `tally.jsonl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tallied {
    /// In microseconds since the load's start.
    pub at_us: u64,
    /// Since the load's start, those of the warm-up included.
    pub transactions: u64,
}
