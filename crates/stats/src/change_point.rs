//! Where does a series change its level? PELT (Killick, Fearnhead and Eckley 2012, JASA 107:1590).
//!
//! The series is cut into the segments that minimise Σ (squares around each segment's mean) / V +
//! penalty per cut, exactly. V is the long-run variance of the noise, so that memory costs what it
//! should (Lavielle and Moulines 2000, J. Time Ser. Anal. 21:33); the penalty is [`PENALTY`]·ln n.

use crate::autocorrelation::Noise;
use crate::{ConfidenceLevel, Estimate, sample};

/// Penalty per cut in units of ln n. Schwarz's criterion would be 2 for known independent noise;
/// this leaves room for a variance and a memory that are judged from the series itself, and is chosen
/// by simulation (see [`crate::steady`]).
pub const PENALTY: f64 = 7.0;

/// The shortest segment: a single slow second (a checkpoint's first) is not a new level.
pub const SHORTEST: usize = 5;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePoint {
    /// Index of the first observation of the new level.
    pub at: usize,
    /// Mean of the new segment minus mean of the one before, in the unit of the series. The interval
    /// takes the place of the cut as given.
    pub shift: Estimate,
}

/// The change points of a series, in order; none for a series shorter than two segments, or with a
/// value that is not finite.
#[must_use]
pub fn change_points(series: &[f64]) -> Vec<ChangePoint> {
    if series.len() < 2 * SHORTEST || !series.iter().all(|y| y.is_finite()) {
        return Vec::new();
    }
    let variance = long_run_variance(series);
    if variance <= 0.0 {
        return Vec::new();
    }
    let cuts = segment_starts(series, variance);
    let mut ends: Vec<usize> = cuts[1..].to_vec();
    ends.push(series.len());
    let segments: Vec<&[f64]> = cuts.iter().zip(&ends).map(|(from, to)| &series[*from..*to]).collect();
    segments
        .windows(2)
        .zip(&ends)
        .map(|(pair, at)| ChangePoint { at: *at, shift: difference_of_means(pair[0], pair[1], variance) })
        .collect()
}

/// The long-run variance of a series' noise, at least (a thousandth of its level)²: where there is no
/// noise at all every step would be a change, and nothing finer matters. 0 for a constant series.
pub(crate) fn long_run_variance(series: &[f64]) -> f64 {
    if series.windows(2).all(|w| w[0].total_cmp(&w[1]).is_eq()) {
        return 0.0;
    }
    let floor = (sample::sample_mean(series) * 1e-3).powi(2);
    Noise::conservative_noise(series).long_run_variance().max(floor)
}

/// Mean of `after` minus mean of `before`, with the 95 % interval that the long-run variance gives.
pub(crate) fn difference_of_means(before: &[f64], after: &[f64], variance: f64) -> Estimate {
    let (m, n) = (before.len() as f64, after.len() as f64);
    let reach = ConfidenceLevel::NINETY_FIVE.critical_normal() * (variance * (1.0 / m + 1.0 / n)).sqrt();
    let point = sample::sample_mean(after) - sample::sample_mean(before);
    Estimate::symmetric_around(point, reach, before.len() + after.len())
}

/// The starts of the segments, the first of which is 0.
fn segment_starts(series: &[f64], variance: f64) -> Vec<usize> {
    let n = series.len();
    let penalty = PENALTY * (n as f64).ln();
    let cost = SegmentCost::of_series(series, variance);
    // cheapest[t]: the least cost of the first t observations, and where their last segment starts.
    let mut cheapest = vec![(f64::INFINITY, 0); n + 1];
    cheapest[0] = (-penalty, 0);
    let mut candidates = vec![0];
    for end in SHORTEST..=n {
        let mut best = (f64::INFINITY, 0);
        for from in &candidates {
            let total = cheapest[*from].0 + cost.cost_of_segment(*from, end) + penalty;
            if total < best.0 {
                best = (total, *from);
            }
        }
        cheapest[end] = best;
        // PELT's pruning (their equation 4, K = 0): a start that is dearer now without a penalty
        // than the best with one can never become the cheapest. It waits SHORTEST steps to go,
        // because a segment that would replace it must be that long (their section 3.1).
        candidates.retain(|from| {
            end < from + 2 * SHORTEST || cheapest[*from].0 + cost.cost_of_segment(*from, end) <= best.0 + penalty
        });
        if end + 1 >= 2 * SHORTEST {
            candidates.push(end + 1 - SHORTEST);
        }
    }
    let mut starts = Vec::new();
    let mut end = n;
    while end > 0 {
        end = cheapest[end].1;
        starts.push(end);
    }
    starts.reverse();
    starts
}

