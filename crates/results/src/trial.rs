//! `trials/<n>/trial.json`: one execution of one cell.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The newest format of `trial.json`.
pub const FORMAT: u32 = 1;

/// One combination of target, workload and clients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Target name (its knobs are part of the target).
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients of the closed loop.
    pub clients: u32,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {} · {} clients", self.target, self.workload, self.clients)
    }
}

/// Why a trial is in the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// It measures its cell.
    Main,
    /// It is the baseline a second time, for the noise floor.
    NoiseFloor,
}

/// A phase of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Bringing data and server to the state in which every trial of the cell starts.
    SetUp,
    /// Opening and preparing the connections.
    Connect,
    /// Load whose figures do not count.
    WarmUp,
    /// Load whose figures count.
    Measure,
    /// After the load: what the workload left behind is written out.
    CoolDown,
}

/// One execution of one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Number in the schedule, from 1.
    pub number: u32,
    /// Block, from 1.
    pub block: u32,
    /// What was executed.
    pub cell: Cell,
    /// Why.
    pub role: Role,
    /// How it ended.
    pub outcome: Outcome,
    /// The phases that were entered, in order.
    pub phases: Vec<PhaseRecord>,
    /// What was done to the server so that the trial starts like all others of its cell, as SQL statements.
    pub preparation: Vec<String>,
    /// What was done after the load, so that what it left behind does not disturb the next trial, as SQL statements.
    pub finishing: Vec<String>,
    /// Knobs as asked for and as the server confirmed them before this trial.
    pub knobs: BTreeMap<String, String>,
    /// What the load did in the measurement phase; absent when none of it ran.
    pub load: Option<LoadTotals>,
    /// Reasons to trust this trial less.
    pub caveats: Vec<Caveat>,
}

/// How a trial ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum Outcome {
    /// The measurement phase ran to its end.
    Completed,
    /// A person or a signal stopped it; its figures cover a shorter time than planned.
    Interrupted,
    /// It could not be measured.
    Failed {
        /// The error, without secrets.
        error: String,
    },
}

/// One phase with its instants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PhaseRecord {
    /// Which.
    pub phase: Phase,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in microseconds.
    pub duration_us: u64,
}

/// What the load did in the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadTotals {
    /// Length of the measurement phase in microseconds, as it was, not as planned.
    pub measure_us: u64,
    /// Transactions completed in the measurement phase.
    pub transactions: u64,
    /// Transactions that failed (an error of the server), not among `transactions`.
    pub failed: u64,
    /// Transactions whose outcome is unknown because their connection was lost.
    pub unknown: u64,
    /// Failed transactions by SQLSTATE.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub errors: BTreeMap<String, u64>,
    /// Latency of the completed transactions; absent when there was none.
    pub latency: Option<LatencySummary>,
    /// The same per script, by script name.
    pub scripts: BTreeMap<String, ScriptTotals>,
    /// Intervals in which a client could not work because its connection failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outages: Vec<Outage>,
    /// The load engine about itself.
    pub engine: EngineTotals,
}

/// One script's part of the totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScriptTotals {
    /// Transactions completed.
    pub transactions: u64,
    /// Transactions failed.
    pub failed: u64,
    /// Latency of the completed ones.
    pub latency: Option<LatencySummary>,
}

/// Latency over the measurement phase: end − scheduled start, in nanoseconds. Percentiles come from the HdrHistogram
/// (3 significant digits), mean and standard deviation from exact sums.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LatencySummary {
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Standard deviation over transactions.
    pub stddev_ns: f64,
    /// Smallest.
    pub min_ns: u64,
    /// 50th percentile.
    pub p50_ns: u64,
    /// 95th percentile.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
    /// 99.9th percentile.
    pub p999_ns: u64,
    /// Largest.
    pub max_ns: u64,
}

/// An interval in which one client could not complete work because its connection failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outage {
    /// The client, from 0.
    pub client: u32,
    /// When the connection was found lost, in microseconds since the load's start.
    pub start_us: u64,
    /// When the client could work again; absent when it could not before the load ended.
    pub end_us: Option<u64>,
    /// What the system or the server said.
    pub cause: String,
}

/// The load engine about itself over the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineTotals {
    /// Event-loop backend (`epoll`).
    pub backend: String,
    /// Load threads.
    pub threads: u32,
    /// CPU time of all load threads, user and system, in microseconds.
    pub cpu_us: u64,
    /// The part of it spent in the kernel; absent where the system does not tell.
    pub cpu_system_us: Option<u64>,
    /// Largest share of the measurement phase that one load thread spent on a CPU, 0 to 1.
    pub busiest_thread: f64,
    /// Longest time between two visits of the event queue, in nanoseconds.
    pub loop_lag_ns_max: u64,
}

/// A reason to trust a trial less, stored with the trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Caveat {
    /// The load engine's busiest thread had little CPU left: the generator may have been the limit.
    ClientBound {
        /// Its share of the measurement phase on a CPU, 0 to 1.
        busiest_thread: f64,
    },
    /// Connections were lost while measuring.
    Outages {
        /// How many outages.
        count: u32,
        /// The first cause.
        cause: String,
    },
    /// Transactions failed with an error of the server.
    Failures {
        /// How many.
        failed: u64,
        /// Out of how many ended.
        of: u64,
        /// The most frequent SQLSTATE.
        sqlstate: String,
    },
    /// A step of the set-up or the cool-down was not permitted, so trials are less alike.
    StepOmitted {
        /// The SQL statement.
        statement: String,
        /// Why it was left out.
        why: String,
    },
    /// The load generator ran on the server's host and took CPU time from it.
    SharedHost,
    /// tpcb-like with fewer branches than clients measures the contention for branch rows.
    BranchContention {
        /// The scale.
        scale: u32,
        /// The clients.
        clients: u32,
    },
}
