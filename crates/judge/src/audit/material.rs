//! What an audit looks at: one neutral account of a benchmark, whoever made it and however it was written down.
//!
//! Everything that may be unknown is an `Option`: a check that needs it says so instead of guessing. Figures are in the
//! units of their names. What was judged of a run already (differences, bursts of disks) is taken from there.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Deref, DerefMut};

use plan::quantity;
use results::disk::StatedCaps;
use results::imported::{ComputedFigures, ToldTwice};
use results::shared::Shared;
use results::trial::ClientCount;
use stats::centre::range_of_figures;

use super::outcome::{CheckResult, VerdictFigure};
use crate::compare::FactDifference;

/// A benchmark, ready to be audited.
#[derive(Debug, Clone, Default)]
pub struct Material {
    /// The sides, the baseline first.
    pub sides: Vec<AuditedSide>,
    /// Every trial, in the order of the account.
    pub trials: Vec<TrialAccount>,
    /// What was measured of the disks.
    pub stages: Vec<StatedDiskStage>,
    /// Figures of disks that are not the disk's own, such as those of a burst or a cache.
    pub beyond_disk: Vec<Beyond>,
    /// Storage jobs that ended with an error: where, and how.
    pub failed_jobs: Vec<(String, String)>,
    /// Whether some disk was measured over several depths, or second by second, so that such figures would have shown.
    pub swept: bool,
    /// How it was done.
    pub design: Design,
    /// Differences between the sides that were not allowed, those first that can cost most.
    pub differences: Vec<SideDifference>,
    /// What a publication tells of a cell in its tables and in the outputs beside them.
    pub told_twice: Vec<ToldTwice>,
    /// Threads of the generator, as the outputs beside its tables print.
    pub threads_beside_tables: Option<u32>,
    /// What its tables compute from their own figures.
    pub computed: ComputedFigures,
    /// What is not known of a side, so that it could not be compared: `(side, what)`.
    pub unknown: Vec<(String, String)>,
}

/// How a benchmark was done, as its plan or its author says.
#[derive(Debug, Clone, Default)]
pub struct Design {
    /// Trials of each cell; absent when nobody says.
    pub repetitions: Option<u32>,
    /// Whether each figure stands for several trials, as their mean or median.
    pub averaged: bool,
    /// Whether of several trials of a cell only the best is given; absent when nobody says.
    pub keeps_best: Option<bool>,
    /// Whether the trials of the sides were interleaved, in a random order.
    pub interleaved: bool,
    /// Whether it is stated what may differ between the sides.
    /// Otherwise a single difference is taken for what is compared.
    pub may_differ_is_stated: bool,
    /// What may differ, as a study says: names of aspects.
    pub may_differ: Vec<String>,
    /// Whether the highest figure over the numbers of clients is what is compared; absent when nobody says.
    pub compares_peaks: Option<bool>,
    /// How long each trial is said to have been measured, whatever its output tells.
    pub stated_s: Option<f64>,
    /// Numbers of clients that are said to have been measured: of the workloads whose data are there, or of all.
    pub stated_clients: Vec<(Option<Residency>, Vec<u32>)>,
    /// Whether every side was to be measured at the same numbers of clients, as a plan says.
    pub same_clients: bool,
    /// What sent the load, such as `pgbench`.
    pub generator: Option<String>,
}

/// One side of the comparison.
#[derive(Debug, Clone, Default)]
pub struct AuditedSide {
    /// Its name.
    pub name: String,
    /// PostgreSQL's version as stated and as its outputs print it, where these are unlike.
    pub versions: Option<[String; 2]>,
    /// PostgreSQL's major version, as its outputs print it.
    pub server_major: Option<String>,
    /// The major version of the tool that sent its load, as its outputs print it.
    pub generator_major: Option<String>,
    /// Memory that it may use: that of its host, or a lower limit.
    pub memory_bytes: Option<u64>,
    /// Logical CPUs that it may use.
    pub cpus: Option<f64>,
    /// PostgreSQL settings by name, as read back or declared. Of a server that was read, one that is absent has its
    /// default.
    pub settings: BTreeMap<String, String>,
    /// Whether the load was generated on its host.
    pub on_generator_host: Option<bool>,
    /// The kind of its storage, as stated.
    pub storage: Option<String>,
    /// The name of its host, as stated.
    pub host: Option<String>,
    /// Settings that are not in force as asked for, each in words; absent when nothing was read back.
    pub not_in_force: Option<Vec<String>>,
}

