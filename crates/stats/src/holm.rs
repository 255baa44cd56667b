//! Many cells at once: how likely is it that the clearest of them is mere chance?
//!
//! Each cell's own verdict allows a false alarm in one comparison of twenty; among forty cells two
//! would be expected. Holm's step-down (Holm 1979, Scand. J. Statist. 6:65) keeps the chance of *any*
//! false alarm in the family at 5 %, whatever the dependence between the cells.

use crate::level::t_test;
use crate::verdict::Verdict;
use crate::{ConfidenceLevel, sample};

/// The chance of any false alarm in a family of comparisons.
pub const FAMILY_ERROR: f64 = 0.05;

/// The two-sided p value of the paired t test of "no change" on log ratios; `None` with fewer than
/// two. Where `level` is above 95 % because a stopping rule chose the number of blocks, p is scaled
/// by 0.05 / (1 − level), so that p < 0.05 says exactly that the interval at `level` excludes 0.
#[must_use]
pub fn p_value(log_ratios: &[f64], level: ConfidenceLevel) -> Option<f64> {
    let n = log_ratios.len();
    if n < 2 || !log_ratios.iter().all(|d| d.is_finite()) {
        return None;
    }
    let standard_error = sample::standard_deviation(log_ratios) / (n as f64).sqrt();
    let p = t_test(sample::sample_mean(log_ratios), standard_error, (n - 1) as f64);
    let cost_of_looking = (1.0 - ConfidenceLevel::NINETY_FIVE.as_share()) / (1.0 - level.as_share());
    Some((p * cost_of_looking).min(1.0))
}

/// Holm's adjusted p values, in the order given: cell i is significant in the family at level α
/// when its adjusted p is below α. (Wright 1992, Biometrics 48:1005 for the adjusted form.)
#[must_use]
pub fn adjust_holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    let mut adjusted = vec![0.0; p_values.len()];
    let mut least = 0.0_f64;
    for (rank, cell) in order.into_iter().enumerate() {
        let hypotheses_left = (p_values.len() - rank) as f64;
        least = least.max((p_values[cell] * hypotheses_left).min(1.0));
        adjusted[cell] = least;
    }
    adjusted
}

/// Which cells regress with a family-wise error of 5 %: those whose own verdict is a regression and
/// whose adjusted p value stands. Indices into `cells`, in order.
#[must_use]
pub fn family_regressions(cells: &[(Verdict, f64)]) -> Vec<usize> {
    standing_verdicts(cells, Verdict::Regressed)
}

/// [`family_regressions`] for improvements.
#[must_use]
pub fn family_improvements(cells: &[(Verdict, f64)]) -> Vec<usize> {
    standing_verdicts(cells, Verdict::Improved)
}

fn standing_verdicts(cells: &[(Verdict, f64)], wanted: Verdict) -> Vec<usize> {
    let p_values: Vec<f64> = cells.iter().map(|(_, p)| *p).collect();
    let adjusted = adjust_holm(&p_values);
    (0..cells.len()).filter(|i| cells[*i].0 == wanted && adjusted[*i] < FAMILY_ERROR).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paired::change_of_log_ratios;
    use proptest::prelude::*;

    #[test]
    fn the_p_value_of_students_own_data_is_the_published_one() {
        let hours = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
        let p = p_value(&hours, ConfidenceLevel::NINETY_FIVE).unwrap();
        assert!((p - 0.002_833).abs() < 1e-6, "{p}");
    }

    #[test]
    fn blocks_without_any_spread_are_certain_either_way() {
        assert_eq!(p_value(&[0.25, 0.25, 0.25], ConfidenceLevel::NINETY_FIVE), Some(0.0));
        assert_eq!(p_value(&[0.0, 0.0, 0.0], ConfidenceLevel::NINETY_FIVE), Some(1.0));
        assert_eq!(p_value(&[0.25], ConfidenceLevel::NINETY_FIVE), None);
    }

    #[test]
    fn adjusted_values_agree_with_a_worked_example() {
        // R: p.adjust(c(0.01, 0.02, 0.03, 0.005), "holm")
        let adjusted = adjust_holm(&[0.01, 0.02, 0.03, 0.005]);
        for (computed, expected) in adjusted.iter().zip([0.03, 0.04, 0.04, 0.02]) {
            assert!((computed - expected).abs() < 1e-12);
        }
        assert!(adjust_holm(&[]).is_empty());
    }

    #[test]
    fn a_regression_that_stands_alone_may_fall_in_a_family() {
        let alone = [(Verdict::Regressed, 0.03)];
        assert_eq!(family_regressions(&alone), [0]);
        let family = [
            (Verdict::Regressed, 0.03),
            (Verdict::Equivalent, 0.6),
            (Verdict::Regressed, 0.000_1),
            (Verdict::Improved, 0.001),
        ];
        assert_eq!(family_regressions(&family), [2]);
        assert_eq!(family_improvements(&family), [3]);
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_and_never_lowers(p in prop::collection::vec(0.0..=1.0, 1..30)) {
            let adjusted = adjust_holm(&p);
            for i in 0..p.len() {
                prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= 1.0);
                for j in 0..p.len() {
                    if p[i] < p[j] {
                        prop_assert!(adjusted[i] <= adjusted[j]);
                    }
                }
            }
        }

        #[test]
        fn a_p_below_five_percent_is_an_interval_without_zero(
            d in prop::collection::vec(-0.1..0.1, 3..12), share in 0.95..0.995,
        ) {
            let level = ConfidenceLevel::new(share).unwrap();
            let interval = change_of_log_ratios(&d, level).unwrap().interval;
            let p = p_value(&d, level).unwrap();
            prop_assume!((p - 0.05).abs() > 1e-6);
            prop_assert_eq!(p < 0.05, !interval.contains(0.0));
        }
    }
}
