//! From an interval to a word that a person can act on.
//!
//! With the practical threshold δ: *equivalent* when the interval lies within ±δ; *improved* or
//! *regressed* when it excludes 0 and does not lie within ±δ; *not worse* or *not better* when it contains 0 and only
//! its other end lies beyond δ; otherwise, and with fewer than three blocks, *not enough data*, with what would
//! probably settle it.

use crate::spread::RatioSpread;
use crate::stopping::FEWEST_BLOCKS;
use crate::{ClosedInterval, Estimate};

/// Which direction of a metric is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BetterDirection {
    /// More is better: throughput.
    Higher,
    /// Less is better: latency, CPU per transaction.
    Lower,
}

/// The smallest change worth acting on, as a share strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct PracticalThreshold(f64);

impl PracticalThreshold {
    /// A threshold given as a share (0.03 is 3 %); `None` unless strictly between 0 and 1.
    #[must_use]
    pub fn new(share: f64) -> Option<PracticalThreshold> {
        (share > 0.0 && share < 1.0).then_some(PracticalThreshold(share))
    }

    /// The threshold as a share.
    #[must_use]
    pub fn as_share(self) -> f64 {
        self.0
    }

    /// The changes that are not worth acting on.
    #[must_use]
    pub fn practical_band(self) -> ClosedInterval {
        ClosedInterval { low: -self.0, high: self.0 }
    }
}

/// What a comparison says about one metric of one pair of cells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The candidate is better, and perhaps by more than the practical threshold.
    Improved,
    /// The candidate is worse, and perhaps by more than the practical threshold.
    Regressed,
    /// Whatever the difference, it is smaller than the practical threshold.
    Equivalent,
    /// The candidate is not worse by more than the practical threshold; whether it is better is open.
    NotWorse,
    /// The candidate is not better by more than the practical threshold; whether it is worse is open.
    NotBetter,
    /// The measurement cannot tell.
    NotEnoughData {
        /// How many more blocks would settle it in at least 80 % of runs, if the blocks go on as they were; `None`
        /// when the spread is unknown or no reasonable number would do.
        more_blocks: Option<usize>,
        /// The smallest change that this run would have detected in 80 % of cases, as a share;
        /// `None` when the spread is unknown.
        detectable_change: Option<f64>,
    },
    /// None yet: more blocks are coming, and an interval that was looked at after each of them would cross any line by
    /// chance sooner or later.
    SoFar,
}

impl Verdict {
    /// What it is called in reports.
    #[must_use]
    pub fn name_in_reports(&self) -> &'static str {
        match self {
            Verdict::Improved => "improved",
            Verdict::Regressed => "regressed",
            Verdict::Equivalent => "equivalent",
            Verdict::NotWorse => "not worse",
            Verdict::NotBetter => "not better",
            Verdict::NotEnoughData { .. } => "not enough data",
            Verdict::SoFar => "so far",
        }
    }

    /// The verdict when there is no interval at all: `blocks` is 0 or 1.
    #[must_use]
    pub fn without_interval(blocks: usize) -> Verdict {
        Verdict::NotEnoughData { more_blocks: Some(FEWEST_BLOCKS.saturating_sub(blocks)), detectable_change: None }
    }
}

/// The verdict on a change whose `n` is the number of blocks, and which came from blocks of the
/// given spread.
#[must_use]
pub fn judge_change(
    change: &Estimate,
    spread: &RatioSpread,
    threshold: PracticalThreshold,
    better: BetterDirection,
) -> Verdict {
    let settled = verdict_of_interval(change, threshold, better);
    settled.or_else(|| verdict_of_one_end(change, threshold, better)).unwrap_or_else(|| Verdict::NotEnoughData {
        more_blocks: more_blocks(change, spread, threshold),
        detectable_change: spread.detectable_change(change.n),
    })
}

/// The verdict that one end of an interval supports which contains 0 and is not within the threshold. A run does not
/// end for it: a further block may still tell what is open.
fn verdict_of_one_end(change: &Estimate, threshold: PracticalThreshold, better: BetterDirection) -> Option<Verdict> {
    if change.n < FEWEST_BLOCKS {
        return None;
    }
    let ClosedInterval { low, high } = threshold.practical_band();
    match (better, change.interval.low >= low, change.interval.high <= high) {
        (BetterDirection::Higher, true, _) | (BetterDirection::Lower, _, true) => Some(Verdict::NotWorse),
        (BetterDirection::Higher, _, true) | (BetterDirection::Lower, true, _) => Some(Verdict::NotBetter),
        _ => None,
    }
}

/// The verdict that the interval supports, if it supports one; that of [`judge_change`] where it does.
#[must_use]
pub fn verdict_of_interval(
    change: &Estimate,
    threshold: PracticalThreshold,
    better: BetterDirection,
) -> Option<Verdict> {
    if change.n < FEWEST_BLOCKS {
        return None;
    }
    if change.interval.is_within(&threshold.practical_band()) {
        return Some(Verdict::Equivalent);
    }
    if change.interval.contains(0.0) {
        return None;
    }
    let rose = change.point > 0.0;
    Some(match (better, rose) {
        (BetterDirection::Higher, true) | (BetterDirection::Lower, false) => Verdict::Improved,
        (BetterDirection::Higher, false) | (BetterDirection::Lower, true) => Verdict::Regressed,
    })
}

/// Whether the interval supports a verdict.
pub(crate) fn is_settled(change: &Estimate, threshold: PracticalThreshold) -> bool {
    // Which direction is good decides what the verdict is called, not whether there is one.
    verdict_of_interval(change, threshold, BetterDirection::Higher).is_some()
}