impl AuditedSide {
    /// `shared_buffers`, in bytes; absent where it is not known.
    pub fn shared_buffers_bytes(&self) -> Option<u64> {
        quantity::setting_bytes(self.settings.get("shared_buffers")?)
    }

    /// `max_wal_size`, in bytes; absent where it is not known.
    pub fn max_wal_size_bytes(&self) -> Option<u64> {
        quantity::setting_bytes(self.settings.get("max_wal_size")?)
    }

    /// `checkpoint_timeout`, in seconds; absent where it is not known.
    pub fn checkpoint_timeout_s(&self) -> Option<f64> {
        quantity::setting_seconds(self.settings.get("checkpoint_timeout")?)
    }
}

/// The turns that one side took beside another in a trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnsAccount {
    /// How long one was, in seconds. A trial has whole ones only.
    pub length_s: f64,
    /// The share of their time in which transactions ended and none began: clients that were done waited.
    pub ending: f64,
}

/// One trial.
#[derive(Debug, Clone, Default)]
pub struct TrialAccount {
    /// What rows of a table mostly tell alike, or not at all.
    pub detail: Shared<TrialDetail>,
    /// Which repetition of its cell it is, from 1, where an import numbers them.
    pub repetition: Option<u32>,
    /// Transactions completed per second.
    pub throughput_per_s: Option<f64>,
    /// Mean latency.
    pub latency_ms_mean: Option<f64>,
    /// Transactions completed.
    pub transactions: Option<u64>,
}

/// What is known of a trial beside its throughput and its mean latency. Of a million rows of a table most have the
/// same, which takes room once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrialDetail {
    /// Percentiles of the latency, from 0 (the smallest) to 100 (the largest), in milliseconds, in order.
    pub percentiles_ms: Vec<(f64, f64)>,
    /// How far the throughput that was told may be from what was measured, in transactions per second; zero where it
    /// was not rounded.
    pub throughput_rounding: f64,
    /// The same of the mean latency, in milliseconds.
    pub latency_ms_rounding: f64,
    /// Longest latency of a completed transaction.
    pub latency_ms_max: Option<f64>,
    /// How long it was measured, where that was recorded.
    pub measured_s: Option<f64>,
    /// How it ended.
    pub end: StatedTrialEnd,
    /// What many trials may have in common: compared last, since it takes longest.
    pub common: Shared<TrialCommon>,
}

impl Deref for TrialAccount {
    type Target = TrialDetail;

    fn deref(&self) -> &TrialDetail {
        &self.detail
    }
}

impl DerefMut for TrialAccount {
    fn deref_mut(&mut self) -> &mut TrialDetail {
        &mut self.detail
    }
}

impl Deref for TrialDetail {
    type Target = TrialCommon;

    fn deref(&self) -> &TrialCommon {
        &self.common
    }
}

impl DerefMut for TrialDetail {
    fn deref_mut(&mut self) -> &mut TrialCommon {
        &mut self.common
    }
}

