//! Which of two sides fails more of its transactions, and by how much.
//!
//! Failures cluster: one deadlock is followed by others, a lock that times out fails whole seconds. So what is sure of
//! single transactions is not sure of the sides, and what is sure over blocks may be chance where there are three
//! failures in all. A direction is sure only where both tests see it: Fisher's exact test (Fisher 1935) of the pooled
//! counts, which holds for small ones, and Student's t over the blocks on the logarithm of the odds ratio, with half a
//! failure added to each count (Haldane 1956, Ann. Hum. Genet. 20:309), for which a block is one observation however
//! many of its transactions fail.
//!
//! The interval of the difference covers two intervals: from the pooled counts (Clopper and Pearson 1934 a side, put
//! together by Newcombe's square and add, 1998, Statist. Med. 17:873) and Student's over the differences of the blocks.

use statrs::function::factorial::ln_binomial;

use crate::estimate::mean_estimate_at;
use crate::level::t_test;
use crate::quantile::beta_quantile;
use crate::{ClosedInterval, ConfidenceLevel, Estimate, sample};

/// Transactions of one side that ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EndedTransactions {
    /// Those of them that failed.
    pub failed: u64,
    /// All of them.
    pub all: u64,
}

impl EndedTransactions {
    /// The share that failed; `None` where nothing ended.
    #[must_use]
    pub fn failed_share(self) -> Option<f64> {
        (self.all > 0).then(|| self.failed as f64 / self.all as f64)
    }

    /// Those of both.
    #[must_use]
    pub fn combined_with(self, other: EndedTransactions) -> EndedTransactions {
        EndedTransactions { failed: self.failed + other.failed, all: self.all + other.all }
    }

    /// The sum of all.
    #[must_use]
    pub fn sum_of_all(all: &[EndedTransactions]) -> EndedTransactions {
        all.iter().fold(EndedTransactions::default(), |sum, ended| sum.combined_with(*ended))
    }

    /// The logarithm of the odds of failing.
    fn log_odds(self) -> f64 {
        let succeeded = self.all.saturating_sub(self.failed);
        ((self.failed as f64 + 0.5) / (succeeded as f64 + 0.5)).ln()
    }
}

/// How the shares of failed transactions of two sides differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShareDifference {
    /// Share of the candidate's transactions that failed less that of the baseline's, over all of them; `n` is the
    /// number of blocks. Where the direction is sure the interval ends at 0 at the latest.
    pub difference: Estimate,
    /// Two-sided p value of "they fail alike": the larger one of both tests. 1 with fewer than two blocks.
    pub p_value: f64,
}

/// The difference over blocks of `[baseline, candidate]`; `None` where a side ended nothing at all. `level`: that of
/// the interval, by which the p value is scaled as that of [`crate::holm::p_value`].
#[must_use]
pub fn paired_difference(blocks: &[[EndedTransactions; 2]], level: ConfidenceLevel) -> Option<ShareDifference> {
    let blocks: Vec<[EndedTransactions; 2]> =
        blocks.iter().copied().filter(|sides| sides.iter().all(|it| it.all > 0)).collect();
    let log_ratios: Vec<f64> = blocks.iter().map(|[one, other]| other.log_odds() - one.log_odds()).collect();
    let of_blocks: Vec<f64> = blocks
        .iter()
        .map(|[one, other]| other.failed_share().unwrap_or_default() - one.failed_share().unwrap_or_default())
        .collect();
    let p_over_blocks = if blocks.len() < 2 {
        1.0
    } else {
        let n = blocks.len() as f64;
        t_test(sample::sample_mean(&log_ratios), sample::standard_deviation(&log_ratios) / n.sqrt(), n - 1.0)
    };
    let sums = [0, 1]
        .map(|side| blocks.iter().fold(EndedTransactions::default(), |sum, sides| sum.combined_with(sides[side])));
    let over_blocks = mean_estimate_at(&of_blocks, level).map(|estimate| estimate.interval);
    combined_share_difference(sums, p_over_blocks, over_blocks, blocks.len(), level)
}

