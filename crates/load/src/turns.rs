//! Several sides whose clients take turns: what is asked for and what is told. Plain data.
//!
//! On a shared machine most noise is slower than a second. Sides that take turns of some hundred milliseconds meet the
//! same noise, and their ratio hardly has any of it. All clients of all sides are connected all the time; those of one
//! side at a time begin transactions. A turn ends when the last transaction under way has ended; what that takes beyond
//! its length belongs to it. Then the next side begins. A round has one turn of each side, in an order drawn anew.
//!
//! A side's own time stands still between its turns: a client's pause goes on where it was, and an open loop's schedule
//! is a function of the time in which the side could begin transactions.

use crate::error::LoadError;
use crate::extent::JobExtent;
use crate::job::EngineJob;
use crate::pace::{OfferedRate, TransactionPace};
use crate::report::{LoadPhase, PhaseSecond, Summary};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Sides that take turns.
///
/// They share threads, and the phases are those of all of them: `threads`, `backend`, `warm_up` and `measure` must be
/// the same in each job. Each thread has clients of every side, so that there are as many as the side with the fewest
/// clients has, at most. A phase ends with the round under way: each is as long as it should be or up to a round
/// longer, the gaps between turns included.
#[derive(Debug, Clone)]
pub struct TurnTakingJobs {
    /// The sides, each a job of its own; at least one.
    pub sides: Vec<EngineJob>,
    /// How long a side begins transactions before it is another's turn; not zero. Timed sessions have windows instead:
    /// each round is one of them, and the load ends with the last one.
    pub length: Duration,
    /// A measured turn is longer where so many transactions after each other are, of the mean length that those of the
    /// slowest side had in the warm-up, and at most as long as a side is measured. 0: `length` whatever they are.
    pub transactions_at_least: u32,
    /// The same seed gives the same order of turns.
    pub seed: u64,
    /// What is done between two turns; `None`: nothing.
    pub between: Option<Arc<dyn BetweenTurns>>,
}

/// What is done between two turns, when nothing of the last one is under way. It is done by the thread that came back
/// last, while the others wait for it; the time that it takes is in the gap before the turn
/// ([`EndedTurn::gap_ns`]).
pub trait BetweenTurns: fmt::Debug + Send + Sync {
    /// The turn of this side begins when this returns; the first one is given when all clients are connected.
    fn give_turn(&self, side: usize);
    /// There is no further turn. Called once at least, also where the load is cut.
    fn end_turns(&self);
}

impl TurnTakingJobs {
    /// Whether sides can take turns like this, each job by itself aside.
    ///
    /// # Errors
    /// What is wrong.
    pub(crate) fn check_sides(&self) -> Result<(), LoadError> {
        let Some(first) = self.sides.first() else { return Err(LoadError::Job("there is no side to send")) };
        if self.length.is_zero() {
            return Err(LoadError::Job("a slice has no duration"));
        }
        for side in &self.sides {
            if (side.warm_up, side.measure) != (first.warm_up, first.measure) {
                return Err(LoadError::Job("sides that alternate in slices must have equal phase durations"));
            }
            if (side.threads, side.backend) != (first.threads, first.backend) {
                return Err(LoadError::Job(
                    "sides that alternate in slices must share their threads and their I/O interface",
                ));
            }
            if matches!(side.measure, JobExtent::Transactions(_)) {
                return Err(LoadError::Job("slices require a duration of measurement, not a number of transactions"));
            }
            let windows_differ = match (side.pace.timed_sessions(), first.pace.timed_sessions()) {
                (Some(of_side), Some(of_first)) => !of_side.has_windows_of(of_first),
                (None, None) => false,
                (Some(_), None) | (None, Some(_)) => true,
            };
            if windows_differ {
                return Err(LoadError::Job("sides that alternate in windows must have the same timed sessions"));
            }
            // Its figures belong to instants of a phase, of which a side has only a part, and how large that is depends
            // on the others.
            if matches!(side.pace, TransactionPace::Open { rate: OfferedRate::Ramp { .. } | OfferedRate::Steps(_), .. })
            {
                return Err(LoadError::Job("sides that alternate in slices require a constant rate"));
            }
        }
        Ok(())
    }
}

