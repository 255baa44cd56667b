//! The metrics of a trial that are compared as ratios.

use results::trial::{LatencySummary, Trial};
use serde::Serialize;
use stats::verdict::Better;

/// A figure of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Transactions completed per second of the measurement phase.
    Throughput,
    /// Mean latency.
    LatencyMean,
    /// 50th percentile of latency.
    LatencyP50,
    /// 95th percentile of latency.
    LatencyP95,
    /// 99th percentile of latency.
    LatencyP99,
    /// 99.9th percentile of latency.
    LatencyP999,
}

impl Metric {
    /// All of them, the one that decides the verdict first.
    pub const ALL: [Self; 6] =
        [Self::Throughput, Self::LatencyMean, Self::LatencyP50, Self::LatencyP95, Self::LatencyP99, Self::LatencyP999];

    /// The direction that is good.
    pub fn better(self) -> Better {
        match self {
            Self::Throughput => Better::Higher,
            Self::LatencyMean | Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 | Self::LatencyP999 => {
                Better::Lower
            }
        }
    }

    /// The unit of [`Metric::of`].
    pub fn unit(self) -> &'static str {
        match self {
            Self::Throughput => "tps",
            Self::LatencyMean | Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 | Self::LatencyP999 => "ms",
        }
    }

    /// The figure of one trial, in transactions per second or milliseconds; absent when nothing was completed.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        let load = trial.load.as_ref()?;
        if load.transactions == 0 || load.measure_us == 0 {
            return None;
        }
        let ms = |read: fn(&LatencySummary) -> f64| load.latency.as_ref().map(|latency| read(latency) / 1e6);
        match self {
            Self::Throughput => Some(load.transactions as f64 * 1e6 / load.measure_us as f64),
            Self::LatencyMean => ms(|l| l.mean_ns),
            Self::LatencyP50 => ms(|l| l.p50_ns as f64),
            Self::LatencyP95 => ms(|l| l.p95_ns as f64),
            Self::LatencyP99 => ms(|l| l.p99_ns as f64),
            Self::LatencyP999 => ms(|l| l.p999_ns as f64),
        }
    }
}
