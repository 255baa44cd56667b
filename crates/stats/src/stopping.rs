//! When a comparison has blocks enough, and what looking after every block costs.
//!
//! A rule looks at precision or at the verdict. From `at_least` blocks on, the one stops when the
//! half-width of the interval of the change is ≤ max(`until`, |change| / 4), the other when the
//! interval supports a verdict; both stop at `at_most`. Stopping when the spread happens to look
//! small favours intervals that are too narrow: with the plain 95 % t interval the true value is
//! missed in up to one comparison of ten. Stopping at the first verdict favours those that lie apart
//! from the truth, and costs more. So the interval is computed at a higher level: [`INTERIM`] while a
//! rule of precision could have gone on, [`LAST`] at `at_most`; [`VERDICT`] and [`VERDICT_LAST`]
//! by a rule of the verdict. Among several comparisons ([`StoppingRule::for_comparisons`]) such a rule stops at
//! a change only when it stands in the family of them all, as a headline will ask of it.
//! The constants come from [`crate::simulate`]; `docs/method.md` prints the coverage they reach.
//! Counting blocks and making them is the caller's.

use thiserror::Error;

use crate::estimate::mean_estimate_with;
use crate::holm::{FAMILY_ERROR, p_value};
use crate::verdict::{PracticalThreshold, is_settled};
use crate::{ConfidenceLevel, Estimate};

/// The level of the t interval at fewer than `at_most` blocks.
pub const INTERIM: ConfidenceLevel = level_from_share(0.985);

/// The level of the t interval at `at_most` blocks and beyond.
pub const LAST: ConfidenceLevel = level_from_share(0.97);

/// The level of the t interval of a rule that stops at the first verdict, at fewer than `at_most` blocks: so high that
/// many looks hardly ever err, and what is clear is settled early all the same (Haybittle 1971, Peto 1976).
pub const VERDICT: ConfidenceLevel = level_from_share(0.998);

/// The level of the t interval of such a rule at `at_most` blocks and beyond.
pub const VERDICT_LAST: ConfidenceLevel = level_from_share(0.975);

/// No verdict is given, and so no rule stops, with fewer blocks than this.
pub const FEWEST_BLOCKS: usize = 3;

/// A change is precise enough when its half-width is this share of it, however large it is.
const SHARE_OF_CHANGE: f64 = 0.25;

/// A rule of the verdict looks again after a number of blocks that is larger by this part of it.
const STEP: usize = 4;

const fn level_from_share(share: f64) -> ConfidenceLevel {
    match ConfidenceLevel::new(share) {
        Some(level) => level,
        None => panic!("a level is a share strictly between 0 and 1"),
    }
}

/// When to stop making blocks for one pair of cells.
#[derive(Debug, Clone, PartialEq)]
pub struct StoppingRule {
    at_least: usize,
    at_most: usize,
    until: StoppingGoal,
    /// Of how many comparisons this is one.
    comparisons: usize,
    interim: ConfidenceLevel,
    last: ConfidenceLevel,
    /// Critical t by number of blocks, 0 to `at_most`: the quantile is by far the dearest step.
    critical: Vec<f64>,
}

/// What ends a comparison before `at_most` blocks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StoppingGoal {
    /// The half-width of the change is at most this share (0.02 is 2 %), or a quarter of the change.
    Precision(f64),
    /// The interval supports a verdict with this threshold, whichever.
    Verdict(PracticalThreshold),
}

/// What the rule says after a block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum StoppingDecision {
    /// Make another block.
    Continue,
    /// The interval is narrow enough, or supports a verdict: whatever was to be reached.
    Reached,
    /// `at_most` is reached; the interval is as wide as it is.
    AtMost,
}

/// Why a rule cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum RuleError {
    /// Fewer than [`FEWEST_BLOCKS`] blocks give no verdict.
    #[error("at_least = {at_least}: a verdict needs at least 3 blocks")]
    AtLeastTooSmall {
        /// What was asked for.
        at_least: usize,
    },
    /// The two limits contradict each other.
    #[error("at_most = {at_most} is less than at_least = {at_least}")]
    AtMostTooSmall {
        /// What was asked for as the least.
        at_least: usize,
        /// What was asked for as the most.
        at_most: usize,
    },
    /// The precision asked for is not a positive share.
    #[error("until = {until}: the half-width to reach must be a share above 0, such as 0.02")]
    UntilNotPositive {
        /// What was asked for.
        until: f64,
    },
}

