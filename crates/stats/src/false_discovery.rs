//! Many comparisons of which several may be named: what share of the named ones is mere chance?
//!
//! Holm's procedure ([`crate::holm`]) allows no false alarm at all in 95 of 100 families, and pays for that in power.
//! Of the hundred statements of a workload one names all that changed, and accepts that some of the names are wrong:
//! Benjamini and Hochberg (1995, J. R. Statist. Soc. B 57:289) keep the expected share of false names among all names
//! at 5 %, for independent comparisons and for those that err together (Benjamini and Yekutieli 2001, Ann. Statist.
//! 29:1165, positive dependence). Where nothing changed at all, every name is false, and the chance of any is 5 %.

/// The expected share of comparisons without a change among those that are named.
pub const FALSE_DISCOVERIES: f64 = 0.05;

/// The adjusted p values of Benjamini and Hochberg, in the order given: a comparison is named at the rate q when its
/// adjusted p is below q.
#[must_use]
pub fn adjust_benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| p_values[*b].total_cmp(&p_values[*a]));
    let mut adjusted = vec![1.0; count];
    let mut most = 1.0_f64;
    for (from_the_largest, comparison) in order.into_iter().enumerate() {
        let rank = (count - from_the_largest) as f64;
        let p = p_values[comparison];
        // Dividing may lose the last digit, and no adjusted p is below its own.
        most = most.min((p * count as f64 / rank).max(p));
        adjusted[comparison] = most;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConfidenceLevel;
    use crate::holm::{self, p_value};
    use crate::level::standard_normal;
    use proptest::prelude::*;
    use rand::SeedableRng as _;
    use rand::distr::Distribution as _;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn adjusted_values_agree_with_a_worked_example() {
        // R: p.adjust(c(0.01, 0.02, 0.03, 0.005, 0.5), "BH")
        let adjusted = adjust_benjamini_hochberg(&[0.01, 0.02, 0.03, 0.005, 0.5]);
        for (computed, expected) in adjusted.iter().zip([0.025, 0.1 / 3.0, 0.0375, 0.025, 0.5]) {
            assert!((computed - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert!(adjust_benjamini_hochberg(&[]).is_empty());
    }

    /// Families of `statements` comparisons over five blocks, the first `changed` of which change by 30 %: the share of
    /// false names among the names of each family on average, and the share of changes that are named. `shared`: the
    /// part of the noise that all comparisons of a block have in common.
    fn simulated(seed: u64, statements: usize, changed: usize, shared: f64) -> [f64; 2] {
        const FAMILIES: usize = 2_000;
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let normal = standard_normal();
        let (mut false_share, mut found) = (0.0, 0);
        for _ in 0..FAMILIES {
            let mut log_ratios = vec![Vec::new(); statements];
            for _ in 0..5 {
                let of_block: f64 = normal.sample(&mut random);
                for (number, of_statement) in log_ratios.iter_mut().enumerate() {
                    let own: f64 = normal.sample(&mut random);
                    let effect = if number < changed { 1.3_f64.ln() } else { 0.0 };
                    of_statement.push(effect + 0.05 * (shared.sqrt() * of_block + (1.0 - shared).sqrt() * own));
                }
            }
            let p_values: Vec<f64> =
                log_ratios.iter().map(|d| p_value(d, ConfidenceLevel::NINETY_FIVE).unwrap()).collect();
            let named: Vec<usize> =
                (0..statements).filter(|i| adjust_benjamini_hochberg(&p_values)[*i] < FALSE_DISCOVERIES).collect();
            let wrong = named.iter().filter(|number| **number >= changed).count();
            false_share += wrong as f64 / named.len().max(1) as f64;
            found += named.len() - wrong;
        }
        [false_share / FAMILIES as f64, found as f64 / (FAMILIES * changed.max(1)) as f64]
    }

    #[test]
    fn no_more_than_one_name_in_twenty_is_false_whether_or_not_statements_err_together() {
        for (seed, statements, changed, shared) in
            [(1, 20, 0, 0.0), (2, 20, 5, 0.0), (3, 20, 5, 0.6), (4, 20, 0, 0.6), (5, 40, 1, 0.3)]
        {
            let [false_share, power] = simulated(seed, statements, changed, shared);
            assert!(false_share < 0.06, "{statements} {changed} {shared}: {false_share}");
            assert!(changed == 0 || power > 0.9, "{statements} {changed} {shared}: {power}");
        }
    }

    proptest! {
        #[test]
        fn adjusting_keeps_the_order_lies_between_p_and_holm_and_does_not_depend_on_the_order(
            p in prop::collection::vec(0.0..=1.0, 1..30),
        ) {
            let adjusted = adjust_benjamini_hochberg(&p);
            let of_holm = holm::adjust_holm(&p);
            for i in 0..p.len() {
                prop_assert!(adjusted[i] >= p[i] && adjusted[i] <= of_holm[i] + 1e-12);
                for j in 0..p.len() {
                    if p[i] < p[j] {
                        prop_assert!(adjusted[i] <= adjusted[j]);
                    }
                }
            }
            let reversed: Vec<f64> = p.iter().rev().copied().collect();
            let mut back = adjust_benjamini_hochberg(&reversed);
            back.reverse();
            prop_assert_eq!(back, adjusted);
        }
    }
}
