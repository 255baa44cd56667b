//! Time as the engine counts it: nanoseconds since the job's start, on the monotonic clock.

use rustix::time::{ClockId, clock_gettime};
use std::time::{Duration, SystemTime};

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
