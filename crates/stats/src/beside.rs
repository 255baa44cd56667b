//! Comparisons beside the one that decides: a cost, a percentile, a statement. What each says by itself, and what of it
//! stands in the family of all of them.
//!
//! With the threshold δ the changes that are not worth acting on lie between 1 / (1 + δ) − 1 and δ: on the logarithm as
//! far to either side, so that swapping the sides inverts every answer. A change is *equivalent* within that band,
//! *worse* or *better* when its interval excludes no change, is not within the band, and stands in the family; it is
//! *beyond* the threshold when the whole interval lies outside the band and that stands in the family, too. The second
//! is asked by the t test of "the change is no more than δ", whose p values are a family of their own.

use crate::holm::p_value;
use crate::paired::change_of_log_ratios;
use crate::stopping::FEWEST_BLOCKS;
use crate::verdict::{BetterDirection, Verdict};
use crate::{ClosedInterval, ConfidenceLevel, Estimate, sample};

/// The largest chance, or share, of errors in a family.
const ERRORS: f64 = 0.05;

/// One comparison by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct SingleComparison {
    /// candidate / baseline − 1.
    pub change: Estimate,
    better: BetterDirection,
    threshold: f64,
    p_change: f64,
    p_beyond: f64,
}

/// What one of a family of comparisons says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct InFamily {
    /// Its verdict.
    pub verdict: Verdict,
    /// Whether the change is beyond the threshold for sure. Never of a verdict other than improved or regressed.
    pub is_beyond: bool,
}

/// How p values are adjusted for the others of a family.
pub type Adjust = fn(&[f64]) -> Vec<f64>;

impl SingleComparison {
    /// From the log ratios of the blocks, at the level of the rule that ended them; `threshold` is a share above 0.
    /// `None` with fewer than two blocks, or when one is not finite.
    #[must_use]
    pub fn from_log_ratios(
        log_ratios: &[f64],
        level: ConfidenceLevel,
        threshold: f64,
        better: BetterDirection,
    ) -> Option<SingleComparison> {
        let change = change_of_log_ratios(log_ratios, level)?;
        let p_change = p_value(log_ratios, level)?;
        let edge = threshold.ln_1p();
        let mean = sample::sample_mean(log_ratios);
        let beyond: Vec<f64> = log_ratios.iter().map(|d| d - edge.copysign(mean)).collect();
        // A change within the band is none beyond it, however sure.
        let p_beyond = if mean.abs() > edge { p_value(&beyond, level)? } else { 1.0 };
        Some(SingleComparison { change, better, threshold, p_change, p_beyond })
    }

    /// The changes that are not worth acting on.
    fn practical_band(&self) -> ClosedInterval {
        ClosedInterval { low: (-self.threshold.ln_1p()).exp_m1(), high: self.threshold }
    }

    fn in_family(&self, p_change: f64, p_beyond: f64) -> InFamily {
        let ClosedInterval { low, high } = self.change.interval;
        let undecided = InFamily {
            verdict: Verdict::NotEnoughData { more_blocks: None, detectable_change: None },
            is_beyond: false,
        };
        if self.change.n < FEWEST_BLOCKS {
            return undecided;
        }
        if self.change.interval.is_within(&self.practical_band()) {
            return InFamily { verdict: Verdict::Equivalent, is_beyond: false };
        }
        if self.change.interval.contains(0.0) || p_change >= ERRORS {
            return undecided;
        }
        let is_better = (self.change.point > 0.0) == (self.better == BetterDirection::Higher);
        let is_outside = low > self.practical_band().high || high < self.practical_band().low;
        InFamily {
            verdict: if is_better { Verdict::Improved } else { Verdict::Regressed },
            is_beyond: is_outside && p_beyond < ERRORS,
        }
    }
}

/// What each of a family says, in the order given.
#[must_use]
pub fn judge_family(all: &[SingleComparison], adjust: Adjust) -> Vec<InFamily> {
    let changes: Vec<f64> = all.iter().map(|one| one.p_change).collect();
    let beyond: Vec<f64> = all.iter().map(|one| one.p_beyond).collect();
    let adjusted = adjust(&changes).into_iter().zip(adjust(&beyond));
    all.iter().zip(adjusted).map(|(one, (p_change, p_beyond))| one.in_family(p_change, p_beyond)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{false_discovery, holm};
    use proptest::prelude::*;

    fn around(change: f64, spread: f64) -> Vec<f64> {
        [1.0, -1.0, 0.5, -0.5].map(|step| change.ln_1p() + spread * step).to_vec()
    }

    fn cost(log_ratios: &[f64]) -> SingleComparison {
        SingleComparison::from_log_ratios(log_ratios, ConfidenceLevel::NINETY_FIVE, 0.2, BetterDirection::Lower)
            .unwrap()
    }

    fn alone(log_ratios: &[f64]) -> InFamily {
        judge_family(&[cost(log_ratios)], holm::adjust_holm)[0]
    }

    #[test]
    fn a_change_is_judged_by_its_interval_and_is_beyond_the_threshold_only_as_a_whole() {
        let undecided = Verdict::NotEnoughData { more_blocks: None, detectable_change: None };
        for (change, spread, verdict, is_beyond) in [
            (3.71, 0.05, Verdict::Regressed, true),
            (0.25, 0.03, Verdict::Regressed, false),
            (0.10, 0.02, Verdict::Equivalent, false),
            (-0.10, 0.02, Verdict::Equivalent, false),
            (-0.50, 0.02, Verdict::Improved, true),
            (0.25, 0.30, undecided, false),
        ] {
            assert_eq!(alone(&around(change, spread)), InFamily { verdict, is_beyond }, "{change} {spread}");
        }
        assert_eq!(alone(&[1.0, 1.0]).verdict, undecided, "two blocks");
        assert_eq!(
            SingleComparison::from_log_ratios(&[1.0], ConfidenceLevel::NINETY_FIVE, 0.2, BetterDirection::Lower),
            None
        );
    }

    #[test]
    fn what_is_sure_by_itself_may_fall_among_many() {
        let clear = around(0.5, 0.15);
        assert!(alone(&clear).verdict == Verdict::Regressed);
        let mut family = vec![cost(&clear)];
        family.extend((0..40).map(|_| cost(&around(0.0, 0.3))));
        assert!(matches!(judge_family(&family, holm::adjust_holm)[0].verdict, Verdict::NotEnoughData { .. }));
    }

    proptest! {
        #[test]
        fn swapping_the_sides_inverts_every_answer(
            family in prop::collection::vec(prop::collection::vec(-1.0..1.0_f64, 2..6), 1..8), discovery: bool,
        ) {
            let adjust: Adjust = if discovery { false_discovery::adjust_benjamini_hochberg } else { holm::adjust_holm };
            let swapped: Vec<Vec<f64>> = family.iter().map(|d| d.iter().map(|d| -d).collect()).collect();
            let judged = |family: &[Vec<f64>]| {
                let all: Vec<SingleComparison> = family.iter().map(|d| cost(d)).collect();
                judge_family(&all, adjust)
            };
            for (one, other) in judged(&family).into_iter().zip(judged(&swapped)) {
                prop_assert_eq!(one.is_beyond, other.is_beyond);
                match one.verdict {
                    Verdict::Regressed => prop_assert_eq!(other.verdict, Verdict::Improved),
                    Verdict::Improved => prop_assert_eq!(other.verdict, Verdict::Regressed),
                    verdict => prop_assert_eq!(other.verdict, verdict),
                }
            }
        }
    }
}