/// What many trials may have in common: what they did, and what few sources tell.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrialCommon {
    /// The side.
    pub side: String,
    /// The workload's name.
    pub workload: String,
    /// What a transaction does, where that is known.
    pub script: Option<StatedScript>,
    /// Where the data are said to be.
    pub residency: Option<Residency>,
    /// pgbench's scale.
    pub scale: Option<u32>,
    /// Size of the data, in bytes, where it was read.
    pub data_bytes: Option<u64>,
    /// The same where a publication declares it.
    pub declared_data_bytes: Option<u64>,
    /// What it did, by which the same is found on other sides: the script, however its cell is called; absent where the
    /// cell's name is all there is.
    pub work: Option<String>,
    /// The rate at which transactions were to begin, in one per second.
    pub offered_per_s: Option<f64>,
    /// Whether every transaction made a connection of its own, where the tool says so.
    pub reconnects: Option<bool>,
    /// What sent the load; absent where nobody says.
    pub tool: Option<String>,
    /// The generator's threads, as its tool says.
    pub threads: Option<u32>,
    /// `simple`, `extended` or `prepared`.
    pub query_mode: Option<String>,
    /// Queries of a transaction, as counted.
    pub queries_per_transaction: Option<f64>,
    /// Whether some of its queries write, as counted or by the name of a script of its tool; absent where nothing says
    /// so.
    pub wrote: Option<bool>,
    /// Whether all of its queries read, and no transaction was begun and ended by queries of its own, as counted.
    pub only_reads: Option<bool>,
    /// Clients.
    pub clients: ClientCount,
    /// Whether each client waits for its answer (and not: transactions arrive at a rate).
    pub closed: bool,
    /// Transactions that succeeded per second, where they are told beside the throughput.
    pub goodput_per_s: Option<f64>,
    /// By how much transactions that arrive at a rate began late, on average.
    pub lag_ms_mean: Option<f64>,
    /// When its measurement began and ended, in seconds since 1970.
    pub measured_at_s: Option<[f64; 2]>,
    /// Time of all clients together that went into transactions which had not ended, at most: it is in no latency.
    pub unfinished_s: Option<f64>,
    /// Time that a client spends between two transactions on purpose: thinking and connecting.
    pub between_ms: Option<f64>,
    /// Whether these pauses are random (exponential), of which few have another mean than many.
    pub between_is_random: bool,
    /// Transactions that were asked for, where their number ended the trial.
    pub transactions_stated: Option<u64>,
    /// Changes that its author tells beside its figures, in percent, by what they are called.
    pub changes: Vec<(String, f64)>,
    /// Transactions that arrived and were not begun, since they were late by more than a limit.
    pub skipped: Option<u64>,
    /// Whether what is counted as transactions are queries, of which a transaction may have several.
    pub counts_queries: bool,
    /// How long the clients took to connect in the beginning, in seconds.
    pub connecting_s: Option<f64>,
    /// How long it is said to have been measured.
    pub stated_s: Option<f64>,
    /// The turns of its side; absent where sides took none.
    pub turns: Option<TurnsAccount>,
    /// Transactions per second in each interval of its measurement, in order; empty where only the whole is told.
    pub each_per_s: Vec<f64>,
    /// Why transactions failed, in brackets with a space before them; empty where none did or nothing tells.
    pub failed_because: String,
    /// Largest share of the time in which a thread of the generator was on a CPU or wanted to be.
    pub generator_demand: Option<f64>,
    /// The same, on a CPU alone.
    pub generator_busy: Option<f64>,
    /// Share of its host's CPU time that the generator used, where they share one.
    pub generator_share: Option<f64>,
    /// How the generator talks to the kernel, where it says so.
    pub backend: Option<String>,
    /// Share of the mean latency that was spent outside the server.
    pub outside_server: Option<f64>,
    /// Share of its host's CPU time that was in use.
    pub host_busy: Option<f64>,
    /// Share of its host's CPU time that the hypervisor took.
    pub stolen: Option<f64>,
    /// Share of its host's CPU time that processes used which are neither the server's nor the generator's.
    pub foreign: Option<f64>,
}

/// What a transaction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatedScript {
    /// Statements that a client sends one after the other, waiting for each; absent when not known.
    pub statements: Option<u32>,
    /// Whether it changes data.
    pub writes: bool,
    /// Whether every transaction updates one of `scale` branches.
    pub updates_branch: bool,
}

