//! What another tool, or a person's table, told of a trial that pgdyno did not make.
//!
//! Every figure may be missing, and none is filled in: a tool that prints a mean has no percentiles. Figures are those
//! of the source in base units; nothing is computed here but units.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::disk::StatedCaps;
use crate::shared::Shared;
use crate::trial::QueryTotals;

/// The figures of one trial as they were told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatedFigures {
    /// What rows of a table mostly tell alike, or not at all.
    #[serde(flatten)]
    pub detail: Shared<StatedDetail>,
    /// Completed transactions per second, without the time to connect where the tool tells both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput_per_s: Option<f64>,
    /// Completed transactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transactions: Option<u64>,
    /// Latency of the completed transactions.
    #[serde(default, skip_serializing_if = "ToldLatency::is_empty")]
    pub latency: ToldLatency,
}

/// What is told of a trial beside its throughput and its latency. Outputs tell it of each trial, and most tables of
/// none, or the same of all: then it takes room once.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatedDetail {
    /// How long it was to run, in seconds, as its options or its author say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s_stated: Option<f64>,
    /// How long it ran, in seconds, by its own clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_s: Option<f64>,
    /// Transactions that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<u64>,
    /// Figures that a table has beyond these, by column with its unit, such as `read_iops`.
    #[serde(default, skip_serializing_if = "OtherFigures::is_empty")]
    pub figures: OtherFigures,
    /// What it mostly has in common with others: compared last, since it takes longest.
    #[serde(flatten)]
    pub common: Shared<StatedCommon>,
}

/// Figures by what they are called; most rows of tables have none, which takes no room.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
#[expect(clippy::box_collection, reason = "an empty map takes 24 bytes of each of a million rows, and no box 8")]
pub struct OtherFigures(Option<Box<BTreeMap<String, f64>>>);

static NO_FIGURES: BTreeMap<String, f64> = BTreeMap::new();

impl OtherFigures {
    fn is_empty(&self) -> bool {
        BTreeMap::is_empty(self)
    }
}

impl From<BTreeMap<String, f64>> for OtherFigures {
    fn from(figures: BTreeMap<String, f64>) -> Self {
        if figures.is_empty() { Self(None) } else { Self(Some(Box::new(figures))) }
    }
}

impl From<OtherFigures> for BTreeMap<String, f64> {
    fn from(figures: OtherFigures) -> Self {
        figures.0.map_or_else(Self::new, |figures| *figures)
    }
}

impl Deref for OtherFigures {
    type Target = BTreeMap<String, f64>;

    fn deref(&self) -> &BTreeMap<String, f64> {
        self.0.as_deref().unwrap_or(&NO_FIGURES)
    }
}

impl DerefMut for OtherFigures {
    fn deref_mut(&mut self) -> &mut BTreeMap<String, f64> {
        self.0.get_or_insert_default()
    }
}

impl PartialEq for OtherFigures {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Deref for StatedFigures {
    type Target = StatedDetail;

    fn deref(&self) -> &StatedDetail {
        &self.detail
    }
}

impl DerefMut for StatedFigures {
    fn deref_mut(&mut self) -> &mut StatedDetail {
        &mut self.detail
    }
}

impl From<StatedDetail> for StatedFigures {
    fn from(detail: StatedDetail) -> Self {
        Self { detail: detail.into(), ..Self::default() }
    }
}

impl Deref for StatedDetail {
    type Target = StatedCommon;

    fn deref(&self) -> &StatedCommon {
        &self.common
    }
}

impl DerefMut for StatedDetail {
    fn deref_mut(&mut self) -> &mut StatedCommon {
        &mut self.common
    }
}

/// What trials that are repetitions of each other, or rows of a table, mostly have in common: what was asked for, and
/// what few tools tell.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatedCommon {
    /// The tool that measured, such as `pgbench`; absent where a table does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the transactions do, as told: `select-only`, `tpcb-like`, a script's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// What tells this cell from others besides target, workload and clients, such as `scenario` = `in-memory`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// Scale of pgbench's tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<u32>,
    /// `simple`, `extended` or `prepared`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_mode: Option<String>,
    /// The generator's threads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// The rate that was offered, in transactions per second; absent in a closed loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_per_s: Option<f64>,
    /// What a client waits on purpose between two transactions, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thinking_ns: Option<f64>,
    /// What a client takes to connect for each transaction, in nanoseconds, where that is not in its latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconnecting_ns: Option<f64>,
    /// Whether every transaction made a connection of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reconnects: bool,
    /// Transactions that were asked for, where their number ended the trial; each client has its share, and may be done
    /// before the others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transactions_stated: Option<u64>,
    /// Whether what is counted here are queries, of which a transaction may have several.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub counts_queries: bool,
    /// Arrivals for which nothing was begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<u64>,
    /// Completed transactions over the latency limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<u64>,
    /// Transactions that were tried more than once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retried: Option<u64>,
    /// How often they were tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<u64>,
    /// The statements by what they did, as sysbench tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queries: Option<QueryTotals>,
    /// Schedule lag of an open loop.
    #[serde(default, skip_serializing_if = "ToldLatency::is_empty")]
    pub lag: ToldLatency,
    /// Time until all clients were connected, in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connecting_ns: Option<f64>,
}

