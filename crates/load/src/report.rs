//! What a run tells: events while it goes on, a summary at its end. Observations only.
//!
//! Instants are nanoseconds since the job's start (the call of `run`) on the monotonic clock. A transaction counts, with
//! its latency, in the second in which it *ends*; one that ends outside the measurement phase is not in the summary,
//! wherever it began, so that throughput is `transactions / measure_ns` exactly.

use crate::latency::Latency;
use std::collections::BTreeMap;
use std::time::SystemTime;
use wire::SqlState;

/// The two phases under load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// The load runs and is reported, but is not part of the summary.
    WarmUp,
    /// The load is measured.
    Measure,
}

/// Something that happened during a run. Events of one kind come in the order of their instants; a phase's last second
/// is reported a little after the next phase has begun.
#[derive(Debug)]
pub enum Event<'a> {
    /// The clients are being connected.
    Connecting {
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
    /// A phase under load begins.
    Began {
        /// Which.
        phase: Phase,
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
    /// A second is complete on all threads.
    Second(&'a Second),
    /// The last measured second is over; transactions under way may finish now.
    Ended {
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
}

/// One second of a phase, over all threads.
#[derive(Debug)]
pub struct Second {
    /// The phase it belongs to.
    pub phase: Phase,
    /// Its number within the phase, from 0.
    pub index: u32,
    /// When it began, in nanoseconds since the job's start.
    pub start_ns: u64,
    /// How long it was: 1 s, except for the last of a phase that is not a whole number of seconds.
    pub duration_ns: u64,
    /// What ended in it, by script in the order of the job.
    pub scripts: Vec<ScriptSecond>,
    /// Failed transactions by SQLSTATE.
    pub errors: BTreeMap<SqlState, u64>,
    /// Transactions in flight on connections that were lost: whether they committed is unknown.
    pub unknown: u64,
    /// Outages that began or ended.
    pub outages: Vec<OutageChange>,
    /// What the engine itself did, by thread.
    pub threads: Vec<ThreadSecond>,
}

impl Second {
    /// The latency of all scripts' successful transactions together; its count is their number.
    pub fn latency(&self) -> Latency {
        let mut total = Latency::new();
        for script in &self.scripts {
            total.merge(&script.latency);
        }
        total
    }
}

/// What ended in one second, of one script.
#[derive(Debug)]
pub struct ScriptSecond {
    /// The script's name.
    pub name: String,
    /// The latency of its successful transactions; its count is their number.
    pub latency: Latency,
    /// Failed transactions.
    pub failed: u64,
}

/// What one thread of the engine did in one second.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadSecond {
    /// CPU time that the thread used.
    pub cpu_ns: u64,
    /// The part of it spent in the kernel, to the precision of the kernel's ticks (10 ms); `None` if `/proc` could not be
    /// read.
    pub cpu_system_ns: Option<u64>,
    /// The part of the second in which the thread was not waiting for events (but maybe for a CPU).
    pub busy_ns: u64,
    /// The longest time for which an answer that had arrived waited for the loop to come round.
    pub loop_lag_max_ns: u64,
    /// The same, 99th percentile over the loop's rounds.
    pub loop_lag_p99_ns: u64,
}

/// The beginning or the end of an outage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutageChange {
    /// A client's connection failed.
    Began {
        /// The client's number, from 0.
        client: u32,
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
        /// How it failed.
        cause: String,
        /// A transaction was in flight, whose outcome is unknown.
        in_flight: bool,
    },
    /// The client can work again.
    Ended {
        /// The client's number, from 0.
        client: u32,
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
}

/// An interval in which a client could not complete work because its connection failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    /// The client's number, from 0.
    pub client: u32,
    /// When the connection failed, in nanoseconds since the job's start: the instant at which the loss was noticed, or,
    /// if the server just stopped answering, the start of the transaction that went unanswered.
    pub start_ns: u64,
    /// When the client could work again; `None` if it could not before the end of the run.
    pub end_ns: Option<u64>,
    /// How the connection failed.
    pub cause: String,
    /// A transaction was in flight, whose outcome is unknown.
    pub in_flight: bool,
}

/// The measurement phase as a whole.
#[derive(Debug)]
pub struct Summary {
    /// The job's start on the wall clock, to which all instants relate.
    pub started_at: SystemTime,
    /// How the engine talks to the kernel.
    pub backend: &'static str,
    /// Connections.
    pub clients: u32,
    /// Threads.
    pub threads: u32,
    /// From the job's start until every client was connected and had its statements prepared.
    pub connection_ns: u64,
    /// When the measurement phase began, in nanoseconds since the job's start.
    pub measure_start_ns: u64,
    /// How long it was, exactly; 0 if the run was interrupted during the warm-up.
    pub measure_ns: u64,
    /// The run was stopped before its time.
    pub interrupted: bool,
    /// The latency of all successful transactions; its count is their number.
    pub latency: Latency,
    /// Failed transactions.
    pub failed: u64,
    /// Transactions in flight on connections that were lost: whether they committed is unknown.
    pub unknown: u64,
    /// Transactions under way when the phase ended; they are counted nowhere else.
    pub unfinished: u64,
    /// By script, in the order of the job.
    pub scripts: Vec<ScriptTotal>,
    /// Failed transactions by SQLSTATE.
    pub errors: BTreeMap<SqlState, ErrorTotal>,
    /// Outages that touch the measurement phase, by their start.
    pub outages: Vec<Outage>,
    /// By thread of the engine.
    pub engine: Vec<ThreadTotal>,
}

/// One script's part of the measurement phase.
#[derive(Debug)]
pub struct ScriptTotal {
    /// The script's name.
    pub name: String,
    /// The latency of its successful transactions; its count is their number.
    pub latency: Latency,
    /// Failed transactions.
    pub failed: u64,
}

/// Failed transactions of one SQLSTATE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorTotal {
    /// How many.
    pub count: u64,
    /// The server's message for one of them.
    pub example: String,
}

/// What one thread of the engine did in the measurement phase; the fields are those of [`ThreadSecond`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadTotal {
    /// CPU time that the thread used.
    pub cpu_ns: u64,
    /// The part of it spent in the kernel; `None` if it is not known of every second.
    pub cpu_system_ns: Option<u64>,
    /// The time in which the thread was not waiting for events.
    pub busy_ns: u64,
    /// The longest loop lag.
    pub loop_lag_max_ns: u64,
    /// The 99th percentile of the loop lag over all rounds.
    pub loop_lag_p99_ns: u64,
}

impl Summary {
    /// Successful transactions of the measurement phase.
    pub fn transactions(&self) -> u64 {
        self.latency.count()
    }
}