/// Where the data of a workload are said to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Residency {
    /// In memory.
    Memory,
    /// On the disk, for the most part.
    Disk,
    /// In memory since earlier transactions have read all of them.
    Warm,
    /// In shared_buffers, and as many as fit there.
    WholeBuffers,
}

/// How a trial ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum StatedTrialEnd {
    /// Nobody says.
    #[default]
    Unknown,
    /// As it should, with so many failed transactions.
    Whole {
        /// Failed transactions.
        failed: u64,
    },
    /// Early, or with clients lost.
    Cut {
        /// Why.
        reason: String,
    },
}

/// One job of a storage benchmark on one side.
#[derive(Debug, Clone, Default)]
pub struct StatedDiskStage {
    /// The side.
    pub side: String,
    /// The job's name.
    pub job: String,
    /// Bytes of one operation.
    pub block_bytes: Option<u64>,
    /// numjobs × iodepth, as stated.
    pub stated_in_flight: Option<f64>,
    /// Processes or threads that did the job at the same time, as stated.
    pub jobs: Option<u32>,
    /// Whether every write was made durable before the next; absent when nobody says.
    pub synced: Option<bool>,
    /// Whether it waited on purpose, for a rate or between requests.
    pub paced: bool,
    /// What it did, such as `randread`; absent where only its name says it.
    pub pattern: Option<String>,
    /// Whether the page cache was passed by; absent when nobody says.
    pub direct: Option<bool>,
    /// How long it ran, in seconds; absent when nobody says.
    pub runtime_s: Option<f64>,
    /// Bytes that it moved; absent when nobody says.
    pub moved_bytes: Option<f64>,
    /// Size of the file or volume that it worked on, in bytes.
    pub file_bytes: Option<u64>,
    /// Share of its reads that reached a device below the file; absent when nobody counted them.
    pub reads_of_device: Option<f64>,
    /// Operations per second of each execution where there are several, of which its figures are those in the middle.
    pub executions_iops: Vec<f64>,
    /// What was read.
    pub reads: Option<StatedDiskFlow>,
    /// What was written.
    pub writes: Option<StatedDiskFlow>,
    /// What is stated of the disk's limits.
    pub stated: Option<StatedCaps>,
}

/// What a storage benchmark did in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StatedDiskFlow {
    /// Operations per second.
    pub iops: f64,
    /// Bytes per second, where reported beside the operations.
    pub bytes_per_s: Option<f64>,
    /// Mean latency.
    pub latency_ms_mean: Option<f64>,
    /// How far these may be from what was measured since they were rounded.
    pub rounding: Rounding,
}

/// Rounding of the figures of a flow, each as a share of the figure.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rounding {
    /// Of the operations per second.
    pub iops: f64,
    /// Of the bytes per second.
    pub bytes_per_s: f64,
    /// Of the mean latency.
    pub latency: f64,
}

/// A figure of a disk that is not the disk's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beyond {
    /// The side.
    pub side: String,
    /// It, with its unit.
    pub text: String,
    /// Whether it is so far beyond what is stated that only a cache can have answered.
    pub is_cached: bool,
}

/// So many times what is stated are not of the disk: no provider's burst gives as much (30 times, from 100 to 3000
/// requests per second, is the most that is known).
pub(super) const CACHED: f64 = 40.0;

/// A rate must exceed what is stated by this share before it is called faster.
pub(super) const FASTER: f64 = 1.10;

/// A difference between a candidate and the baseline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SideDifference {
    /// The candidate.
    pub candidate: String,
    /// What differs.
    pub difference: FactDifference,
}

impl Material {
    /// Its sides in number, such as `2 sides`.
    pub fn extent_of_sides(&self) -> String {
        count_in_words(self.sides.len(), "side")
    }

