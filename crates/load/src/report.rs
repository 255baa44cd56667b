//! What a run tells: events while it goes on, a summary at its end. Observations only, which can be told on another
//! machine as well.
//!
//! Instants are nanoseconds since the job's start (the call of `run`) on the monotonic clock. A transaction counts,
//! with its latency, in the second in which it *ends*; one that ends outside the measurement phase is not in the
//! summary, wherever it began, so that throughput is `transactions / measure_ns` exactly.

use crate::first_errors::JobFirstError;
use crate::latency::TransactionLatency;
use crate::ledger::Ledger;
use crate::path::PathActivity;
use crate::script::ScriptStatementKind;
use crate::silence::Silences;
use crate::states;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::SystemTime;
use wire::SqlState;

/// The two phases under load.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LoadPhase {
    /// The load runs and is reported, but is not part of the summary.
    WarmUp,
    /// The load is measured.
    Measure,
}

/// Something that happened during a run. Events of one kind come in the order of their instants; a phase's last second
/// is reported a little after the next phase has begun.
#[derive(Debug)]
pub enum EngineEvent<'a> {
    /// The clients are being connected.
    Connecting {
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
    /// All clients are connected.
    Connected {
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
    /// A phase under load begins.
    Began {
        /// Which.
        phase: LoadPhase,
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
    /// A second is complete on all threads.
    Second(&'a PhaseSecond),
    /// The last measured second is over; transactions under way may finish now.
    Ended {
        /// When, in nanoseconds since the job's start.
        at_ns: u64,
    },
}

/// One second of a phase, over all threads.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PhaseSecond {
    /// The phase it belongs to.
    pub phase: LoadPhase,
    /// Its number within the phase, from 0.
    pub index: u32,
    /// When it began, in nanoseconds since the job's start.
    pub start_ns: u64,
    /// How long it was: 1 s, except for the last of a phase that is not a whole number of seconds.
    pub duration_ns: u64,
    /// For how much of it the side had its turn, where sides take turns; else all of it.
    pub turn_ns: u64,
    /// What ended in it, by script in the order of the job.
    pub scripts: Vec<ScriptSecond>,
    /// Failed transactions by SQLSTATE.
    #[serde(with = "states")]
    pub errors: BTreeMap<SqlState, u64>,
    /// Errors of a kind that a thread saw for the first time in it.
    pub first_errors: Vec<JobFirstError>,
    /// Transactions in flight on connections that were lost: whether they committed is unknown.
    pub unknown: u64,
    /// Attempts to connect of clients that had lost their connections.
    pub attempts: u64,
    /// Outages that began or ended.
    pub outages: Vec<OutageChange>,
    /// Connections that were made, if any were.
    pub connections: Option<Box<ConnectionLatency>>,
    /// What became of the arrivals, in an open loop.
    pub open: Option<OpenLoop>,
    /// What the engine itself did, by thread.
    pub threads: Vec<ThreadActivity>,
}

impl PhaseSecond {
    /// The latency of all scripts' successful transactions together; its count is their number.
    pub fn total_latency(&self) -> TransactionLatency {
        let mut total = TransactionLatency::new();
        for script in &self.scripts {
            total.merge(&script.latency);
        }
        total
    }
}

/// How long connections took to be made, step by step; each counts when it is ready.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ConnectionLatency {
    /// From the attempt to the connected socket.
    pub connect: TransactionLatency,
    /// From there to the first thing that the server says: whether it encrypts, where it is asked, else what it wants
    /// to see of the user, or that it wants nothing. Its process has to be started for that.
    pub first_answer: TransactionLatency,
    /// From there to the end of the handshake of TLS; only of encrypted connections.
    pub tls: TransactionLatency,
    /// From there to the end of the login.
    pub login: TransactionLatency,
    /// From the first attempt to the end of the login: more than the steps where an attempt was made in vain before.
    pub total: TransactionLatency,
    /// The most often that a server asked for the password to be hashed (SCRAM); none where it asked for no such proof.
    #[serde(default)]
    pub scram_iterations: Option<u32>,
}

impl ConnectionLatency {
    pub(crate) fn new() -> ConnectionLatency {
        ConnectionLatency {
            connect: TransactionLatency::new(),
            first_answer: TransactionLatency::new(),
            tls: TransactionLatency::new(),
            login: TransactionLatency::new(),
            total: TransactionLatency::new(),
            scram_iterations: None,
        }
    }

    /// Adds other connections.
    pub(crate) fn merge(&mut self, other: &ConnectionLatency) {
        self.connect.merge(&other.connect);
        self.first_answer.merge(&other.first_answer);
        self.tls.merge(&other.tls);
        self.login.merge(&other.login);
        self.total.merge(&other.total);
        self.scram_iterations = self.scram_iterations.max(other.scram_iterations);
    }
}

/// What ended in one second, of one script.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ScriptSecond {
    /// The script's name.
    pub name: String,
    /// The latency of its successful transactions; its count is their number.
    pub latency: TransactionLatency,
    /// Failed transactions.
    pub failed: u64,
    /// Successful transactions whose latency was over the job's limit.
    pub late: u64,
    /// Transactions, successful or failed, that were tried more than once.
    pub retried: u64,
    /// How often they were tried again.
    pub retries: u64,
}

