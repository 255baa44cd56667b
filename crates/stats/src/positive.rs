//! Figures that cannot be negative: latencies, throughputs, costs.
//!
//! The level of such a figure over independent observations is its geometric mean. The ratio of two levels over the
//! same blocks is then the change that [`crate::paired`] finds between them. The interval is Student's on the logarithm
//! and never reaches zero.

use crate::estimate::mean_estimate;
use crate::{ClosedInterval, Estimate, sample};

/// An interval whose ends lie more than this factor apart does not tell the order of magnitude.
pub const KNOWN_WITHIN: f64 = 10.0;

/// No interval reaches further from its point than by this logarithm, so that its ends stay finite numbers.
const REACH_MAX_LOG: f64 = 300.0;

/// The geometric mean. `None` of nothing, and where a figure is not a positive, finite number.
#[must_use]
pub fn geometric_mean(figures: &[f64]) -> Option<f64> {
    let logarithms = positive_logarithms(figures)?;
    match figures {
        [] => None,
        // To its last digit.
        [only] => Some(*only),
        _ => Some(sample::sample_mean(&logarithms).exp()),
    }
}

/// [`geometric_mean`], or the arithmetic mean of figures of which one is zero. `None` of nothing, and where one is
/// negative or not finite.
#[must_use]
pub fn non_negative_mean(figures: &[f64]) -> Option<f64> {
    if figures.is_empty() || figures.iter().any(|figure| *figure < 0.0 || !figure.is_finite()) {
        return None;
    }
    geometric_mean(figures).or_else(|| Some(sample::sample_mean(figures)))
}

/// The geometric mean with its 95 % interval. `None` with fewer than two figures, and where one is not a positive,
/// finite number.
#[must_use]
pub fn geometric_mean_estimate(figures: &[f64]) -> Option<Estimate> {
    let of_logarithms = mean_estimate(&positive_logarithms(figures)?)?;
    Some(estimate_around(of_logarithms.point.exp(), of_logarithms.interval.half_width(), figures.len()))
}

/// [`geometric_mean_estimate`] of figures of which one may be zero, such as the time in a wait that was not seen: then
/// the arithmetic mean with an interval that is cut off at zero. `None` with fewer than two figures, and where one is
/// negative or not finite.
#[must_use]
pub fn non_negative_mean_estimate(figures: &[f64]) -> Option<Estimate> {
    if figures.iter().any(|figure| *figure < 0.0) {
        return None;
    }
    geometric_mean_estimate(figures).or_else(|| {
        let mut estimate = mean_estimate(figures)?;
        estimate.interval.low = estimate.interval.low.max(0.0);
        Some(estimate)
    })
}

/// The arithmetic mean of a part of a whole, since parts sum, with the interval that [`non_negative_mean_estimate`] has
/// around its own point, multiplied to stand around the mean. `None` where that has none.
#[must_use]
pub fn mean_of_part(each: &[f64]) -> Option<Estimate> {
    let level = non_negative_mean_estimate(each)?;
    let mean = sample::sample_mean(each);
    let factor = if level.point > 0.0 { mean / level.point } else { 1.0 };
    let interval = ClosedInterval { low: level.interval.low * factor, high: level.interval.high * factor };
    Some(Estimate { point: mean, interval, n: level.n })
}

/// By what arithmetic means of parts are multiplied so that they sum to the level of the whole, whose figures these
/// are: their geometric mean over their arithmetic mean. 1 where there is no geometric mean.
#[must_use]
pub fn mean_to_level(whole: &[f64]) -> f64 {
    geometric_mean(whole).map_or(1.0, |level| level / sample::sample_mean(whole))
}

/// An estimate in another unit, or of a part of what it is of; `factor` must not be negative.
#[must_use]
pub fn scale_estimate(estimate: &Estimate, factor: f64) -> Estimate {
    estimate.map(|figure| figure * factor)
}

/// A positive point whose interval reaches by `reach_log` to either side on the logarithm.
#[must_use]
pub fn estimate_around(point: f64, reach_log: f64, n: usize) -> Estimate {
    let factor = reach_log.min(REACH_MAX_LOG).exp();
    Estimate { point, interval: ClosedInterval { low: point / factor, high: point * factor }, n }
}

/// What a change of a level is in the unit of the level: its sign is that of the change, and its interval excludes zero
/// where that of the change does.
#[must_use]
pub fn difference_from_change(baseline_level: f64, change: &Estimate) -> Estimate {
    change.map(|share| baseline_level * share)
}

/// Whether the interval of a positive figure tells its order of magnitude: its ends lie within [`KNOWN_WITHIN`] of each
/// other.
#[must_use]
pub fn is_known(figure: &Estimate) -> bool {
    figure.interval.high <= KNOWN_WITHIN * figure.interval.low
}

