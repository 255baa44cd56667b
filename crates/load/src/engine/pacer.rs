//! When the arrivals of an open loop are due: a function of the job, its seed and the begin of its load, and of nothing
//! that the server does. Pure.
//!
//! A job has one schedule, whatever its number of threads, and each thread serves a fixed part of it: the arrivals are
//! dealt out in turn, so that each thread has as large a share of them as it has of the clients. (pgbench draws a
//! schedule of its own for each thread; over all threads that is a Poisson process as well.)

use crate::engine::client_share::ClientShare;
use crate::engine::clock::NEVER;
use crate::engine::curve::RateCurve;
use crate::engine::timetable::Timetable;
use crate::pace::OfferedRate;
use std::sync::Arc;
use work::{Arrivals, Random};

/// Sets the schedule's random numbers apart from the clients'.
const SALT: u64 = 0x6172_7269_7661_6C73;

/// One thread's arrivals, in order.
#[derive(Debug, Clone)]
pub(crate) struct Pacer {
    curve: Arc<RateCurve>,
    start_ns: u64,
    arrivals: Arrivals,
    random: Random,
    /// Where on the curve the arrival is, in arrivals that are expected before it, and in which of its pieces.
    reached: f64,
    piece: usize,
    turn: PacerTurn,
    due_ns: u64,
}

/// Whose turn it is.
#[derive(Debug, Clone)]
struct PacerTurn {
    /// Which arrivals of a cycle are this thread's.
    mine: Arc<[bool]>,
    place: usize,
}

impl Pacer {
    /// The arrivals of thread number `thread`, if so many clients are on each.
    pub(crate) fn new(
        seed: u64,
        arrivals: Arrivals,
        rate: &OfferedRate,
        timetable: &Timetable,
        share: &ClientShare,
    ) -> Pacer {
        let mut pacer = Pacer {
            curve: Arc::new(RateCurve::from_rate(rate, timetable)),
            start_ns: NEVER,
            arrivals,
            random: Random::new(seed ^ SALT),
            reached: 0.0,
            piece: 0,
            turn: PacerTurn { mine: share.deal_turns(), place: 0 },
            due_ns: NEVER,
        };
        // The first of evenly spread arrivals comes at once.
        if arrivals == Arrivals::Poisson {
            pacer.reached = pacer.draw_gap();
        }
        if !pacer.turn.mine[0] {
            pacer.step_to_own_arrival();
        }
        pacer
    }

    /// The load begins at `start_ns`. Until this is called no arrival is ever due.
    pub(crate) fn begin_schedule(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
        self.due_ns = self.instant_ns();
    }

    /// The schedule stood still for so long: all that is to come is so much later.
    pub(crate) fn postpone_schedule(&mut self, by_ns: u64) {
        self.start_ns = self.start_ns.saturating_add(by_ns);
        self.due_ns = self.due_ns.saturating_add(by_ns);
    }

    /// When the next arrival is due; `NEVER` after the last one.
    #[inline]
    pub(crate) fn due_ns(&self) -> u64 {
        self.due_ns
    }

    /// Goes on to the arrival after that.
    #[inline]
    pub(crate) fn advance_arrival(&mut self) {
        self.step_to_own_arrival();
        self.due_ns = self.instant_ns();
    }

    fn step_to_own_arrival(&mut self) {
        loop {
            self.reached += self.draw_gap();
            self.turn.place = (self.turn.place + 1) % self.turn.mine.len();
            if self.turn.mine[self.turn.place] {
                return;
            }
        }
    }

    /// The distance to the next arrival at a rate of 1: −ln u with u from (0, 1], as pgbench has it.
    fn draw_gap(&mut self) -> f64 {
        match self.arrivals {
            Arrivals::Even => 1.0,
            Arrivals::Poisson => draw_exponential(&mut self.random),
        }
    }

    fn instant_ns(&mut self) -> u64 {
        match self.curve.reached_s(self.reached, &mut self.piece) {
            Some(seconds) => self.start_ns.saturating_add((seconds * 1e9).round() as u64),
            None => NEVER,
        }
    }
}