impl StoppingRule {
    /// Stop from `at_least` blocks on once what is asked for is reached, and at `at_most` in any case.
    ///
    /// # Errors
    /// [`RuleError`] when the three contradict each other.
    pub fn new(at_least: usize, at_most: usize, until: StoppingGoal) -> Result<StoppingRule, RuleError> {
        if at_least < FEWEST_BLOCKS {
            return Err(RuleError::AtLeastTooSmall { at_least });
        }
        if at_most < at_least {
            return Err(RuleError::AtMostTooSmall { at_least, at_most });
        }
        if let StoppingGoal::Precision(until) = until
            && !(until.is_finite() && until > 0.0)
        {
            return Err(RuleError::UntilNotPositive { until });
        }
        let (interim, last) = match until {
            // Nothing is chosen by looking when there is only one number of blocks to stop at.
            _ if at_least == at_most => (ConfidenceLevel::NINETY_FIVE, ConfidenceLevel::NINETY_FIVE),
            StoppingGoal::Precision(_) => (INTERIM, LAST),
            StoppingGoal::Verdict(_) => (VERDICT, VERDICT_LAST),
        };
        let rule = StoppingRule { at_least, at_most, until, comparisons: 1, interim, last, critical: Vec::new() };
        Ok(rule.with_levels(interim, last))
    }

    /// The same rule for one of so many comparisons: by the verdict, a change ends its comparison only when it would
    /// stand beside any verdicts on the others (Bonferroni's bound, below which Holm's procedure never falls).
    #[must_use]
    pub fn for_comparisons(self, comparisons: usize) -> StoppingRule {
        StoppingRule { comparisons: comparisons.max(1), ..self }
    }

    /// The same rule with other levels. Only for finding the levels by simulation.
    #[must_use]
    pub fn with_levels(self, interim: ConfidenceLevel, last: ConfidenceLevel) -> StoppingRule {
        let mut rule = StoppingRule { interim, last, ..self };
        rule.critical =
            (0..=rule.at_most).map(|blocks| rule.level_at(blocks).critical_value(blocks as f64 - 1.0)).collect();
        rule
    }

    /// The level at which the interval of any metric of this pair is to be computed after `blocks`
    /// blocks, so that it covers the truth in 95 % of runs although the rule chose when to look.
    #[must_use]
    pub fn level_at(&self, blocks: usize) -> ConfidenceLevel {
        if blocks < self.at_most { self.interim } else { self.last }
    }

    /// The change with the interval that the rule looks at and a report prints; `None` with fewer
    /// than two blocks.
    #[must_use]
    pub fn change_of_blocks(&self, log_ratios: &[f64]) -> Option<Estimate> {
        let blocks = log_ratios.len();
        let critical = self.critical.get(blocks).copied().unwrap_or_else(|| {
            let freedom = blocks as f64 - 1.0;
            self.level_at(blocks).critical_value(freedom)
        });
        mean_estimate_with(log_ratios, critical).map(|d| d.map(f64::exp_m1))
    }

    /// What to do after the blocks whose log ratios are given.
    #[must_use]
    pub fn decide_after_blocks(&self, log_ratios: &[f64]) -> StoppingDecision {
        let blocks = log_ratios.len();
        let reached = self.looks_at(blocks)
            && self
                .change_of_blocks(log_ratios)
                .is_some_and(|change| self.is_reached(&change) && self.is_standing_verdict(&change, log_ratios));
        if reached {
            StoppingDecision::Reached
        } else if blocks >= self.at_most {
            StoppingDecision::AtMost
        } else {
            StoppingDecision::Continue
        }
    }

    /// Whether the rule looks after so many blocks. One that stops at a verdict has a chance to err at each look, and
    /// so looks again only when it has a quarter more blocks.
    fn looks_at(&self, blocks: usize) -> bool {
        match self.until {
            StoppingGoal::Precision(_) => blocks >= self.at_least,
            StoppingGoal::Verdict(_) => {
                let mut look = self.at_least;
                while look < blocks {
                    look += (look / STEP).max(1);
                }
                look == blocks
            }
        }
    }

    /// Whether what a verdict would say of a change stands among all comparisons.
    fn is_standing_verdict(&self, change: &Estimate, log_ratios: &[f64]) -> bool {
        match self.until {
            StoppingGoal::Precision(_) => true,
            StoppingGoal::Verdict(threshold) => {
                let p = p_value(log_ratios, self.level_at(log_ratios.len()));
                change.interval.is_within(&threshold.practical_band())
                    || p.is_some_and(|p| p * (self.comparisons as f64) < FAMILY_ERROR)
            }
        }
    }

