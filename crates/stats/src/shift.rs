//! Does a figure change its level from run to run, by as much as matters?
//!
//! [`crate::divisive`] cuts the logarithms of the figures; cuts between levels that lie closer together than the
//! practical threshold go again, the least change first (as in Fleming et al. 2023, "Hunter", ICPE), and what is left
//! has its size with an interval by Welch's t. How often a series without a change raises an alarm, how often a change
//! is found and what the interval covers is simulated: `examples/history_alarms.rs` prints the tables, a test holds
//! what is promised.

use crate::Estimate;
use crate::divisive::{Division, find_divisions};
use crate::unpaired::{UnpairedFigure, unpaired_change};
use crate::verdict::PracticalThreshold;

/// With fewer figures no order of them is rare enough for a change to be beyond chance: the best of 9 figures is one of
/// 126, on either side, which a test of 199 draws hits or misses.
pub const FEWEST_FIGURES: usize = 10;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// Index of the first figure of the new level.
    pub at: usize,
    /// New level / old level − 1 (of geometric means), with the 95 % interval of Welch's t for this cut. That the cut
    /// is where the levels differ most is not in it: it covers less often for short levels and small changes.
    pub change: Estimate,
    /// The cut's, of its test by permutation.
    pub p_value: f64,
}

/// The changes of level of a series, in its order: those that are at least as large as the threshold and whose interval
/// excludes no change. `None` where a figure has no logarithm.
#[must_use]
pub fn find_shifts(series: &[f64], threshold: PracticalThreshold, seed: u64) -> Option<Vec<Shift>> {
    if !series.iter().all(|y| y.is_finite() && *y > 0.0) {
        return None;
    }
    let logs: Vec<f64> = series.iter().map(|y| y.ln()).collect();
    let mut cuts = find_divisions(&logs, seed);
    loop {
        let shifts = shifts_at_cuts(series, &cuts)?;
        // What stands between two levels changes with every cut that goes: one at a time, the least first.
        let weakest =
            (0..shifts.len()).min_by(|a, b| weight_of_shift(&shifts[*a]).total_cmp(&weight_of_shift(&shifts[*b])));
        match weakest {
            Some(weakest) if weight_of_shift(&shifts[weakest]) < threshold.as_share() => cuts.remove(weakest),
            _ => return Some(shifts),
        };
    }
}

/// The change from the level of some figures to that of others, with the 95 % interval of Welch's t. `None` with fewer
/// than two figures on a side, or where one has no logarithm.
#[must_use]
pub fn change_between(before: &[f64], after: &[f64]) -> Option<Estimate> {
    let [before, after] = [before, after].map(|part| {
        let figures = part.iter().zip(0..).map(|(value, block)| UnpairedFigure { block, value: *value });
        figures.collect::<Vec<UnpairedFigure>>()
    });
    unpaired_change(&before, &after).ok().map(|result| result.change)
}

/// The cuts with the changes between the levels that they part.
fn shifts_at_cuts(series: &[f64], cuts: &[Division]) -> Option<Vec<Shift>> {
    let at = |i: usize| cuts.get(i).map_or(series.len(), |cut| cut.at);
    (0..cuts.len())
        .map(|i| {
            let start = if i == 0 { 0 } else { at(i - 1) };
            let change = change_between(&series[start..at(i)], &series[at(i)..at(i + 1)])?;
            Some(Shift { at: at(i), change, p_value: cuts[i].p_value })
        })
        .collect()
}

/// How large a change is, whichever way (a fall to half is as large as a rise to double); 0 where its interval does not
/// exclude that there is none.
fn weight_of_shift(shift: &Shift) -> f64 {
    if shift.change.interval.contains(0.0) { 0.0 } else { shift.change.point.ln_1p().abs().exp_m1() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::autocorrelation::tests::noisy_series;

    /// Two months of nights: a step of twice the noise in the middle is beyond chance in every series, and what is
    /// left is how well its place can be told, at best within three runs in about 96 of 100.
    const RUNS: usize = 60;

    fn threshold(share: f64) -> PracticalThreshold {
        PracticalThreshold::new(share).unwrap()
    }

    /// Noise of 1 % with a step of `by` standard deviations before the figure `at`.
    fn stepped(at: usize, by: f64, seed: u64) -> Vec<f64> {
        let mut series = noisy_series(RUNS, 0.0, 1.0, seed);
        for y in &mut series[at..] {
            *y -= by;
        }
        series
    }

    /// Beyond what any practical threshold would let through: 0.1 %.
    fn found(series: &[f64]) -> Vec<Shift> {
        find_shifts(series, threshold(0.001), 1).unwrap()
    }

    #[test]
    fn of_200_series_without_a_step_at_most_ten_raise_an_alarm() {
        let alarms = (0..200).filter(|seed| !found(&stepped(0, 0.0, *seed)).is_empty()).count();
        assert!(alarms <= 10, "{alarms}");
    }

    #[test]
    fn a_step_of_twice_the_noise_is_found_within_three_runs_in_190_of_200_series() {
        let near = |seed: &u64| found(&stepped(30, 2.0, *seed)).iter().any(|shift| shift.at.abs_diff(30) <= 3);
        let found = (0..200).filter(near).count();
        assert!(found >= 190, "{found}");
    }

    #[test]
    fn a_step_has_its_size_with_an_interval() {
        let found = found(&stepped(18, 10.0, 3));
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!((found[0].at, found[0].change.n), (18, 18));
        assert!(found[0].change.interval.contains(-0.1), "{found:?}");
    }

    #[test]
    fn a_change_below_the_threshold_is_none_however_certain() {
        let series = stepped(15, 5.0, 4);
        assert_eq!(find_shifts(&series, threshold(0.03), 1).unwrap().len(), 1);
        assert_eq!(find_shifts(&series, threshold(0.08), 1).unwrap(), []);
    }

    #[test]
    fn three_runs_are_enough_for_a_change_that_stands_apart_and_two_are_not() {
        assert_eq!(found(&stepped(57, 10.0, 5)).iter().map(|shift| shift.at).collect::<Vec<_>>(), [57]);
        assert_eq!(found(&stepped(58, 10.0, 5)), []);
    }

    #[test]
    fn figures_without_a_logarithm_are_not_judged() {
        assert_eq!(find_shifts(&[1.0, 2.0, 0.0], threshold(0.03), 1), None);
        assert_eq!(find_shifts(&[1.0, f64::NAN], threshold(0.03), 1), None);
        assert_eq!(find_shifts(&[], threshold(0.03), 1), Some(vec![]));
    }
}
