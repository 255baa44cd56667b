//! `trials/<n>/trial.json`: one execution of one cell.

mod beside;
mod earlier;
mod event;
mod first_error;
mod provider;

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::activity::ActivityWindow;
use crate::interval::{Reading, TrialInterval};
use crate::path::PathFigures;
use crate::told::StatedFigures;

pub use beside::BesideTotals;
pub use event::{EventRecord, FailoverStep, Gap, SessionsOf, SmartShutdown, Stepped, Tallied};
pub use first_error::{FailedStatement, FirstError};
pub use provider::{ProviderBalance, ProviderEvent, ProviderEventKind, ProviderTotals};

/// The newest format of `trial.json`. Format 2 added steps of searches and open loops; all that it added may be
/// absent. Format 3 has no `caveats`, of which most were concluded from the figures, but `incidents`, and no words for
/// what was done before a trial. Format 4 has trials whose sides took turns, with `turns` and a file of them.
pub const FORMAT: u32 = 4;

/// One combination of target, workload and clients.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// Target name (its settings are part of the target).
    pub target: String,
    /// Workload name.
    pub workload: String,
    /// Number of clients: in an open loop the most transactions under way at a time.
    #[serde(default, skip_serializing_if = "ClientCount::is_unknown")]
    pub clients: ClientCount,
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} · {}", self.target, self.workload)?;
        match self.clients.known_count() {
            Some(1) => write!(f, " · 1 client"),
            Some(clients) => write!(f, " · {clients} clients"),
            None => Ok(()),
        }
    }
}

/// How many clients there were. Figures that other people published do not always tell; what is not known is not zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClientCount(Option<NonZeroU32>);

impl ClientCount {
    /// Nobody says how many.
    pub const UNKNOWN: Self = Self(None);

    /// How many there were, one at least; absent where nobody says.
    #[must_use]
    pub fn known_count(self) -> Option<u32> {
        self.0.map(NonZeroU32::get)
    }

    /// Whether nobody says how many there were.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.0.is_none()
    }
}

impl From<NonZeroU32> for ClientCount {
    fn from(clients: NonZeroU32) -> Self {
        Self(Some(clients))
    }
}

/// Of none, as of an unknown number, nothing was measured.
impl From<u32> for ClientCount {
    fn from(clients: u32) -> Self {
        Self(NonZeroU32::new(clients))
    }
}

impl From<Option<u32>> for ClientCount {
    fn from(clients: Option<u32>) -> Self {
        clients.map_or(Self::UNKNOWN, Self::from)
    }
}

impl fmt::Display for ClientCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(clients) => clients.fmt(f),
            None => f.pad("?"),
        }
    }
}

impl PartialEq<u32> for ClientCount {
    fn eq(&self, other: &u32) -> bool {
        self.known_count() == Some(*other)
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
pub enum TrialPhase {
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
    /// What a search asked of it; absent when it is no step of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<SearchStep>,
    /// How it ended.
    pub outcome: TrialOutcome,
    /// The phases that were entered, in order.
    pub phases: Vec<PhaseRecord>,
    /// What was done to the server, its caches and its machine so that the trial starts like all others of its cell,
    /// in order.
    #[serde(deserialize_with = "earlier::preparation")]
    pub preparation: Vec<Preparation>,
    /// What was done after the load, so that what it left behind does not disturb the next trial, as SQL statements.
    pub finishing: Vec<String>,
    /// Settings as asked for and as the server confirmed them before this trial.
    #[serde(alias = "knobs")]
    pub settings: BTreeMap<String, String>,
    /// Absent when the trial was executed alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "slices", alias = "turns")]
    pub turns: Option<TurnTotals>,
    /// What the load did in the measurement phase; absent when none of it ran.
    pub load: Option<LoadTotals>,
    /// What another tool told, in an imported run, where `load` is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "reported", alias = "told")]
    pub told: Option<StatedFigures>,
    /// What it cost to observe host and server while measuring; absent where nobody did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observer: Option<ObserverTotals>,
    /// What was made to happen, in the order of time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<EventRecord>,
    /// What the loads beside did, in the order of the plan.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<BesideTotals>,
    /// What the provider of a managed server said around it; absent where none was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<ProviderTotals>,
    /// What went otherwise than asked.
    #[serde(alias = "caveats", deserialize_with = "earlier::incidents")]
    pub incidents: Vec<Incident>,
}

/// That a trial was executed together with others, whose sides took turns. All figures of the trial are of its own
/// side; `turns.jsonl` tells each turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnTotals {
    /// The numbers of the other trials, ascending.
    pub with: Vec<u32>,
    /// How long a side began transactions before it was another's turn, in microseconds, as planned.
    pub length_us: u64,
}

/// What it cost to observe host and server over the measurement phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ObserverTotals {
    /// The time that was observed, in microseconds.
    pub over_us: u64,
    /// Time that the readings of all probes took, in microseconds: at most what they cost host and server, since it
    /// contains the way to the server and back.
    pub probes_us: u64,
    /// Time that the samples of what the sessions do took the server, in microseconds.
    pub samples_us: u64,
    /// Throughput of a fifth of a second with the probes at work over that of its neighbour without, of each pair in
    /// the order of time; empty where the probes did not pause.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<f64>,
    /// Pairs that are left out, because the host of this machine kept CPU time from it meanwhile.
    #[serde(default, alias = "robbed", skip_serializing_if = "is_zero")]
    pub stolen_pairs_excluded: u64,
}