/// The same of sides that were not measured in the same blocks; `n` is the number of blocks of the side with fewer.
#[must_use]
pub fn unpaired_difference(
    baseline: &[EndedTransactions],
    candidate: &[EndedTransactions],
    level: ConfidenceLevel,
) -> Option<ShareDifference> {
    let sides = [baseline, candidate]
        .map(|side| side.iter().copied().filter(|it| it.all > 0).collect::<Vec<EndedTransactions>>());
    let n = sides[0].len().min(sides[1].len());
    let sums = [EndedTransactions::sum_of_all(&sides[0]), EndedTransactions::sum_of_all(&sides[1])];
    if n < 2 {
        return combined_share_difference(sums, 1.0, None, n, level);
    }
    let shares = sides.each_ref().map(|side| side.iter().filter_map(|it| it.failed_share()).collect::<Vec<f64>>());
    let odds = sides.each_ref().map(|side| side.iter().map(|it| it.log_odds()).collect::<Vec<f64>>());
    let (log_ratio, error, freedom) = welch_test(&odds);
    let (mean, error_of_shares, freedom_of_shares) = welch_test(&shares);
    let reach = level.critical_value(freedom_of_shares) * error_of_shares;
    let over_blocks = ClosedInterval { low: mean - reach, high: mean + reach };
    combined_share_difference(sums, t_test(log_ratio, error, freedom), Some(over_blocks), n, level)
}

/// Difference of means, its standard error, degrees of freedom (Welch 1947, Biometrika 34:28).
fn welch_test([baseline, candidate]: &[Vec<f64>; 2]) -> (f64, f64, f64) {
    let [one, other] = [baseline, candidate].map(|side| sample::sample_variance(side) / side.len() as f64);
    let difference = sample::sample_mean(candidate) - sample::sample_mean(baseline);
    let pooled_freedom = (baseline.len() + candidate.len() - 2) as f64;
    if one + other <= 0.0 {
        return (difference, 0.0, pooled_freedom);
    }
    let parts = one.powi(2) / (baseline.len() - 1) as f64 + other.powi(2) / (candidate.len() - 1) as f64;
    (difference, (one + other).sqrt(), (one + other).powi(2) / parts)
}

fn combined_share_difference(
    [baseline, candidate]: [EndedTransactions; 2],
    p_over_blocks: f64,
    over_blocks: Option<ClosedInterval>,
    n: usize,
    level: ConfidenceLevel,
) -> Option<ShareDifference> {
    let point = candidate.failed_share()? - baseline.failed_share()?;
    let cost_of_looking = (1.0 - ConfidenceLevel::NINETY_FIVE.as_share()) / (1.0 - level.as_share());
    let p_value = (exact_p_value(baseline, candidate).max(p_over_blocks) * cost_of_looking).min(1.0);
    let pooled = pooled_interval(baseline, candidate, level)?;
    let mut interval = over_blocks.map_or(pooled, |over| ClosedInterval {
        low: pooled.low.min(over.low).max(-1.0),
        high: pooled.high.max(over.high).min(1.0),
    });
    if p_value < 1.0 - ConfidenceLevel::NINETY_FIVE.as_share() {
        interval = if point > 0.0 {
            ClosedInterval { low: interval.low.max(0.0), ..interval }
        } else {
            ClosedInterval { high: interval.high.min(0.0), ..interval }
        };
    }
    Some(ShareDifference { difference: Estimate { point, interval, n }, p_value })
}

