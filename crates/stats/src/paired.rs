//! The change between two sides measured in the same blocks.
//!
//! For block b, d_b = ln(candidate_b / baseline_b); the change is exp(mean d) − 1 and its interval
//! is Student's t on d, carried through the same function. Pairing cancels whatever slow drift of
//! the machine both sides of a block share. Works for every metric that is a ratio. No block is ever
//! deleted: one that stands apart is flagged and its influence shown.

use thiserror::Error;

use crate::estimate::mean_estimate_at;
use crate::spread::RatioSpread;
use crate::{ConfidenceLevel, Estimate, sample};

/// Fewer blocks than this are never called outlying: with four, one stray block moves the median.
pub const OUTLYING_FROM: usize = 5;

/// A block is outlying when its modified z score exceeds this (Iglewicz and Hoaglin, "How to Detect
/// and Handle Outliers", 1993).
pub const OUTLYING_Z: f64 = 3.5;

/// The 75 % quantile of the normal distribution: MAD / 0.6745 estimates a standard deviation.
const MAD_OF_NORMAL: f64 = 0.6745;

/// One metric on both sides of one block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricPair {
    /// The number by which the caller knows the block.
    pub block: u32,
    /// The baseline's figure.
    pub baseline: f64,
    /// The candidate's figure, in the same unit.
    pub candidate: f64,
}

/// The two sides of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairSide {
    /// What the candidate is compared with.
    Baseline,
    /// What is being judged.
    Candidate,
}

impl std::fmt::Display for PairSide {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            PairSide::Baseline => "baseline",
            PairSide::Candidate => "candidate",
        })
    }
}

/// Why blocks do not give a change.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum PairError {
    /// A ratio needs positive, finite figures on both sides.
    #[error("block {block}: the {side} figure {value} is not a positive number")]
    NotPositive {
        /// The block that holds the figure.
        block: u32,
        /// The side it stands on.
        side: PairSide,
        /// The figure.
        value: f64,
    },
    /// The same block was given twice: it would count as two independent observations.
    #[error("block {block} is given twice")]
    Duplicate {
        /// The block.
        block: u32,
    },
    /// Without two blocks nothing is known of the spread.
    #[error("{found} paired blocks: an interval needs at least 2")]
    TooFewBlocks {
        /// How many were given.
        found: usize,
    },
}

/// One block's share in a [`PairedChange`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BlockChange {
    /// The caller's number of the block.
    pub block: u32,
    /// ln(candidate / baseline) in this block.
    pub log_ratio: f64,
    /// Whether it stands apart: |d − median| / (MAD / 0.6745) > [`OUTLYING_Z`], asked only from
    /// [`OUTLYING_FROM`] blocks up and when the MAD is not 0. Flagged, never deleted.
    pub outlying: bool,
    /// The change computed without this block; `None` when fewer than two blocks would be left.
    pub without: Option<Estimate>,
}

/// The change between baseline and candidate over the blocks of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct PairedChange {
    /// candidate / baseline − 1, with its interval; n is the number of blocks.
    pub change: Estimate,
    /// Standard deviation of the log ratios, and the level of the interval.
    pub spread: RatioSpread,
    /// Every block, in the order given.
    pub blocks: Vec<BlockChange>,
}

impl PairedChange {
    /// The log ratios of the blocks, in the order given.
    #[must_use]
    pub fn log_ratios(&self) -> Vec<f64> {
        self.blocks.iter().map(|b| b.log_ratio).collect()
    }
}

/// The log ratio of every pair, in the order given.
///
/// # Errors
/// [`PairError::NotPositive`] and [`PairError::Duplicate`], naming the block.
pub fn log_ratios(pairs: &[MetricPair]) -> Result<Vec<f64>, PairError> {
    let mut seen = std::collections::BTreeSet::new();
    pairs
        .iter()
        .map(|pair| {
            if !seen.insert(pair.block) {
                return Err(PairError::Duplicate { block: pair.block });
            }
            let candidate = check_positive(pair.block, PairSide::Candidate, pair.candidate)?;
            let baseline = check_positive(pair.block, PairSide::Baseline, pair.baseline)?;
            Ok(candidate.ln() - baseline.ln())
        })
        .collect()
}