impl ObserverTotals {
    /// Adds one second, in which the probes were at work for so long.
    pub fn add(&mut self, second: &TrialInterval, sampled: &ActivityWindow, observed_us: u64) {
        self.over_us += observed_us;
        self.probes_us += second.probes.values().map(time_of_reading_us).sum::<u64>();
        self.samples_us += sampled.took_us;
    }
}

fn time_of_reading_us(reading: &Reading) -> u64 {
    match reading {
        Reading::Values { took_us, .. } | Reading::Gap { took_us, .. } => *took_us,
    }
}

/// One step of the search for a capacity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SearchStep {
    /// Its number within the search, from 1.
    pub index: u32,
    /// The rate that was offered, in transactions per second.
    pub rate_per_s: f64,
}

/// How a trial ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "state")]
pub enum TrialOutcome {
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
    pub phase: TrialPhase,
    /// When it began.
    pub started_at: Timestamp,
    /// How long it took, in microseconds.
    pub duration_us: u64,
}

/// What the load did in the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoadTotals {
    /// Length of the measurement phase in microseconds, as it was, not as planned. Where sides took turns: of this
    /// side's measured turns together.
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
    /// What the server said first of each SQLSTATE and statement, at most 16 of them, from the first transaction of the
    /// warm-up on, also of transactions that were tried again. Empty where the generator does not tell, and in runs of
    /// before this was kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub first_errors: Vec<FirstError>,
    /// Latency of the completed transactions; absent when there was none.
    pub latency: Option<LatencySummary>,
    /// Completed transactions that took longer than the latency limit; absent without a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Transactions, completed or failed, that were tried more than once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retried: u64,
    /// How often they were tried again.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub retries: u64,
    /// What became of the arrivals of an open loop; absent in a closed one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub open: Option<OpenTotals>,
    /// The time in which all clients were connected and had their statements prepared before the load, in microseconds;
    /// absent where connections are made for each transaction, where sides take turns, since they connect together,
    /// where another program does not tell, and in runs of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connected_us: Option<u64>,
    /// Time to connect of the connections that were made in the measurement phase; absent when none was, as where they
    /// are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connecting: Option<ConnectingTotals>,
    /// The statements by what they did; absent where nobody counted, as for workloads that sysbench does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryTotals>,
    /// What was found of the acknowledged commits; absent without a ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<LedgerTotals>,
    /// The program that sent the load; absent when it was pgdyno's own engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<ExternalGenerator>,
    /// The generator on another machine that sent the load; absent when it was sent from the machine that pgdyno ran
    /// on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_from: Option<SentFrom>,
    /// Each of several generators that sent the load as one, in their order; empty where there was one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generators: Vec<GeneratorTotals>,
    /// The same per script, by script name.
    pub scripts: BTreeMap<String, ScriptTotals>,
    /// Intervals in which a client could not work because its connection failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outages: Vec<Outage>,
    /// Times of a tenth of a second and more in which no transaction of any client was completed, in order; of a side
    /// that took turns the parts of them that lay in its turns. Absent where the generator does not tell, where nothing
    /// was completed at all, and in runs of before this was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "stalls", alias = "standstills")]
    pub standstills: Option<Vec<Standstill>>,
    /// The load engine about itself.
    pub engine: EngineTotals,
    /// What lay between the clients and the server; absent where the generator does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<PathFigures>,
    /// What the clients waited for within their transactions; absent where statements were not timed, and in runs of
    /// before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waits: Option<WaitTotals>,
}

/// What clients waited for within their transactions in the measurement phase, also in those that failed later or had
/// not ended. In a pipeline statements overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitTotals {
    /// For statements, in microseconds, summed over clients.
    pub statements_us: u64,
    /// For the scripts' own pauses and shell commands (`\sleep`, `\shell`), in microseconds, summed over clients.
    pub pauses_us: u64,
}

/// A time in which no transaction was completed: from the last one before it, or where the time began that counts, to
/// the first one after it, or where that time ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standstill {
    /// Its begin, in microseconds since the load's start.
    pub start_us: u64,
    /// Its end, in microseconds since the load's start.
    pub end_us: u64,
}

