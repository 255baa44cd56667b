//! From which rung on does a ladder stay flat? A cap shows as a level that more load no longer raises.

use crate::estimate::mean_estimate;
use crate::{Estimate, sample};

/// The fewest rungs that make a level: two may agree by chance.
pub const FEWEST: usize = 3;

/// The flat end of a ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plateau {
    /// Index of its first rung.
    pub from: usize,
    /// Its level: the mean of its rungs with the interval that their spread gives.
    pub level: Estimate,
}

/// The longest end of a ladder whose rungs all lie within ± `tolerance` (a share) of their mean. `None` when fewer than
/// [`FEWEST`] rungs do, or when a value is not finite and above zero.
#[must_use]
pub fn find_plateau(ladder: &[f64], tolerance: f64) -> Option<Plateau> {
    if !ladder.iter().all(|y| y.is_finite() && *y > 0.0) {
        return None;
    }
    let last = ladder.len().checked_sub(FEWEST)?;
    let from = (0..=last).find(|from| {
        let mean = sample::sample_mean(&ladder[*from..]);
        ladder[*from..].iter().all(|y| (y - mean).abs() <= tolerance * mean)
    })?;
    Some(Plateau { from, level: mean_estimate(&ladder[from..])? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_capped_ladder_is_flat_from_the_rung_that_reaches_the_cap() {
        let found = find_plateau(&[700.0, 1400.0, 2800.0, 3010.0, 2990.0, 3000.0], 0.05).unwrap();
        assert_eq!(found.from, 2 + 1);
        assert!(found.level.interval.contains(3000.0), "{found:?}");
    }

    #[test]
    fn a_ladder_that_is_flat_at_two_rungs_only_or_has_no_figure_has_none() {
        assert_eq!(find_plateau(&[700.0, 1400.0, 3000.0, 3000.0], 0.05), None);
        assert_eq!(find_plateau(&[3000.0, f64::NAN, 3000.0, 3000.0], 0.05), None);
        assert_eq!(find_plateau(&[], 0.05), None);
    }

    proptest! {
        #[test]
        fn whatever_the_cap_and_the_unit_it_is_found(
            cap in 100.0..1e6_f64, first in 0.02..0.2_f64, noise in proptest::collection::vec(-0.02..0.02_f64, 10), unit in 1e-3..1e3_f64,
        ) {
            let ladder: Vec<f64> = noise
                .iter()
                .enumerate()
                .map(|(k, noise)| (first * cap * f64::powi(2.0, k as i32)).min(cap) * (1.0 + noise) * unit)
                .collect();
            let found = find_plateau(&ladder, 0.05).expect("half of the rungs are at the cap");
            prop_assert!((found.level.point / (cap * unit) - 1.0).abs() < 0.04, "{:?}", found);
            let first_capped = (0..10).find(|k| first * f64::powi(2.0, *k) >= 1.0).expect("it doubles") as usize;
            prop_assert!(found.from.abs_diff(first_capped) <= 1, "{:?} {}", found, first_capped);
        }

        #[test]
        fn a_ladder_that_keeps_rising_by_a_fifth_has_none(first in 1.0..1e5_f64, rise in 1.2..3.0_f64, n in 3..12_usize) {
            let ladder: Vec<f64> = (0..n).map(|k| first * rise.powi(k as i32)).collect();
            prop_assert_eq!(find_plateau(&ladder, 0.05), None);
        }
    }
}
