//! What the seconds between two progress lines, or of one line of the log, add up to.

use load::{PhaseSecond, SqlState, TransactionLatency};
use outputs::pgbench::{Aggregate, Instant, Moments, ProgressLine, Troubles};

/// Sums over some seconds. Latencies are whole microseconds, as pgbench has them.
#[derive(Debug, Clone, Default)]
pub(super) struct ProgressCounts {
    seconds: f64,
    latency: LatencySums,
    lag: LatencySums,
    failed: u64,
    serialization: u64,
    deadlock: u64,
    skipped: u64,
    retried: u64,
    retries: u64,
}

/// Count, sum, sum of squares, minimum and maximum in microseconds.
#[derive(Debug, Clone, Default)]
struct LatencySums {
    count: u64,
    sum_us: f64,
    squares_us: f64,
    min_us: Option<u64>,
    max_us: u64,
}

impl LatencySums {
    fn add(&mut self, latency: &TransactionLatency) {
        let (Some(mean), Some(deviation)) = (latency.mean_ns(), latency.stddev_ns()) else { return };
        let (count, mean_us, deviation_us) = (latency.count() as f64, mean / 1e3, deviation / 1e3);
        self.count += latency.count();
        self.sum_us += count * mean_us;
        self.squares_us += count * (deviation_us * deviation_us + mean_us * mean_us);
        let min_us = latency.histogram().min() / 1_000;
        self.min_us = Some(self.min_us.map_or(min_us, |min| min.min(min_us)));
        self.max_us = self.max_us.max(latency.histogram().max() / 1_000);
    }

    /// Zero without transactions, as pgbench prints it.
    fn mean_ms(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum_us / self.count as f64 / 1e3 }
    }

    fn deviation_ms(&self) -> f64 {
        let mean_us = self.mean_ms() * 1e3;
        if self.count == 0 {
            return 0.0;
        }
        (self.squares_us / self.count as f64 - mean_us * mean_us).max(0.0).sqrt() / 1e3
    }

    fn latency_moments(&self) -> Moments {
        Moments {
            sum: self.sum_us.round() as u128,
            sum_squares: self.squares_us.round() as u128,
            min: self.min_us.unwrap_or(0),
            max: self.max_us,
        }
    }
}

/// The figures that a progress line has only under certain options.
#[derive(Debug, Clone, Copy)]
pub(super) struct OptionalFigures {
    pub(super) rate: bool,
    /// A latency limit.
    pub(super) limit: bool,
    /// More tries than one.
    pub(super) tries: bool,
}

impl ProgressCounts {
    /// Adds one second.
    pub(super) fn add(&mut self, second: &PhaseSecond) {
        self.seconds += second.duration_ns as f64 / 1e9;
        self.latency.add(&second.total_latency());
        for script in &second.scripts {
            self.failed += script.failed;
            self.retried += script.retried;
            self.retries += script.retries;
        }
        self.serialization += second.errors.get(&SqlState::SERIALIZATION_FAILURE).unwrap_or(&0);
        self.deadlock += second.errors.get(&SqlState::DEADLOCK_DETECTED).unwrap_or(&0);
        if let Some(open) = &second.open {
            self.skipped += open.skipped;
            self.lag.add(&open.total_lag());
        }
    }

    /// A progress line for what was added.
    pub(super) fn progress_line(&self, at: Instant, shown: OptionalFigures) -> ProgressLine {
        ProgressLine {
            at,
            tps: self.latency.count as f64 / self.seconds,
            latency_ms: self.latency.mean_ms(),
            stddev_ms: self.latency.deviation_ms(),
            failed: Some(self.failed),
            lag_ms: shown.rate.then(|| self.lag.mean_ms()),
            skipped: (shown.rate && shown.limit).then_some(self.skipped),
            retried: shown.tries.then_some((self.retried, self.retries)),
        }
    }

    /// A line of the log for what was added, of an interval that began at `start_s`.
    pub(super) fn aggregate_line(&self, start_s: u64) -> Aggregate {
        Aggregate {
            start_s,
            transactions: self.latency.count,
            latency: self.latency.latency_moments(),
            lag: Some(self.lag.latency_moments()),
            skipped: Some(self.skipped),
            troubles: Some(Troubles {
                retried: self.retried,
                retries: self.retries,
                serialization: self.serialization,
                deadlock: self.deadlock,
                other: None,
            }),
        }
    }
}