    /// What was looked at of these trials, such as `6 cells, 2 sides`.
    pub fn extent_of_trials<'a>(trials: impl IntoIterator<Item = &'a TrialAccount>) -> String {
        let mut cells: BTreeSet<(&str, &str, ClientCount)> = BTreeSet::new();
        let mut sides: BTreeSet<&str> = BTreeSet::new();
        for trial in trials {
            cells.insert((&trial.side, &trial.workload, trial.clients));
            sides.insert(&trial.side);
        }
        format!("{}, {}", count_in_words(cells.len(), "cell"), count_in_words(sides.len(), "side"))
    }

    /// That a rule holds for all of its trials, for the same reason.
    pub(super) fn holds_for_all_trials(&self, reason: &str) -> CheckResult {
        CheckResult::rule_holds(vec![VerdictFigure::within_rule(Self::extent_of_trials(&self.trials), reason)])
    }

    fn cells_of_side(&self, side: &str) -> BTreeSet<(&str, ClientCount)> {
        let here = self.trials.iter().filter(|trial| trial.side == side);
        here.map(|trial| (trial.workload.as_str(), trial.clients)).collect()
    }

    fn jobs_of_side(&self, side: &str) -> BTreeSet<&str> {
        self.stages.iter().filter(|stage| stage.side == side).map(|stage| stage.job.as_str()).collect()
    }

    /// Candidates that were measured, but nowhere as the baseline was: in no workload at the same number of clients, or
    /// in no storage job of the same name. Each is a sentence.
    pub(super) fn sides_without_common_cell(&self) -> Vec<String> {
        let Some((baseline, candidates)) = self.sides.split_first() else { return Vec::new() };
        let (cells, jobs) = (self.cells_of_side(&baseline.name), self.jobs_of_side(&baseline.name));
        let mut sentences = Vec::new();
        for candidate in candidates {
            let names = format!("{} and {}", baseline.name, candidate.name);
            let (their_cells, their_jobs) = (self.cells_of_side(&candidate.name), self.jobs_of_side(&candidate.name));
            if !cells.is_empty() && !their_cells.is_empty() && cells.is_disjoint(&their_cells) {
                sentences.push(format!(
                    "{names} have no cell in common (a workload at a number of clients): none of their throughputs and \
                     latencies can be compared"
                ));
            }
            if !jobs.is_empty() && !their_jobs.is_empty() && jobs.is_disjoint(&their_jobs) {
                sentences.push(format!(
                    "{names} have no storage job in common: none of their disks' figures can be compared"
                ));
            }
        }
        sentences
    }

    /// What was looked at of these storage jobs, such as `3 jobs, 2 sides`.
    pub fn extent_of_jobs<'a>(stages: impl IntoIterator<Item = &'a StatedDiskStage>) -> String {
        let mut jobs: BTreeSet<&str> = BTreeSet::new();
        let mut sides: BTreeSet<&str> = BTreeSet::new();
        for stage in stages {
            jobs.insert(&stage.job);
            sides.insert(&stage.side);
        }
        format!("{}, {}", count_in_words(jobs.len(), "storage job"), count_in_words(sides.len(), "side"))
    }

    /// The side of this name.
    pub fn side_by_name(&self, name: &str) -> Option<&AuditedSide> {
        self.sides.iter().find(|side| side.name == name)
    }
}