/// An exponentially distributed number with mean 1.
pub(crate) fn draw_exponential(random: &mut Random) -> f64 {
    const STEP: f64 = 1.0 / (1u64 << 53) as f64;
    let below_one = (random.next_bits() >> 11) as f64 * STEP;
    -(1.0 - below_one).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::clock::SECOND_NS;
    use proptest::prelude::*;

    fn schedule(seed: u64, arrivals: Arrivals, rate: &OfferedRate, seconds: u64, share: ClientShare) -> Vec<u64> {
        let timetable = Timetable { start_ns: 7, warm_up_ns: 0, measure_ns: seconds * SECOND_NS };
        let mut pacer = Pacer::new(seed, arrivals, rate, &timetable, &share);
        pacer.begin_schedule(timetable.start_ns);
        let next = || {
            let due_ns = pacer.due_ns();
            pacer.advance_arrival();
            due_ns
        };
        std::iter::repeat_with(next).take_while(|&due_ns| due_ns < timetable.end_ns()).collect()
    }

    const ALONE: ClientShare = ClientShare { clients: 3, threads: 1, thread: 0 };

    #[test]
    fn even_arrivals_are_exactly_spaced_from_the_begin_on() {
        let found = schedule(1, Arrivals::Even, &OfferedRate::Constant(1000.0), 2, ALONE);
        let expected: Vec<u64> = (0..2000).map(|n| 7 + n * 1_000_000).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn threads_take_turns_by_their_clients() {
        let turns = |thread| ClientShare { clients: 5, threads: 2, thread }.deal_turns();
        assert_eq!(
            [turns(0).as_ref(), turns(1).as_ref()],
            [[false, true, false, true, false], [true, false, true, false, true]]
        );
    }

    #[test]
    fn poisson_arrivals_have_the_mean_and_the_deviation_of_an_exponential_distribution() {
        let found = schedule(42, Arrivals::Poisson, &OfferedRate::Constant(1000.0), 100, ALONE);
        let gaps: Vec<f64> = found.windows(2).map(|pair| (pair[1] - pair[0]) as f64 / 1e6).collect();
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let deviation = (gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64).sqrt();
        // 100 000 gaps: five standard errors are 1.6 % of the mean and 2.2 % of the deviation.
        assert!((mean - 1.0).abs() < 0.016, "{mean}");
        assert!((deviation - 1.0).abs() < 0.023, "{deviation}");
        let beyond_two = gaps.iter().filter(|&&gap| gap > 2.0).count() as f64 / gaps.len() as f64;
        assert!((beyond_two - (-2.0f64).exp()).abs() < 0.006, "{beyond_two}");
    }

    #[test]
    fn steps_and_ramps_offer_what_their_integral_says() {
        let steps = OfferedRate::Steps(vec![100.0, 300.0]);
        let found = schedule(1, Arrivals::Even, &steps, 4, ALONE);
        let before = found.iter().filter(|&&at| at < 7 + 2 * SECOND_NS).count();
        assert_eq!((before, found.len()), (200, 800));
        let ramp = schedule(1, Arrivals::Even, &OfferedRate::Ramp { from: 100.0, to: 300.0 }, 4, ALONE);
        // 100 t + 25 t²: 300 in the first half, 500 in the second.
        let before = ramp.iter().filter(|&&at| at < 7 + 2 * SECOND_NS).count();
        assert_eq!((before, ramp.len()), (300, 800));
    }

    proptest! {
        #[test]
        fn the_threads_together_have_the_schedule_of_one_alone(
            seed: u64, clients in 1u32..20, threads in 1u32..6, poisson: bool,
        ) {
            let threads = threads.min(clients);
            let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Even };
            let rate = OfferedRate::Ramp { from: 50.0, to: 150.0 };
            let whole = schedule(seed, arrivals, &rate, 3, ClientShare { clients, threads: 1, thread: 0 });
            let mut together: Vec<u64> = (0..threads)
                .flat_map(|thread| schedule(seed, arrivals, &rate, 3, ClientShare { clients, threads, thread }))
                .collect();
            together.sort_unstable();
            prop_assert_eq!(together, whole);
        }

        #[test]
        fn the_generators_of_a_load_together_have_the_schedule_of_one_alone(
            seed: u64, count in 1u32..5, more in 0u32..20, threads in 1u32..4, poisson: bool,
        ) {
            let clients = count + more;
            let threads = threads.min(clients / count);
            let arrivals = if poisson { Arrivals::Poisson } else { Arrivals::Even };
            let rate = OfferedRate::Steps(vec![80.0, 40.0, 120.0]);
            let whole = schedule(seed, arrivals, &rate, 3, ClientShare { clients, threads: 1, thread: 0 });
            let mut together = Vec::new();
            for number in 0..count {
                // As many as its share of the clients, or the first and the last of a cycle more or less.
                let mut own = Vec::new();
                for thread in 0..threads {
                    let share = ClientShare { clients, threads: threads * count, thread: number * threads + thread };
                    own.extend(schedule(seed, arrivals, &rate, 3, share));
                }
                let share = ClientShare { clients, threads: count, thread: number }.client_range().len();
                let expected = whole.len() as f64 * share as f64 / f64::from(clients);
                prop_assert!((own.len() as f64 - expected).abs() <= f64::from(2 * threads), "{}", own.len());
                together.extend(own);
            }
            together.sort_unstable();
            prop_assert_eq!(together, whole);
        }

        #[test]
        fn arrivals_come_in_order_and_as_many_as_the_rate_says(seed: u64, rate in 10.0f64..10_000.0) {
            let found = schedule(seed, Arrivals::Poisson, &OfferedRate::Constant(rate), 5, ALONE);
            prop_assert!(found.is_sorted());
            // Six standard deviations of a Poisson distributed number.
            let expected = 5.0 * rate;
            prop_assert!((found.len() as f64 - expected).abs() < 6.0 * expected.sqrt() + 1.0, "{}", found.len());
        }

        #[test]
        fn every_client_is_on_one_thread(clients in 1u32..100, threads in 1u32..100) {
            let threads = threads.min(clients);
            let all: Vec<u32> =
                (0..threads).flat_map(|thread| ClientShare { clients, threads, thread }.client_range()).collect();
            prop_assert_eq!(all, (0..clients).collect::<Vec<u32>>());
        }
    }
}
