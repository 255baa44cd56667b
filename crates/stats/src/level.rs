//! The confidence level of an interval, and the quantiles that belong to it.
//!
//! Only two-sided levels exist here. The quantile of Student's t is found by halving, that of the normal distribution
//! is `statrs`'.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::quantile::student_quantile;

/// A two-sided confidence level strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct ConfidenceLevel(f64);

impl ConfidenceLevel {
    /// 95 %: what every interval of this crate claims unless it says otherwise.
    pub const NINETY_FIVE: ConfidenceLevel = ConfidenceLevel(0.95);

    /// A level given as a share, such as 0.95; `None` unless strictly between 0 and 1.
    #[must_use]
    pub const fn new(share: f64) -> Option<ConfidenceLevel> {
        if share > 0.0 && share < 1.0 { Some(ConfidenceLevel(share)) } else { None }
    }

    /// The level as a share, such as 0.95.
    #[must_use]
    pub const fn as_share(self) -> f64 {
        self.0
    }

    /// How many standard errors of a mean the interval reaches to either side: the Student t
    /// quantile with `freedom` degrees of freedom, or infinity where there are none.
    #[must_use]
    pub fn critical_value(self, freedom: f64) -> f64 {
        t_quantile(f64::midpoint(1.0, self.0), freedom)
    }

    /// The same for a statistic that is normal already.
    #[must_use]
    pub fn critical_normal(self) -> f64 {
        standard_normal().inverse_cdf(f64::midpoint(1.0, self.0))
    }
}

/// The `share` quantile of Student's t; infinite without degrees of freedom (nothing is known of
/// the spread, so no interval is wide enough).
pub(crate) fn t_quantile(share: f64, freedom: f64) -> f64 {
    if freedom > 0.0 { student_quantile(share, freedom) } else { f64::INFINITY }
}

/// The two-sided p value of "the true value is 0" for a `point` with its standard error. Without any
/// error a point is certain: 0, or 1 where it is 0 itself.
pub(crate) fn t_test(point: f64, standard_error: f64, freedom: f64) -> f64 {
    if standard_error > 0.0 {
        let t = point / standard_error;
        StudentsT::new(0.0, 1.0, freedom).map_or(1.0, |d| 2.0 * d.cdf(-t.abs()))
    } else if point.abs() > 0.0 {
        0.0
    } else {
        1.0
    }
}

/// The chance of a standard normal deviate at least as far from 0 as `z`, on either side.
pub(crate) fn normal_two_sided(z: f64) -> f64 {
    2.0 * standard_normal().cdf(-z.abs())
}

/// The normal distribution with mean 0 and standard deviation 1.
pub(crate) fn standard_normal() -> Normal {
    Normal::standard()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_the_printed_tables() {
        // Student (1908) by way of any textbook's table of t, two-sided.
        for (share, freedom, printed) in [
            (0.95, 1.0, 12.706),
            (0.95, 2.0, 4.303),
            (0.95, 9.0, 2.262),
            (0.99, 2.0, 9.925),
            (0.98, 4.0, 3.747),
            (0.95, 1000.0, 1.962),
        ] {
            let computed = ConfidenceLevel::new(share).unwrap().critical_value(freedom);
            assert!((computed - printed).abs() < 6e-4, "{share} {freedom}: {computed}");
        }
        assert!((ConfidenceLevel::NINETY_FIVE.critical_normal() - 1.959_964).abs() < 1e-5);
    }

    #[test]
    fn without_degrees_of_freedom_no_interval_is_wide_enough() {
        assert!(ConfidenceLevel::NINETY_FIVE.critical_value(0.0).is_infinite());
    }

    #[test]
    fn a_level_is_a_share_strictly_between_none_and_all() {
        for share in [0.0, 1.0, -0.5, 95.0, f64::NAN] {
            assert_eq!(ConfidenceLevel::new(share), None, "{share}");
        }
    }
}