    /// Whether a change is known as well as it was to be.
    #[must_use]
    pub fn is_reached(&self, change: &Estimate) -> bool {
        match self.until {
            StoppingGoal::Precision(until) => {
                change.interval.half_width() <= until.max(change.point.abs() * SHARE_OF_CHANGE)
            }
            StoppingGoal::Verdict(threshold) => is_settled(change, threshold),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule() -> StoppingRule {
        StoppingRule::new(3, 5, StoppingGoal::Precision(0.02)).unwrap()
    }

    #[test]
    fn never_stops_before_at_least_however_alike_the_blocks() {
        assert_eq!(rule().decide_after_blocks(&[]), StoppingDecision::Continue);
        assert_eq!(rule().decide_after_blocks(&[0.1, 0.1]), StoppingDecision::Continue);
        assert_eq!(rule().decide_after_blocks(&[0.1, 0.1, 0.1]), StoppingDecision::Reached);
    }

    #[test]
    fn always_stops_at_at_most_however_wild_the_blocks() {
        let wild = [0.5, -0.5, 0.4, -0.4, 0.1, 0.2];
        assert_eq!(rule().decide_after_blocks(&wild[..4]), StoppingDecision::Continue);
        assert_eq!(rule().decide_after_blocks(&wild[..5]), StoppingDecision::AtMost);
        assert_eq!(rule().decide_after_blocks(&wild), StoppingDecision::AtMost);
    }

    #[test]
    fn a_large_change_need_not_be_known_to_the_last_percent() {
        // The half-width is about 4 %: too wide around no change, narrow enough around −26 %.
        let around_none = [0.000, 0.010, -0.010];
        let around_loss: Vec<f64> = around_none.iter().map(|d| d - 0.3).collect();
        assert_eq!(rule().decide_after_blocks(&around_none), StoppingDecision::Continue);
        assert_eq!(rule().decide_after_blocks(&around_loss), StoppingDecision::Reached);
    }

    #[test]
    fn a_fixed_number_of_blocks_costs_nothing() {
        let fixed = StoppingRule::new(4, 4, StoppingGoal::Precision(0.02)).unwrap();
        assert_eq!(fixed.level_at(4), ConfidenceLevel::NINETY_FIVE);
        assert_eq!(rule().level_at(4), INTERIM);
        assert_eq!(rule().level_at(5), LAST);
    }

    #[test]
    fn a_rule_of_the_verdict_stops_at_a_loss_however_wide_and_at_equivalence() {
        let threshold = PracticalThreshold::new(0.03).unwrap();
        let rule = StoppingRule::new(4, 20, StoppingGoal::Verdict(threshold)).unwrap();
        let around = |change: f64| [0.004, -0.004, 0.002, -0.002].map(|d| d + change);
        assert_eq!(rule.decide_after_blocks(&around(-0.2)), StoppingDecision::Reached);
        assert_eq!(rule.decide_after_blocks(&around(0.0)), StoppingDecision::Reached);
        assert_eq!(
            rule.decide_after_blocks(&around(-0.015)),
            StoppingDecision::Continue,
            "it holds both 0 and more than the threshold"
        );
        assert_eq!(rule.level_at(4), VERDICT);
        assert_eq!(rule.level_at(20), VERDICT_LAST);
    }

    #[test]
    fn among_others_a_rule_of_the_verdict_stops_at_a_change_only_when_it_stands_beside_them() {
        let threshold = PracticalThreshold::new(0.03).unwrap();
        let rule = StoppingRule::new(4, 20, StoppingGoal::Verdict(threshold)).unwrap();
        let around = |change: f64| [0.012, -0.012, 0.006, -0.006].map(|d| d + change);
        assert_eq!(rule.decide_after_blocks(&around(-0.065)), StoppingDecision::Reached);
        assert_eq!(rule.clone().for_comparisons(4).decide_after_blocks(&around(-0.065)), StoppingDecision::Continue);
        assert_eq!(rule.clone().for_comparisons(4).decide_after_blocks(&around(-0.2)), StoppingDecision::Reached);
        let equivalent = [0.004, -0.004, 0.002, -0.002];
        assert_eq!(
            rule.for_comparisons(400).decide_after_blocks(&equivalent),
            StoppingDecision::Reached,
            "equivalence is no alarm"
        );
    }

    #[test]
    fn a_rule_of_the_verdict_looks_again_only_with_a_quarter_more_blocks() {
        let threshold = PracticalThreshold::new(0.03).unwrap();
        let rule = StoppingRule::new(3, 40, StoppingGoal::Verdict(threshold)).unwrap();
        let looks = |rule: &StoppingRule| (1..=40).filter(|n| rule.looks_at(*n)).collect::<Vec<_>>();
        assert_eq!(looks(&rule), [3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27, 33]);
        assert_eq!(looks(&self::rule()).len(), 38);
        let alike = vec![0.1; 40];
        assert_eq!(rule.decide_after_blocks(&alike[..9]), StoppingDecision::Continue, "it does not look");
        assert_eq!(rule.decide_after_blocks(&alike), StoppingDecision::AtMost);
    }

    #[test]
    fn the_interval_decided_on_is_the_interval_of_its_level() {
        let log_ratios = [0.010, 0.013, 0.002, 0.011, 0.009, 0.007];
        for n in 2..=6 {
            let direct = crate::paired::change_of_log_ratios(&log_ratios[..n], rule().level_at(n));
            assert_eq!(rule().change_of_blocks(&log_ratios[..n]), direct);
        }
    }

    #[test]
    fn limits_that_contradict_each_other_are_named() {
        for (at_least, at_most, until, said) in [
            (2, 9, 0.02, "at_least = 2: a verdict needs at least 3 blocks"),
            (5, 4, 0.02, "at_most = 4 is less than at_least = 5"),
            (3, 9, 0.0, "until = 0: the half-width to reach must be a share above 0, such as 0.02"),
        ] {
            let error = StoppingRule::new(at_least, at_most, StoppingGoal::Precision(until)).unwrap_err();
            assert_eq!(error.to_string(), said);
        }
    }
}
