//! What precision a plan will buy, judged from a few seconds before it runs.
//!
//! Within a trial of m seconds the mean of a series with long-run variance V varies with variance
//! V / m; a log ratio of two such trials has twice that relative variance. To this comes what differs
//! from trial to trial however long they are, which a pilot cannot see unless it made several trials.
//! So the prediction from one trial is the best that can happen, and from several what to expect.
//!
//! Where sides take turns, a block's log ratio varies by two causes: its rounds vary among themselves, of which a
//! longer trial averages more, and blocks vary however many rounds they have ([`RoundVariation`]). Their ratio says
//! how long a trial buys the most in a given time.

use crate::autocorrelation::Noise;
use crate::spread::RatioSpread;
use crate::{ConfidenceLevel, sample};

/// The fewest seconds of a pilot.
pub const FEWEST_SECONDS: usize = 5;

/// The log standard deviation between trials of `measure_s` seconds that the seconds of one pilot
/// trial explain. A few seconds show little of a long memory, so that it comes out too small where
/// there is one. `None` with fewer than [`FEWEST_SECONDS`] observations, a value that is not
/// finite, a mean that is not positive, or a trial without duration.
#[must_use]
pub fn trial_sd_log_from_seconds(series: &[f64], measure_s: u32) -> Option<f64> {
    let usable = series.len() >= FEWEST_SECONDS
        && measure_s > 0
        && series.iter().all(|y| y.is_finite())
        && sample::sample_mean(series) > 0.0;
    usable.then(|| {
        let relative = Noise::plausible_noise(series).long_run_variance() / sample::sample_mean(series).powi(2);
        (relative / f64::from(measure_s)).sqrt()
    })
}

/// The log standard deviation between trials as observed in several pilot trials of one cell. `None`
/// with fewer than two or a figure that is not positive.
#[must_use]
pub fn trial_sd_log_from_trials(figures: &[f64]) -> Option<f64> {
    let usable = figures.len() >= 2 && figures.iter().all(|x| x.is_finite() && *x > 0.0);
    usable.then(|| {
        let logs: Vec<f64> = figures.iter().map(|x| x.ln()).collect();
        sample::standard_deviation(&logs)
    })
}

/// What varies in the log ratios of rounds in which two sides took turns, in several blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoundVariation {
    /// Variance of the rounds of one block.
    pub within: f64,
    /// Variance of blocks of endless rounds; 0 where the rounds explain all of what blocks differ by.
    pub between: f64,
}

impl RoundVariation {
    /// From the log ratios of each block's rounds: the usual estimates of a one-way layout with random effects, with
    /// the harmonic mean of the numbers of rounds where these differ. `None` with fewer than two blocks that have two
    /// rounds, or a value that is not finite.
    #[must_use]
    pub fn from_blocks(blocks: &[Vec<f64>]) -> Option<Self> {
        let blocks: Vec<&Vec<f64>> = blocks.iter().filter(|rounds| rounds.len() >= 2).collect();
        if blocks.len() < 2 || blocks.iter().any(|rounds| rounds.iter().any(|log| !log.is_finite())) {
            return None;
        }
        let squares: f64 =
            blocks.iter().map(|rounds| sample::sample_variance(rounds) * (rounds.len() - 1) as f64).sum();
        let freedom: usize = blocks.iter().map(|rounds| rounds.len() - 1).sum();
        let within = squares / freedom as f64;
        let means: Vec<f64> = blocks.iter().map(|rounds| sample::sample_mean(rounds)).collect();
        let per_block: f64 = blocks.iter().map(|rounds| 1.0 / rounds.len() as f64).sum::<f64>() / blocks.len() as f64;
        Some(Self { within, between: (sample::sample_variance(&means) - within * per_block).max(0.0) })
    }

    /// The spread to expect of the log ratios of blocks of so many rounds.
    #[must_use]
    pub fn expected_block_spread(&self, rounds: f64, level: ConfidenceLevel) -> RatioSpread {
        RatioSpread { sd_log: (self.between + self.within / rounds.max(1.0)).sqrt(), level }
    }

    /// The rounds of a block that make the interval narrowest in a given time, where each block also takes the time
    /// of `overhead` rounds in which nothing is measured: √(overhead · within / between), as for cluster sampling
    /// (Cochran, "Sampling Techniques", 10.6). `None` where blocks do not differ beyond their rounds: the longer the
    /// better.
    #[must_use]
    pub fn best_rounds_per_block(&self, overhead: f64) -> Option<f64> {
        (self.between > 0.0).then(|| (overhead * self.within / self.between).sqrt().max(1.0))
    }
}

/// The spread to expect of the log ratios of blocks whose trials vary by `trial_sd_log`, without
/// any drift in common: √2 times as much, at the level of the interval that will be used.
#[must_use]
pub fn expected_spread(trial_sd_log: f64, level: ConfidenceLevel) -> RatioSpread {
    RatioSpread { sd_log: trial_sd_log * std::f64::consts::SQRT_2, level }
}