/// Whether a change (candidate / baseline − 1) is known: its interval excludes no change, or tells the order of
/// magnitude of the ratio. Swapping the sides does not matter.
#[must_use]
pub fn is_known_change(change: &Estimate) -> bool {
    !change.interval.contains(0.0) || is_known(&change.map(|share| 1.0 + share))
}

fn positive_logarithms(figures: &[f64]) -> Option<Vec<f64>> {
    let mut logarithms = Vec::with_capacity(figures.len());
    for figure in figures {
        if !figure.is_finite() || *figure <= 0.0 {
            return None;
        }
        logarithms.push(figure.ln());
    }
    Some(logarithms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConfidenceLevel;
    use crate::paired::{MetricPair, paired_change};
    use proptest::prelude::*;

    fn change(low: f64, high: f64) -> Estimate {
        Estimate { point: ((1.0 + low) * (1.0 + high)).sqrt() - 1.0, interval: ClosedInterval { low, high }, n: 3 }
    }

    #[test]
    fn level_of_one_and_hundred_is_ten() {
        let found = geometric_mean_estimate(&[1.0, 100.0]).unwrap();
        assert!((found.point - 10.0).abs() < 1e-9 && found.n == 2);
        assert_eq!(geometric_mean(&[3.3]), Some(3.3));
    }

    #[test]
    fn figures_without_logarithm_have_no_geometric_mean() {
        assert_eq!(geometric_mean(&[]), None);
        assert_eq!(geometric_mean_estimate(&[2.0]), None);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(geometric_mean_estimate(&[1.0, bad]), None, "{bad}");
        }
    }

    #[test]
    fn figures_with_a_zero_have_an_arithmetic_mean_and_no_negative_bound() {
        let found = non_negative_mean_estimate(&[0.0, 0.0, 3.0]).unwrap();
        assert_eq!((found.point, found.interval.low), (1.0, 0.0));
        assert_eq!(non_negative_mean(&[0.0, 0.0, 3.0]), Some(1.0));
        assert_eq!(non_negative_mean_estimate(&[1.0, -1.0]), None);
    }

    #[test]
    fn change_is_not_known_where_neither_direction_nor_magnitude_is() {
        for (low, high, known) in [
            (-0.97, 62.26, false),
            (-0.82, 4.03, false),
            (-0.5, 1.0, true),
            // Surely worse, by how much is not clear.
            (0.1, 300.0, true),
            (-0.99, -0.1, true),
        ] {
            assert_eq!(is_known_change(&change(low, high)), known, "{low} {high}");
        }
    }

    #[test]
    fn interval_of_wild_figures_has_finite_ends() {
        let found = geometric_mean_estimate(&[1e-300, 1e300]).unwrap();
        assert!(found.interval.low >= 0.0 && found.interval.high.is_finite(), "{found:?}");
    }

    proptest! {
        #[test]
        fn ratio_of_two_levels_is_the_paired_change(f in prop::collection::vec((1e-3..1e6, 1e-3..1e6), 2..12)) {
            let sides: [Vec<f64>; 2] = [f.iter().map(|pair| pair.0).collect(), f.iter().map(|pair| pair.1).collect()];
            let [baseline, candidate] = sides.map(|side| geometric_mean_estimate(&side).unwrap());
            let pairs: Vec<MetricPair> = f.iter().zip(1..)
                .map(|((baseline, candidate), block)| MetricPair { block, baseline: *baseline, candidate: *candidate }).collect();
            let change = paired_change(&pairs, ConfidenceLevel::NINETY_FIVE).unwrap().change;
            prop_assert!((candidate.point / baseline.point / (1.0 + change.point) - 1.0).abs() < 1e-9);
            let more = difference_from_change(baseline.point, &change);
            prop_assert!((baseline.point + more.point - candidate.point).abs() < 1e-9 * candidate.point.max(baseline.point));
        }

        #[test]
        fn interval_is_positive_and_contains_its_point(figures in prop::collection::vec(1e-6..1e6_f64, 2..12)) {
            let found = geometric_mean_estimate(&figures).unwrap();
            prop_assert!(found.interval.low > 0.0 && found.interval.contains(found.point));
            let part = mean_of_part(&figures).unwrap();
            prop_assert!(part.interval.low > 0.0 && part.interval.contains(part.point));
        }

        #[test]
        fn swapping_the_sides_keeps_whether_a_change_is_known(low in -0.99..5.0_f64, width in 0.0..50.0_f64) {
            let one = change(low, low + width);
            let swapped = change(1.0 / (1.0 + one.interval.high) - 1.0, 1.0 / (1.0 + one.interval.low) - 1.0);
            prop_assume!(((1.0 + one.interval.high) / (1.0 + one.interval.low) / KNOWN_WITHIN - 1.0).abs() > 1e-9);
            prop_assert_eq!(is_known_change(&one), is_known_change(&swapped));
        }
    }
}
