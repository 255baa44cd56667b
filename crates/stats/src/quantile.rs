//! Quantiles that always end: of a distribution function that only rises, the place is found by halving.
//!
//! `statrs` looks for the quantiles of the beta distribution, and of Student's t and F by them, by Newton's method
//! (algorithm AS 109), which goes to and fro for ever for some of them: the share of 25 765 905 in 25 767 597 has no
//! interval then. Its distribution functions are sound.

use statrs::function::beta::beta_reg;

/// The place in 0..=1 below which a beta distribution with the shapes `a` and `b`, both above 0, has `share` of itself.
/// The error is a few units in the last place that the distribution function resolves.
pub(crate) fn beta_quantile(a: f64, b: f64, share: f64) -> f64 {
    if !(0.0..1.0).contains(&share) {
        return if share >= 1.0 { 1.0 } else { 0.0 };
    }
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    loop {
        let middle = f64::midpoint(low, high);
        // Places that halving cannot tell apart; near 0 there are many more than anybody asks for.
        if middle <= low || middle >= high || high < f64::MIN_POSITIVE {
            return high;
        }
        if beta_reg(a, b, middle) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// The `share` quantile of Student's t with `freedom` degrees of freedom, above 0.
pub(crate) fn student_quantile(share: f64, freedom: f64) -> f64 {
    let of_both_tails = 2.0 * share.min(1.0 - share);
    let place = beta_quantile(0.5 * freedom, 0.5, of_both_tails);
    let distance = (freedom * (1.0 - place) / place).sqrt();
    if share < 0.5 { -distance } else { distance }
}

/// The `share` quantile of F with these degrees of freedom, above 0.
pub(crate) fn f_quantile(share: f64, above: f64, below: f64) -> f64 {
    let place = beta_quantile(0.5 * above, 0.5 * below, share);
    below * place / (above * (1.0 - place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_near(one: f64, other: f64) -> bool {
        (one - other).abs() <= 1e-6 * other.abs()
    }

    /// By scipy 1.17: `beta.ppf`, `t.ppf`, `f.ppf`.
    #[test]
    fn quantiles_are_those_of_other_programs() {
        for (a, b, share, expected) in [
            (1.0, 10.0, 0.025, 2.528_578_544_462e-3),
            (3.0, 99_999_998.0, 0.025, 6.186_721_271_685e-9),
            (250_000.0, 750_001.0, 0.025, 0.249_151_535_685_5),
            (30_000_001.0, 70_000_000.0, 0.975, 0.300_089_827_621_2),
        ] {
            assert!(is_near(beta_quantile(a, b, share), expected), "{a} {b} {share}");
        }
        for (share, freedom, expected) in
            [(0.975, 1.0, 12.706_204_736), (0.975, 2.0, 4.302_652_730), (0.025, 29.0, -2.045_229_642)]
        {
            assert!(is_near(student_quantile(share, freedom), expected), "{share} {freedom}");
        }
        assert!(is_near(f_quantile(0.975, 4.0, 10.0), 4.468_341_6));
    }

    proptest! {
        #[test]
        fn quantile_of_any_shape_is_found_and_is_where_its_share_is(
            a in 0.5_f64..1e7,
            b in 0.5_f64..1e7,
            share in 0.0001_f64..0.9999,
        ) {
            let place = beta_quantile(a, b, share);
            prop_assert!((0.0..=1.0).contains(&place));
            prop_assert!((beta_reg(a, b, place) - share).abs() < 1e-4, "{} {}", place, beta_reg(a, b, place));
        }
    }
}
