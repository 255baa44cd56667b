//! The metrics of a trial that are compared as ratios.

use results::told::StatedFigures;
use results::trial::{EventRecord, Gap, LatencySummary, Trial};
use stats::verdict::BetterDirection;

use super::pauses::Pausing;
use super::question::LoadLoop;
use crate::units;

/// A figure of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// The highest rate of a search that kept its limit.
    Capacity,
    /// Transactions completed per second of the measurement phase.
    Throughput,
    /// For how long nothing that writes was acknowledged after the events of a trial, all of them together.
    WriteGap,
    /// The same of transactions that only read.
    ReadGap,
    /// The time that a captured load takes: over its statements the calls of the capture × the mean time of one.
    DatabaseTime,
    /// Mean time of a transaction in its statements.
    StatementTime,
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

/// Which gap decides about a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gapped {
    /// That of the transactions that write.
    Writes,
    /// That of those that only read: it has no others.
    Reads,
}

impl Metric {
    /// The metrics of a workload in whose trials events are made to happen: the gap decides.
    pub fn with_gap(gap: Gapped) -> &'static [Self] {
        use Metric::{LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, ReadGap, Throughput, WriteGap};
        match gap {
            Gapped::Writes => &[WriteGap, Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
            Gapped::Reads => &[ReadGap, Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
        }
    }

    /// The metrics of a workload, the one that decides the verdict first: of a closed loop how much it gets done, of an
    /// open loop, which gets as much done as is offered, how long that takes, of a search what it searched for.
    pub fn of_loop(load_loop: &LoadLoop) -> &'static [Self] {
        use Metric::{Capacity, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput};
        match load_loop {
            LoadLoop::Closed => &[Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
            LoadLoop::Open { .. } | LoadLoop::Timed { .. } => {
                &[LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput]
            }
            LoadLoop::Capacity(_) => &[Capacity, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999],
        }
    }

    /// The metrics of a captured load. While database times are not known, as for who measures, the time in statements
    /// stands for them.
    pub(super) fn of_captured_load(has_database_times: bool) -> &'static [Self] {
        use Metric::{
            DatabaseTime, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, StatementTime, Throughput,
        };
        if has_database_times {
            &[DatabaseTime, Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999]
        } else {
            &[StatementTime, Throughput, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999]
        }
    }