impl LoadTotals {
    /// Service time: of an open loop without the waiting for a client, of a closed loop the latency.
    pub fn service_time(&self) -> Option<LatencySummary> {
        self.open.as_ref().map_or(self.latency, |open| open.service)
    }
}

/// Statements by what they did, as sysbench counts its queries:
/// also those of transactions that failed or had not ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryTotals {
    /// Returned rows, or could have.
    pub read: u64,
    /// Changed at least one row.
    pub write: u64,
    /// All others: BEGIN, COMMIT, and what found no row to change.
    pub other: u64,
}

/// What became of the arrivals of an open loop in the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpenTotals {
    /// Arrivals that were due, whatever has become of them.
    pub offered: u64,
    /// Arrivals for which nothing was begun, because they were over the latency limit before a client was free.
    pub skipped: u64,
    /// Arrivals that were due and neither begun nor skipped at the end; absent where the generator does not tell.
    pub waiting: Option<u64>,
    /// Actual start to end of the completed transactions; absent when there was none.
    pub service: Option<LatencySummary>,
    /// Scheduled start to actual start of the completed transactions.
    pub lag: Option<LatencySummary>,
    /// The same of those for which a client was free: what the load engine itself added.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_of_engine: Option<LatencySummary>,
}

/// How long connections took to be made, each from the first attempt to the end of the login. The means of the steps
/// sum to the mean of the whole, but for attempts that were made in vain before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ConnectingTotals {
    /// How many were made.
    pub count: u64,
    /// In all.
    pub total: LatencySummary,
    /// The part of it until the socket was connected; absent where an older pgdyno measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tcp: Option<LatencySummary>,
    /// The part of it from there until the server said something for the first time, for which its process had to be
    /// started; absent where an older pgdyno measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_answer: Option<LatencySummary>,
    /// The part of it that the handshake of TLS took; absent without encryption. Where there is no `first_answer`, the
    /// server's first answer is in it, even if that was that it does not encrypt.
    pub tls: Option<LatencySummary>,
    /// The rest of it; absent where an older pgdyno measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<LatencySummary>,
    /// The most often that the server asked for the password to be hashed (SCRAM), which the client does; absent where
    /// it asked for no such proof, and in runs of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scram_iterations: Option<u32>,
    /// Whether it is part of the latency of the transactions: each connection was made for one. Absent where an older
    /// pgdyno measured: it was part of it in open loops with a connection per transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of_latency: Option<bool>,
}

/// What was found on the server of the commits that it had acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerTotals {
    /// Commits that were acknowledged.
    pub acknowledged: u64,
    /// Transactions whose outcome was unknown, since their connection was lost.
    pub unknown: u64,
    /// Acknowledged commits that are not there.
    pub lost: u64,
    /// Transactions that are there although the server had refused them, or more than once, or that were never begun.
    pub unexpected: u64,
    /// Those of unknown outcome that turned out to be there.
    pub unknown_committed: u64,
    /// Some of the lost and the unexpected ones, for a person.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<String>,
}

/// A generator on another machine, in one trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentFrom {
    /// Its name in the plan.
    pub generator: String,
    /// By how much its instants may be wrong here, in microseconds: half of the shortest round trip.
    pub clock_error_us: u64,
    /// By how much later than ordered its load began, in microseconds.
    pub late_us: u64,
}

/// One of several generators that sent the load of a trial as one: its part of the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneratorTotals {
    /// Its name: that of the plan, and its number from 1, such as `farm/2`.
    pub generator: String,
    /// The number of its first client, from 0.
    pub first_client: u32,
    /// How many clients it has, from the first one on.
    pub clients: u32,
    /// By how much its instants may be wrong here, in microseconds: half of the shortest round trip.
    pub clock_error_us: u64,
    /// By how much later than the agreed instant it learned of it, in microseconds; 0 where it knew ahead.
    pub late_us: u64,
    /// Transactions completed.
    pub transactions: u64,
    /// Transactions failed.
    pub failed: u64,
    /// Arrivals that were due, in an open loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered: Option<u64>,
    /// Latency of the completed ones; absent when there was none.
    pub latency: Option<LatencySummary>,
    /// Its load engine about itself.
    pub engine: EngineTotals,
    /// What lay between its clients and the server.
    pub path: Option<PathFigures>,
}

/// A program other than pgdyno that sent the load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalGenerator {
    /// Its name, such as `pgbench`.
    pub program: String,
    /// Its version, as it says it.
    pub version: String,
    /// Its arguments, which hold no secret.
    pub arguments: Vec<String>,
    /// What it cannot tell: the figures of these are empty or zero and mean nothing.
    pub untold: Vec<String>,
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
    /// A transaction was in flight, whose outcome is unknown.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_flight: bool,
}

