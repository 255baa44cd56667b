//! The seconds of every trial, as far as judging and drawing need them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use results::interval::{EngineInterval, IntervalLatency, OpenInterval};
use results::probe_fields::{FieldUnit, ProbeName, host_cpu, pg_checkpointer};
use results::told::ToldLatency;
use results::trial::{Trial, TrialPhase};
use serde::Deserialize;

use super::named::NamedEntries;

/// A line of `intervals.jsonl`, as far as anything is concluded from it.
#[derive(Debug, Deserialize)]
pub struct SeriesLine<'a> {
    /// Warm-up or measurement.
    pub phase: TrialPhase,
    /// Number of the second within its phase, from 0.
    pub index: u32,
    /// Start, in microseconds since the load's start.
    pub start_us: u64,
    /// Length in microseconds; zero in an empty last one, as an interruption may leave it.
    pub duration_us: u64,
    /// For how much of it the side had its turn; absent where sides did not take turns.
    #[serde(default)]
    pub turn_us: Option<u64>,
    /// Transactions that ended.
    pub transactions: u64,
    /// Transactions that failed.
    pub failed: u64,
    /// Clients without a connection at its end.
    #[serde(default)]
    pub clients_out: u32,
    /// Attempts to connect of clients that had lost their connections.
    #[serde(default)]
    pub attempts: u64,
    /// The arrivals of an open loop.
    #[serde(default)]
    pub open: Option<OpenInterval>,
    /// Latency; absent when no transaction ended.
    pub latency: Option<IntervalLatency>,
    /// Latency as another tool told it.
    #[serde(default, rename = "reported", alias = "told")]
    pub told: Option<ToldLatency>,
    /// What the load engine spent itself; absent where another program sent the load.
    pub engine: Option<EngineInterval>,
    /// What the probes read, by probe.
    #[serde(default, borrow)]
    pub probes: NamedEntries<'a, ProbeReading<'a>>,
}

/// A reading as it stands in the file: values with their time, or the reason for a gap.
#[derive(Debug, Deserialize)]
pub struct ProbeReading<'a> {
    /// What the values span, in microseconds.
    pub over_us: Option<u64>,
    /// The figures by name; absent in a gap.
    #[serde(borrow)]
    pub values: Option<NamedEntries<'a, f64>>,
    /// Why nothing could be read.
    pub gap: Option<String>,
}

/// One second of a trial, or a longer interval where another tool told no seconds.
#[derive(Debug, Clone)]
pub struct SecondFigures {
    /// Warm-up or measurement.
    pub phase: TrialPhase,
    /// Start, in microseconds since the load's start.
    pub start_us: u64,
    /// Length in microseconds.
    pub duration_us: u64,
    /// For how much of it the load could begin transactions: all of it, or as long as its side had its turn.
    pub worked_us: u64,
    /// Transactions that ended.
    pub transactions: u64,
    /// Transactions that failed.
    pub failed: u64,
    /// Clients without a connection.
    pub clients_out: u32,
    /// Attempts to connect of clients that had lost their connections.
    pub attempts: u64,
    /// The arrivals of an open loop.
    pub open: Option<OpenInterval>,
    /// Latency; absent when no transaction ended.
    pub latency: Option<SecondLatency>,
    /// Latency as another tool told it, which pgdyno did not measure.
    pub told: Option<ToldLatency>,
    /// Share of all CPUs of the host that was not idle, in percent; absent where it could not be read.
    pub cpu_percent: Option<f64>,
    /// Whether a checkpoint was begun or finished.
    pub has_checkpoint: bool,
}

/// Latency percentiles of one second, in nanoseconds.
#[derive(Debug, Clone, Copy)]
pub struct SecondLatency {
    /// 50th percentile.
    pub p50_ns: u64,
    /// 95th percentile.
    pub p95_ns: u64,
    /// 99th percentile.
    pub p99_ns: u64,
}

