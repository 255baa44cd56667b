//! Was a trial in steady state while it was measured?
//!
//! Three questions to the series of its seconds: does its beginning still differ from the rest
//! ([`crate::mser`]), does it drift as a whole ([`crate::trend`]), does it jump ([`crate::change_point`])?
//! Each must be both beyond chance and large enough to matter ([`MATERIAL`]). On noise without any of
//! the three, of first order with a memory ρ from 0 to 0.8 and 20 to 300 seconds long, a trial is
//! called unsteady at most once in twenty (`examples/steady_alarms.rs` prints the table; a test holds
//! it). What is called steady is not proved so: a short trial hides much.

use crate::change_point::{change_points, difference_of_means, long_run_variance};
use crate::trend::find_trend;
use crate::{Estimate, mser, sample};

/// Changes of level below this share of the mean are not reported.
pub const MATERIAL: f64 = 0.02;

/// The fewest seconds that can be judged.
pub const SHORTEST: usize = 20;

/// A trend is beyond chance below this p value.
pub const TREND_P: f64 = 0.01;

/// The beginning differs from the rest beyond chance above this many standard errors. More than the
/// usual 3, because the rule that says where the beginning ends looks for the largest difference.
pub const WARM_UP_Z: f64 = 4.5;

/// Whether a series is in steady state. Indices count observations (seconds) from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Steadiness {
    /// Nothing speaks against it.
    Steady,
    /// Something does.
    Unsteady(Vec<Reason>),
    /// Fewer than [`SHORTEST`] observations.
    TooShort {
        /// How many there are.
        found: usize,
    },
    /// An observation is missing: what is not a finite number cannot be part of a series.
    Gap {
        /// The first such index.
        at: usize,
    },
}

/// What speaks against steady state. Every size is a share of the mean of the series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reason {
    /// The warm-up was not over.
    WarmUp {
        /// Index of the first observation that belongs to the rest.
        until: usize,
        /// The rest minus the beginning.
        shift: Estimate,
    },
    /// The level drifts from start to end.
    Trend {
        /// Change of the level over the whole series.
        change: Estimate,
    },
    /// The level jumps.
    Shift {
        /// Index of the first observation of the new level.
        at: usize,
        /// New level minus old.
        shift: Estimate,
    },
}

/// Judges a series of one figure per second, such as throughput. What comes after a remaining
/// warm-up is judged without it.
#[must_use]
pub fn judge_steadiness(series: &[f64]) -> Steadiness {
    if let Some(at) = series.iter().position(|y| !y.is_finite()) {
        return Steadiness::Gap { at };
    }
    let found = series.len();
    if found < SHORTEST {
        return Steadiness::TooShort { found };
    }
    let mean = sample::sample_mean(series);

    let mut reasons = Vec::new();
    let mut start = 0;
    if let Some((until, shift)) = warm_up(series)
        && let shift = share_of_mean(shift, mean)
        && is_material(&shift)
    {
        start = until;
        reasons.push(Reason::WarmUp { until, shift });
    }
    let rest = &series[start..];
    let shifts: Vec<Reason> = change_points(rest)
        .iter()
        .map(|point| (start + point.at, share_of_mean(point.shift, mean)))
        .filter(|(_, shift)| is_material(shift))
        .map(|(at, shift)| Reason::Shift { at, shift })
        .collect();
    // A jump tilts the whole series; it is one finding, not two.
    if shifts.is_empty()
        && let Some(trend) = find_trend(rest)
        && trend.p_value < TREND_P
        && let change = share_of_mean(trend.change, mean)
        && is_material(&change)
    {
        reasons.push(Reason::Trend { change });
    }
    reasons.extend(shifts);
    if reasons.is_empty() { Steadiness::Steady } else { Steadiness::Unsteady(reasons) }
}

fn share_of_mean(size: Estimate, mean: f64) -> Estimate {
    size.map(|x| x / mean.abs())
}

fn is_material(share: &Estimate) -> bool {
    share.point.abs() >= MATERIAL
}

