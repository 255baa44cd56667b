//! The clock of another machine beside the one here: by the shortest of several round trips, as NTP has it.

use std::time::{Duration, Instant};

/// How a monotonic clock elsewhere is to the one here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockOffset {
    /// An instant here.
    here: Instant,
    /// The same one there, in nanoseconds.
    there_ns: u64,
    /// By how much that may be wrong: half of the shortest round trip.
    pub error: Duration,
}

/// One question for the time.
#[derive(Debug, Clone, Copy)]
pub struct RoundTrip {
    /// When it was asked.
    pub asked: Instant,
    /// What the other clock said.
    pub there_ns: u64,
    /// When the answer was here.
    pub answered: Instant,
}

impl ClockOffset {
    /// By the shortest of these round trips, whose middle is taken for the instant at which the other clock was read;
    /// none without any.
    #[must_use]
    pub fn from_round_trips(round_trips: &[RoundTrip]) -> Option<Self> {
        let best = round_trips.iter().min_by_key(|trip| trip.answered - trip.asked)?;
        let error = (best.answered - best.asked) / 2;
        Some(Self { here: best.asked + error, there_ns: best.there_ns, error })
    }

    /// An instant of here by the other clock.
    #[must_use]
    pub fn there_ns(&self, instant: Instant) -> u64 {
        let after = u64::try_from(instant.saturating_duration_since(self.here).as_nanos()).unwrap_or(u64::MAX);
        let before = u64::try_from(self.here.saturating_duration_since(instant).as_nanos()).unwrap_or(u64::MAX);
        self.there_ns.saturating_add(after).saturating_sub(before)
    }

    /// An instant of the other clock here.
    #[must_use]
    pub fn local_instant(&self, there_ns: u64) -> Instant {
        let after = Duration::from_nanos(there_ns.saturating_sub(self.there_ns));
        let before = Duration::from_nanos(self.there_ns.saturating_sub(there_ns));
        let later = self.here + after;
        later.checked_sub(before).unwrap_or(later)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shortest_round_trip_tells_the_offset_and_half_of_it_is_the_error() {
        let zero = Instant::now() + Duration::from_secs(1_000);
        let trip = |asked_ms: u64, there_ms: u64, answered_ms: u64| RoundTrip {
            asked: zero + Duration::from_millis(asked_ms),
            there_ns: there_ms * 1_000_000,
            answered: zero + Duration::from_millis(answered_ms),
        };
        let clock = ClockOffset::from_round_trips(&[trip(0, 5_030, 40), trip(100, 5_101, 104), trip(200, 5_209, 210)])
            .expect("three");
        assert_eq!(clock.error, Duration::from_millis(2));
        assert_eq!(clock.there_ns(zero + Duration::from_millis(102)), 5_101_000_000);
        for ms in [0, 102, 900] {
            let instant = zero + Duration::from_millis(ms);
            assert_eq!(clock.local_instant(clock.there_ns(instant)), instant, "{ms} ms");
        }
        assert_eq!(ClockOffset::from_round_trips(&[]), None);
    }
}
