//! Capacity under a limit: the highest offered rate that a server holds, found by a bracketing search.
//!
//! [`Search::next`] is a function of the steps made so far and of nothing else, so that a search that was interrupted
//! goes on exactly where it was. Rates are split in the middle of their logarithms. Whether a step held is for the
//! caller to say (p99 within a limit, say), and may be wrong at times: an end of the bracket that every later step ran
//! up against is tried a second time before it is believed.
//!
//! Left out: any model of latency against rate. The answer is a pair of rates that were both tried.

use thiserror::Error;

/// So many steps in a row on one side of the bracket, and its other end is tried again.
const ROW: usize = 3;

/// What a search may do: where it looks, how finely, and where it splits first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Search {
    from: f64,
    to: f64,
    precision: f64,
    first_split: f64,
}

/// Why a search cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum SearchError {
    /// The rates do not rise.
    #[error("search from {from} to {to}: the rates must be above 0 and ascending")]
    NotRising {
        /// The lower end.
        from: f64,
        /// The upper end.
        to: f64,
    },
    /// The precision is none.
    #[error("search to within {precision}: the precision must be a share above 0 and up to 1")]
    Precision {
        /// What was given.
        precision: f64,
    },
}

/// One step of a search: a rate that was offered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CapacityStep {
    /// The rate.
    pub rate: f64,
    /// Whether the limit held at it.
    pub held: bool,
}

/// What a search does after some steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum NextSearchAction {
    /// This rate is to be tried.
    Try(f64),
    /// The search is over.
    Found(Capacity),
}

/// What a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// The highest rate that held, and the lowest above it that did not.
    Between {
        /// Held.
        held: f64,
        /// Did not hold.
        failed: f64,
    },
    /// Even the upper end held: the capacity is beyond it.
    AtLeast(f64),
    /// Even the lower end did not hold.
    Below(f64),
}

impl Capacity {
    /// The highest rate that held; absent when none did, and when the upper end of the search did, since the capacity
    /// is then not known.
    #[must_use]
    pub fn highest_rate_held(self) -> Option<f64> {
        match self {
            Capacity::Between { held, .. } => Some(held),
            Capacity::AtLeast(_) | Capacity::Below(_) => None,
        }
    }
}

impl Search {
    /// A search between two rates that ends when the bracket is at most `precision` wide, as a share of its lower end.
    ///
    /// `dither`, from 0 to 1, moves the first split by up to a tenth of the way. Searches that all split at the same
    /// rates would round the same way, and agree better with each other than with the truth;
    /// give every search another one.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn new(from: f64, to: f64, precision: f64, dither: f64) -> Result<Search, SearchError> {
        if !(from > 0.0 && from < to && to.is_finite()) {
            return Err(SearchError::NotRising { from, to });
        }
        if !(precision > 0.0 && precision <= 1.0) {
            return Err(SearchError::Precision { precision });
        }
        Ok(Search { from, to, precision, first_split: 0.4 + 0.2 * dither.clamp(0.0, 1.0) })
    }

    /// The most steps that a search takes.
    #[must_use]
    pub fn steps_at_most(&self) -> u32 {
        // The first split may leave 0.6 of the way; every later one halves it. An end of the search may have to be
        // tried too, and as many steps again are left for a bracket that turned out wrong.
        let splits = ((self.to / self.from).ln() * 1.2 / self.precision.ln_1p()).log2().ceil().max(1.0);
        2 * (splits as u32 + 1)
    }

    /// What to do after `steps`, in the order in which they were made.
    #[must_use]
    pub fn next(&self, steps: &[CapacityStep]) -> NextSearchAction {
        let bracket = Bracket::after_steps(self, steps);
        if steps.len() as u32 >= self.steps_at_most() {
            return NextSearchAction::Found(bracket.capacity_found());
        }
        if bracket.is_wider_than(self.precision) {
            return NextSearchAction::Try(bracket.rate_at_share(if steps.is_empty() { self.first_split } else { 0.5 }));
        }
        match (bracket.held.last(), bracket.failed.last()) {
            (_, None) if bracket.to_held => NextSearchAction::Found(bracket.capacity_found()),
            (_, None) => NextSearchAction::Try(self.to),
            (None, _) if bracket.from_failed => NextSearchAction::Found(bracket.capacity_found()),
            (None, _) => NextSearchAction::Try(self.from),
            (Some(held), Some(failed)) => match bracket.suspect_end() {
                Some(Suspect::Failed) => NextSearchAction::Try(*failed),
                Some(Suspect::Held) => NextSearchAction::Try(*held),
                None => NextSearchAction::Found(bracket.capacity_found()),
            },
        }
    }
}

