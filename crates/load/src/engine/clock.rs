//! Time as the engine counts it: nanoseconds since the job's start, on the monotonic clock.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, Instant, SystemTime};

/// An instant that never comes.
pub(crate) const NEVER: u64 = u64::MAX;

/// Nanoseconds of a whole second.
pub(crate) const SECOND_NS: u64 = 1_000_000_000;

/// The job's start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JobClock {
    start_ns: u64,
}

impl JobClock {
    /// Starts now.
    pub(crate) fn start() -> JobClock {
        JobClock { start_ns: monotonic_ns() }
    }

    /// Starts, or started, at that instant.
    pub(crate) fn start_at(instant: Instant) -> JobClock {
        let (now, now_ns) = (Instant::now(), monotonic_ns());
        let past_ns = duration_to_ns(now.saturating_duration_since(instant));
        let future_ns = duration_to_ns(instant.saturating_duration_since(now));
        JobClock { start_ns: now_ns.saturating_sub(past_ns).saturating_add(future_ns) }
    }

    /// An instant as nanoseconds since the start; 0 if it was before.
    pub(crate) fn instant_ns(self, instant: Instant) -> u64 {
        JobClock::start_at(instant).start_ns.saturating_sub(self.start_ns)
    }

    /// Nanoseconds since the start.
    #[inline]
    pub(crate) fn now_ns(self) -> u64 {
        monotonic_ns().saturating_sub(self.start_ns)
    }

    /// The start on the wall clock, as that shows it now.
    pub(crate) fn start_on_the_wall(self) -> SystemTime {
        SystemTime::now() - Duration::from_nanos(self.now_ns())
    }
}

#[inline]
fn monotonic_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec as u64 * SECOND_NS + time.tv_nsec as u64
}

/// A duration in nanoseconds; 584 years at most.
pub(crate) fn duration_to_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(NEVER)
}
