//! In which order sides take turns: round by round, each side once in each, the order drawn anew. Pure.
//!
//! The order depends on the seed, the phase and the number of the round only, so that a warm-up which took a round more
//! or less does not change what is measured.

use crate::report::LoadPhase;
use work::Random;

/// Sets these random numbers apart from those of arrivals and pauses.
const SALT: u64 = 0x7475_726E_7321_2121;
/// The same for those of the warm-up.
const WARM_UP: u64 = 0x7761_726D_5F75_7021;

/// The rounds of a phase.
#[derive(Debug)]
pub(crate) struct PhaseRounds {
    phase: LoadPhase,
    random: Random,
    /// The sides in the order of the round under way.
    order: Vec<usize>,
    /// Turns that have been given.
    turns: u64,
}

/// Whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RoundPlace {
    pub(crate) phase: LoadPhase,
    pub(crate) round: u32,
    /// In the round.
    pub(crate) place: u32,
    pub(crate) side: usize,
}

impl PhaseRounds {
    pub(crate) fn new(seed: u64, phase: LoadPhase, sides: usize) -> PhaseRounds {
        let salt = match phase {
            LoadPhase::WarmUp => SALT ^ WARM_UP,
            LoadPhase::Measure => SALT,
        };
        PhaseRounds { phase, random: Random::new(seed ^ salt), order: (0..sides).collect(), turns: 0 }
    }

    pub(crate) fn phase(&self) -> LoadPhase {
        self.phase
    }

    /// No round has begun that is not over.
    pub(crate) fn is_between(&self) -> bool {
        self.turns.is_multiple_of(self.order.len() as u64)
    }

    /// Gives the next turn.
    pub(crate) fn next(&mut self) -> RoundPlace {
        let sides = self.order.len() as u64;
        if self.is_between() {
            // Fisher and Yates: every order is as likely as any other.
            for last in (1..self.order.len()).rev() {
                self.order.swap(last, self.random.up_to(last as u64) as usize);
            }
        }
        let (round, place) = (self.turns / sides, self.turns % sides);
        self.turns += 1;
        let side = self.order[place as usize];
        RoundPlace { phase: self.phase, round: round as u32, place: place as u32, side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn drawn(seed: u64, phase: LoadPhase, sides: usize, rounds: usize) -> Vec<Vec<usize>> {
        let mut all = PhaseRounds::new(seed, phase, sides);
        (0..rounds).map(|_| (0..sides).map(|_| all.next().side).collect()).collect()
    }

    #[test]
    fn every_round_has_every_side_once_and_every_order_is_as_likely() {
        let mut orders: BTreeMap<Vec<usize>, u32> = BTreeMap::new();
        for round in drawn(42, LoadPhase::Measure, 3, 6_000) {
            *orders.entry(round).or_default() += 1;
        }
        assert_eq!(orders.len(), 6, "{orders:?}");
        // Six standard deviations of a binomial distribution.
        assert!(orders.values().all(|count| (827..1173).contains(count)), "{orders:?}");
    }

    #[test]
    fn the_order_is_the_seeds_and_that_of_the_measurement_is_not_that_of_the_warm_up() {
        let of = |seed, phase| drawn(seed, phase, 2, 64);
        assert_eq!(of(7, LoadPhase::Measure), of(7, LoadPhase::Measure));
        assert_ne!(of(7, LoadPhase::Measure), of(8, LoadPhase::Measure));
        assert_ne!(of(7, LoadPhase::Measure), of(7, LoadPhase::WarmUp));
    }

    #[test]
    fn places_are_numbered_by_round() {
        let mut rounds = PhaseRounds::new(1, LoadPhase::WarmUp, 2);
        let mut between = Vec::new();
        let places: Vec<_> = (0..4)
            .map(|_| {
                between.push(rounds.is_between());
                let place = rounds.next();
                (place.round, place.place)
            })
            .collect();
        assert_eq!(places, [(0, 0), (0, 1), (1, 0), (1, 1)]);
        assert_eq!(between, [true, false, true, false]);
    }
}
