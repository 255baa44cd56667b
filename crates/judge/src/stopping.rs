//! The door for whoever measures: which trials of the schedule are still to be executed, and at which rate. The
//! stopping rule and the search for a capacity are the only conclusions that a measurement waits for, and a run that
//! is resumed asks the same functions.

use std::time::Duration;

pub use crate::compare::RunQuestion;
pub use crate::compare::search::Searches;
pub use crate::compare::stopping::remaining_trials;
pub use crate::compare::time_taken;
pub use crate::failures::given_up;

/// The time that so many trials still to be executed take at most: as long as those before them, of which `executed`
/// took `elapsed` and, in their phases, `taken`, and no longer than the plan's `limit` of that; absent before the first
/// has ended.
pub fn at_most_left(
    executed: u32,
    elapsed: Duration,
    taken: Duration,
    limit: Option<Duration>,
    remaining: usize,
) -> Option<Duration> {
    let by_trials = elapsed.checked_div(executed)?.mul_f64(remaining as f64);
    // What is not a phase of a trial takes its share of the time that is left, too.
    let by_time = limit.filter(|_| !taken.is_zero()).map(|limit| {
        let share = limit.saturating_sub(taken).as_secs_f64() / taken.as_secs_f64();
        elapsed.mul_f64(share)
    });
    Some(by_time.map_or(by_trials, |by_time| by_time.min(by_trials)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_takes_as_long_as_what_was_and_no_longer_than_the_plan_allows() {
        let s = Duration::from_secs;
        let left = |executed, limit, remaining| at_most_left(executed, s(60), s(40), limit, remaining);
        assert_eq!(left(0, None, 5), None);
        assert_eq!(left(4, None, 6), Some(s(90)));
        assert_eq!(left(4, Some(s(80)), 6), Some(s(60)), "40 s of phases, and what comes with them");
        assert_eq!(left(4, Some(s(20)), 6), Some(s(0)));
        assert_eq!(left(4, Some(s(900)), 6), Some(s(90)));
    }
}