/// What became of an open loop's arrivals in a second or in the measurement phase.
///
/// A successful transaction's latency is its schedule lag and its service time. The lag is in one of two histograms:
/// which one says what the transaction waited for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OpenLoop {
    /// Arrivals that were due, whatever has become of them.
    pub offered: u64,
    /// Arrivals that no transaction was begun for, because they were over the latency limit when a client could have
    /// begun it. Which script they would have run was never drawn.
    pub skipped: u64,
    /// Arrivals that were due and neither begun nor skipped at the end.
    pub waiting: u64,
    /// Actual start to end, of successful transactions;
    /// connecting is part of it where each has a connection of its own.
    pub service: TransactionLatency,
    /// Scheduled to actual start, of successful transactions that waited for a client to become free.
    pub lag_queued: TransactionLatency,
    /// Scheduled to actual start, of successful transactions for which a client was free: what the engine itself, or
    /// the CPU that it did not get, has added to the latency.
    pub lag_engine: TransactionLatency,
}

impl OpenLoop {
    pub(crate) fn new() -> OpenLoop {
        OpenLoop {
            offered: 0,
            skipped: 0,
            waiting: 0,
            service: TransactionLatency::new(),
            lag_queued: TransactionLatency::new(),
            lag_engine: TransactionLatency::new(),
        }
    }

    /// Schedule lag of all successful transactions, whatever it came from: scheduled to actual start.
    pub fn total_lag(&self) -> TransactionLatency {
        let mut lag = self.lag_queued.clone();
        lag.merge(&self.lag_engine);
        lag
    }

    /// Adds another thread's part of the same time.
    pub(crate) fn merge(&mut self, other: &OpenLoop) {
        self.waiting += other.waiting;
        self.append_later(other);
    }

    /// Adds a later time, at the end of which `waiting` is to be set.
    pub(crate) fn append_later(&mut self, later: &OpenLoop) {
        self.offered += later.offered;
        self.skipped += later.skipped;
        self.service.merge(&later.service);
        self.lag_queued.merge(&later.lag_queued);
        self.lag_engine.merge(&later.lag_engine);
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn reset(&mut self) {
        (self.offered, self.skipped, self.waiting) = (0, 0, 0);
        self.service.reset();
        self.lag_queued.reset();
        self.lag_engine.reset();
    }
}

/// What one thread of the engine did in a second or in the measurement phase, by which the engine judges itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ThreadActivity {
    /// CPU time that the thread used.
    pub cpu_ns: u64,
    /// The part of it spent in the kernel, to the precision of the kernel's ticks (10 ms); `None` if `/proc` could not
    /// be read.
    pub cpu_system_ns: Option<u64>,
    /// The time in which the thread could have worked but had to wait for a CPU; `None` if `/proc` could not be read.
    pub run_delay_ns: Option<u64>,
    /// The time in which the thread was not waiting for events (but maybe for a CPU).
    pub busy_ns: u64,
    /// Rounds of the loop: how often it took over what had become ready.
    pub rounds: u64,
    /// Clients that had become ready, over all rounds.
    pub ready: u64,
    /// The most clients that had become ready in one round.
    pub ready_max: u64,
    /// The longest time for which an answer that had arrived waited for the loop to come round.
    pub loop_lag_max_ns: u64,
    /// The same, 99th percentile over the loop's rounds.
    pub loop_lag_p99_ns: u64,
    /// The same, median over the loop's rounds.
    pub loop_lag_p50_ns: u64,
    /// Transactions that were begun more than 1 ms after their instant although their client was free: arrivals of an
    /// open loop, and the end of a pause in a closed one.
    pub late_sends: u64,
    /// By how much all transactions were begun after their instant although their client was free, together.
    pub send_lag_ns: u64,
    /// The longest such delay, also if it was shorter.
    pub send_lag_max_ns: u64,
    /// What lay between its clients and the server.
    pub path: PathActivity,
}