/// The two-sided p value of "both sides fail alike" as if transactions failed independently of each other: twice the
/// smaller tail of the hypergeometric distribution (Fisher's exact test), 1 where nothing failed or nothing succeeded.
#[must_use]
pub fn exact_p_value(baseline: EndedTransactions, candidate: EndedTransactions) -> f64 {
    let failed = baseline.failed + candidate.failed;
    let all = baseline.all + candidate.all;
    if failed == 0 || failed == all || baseline.all == 0 || candidate.all == 0 {
        return 1.0;
    }
    let least = failed.saturating_sub(baseline.all);
    let most = failed.min(candidate.all);
    let chance = |of_candidate: u64| {
        let ways = ln_binomial(candidate.all, of_candidate) + ln_binomial(baseline.all, failed - of_candidate);
        (ways - ln_binomial(all, failed)).exp()
    };
    // The tail on the other side of what is expected is the larger one.
    let expected = failed as f64 * candidate.all as f64 / all as f64;
    let smaller = if candidate.failed as f64 >= expected {
        tail_probability(candidate.failed..=most, chance)
    } else {
        tail_probability((least..=candidate.failed).rev(), chance)
    };
    (2.0 * smaller).min(1.0)
}

/// The sum of the chances from the first outcome on, until they are too small to matter: beyond its mode the
/// distribution falls ever faster.
fn tail_probability(outcomes: impl Iterator<Item = u64>, chance: impl Fn(u64) -> f64) -> f64 {
    let (mut sum, mut before) = (0.0_f64, 0.0_f64);
    for outcome in outcomes {
        let now = chance(outcome);
        sum += now;
        if now <= before && now < sum * 1e-12 {
            break;
        }
        before = now;
    }
    sum
}

/// The interval of the difference of two shares as if transactions failed independently of each other.
fn pooled_interval(
    baseline: EndedTransactions,
    candidate: EndedTransactions,
    level: ConfidenceLevel,
) -> Option<ClosedInterval> {
    let (one, other) = (baseline.failed_share()?, candidate.failed_share()?);
    let (of_one, of_other) = (exact_interval(baseline, level)?, exact_interval(candidate, level)?);
    let point = other - one;
    let down = (other - of_other.low).hypot(of_one.high - one);
    let up = (of_other.high - other).hypot(one - of_one.low);
    Some(ClosedInterval { low: (point - down).max(-1.0), high: (point + up).min(1.0) })
}

