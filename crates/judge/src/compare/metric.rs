//! The metrics of a trial that are compared as ratios.

use results::told::Told;
use results::trial::{LatencySummary, Trial};
use stats::verdict::Better;

use super::question::LoadLoop;

/// A figure of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// The highest rate of a search that kept its limit.
    Capacity,
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
    /// The metrics of a workload, the one that decides the verdict first: of a closed loop how much it gets done, of an
    /// open loop, which gets as much done as is offered, how long that takes, of a search what it searched for.
    pub fn of_loop(load_loop: &LoadLoop) -> &'static [Self] {
        use Metric::{Capacity, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput};
        match load_loop {
            LoadLoop::Closed => &[Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
            LoadLoop::Open { .. } => &[LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput],
            LoadLoop::Capacity(_) => &[Capacity, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
        }
    }

    /// The direction that is good.
    pub fn better(self) -> Better {
        match self {
            Self::Capacity | Self::Throughput => Better::Higher,
            Self::LatencyMean | Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 | Self::LatencyP999 => {
                Better::Lower
            }
        }
    }

    /// The unit of [`Metric::of`].
    pub fn unit(self) -> &'static str {
        match self {
            Self::Capacity | Self::Throughput => "tps",
            Self::LatencyMean | Self::LatencyP50 | Self::LatencyP95 | Self::LatencyP99 | Self::LatencyP999 => "ms",
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Throughput => "throughput",
            Self::LatencyMean => "mean latency",
            Self::LatencyP50 => "median latency",
            Self::LatencyP95 => "p95 latency",
            Self::LatencyP99 => "p99 latency",
            Self::LatencyP999 => "p99.9 latency",
        }
    }

    /// The figure of one trial, in transactions per second or milliseconds; absent when nothing was completed.
    pub fn of(self, trial: &Trial) -> Option<f64> {
        let Some(load) = &trial.load else { return self.of_told(trial.told.as_ref()?) };
        if load.transactions == 0 || load.measure_us == 0 {
            return None;
        }
        let ms = |read: fn(&LatencySummary) -> f64| load.latency.as_ref().map(|latency| read(latency) / 1e6);
        match self {
            Self::Capacity => trial.step.map(|step| step.rate_per_s),
            Self::Throughput => Some(load.transactions as f64 * 1e6 / load.measure_us as f64),
            Self::LatencyMean => ms(|l| l.mean_ns),
            Self::LatencyP50 => ms(|l| l.p50_ns as f64),
            Self::LatencyP95 => ms(|l| l.p95_ns as f64),
            Self::LatencyP99 => ms(|l| l.p99_ns as f64),
            Self::LatencyP999 => ms(|l| l.p999_ns as f64),
        }
    }

    /// The same as another tool told it.
    fn of_told(self, told: &Told) -> Option<f64> {
        let percentile = |name: &str| told.latency.percentiles_ns.get(name).map(|ns| ns / 1e6);
        let figure = match self {
            Self::Capacity => None,
            Self::Throughput => told.throughput_per_s,
            Self::LatencyMean => told.latency.mean_ns.map(|ns| ns / 1e6),
            Self::LatencyP50 => percentile("p50"),
            Self::LatencyP95 => percentile("p95"),
            Self::LatencyP99 => percentile("p99"),
            Self::LatencyP999 => percentile("p99.9"),
        };
        figure.filter(|figure| *figure > 0.0)
    }
}