/// Latency as told, in nanoseconds.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(from = "LatencyFields")]
pub struct ToldLatency {
    /// Arithmetic mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// What is told beside the mean; of most rows of tables that is nothing, which takes no room.
    #[serde(flatten)]
    spread: Option<Box<LatencySpread>>,
}

impl ToldLatency {
    /// A mean, in nanoseconds, with what is told beside it.
    #[must_use]
    pub fn with_spread(mean_ns: Option<f64>, spread: LatencySpread) -> Self {
        let spread = if spread == NO_SPREAD { None } else { Some(Box::new(spread)) };
        Self { mean_ns, spread }
    }

    /// A mean alone, in nanoseconds.
    #[must_use]
    pub fn of_mean(mean_ns: f64) -> Self {
        Self { mean_ns: Some(mean_ns), spread: None }
    }

    /// Whether nothing was told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Deref for ToldLatency {
    type Target = LatencySpread;

    fn deref(&self) -> &LatencySpread {
        self.spread.as_deref().unwrap_or(&NO_SPREAD)
    }
}

impl DerefMut for ToldLatency {
    fn deref_mut(&mut self) -> &mut LatencySpread {
        self.spread.get_or_insert_default()
    }
}

impl PartialEq for ToldLatency {
    fn eq(&self, other: &Self) -> bool {
        self.mean_ns == other.mean_ns && **self == **other
    }
}

/// Latency as it is written: all fields beside each other.
#[derive(Deserialize)]
struct LatencyFields {
    #[serde(default)]
    mean_ns: Option<f64>,
    #[serde(flatten)]
    spread: LatencySpread,
}

impl From<LatencyFields> for ToldLatency {
    fn from(fields: LatencyFields) -> Self {
        Self::with_spread(fields.mean_ns, fields.spread)
    }
}

static NO_SPREAD: LatencySpread =
    LatencySpread { stddev_ns: None, min_ns: None, max_ns: None, percentiles_ns: BTreeMap::new() };

/// What is told of latencies beside their mean, in nanoseconds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencySpread {
    /// Standard deviation over transactions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stddev_ns: Option<f64>,
    /// Smallest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_ns: Option<f64>,
    /// Largest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<f64>,
    /// Percentiles by name: `p50`, `p95`, `p99.9`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub percentiles_ns: BTreeMap<String, f64>,
}

/// What a table tells of one job of a storage benchmark on one target.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToldStorage {
    /// The target.
    pub target: String,
    /// The job's name.
    pub job: String,
    /// File and line, such as `fio.csv:2`.
    pub source: String,
    /// Size of one request in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_bytes: Option<u64>,
    /// Jobs alike at the same time, as stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<u32>,
    /// Requests of one job in flight at most, as stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Size of the file or volume that the job works on, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file_bytes: Option<u64>,
    /// What was read.
    #[serde(default, skip_serializing_if = "ToldFlow::is_empty")]
    pub read: ToldFlow,
    /// What was written.
    #[serde(default, skip_serializing_if = "ToldFlow::is_empty")]
    pub write: ToldFlow,
    /// Share of the time in which the device had a request under way, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub utilisation: Option<f64>,
    /// What is stated of the disk's limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "declared", alias = "stated")]
    pub stated: Option<StatedCaps>,
    /// Figures besides, by column.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub figures: BTreeMap<String, f64>,
}

/// One direction of a storage job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ToldFlow {
    /// Requests per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_per_s: Option<f64>,
    /// Bytes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// From submission to completion.
    #[serde(default, skip_serializing_if = "ToldLatency::is_empty")]
    pub latency: ToldLatency,
}

impl ToldFlow {
    /// Whether nothing was told.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
