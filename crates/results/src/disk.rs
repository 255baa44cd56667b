//! `disk/<target>/<stage>/`: what fio saw of one disk. `stage.json` says what was asked and what came of it, `fio.json`
//! is fio's own output as it wrote it, `seconds.jsonl` the series.
//!
//! A stage is one execution of fio. Figures are fio's, in base units; what they mean is concluded elsewhere.

use std::path::PathBuf;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::facts::DataDirectoryDisk;

/// The newest format of `stage.json`.
pub const FORMAT: u32 = 2;

/// The name of the stage that writes the whole file before anything is measured.
pub const PRECONDITION: &str = "precondition";

/// One execution of fio on the disk of one target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskStage {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The target, or the name of the directory where no target was named.
    pub target: String,
    /// Its name, unique among the stages of the target, of letters, digits, `-` and `_`: `oltp`,
    /// `depth-8`, or a job file's.
    pub name: String,
    /// Its number among the stages of the target, from 1, in the order of their execution.
    pub order: u32,
    /// Where the file lay that fio read and wrote; absent when imported.
    pub place: Option<DiskFilePlace>,
    /// What the provider of the disk states; nothing when nobody said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(rename = "declared", alias = "stated")]
    pub stated: Option<StatedCaps>,
    /// fio's version as it says it (`fio-3.33`).
    pub fio_version: String,
    /// The job file that fio was given; absent when imported.
    pub definition: Option<String>,
    /// When fio was started; absent when an imported output does not tell.
    pub started_at: Option<Timestamp>,
    /// How it ended.
    pub outcome: StageOutcome,
    /// The name that all executions of one job have in common, where an import has several of them on a target; absent
    /// otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<String>,
    /// What each of fio's reporting groups did, in fio's order.
    pub groups: Vec<DiskGroup>,
    /// The devices below the file, as fio counted their work over the stage.
    pub devices: Vec<DeviceUse>,
    /// Why there is no series; absent when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series_gap: Option<String>,
}

/// The file that fio works on, and what could hold it other than the disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskFilePlace {
    /// The directory that was measured, links followed.
    pub directory: PathBuf,
    /// Its file system and device; absent when they could not be read.
    pub disk: Option<DataDirectoryDisk>,
    /// Size of the file in bytes; absent for a job file, which says itself.
    pub file_bytes: Option<u64>,
    /// Physical memory of the machine in bytes; absent when it could not be read.
    pub memory_bytes: Option<u64>,
    /// Why a file smaller than twice the memory is right, in the words of the person who chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size_reason: Option<String>,
}

/// The caps of a disk as its provider states them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedCaps {
    /// Requests per second.
    pub iops: Option<u64>,
    /// Bytes per second.
    pub bytes_per_s: Option<u64>,
}

/// How a stage ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StageOutcome {
    /// fio did what it was asked.
    Completed,
    /// A person stopped it; the figures are of the time until then.
    Interrupted,
    /// fio reported an error or did not end; figures, if any, are of the time before.
    Failed {
        /// What fio said.
        error: String,
    },
    /// The plan asked for the disk, and it cannot be reached: nothing was executed.
    NotMeasured {
        /// Why.
        why: String,
    },
}

/// What one reporting group did: one job, or jobs alike that fio reports together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskGroup {
    /// fio's name of the job.
    pub name: String,
    /// fio's `rw` (`randread`, `write`, ...); absent when the output does not tell.
    pub pattern: Option<String>,
    /// Size of one request in bytes; absent when it is a range or untold.
    pub block_bytes: Option<u64>,
    /// fio's `ioengine`; absent when untold.
    pub engine: Option<String>,
    /// Whether the page cache was passed by; absent when untold.
    pub direct: Option<bool>,
    /// fio's `iodepth`: the most requests of one job in flight.
    pub depth: u32,
    /// fio's `numjobs`: jobs alike at the same time.
    pub jobs: u32,
    /// Writes after which each job calls fdatasync or fsync; absent for never.
    pub sync_every: Option<u32>,
    /// Whether its jobs waited on purpose: for a rate that they were not to exceed, or between requests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paced: bool,
    /// Error number of fio; 0 for none.
    pub error: i32,
    /// What was read; absent when nothing was.
    pub read: Option<DiskFlow>,
    /// What was written; absent when nothing was.
    pub write: Option<DiskFlow>,
    /// Calls of fsync and fdatasync; absent when there were none.
    pub sync: Option<SyncCalls>,
    /// CPU time of the jobs as a share of their running time, user and system; absent when untold.
    pub cpu_share: Option<f64>,
}

impl DiskGroup {
    /// Whether this and another, neighbours in an output, are clones of one job: what a job does and how deep is alike.
    #[must_use]
    pub fn is_clone_of(&self, other: &Self) -> bool {
        let asked = |group: &Self| (group.pattern.clone(), group.block_bytes, group.depth, group.sync_every);
        self.name == other.name && asked(self) == asked(other)
    }
}

/// Requests in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskFlow {
    /// Requests that ended.
    pub operations: u64,
    /// Bytes that they moved.
    pub bytes: u64,
    /// Time over which they ended, in milliseconds.
    pub runtime_ms: u64,
    /// Requests per second, as fio computes it.
    pub operations_per_s: f64,
    /// Bytes per second, as fio computes it.
    pub bytes_per_s: f64,
    /// From submission to completion; absent when fio was told not to measure it.
    pub latency: Option<DiskLatency>,
}

/// Calls that wait until the disk has what was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SyncCalls {
    /// How many; absent when untold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations: Option<u64>,
    /// How long each took; absent when untold.
    pub latency: Option<DiskLatency>,
}

/// Latency of requests in nanoseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DiskLatency {
    /// Arithmetic mean.
    pub mean_ns: f64,
    /// Largest.
    pub max_ns: u64,
    /// Percentiles as `[percent, ns]`, ascending; those of the completion, which leaves out the time for submitting.
    pub percentiles: Vec<(f64, u64)>,
}

/// What one block device did during a stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceUse {
    /// Its name (`vda`).
    pub name: String,
    /// Share of the time in which a request was under way, 0 to 1; absent when untold.
    pub utilisation: Option<f64>,
    /// Requests to read that reached it, those included that were merged with others; absent when untold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reads: Option<u64>,
}

/// One entry of a series: the rates since the entry before.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DiskSecond {
    /// Its end, in milliseconds since the stage's start.
    pub end_ms: u64,
    /// Its length in milliseconds.
    pub duration_ms: u64,
    /// Reads; absent when there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<FlowRate>,
    /// Writes; absent when there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<FlowRate>,
}

/// Rates of one direction; absent figures are of logs that were not written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct FlowRate {
    /// Requests per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operations_per_s: Option<f64>,
    /// Bytes per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_per_s: Option<f64>,
    /// Mean latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ns_mean: Option<f64>,
}
