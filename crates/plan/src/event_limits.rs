//! What is required of the events of a plan, for whoever runs it again and again: limits that decide the exit status.

use std::time::Duration;

use super::language::{Whole, record};
use super::limits::Below;

/// The shortest gap that is told, in milliseconds.
const SHORTEST: u64 = 10;

record! {
    /// Limits on the effects of an event, in every cell.
    #[derive(Copy)]
    pub struct EventLimits = "limits of an event" {
        /// Longest time without an acknowledged write.
        key write_gap: Option<Duration> as Option<Below<SHORTEST>> = Absent("no limit"),
        /// Longest time without an acknowledged read-only transaction.
        key read_gap: Option<Duration> as Option<Below<SHORTEST>> = Absent("no limit"),
        /// Time from the first lost connection to the last reconnection.
        key error_window: Option<Duration> as Option<Below<SHORTEST>> = Absent("no limit"),
        /// Time until the throughput is back at 95 % of the level before the event.
        key throughput_back: Option<Duration> as Option<Below<SHORTEST>> = Absent("no limit"),
        /// Time until the p99 is back at the level before the event.
        key p99_back: Option<Duration> as Option<Below<SHORTEST>> = Absent("no limit"),
        /// Number of acknowledged commits that all trials of a cell together may lose.
        key lost: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> = Absent("no limit"),
    }
}
