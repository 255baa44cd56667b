//! What an external generator measured, and what it cannot tell.

use super::program::Program;
use crate::report::{Phase, Summary};
use std::fmt;

/// One run of an external generator.
#[derive(Debug)]
pub struct Measured {
    /// The tool with its version.
    pub program: Program,
    /// Its arguments; they hold no secret.
    pub arguments: Vec<String>,
    /// Its figures as those of the engine. What [`missing`](Self::missing)
    /// lists is empty or zero in it and means nothing.
    pub summary: Summary,
    /// What the tool cannot tell.
    pub missing: Vec<Missing>,
    /// What it printed on standard output, for the record.
    pub printed: String,
}

/// Something that the engine tells and an external generator does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
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

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Missing::Engine => "whether the generator was the bottleneck",
            Missing::Outages => "outages (a lost connection ends its run)",
            Missing::Unfinished => "transactions in progress at the end",
            Missing::LatencyBySecond => "percentiles for each second",
            Missing::LagByCause => "causes of the schedule lag",
            Missing::ExactLatency => "latencies finer than 1.8 %",
            Missing::ExactMean => "the exact mean",
            Missing::FailuresByCode => "failures by SQLSTATE",
        })
    }
}

/// What happens while a tool runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event {
    /// The tool is started for a phase. It connects first, so that its first second begins a little later.
    Began {
        phase: Phase,
        /// Nanoseconds since the work was begun.
        start_ns: u64,
    },
    /// Another second of the phase has ended.
    Second(Progress),
}

/// What a tool tells about the last second or so while it runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    pub phase: Phase,
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
