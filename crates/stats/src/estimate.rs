//! What leaves this crate instead of a bare number: a point, an interval, and how many
//! observations both rest on.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::{ConfidenceLevel, sample};

/// A closed interval, `low` ≤ `high`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosedInterval {
    /// Lower end, in the unit of the point that the interval belongs to.
    pub low: f64,
    /// Upper end, in the same unit.
    pub high: f64,
}

impl ClosedInterval {
    /// Whether `value` lies in the interval, ends included.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether the whole interval lies in `other`, ends included.
    #[must_use]
    pub fn is_within(&self, other: &ClosedInterval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Half the distance between the ends.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

/// A quantity as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The most plausible value.
    pub point: f64,
    /// Where the true value lies with the confidence that the maker of the estimate states (95 %
    /// unless it says otherwise); always contains the point.
    pub interval: ClosedInterval,
    /// The number of independent observations: blocks, when the estimate is a change.
    pub n: usize,
}

impl Estimate {
    /// The same estimate on another scale. `map` must be increasing, or the interval would turn over.
    pub fn map(self, map: impl Fn(f64) -> f64) -> Estimate {
        Estimate {
            point: map(self.point),
            interval: ClosedInterval { low: map(self.interval.low), high: map(self.interval.high) },
            n: self.n,
        }
    }

    /// A point with `reach` to either side.
    pub(crate) fn symmetric_around(point: f64, reach: f64, n: usize) -> Estimate {
        Estimate { point, interval: ClosedInterval { low: point - reach, high: point + reach }, n }
    }
}

/// The mean of a sample of independent observations with Student's 95 % interval (Student 1908).
/// `None` with fewer than two observations, or when one is not finite.
#[must_use]
pub fn mean_estimate(observations: &[f64]) -> Option<Estimate> {
    mean_estimate_at(observations, ConfidenceLevel::NINETY_FIVE)
}

/// [`mean_estimate`] with an interval of another level.
#[must_use]
pub fn mean_estimate_at(observations: &[f64], level: ConfidenceLevel) -> Option<Estimate> {
    let freedom = observations.len().checked_sub(1)?;
    mean_estimate_with(observations, level.critical_value(freedom as f64))
}

/// [`mean_estimate`] whose interval reaches `critical` standard errors to either side.
pub(crate) fn mean_estimate_with(observations: &[f64], critical: f64) -> Option<Estimate> {
    let n = observations.len();
    if n < 2 || !observations.iter().all(|x| x.is_finite()) {
        return None;
    }
    let standard_error = sample::standard_deviation(observations) / (n as f64).sqrt();
    let point = sample::sample_mean(observations);
    Some(Estimate::symmetric_around(point, critical * standard_error, n))
}

/// The share `successes / trials` with Wilson's 95 % score interval (Wilson 1927, JASA 22:209).
/// `None` without trials or with more successes than trials.
#[must_use]
pub fn share_estimate(successes: usize, trials: usize) -> Option<Estimate> {
    if trials == 0 || successes > trials {
        return None;
    }
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let z = Normal::standard().inverse_cdf(0.975);
    let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let reach = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + (z / (2.0 * n)).powi(2)).sqrt();
    Some(Estimate {
        point: share,
        interval: ClosedInterval { low: (centre - reach).clamp(0.0, share), high: (centre + reach).clamp(share, 1.0) },
        n: trials,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_interval_of_a_textbook_sample_is_the_textbooks() {
        // Student's own sleep data (1908): extra hours, drug 2 minus drug 1, n = 10.
        let hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let estimate = mean_estimate(&hours).unwrap();
        assert!((estimate.point - 1.58).abs() < 1e-9);
        assert!((estimate.interval.low - 0.700_114).abs() < 1e-5);
        assert!((estimate.interval.high - 2.459_886).abs() < 1e-5);
        assert_eq!(estimate.n, 10);
    }

    #[test]
    fn one_observation_has_no_interval() {
        assert_eq!(mean_estimate(&[]), None);
        assert_eq!(mean_estimate(&[4.2]), None);
    }

    #[test]
    fn a_value_that_is_not_finite_has_no_estimate() {
        assert_eq!(mean_estimate(&[1.0, f64::NAN, 2.0]), None);
        assert_eq!(mean_estimate(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn a_share_stays_between_none_and_all() {
        let none = share_estimate(0, 20).unwrap();
        assert_eq!((none.point, none.interval.low), (0.0, 0.0));
        assert!((none.interval.high - 0.161_1).abs() < 1e-3);
        assert_eq!(share_estimate(20, 20).unwrap().interval.high, 1.0);
        assert_eq!(share_estimate(1, 0), None);
        assert_eq!(share_estimate(3, 2), None);
    }

    proptest! {
        #[test]
        fn the_interval_contains_the_point(x in prop::collection::vec(-1e6..1e6, 2..30)) {
            let estimate = mean_estimate(&x).unwrap();
            prop_assert!(estimate.interval.contains(estimate.point));
        }

        #[test]
        fn a_higher_level_gives_a_wider_interval(x in prop::collection::vec(-1e3..1e3, 2..30)) {
            let narrow = mean_estimate_at(&x, ConfidenceLevel::NINETY_FIVE).unwrap();
            let wide = mean_estimate_at(&x, ConfidenceLevel::new(0.99).unwrap()).unwrap();
            prop_assert!(narrow.interval.is_within(&wide.interval));
        }

        #[test]
        fn order_does_not_matter(mut x in prop::collection::vec(0.0..1e3, 2..30)) {
            let forward = mean_estimate(&x).unwrap();
            x.reverse();
            let backward = mean_estimate(&x).unwrap();
            prop_assert!((forward.interval.low - backward.interval.low).abs() < 1e-6);
        }
    }
}