impl From<&SeriesLine<'_>> for SecondFigures {
    fn from(line: &SeriesLine<'_>) -> Self {
        let read = |probe: ProbeName| line.probes.get(probe.as_str())?.values.as_ref();
        Self {
            phase: line.phase,
            start_us: line.start_us,
            duration_us: line.duration_us,
            worked_us: line.worked_us(),
            transactions: line.transactions,
            failed: line.failed,
            clients_out: line.clients_out,
            attempts: line.attempts,
            open: line.open,
            latency: line.latency.as_ref().map(|latency| SecondLatency {
                p50_ns: latency.p50_ns,
                p95_ns: latency.p95_ns,
                p99_ns: latency.p99_ns,
            }),
            told: line.told.clone(),
            cpu_percent: read(host_cpu::PROBE).and_then(busy_percent),
            has_checkpoint: read(pg_checkpointer::PROBE).is_some_and(has_checkpoint),
        }
    }
}

fn busy_percent(cpu: &NamedEntries<'_, f64>) -> Option<f64> {
    let times = host_cpu::PROBE.fields().iter().filter(|field| field.unit == FieldUnit::CpuUs);
    let spent: f64 = times.filter_map(|field| cpu.get(field.name)).sum();
    let idle = cpu.get(host_cpu::IDLE_US.name)? + cpu.get(host_cpu::IOWAIT_US.name)?;
    (spent > 0.0).then(|| 100.0 * (1.0 - idle / spent))
}

fn has_checkpoint(checkpointer: &NamedEntries<'_, f64>) -> bool {
    let begun = [pg_checkpointer::TIMED, pg_checkpointer::REQUESTED];
    begun.iter().any(|field| checkpointer.get(field.name).is_some_and(|count| *count > 0.0))
}

/// Less of a second than this share, and it tells no rate of a side that takes turns: a turn that ended as it began.
const TELLING: f64 = 0.1;

impl SeriesLine<'_> {
    /// For how much of it the load could begin transactions, in microseconds.
    pub(super) fn worked_us(&self) -> u64 {
        self.turn_us.unwrap_or(self.duration_us)
    }
}

/// Per second of the time in which the load could begin transactions; none where that was too short to tell.
pub(super) fn per_s(count: u64, worked_us: u64, duration_us: u64) -> Option<f64> {
    let tells = worked_us > 0 && worked_us as f64 >= TELLING * duration_us as f64;
    tells.then(|| count as f64 * 1e6 / worked_us as f64)
}

impl SecondFigures {
    /// Transactions per second in which the side could send; absent for a second that is empty, or hardly the side's.
    pub fn throughput_per_s(&self) -> Option<f64> {
        per_s(self.transactions, self.worked_us, self.duration_us)
    }

    /// Transactions per second that an open loop offered.
    pub fn offered_per_s(&self) -> Option<f64> {
        per_s(self.open?.offered, self.worked_us, self.duration_us)
    }

    /// Its end, in seconds since the load's start.
    pub fn end_s(&self) -> f64 {
        (self.start_us + self.duration_us) as f64 / 1e6
    }
}

/// Something of all trials, by trial number, read in parallel.
///
/// # Errors
/// When a file cannot be read.
pub(super) fn read_all_trials<T: Send>(
    trials: &[Trial],
    of_trial: impl Fn(u32) -> results::Result<T> + Sync,
) -> results::Result<BTreeMap<u32, T>> {
    let workers = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = trials.len().div_ceil(workers).max(1);
    let parts: Vec<results::Result<BTreeMap<u32, T>>> = std::thread::scope(|scope| {
        let read_part = |part: &[Trial]| part.iter().map(|t| Ok((t.number, of_trial(t.number)?))).collect();
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
pub(super) fn seconds_of_trial(lines: &[SeriesLine<'_>]) -> Vec<SecondFigures> {
    lines.iter().filter(|line| line.duration_us > 0).map(SecondFigures::from).collect()
}
