//! What is required of the events of a plan, for whoever runs it again and again: limits that decide the exit status.

use std::time::Duration;

use super::language::{Whole, record};
use super::limits::Below;

/// The shortest gap that is told, in milliseconds.
const SHORTEST: u64 = 10;

record! {
    /// Limits of what follows an event, in every cell.
    #[derive(Copy)]
    pub struct EventLimits = "limits of an event" {
        /// For how long no write may go unacknowledged.
        key write_gap: Option<Duration> as Option<Below<SHORTEST>> = Absent("any"),
        /// The same of transactions that only read.
        key read_gap: Option<Duration> as Option<Below<SHORTEST>> = Absent("any"),
        /// From the first connection that is lost to the last one that is made again.
        key error_window: Option<Duration> as Option<Below<SHORTEST>> = Absent("any"),
        /// Until the throughput is 95 % of that of before.
        key throughput_back: Option<Duration> as Option<Below<SHORTEST>> = Absent("any"),
        /// Until the p99 is no higher than before.
        key p99_back: Option<Duration> as Option<Below<SHORTEST>> = Absent("any"),
        /// How many acknowledged commits the trials of a cell may lose, all together.
        key lost: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> = Absent("any"),
    }
}
