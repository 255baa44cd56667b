//! What the turns of sides say of themselves: how long they were beside what was asked for, what was different at their
//! beginning, and pair by pair how the sides compare within one trial. No verdict rests on a pair: turns of one trial
//! share where its connections were placed, and are no independent observations of the sides.

use std::collections::BTreeMap;

use results::trial::TrialPhase;
use results::turn::Turn;
use stats::estimate::mean_estimate_at;
use stats::{ConfidenceLevel, Estimate};

/// In a quarter of a turn that is shorter than so many transactions, only short ones of them end.
const TRANSACTIONS_IN_A_QUARTER: f64 = 4.0;

/// Fewer turns have no edges worth the name.
const TURNS_AT_LEAST: usize = 10;

/// The measured turns of one trial's side.
#[derive(Debug, Clone, Copy)]
pub struct MeasuredTurns<'a> {
    turns: &'a [Turn],
    length_us: u64,
}

impl<'a> MeasuredTurns<'a> {
    /// Of the turns of one trial, which were to be so long.
    pub fn new(turns: &'a [Turn], length_us: u64) -> Self {
        Self { turns, length_us }
    }

    fn measured_turns(&self) -> impl Iterator<Item = &'a Turn> {
        self.turns.iter().filter(|turn| turn.phase == TrialPhase::Measure)
    }

    /// How many there were, and how many of them were given up because no client had a connection.
    pub fn lost_and_measured_counts(&self) -> [usize; 2] {
        [self.measured_turns().filter(|turn| turn.lost).count(), self.measured_turns().count()]
    }

    /// The share of their time in which transactions ended but none began; none without a turn.
    pub fn overrun_share(&self) -> Option<f64> {
        self.share_of_measured_time(|turn| turn.overrun_us, |turn| turn.duration_us)
    }

    /// The share of the time in which no side had its turn, of that before its turns and in them.
    pub fn gap_share(&self) -> Option<f64> {
        self.share_of_measured_time(|turn| turn.gap_us, |turn| turn.gap_us + turn.duration_us)
    }

    fn share_of_measured_time(&self, part: fn(&Turn) -> u64, whole: fn(&Turn) -> u64) -> Option<f64> {
        let [part, whole] = [part, whole].map(|of| self.measured_turns().map(of).sum::<u64>());
        (whole > 0).then(|| part as f64 / whole as f64)
    }

    /// How much longer a transaction takes that ends in the first quarter of a turn than one that ends later, as a
    /// share, with a 99 % interval over the turns; none of few turns, and of transactions too long to tell.
    pub fn edge_effect_share(&self) -> Option<Estimate> {
        let quarter_us = self.length_us as f64 / 4.0;
        let ratios: Vec<f64> = self
            .measured_turns()
            .filter(|turn| !turn.lost)
            .filter_map(|turn| {
                let first = turn.first_quarter;
                let begin_us = mean_latency_us(first.latency_sum_us, first.transactions)?;
                let rest_us = mean_latency_us(
                    turn.latency_sum_us.checked_sub(first.latency_sum_us)?,
                    turn.transactions.checked_sub(first.transactions)?,
                )?;
                (TRANSACTIONS_IN_A_QUARTER * rest_us <= quarter_us).then(|| (begin_us / rest_us).ln())
            })
            .collect();
        if ratios.len() < TURNS_AT_LEAST {
            return None;
        }
        let Estimate { point, interval, n } = mean_estimate_at(&ratios, ConfidenceLevel::new(0.99)?)?;
        let interval = stats::ClosedInterval { low: interval.low.exp_m1(), high: interval.high.exp_m1() };
        Some(Estimate { point: point.exp_m1(), interval, n })
    }
}

fn mean_latency_us(sum_us: u64, count: u64) -> Option<f64> {
    (count > 0 && sum_us > 0).then(|| sum_us as f64 / count as f64)
}

