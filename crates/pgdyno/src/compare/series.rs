//! The seconds of every trial, as far as judging and drawing need them, read in parallel.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use results::interval::Reading;
use results::store::RunDir;
use results::trial::{Phase, Trial};
use serde::Deserialize;

use crate::problem::Problem;

/// One second of a trial.
#[derive(Debug, Clone, Deserialize)]
pub struct Second {
    /// Warm-up or measurement.
    pub phase: Phase,
    /// Start, in microseconds since the load's start.
    pub start_us: u64,
    /// Length in microseconds.
    pub duration_us: u64,
    /// Transactions that ended.
    pub transactions: u64,
    /// Transactions that failed.
    pub failed: u64,
    /// Clients without a connection.
    #[serde(default)]
    pub clients_out: u32,
    /// Latency; absent when no transaction ended.
    pub latency: Option<SecondLatency>,
    /// What the drawn probes read.
    #[serde(default)]
    pub probes: DrawnProbes,
}

/// Latency percentiles of one second, in nanoseconds.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct SecondLatency {
    /// 50th percentile.
    pub p50_ns: u64,
    /// 95th percentile.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
}

/// The probes that are drawn; the others are left unread.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct DrawnProbes {
    /// CPU time of the server's host.
    #[serde(rename = "host.cpu")]
    pub cpu: Option<Reading>,
    /// Checkpoints.
    #[serde(rename = "pg.checkpointer")]
    pub checkpointer: Option<Reading>,
}

impl Second {
    /// Transactions per second; absent for an empty second.
    pub fn throughput_per_s(&self) -> Option<f64> {
        (self.duration_us > 0).then(|| self.transactions as f64 * 1e6 / self.duration_us as f64)
    }

    /// Share of all CPUs of the host that was not idle, in percent; absent where it could not be read.
    pub fn cpu_percent(&self) -> Option<f64> {
        let Some(Reading::Values { values, .. }) = &self.probes.cpu else { return None };
        let spent: f64 = values.iter().filter(|(name, _)| name.ends_with("_us")).map(|(_, us)| us).sum();
        let idle = values.get("idle_us")? + values.get("iowait_us")?;
        (spent > 0.0).then(|| 100.0 * (1.0 - idle / spent))
    }

    /// Whether a checkpoint was begun or finished in this second.
    pub fn has_checkpoint(&self) -> bool {
        let Some(Reading::Values { values, .. }) = &self.probes.checkpointer else { return false };
        ["timed", "requested"].iter().any(|name| values.get(*name).is_some_and(|n| *n > 0.0))
    }

    /// Its end, in seconds since the load's start.
    pub fn end_s(&self) -> f64 {
        (self.start_us + self.duration_us) as f64 / 1e6
    }
}

/// The seconds of all trials, by trial number.
///
/// # Errors
/// When a file cannot be read.
pub fn read(dir: &RunDir, trials: &[Trial]) -> Result<BTreeMap<u32, Vec<Second>>, Problem> {
    let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = trials.len().div_ceil(workers).max(1);
    let parts: Vec<results::Result<BTreeMap<u32, Vec<Second>>>> = std::thread::scope(|scope| {
        let read_part = |part: &[Trial]| part.iter().map(|t| Ok((t.number, seconds(dir, t.number)?))).collect();
        let workers: Vec<_> = trials.chunks(share).map(|part| scope.spawn(move || read_part(part))).collect();
        workers.into_iter().map(|worker| worker.join().expect("reading does not panic")).collect()
    });
    let mut all = BTreeMap::new();
    for part in parts {
        all.extend(part?);
    }
    Ok(all)
}

/// The seconds of one trial; an empty last one, as an interruption may leave it, has no figures per second.
fn seconds(dir: &RunDir, number: u32) -> results::Result<Vec<Second>> {
    let mut seconds: Vec<Second> = dir.intervals_as(number)?;
    seconds.retain(|second| second.duration_us > 0);
    Ok(seconds)
}
