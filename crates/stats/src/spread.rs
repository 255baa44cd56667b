//! How much blocks differ from one another, and so what a number of blocks can and cannot show.
//!
//! Everything here is a prediction from an observed spread, not an observation: the next blocks may
//! be calmer or wilder.

use crate::ConfidenceLevel;
use crate::level::t_quantile;

/// The power at which [`RatioSpread::detectable_change`] is stated: the share of such runs that would
/// have noticed a change of that size.
pub const POWER: f64 = 0.80;

/// No prediction looks further ahead than this many blocks: beyond it the honest advice is a longer
/// trial or a calmer machine.
pub const MOST_BLOCKS: usize = 1000;

/// The spread of the log ratios of the blocks of one comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RatioSpread {
    /// Standard deviation of ln(candidate / baseline) from block to block; 0.02 is about 2 %.
    pub sd_log: f64,
    /// The level at which the interval is to be computed.
    pub level: ConfidenceLevel,
}

impl RatioSpread {
    /// Predicted half-width of the interval of the mean log ratio after `blocks` blocks: t·s/√n.
    /// `None` with fewer than two blocks.
    #[must_use]
    pub fn half_width_log(&self, blocks: usize) -> Option<f64> {
        let freedom = blocks.checked_sub(1).filter(|f| *f > 0)? as f64;
        Some(self.level.critical_value(freedom) * self.sd_log / (blocks as f64).sqrt())
    }

    /// The smallest gain that `blocks` blocks with this spread would have told from no change in
    /// 80 % of runs: exp((t_α + t_0.8)·s/√n) − 1, the usual approximation to the power of a t test
    /// (Chow, Shao, Wang, "Sample Size Calculations in Clinical Research", 3.1). A loss is found a
    /// little sooner. `None` with fewer than two blocks.
    #[must_use]
    pub fn detectable_change(&self, blocks: usize) -> Option<f64> {
        Some(self.reach_log(blocks, POWER)?.exp_m1())
    }

    /// How far an end of the interval lies from the true mean log ratio at most in a share `power` of runs of `blocks`
    /// blocks: (t_α + t_power)·s/√n. `None` with fewer than two blocks.
    fn reach_log(&self, blocks: usize, power: f64) -> Option<f64> {
        let freedom = blocks.checked_sub(1).filter(|f| *f > 0)? as f64;
        let reach = self.level.critical_value(freedom) + t_quantile(power, freedom);
        Some(reach * self.sd_log / (blocks as f64).sqrt())
    }

    /// The fewest blocks, from 3 up, after which `enough` accepts the predicted half-width of the
    /// mean log ratio; what it accepts it must accept in a narrower interval too. `None` when
    /// [`MOST_BLOCKS`] would not do.
    pub(crate) fn blocks_until(&self, enough: impl Fn(f64) -> bool) -> Option<usize> {
        fewest_blocks(|blocks| self.half_width_log(blocks).is_some_and(&enough))
    }

    /// The fewest blocks, from 3 up, after which `enough` accepts how far both ends of the interval lie from the true
    /// mean log ratio at most in 80 % of runs; what it accepts it must accept in a shorter reach too. `None` when
    /// [`MOST_BLOCKS`] would not do.
    pub(crate) fn blocks_until_probable(&self, enough: impl Fn(f64) -> bool) -> Option<usize> {
        // Each of the two ends has half of the other runs.
        let of_each_end = f64::midpoint(POWER, 1.0);
        fewest_blocks(|blocks| self.reach_log(blocks, of_each_end).is_some_and(&enough))
    }
}

/// The fewest blocks, from 3 up, that are accepted, if more than those are, too.
fn fewest_blocks(accepts: impl Fn(usize) -> bool) -> Option<usize> {
    if !accepts(MOST_BLOCKS) {
        return None;
    }
    let (mut least, mut most) = (3, MOST_BLOCKS);
    while least < most {
        let middle = usize::midpoint(least, most);
        if accepts(middle) {
            most = middle;
        } else {
            least = middle + 1;
        }
    }
    Some(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand::distr::Distribution;
    use rand_chacha::ChaCha8Rng;

    fn spread(sd_log: f64) -> RatioSpread {
        RatioSpread { sd_log, level: ConfidenceLevel::NINETY_FIVE }
    }

    #[test]
    fn one_block_predicts_nothing() {
        assert_eq!(spread(0.02).half_width_log(1), None);
        assert_eq!(spread(0.02).detectable_change(0), None);
    }

    #[test]
    fn more_blocks_narrow_the_interval_and_sharpen_the_eye() {
        let spread = spread(0.03);
        for n in 2..40 {
            assert!(spread.half_width_log(n + 1) < spread.half_width_log(n));
            assert!(spread.detectable_change(n + 1) < spread.detectable_change(n));
        }
    }

    #[test]
    fn a_detectable_change_is_detected_in_about_four_runs_of_five() {
        let runs = 2000;
        for blocks in [4_usize, 6, 10, 20] {
            let mut rng = ChaCha8Rng::seed_from_u64(blocks as u64);
            let normal = crate::level::standard_normal();
            let change = spread(0.05).detectable_change(blocks).unwrap().ln_1p();
            let detected = (0..runs)
                .filter(|_| {
                    let d: Vec<f64> = (0..blocks).map(|_| change + 0.05 * normal.sample(&mut rng)).collect();
                    !crate::estimate::mean_estimate(&d).unwrap().interval.contains(0.0)
                })
                .count();
            let power = detected as f64 / f64::from(runs);
            // The approximation is 0.03 off with few blocks; three binomial standard errors are 0.027.
            assert!((power - POWER).abs() < 0.06, "{blocks} blocks: {power}");
        }
    }
}