/// Such as `1 cell` and `6 cells`.
fn count_in_words(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

impl TrialAccount {
    /// Its place in words, such as `vm, read, 8 clients`.
    pub fn place_in_words(&self) -> String {
        format!("{}, {}, {}", self.side, self.workload, crate::units::format_clients(self.clients))
    }

    /// Whether its transactions write: by its script, or by what its tool counted; absent where nobody says.
    pub fn writes_data(&self) -> Option<bool> {
        self.script.map(|script| script.writes).or(self.wrote)
    }

    /// How long it lasted: as recorded, or from what it completed.
    pub fn lasted_s(&self) -> Option<f64> {
        self.measured_s.or_else(|| Some(self.transactions? as f64 / self.throughput_per_s.filter(|tps| *tps > 0.0)?))
    }

    /// Size of its data, in bytes: as read, as declared, or from pgbench's scale.
    pub fn size_bytes(&self) -> Option<u64> {
        self.data_bytes.or(self.declared_data_bytes).or_else(|| Some(bytes_of_scale(self.scale?)))
    }

    /// Transactions under way on average, by Little's law: throughput × time of a client's round.
    /// Absent where the throughput may be that of queries, and the latency that of transactions.
    pub fn in_flight(&self) -> Option<f64> {
        let is_one = self.script.is_some_and(|script| script.statements == Some(1));
        let round_ms = self.latency_ms_mean? + self.between_ms.into_iter().sum::<f64>();
        Some(self.throughput_per_s? * round_ms / 1e3).filter(|_| is_one || !self.counts_queries)
    }

    /// By how much what was under way may be off since its figures were rounded, as a share.
    pub fn rounding_error_share(&self) -> f64 {
        share_of_figure(self.throughput_rounding, self.throughput_per_s)
            + share_of_figure(self.latency_ms_rounding, self.latency_ms_mean)
    }
}

fn share_of_figure(half: f64, of: Option<f64>) -> f64 {
    of.filter(|of| *of > 0.0).map_or(0.0, |of| half / of)
}

impl StatedScript {
    /// A script that pgbench has built in, by any of the names that pgbench and people give it. A name that says
    /// more, such as `tpcb as one function call`, is of another script.
    pub fn from_name(name: &str) -> Option<Self> {
        let words = lowercase_words(name);
        let others: String = words.iter().filter(|word| !BESIDE_SCRIPT.contains(&word.as_str())).cloned().collect();
        let of =
            |statements, writes, updates_branch| Some(Self { statements: Some(statements), writes, updates_branch });
        match others.as_str() {
            "selectonly" => of(1, false, false),
            "simpleupdate" => of(5, true, false),
            "tpcb" | "tpcblike" | "tpcbsortof" => of(7, true, true),
            _ => None,
        }
    }
}

/// Words beside the name of a script that leave it as it is.
const BESIDE_SCRIPT: [&str; 18] = [
    "pgbench",
    "builtin",
    "default",
    "workload",
    "script",
    "test",
    "in",
    "memory",
    "inmemory",
    "disk",
    "bound",
    "diskbound",
    "cached",
    "scale",
    "of",
    "extended",
    "prepared",
    "mode",
];

/// Words in lower case; `TPC-B` is one.
pub(super) fn lowercase_words(name: &str) -> Vec<String> {
    let name = name.to_lowercase().replace("tpc-b", "tpcb").replace("tpc b", "tpcb");
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

impl Residency {
    /// What a name such as `disk-bound` or `in-memory read` claims; none where it says so of something else, or not
    /// of all data: `uncached`, `cached plans`, `partly in memory`.
    pub fn from_claimed_name(name: &str) -> Option<Self> {
        let mut words = lowercase_words(name);
        words.retain(|word| !matches!(word.as_str(), "the" | "main" | "physical" | "available"));
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        let says = |phrase: &[&str]| words.windows(phrase.len()).any(|found| found == phrase);
        let says_of_memory =
            |before: &&[&str]| ["memory", "ram"].iter().any(|memory| says(&[*before, &[*memory]].concat()));
        let is_larger = [&["larger", "than"][..], &["bigger", "than"], &["exceeds"], &["exceeding"]];
        let fits = [&["in"][..], &["fits", "into"], &["smaller", "than"]];
        let of_disk = has(&["diskbound", "iobound"]) || says(&["disk", "bound"]) || says(&["io", "bound"]);
        if has(&NOT_OF_DATA) {
            None
        } else if of_disk || is_larger.iter().any(says_of_memory) {
            Some(Self::Disk)
        } else if has(&["inmemory", "cached"]) || fits.iter().any(says_of_memory) {
            Some(Self::Memory)
        } else if has(&["fill", "fills", "filling"]) && says(&["shared", "buffers"]) {
            Some(Self::WholeBuffers)
        } else if has(&["warm", "warmed"]) && !says(&["warm", "up"]) {
            Some(Self::Warm)
        } else {
            None
        }
    }
}

/// Words beside which a claim is not one of all data.
const NOT_OF_DATA: [&str; 17] = [
    "not",
    "non",
    "no",
    "un",
    "partly",
    "partially",
    "half",
    "mostly",
    "plan",
    "plans",
    "statement",
    "statements",
    "prepared",
    "query",
    "queries",
    "catalog",
    "result",
];

/// About the size of pgbench's tables with their indexes: 100 000 accounts of a scale take 15 MiB (`pgbench -i` of
/// PostgreSQL 14 to 18).
pub(super) fn bytes_of_scale(scale: u32) -> u64 {
    u64::from(scale) * (15 << 20)
}

/// Figures of storage are often reported with two digits.
const MORE_THAN: f64 = 1.1;

impl StatedDiskStage {
    /// Operations under way on average, by Little's law: Σ IOPS × mean latency. Absent where the latencies may leave
    /// out what the job waits for, which is [`Self::may_wait_for_sync`], or for what it waited on purpose.
    pub fn in_flight(&self) -> Option<f64> {
        self.iops_times_latency().filter(|_| !self.may_wait_for_sync() && !self.paced)
    }

    /// By how much what was under way may be off since its figures were rounded, as a share.
    pub fn rounding_error_share(&self) -> f64 {
        self.read_and_write_flows().map(|flow| flow.rounding.iops + flow.rounding.latency).fold(0.0, f64::max)
    }

    /// Whether the job waits, or may wait, for syncs, whose time is not in the latency of a write. One that syncs every
    /// write has at most one under way per process, so more than that tells that it does not.
    pub fn may_wait_for_sync(&self) -> bool {
        let more_than_syncs = || {
            let of_syncing = self.jobs.map(f64::from).or(self.stated_in_flight.filter(|depth| *depth <= 1.0));
            self.iops_times_latency().zip(of_syncing).is_some_and(|(under_way, most)| under_way > MORE_THAN * most)
        };
        self.writes.is_some() && self.synced.unwrap_or_else(|| !more_than_syncs())
    }

    fn iops_times_latency(&self) -> Option<f64> {
        let flows: Vec<&StatedDiskFlow> = self.read_and_write_flows().collect();
        let each: Option<Vec<f64>> = flows.iter().map(|flow| Some(flow.iops * flow.latency_ms_mean? / 1e3)).collect();
        each.filter(|each| !each.is_empty()).map(|each| each.iter().sum())
    }

    /// The least and the most operations per second of its executions; absent where there is one.
    pub fn range_of_executions(&self) -> Option<[f64; 2]> {
        range_of_figures(&self.executions_iops)
    }

    /// Operations per second in both directions; absent when nothing is known of either.
    pub fn total_iops(&self) -> Option<f64> {
        self.read_and_write_flows().map(|flow| flow.iops).reduce(|sum, iops| sum + iops)
    }

    /// Whether it is as fast as is stated of the disk, within a tenth.
    pub fn is_at_stated(&self) -> bool {
        let bytes_per_s = self.total_iops().zip(self.block_bytes).map(|(iops, bytes)| iops * bytes as f64);
        self.stated
            .is_some_and(|caps| is_at_limit(self.total_iops(), caps.iops) || is_at_limit(bytes_per_s, caps.bytes_per_s))
    }

    /// What was read and written.
    pub fn read_and_write_flows(&self) -> impl Iterator<Item = &StatedDiskFlow> {
        self.reads.iter().chain(&self.writes)
    }
}

fn is_at_limit(rate: Option<f64>, stated: Option<u64>) -> bool {
    rate.zip(stated).is_some_and(|(rate, stated)| (rate / stated as f64 - 1.0).abs() <= FASTER - 1.0)
}
