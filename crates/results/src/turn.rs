//! `turns.jsonl`: one line for each turn of the trial's side, those of the warm-up included, in their order. Absent in
//! trials that were executed alone.

use serde::{Deserialize, Serialize};

use crate::trial::TrialPhase;

/// One turn of the side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// The phase in which it began.
    pub phase: TrialPhase,
    /// Number of its round within the phase, from 0. The turns of the other sides in it have the same phase and number.
    pub round: u32,
    /// Its place in the round, from 0.
    pub place: u32,
    /// When it began, in microseconds since the load's start; all trials that take turns have one clock.
    pub start_us: u64,
    /// How long it was, until the last transaction under way had ended, in microseconds.
    pub duration_us: u64,
    /// The part of it in which no transaction became due any more, in microseconds.
    pub overrun_us: u64,
    /// How long no side had its turn before it, in microseconds.
    pub gap_us: u64,
    /// How long after its start the last thread of the load engine had begun it, in microseconds.
    pub taken_up_after_us: u64,
    /// Successful transactions that ended in it.
    pub transactions: u64,
    /// Failed transactions.
    pub failed: u64,
    /// Transactions on connections that were lost.
    pub unknown: u64,
    /// The latencies of the successful transactions together, in microseconds.
    pub latency_sum_us: u64,
    /// What ended until a quarter of the planned length had passed.
    pub first_quarter: FirstQuarter,
    /// The most clients of the side that were without a usable connection at one time of it.
    pub clients_out: u32,
    /// At some time of it no client of the side had a usable connection, so that it was given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lost: bool,
}

/// What ended until a quarter of a turn's planned length had passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstQuarter {
    /// Successful transactions.
    pub transactions: u64,
    /// Their latencies together, in microseconds.
    pub latency_sum_us: u64,
}
