//! `intervals.jsonl`: one line a second with what the load did and what every probe read in that second.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::path::PathFigures;
use crate::told::ToldLatency;
use crate::trial::TrialPhase;

/// One second of a trial, from the load engine's clock.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialInterval {
    /// The phase that this second belongs to.
    pub phase: TrialPhase,
    /// Number of the second within its phase, from 0.
    pub index: u32,
    /// Start, in microseconds since the load's start.
    pub start_us: u64,
    /// Actual length in microseconds.
    pub duration_us: u64,
    /// For how much of it the side had its turn, in microseconds; absent where sides did not take turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_us: Option<u64>,
    /// Transactions that ended in this second.
    pub transactions: u64,
    /// Transactions that failed in this second.
    pub failed: u64,
    /// Failures by SQLSTATE.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, u64>,
    /// Clients without a working connection at the end of this second.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub clients_out: u32,
    /// Attempts to connect of clients that had lost their connections.
    #[serde(default, skip_serializing_if = "is_zero_u64")]
    pub attempts: u64,
    /// Completed transactions over the latency limit.
    #[serde(default, skip_serializing_if = "is_zero_u64")]
    pub late: u64,
    /// Transactions that were tried more than once.
    #[serde(default, skip_serializing_if = "is_zero_u64")]
    pub retried: u64,
    /// What became of the arrivals of an open loop; absent in a closed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenInterval>,
    /// Latency of the transactions of this second; absent when none ended.
    pub latency: Option<IntervalLatency>,
    /// Latency as another tool told it, which has no such percentiles; absent where pgdyno measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "reported", alias = "told")]
    pub told: Option<ToldLatency>,
    /// What the load engine spent itself; absent where another program sent the load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<EngineInterval>,
    /// What lay between the clients and the server; absent where the generator does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathFigures>,
    /// What each probe read, by probe name (`host.cpu`, `pg.database`, ...).
    #[serde(default)]
    pub probes: BTreeMap<String, Reading>,
}

/// What became of the arrivals of an open loop in one second.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct OpenInterval {
    /// Arrivals that were due.
    pub offered: u64,
    /// Arrivals for which nothing was begun.
    pub skipped: u64,
    /// Arrivals that were due and neither begun nor skipped at its end.
    pub waiting: u64,
    /// 99th percentile of the schedule lag of the transactions that ended, in nanoseconds; absent when none did.
    pub lag_ns_p99: Option<u64>,
}

/// Latency figures of one second, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct IntervalLatency {
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// 50th percentile.
    pub p50_ns: u64,
    /// 95th percentile.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// Largest.
    pub max_ns: u64,
}

/// The load engine's own cost in one second, over all its threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineInterval {
    /// CPU time of all load threads, user and system, in microseconds.
    pub cpu_us: u64,
    /// Largest share of this second that one load thread spent on a CPU, 0 to 1.
    pub busiest_thread: f64,
    /// Longest time between two visits of the event queue in this second, in nanoseconds.
    pub loop_lag_ns_max: u64,
}

/// What one probe read over one interval.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Reading {
    /// The differences of counters and the levels of gauges,
    /// keyed by name with the unit in it (`user_us`, `read_bytes`).
    Values {
        /// Time the reading itself took, in microseconds.
        took_us: u64,
        /// Time between this snapshot and the one before, in microseconds.
        over_us: u64,
        /// The figures.
        values: BTreeMap<String, f64>,
    },
    /// Nothing could be read, and why.
    Gap {
        /// Time the attempt took, in microseconds.
        took_us: u64,
        /// The reason, for a person.
        gap: String,
    },
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

fn is_zero_u64(value: &u64) -> bool {
    *value == 0
}
