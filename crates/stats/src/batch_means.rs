//! An interval from within one trial, where there is no repetition.
//!
//! Neighbouring seconds resemble each other, so their spread flatters the mean. Means of batches
//! long enough to forget one another are nearly independent (Conway 1963; Schmeiser 1982, Oper. Res.
//! 30:556), and Student's interval holds for them. It says nothing of how much one trial differs
//! from the next: whoever prints it must say "within this run only".

use crate::autocorrelation::Noise;
use crate::estimate::mean_estimate;
use crate::positive::mean_of_part;
use crate::{Estimate, sample};

/// More batches gain little precision and leave less room to forget (Schmeiser 1982).
const MOST_BATCHES: usize = 30;

/// Fewer give an interval too wide and too uncertain to print.
const FEWEST_BATCHES: usize = 5;

/// A batch is at least this many times as long as the series' memory counts as one observation.
const MEMORIES_PER_BATCH: f64 = 2.0;

/// The mean of a series and how sure of it one trial can be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WithinTrial {
    /// Mean with its 95 % interval; n is the number of batches.
    pub mean: Estimate,
    /// Observations per batch.
    pub batch: usize,
    /// How many independent observations the series is worth: its length × (1 − ρ) / (1 + ρ) with
    /// the memory ρ judged to the safe side.
    pub effective_n: f64,
}

/// The mean of a series of seconds. `None` when a value is not finite or when the series is too
/// short for five batches that have forgotten one another. Observations that fill no batch are left
/// aside at the start.
#[must_use]
pub fn within_trial(series: &[f64]) -> Option<WithinTrial> {
    if series.len() < 2 * FEWEST_BATCHES || !series.iter().all(|y| y.is_finite()) {
        return None;
    }
    let inflation = Noise::conservative_noise(series).variance_inflation();
    let forgetting = (inflation * MEMORIES_PER_BATCH).ceil() as usize;
    let batch = forgetting.max(series.len().div_ceil(MOST_BATCHES));
    let batches: Vec<f64> = series.rchunks_exact(batch).map(sample::sample_mean).collect();
    if batches.len() < FEWEST_BATCHES {
        return None;
    }
    // What is never negative has no negative bound.
    let mean = mean_of_part(&batches).or_else(|| mean_estimate(&batches))?;
    Some(WithinTrial { mean, batch, effective_n: series.len() as f64 / inflation })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use crate::estimate::share_estimate;

    #[test]
    fn the_interval_covers_the_level_although_neighbours_resemble_each_other() {
        for (seconds, rho) in [(60, 0.0), (120, 0.5), (600, 0.8)] {
            let series = 400;
            let intervals: Vec<Estimate> = (0..series)
                .filter_map(|seed| within_trial(&noisy_series(seconds, rho, 5.0, seed)))
                .map(|w| w.mean)
                .collect();
            assert!(intervals.len() > series as usize * 9 / 10);
            let covered = intervals.iter().filter(|m| m.interval.contains(100.0)).count();
            let share = share_estimate(covered, intervals.len()).unwrap();
            assert!(share.interval.high >= 0.93, "{seconds} s, rho {rho}: {share:?}");
        }
    }

    #[test]
    fn memory_makes_a_series_worth_fewer_observations() {
        let loose = within_trial(&noisy_series(600, 0.0, 5.0, 1)).unwrap();
        let sticky = within_trial(&noisy_series(600, 0.8, 5.0, 1)).unwrap();
        assert!(loose.effective_n > 450.0, "{loose:?}");
        assert!(sticky.effective_n < 100.0, "{sticky:?}");
        assert!(sticky.batch > loose.batch);
    }

    #[test]
    fn a_trial_too_short_to_forget_has_no_interval() {
        assert_eq!(within_trial(&[1.0, 2.0, 3.0]), None);
        assert_eq!(within_trial(&noisy_series(20, 0.95, 5.0, 1)), None);
    }
}