/// The end of a bracket that every later step ran up against.
enum Suspect {
    Held,
    Failed,
}

/// Where the capacity is known to lie after some steps.
struct Bracket {
    from: f64,
    to: f64,
    /// Rates that held, rising: the last one is the bracket's lower end.
    held: Vec<f64>,
    /// Rates that did not, falling: the last one is the bracket's upper end.
    failed: Vec<f64>,
    to_held: bool,
    from_failed: bool,
    /// How many of the last steps went the same way, and which; none after a rate was tried again.
    row: (bool, usize),
}

impl Bracket {
    fn after_steps(search: &Search, steps: &[CapacityStep]) -> Bracket {
        let mut bracket = Bracket {
            from: search.from,
            to: search.to,
            held: Vec::new(),
            failed: Vec::new(),
            to_held: false,
            from_failed: false,
            row: (false, 0),
        };
        steps.iter().for_each(|step| bracket.add_step(*step));
        bracket
    }

    fn add_step(&mut self, CapacityStep { rate, held }: CapacityStep) {
        let again = [self.held.last(), self.failed.last()].into_iter().flatten().any(|end| is_same_rate(*end, rate));
        if again {
            // Whichever way it went before, the second time decides.
            self.held.retain(|end| !is_same_rate(*end, rate));
            self.failed.retain(|end| !is_same_rate(*end, rate));
            self.row = (held, 0);
        } else {
            self.row = (held, if self.row.0 == held { self.row.1 + 1 } else { 1 });
        }
        if held {
            self.to_held |= is_same_rate(rate, self.to);
            self.held.push(rate);
        } else {
            self.from_failed |= is_same_rate(rate, self.from);
            self.failed.push(rate);
        }
    }

    fn lower_end(&self) -> f64 {
        self.held.last().copied().unwrap_or(self.from)
    }

    fn upper_end(&self) -> f64 {
        self.failed.last().copied().unwrap_or(self.to)
    }

    fn is_wider_than(&self, precision: f64) -> bool {
        self.upper_end() > self.lower_end() * (1.0 + precision) * (1.0 + 1e-9)
    }

    /// The rate this far up the bracket, in logarithms; to a thousandth, so that it can be said.
    fn rate_at_share(&self, share: f64) -> f64 {
        let rate = self.lower_end() * (self.upper_end() / self.lower_end()).powf(share);
        let short = (rate * 1e3).round() / 1e3;
        if self.lower_end() < short && short < self.upper_end() { short } else { rate }
    }

    /// The end that was found first, if all of the last steps ran up against it.
    fn suspect_end(&self) -> Option<Suspect> {
        match self.row {
            (true, row) if row >= ROW => Some(Suspect::Failed),
            (false, row) if row >= ROW => Some(Suspect::Held),
            _ => None,
        }
    }

    fn capacity_found(&self) -> Capacity {
        match (self.held.last(), self.failed.last()) {
            (Some(held), None) => Capacity::AtLeast(*held),
            (None, _) => Capacity::Below(self.upper_end()),
            (Some(held), Some(failed)) => Capacity::Between { held: *held, failed: *failed },
        }
    }
}

