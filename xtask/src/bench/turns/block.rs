//! One block of two sides, by turns or by whole trials, and its logarithm of the ratio of throughputs.

use std::time::Duration;

use load::{Job, Stop, Turns};

/// Between the connections and what is measured.
const WARM_UP: Duration = Duration::from_millis(500);

/// How the two sides of a block share its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// In turns of this length.
    Turns(Duration),
    /// Half of the time each, one after the other.
    Trials,
}

impl How {
    pub(super) fn in_words(self) -> String {
        match self {
            Self::Turns(length) => format!("turns of {} s", length.as_secs_f64()),
            Self::Trials => "whole trials".to_owned(),
        }
    }
}

/// A block to be measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) how: How,
    /// Of both sides together.
    pub(super) measure: Duration,
    /// Decides the order of the sides, and of their turns.
    pub(super) seed: u64,
}

impl Block {
    /// Its ln(second / first) of the throughputs. Writes its figures to standard error under the `name`.
    pub(super) fn log_ratio(self, name: &str, sides: &[Job; 2]) -> f64 {
        let order = if lot(self.seed).is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let (rates, pairs) = match self.how {
            How::Turns(length) => self.by_turns(length, sides, order),
            How::Trials => (self.by_trials(sides, order), Vec::new()),
        };
        let log_ratio = (rates[1] / rates[0]).ln();
        let how = self.how.in_words();
        let line = serde_json::json!({
            "name": name, "how": how, "seed": self.seed, "rates": rates, "log_ratio": log_ratio, "pairs": pairs,
        });
        eprintln!("{line}");
        log_ratio
    }

    /// Transactions per second of each side, and the logarithm of the ratio of each pair of turns.
    fn by_turns(self, length: Duration, sides: &[Job; 2], order: [usize; 2]) -> ([f64; 2], Vec<f64>) {
        let timed = |side: usize| Job {
            warm_up: WARM_UP,
            measure: self.measure.into(),
            seed: self.seed,
            ..sides[side].clone()
        };
        let turns = Turns { sides: order.map(timed).into(), length, seed: self.seed };
        let done = load::run_turns(&turns, &Stop::new(), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
        let mut rates = [0.0; 2];
        for (side, summary) in order.into_iter().zip(&done.sides) {
            rates[side] = summary.transactions() as f64 * 1e9 / summary.measure_ns as f64;
        }
        // Whose turn it was stands as a place in the order.
        let places = [0, 1].map(|side| order.iter().position(|one| *one == side).expect("both take part"));
        (rates, done.log_ratios(places).collect())
    }

    fn by_trials(self, sides: &[Job; 2], order: [usize; 2]) -> [f64; 2] {
        let mut rates = [0.0; 2];
        for side in order {
            let measure = (self.measure / 2).into();
            let trial = Job { warm_up: WARM_UP, measure, seed: self.seed, ..sides[side].clone() };
            let done = load::run(&trial, &Stop::new(), &mut |_| ()).unwrap_or_else(|error| panic!("{error}"));
            rates[side] = done.transactions() as f64 * 1e9 / done.measure_ns as f64;
        }
        rates
    }
}

/// What a seed draws: SplitMix64's first output.
pub(super) fn lot(seed: u64) -> u64 {
    let mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
