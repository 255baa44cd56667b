//! When the probes pause, so that a trial itself tells what observing costs: in one of every two fifths of a second,
//! which one drawn by lot.
//!
//! Two neighbouring fifths have the same machine, the same data and the same neighbours; trials that follow each other
//! have not, and on a shared machine not even seconds have. The lot keeps whatever recurs in step with them from
//! looking like a cost. A pair during which the machine's host gave its CPUs to others is left out:
//! that tells of them, and comes in bursts.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use load::Tally;
use probe::{CpuTime, Pause};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

/// Long enough for a reading and for two samples of the sessions with what they bring about, and no longer: the shorter
/// two neighbours are, the more alike.
const STRETCH: Duration = Duration::from_millis(200);

/// The share of its CPUs' time that may be stolen during a pair: on two CPUs one step of the kernel's account.
const STOLEN_AT_MOST: f64 = 0.02;

/// Alternates until it is dropped.
pub(super) struct Pauses {
    pairs: Arc<Mutex<StretchPairs>>,
    /// Whether the stretch under way is observed.
    observed: watch::Receiver<bool>,
    /// Pairs that count: those that had ended before the last second that has ended began.
    counted: PairCount,
    /// Pairs that had ended with it.
    ended: PairCount,
    task: JoinHandle<()>,
}

impl Drop for Pauses {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Pauses {
    /// Has samples taken in the stretches that are observed, and compares what `tally` says of them with the others.
    /// The same seed draws the same lots. Must be called within a tokio runtime with time enabled.
    pub(super) fn begin_pauses(seed: u64, tally: Tally, samples: Pause) -> Self {
        let (sender, observed) = watch::channel(false);
        let pairs = Arc::default();
        let turn = move |observed: bool| {
            samples.set_paused(!observed);
            // The receiver is gone only when nobody reads any more.
            sender.send_replace(observed);
        };
        let task = tokio::spawn(alternate_stretches(seed, tally, turn, Arc::clone(&pairs)));
        Self { pairs, observed, counted: PairCount::default(), ended: PairCount::default(), task }
    }

    /// The measurement begins: what was before does not count, nor does the pair under way.
    pub(super) fn begin_measurement(&mut self) {
        lock_pairs(&self.pairs).begin_anew();
        (self.counted, self.ended) = (PairCount::default(), PairCount::default());
    }

    /// The second with this number has ended. Returns whether host and server are to be read now: every other time, so
    /// that readings and samples stand in the same relation as ever, and not before a stretch begins that is observed.
    ///
    /// Of the last second nothing counts: the load may have ended before its pairs did.
    pub(super) async fn should_read_second(&mut self, number: u32) -> bool {
        self.counted = std::mem::replace(&mut self.ended, lock_pairs(&self.pairs).pair_count());
        let reads = number.is_multiple_of(2);
        if reads {
            self.observed.mark_unchanged();
            while self.observed.changed().await.is_ok() && !*self.observed.borrow_and_update() {}
        }
        reads
    }

    /// Throughput of an observed stretch over that of the other one, of each pair that counts, in the order of time.
    pub(super) fn throughput_ratios(&self) -> Vec<f64> {
        lock_pairs(&self.pairs).ratios[..self.counted.ratios].to_vec()
    }

    /// Pairs that were left out, because the machine was robbed of CPU time meanwhile.
    pub(super) fn stolen_pairs_excluded(&self) -> u64 {
        self.counted.stolen_pairs_excluded
    }
}

/// Stretch after stretch, in pairs.
async fn alternate_stretches(seed: u64, tally: Tally, turn: impl Fn(bool), pairs: Arc<Mutex<StretchPairs>>) {
    let mut lots = ChaCha8Rng::seed_from_u64(seed);
    let mut ticks = tokio::time::interval(STRETCH);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    let mut began = ReachedCounts::at_this_instant(&tally);
    loop {
        let first = draw_lot(&mut lots);
        for observed in [first, !first] {
            turn(observed);
            ticks.tick().await;
            let ended = ReachedCounts::at_this_instant(&tally);
            lock_pairs(&pairs).end_stretch(ended.stretch_since(&began, observed));
            began = ended;
        }
    }
}

fn draw_lot(lots: &mut ChaCha8Rng) -> bool {
    lots.next_u32() & 1 == 1
}

fn lock_pairs(pairs: &Mutex<StretchPairs>) -> MutexGuard<'_, StretchPairs> {
    pairs.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How far everything had come at an instant.
struct ReachedCounts {
    at: Instant,
    transactions: u64,
    cpu_time: Option<CpuTime>,
}

impl ReachedCounts {
    fn at_this_instant(tally: &Tally) -> Self {
        let cpu_time = CpuTime::read_now();
        Self { at: Instant::now(), transactions: tally.transaction_count(), cpu_time }
    }