/// How many more blocks would give a verdict in at least 80 % of runs, if they have the mean and the spread of those
/// made: until the interval excludes 0 or lies within the threshold.
fn more_blocks(change: &Estimate, spread: &RatioSpread, threshold: PracticalThreshold) -> Option<usize> {
    let d = change.point.ln_1p();
    let (low, high) = ((-threshold.as_share()).ln_1p(), threshold.as_share().ln_1p());
    let blocks =
        spread.blocks_until_probable(|reach: f64| d.abs() > reach || (low <= d - reach && d + reach <= high))?;
    // An interval from a luckier level or from two unlike sides may predict that what is there
    // should do; it did not, so one more block is the least that can be asked for.
    Some(blocks.saturating_sub(change.n).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConfidenceLevel;
    use crate::paired::change_of_log_ratios;
    use proptest::prelude::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;
    use statrs::distribution::Normal;

    fn threshold() -> PracticalThreshold {
        PracticalThreshold::new(0.03).unwrap()
    }

    fn spread() -> RatioSpread {
        RatioSpread { sd_log: 0.02, level: ConfidenceLevel::NINETY_FIVE }
    }

    fn verdict(low: f64, high: f64, n: usize, better: BetterDirection) -> Verdict {
        let change = Estimate { point: f64::midpoint(low, high), interval: ClosedInterval { low, high }, n };
        judge_change(&change, &spread(), threshold(), better)
    }

    #[test]
    fn the_verdicts_of_intervals() {
        use BetterDirection::{Higher, Lower};
        for (low, high, better, expected) in [
            (-0.13, -0.09, Higher, Verdict::Regressed),
            (-0.13, -0.09, Lower, Verdict::Improved),
            (0.01, 0.05, Higher, Verdict::Improved),
            (0.01, 0.05, Lower, Verdict::Regressed),
            (-0.029, 0.029, Higher, Verdict::Equivalent),
            (-0.03, 0.03, Lower, Verdict::Equivalent),
            // Excludes 0 but lies within the threshold: a real change, not worth acting on.
            (0.001, 0.02, Higher, Verdict::Equivalent),
            // Only one end of an interval that contains 0 lies beyond the threshold.
            (-0.027, 0.076, Higher, Verdict::NotWorse),
            (-0.027, 0.076, Lower, Verdict::NotBetter),
            (-0.04, 0.01, Higher, Verdict::NotBetter),
            (-0.04, 0.03, Lower, Verdict::NotWorse),
        ] {
            assert_eq!(verdict(low, high, 5, better), expected, "{low} {high}");
        }
        assert!(matches!(verdict(-0.04, 0.031, 5, Higher), Verdict::NotEnoughData { .. }));
    }

    #[test]
    fn two_blocks_are_not_enough_however_clear_they_look() {
        let Verdict::NotEnoughData { more_blocks, detectable_change } =
            verdict(-0.20, -0.19, 2, BetterDirection::Higher)
        else {
            panic!("two blocks gave a verdict");
        };
        assert_eq!(more_blocks, Some(1));
        assert!(detectable_change.is_some());
    }

    #[test]
    fn without_an_interval_three_blocks_are_asked_for() {
        for (blocks, more) in [(0, 3), (1, 2)] {
            assert_eq!(
                Verdict::without_interval(blocks),
                Verdict::NotEnoughData { more_blocks: Some(more), detectable_change: None }
            );
        }
    }

    #[test]
    fn a_threshold_is_a_share_between_none_and_all() {
        for share in [0.0, 1.0, -0.03, 3.0, f64::NAN] {
            assert_eq!(PracticalThreshold::new(share), None, "{share}");
        }
    }

    #[test]
    fn the_blocks_asked_for_settle_four_of_five_runs() {
        // Runs are drawn with the mean and the spread of which the forecast was told.
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        for (mean, sd) in [(0.01, 0.02), (0.05, 0.04), (0.0, 0.03)] {
            let spread = RatioSpread { sd_log: sd, level: ConfidenceLevel::NINETY_FIVE };
            let noise = Normal::new(mean, sd).unwrap();
            let change = Estimate { point: f64::exp_m1(mean), interval: ClosedInterval { low: -0.9, high: 9.0 }, n: 4 };
            let blocks = 4 + more_blocks(&change, &spread, threshold()).unwrap();
            let mut share_settled = |blocks: usize| {
                let settled = (0..2000).filter(|_| {
                    let drawn: Vec<f64> = (0..blocks).map(|_| noise.sample(&mut rng)).collect();
                    is_settled(&change_of_log_ratios(&drawn, ConfidenceLevel::NINETY_FIVE).unwrap(), threshold())
                });
                settled.count() as f64 / 2000.0
            };
            let share = share_settled(blocks);
            assert!(share > 0.78, "{mean} {sd}: {blocks} blocks settle {share} of the runs");
            assert!(share_settled(blocks / 2) < 0.78, "{mean} {sd}: half of {blocks} blocks do as well");
        }
    }

    proptest! {
        #[test]
        fn what_regresses_as_throughput_improves_as_latency(
            low in -0.5..0.5_f64, width in 0.0..0.2_f64, n in 2_usize..20,
        ) {
            let higher = verdict(low, low + width, n, BetterDirection::Higher);
            let lower = verdict(low, low + width, n, BetterDirection::Lower);
            match higher {
                Verdict::Improved => prop_assert_eq!(lower, Verdict::Regressed),
                Verdict::Regressed => prop_assert_eq!(lower, Verdict::Improved),
                Verdict::NotWorse => prop_assert_eq!(lower, Verdict::NotBetter),
                Verdict::NotBetter => prop_assert_eq!(lower, Verdict::NotWorse),
                Verdict::Equivalent | Verdict::NotEnoughData { .. } | Verdict::SoFar => prop_assert_eq!(lower, higher),
            }
        }
    }
}