/// The load engine about itself over the measurement phase.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EngineTotals {
    /// Event-loop backend: `epoll` or `io_uring`.
    pub backend: String,
    /// Load threads.
    pub threads: u32,
    /// CPU time of all load threads, user and system, in microseconds.
    pub cpu_us: u64,
    /// The part of it spent in the kernel; absent where the system does not tell.
    pub cpu_system_us: Option<u64>,
    /// Largest share of the measurement phase that one load thread spent on a CPU, 0 to 1.
    pub busiest_thread: f64,
    /// Largest share that one load thread spent on a CPU or waiting for one, 0 to 1; absent before format 2.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busiest_demand: Option<f64>,
    /// Transactions that began more than 1 ms after their instant although their client was free.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub late_sends: u64,
    /// By how much all transactions began after their instant although their client was free, together, in nanoseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub send_lag_ns: u64,
    /// Longest time between two visits of the event queue, in nanoseconds.
    pub loop_lag_ns_max: u64,
}

/// One step of what was done before a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preparation {
    /// A value of the kernel was set.
    KernelValue(KernelValue),
    /// An SQL statement was executed.
    Statement(String),
    /// The server was restarted, for the first of its trials in a block.
    Restart,
    /// The settings of the server were changed, and whoever looks after it brought them into force, by a restart if
    /// need be.
    Settings,
    /// The server was restarted, and its files were put out of the kernel's cache.
    ColdCache {
        /// Their size.
        evicted_bytes: u64,
    },
    /// All tables and indexes were read, again and again.
    WarmCache(WarmCache),
    /// Caches were prepared, as this says; before format 3.
    InWords(String),
}

/// How caches were warmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WarmCache {
    /// How everything was read.
    pub by: WarmedBy,
    /// Tables and indexes.
    pub relations: usize,
    /// Their size.
    pub bytes: u64,
    /// Each time that all was read.
    pub passes: Vec<CachePass>,
    /// Whether the last pass found what the one before it had found, as fast, so that none followed.
    pub steady: bool,
    /// How long it took in all, in microseconds.
    pub took_us: u64,
}

/// What reads tables and indexes into the caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarmedBy {
    /// The extension `pg_prewarm`.
    PgPrewarm,
    /// Scans in the order of the primary key.
    Scans,
}

/// What one reading of all tables and indexes found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CachePass {
    /// Blocks that were in the server's cache.
    pub blocks_hit: u64,
    /// Blocks that were not.
    pub blocks_read: u64,
    /// How long it took, in microseconds.
    pub took_us: u64,
    /// Whether everything was read: no statement was ended for taking too long.
    pub complete: bool,
}

/// What went otherwise than asked around a trial and no other figure of it tells. What the figures tell is concluded
/// from them, again with every report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Incident {
    /// Transactions were still running long after the end of the load.
    Cancelled {
        /// How many of them the server was asked to cancel.
        transactions: u64,
    },
    /// A step of the set-up or the cool-down was not permitted, so trials are less alike.
    StepOmitted {
        /// The SQL statement.
        statement: String,
        /// Why it was left out.
        why: String,
    },
    /// The acknowledged commits of a ledger could not be looked for.
    LedgerUnchecked {
        /// Why.
        why: String,
    },
    /// A value of the kernel that was set for the trial could not be put back after it.
    NotRestored {
        /// What was set.
        changed: KernelValue,
        /// What kept it from being put back.
        why: Unrestored,
    },
    /// The pod of the server did not stay what it was while the load ran: evicted, deleted, killed, started again.
    PodLost {
        /// What happened to it, in the words of its status and of the events about it.
        said: String,
    },
    /// One of several generators was lost, and the others went on: what its clients did after that is not known.
    GeneratorLost {
        /// Its name, such as `farm/2`.
        generator: String,
        /// How many clients it had.
        clients: u32,
        /// What is known of it.
        said: String,
    },
    /// Other runs of pgdyno had sessions on the server when the trial began or ended.
    ConcurrentRun {
        /// How many there were.
        runs: u32,
        /// The databases in which they were, joined by commas.
        databases: String,
    },
    /// What became of the pod of the server while the load ran is not known.
    PodUnseen {
        /// Why.
        why: String,
    },
}

/// Why a value is not what it was before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unrestored {
    /// Somebody else has changed it meanwhile: it was left alone, as this says how it was found.
    ChangedMeanwhile(String),
    /// It could not be written, as this says.
    Failed(String),
}

/// A value of the kernel as it was set for a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelValue {
    /// As sysctl names it, such as `vm.swappiness`.
    pub name: String,
    /// What it was set to.
    pub set: String,
    /// What it was before.
    pub before: String,
}

impl fmt::Display for KernelValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} (before: {})", self.name, self.set, self.before)
    }
}

fn is_zero(value: &u64) -> bool {
    *value == 0
}
