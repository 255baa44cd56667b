//! One uncertain figure divided by another, both above zero and known independently of each other.

use crate::{ClosedInterval, Estimate};

/// `dividend / divisor`. The logarithms' half-widths add as independent errors do (the delta method on ln a − ln b;
/// Fieller's interval is the same to first order). `None` unless both intervals lie above zero.
#[must_use]
pub fn quotient_of_estimates(dividend: Estimate, divisor: Estimate) -> Option<Estimate> {
    let [of_dividend, of_divisor] = [log_half_width(dividend)?, log_half_width(divisor)?];
    let reach = of_dividend.hypot(of_divisor).exp();
    let point = dividend.point / divisor.point;
    (point.is_finite() && point > 0.0).then(|| Estimate {
        point,
        interval: ClosedInterval { low: point / reach, high: point * reach },
        n: dividend.n.min(divisor.n),
    })
}

/// Half the width of an interval on the scale of logarithms.
fn log_half_width(estimate: Estimate) -> Option<f64> {
    let ClosedInterval { low, high } = estimate.interval;
    (low > 0.0 && high.is_finite()).then(|| (high.ln() - low.ln()) / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn estimate(point: f64, share: f64) -> Estimate {
        Estimate { point, interval: ClosedInterval { low: point * (1.0 - share), high: point * (1.0 + share) }, n: 5 }
    }

    #[test]
    fn errors_of_three_and_four_percent_make_one_of_five() {
        let found = quotient_of_estimates(estimate(3000.0, 0.03), estimate(1.5, 0.04)).unwrap();
        assert!((found.point - 2000.0).abs() < 1e-9);
        assert!((found.interval.high / found.point - 1.051).abs() < 0.001, "{found:?}");
    }

    #[test]
    fn what_may_be_zero_divides_nothing() {
        assert_eq!(quotient_of_estimates(estimate(3000.0, 0.03), estimate(1.0, 1.5)), None);
    }

    proptest! {
        #[test]
        fn the_unit_does_not_matter_and_the_point_is_inside(
            a in 1.0..1e6_f64, b in 1.0..1e6_f64, ea in 0.0..0.5_f64, eb in 0.0..0.5_f64, unit in 1e-3..1e3_f64,
        ) {
            let found = quotient_of_estimates(estimate(a, ea), estimate(b, eb)).unwrap();
            prop_assert!(found.interval.contains(found.point));
            let scaled = quotient_of_estimates(estimate(a * unit, ea), estimate(b, eb)).unwrap();
            prop_assert!((scaled.interval.low / (found.interval.low * unit) - 1.0).abs() < 1e-9);
        }
    }
}