impl ThreadActivity {
    /// The part of `duration_ns` in which the thread was on a CPU or wanted to be, 0 to 1. Near 1 the engine may have
    /// been the limit, whether because it had too much to do or because it did not get the CPU.
    pub fn cpu_demand(&self, duration_ns: u64) -> f64 {
        let wanted_ns = self.cpu_ns + self.run_delay_ns.unwrap_or(0);
        (wanted_ns as f64 / duration_ns.max(1) as f64).min(1.0)
    }
}

/// The beginning or the end of an outage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientOutage {
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
#[derive(Debug, Serialize, Deserialize)]
pub struct Summary {
    /// The job's start on the wall clock, to which all instants relate.
    pub started_at: SystemTime,
    /// How the engine talks to the kernel.
    pub backend: Cow<'static, str>,
    /// Connections.
    pub clients: u32,
    pub threads: u32,
    /// From the job's start until every client was connected and had its statements prepared.
    pub connection_ns: u64,
    /// The connections with which the run began, if they are known one by one.
    pub first_connections: Option<Box<ConnectionLatency>>,
    /// Connections made in the measurement phase: one per transaction, or after outages.
    pub connections: Option<Box<ConnectionLatency>>,
    /// When the measurement phase began, in nanoseconds since the job's start.
    pub measure_start_ns: u64,
    /// How long it was, exactly; 0 if the run was interrupted during the warm-up. Where sides take turns, how long the
    /// turns of this side in it were together.
    pub measure_ns: u64,
    /// The run was stopped before its time.
    pub interrupted: bool,
    /// The latency of all successful transactions; its count is their number.
    pub latency: TransactionLatency,
    /// Failed transactions.
    pub failed: u64,
    /// Transactions in flight on connections that were lost: whether they committed is unknown.
    pub unknown: u64,
    /// Transactions under way when the phase ended; they are counted nowhere else.
    pub unfinished: u64,
    /// Those of them that the server was still at work on 5 s later, when it was asked to cancel them.
    pub cancelled: u64,
    /// Successful transactions whose latency was over the job's limit.
    pub late: u64,
    /// Transactions, successful or failed, that were tried more than once.
    pub retried: u64,
    /// How often they were tried again.
    pub retries: u64,
    /// What became of the arrivals, in an open loop.
    pub open: Option<OpenLoop>,
    /// By script, in the order of the job.
    pub scripts: Vec<ScriptTotal>,
    /// By statement, each in the place of its number (see
    /// [`Job::statements`](crate::EngineJob::statements_by_number)); `None` where they were not timed.
    pub statements: Option<Vec<StatementTotal>>,
    /// Failed transactions by SQLSTATE.
    #[serde(with = "states")]
    pub errors: BTreeMap<SqlState, u64>,
    /// What the server said first of each SQLSTATE and statement, from the first transaction of the warm-up on, also of
    /// transactions that were tried again; empty where the generator does not tell.
    pub first_errors: Vec<JobFirstError>,
    /// Outages that touch the measurement phase, by their start.
    pub outages: Vec<ClientOutage>,
    /// When no transaction was acknowledged, in the whole run; nothing where the generator does not tell.
    pub silences: Silences,
    /// By thread of the engine.
    pub engine: Vec<ThreadActivity>,
    /// What the clients were told of their writes, from the first transaction of the warm-up to the last one that ended
    /// after the measurement; `None` unless the job keeps a ledger.
    pub ledger: Option<Ledger>,
}

