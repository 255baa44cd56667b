//! Does a series fall once, and for good? One cut, where the squares around the two means are least (the maximum of the
//! likelihood for one change of a mean: Hinkley 1970, Biometrika 57:1), taken only if the two parts hardly overlap.
//!
//! [`crate::change_point`] finds many small changes in noise that it has to judge from the series; this finds one great
//! one, whatever the noise of either part is, as where an allowance runs out.

use crate::sample;

/// The fewest observations on either side.
pub const SHORTEST: usize = 5;

/// A tenth of the observations on either side may lie among those of the other.
const ASIDE: f64 = 0.10;

/// A fall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fall {
    /// Index of the first observation after it.
    pub at: usize,
    /// Mean before.
    pub before: f64,
    /// Mean after.
    pub after: f64,
}

/// The fall of a series to at most `to` times its level (a share below 1). `None` when there is none, when the series
/// comes back, or when a value is not finite.
#[must_use]
pub fn find_fall(series: &[f64], to: f64) -> Option<Fall> {
    if series.len() < 2 * SHORTEST || !series.iter().all(|y| y.is_finite()) {
        return None;
    }
    let total: f64 = series.iter().sum();
    let mut sum = 0.0;
    let mut best = (f64::NEG_INFINITY, 0);
    for (k, y) in series.iter().enumerate() {
        let (m, n) = (k as f64, (series.len() - k) as f64);
        if k >= SHORTEST && series.len() - k >= SHORTEST {
            // Least squares around two means = most squares between them.
            let between = m * n / (m + n) * (sum / m - (total - sum) / n).powi(2);
            if between > best.0 {
                best = (between, k);
            }
        }
        sum += y;
    }
    let (before, after) = series.split_at(best.1);
    let found = Fall { at: best.1, before: sample::sample_mean(before), after: sample::sample_mean(after) };
    let is_apart = empirical_quantile(before, ASIDE) > empirical_quantile(after, 1.0 - ASIDE);
    (found.after <= to * found.before && is_apart).then_some(found)
}

/// The observation below which this share of them lies.
fn empirical_quantile(part: &[f64], share: f64) -> f64 {
    let mut sorted = part.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use proptest::prelude::*;

    #[test]
    fn a_fall_is_found_although_single_observations_stick_out() {
        let mut series = vec![5276.0, 3695.0, 3260.0, 3800.0, 3760.0, 3710.0, 3727.0, 3623.0, 3850.0, 3131.0];
        series.extend((0..60).map(|k| if k % 20 == 19 { 1180.0 } else { 600.0 + f64::from(k % 7) * 20.0 }));
        let found = find_fall(&series, 0.8).unwrap();
        assert_eq!(found.at, 10);
        assert!(found.before > 3600.0 && found.after < 800.0, "{found:?}");
    }

    #[test]
    fn what_comes_back_rises_or_stays_has_not_fallen() {
        let level = |y: f64, n: usize| vec![y; n];
        assert_eq!(find_fall(&[level(9.0, 30), level(3.0, 15), level(9.0, 30)].concat(), 0.8), None);
        assert_eq!(find_fall(&[level(3.0, 30), level(9.0, 30)].concat(), 0.8), None);
        assert_eq!(find_fall(&level(9.0, 60), 0.8), None);
        assert_eq!(find_fall(&[9.0, 3.0], 0.8), None);
        assert_eq!(find_fall(&[f64::NAN; 20], 0.8), None);
    }

    proptest! {
        #[test]
        fn a_planted_fall_is_found_where_it_is(seed in any::<u64>(), at in 8_usize..52, to in 0.1..0.7_f64, rho in 0.0..0.6_f64) {
            let mut series = noisy_series(60, rho, 5.0, seed);
            series[at..].iter_mut().for_each(|y| *y *= to);
            let found = find_fall(&series, 0.8).expect("a fall by a third or more, of noise of a twentieth");
            prop_assert!(found.at.abs_diff(at) <= 1, "{:?} {}", found, at);
            prop_assert!((found.after / found.before / to - 1.0).abs() < 0.15, "{:?}", found);
        }

        #[test]
        fn noise_alone_does_not_fall(seed in any::<u64>(), rho in 0.0..0.9_f64, n in 10_usize..200) {
            prop_assert_eq!(find_fall(&noisy_series(n, rho, 5.0, seed), 0.8), None);
        }
    }
}