    /// The metrics of a closed loop whose clients pause, the one that can move first: the throughput cannot, and a
    /// latency not if the pauses are within it.
    pub(super) fn with_pauses(pauses: Pausing) -> &'static [Self] {
        use Metric::{LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, StatementTime, Throughput};
        match pauses {
            Pausing::Between => &[LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput],
            Pausing::Within => {
                &[StatementTime, LatencyMean, LatencyP50, LatencyP95, LatencyP99, LatencyP999, Throughput]
            }
        }
    }

    /// The direction that is good.
    pub fn better_direction(self) -> BetterDirection {
        match self {
            Self::Capacity | Self::Throughput => BetterDirection::Higher,
            Self::WriteGap | Self::ReadGap => BetterDirection::Lower,
            Self::DatabaseTime
            | Self::StatementTime
            | Self::LatencyMean
            | Self::LatencyP50
            | Self::LatencyP95
            | Self::LatencyP99
            | Self::LatencyP999 => BetterDirection::Lower,
        }
    }

    /// The unit of [`Metric::figure_of_trial`].
    pub fn unit(self) -> &'static str {
        match self {
            Self::Capacity | Self::Throughput => "tps",
            Self::WriteGap
            | Self::ReadGap
            | Self::DatabaseTime
            | Self::StatementTime
            | Self::LatencyMean
            | Self::LatencyP50
            | Self::LatencyP95
            | Self::LatencyP99
            | Self::LatencyP999 => "ms",
        }
    }

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Throughput => "throughput",
            Self::WriteGap => "write gap",
            Self::ReadGap => "read gap",
            Self::DatabaseTime => "database time",
            Self::StatementTime => "time in statements",
            Self::LatencyMean => "mean latency",
            Self::LatencyP50 => "median latency",
            Self::LatencyP95 => "p95 latency",
            Self::LatencyP99 => "p99 latency",
            Self::LatencyP999 => "p99.9 latency",
        }
    }

    /// The range of its changes that a loss and a gain leave open (shares; a negative loss is a gain), beside the
    /// practical threshold: `the change in throughput is between −19.1 and +22.5 %`.
    pub fn open_changes_in_words(self, loss: f64, gain: f64, threshold: f64) -> String {
        let (low, high) = match self.better_direction() {
            BetterDirection::Higher => (-loss, gain),
            BetterDirection::Lower => (-gain, loss),
        };
        format!("the change in {} is {}", self.name(), units::format_open_changes(low, high, threshold))
    }

    /// The figure of one trial, in transactions per second or milliseconds; absent when nothing was completed. A
    /// database time needs the statements of the trial, too: see [`super::Observations::figure_of_trial`].
    pub fn figure_of_trial(self, trial: &Trial) -> Option<f64> {
        let Some(load) = &trial.load else { return self.of_told(trial.told.as_ref()?) };
        if load.transactions == 0 || load.measure_us == 0 {
            return None;
        }
        let ms = |read: fn(&LatencySummary) -> f64| load.latency.as_ref().map(|latency| read(latency) / 1e6);
        match self {
            Self::Capacity => trial.step.map(|step| step.rate_per_s),
            Self::Throughput => Some(load.transactions as f64 * 1e6 / load.measure_us as f64),
            Self::WriteGap => gaps_ms(trial, |event| event.write_gap),
            Self::ReadGap => gaps_ms(trial, |event| event.read_gap),
            Self::DatabaseTime => None,
            Self::StatementTime => {
                let statements_us = load.waits?.statements_us;
                (statements_us > 0).then(|| statements_us as f64 / 1e3 / load.transactions as f64)
            }
            Self::LatencyMean => ms(|l| l.mean_ns),
            Self::LatencyP50 => ms(|l| l.p50_ns as f64),
            Self::LatencyP95 => ms(|l| l.p95_ns as f64),
            Self::LatencyP99 => ms(|l| l.p99_ns as f64),
            Self::LatencyP999 => ms(|l| l.p999_ns as f64),
        }
    }

    /// The same as another tool told it.
    fn of_told(self, told: &StatedFigures) -> Option<f64> {
        let percentile = |name: &str| told.latency.percentiles_ns.get(name).map(|ns| ns / 1e6);
        let figure = match self {
            Self::Capacity | Self::WriteGap | Self::ReadGap | Self::DatabaseTime | Self::StatementTime => None,
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

/// The gaps of a trial's events together, in milliseconds; absent when one had not ended, or all were too short to be
/// told.
fn gaps_ms(trial: &Trial, gap: fn(&EventRecord) -> Option<Gap>) -> Option<f64> {
    let mut gaps: Vec<Gap> = trial.events.iter().filter_map(gap).collect();
    // One that outlasts its event is the next one's as well.
    gaps.dedup();
    let gaps: Option<Vec<u64>> = gaps.into_iter().map(gap_length_us).collect();
    Some(gaps?.iter().sum::<u64>()).filter(|us| *us > 0).map(|us| us as f64 / 1e3)
}

fn gap_length_us(gap: Gap) -> Option<u64> {
    match gap {
        Gap::Under(_) => Some(0),
        Gap::Between { .. } => gap.length_us(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_said_to_be_longer_or_shorter_and_no_loss_or_gain() {
        assert_eq!(
            Metric::Throughput.open_changes_in_words(0.04, 0.03, 0.03),
            "the change in throughput is between −4.0 and +3.0 %"
        );
        // Of a gap, a loss is a longer one.
        assert_eq!(
            Metric::WriteGap.open_changes_in_words(1.02, 0.434, 0.03),
            "the change in write gap is between −43.4 and +102 %"
        );
    }
}
