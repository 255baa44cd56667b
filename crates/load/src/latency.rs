//! Latencies of many transactions: an HDR histogram for percentiles, exact sums for mean and standard deviation.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer as HistogramReader, Serializer as _, V2DeflateSerializer};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The histogram's lowest value that is told from others, 1 µs.
const LOWEST_NS: u64 = 1_000;
/// The histogram's highest value, 1 h; what is longer counts as this.
const HIGHEST_NS: u64 = 3_600_000_000_000;
/// Significant decimal digits of a percentile.
const DIGITS: u8 = 3;

/// A histogram of durations in nanoseconds from 1 µs to 1 h, with so many significant digits; it never resizes.
///
/// # Panics
/// Never: the bounds are valid for every number of digits that is passed.
pub(crate) fn duration_histogram(digits: u8) -> Histogram<u64> {
    Histogram::new_with_bounds(LOWEST_NS, HIGHEST_NS, digits).expect("the bounds are in order and digits at most 5")
}

/// Latencies of successful transactions, in nanoseconds.
#[derive(Clone)]
pub struct TransactionLatency {
    histogram: Histogram<u64>,
    sum_ns: u128,
    sum_squares: u128,
}

impl std::fmt::Debug for TransactionLatency {
    /// Its extent; the buckets would be pages of zeros.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Latency")
            .field("count", &self.count())
            .field("max_ns", &self.histogram.max())
            .finish_non_exhaustive()
    }
}

impl TransactionLatency {
    pub(crate) fn new() -> TransactionLatency {
        TransactionLatency::with_digits(DIGITS)
    }

    /// One whose percentiles have only so many significant digits, which takes less memory. It can be merged with
    /// others of as many.
    pub(crate) fn with_digits(digits: u8) -> TransactionLatency {
        TransactionLatency { histogram: duration_histogram(digits), sum_ns: 0, sum_squares: 0 }
    }

    #[inline]
    pub(crate) fn record(&mut self, latency_ns: u64) {
        self.record_many(latency_ns, 1);
    }

    /// Records `count` transactions of the same latency; at least one.
    #[inline]
    pub(crate) fn record_many(&mut self, latency_ns: u64, count: u64) {
        self.histogram.saturating_record_n(latency_ns, count);
        let (latency_ns, count) = (u128::from(latency_ns), u128::from(count));
        self.sum_ns += latency_ns * count;
        self.sum_squares += latency_ns * latency_ns * count;
    }

    pub(crate) fn merge(&mut self, other: &TransactionLatency) {
        // Cannot fail: all histograms have the same bounds.
        let _same_bounds = self.histogram.add(&other.histogram);
        self.sum_ns += other.sum_ns;
        self.sum_squares += other.sum_squares;
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn reset(&mut self) {
        self.histogram.reset();
        self.sum_ns = 0;
        self.sum_squares = 0;
    }

    /// How many transactions.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// All latencies together, in nanoseconds.
    pub(crate) fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// The distribution in nanoseconds: 1 µs to 1 h; three significant digits, of statements two.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.histogram
    }

    /// The latency that the fraction `quantile` of the transactions does not exceed, in nanoseconds to three digits;
    /// `None` without transactions.
    pub fn quantile_ns(&self, quantile: f64) -> Option<u64> {
        (self.count() > 0).then(|| self.histogram.value_at_quantile(quantile))
    }

    /// The exact mean in nanoseconds; `None` without transactions.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum_ns as f64 / self.count() as f64)
    }

    /// The exact standard deviation in nanoseconds, of these transactions as the whole population, which is what
    /// pgbench prints; `None` without transactions.
    pub fn stddev_ns(&self) -> Option<f64> {
        let count = u128::from(self.count());
        // n Σx² − (Σx)²: in integers, where nothing cancels, as long as they fit: up to centuries of latency in all.
        let squares = count.checked_mul(self.sum_squares).zip(self.sum_ns.checked_mul(self.sum_ns));
        let scatter = match squares {
            Some((of_each, of_sum)) => of_each.checked_sub(of_sum)? as f64,
            None => (count as f64 * self.sum_squares as f64 - (self.sum_ns as f64).powi(2)).max(0.0),
        };
        (count > 0).then(|| scatter.sqrt() / count as f64)
    }
}

/// How latencies are told on another machine: the histogram as HdrHistogram writes it, the sums as they are.
#[derive(Serialize, Deserialize)]
struct SerializedLatency {
    histogram: String,
    sum_ns: u128,
    sum_squares: u128,
}

impl Serialize for TransactionLatency {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&self.histogram, &mut bytes).map_err(S::Error::custom)?;
        let (histogram, sum_ns, sum_squares) = (STANDARD.encode(bytes), self.sum_ns, self.sum_squares);
        SerializedLatency { histogram, sum_ns, sum_squares }.serialize(to)
    }
}