/// One turn that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EndedTurn {
    /// The phase that it belongs to, wherever it ended.
    pub phase: LoadPhase,
    /// The number of its round within the phase, from 0.
    pub round: u32,
    /// Its place in the round, from 0.
    pub place: u32,
    /// Whose it was, as a place among the sides.
    pub side: usize,
    /// When it began, in nanoseconds since the start of the run.
    pub start_ns: u64,
    /// When the last transaction under way had ended.
    pub end_ns: u64,
    /// The part of it after its length, in which no transaction began any more but those of timed sessions that were
    /// due before.
    pub overrun_ns: u64,
    /// How long no side had its turn before it.
    pub gap_ns: u64,
    /// How long after its start the last thread had begun it, beside the gap: time that is the turn's and that clients
    /// were idle in.
    pub taken_up_after_ns: u64,
    /// Successful transactions that ended in it.
    pub transactions: u64,
    /// Failed transactions.
    pub failed: u64,
    /// Transactions on connections that were lost.
    pub unknown: u64,
    /// The latencies of the successful transactions together.
    pub latency_sum_ns: u128,
    /// What ended of it before a quarter of its planned length had passed: caches may be another side's until then.
    pub first_quarter: TurnFirstQuarter,
    /// The most clients of the side that were without a usable connection at one time of it.
    pub clients_out: u32,
    /// At some time of it no client of the side had a usable connection; it is as short as can be.
    pub is_lost: bool,
}

/// What ended in the first quarter of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TurnFirstQuarter {
    /// Successful transactions.
    pub transactions: u64,
    /// Their latencies together.
    pub latency_sum_ns: u128,
}

impl EndedTurn {
    /// How long it was, its overrun included.
    pub fn duration_ns(&self) -> u64 {
        self.end_ns - self.start_ns
    }
}

/// Something that happened while sides took turns; see [`EngineEvent`](crate::EngineEvent).
#[derive(Debug)]
pub enum TurnsEvent<'a> {
    /// The clients are being connected.
    Connecting {
        /// When, in nanoseconds since the start of the run.
        at_ns: u64,
    },
    /// All clients of all sides are connected.
    Connected {
        /// When, in nanoseconds since the start of the run.
        at_ns: u64,
    },
    /// A phase under load begins, for all sides.
    Began {
        /// Which.
        phase: LoadPhase,
        /// When, in nanoseconds since the start of the run.
        at_ns: u64,
    },
    /// A second of one side is complete; the seconds of all sides are the same ones.
    Second {
        /// Whose.
        side: usize,
        /// What the side did in it.
        second: &'a PhaseSecond,
    },
    /// A turn begins.
    TurnBegan {
        /// Whose.
        side: usize,
        /// When, in nanoseconds since the start of the run.
        at_ns: u64,
    },
    /// A turn is over.
    Turn(&'a EndedTurn),
    /// The last measured turn is over.
    Ended {
        /// When, in nanoseconds since the start of the run.
        at_ns: u64,
    },
}

/// What sides that took turns have done.
#[derive(Debug, Serialize, Deserialize)]
pub struct TurnsSummary {
    /// Of each side. Its `measure_ns` is the sum of its measured turns.
    pub sides: Vec<Summary>,
    /// All turns, those of the warm-up included, in their order.
    pub turns: Vec<EndedTurn>,
    /// How long a measured turn was to be.
    pub length_ns: u64,
}

impl TurnsSummary {
    /// The measured turns.
    pub fn measured_turns(&self) -> impl Iterator<Item = &EndedTurn> {
        self.turns.iter().filter(|turn| turn.phase == LoadPhase::Measure)
    }

    /// The measured rounds that can be used as pairs: with a turn of every side and none lost; in the order of the
    /// turns.
    pub fn whole_rounds(&self) -> impl Iterator<Item = &[EndedTurn]> {
        let rounds = self.turns.chunk_by(|one, next| (one.phase, one.round) == (next.phase, next.round));
        rounds.filter(|round| {
            round[0].phase == LoadPhase::Measure
                && round.len() == self.sides.len()
                && round.iter().all(|turn| !turn.is_lost)
        })
    }

    /// ln(rate of the second / rate of the first) of two sides in each whole round in which both did something, in
    /// order.
    pub fn log_ratios(&self, [first, second]: [usize; 2]) -> impl Iterator<Item = f64> {
        let rate = |round: &[EndedTurn], side: usize| {
            let turn = round.iter().find(|turn| turn.side == side)?;
            Some(turn.transactions as f64 / turn.duration_ns() as f64)
        };
        let ratio = move |round: &[EndedTurn]| Some((rate(round, second)? / rate(round, first)?).ln());
        self.whole_rounds().filter_map(ratio).filter(|ratio| ratio.is_finite())
    }

    /// How many measured turns of a side were overrun by more than half of their length: its transactions are too long
    /// for them.
    pub fn overrun_count(&self, side: usize) -> usize {
        self.measured_turns().filter(|turn| turn.side == side && turn.overrun_ns > self.length_ns / 2).count()
    }
}