/// Transactions per second of the baseline and of the candidate in each measured round in which both had their turn,
/// and none lost it, in order.
pub fn throughput_pairs_by_round(baseline: &[Turn], candidate: &[Turn]) -> Vec<[f64; 2]> {
    let [of_baseline, of_candidate] = [baseline, candidate].map(|turns| {
        let usable =
            turns.iter().filter(|turn| turn.phase == TrialPhase::Measure && !turn.lost && turn.duration_us > 0);
        usable.map(|turn| (turn.round, turn.transactions as f64 * 1e6 / turn.duration_us as f64)).collect::<Vec<_>>()
    });
    let others: BTreeMap<u32, f64> = of_candidate.into_iter().collect();
    of_baseline.iter().filter_map(|(round, per_s)| Some([*per_s, *others.get(round)?])).collect()
}

#[cfg(test)]
mod tests {
    use results::turn::FirstQuarter;

    use super::*;

    const LENGTH_US: u64 = 100_000;

    /// A turn of 0.1 s with 100 transactions, those of its first quarter this much longer than 1 ms.
    fn turn(round: u32, longer: f64) -> Turn {
        let first_us = (25.0 * 1000.0 * (1.0 + longer)) as u64;
        Turn {
            phase: TrialPhase::Measure,
            round,
            place: 0,
            start_us: u64::from(round) * 2 * LENGTH_US,
            duration_us: LENGTH_US,
            overrun_us: 0,
            gap_us: 0,
            taken_up_after_us: 0,
            transactions: 100,
            failed: 0,
            unknown: 0,
            latency_sum_us: first_us + 75_000,
            first_quarter: FirstQuarter { transactions: 25, latency_sum_us: first_us },
            clients_out: 0,
            lost: false,
        }
    }

    fn turns(count: u32, change: impl Fn(Turn) -> Turn) -> Vec<Turn> {
        (0..count).map(|round| change(turn(round, 0.0))).collect()
    }

    #[test]
    fn transactions_that_take_longer_when_a_turn_begins_are_its_edge() {
        let slow: Vec<Turn> = (0..20).map(|round| turn(round, 0.2 + 0.01 * f64::from(round % 2))).collect();
        let edge = MeasuredTurns::new(&slow, LENGTH_US).edge_effect_share().unwrap();
        assert!((edge.point - 0.205).abs() < 0.001, "{edge:?}");
        assert!(edge.interval.low > 0.19);
        assert_eq!(MeasuredTurns::new(&slow[..9], LENGTH_US).edge_effect_share(), None, "few turns");
    }

    #[test]
    fn of_transactions_that_hardly_fit_into_a_quarter_no_edge_is_told() {
        let long = turns(20, |turn| {
            let first_quarter = FirstQuarter { latency_sum_us: 25 * 20_000, ..turn.first_quarter };
            Turn { latency_sum_us: 100 * 20_000, first_quarter, ..turn }
        });
        assert_eq!(MeasuredTurns::new(&long, LENGTH_US).edge_effect_share(), None);
    }

    #[test]
    fn overruns_and_gaps_are_shares_of_the_measured_turns() {
        let mut all = turns(4, |turn| Turn { overrun_us: 10_000, gap_us: 25_000, ..turn });
        all.push(Turn { phase: TrialPhase::WarmUp, overrun_us: 90_000, ..turn(0, 0.0) });
        let turns = MeasuredTurns::new(&all, LENGTH_US);
        assert_eq!((turns.overrun_share(), turns.gap_share()), (Some(0.1), Some(0.2)));
        assert_eq!(MeasuredTurns::new(&[], LENGTH_US).overrun_share(), None);
    }

    #[test]
    fn a_round_in_which_a_side_lost_its_turn_is_no_pair() {
        let candidate = turns(4, |turn| Turn {
            transactions: 50,
            lost: turn.round == 2,
            start_us: turn.start_us + LENGTH_US,
            ..turn
        });
        let pairs = throughput_pairs_by_round(&turns(4, |turn| turn), &candidate);
        assert_eq!(pairs.len(), 3);
        assert_eq!(pairs[1], [1000.0, 500.0]);
        assert_eq!(MeasuredTurns::new(&candidate, LENGTH_US).lost_and_measured_counts(), [1, 4]);
    }
}