/// Where the beginning ends and by how much the rest differs, when that is beyond chance.
fn warm_up(series: &[f64]) -> Option<(usize, Estimate)> {
    let until = mser::mser_truncation(series);
    if until == 0 {
        return None;
    }
    let (beginning, rest) = series.split_at(until);
    let variance = long_run_variance(series);
    let shift = difference_of_means(beginning, rest, variance);
    let counts = 1.0 / beginning.len() as f64 + 1.0 / rest.len() as f64;
    let z = shift.point.abs() / (variance * counts).sqrt();
    (z > WARM_UP_Z).then_some((until, shift))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::share_estimate;
    use crate::simulate::{Drift, steady_series};

    fn calm(seconds: usize, rho: f64, seed: u64) -> Vec<f64> {
        steady_series(Drift { rho, sd_log: 0.03 }, seconds, seed)
    }

    fn reasons(series: &[f64]) -> Vec<Reason> {
        match judge_steadiness(series) {
            Steadiness::Unsteady(reasons) => reasons,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn noise_alone_is_called_unsteady_at_most_once_in_twenty() {
        for (seconds, rho) in [(30, 0.8), (60, 0.0), (60, 0.8), (120, 0.6)] {
            let series = 300;
            let alarms =
                (0..series).filter(|seed| judge_steadiness(&calm(seconds, rho, *seed)) != Steadiness::Steady).count();
            let share = share_estimate(alarms, series as usize).unwrap();
            assert!(share.interval.low <= 0.05, "{seconds} s, rho {rho}: {share:?}");
        }
    }

    #[test]
    fn a_warm_up_that_was_not_over_is_named_with_its_end() {
        let mut series = calm(60, 0.3, 1);
        for (t, y) in series.iter_mut().take(10).enumerate() {
            *y *= 0.4 + 0.05 * t as f64;
        }
        let found = reasons(&series);
        assert!(matches!(found[..], [Reason::WarmUp { until: 10, shift }] if shift.interval.low > 0.1), "{found:?}");
    }

    #[test]
    fn a_drift_is_named_with_its_size() {
        // Steep enough to be sure of, too even for any one second to be a jump.
        let mut series = calm(60, 0.0, 2);
        for (t, y) in series.iter_mut().enumerate() {
            *y *= 1.0 - 0.06 * t as f64 / 59.0;
        }
        let found = reasons(&series);
        assert!(matches!(found[..], [Reason::Trend { change }] if change.interval.contains(-0.06)), "{found:?}");
    }

    #[test]
    fn a_jump_is_named_with_its_instant_and_not_also_as_a_drift() {
        let mut series = calm(60, 0.3, 3);
        for y in &mut series[40..] {
            *y *= 0.7;
        }
        let found = reasons(&series);
        assert!(matches!(found[..], [Reason::Shift { at: 39..=41, shift }] if shift.point < -0.2), "{found:?}");
    }

    #[test]
    fn a_change_too_small_to_matter_is_not_reported_however_certain() {
        let series: Vec<f64> = calm(300, 0.0, 4)
            .iter()
            .enumerate()
            .map(|(t, y)| {
                // A hundredth of the noise, so that 1 % is certain.
                1.0 + (y - 1.0) / 100.0 + if t < 150 { 0.0 } else { 0.01 }
            })
            .collect();
        assert_eq!(judge_steadiness(&series), Steadiness::Steady);
    }

    #[test]
    fn what_cannot_be_judged_is_not_called_steady() {
        assert_eq!(judge_steadiness(&[1.0; 19]), Steadiness::TooShort { found: 19 });
        let mut gap = vec![1.0; 60];
        gap[7] = f64::NAN;
        assert_eq!(judge_steadiness(&gap), Steadiness::Gap { at: 7 });
    }

    #[test]
    fn a_series_of_one_value_is_steady() {
        assert_eq!(judge_steadiness(&[250.0; 60]), Steadiness::Steady);
        assert_eq!(judge_steadiness(&[0.0; 60]), Steadiness::Steady);
    }
}