impl<'de> Deserialize<'de> for TransactionLatency {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TransactionLatency, D::Error> {
        let SerializedLatency { histogram, sum_ns, sum_squares } = SerializedLatency::deserialize(from)?;
        let bytes = STANDARD.decode(histogram).map_err(D::Error::custom)?;
        let told: Histogram<u64> =
            HistogramReader::new().deserialize(&mut bytes.as_slice()).map_err(D::Error::custom)?;
        // With the bounds of all others, so that it can be merged with them.
        let mut histogram = duration_histogram(told.sigfig());
        histogram.add(&told).map_err(D::Error::custom)?;
        Ok(TransactionLatency { histogram, sum_ns, sum_squares })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn nothing_recorded_has_no_mean_and_no_percentile() {
        let latency = TransactionLatency::new();
        assert_eq!((latency.mean_ns(), latency.stddev_ns(), latency.quantile_ns(0.5)), (None, None, None));
    }

    #[test]
    fn latencies_beyond_an_hour_are_counted_as_an_hour_and_keep_their_exact_sum() {
        let mut latency = TransactionLatency::new();
        latency.record(2 * HIGHEST_NS);
        assert_eq!(latency.count(), 1);
        assert_eq!(latency.mean_ns(), Some(2.0 * HIGHEST_NS as f64));
        assert!(latency.quantile_ns(1.0) >= Some(HIGHEST_NS));
    }

    #[test]
    fn the_deviation_of_an_overload_of_many_centuries_in_all_is_still_known() {
        let mut latency = TransactionLatency::new();
        latency.record(1_000_000_000);
        latency.record(3_000_000_000);
        for _ in 0..33 {
            let same_again = latency.clone();
            latency.merge(&same_again);
        }
        let deviation_ns = latency.stddev_ns().expect("there are values");
        assert!((deviation_ns - 1e9).abs() < 1.0, "{deviation_ns}");
    }

    proptest! {
        #[test]
        fn merging_is_recording_both(
            left in prop::collection::vec(0u64..10_000_000_000, 0..20),
            right in prop::collection::vec(0u64..10_000_000_000, 0..20),
        ) {
            let of = |values: &[u64]| {
                let mut latency = TransactionLatency::new();
                values.iter().for_each(|&value| latency.record(value));
                latency
            };
            let mut merged = of(&left);
            merged.merge(&of(&right));
            let both = of(&[left, right].concat());
            prop_assert_eq!(merged.histogram(), both.histogram());
            prop_assert_eq!((merged.mean_ns(), merged.stddev_ns()), (both.mean_ns(), both.stddev_ns()));
        }

        #[test]
        fn what_is_told_elsewhere_is_what_was_recorded_and_merges_with_it(
            values in prop::collection::vec(0u64..10_000_000_000_000, 0..20),
            digits in 2u8..4,
        ) {
            let mut latency = TransactionLatency::with_digits(digits);
            values.iter().for_each(|&value| latency.record(value));
            let mut told: TransactionLatency = serde_json::from_str(&serde_json::to_string(&latency).unwrap()).unwrap();
            prop_assert_eq!(told.histogram(), latency.histogram());
            prop_assert_eq!((told.mean_ns(), told.stddev_ns()), (latency.mean_ns(), latency.stddev_ns()));
            told.merge(&latency);
            prop_assert_eq!(told.count(), 2 * latency.count());
        }

        #[test]
        fn recording_many_is_recording_each(latency_ns in 0u64..10_000_000_000_000, count in 1u64..50) {
            let (mut many, mut each) = (TransactionLatency::new(), TransactionLatency::new());
            many.record_many(latency_ns, count);
            (0..count).for_each(|_| each.record(latency_ns));
            prop_assert_eq!(many.histogram(), each.histogram());
            prop_assert_eq!((many.mean_ns(), many.stddev_ns()), (each.mean_ns(), each.stddev_ns()));
        }

        #[test]
        fn the_deviation_is_the_textbook_formula(values in prop::collection::vec(1u64..1_000_000_000, 1..50)) {
            let mut latency = TransactionLatency::new();
            values.iter().for_each(|&value| latency.record(value));
            let n = values.len() as f64;
            let mean = values.iter().map(|&value| value as f64).sum::<f64>() / n;
            let variance = values.iter().map(|&value| (value as f64 - mean).powi(2)).sum::<f64>() / n;
            let found = latency.stddev_ns().expect("there are values");
            prop_assert!((found - variance.sqrt()).abs() <= 1e-6 * mean, "{} {}", found, variance.sqrt());
        }
    }
}