    fn stretch_since(&self, before: &Self, observed: bool) -> EndedStretch {
        let transactions = self.transactions - before.transactions;
        let stolen = self.cpu_time.zip(before.cpu_time).map_or(0.0, |(now, before)| now.stolen_since(&before));
        EndedStretch { observed, per_s: transactions as f64 / (self.at - before.at).as_secs_f64(), stolen }
    }
}

/// A stretch that has ended.
struct EndedStretch {
    observed: bool,
    per_s: f64,
    /// Share of the machine's CPU time that its host kept; 0 where that is not known.
    stolen: f64,
}

/// So many pairs.
#[derive(Default, Clone, Copy)]
struct PairCount {
    ratios: usize,
    stolen_pairs_excluded: u64,
}

/// The pairs that have ended, and the first stretch of the one under way.
#[derive(Default)]
struct StretchPairs {
    ratios: Vec<f64>,
    stolen_pairs_excluded: u64,
    first: Option<EndedStretch>,
    /// The pair under way does not count.
    is_void: bool,
}

impl StretchPairs {
    fn begin_anew(&mut self) {
        self.ratios.clear();
        self.stolen_pairs_excluded = 0;
        self.is_void = true;
    }

    fn pair_count(&self) -> PairCount {
        PairCount { ratios: self.ratios.len(), stolen_pairs_excluded: self.stolen_pairs_excluded }
    }

    /// A pair in which nothing ended does not count either.
    fn end_stretch(&mut self, stretch: EndedStretch) {
        let Some(first) = self.first.take() else {
            self.first = Some(stretch);
            return;
        };
        let stolen = f64::midpoint(first.stolen, stretch.stolen);
        let (with, without) = if first.observed { (first, stretch) } else { (stretch, first) };
        let ratio = with.per_s / without.per_s;
        if std::mem::take(&mut self.is_void) || !ratio.is_finite() || ratio == 0.0 {
            return;
        }
        match stolen > STOLEN_AT_MOST {
            true => self.stolen_pairs_excluded += 1,
            false => self.ratios.push(ratio),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn idle(observed: bool) -> EndedStretch {
        EndedStretch { observed, per_s: 0.0, stolen: 0.0 }
    }

    fn pair(pairs: &mut StretchPairs, observed_first: bool, with: f64, without: f64) {
        let stretch = |observed| EndedStretch { per_s: if observed { with } else { without }, ..idle(observed) };
        pairs.end_stretch(stretch(observed_first));
        pairs.end_stretch(stretch(!observed_first));
    }

    #[test]
    fn a_ratio_is_with_over_without_whichever_came_first() {
        let mut pairs = StretchPairs::default();
        pair(&mut pairs, true, 99.0, 100.0);
        pair(&mut pairs, false, 99.0, 100.0);
        assert_eq!(pairs.ratios, [0.99, 0.99]);
    }

    #[test]
    fn a_pair_in_which_nothing_ended_does_not_count() {
        let mut pairs = StretchPairs::default();
        for (with, without) in [(0.0, 100.0), (100.0, 0.0), (0.0, 0.0)] {
            pair(&mut pairs, true, with, without);
        }
        assert!(pairs.ratios.is_empty());
    }

    #[test]
    fn neither_what_was_before_the_measurement_counts_nor_the_pair_in_which_it_begins() {
        let mut pairs = StretchPairs::default();
        pair(&mut pairs, true, 1.0, 2.0);
        pairs.end_stretch(EndedStretch { per_s: 1.0, ..idle(true) });
        pairs.begin_anew();
        pairs.end_stretch(EndedStretch { per_s: 2.0, ..idle(false) });
        assert!(pairs.ratios.is_empty());
        pair(&mut pairs, false, 3.0, 4.0);
        assert_eq!(pairs.ratios, [0.75]);
    }

    #[test]
    fn a_pair_that_the_host_took_time_from_is_left_out_and_counted() {
        let mut pairs = StretchPairs::default();
        for stolen in [0.0, 0.025, 0.3] {
            pairs.end_stretch(EndedStretch { per_s: 2.0, stolen, ..idle(true) });
            pairs.end_stretch(EndedStretch { per_s: 4.0, ..idle(false) });
        }
        assert_eq!((&pairs.ratios[..], pairs.stolen_pairs_excluded), (&[0.5, 0.5][..], 1));
    }

    #[test]
    fn each_pair_is_a_lot_and_the_same_seed_draws_the_same() {
        let drawn = |seed| {
            let mut lots = ChaCha8Rng::seed_from_u64(seed);
            (0..1000).map(|_| draw_lot(&mut lots)).collect::<Vec<_>>()
        };
        let first = drawn(7).into_iter().filter(|observed| *observed).count();
        assert!((400..600).contains(&first), "{first}");
        assert_eq!(drawn(7), drawn(7));
        assert_ne!(drawn(7), drawn(8));
    }
}
