//! The change between two runs made separately.
//!
//! Welch's t on the logarithms (Welch 1947, Biometrika 34:28): the sides may have different spreads
//! and different numbers of blocks. Slow drift of the machine falls on one side only and widens the
//! interval; whatever differed between the two occasions as a whole is in the change itself, and no
//! interval can show it. [`crate::pairing`] tells what blocks of one run would have saved.

use thiserror::Error;

use crate::level::t_test;
use crate::paired::{PairError, PairSide, check_positive};
use crate::spread::RatioSpread;
use crate::{ConfidenceLevel, Estimate, sample};

/// One metric of one run in one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedFigure {
    /// The block's number in its own run; used to name a bad figure.
    pub block: u32,
    /// The figure.
    pub value: f64,
}

/// Why two runs do not give a change.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum UnpairedError {
    /// A figure that has no logarithm.
    #[error(transparent)]
    Figure(#[from] PairError),
    /// Without two blocks a side shows no spread.
    #[error("{found} blocks of the {side}: an interval needs at least 2")]
    TooFewBlocks {
        /// The side with too few.
        side: PairSide,
        /// How many were given.
        found: usize,
    },
}

/// The change between two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnpairedChange {
    /// Ratio of the geometric means minus 1, with its 95 % interval; n is the number of blocks of the
    /// side that has fewer.
    pub change: Estimate,
    /// The spread that n blocks of pairs would need for the same standard error, so that the
    /// predictions of [`RatioSpread`] hold for "as many blocks again on both sides".
    pub spread: RatioSpread,
    /// Degrees of freedom (Welch–Satterthwaite), between those of the smaller side and the sum.
    pub freedom: f64,
}

impl UnpairedChange {
    /// The two-sided p value of Welch's test of "no change".
    #[must_use]
    pub fn p_value(&self) -> f64 {
        let log_change = self.change.point.ln_1p();
        let standard_error = self.spread.sd_log / (self.change.n as f64).sqrt();
        t_test(log_change, standard_error, self.freedom)
    }
}

/// The change from the baseline's to the candidate's run.
///
/// # Errors
/// [`UnpairedError`] naming the block or the side.
pub fn unpaired_change(
    baseline: &[UnpairedFigure],
    candidate: &[UnpairedFigure],
) -> Result<UnpairedChange, UnpairedError> {
    let baseline = logarithms_of_side(PairSide::Baseline, baseline)?;
    let candidate = logarithms_of_side(PairSide::Candidate, candidate)?;
    let [of_baseline, of_candidate] =
        [&baseline, &candidate].map(|logs| sample::sample_variance(logs) / logs.len() as f64);
    let squared_error = of_baseline + of_candidate;
    let freedom = if squared_error > 0.0 {
        squared_error.powi(2)
            / (of_baseline.powi(2) / (baseline.len() - 1) as f64 + of_candidate.powi(2) / (candidate.len() - 1) as f64)
    } else {
        (baseline.len() + candidate.len() - 2) as f64
    };
    let n = baseline.len().min(candidate.len());
    let level = ConfidenceLevel::NINETY_FIVE;
    let reach = level.critical_value(freedom) * squared_error.sqrt();
    let point = sample::sample_mean(&candidate) - sample::sample_mean(&baseline);
    Ok(UnpairedChange {
        change: Estimate::symmetric_around(point, reach, n).map(f64::exp_m1),
        spread: RatioSpread { sd_log: (squared_error * n as f64).sqrt(), level },
        freedom,
    })
}

fn logarithms_of_side(side: PairSide, figures: &[UnpairedFigure]) -> Result<Vec<f64>, UnpairedError> {
    let found = figures.len();
    if found < 2 {
        return Err(UnpairedError::TooFewBlocks { side, found });
    }
    figures.iter().map(|f| Ok(check_positive(f.block, side, f.value)?.ln())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn figures(values: &[f64]) -> Vec<UnpairedFigure> {
        values.iter().zip(1..).map(|(value, block)| UnpairedFigure { block, value: *value }).collect()
    }

    #[test]
    fn agrees_with_a_worked_example_of_welchs_test() {
        // Logs chosen so that the variances are 1 and 4 with n = 3 and n = 5:
        // se² = 1/3 + 4/5, freedom = se⁴ / ((1/3)²/2 + (4/5)²/4).
        let low: Vec<f64> = [-1.0, 0.0, 1.0].map(f64::exp).to_vec();
        let wide = [-8.0_f64, -2.0, 0.0, 2.0, 8.0];
        let scale = 2.0 / sample::standard_deviation(&wide);
        let high: Vec<f64> = wide.iter().map(|x| (x * scale + 1.0).exp()).collect();
        let result = unpaired_change(&figures(&low), &figures(&high)).unwrap();
        let (a, b) = (1.0 / 3.0, 4.0 / 5.0);
        let freedom: f64 = (a + b) * (a + b) / (a * a / 2.0 + b * b / 4.0);
        assert!((result.freedom - freedom).abs() < 1e-9);
        assert!((result.change.point - 1_f64.exp_m1()).abs() < 1e-9);
        assert_eq!(result.change.n, 3);
    }

    #[test]
    fn a_bad_figure_is_named_with_its_side() {
        let error = unpaired_change(&figures(&[1.0, 0.0]), &figures(&[1.0, 2.0])).unwrap_err();
        assert_eq!(error.to_string(), "block 2: the baseline figure 0 is not a positive number");
        let error = unpaired_change(&figures(&[1.0, 2.0]), &figures(&[1.0])).unwrap_err();
        assert_eq!(error.to_string(), "1 blocks of the candidate: an interval needs at least 2");
    }

    proptest! {
        #[test]
        fn swapping_the_runs_inverts_the_change(
            a in prop::collection::vec(1.0..1e4, 2..9), b in prop::collection::vec(1.0..1e4, 2..9),
        ) {
            let one = unpaired_change(&figures(&a), &figures(&b)).unwrap().change;
            let other = unpaired_change(&figures(&b), &figures(&a)).unwrap().change;
            prop_assert!((one.point.ln_1p() + other.point.ln_1p()).abs() < 1e-9);
            prop_assert!(one.interval.contains(one.point));
        }

        #[test]
        fn a_p_below_five_percent_is_an_interval_without_zero(
            a in prop::collection::vec(1.0..10.0, 3..9), b in prop::collection::vec(2.0..20.0, 3..9),
        ) {
            let result = unpaired_change(&figures(&a), &figures(&b)).unwrap();
            prop_assume!((result.p_value() - 0.05).abs() > 1e-6);
            prop_assert_eq!(result.p_value() < 0.05, !result.change.interval.contains(0.0));
        }

        #[test]
        fn the_degrees_of_freedom_lie_between_the_smaller_side_and_the_sum(
            a in prop::collection::vec(1.0..1e4, 2..9), b in prop::collection::vec(1.0..1e4, 2..9),
        ) {
            let freedom = unpaired_change(&figures(&a), &figures(&b)).unwrap().freedom;
            prop_assert!(freedom >= (a.len().min(b.len()) - 1) as f64 - 1e-9);
            prop_assert!(freedom <= (a.len() + b.len() - 2) as f64 + 1e-9);
        }
    }
}
