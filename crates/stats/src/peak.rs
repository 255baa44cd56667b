//! Peak throughput of two ladders compared, the choice of the peak's rung included.
//!
//! The peak of a side is its best rung: the highest geometric mean over the blocks. Which rung that
//! is is itself uncertain, so whole blocks are resampled and both sides choose anew each time
//! ([`crate::stopping`] plays no part). Where a side's peak lies beyond its ladder, nothing is
//! compared.

use crate::ladder::{CompleteLadder, LadderError};
use crate::paired::PairSide;
use crate::{ConfidenceLevel, Estimate, resample};

/// Two peaks, or why there are none.
#[derive(Debug, Clone, PartialEq)]
pub enum PeakComparison {
    /// Both sides reached their peak.
    Compared(PeakChange),
    /// At least one side still gains on its highest rung: its peak was not measured.
    PeakNotReached(Vec<NotReached>),
}

/// A side whose peak lies beyond the ladder.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotReached {
    /// The side.
    pub side: PairSide,
    /// What its highest rung gained over the one before, as a share.
    pub gain: Estimate,
}

/// The change of the peak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakChange {
    /// Candidate's peak / baseline's peak − 1, with its interval; n is the number of blocks.
    pub change: Estimate,
    /// Where the baseline's peak lies.
    pub baseline: PeakRung,
    /// Where the candidate's peak lies.
    pub candidate: PeakRung,
}

/// The rung chosen as the peak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeakRung {
    /// Its number of clients.
    pub clients: u32,
    /// The share of resamples that chose it: 1 is undisputed.
    pub chosen_share: f64,
}

/// Compares the peaks of two ladders measured in the same blocks.
///
/// # Errors
/// [`LadderError::Unlike`] when rungs or blocks differ.
pub fn compare_peaks(
    baseline: &CompleteLadder,
    candidate: &CompleteLadder,
    level: ConfidenceLevel,
    seed: u64,
) -> Result<PeakComparison, LadderError> {
    if !baseline.is_like(candidate) {
        return Err(LadderError::Unlike);
    }
    let beyond: Vec<NotReached> = [(PairSide::Baseline, baseline), (PairSide::Candidate, candidate)]
        .into_iter()
        .filter(|(_, ladder)| !ladder.peak_reached())
        .map(|(side, ladder)| NotReached { side, gain: ladder.last_gain() })
        .collect();
    if !beyond.is_empty() {
        return Ok(PeakComparison::PeakNotReached(beyond));
    }
    let choose = |drawn: &[usize]| (best_rung(&baseline.rung_means(drawn)), best_rung(&candidate.rung_means(drawn)));
    let blocks = baseline.block_count();
    let (of_baseline, of_candidate) = choose(&baseline.all_blocks());
    let resampled = resample::over_blocks(blocks, seed, choose);
    let ratios: Vec<f64> = resampled.iter().map(|(b, c)| c.log - b.log).collect();
    let ratio = of_candidate.log - of_baseline.log;
    let rung = |chosen: Best, again: &mut dyn Iterator<Item = Best>| PeakRung {
        clients: baseline.client_counts()[chosen.rung],
        chosen_share: again.filter(|b| b.rung == chosen.rung).count() as f64 / resampled.len() as f64,
    };
    Ok(PeakComparison::Compared(PeakChange {
        change: resample::estimate_from_resamples(ratio, &ratios, blocks, level).map(f64::exp_m1),
        baseline: rung(of_baseline, &mut resampled.iter().map(|r| r.0)),
        candidate: rung(of_candidate, &mut resampled.iter().map(|r| r.1)),
    }))
}

/// The best rung of one side in one draw.
#[derive(Debug, Clone, Copy)]
struct Best {
    rung: usize,
    log: f64,
}