/// The interval of a share that covers it at least as often as it says, however few failed (Clopper and Pearson 1934,
/// Biometrika 26:404); `None` where nothing ended.
#[must_use]
pub fn exact_interval(ended: EndedTransactions, level: ConfidenceLevel) -> Option<ClosedInterval> {
    if ended.all == 0 || ended.failed > ended.all {
        return None;
    }
    let tail = (1.0 - level.as_share()) / 2.0;
    let (failed, succeeded) = (ended.failed as f64, (ended.all - ended.failed) as f64);
    let low = if ended.failed == 0 { 0.0 } else { beta_quantile(failed, succeeded + 1.0, tail) };
    let high = if succeeded > 0.0 { beta_quantile(failed + 1.0, succeeded, 1.0 - tail) } else { 1.0 };
    Some(ClosedInterval { low, high })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NINETY_FIVE: ConfidenceLevel = ConfidenceLevel::NINETY_FIVE;

    fn of(failed: u64, all: u64) -> EndedTransactions {
        EndedTransactions { failed, all }
    }

    #[test]
    fn interval_of_millions_of_failures_is_found() {
        let interval = exact_interval(of(25_765_905, 25_767_597), NINETY_FIVE).unwrap();
        assert!(0.999_931 < interval.low && interval.low < interval.high && interval.high < 0.999_938, "{interval:?}");
    }

    fn against_none(failed: &[u64]) -> ShareDifference {
        let blocks: Vec<[EndedTransactions; 2]> =
            failed.iter().map(|failed| [of(0, 10_000), of(*failed, 10_000)]).collect();
        paired_difference(&blocks, NINETY_FIVE).unwrap()
    }

    #[test]
    fn fisher_s_tea_taster_has_the_published_p_value() {
        // Fisher 1935: 3 of 4 right; one-sided 17/70.
        let p = exact_p_value(of(1, 4), of(3, 4));
        assert!((p - 34.0 / 70.0).abs() < 1e-9, "{p}");
        assert!((exact_p_value(of(0, 4), of(4, 4)) - 2.0 / 70.0).abs() < 1e-9);
        assert_eq!(exact_p_value(of(0, 10), of(0, 9)), 1.0);
    }

    #[test]
    fn an_exact_interval_is_that_of_the_tables() {
        // Clopper and Pearson: 0 of 20 and 3 of 10.
        let none = exact_interval(of(0, 20), NINETY_FIVE).unwrap();
        assert!(none.low == 0.0 && (none.high - 0.168_43).abs() < 1e-4, "{none:?}");
        let three = exact_interval(of(3, 10), NINETY_FIVE).unwrap();
        assert!((three.low - 0.066_74).abs() < 1e-4 && (three.high - 0.652_45).abs() < 1e-4, "{three:?}");
        assert_eq!(exact_interval(of(7, 7), NINETY_FIVE).unwrap().high, 1.0);
        assert_eq!(exact_interval(of(0, 0), NINETY_FIVE), None);
    }

    #[test]
    fn a_direction_is_sure_where_blocks_and_counts_agree() {
        for (failed, sure) in [
            (&[10_000, 10_000, 10_000][..], true),
            (&[2_000, 1_900, 2_100], true),
            // Very unlike in size, alike in direction.
            (&[3_400, 2_000, 500], true),
            // One storm of deadlocks.
            (&[5_000, 0, 0, 0, 0, 0], false),
            // Alike in each block, and three in all.
            (&[1, 1, 1], false),
            (&[0, 0, 0], false),
            (&[9_000], false),
        ] {
            let found = against_none(failed);
            assert_eq!(found.p_value < 0.05, sure, "{failed:?}: {found:?}");
            // Of one block the interval is of its counts, within this run.
            if found.difference.n > 1 {
                assert_eq!(found.difference.interval.low > 0.0 || sure, sure, "{failed:?}: {found:?}");
            }
            assert!(found.difference.interval.contains(found.difference.point), "{failed:?}: {found:?}");
        }
    }

    #[test]
    fn sides_of_separate_runs_are_compared_without_their_order() {
        let (none, fifth) = ([of(0, 900), of(0, 1_000), of(1, 1_100)], [of(200, 1_000), of(180, 900), of(230, 1_000)]);
        let found = unpaired_difference(&none, &fifth, NINETY_FIVE).unwrap();
        assert!(found.p_value < 0.01 && found.difference.interval.low > 0.1, "{found:?}");
        let one_each = unpaired_difference(&none[..1], &fifth[..1], NINETY_FIVE).unwrap();
        assert_eq!((one_each.p_value, one_each.difference.n), (1.0, 1));
        assert_eq!(unpaired_difference(&none, &[], NINETY_FIVE), None);
    }

    proptest! {
        #[test]
        fn swapped_sides_differ_by_the_opposite(
            counts in prop::collection::vec((0_u64..400, 0_u64..400), 1..7),
        ) {
            let blocks: Vec<[EndedTransactions; 2]> = counts.iter().map(|(one, other)| [of(*one, 400), of(*other, 400)]).collect();
            let swapped: Vec<[EndedTransactions; 2]> = blocks.iter().map(|[one, other]| [*other, *one]).collect();
            let found = paired_difference(&blocks, NINETY_FIVE).unwrap();
            let other = paired_difference(&swapped, NINETY_FIVE).unwrap();
            prop_assert!((found.difference.point + other.difference.point).abs() < 1e-12);
            prop_assert!((found.difference.interval.low + other.difference.interval.high).abs() < 1e-9);
            prop_assert!((found.p_value - other.p_value).abs() < 1e-9);
            prop_assert!(found.difference.interval.contains(found.difference.point));
        }

        #[test]
        fn an_exact_interval_contains_its_share(failed in 0_u64..50, more in 1_u64..5_000) {
            let ended = of(failed, failed + more);
            let interval = exact_interval(ended, NINETY_FIVE).unwrap();
            prop_assert!(interval.low <= ended.failed_share().unwrap() && ended.failed_share().unwrap() <= interval.high);
        }
    }
}