/// Whether two rates are one: a rate may have been written down and read back.
fn is_same_rate(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-9
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn search(from: f64, to: f64) -> Search {
        Search::new(from, to, 0.02, 0.5).unwrap()
    }

    /// Searches with `holds` as the server, and says the steps too.
    fn run(search: &Search, mut holds: impl FnMut(f64) -> bool) -> (Capacity, Vec<CapacityStep>) {
        let mut steps = Vec::new();
        loop {
            match search.next(&steps) {
                NextSearchAction::Found(capacity) => return (capacity, steps),
                NextSearchAction::Try(rate) => steps.push(CapacityStep { rate, held: holds(rate) }),
            }
        }
    }

    #[test]
    fn what_is_not_a_search_is_named() {
        for (from, to, precision, said) in [
            (0.0, 10.0, 0.02, "search from 0 to 10: the rates must be above 0 and ascending"),
            (10.0, 10.0, 0.02, "search from 10 to 10: the rates must be above 0 and ascending"),
            (1.0, f64::INFINITY, 0.02, "search from 1 to inf: the rates must be above 0 and ascending"),
            (1.0, 10.0, 0.0, "search to within 0: the precision must be a share above 0 and up to 1"),
        ] {
            assert_eq!(Search::new(from, to, precision, 0.0).unwrap_err().to_string(), said);
        }
    }

    #[test]
    fn a_capacity_beyond_either_end_is_said_to_be_there_and_has_no_rate() {
        let (above, _) = run(&search(100.0, 1000.0), |_| true);
        assert_eq!((above, above.highest_rate_held()), (Capacity::AtLeast(1000.0), None));
        let (below, _) = run(&search(100.0, 1000.0), |_| false);
        assert_eq!((below, below.highest_rate_held()), (Capacity::Below(100.0), None));
    }

    #[test]
    fn an_end_that_was_wrong_once_is_tried_again_and_left() {
        // A stall at the second step: 100 … 10 000 is split at 1000 (holds), then near 3162, which fails once.
        let mut tried = 0;
        let (capacity, steps) = run(&search(100.0, 10_000.0), |rate| {
            tried += 1;
            tried != 2 && rate <= 5_000.0
        });
        let Capacity::Between { held, failed } = capacity else { panic!("{capacity:?}") };
        assert!(held <= 5_000.0 && 5_000.0 < failed && failed <= held * 1.02 + 0.01, "{capacity:?} after {steps:?}");
    }

    #[test]
    fn a_search_over_two_decades_takes_about_ten_steps() {
        let (_, steps) = run(&search(100.0, 10_000.0), |rate| rate <= 1_234.0);
        assert!(steps.len() <= 12, "{steps:?}");
    }

    /// A server whose p99 rises without bound towards its saturation, with noise on every step.
    fn noisy(capacity: f64, seed: u64, noise: f64, stalls: f64) -> impl FnMut(f64) -> bool {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut uniform = move || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let saturation = capacity * 1.1;
        let p99 = move |rate: f64| if rate < saturation { 1.0 / (1.0 - rate / saturation) } else { f64::INFINITY };
        let limit = p99(capacity);
        move |rate| {
            let normal = (0..12).map(|_| uniform()).sum::<f64>() - 6.0;
            uniform() >= stalls && p99(rate) * (noise * normal).exp() <= limit
        }
    }

    /// The sizes of the errors, as logarithms of found / true, rising.
    fn errors(noise: f64, stalls: f64) -> Vec<f64> {
        let capacity = 1_700.0_f64;
        let mut errors: Vec<f64> = (0..400)
            .map(|seed| {
                let dither = (seed as f64 * 0.618).fract();
                let search = Search::new(100.0, 20_000.0, 0.02, dither).unwrap();
                let (found, _) = run(&search, noisy(capacity, seed, noise, stalls));
                found.highest_rate_held().map_or(f64::INFINITY, |rate| (rate / capacity).ln().abs())
            })
            .collect();
        errors.sort_by(f64::total_cmp);
        errors
    }

    #[test]
    fn noise_of_a_tenth_in_p99_leaves_the_capacity_within_a_few_percent() {
        let errors = errors(0.1, 0.0);
        assert!(errors[200] < 0.02 && errors[380] < 0.05, "median {}, 95 % {}", errors[200], errors[380]);
    }

    #[test]
    fn a_stall_in_one_of_twenty_steps_does_not_carry_the_search_away() {
        let errors = errors(0.1, 0.05);
        assert!(errors[200] < 0.03 && errors[380] < 0.15, "median {}, 95 % {}", errors[200], errors[380]);
    }

    proptest! {
        #[test]
        fn without_noise_the_capacity_is_bracketed_as_narrowly_as_asked(
            from in 1.0..1e3_f64, factor in 1.5..1e3_f64, at in 0.01..0.99_f64, precision in 0.005..0.2_f64, dither in 0.0..1.0_f64,
        ) {
            let capacity = from * factor.powf(at);
            let search = Search::new(from, from * factor, precision, dither).unwrap();
            let (found, steps) = run(&search, |rate| rate <= capacity);
            let Capacity::Between { held, failed } = found else { panic!("{found:?}") };
            prop_assert!(held <= capacity && capacity < failed, "{held} {capacity} {failed}");
            prop_assert!(failed <= held * (1.0 + precision) * (1.0 + 1e-6), "{held} … {failed} after {steps:?}");
        }

        #[test]
        fn a_search_ends_whatever_the_server_does_and_stays_within_its_rates(
            answers in prop::collection::vec(any::<bool>(), 200), precision in 0.005..0.5_f64, dither in 0.0..1.0_f64,
        ) {
            let search = Search::new(10.0, 5_000.0, precision, dither).unwrap();
            let mut answers = answers.into_iter();
            let (_, steps) = run(&search, |_| answers.next().expect("a search ends before this"));
            prop_assert!(steps.len() <= search.steps_at_most() as usize);
            prop_assert!(steps.iter().all(|step| (10.0..=5_000.0).contains(&step.rate)));
        }
    }
}