/// The blocks after which the half-width of the change is expected to be at most `until` (a share);
/// `None` when no reasonable number would do.
#[must_use]
pub fn blocks_needed(spread: &RatioSpread, until: f64) -> Option<usize> {
    spread.blocks_until(|half| half.sinh() <= until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;
    use proptest::prelude::*;

    #[test]
    fn the_spread_between_trials_is_predicted_from_their_seconds() {
        for rho in [0.0, 0.5] {
            let seconds = noisy_series(40_000, rho, 4.0, 3);
            let observed: Vec<f64> = seconds.chunks_exact(40).map(sample::sample_mean).collect();
            let observed = trial_sd_log_from_trials(&observed).unwrap();
            let predicted = trial_sd_log_from_seconds(&seconds[..4000], 40).unwrap();
            // The spread of 1000 trials is known to 2 %, the memory from 4000 seconds to 5 %.
            assert!((predicted / observed - 1.0).abs() < 0.2, "{predicted} {observed}");
        }
    }

    /// So many blocks of so many rounds, of these standard deviations.
    fn rounds(blocks: usize, of: usize, within: f64, between: f64) -> Vec<Vec<f64>> {
        let apart = noisy_series(blocks, 0.0, between, 5);
        let mut all = noisy_series(blocks * of, 0.0, within, 11).into_iter();
        apart.iter().map(|apart| all.by_ref().take(of).map(|log| log + apart).collect()).collect()
    }

    #[test]
    fn the_two_variances_of_rounds_are_told_apart() {
        for (within, between) in [(0.05, 0.02), (0.1, 0.02), (0.03, 0.1)] {
            let found = RoundVariation::from_blocks(&rounds(4_000, 10, within, between)).unwrap();
            assert!((found.within.sqrt() / within - 1.0).abs() < 0.05, "{found:?}");
            // What is left of a difference of two, of which the smaller one is sought.
            assert!((found.between.sqrt() / between - 1.0).abs() < 0.25, "{found:?}");
        }
        assert!(RoundVariation::from_blocks(&rounds(400, 10, 0.1, 0.0)).unwrap().between < 0.001);
        for lacking in [vec![], vec![vec![0.1, 0.2]], vec![vec![0.1], vec![0.2]], vec![vec![0.0, f64::NAN]; 2]] {
            assert_eq!(RoundVariation::from_blocks(&lacking), None);
        }
    }

    #[test]
    fn no_other_number_of_rounds_buys_more_in_the_same_time() {
        let found = RoundVariation { within: 0.04, between: 0.0004 };
        let (overhead, time) = (8.0, 10_000.0);
        let variance = |rounds: f64| (found.between + found.within / rounds) * (rounds + overhead) / time;
        let best = found.best_rounds_per_block(overhead).unwrap();
        assert!([0.5, 0.8, 1.25, 2.0].iter().all(|times| variance(best) < variance(best * times)), "{best}");
        assert_eq!(RoundVariation { within: 0.04, between: 0.0 }.best_rounds_per_block(overhead), None);
    }

    #[test]
    fn a_pilot_of_a_few_seconds_predicts_the_spread_and_no_multiple_of_it() {
        for (rho, at_least) in [(0.0, 0.8), (0.5, 0.45)] {
            let seconds = noisy_series(24_000, rho, 4.0, 7);
            let observed: Vec<f64> = seconds.chunks_exact(40).map(sample::sample_mean).collect();
            let observed = trial_sd_log_from_trials(&observed).unwrap();
            let pilots = seconds.chunks_exact(6).map(|pilot| trial_sd_log_from_seconds(pilot, 40).unwrap());
            let mut predicted: Vec<f64> = pilots.collect();
            predicted.sort_by(f64::total_cmp);
            let median = predicted[predicted.len() / 2] / observed;
            assert!((at_least..1.25).contains(&median), "{rho}: {median}");
        }
    }

    #[test]
    fn what_cannot_be_predicted_is_not() {
        assert_eq!(trial_sd_log_from_seconds(&[1.0; 4], 10), None);
        assert_eq!(trial_sd_log_from_seconds(&[0.0; 10], 10), None);
        assert_eq!(trial_sd_log_from_seconds(&[1.0; 10], 0), None);
        assert_eq!(trial_sd_log_from_trials(&[1.0]), None);
        assert_eq!(trial_sd_log_from_trials(&[1.0, 0.0]), None);
        let hopeless = expected_spread(5.0, ConfidenceLevel::NINETY_FIVE);
        assert_eq!(blocks_needed(&hopeless, 0.01), None);
    }

    proptest! {
        #[test]
        fn the_blocks_needed_reach_the_width_and_one_less_does_not(
            sd in 0.005..0.1, until in 0.01..0.1,
        ) {
            let spread = expected_spread(sd, ConfidenceLevel::NINETY_FIVE);
            let blocks = blocks_needed(&spread, until).unwrap();
            prop_assert!(spread.half_width_log(blocks).unwrap().sinh() <= until);
            prop_assert!(blocks == 3 || spread.half_width_log(blocks - 1).unwrap().sinh() > until);
        }
    }
}