/// The change over the blocks with an interval at `level`: [`ConfidenceLevel::NINETY_FIVE`] when the number of
/// blocks was fixed beforehand, [`StoppingRule::level_at`](crate::stopping::StoppingRule::level_at)
/// when a stopping rule chose it.
///
/// # Errors
/// [`PairError`], naming the block.
pub fn paired_change(pairs: &[MetricPair], level: ConfidenceLevel) -> Result<PairedChange, PairError> {
    let log_ratios = log_ratios(pairs)?;
    let change = change_of_log_ratios(&log_ratios, level).ok_or(PairError::TooFewBlocks { found: log_ratios.len() })?;
    let outlying = outlying_blocks(&log_ratios);
    let blocks = (0..pairs.len())
        .map(|i| BlockChange {
            block: pairs[i].block,
            log_ratio: log_ratios[i],
            outlying: outlying[i],
            without: change_of_log_ratios(&all_but(&log_ratios, i), level),
        })
        .collect();
    let spread = RatioSpread { sd_log: sample::standard_deviation(&log_ratios), level };
    Ok(PairedChange { change, spread, blocks })
}

/// exp(mean d) − 1 with its interval; `None` with fewer than two log ratios.
#[must_use]
pub fn change_of_log_ratios(log_ratios: &[f64], level: ConfidenceLevel) -> Option<Estimate> {
    mean_estimate_at(log_ratios, level).map(|d| d.map(f64::exp_m1))
}

/// `value` where it can stand in a ratio.
pub(crate) fn check_positive(block: u32, side: PairSide, value: f64) -> Result<f64, PairError> {
    if value.is_finite() && value > 0.0 { Ok(value) } else { Err(PairError::NotPositive { block, side, value }) }
}

fn all_but(values: &[f64], left_out: usize) -> Vec<f64> {
    let mut rest = values.to_vec();
    rest.remove(left_out);
    rest
}

