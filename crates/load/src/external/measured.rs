//! What an external generator measured, and what it cannot tell.

use super::program::InstalledTool;
use crate::report::{LoadPhase, Summary};
use std::fmt;

/// One run of an external generator.
#[derive(Debug)]
pub struct ExternalRun {
    /// The tool with its version.
    pub program: InstalledTool,
    /// Its arguments; they hold no secret.
    pub arguments: Vec<String>,
    /// Its figures as those of the engine. What [`missing`](Self::missing)
    /// lists is empty or zero in it and means nothing.
    pub summary: Summary,
    /// What the tool cannot tell.
    pub missing: Vec<UnavailableFigure>,
    /// What it printed on standard output, for the record.
    pub printed: String,
}

/// Something that the engine tells and an external generator does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnavailableFigure {
    /// CPU time, loop lag and all else about the generator itself, so that nobody can tell whether it was the limit.
    Engine,
    /// Outages: a lost connection ends the run as failed.
    Outages,
    /// Transactions under way at the end.
    Unfinished,
    /// Percentiles for each second: the log has them for the whole run only.
    LatencyBySecond,
    /// What a transaction of an open loop waited for before it began: a free client, or the generator itself.
    LagByCause,
    /// Latencies of single transactions: the histogram's steps are 1.8 % wide, minimum and maximum among them.
    ExactLatency,
    /// Mean and standard deviation, which are computed from the histogram.
    ExactMean,
    /// The number of failed transactions by SQLSTATE: those that the tool ignores it counts together.
    FailuresByCode,
}

impl fmt::Display for UnavailableFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnavailableFigure::Engine => "whether the generator was the bottleneck",
            UnavailableFigure::Outages => "outages (a lost connection ends its run)",
            UnavailableFigure::Unfinished => "transactions in progress at the end",
            UnavailableFigure::LatencyBySecond => "percentiles for each second",
            UnavailableFigure::LagByCause => "causes of the schedule lag",
            UnavailableFigure::ExactLatency => "latencies finer than 1.8 %",
            UnavailableFigure::ExactMean => "the exact mean",
            UnavailableFigure::FailuresByCode => "failures by SQLSTATE",
        })
    }
}

/// What happens while a tool runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ToolEvent {
    /// The tool is started for a phase. It connects first, so that its first second begins a little later.
    Began {
        phase: LoadPhase,
        /// Nanoseconds since the work was begun.
        start_ns: u64,
    },
    /// Another second of the phase has ended.
    Second(ToolProgress),
}

/// What a tool tells about the last second or so while it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ToolProgress {
    pub phase: LoadPhase,
    /// The how manieth of the phase, from 0.
    pub index: u32,
    /// Successful transactions per second.
    pub tps: f64,
    /// Mean latency in milliseconds.
    pub latency_mean_ms: Option<f64>,
    /// Standard deviation of the latency in milliseconds.
    pub latency_stddev_ms: Option<f64>,
    /// A percentile of the latency: which, in percent, and its value in milliseconds.
    pub latency_percentile_ms: Option<(f64, f64)>,
    /// Failed transactions: in pgbench those of the interval, in sysbench errors per second.
    pub failed: Option<f64>,
    /// Mean schedule lag in milliseconds.
    pub lag_mean_ms: Option<f64>,
    /// Transactions that were due and not begun.
    pub skipped: Option<u64>,
}