/// Σ (y − mean)² / variance of any segment in constant time, from running sums.
struct SegmentCost {
    sums: Vec<f64>,
    squares: Vec<f64>,
    variance: f64,
}

impl SegmentCost {
    fn of_series(series: &[f64], variance: f64) -> SegmentCost {
        // Around the mean, or the squares would drown the differences.
        let centre = sample::sample_mean(series);
        let (mut sums, mut squares) = (vec![0.0], vec![0.0]);
        let (mut sum, mut square) = (0.0, 0.0);
        for y in series {
            sum += y - centre;
            square += (y - centre) * (y - centre);
            sums.push(sum);
            squares.push(square);
        }
        SegmentCost { sums, squares, variance }
    }

    fn cost_of_segment(&self, from: usize, to: usize) -> f64 {
        let sum = self.sums[to] - self.sums[from];
        let squares = self.squares[to] - self.squares[from];
        (squares - sum * sum / (to - from) as f64).max(0.0) / self.variance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use proptest::prelude::*;

    fn shifted(n: usize, rho: f64, shifts: &[(usize, f64)], seed: u64) -> Vec<f64> {
        let mut series = noisy_series(n, rho, 2.0, seed);
        for (from, by) in shifts {
            for y in &mut series[*from..] {
                *y += by;
            }
        }
        series
    }

    #[test]
    fn two_planted_shifts_are_found_with_their_sizes() {
        let series = shifted(180, 0.3, &[(60, -15.0), (130, 20.0)], 8);
        let found = change_points(&series);
        assert_eq!(found.len(), 2, "{found:?}");
        for (point, (at, by)) in found.iter().zip([(60_usize, -15.0), (130, 20.0)]) {
            assert!(point.at.abs_diff(at) <= 1, "{found:?}");
            assert!(point.shift.interval.contains(by), "{found:?}");
        }
    }

    #[test]
    fn a_shift_without_any_noise_is_found() {
        let mut series = vec![1000.0; 30];
        series.extend([500.0; 30]);
        let found = change_points(&series);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].at, found[0].shift.point), (30, -500.0));
    }

    #[test]
    fn a_constant_or_a_short_series_has_none() {
        assert!(change_points(&[5.0; 60]).is_empty());
        assert!(change_points(&[1.0, 9.0, 1.0]).is_empty());
    }

    /// Cost of the best segmentation by trying every cut, without pruning.
    fn exhaustive(series: &[f64], variance: f64) -> Vec<usize> {
        let n = series.len();
        let penalty = PENALTY * (n as f64).ln();
        let cost = SegmentCost::of_series(series, variance);
        let mut cheapest = vec![(f64::INFINITY, vec![]); n + 1];
        cheapest[0] = (-penalty, vec![]);
        for end in SHORTEST..=n {
            for from in 0..=end - SHORTEST {
                let total = cheapest[from].0 + cost.cost_of_segment(from, end) + penalty;
                if total < cheapest[end].0 {
                    let mut starts = cheapest[from].1.clone();
                    starts.push(from);
                    cheapest[end] = (total, starts);
                }
            }
        }
        cheapest[n].1.clone()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn pruning_never_changes_the_answer(
            seed in any::<u64>(), at in 5_usize..75, by in -12.0..12.0, n in 10_usize..80,
        ) {
            let series = shifted(n, 0.2, &[(at.min(n), by)], seed);
            let variance = long_run_variance(&series) / 4.0;
            prop_assert_eq!(segment_starts(&series, variance), exhaustive(&series, variance));
        }

        #[test]
        fn a_planted_shift_of_five_deviations_is_found(seed in any::<u64>(), at in 15_usize..45) {
            let found = change_points(&shifted(60, 0.0, &[(at, 10.0)], seed));
            prop_assert!(found.iter().any(|p| p.at.abs_diff(at) <= 2), "{:?}", found);
        }
    }
}