fn outlying_blocks(log_ratios: &[f64]) -> Vec<bool> {
    let centre = sample::sample_median(log_ratios);
    let sigma = sample::median_absolute_deviation(log_ratios) / MAD_OF_NORMAL;
    let askable = log_ratios.len() >= OUTLYING_FROM && sigma > 0.0;
    log_ratios.iter().map(|d| askable && (d - centre).abs() > OUTLYING_Z * sigma).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(figures: &[(f64, f64)]) -> Vec<MetricPair> {
        figures
            .iter()
            .zip(1..)
            .map(|((baseline, candidate), block)| MetricPair { block, baseline: *baseline, candidate: *candidate })
            .collect()
    }

    fn change(figures: &[(f64, f64)]) -> PairedChange {
        paired_change(&pairs(figures), ConfidenceLevel::NINETY_FIVE).unwrap()
    }

    #[test]
    fn drift_that_both_sides_share_leaves_no_trace() {
        let calm = change(&[(100.0, 90.0), (100.0, 91.0), (100.0, 89.0)]);
        let drifting = change(&[(100.0, 90.0), (50.0, 45.5), (200.0, 178.0)]);
        assert!((calm.change.point - drifting.change.point).abs() < 1e-12);
        assert!((calm.change.interval.low - drifting.change.interval.low).abs() < 1e-12);
    }

    #[test]
    fn a_figure_that_has_no_ratio_is_an_error_that_names_the_block() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = log_ratios(&pairs(&[(1.0, 1.0), (1.0, bad)])).unwrap_err();
            assert_eq!(error.to_string(), format!("block 2: the candidate figure {bad} is not a positive number"));
        }
    }

    #[test]
    fn a_block_given_twice_is_an_error() {
        let mut twice = pairs(&[(1.0, 1.0), (1.0, 1.1)]);
        twice[1].block = 1;
        assert_eq!(paired_change(&twice, ConfidenceLevel::NINETY_FIVE).unwrap_err(), PairError::Duplicate { block: 1 });
    }

    #[test]
    fn one_block_gives_no_interval() {
        assert_eq!(
            paired_change(&pairs(&[(1.0, 1.1)]), ConfidenceLevel::NINETY_FIVE).unwrap_err(),
            PairError::TooFewBlocks { found: 1 }
        );
    }

    #[test]
    fn an_outlying_block_is_flagged_and_still_counted() {
        let figures = [(100.0, 100.0), (100.0, 101.0), (100.0, 99.0), (100.0, 100.5), (100.0, 60.0)];
        let change = change(&figures);
        let flags: Vec<bool> = change.blocks.iter().map(|b| b.outlying).collect();
        assert_eq!(flags, [false, false, false, false, true]);
        assert_eq!(change.change.n, 5);
        let without = change.blocks[4].without.unwrap();
        assert!(without.point.abs() < 0.01 && change.change.point < -0.09);
        // The same block among four is shown, but four blocks cannot say which of them strays.
        assert!(!self::change(&figures[1..]).blocks.iter().any(|b| b.outlying));
    }

    fn figures() -> impl Strategy<Value = Vec<(f64, f64)>> {
        prop::collection::vec((1.0..1e6, 1.0..1e6), 3..12)
    }

    /// Whether two changes are one but for rounding: of a change near -1 the ratio has few digits left.
    fn is_same_change(one: f64, other: f64) -> bool {
        ((1.0 + one) / (1.0 + other) - 1.0).abs() < 1e-9 || (one - other).abs() < 1e-12
    }

    /// Whether one change is the other seen from its other side.
    fn are_inverse(one: f64, other: f64) -> bool {
        is_same_change(one, -other / (1.0 + other)) || is_same_change(other, -one / (1.0 + one))
    }

    #[test]
    fn swapping_the_sides_inverts_a_change_beyond_all_bounds() {
        // Of 1 + low eight digits are lost: what is compared is the change, not its logarithm.
        let wild = change(&[(1.0, 1.0), (862_272.742_795_292_5, 1.0), (1.0, 1.0)]).change;
        let swapped = change(&[(1.0, 1.0), (1.0, 862_272.742_795_292_5), (1.0, 1.0)]).change;
        assert!(are_inverse(wild.interval.low, swapped.interval.high));
        assert!(are_inverse(wild.interval.high, swapped.interval.low));
    }

    proptest! {
        #[test]
        fn the_unit_of_a_metric_does_not_matter(f in figures(), scale in 1e-3..1e3) {
            let scaled: Vec<_> = f.iter().map(|(b, c)| (b * scale, c * scale)).collect();
            let (one, other) = (change(&f).change, change(&scaled).change);
            prop_assert!(is_same_change(one.point, other.point), "{} {}", one.point, other.point);
            let (high, of_scaled) = (one.interval.high, other.interval.high);
            prop_assert!(is_same_change(high, of_scaled), "{high} {of_scaled}");
        }

        #[test]
        fn swapping_the_sides_inverts_the_change(f in figures()) {
            let swapped: Vec<_> = f.iter().map(|(b, c)| (*c, *b)).collect();
            let (one, other) = (change(&f).change, change(&swapped).change);
            prop_assert!(are_inverse(one.point, other.point), "{} {}", one.point, other.point);
            let (low, high) = (one.interval.low, other.interval.high);
            prop_assert!(are_inverse(low, high), "{low} {high}");
        }

        #[test]
        fn the_order_of_the_blocks_does_not_matter(f in figures(), by in 0_usize..12) {
            let mut turned = f.clone();
            turned.rotate_left(by % f.len());
            let (one, other) = (change(&f).change, change(&turned).change);
            prop_assert!(is_same_change(one.point, other.point), "{} {}", one.point, other.point);
            let (low, of_turned) = (one.interval.low, other.interval.low);
            prop_assert!(is_same_change(low, of_turned), "{low} {of_turned}");
        }

        #[test]
        fn no_change_falls_below_minus_one(f in figures()) {
            prop_assert!(change(&f).change.interval.low >= -1.0);
        }
    }
}