fn best_rung(rung_means: &[f64]) -> Best {
    let mut best = Best { rung: 0, log: rung_means[0] };
    for (rung, log) in rung_means.iter().copied().enumerate() {
        if log > best.log {
            best = Best { rung, log };
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::estimate::mean_estimate;
    use crate::ladder::tests::ladder_from_rows;
    use proptest::prelude::*;

    const CLIENTS: [u32; 3] = [8, 16, 32];

    fn compared(baseline: &[Vec<f64>], candidate: &[Vec<f64>]) -> PeakChange {
        let baseline = ladder_from_rows(&CLIENTS, baseline).unwrap();
        let candidate = ladder_from_rows(&CLIENTS, candidate).unwrap();
        match compare_peaks(&baseline, &candidate, ConfidenceLevel::NINETY_FIVE, 11).unwrap() {
            PeakComparison::Compared(change) => change,
            PeakComparison::PeakNotReached(beyond) => panic!("{beyond:?}"),
        }
    }

    #[test]
    fn an_undisputed_rung_gives_the_paired_interval_of_that_rung() {
        let noise = [1.00, 1.02, 0.99, 1.01, 1.03];
        let baseline: Vec<_> = noise.map(|_| vec![50.0, 100.0, 90.0]).to_vec();
        let candidate: Vec<_> = noise.map(|e| vec![50.0, 110.0 * e, 80.0]).to_vec();
        let change = compared(&baseline, &candidate);
        assert_eq!((change.baseline.clients, change.candidate.clients), (16, 16));
        assert_eq!(change.candidate.chosen_share, 1.0);
        let logs: Vec<f64> = noise.iter().map(|e| (1.1 * e).ln()).collect();
        let student = mean_estimate(&logs).unwrap().map(f64::exp_m1);
        assert!((change.change.point - student.point).abs() < 1e-12);
        let widths = change.change.interval.half_width() / student.interval.half_width();
        assert!((widths - 1.0).abs() < 0.08, "{widths}");
    }

    #[test]
    fn a_disputed_rung_is_reported_as_disputed() {
        let flat: Vec<_> = [1.0, 0.97, 1.02, 1.0].map(|e| vec![50.0, 100.0, 100.0 * e]).to_vec();
        let change = compared(&flat, &flat);
        assert!(change.baseline.chosen_share < 1.0);
        assert_eq!(change.change.point, 0.0);
    }

    #[test]
    fn a_peak_beyond_the_ladder_is_not_compared() {
        let reached = ladder_from_rows(&CLIENTS, &[vec![50.0, 90.0, 91.0], vec![50.0, 90.0, 91.0]]).unwrap();
        let beyond = ladder_from_rows(&CLIENTS, &[vec![50.0, 90.0, 99.0], vec![50.0, 90.0, 99.0]]).unwrap();
        let result = compare_peaks(&reached, &beyond, ConfidenceLevel::NINETY_FIVE, 1).unwrap();
        let PeakComparison::PeakNotReached(sides) = result else {
            panic!("{result:?}");
        };
        assert_eq!(sides.len(), 1);
        assert_eq!(sides[0].side, PairSide::Candidate);
        assert!((sides[0].gain.point - 0.1).abs() < 1e-9);
    }

    #[test]
    fn ladders_of_other_rungs_are_not_compared() {
        let rows = [vec![50.0, 90.0], vec![50.0, 90.0]];
        let one = ladder_from_rows(&[8, 16], &rows).unwrap();
        let other = ladder_from_rows(&[8, 32], &rows).unwrap();
        let error = compare_peaks(&one, &other, ConfidenceLevel::NINETY_FIVE, 1).unwrap_err();
        assert_eq!(error, LadderError::Unlike);
    }

    fn rows() -> impl Strategy<Value = Vec<Vec<f64>>> {
        prop::collection::vec((40.0..60.0, 100.0..120.0, 90.0..105.0), 3..8)
            .prop_map(|rows| rows.iter().map(|r| vec![r.0, r.1, r.2]).collect())
    }

    proptest! {
        #[test]
        fn a_ladder_that_wins_on_every_rung_in_every_block_wins_at_the_peak(
            rows in rows(), gain in 1.01..2.0_f64,
        ) {
            let better: Vec<Vec<f64>> =
                rows.iter().map(|r| r.iter().map(|x| x * gain).collect()).collect();
            let change = compared(&rows, &better);
            prop_assert!((change.change.point + 1.0 - gain).abs() < 1e-9);
            prop_assert!(change.change.interval.low > 0.0);
            prop_assert!(change.change.interval.contains(change.change.point));
        }
    }
}
