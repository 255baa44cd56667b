//! How long answers wait before the loop notices them: what the clock of a round cannot see, since it starts when the
//! wait for answers has returned. Looked at in every round that is the so-many-th, some 250 in a second, so that it
//! costs nothing to speak of and slow rounds are not looked at more often than others.
//!
//! Three things keep an answer that has arrived. The loop may be busy with others: then the wait returns without having
//! slept, and each answer has come at any time of that, half of it on average. The thread may have to wait for a CPU
//! after it was woken: the first answer waits all of that, those that follow half of it. And the kernel may be at work
//! for others in the same system call, sending and receiving, again half of it for each.

use crate::engine::schedstat::{Schedstat, Scheduled};
use rustix::time::{ClockId, clock_gettime};

/// Rounds that are looked at in a second, about.
const LOOKS_PER_SECOND: u32 = 256;
/// One round of so many is looked at while it is not known how many there are in a second.
const AT_FIRST: u32 = 32;

/// Looks at some rounds of the calling thread's loop.
#[derive(Debug)]
pub(crate) struct Notice {
    schedstat: Schedstat,
    /// One round of so many is looked at.
    every: u32,
    /// Rounds of the second under way.
    rounds: u32,
}

/// For how long answers waited in the rounds that were looked at.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Noticed {
    pub(crate) waited_ns: u64,
    pub(crate) answers: u64,
}

impl Noticed {
    /// The same of `ready` answers, for which those that were looked at stand.
    pub(crate) fn of_all_ns(self, ready: u64) -> u64 {
        match self.answers {
            0 => 0,
            answers => (u128::from(self.waited_ns) * u128::from(ready) / u128::from(answers)) as u64,
        }
    }
}

/// What was so before a wait.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    scheduled: Scheduled,
    cpu_ns: u64,
}

impl Notice {
    /// For the calling thread.
    pub(crate) fn new() -> Notice {
        Notice { schedstat: Schedstat::open(), every: AT_FIRST, rounds: 0 }
    }

    /// A second is over: in the next one there may be as many rounds.
    pub(crate) fn end_second(&mut self) {
        self.every = (self.rounds / LOOKS_PER_SECOND).max(1);
        self.rounds = 0;
    }

    /// To be called before a wait: whether this round is looked at.
    #[inline]
    pub(crate) fn look_at_round(&mut self) -> Option<Look> {
        self.rounds = self.rounds.wrapping_add(1);
        if !self.rounds.is_multiple_of(self.every) {
            return None;
        }
        Some(Look { scheduled: self.schedstat.read_scheduled()?, cpu_ns: cpu_ns() })
    }

    /// To be called after that wait: for how long its `ready` answers together have waited to be noticed, if the loop
    /// was busy for `busy_ns` before it.
    pub(crate) fn waited_ns(&self, before: Look, busy_ns: u64, ready: usize) -> Option<u64> {
        let after = self.schedstat.read_scheduled()?;
        let slept = after.slices != before.scheduled.slices;
        let wait = ThreadWait {
            slept_then_delayed_ns: slept.then(|| after.run_delay_ns.saturating_sub(before.scheduled.run_delay_ns)),
            cpu_ns: cpu_ns().saturating_sub(before.cpu_ns),
        };
        Some(wait.waited_ns(busy_ns, ready as u64))
    }
}

/// What is known of one wait.
#[derive(Debug, Clone, Copy)]
struct ThreadWait {
    /// How long the thread waited for a CPU, if it has slept.
    slept_then_delayed_ns: Option<u64>,
    /// CPU time spent in it.
    cpu_ns: u64,
}

impl ThreadWait {
    fn waited_ns(self, busy_ns: u64, ready: u64) -> u64 {
        let unnoticed_ns = match self.slept_then_delayed_ns {
            Some(delay_ns) if ready > 0 => delay_ns * (ready + 1) / 2,
            Some(_) => 0,
            None => busy_ns * ready / 2,
        };
        unnoticed_ns + self.cpu_ns * ready / 2
    }
}

fn cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_answer_waits_for_the_whole_delay_and_those_that_follow_for_half_of_it() {
        let delayed = ThreadWait { slept_then_delayed_ns: Some(100), cpu_ns: 0 };
        assert_eq!([0, 1, 3].map(|ready| delayed.waited_ns(7_000, ready)), [0, 100, 200]);
    }

    #[test]
    fn answers_that_came_while_the_loop_was_busy_have_waited_for_half_of_that() {
        let at_once = ThreadWait { slept_then_delayed_ns: None, cpu_ns: 10 };
        assert_eq!(at_once.waited_ns(1_000, 4), 4 * 500 + 4 * 5);
    }

    #[test]
    fn as_many_rounds_are_looked_at_in_every_second_whether_it_has_many_or_few() {
        let mut notice = Notice::new();
        let mut looks = |rounds| {
            notice.end_second();
            (0..rounds).filter(|_| notice.look_at_round().is_some()).count()
        };
        let [_, many, _, few] = [2_560, 2_560, 256, 256].map(&mut looks);
        let looked_at = if notice.schedstat.read_scheduled().is_some() { 256 } else { 0 };
        assert_eq!([many, few], [looked_at; 2]);
    }

    #[test]
    fn the_answers_that_were_looked_at_stand_for_all() {
        assert_eq!(Noticed { waited_ns: 30, answers: 3 }.of_all_ns(100), 1_000);
        assert_eq!(Noticed::default().of_all_ns(100), 0);
    }
}
