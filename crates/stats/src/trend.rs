//! Does a series rise or fall as a whole? Mann and Kendall's test, valid under autocorrelation.
//!
//! S = Σ sign(y_j − y_i) over i < j (Mann 1945, Econometrica 13:245) has under "no trend" a variance
//! that memory inflates; the correction is that of Hamed and Rao (1998, J. Hydrol. 204:182) with the
//! autocorrelation of a first-order process in the place of the single sample lags, which a minute of
//! seconds cannot give. The memory is that of the series without its trend (Yue and others 2002, Hydrol. Process.
//! 16:1807): a drift is no memory. The size of the trend is Sen's slope (Sen 1968, JASA 63:1379).

use crate::autocorrelation::Noise;
use crate::level::normal_two_sided;
use crate::{ClosedInterval, ConfidenceLevel, Estimate, sample};

/// Longer series are averaged down to at most this many points: the number of pairs grows with the
/// square.
const MOST_POINTS: usize = 300;

/// A trend over a whole series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trend {
    /// By how much the level changes from the first to the last observation, in the unit of the
    /// series: Sen's slope × length, with Sen's 95 % interval under the same correction.
    pub change: Estimate,
    /// Two-sided p value of "no trend".
    pub p_value: f64,
}

/// The trend of a series; `None` with fewer than ten observations or a value that is not finite.
#[must_use]
pub fn find_trend(series: &[f64]) -> Option<Trend> {
    if series.len() < 10 || !series.iter().all(|y| y.is_finite()) {
        return None;
    }
    let stride = series.len().div_ceil(MOST_POINTS);
    // An incomplete average would weigh more than it should; the rest left aside is at the start.
    let mut points: Vec<f64> = series.rchunks_exact(stride).map(sample::sample_mean).collect();
    points.reverse();
    let n = points.len();

    let mut slopes = Vec::with_capacity(n * (n - 1) / 2);
    let mut kendall = 0.0_f64;
    for later in 1..n {
        for earlier in 0..later {
            let rise = points[later] - points[earlier];
            kendall += if rise > 0.0 {
                1.0
            } else if rise < 0.0 {
                -1.0
            } else {
                0.0
            };
            slopes.push(rise / (later - earlier) as f64);
        }
    }
    slopes.sort_unstable_by(f64::total_cmp);

    let slope = sample::sample_median(&slopes);
    let sd = variance_of_kendall_s(n, Noise::conservative_noise_beside_line(&points, slope).rho).sqrt();
    // S moves in steps of 2; the correction for continuity brings it one nearer to 0 (Kendall 1955).
    let z = (kendall.abs() - 1.0).max(0.0) / sd;
    Some(Trend { change: sen_slope(&slopes, sd, n), p_value: normal_two_sided(z) })
}

/// The variance of Kendall's S of n observations without trend and with memory ρ: the independent
/// variance n(n − 1)(2n + 5) / 18 times Hamed and Rao's factor, whose rank autocorrelations are
/// 6/π·asin(ρ^lag / 2) for normal noise (their equation 10).
fn variance_of_kendall_s(n: usize, rho: f64) -> f64 {
    let size = n as f64;
    let memory: f64 = (1..n)
        .map(|lag| {
            let left = (n - lag) as f64;
            let of_ranks = 6.0 / std::f64::consts::PI * (rho.powi(lag as i32) / 2.0).asin();
            left * (left - 1.0) * (left - 2.0) * of_ranks
        })
        .sum();
    let factor = 1.0 + 2.0 * memory / (size * (size - 1.0) * (size - 2.0));
    size * (size - 1.0) * (2.0 * size + 5.0) / 18.0 * factor
}

/// Sen's slope over n points, and the slopes that stand z·sd ranks apart around it (Gilbert 1987,
/// "Statistical Methods for Environmental Pollution Monitoring", 16.5).
fn sen_slope(sorted: &[f64], sd: f64, n: usize) -> Estimate {
    let apart = ConfidenceLevel::NINETY_FIVE.critical_normal() * sd / 2.0;
    let middle = (sorted.len() - 1) as f64 / 2.0;
    let [low, high] = [(middle - apart).floor(), (middle + apart).ceil()]
        .map(|rank| sorted[rank.clamp(0.0, (sorted.len() - 1) as f64) as usize]);
    let length = (n - 1) as f64;
    Estimate {
        point: sample::sample_median(sorted) * length,
        interval: ClosedInterval { low: low * length, high: high * length },
        n,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use crate::estimate::share_estimate;

    fn tilted(n: usize, rho: f64, rise: f64, seed: u64) -> Vec<f64> {
        let noise = noisy_series(n, rho, 2.0, seed);
        let step = rise / (n - 1) as f64;
        noise.iter().enumerate().map(|(t, y)| y + step * t as f64).collect()
    }

    #[test]
    fn a_planted_trend_is_found_with_its_size() {
        let runs = 40;
        for n in [60, 700] {
            let mut covered = 0;
            for seed in 0..runs {
                let trend = find_trend(&tilted(n, 0.3, -10.0, seed)).unwrap();
                assert!(trend.p_value < 0.01, "{n}: {trend:?}");
                assert!(trend.change.interval.contains(trend.change.point));
                covered += usize::from(trend.change.interval.contains(-10.0));
            }
            let share = share_estimate(covered, runs as usize).unwrap();
            assert!(share.interval.high > 0.95, "{n} observations: {share:?}");
        }
    }

    #[test]
    fn memory_does_not_pass_for_a_trend() {
        let runs = 200;
        for (n, rho) in [(60, 0.0), (60, 0.8), (300, 0.8), (20, 0.5), (12, 0.5)] {
            let alarms =
                (0..runs).filter(|seed| find_trend(&tilted(n, rho, 0.0, *seed)).unwrap().p_value < 0.05).count();
            let share = share_estimate(alarms, runs as usize).unwrap();
            assert!(share.interval.low < 0.09, "{n} observations, rho {rho}: {share:?}");
        }
    }

    /// Ten minutes in lines of ten seconds that lose 26 % beside noise of 5 %, as one of twenty trials.
    #[test]
    fn a_drift_does_not_pass_for_memory() {
        for seed in 0..50 {
            let falling: Vec<f64> = tilted(60, 0.2, -10.4, seed).iter().map(|y| y - 60.0).collect();
            let trend = find_trend(&falling).unwrap();
            assert!(trend.p_value < 0.05 / 20.0, "seed {seed}: {trend:?}");
        }
    }

    #[test]
    fn a_constant_series_has_no_trend() {
        let trend = find_trend(&[5.0; 30]).unwrap();
        assert_eq!((trend.change.point, trend.p_value), (0.0, 1.0));
        assert_eq!(super::find_trend(&[5.0; 9]), None);
    }
}