/// One script's part of the measurement phase.
#[derive(Debug, Serialize, Deserialize)]
pub struct ScriptTotal {
    /// The script's name.
    pub name: String,
    /// The latency of its successful transactions; its count is their number.
    pub latency: TransactionLatency,
    /// Failed transactions.
    pub failed: u64,
    /// Successful transactions whose latency was over the job's limit.
    pub late: u64,
    /// Transactions, successful or failed, that were tried more than once.
    pub retried: u64,
    /// How often they were tried again.
    pub retries: u64,
    /// The statements that the server executed.
    pub statements: StatementCounts,
}

/// One statement's part of the measurement phase: what ended in it, also of transactions that failed or had not ended.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct StatementTotal {
    /// What it is.
    pub kind: ScriptStatementKind,
    /// How long it took, each time that it succeeded, to two significant digits; the mean is exact. From the end of
    /// what its transaction waited for before it, in a pipeline from when that was sent, to the complete answer to it.
    pub latency: TransactionLatency,
    /// Transactions that failed with it.
    pub failed: u64,
    /// Tries of a transaction that failed with it and were followed by another.
    pub retried: u64,
}

impl StatementTotal {
    /// Significant digits of a percentile: there may be a thousand statements, each with a histogram on each thread.
    const DIGITS: u8 = 2;

    pub(crate) fn new() -> StatementTotal {
        let latency = TransactionLatency::with_digits(StatementTotal::DIGITS);
        StatementTotal { kind: ScriptStatementKind::Sql, latency, failed: 0, retried: 0 }
    }

    /// Adds those of another thread.
    pub(crate) fn merge(&mut self, other: &StatementTotal) {
        self.latency.merge(&other.latency);
        self.failed += other.failed;
        self.retried += other.retried;
    }
}

/// Statements by what they did, as sysbench counts its queries:
/// also those of transactions that failed or had not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct StatementCounts {
    /// Returned rows, or could have.
    pub reads: u64,
    /// Changed at least one row.
    pub writes: u64,
    /// All others: BEGIN, COMMIT, and what found no row to change.
    pub others: u64,
}

impl StatementCounts {
    /// Counts the statement with this command tag, such as `UPDATE 1`.
    #[inline]
    pub(crate) fn count_tag(&mut self, tag: &[u8]) {
        match tag {
            [b'S', b'E', b'L', b'E', b'C', b'T', ..] => self.reads += 1,
            [.., b' ', b'0'] => self.others += 1,
            [.., b'0'..=b'9'] => self.writes += 1,
            _ => self.others += 1,
        }
    }

    /// Adds those of another interval or thread.
    pub(crate) fn add(&mut self, other: &StatementCounts) {
        self.reads += other.reads;
        self.writes += other.writes;
        self.others += other.others;
    }
}

impl Summary {
    /// Successful transactions of the measurement phase.
    pub fn successful_transactions(&self) -> u64 {
        self.latency.count()
    }

    /// What a closed loop hides (coordinated omission): how many transactions an open loop of the same throughput would
    /// have offered while the longest transaction lasted. Each of them would have waited if the server made everybody
    /// wait; in a closed loop only the clients' own transactions did, so that percentiles may not show it. `None` in an
    /// open loop, which hides nothing, and without a transaction.
    pub fn hidden_arrivals(&self) -> Option<u64> {
        let longest_ns = self.latency.quantile_ns(1.0).filter(|_| self.open.is_none() && self.measure_ns > 0)?;
        Some((longest_ns as f64 * self.successful_transactions() as f64 / self.measure_ns as f64) as u64)
    }

    /// Transactions per second that the schedule asked for; `None` in a closed loop. What was achieved of it is
    /// `transactions / measure_ns`.
    pub fn offered_per_s(&self) -> Option<f64> {
        let open = self.open.as_ref()?;
        (self.measure_ns > 0).then(|| open.offered as f64 / self.measure_ns as f64 * 1e9)
    }
}

#[cfg(test)]
mod statement_tests {
    use super::StatementCounts;

    #[test]
    fn statements_are_counted_by_rows_returned_and_rows_changed() {
        let mut statements = StatementCounts::default();
        for tag in ["SELECT 0", "SELECT 10", "UPDATE 1", "UPDATE 10", "INSERT 0 3", "UPDATE 0", "INSERT 0 0", "BEGIN"] {
            statements.count_tag(tag.as_bytes());
        }
        assert_eq!(statements, StatementCounts { reads: 2, writes: 3, others: 3 });
    }
}
