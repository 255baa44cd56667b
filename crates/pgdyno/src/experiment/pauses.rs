//! When the probes pause, so that a trial itself tells what observing costs: in one of every two seconds, which one drawn by lot.
//!
//! Two neighbouring seconds have the same machine, the same data and the same neighbours; trials that follow each other have not.
//! The lot keeps whatever recurs in step with the seconds from looking like a cost.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use results::interval::Interval;
use results::trial::Phase;

/// Which seconds of a trial are observed, and how they compare with their neighbours.
pub(super) struct Pauses {
    lots: ChaCha8Rng,
    /// The second under way is observed.
    observed: bool,
    /// The first second of the pair under way, once it has ended.
    first: Option<Ended>,
    /// Throughput with probes over throughput without, of the pairs so far.
    ratios: Vec<f64>,
}

/// From one second to the next.
pub(super) struct Turn {
    /// The second that has ended was observed.
    pub(super) was_observed: bool,
    /// The one that begins is to be.
    pub(super) is_observed: bool,
}

/// A second that has ended.
struct Ended {
    observed: bool,
    phase: Phase,
    per_us: f64,
}

impl Pauses {
    /// The same seed has the probes pause in the same seconds.
    pub(super) fn new(seed: u64) -> Self {
        let mut lots = ChaCha8Rng::seed_from_u64(seed);
        let observed = draw(&mut lots);
        Self { lots, observed, first: None, ratios: Vec::new() }
    }

    /// Whether the second under way is observed.
    pub(super) fn is_observed(&self) -> bool {
        self.observed
    }

    /// That second has ended and the next begins.
    pub(super) fn turn(&mut self, second: &Interval) -> Turn {
        let was_observed = self.observed;
        let per_us = second.transactions as f64 / second.duration_us as f64;
        let ended = Ended { observed: self.observed, phase: second.phase, per_us };
        match self.first.take() {
            None => {
                self.observed = !self.observed;
                self.first = Some(ended);
            }
            Some(first) => {
                self.ratios.extend(ratio(&first, &ended));
                self.observed = draw(&mut self.lots);
            }
        }
        Turn { was_observed, is_observed: self.observed }
    }

    /// Throughput of an observed second over that of the other one, of each pair, in the order of time.
    pub(super) fn ratios(&self) -> &[f64] {
        &self.ratios
    }
}

fn draw(lots: &mut ChaCha8Rng) -> bool {
    lots.next_u32() & 1 == 1
}

/// None of a pair that does not count: while warming up, or in which nothing ended.
fn ratio(first: &Ended, second: &Ended) -> Option<f64> {
    let counts = |ended: &Ended| ended.phase == Phase::Measure && ended.per_us.is_finite() && ended.per_us > 0.0;
    let (with, without) = if first.observed { (first, second) } else { (second, first) };
    (counts(first) && counts(second)).then(|| with.per_us / without.per_us)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn second(phase: Phase, transactions: u64) -> Interval {
        let line = format!(
            r#"{{"phase":{},"index":0,"start_us":0,"duration_us":1000000,"transactions":{transactions},"failed":0,"latency":null}}"#,
            serde_json::to_string(&phase).unwrap()
        );
        serde_json::from_str(&line).unwrap()
    }

    /// With 99 transactions in a second that is observed and 100 in one that is not.
    fn run(pauses: &mut Pauses, phase: Phase, seconds: u32) -> Vec<bool> {
        let mut observed = Vec::new();
        for _ in 0..seconds {
            observed.push(pauses.is_observed());
            pauses.turn(&second(phase, if pauses.is_observed() { 99 } else { 100 }));
        }
        observed
    }

    #[test]
    fn one_of_every_two_seconds_is_observed_and_which_one_is_a_lot() {
        let mut pauses = Pauses::new(7);
        let observed = run(&mut pauses, Phase::Measure, 2000);
        assert!(observed.chunks(2).all(|pair| pair[0] != pair[1]));
        let first = observed.chunks(2).filter(|pair| pair[0]).count();
        assert!((400..600).contains(&first), "{first}");
        let ratios = pauses.ratios();
        assert_eq!(ratios.len(), 1000);
        assert!(ratios.iter().all(|ratio| (ratio - 0.99).abs() < 1e-12), "with over without, whichever came first");
        assert_eq!(run(&mut Pauses::new(7), Phase::Measure, 100), observed[..100]);
        assert_ne!(run(&mut Pauses::new(8), Phase::Measure, 100), observed[..100]);
    }

    #[test]
    fn pairs_of_the_warm_up_and_pairs_without_transactions_do_not_count() {
        let mut pauses = Pauses::new(7);
        run(&mut pauses, Phase::WarmUp, 3);
        run(&mut pauses, Phase::Measure, 1);
        pauses.turn(&second(Phase::Measure, 0));
        run(&mut pauses, Phase::Measure, 1);
        assert!(pauses.ratios().is_empty());
    }
}
