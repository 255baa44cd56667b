//! When clients that have lost their connections try again: one after the other, so that the server's return is noticed
//! at once and a server that comes back is not stormed.
//!
//! All clients of a side together try at most a hundred times a second, or each of them once a second if they are more:
//! what is longer than a client waits says little of the server.

use crate::engine::clock::SECOND_NS;

/// How far apart the attempts of all clients of a side are, where that does not keep one waiting for more than a
/// second.
const APART_NS: u64 = 10_000_000;

/// The attempts of one thread's clients of a side.
#[derive(Debug)]
pub(crate) struct Attempts {
    apart_ns: u64,
    next_ns: u64,
}

impl Attempts {
    /// Of so many clients on one of so many threads.
    pub(crate) fn new(clients: u64, threads: u64) -> Attempts {
        Attempts { apart_ns: (APART_NS * threads).min(SECOND_NS / clients.max(1)), next_ns: 0 }
    }

    /// When the next attempt may be made.
    pub(crate) fn next(&mut self, now_ns: u64) -> u64 {
        let at_ns = self.next_ns.max(now_ns);
        self.next_ns = at_ns + self.apart_ns;
        at_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attempts in a second of clients that fail at once, all threads together.
    fn in_a_second(clients: u64, threads: u64) -> usize {
        let mut attempts = Attempts::new(clients / threads, threads);
        let of_thread = std::iter::repeat_with(|| attempts.next(0)).take_while(|at_ns| *at_ns < SECOND_NS).count();
        of_thread * usize::try_from(threads).expect("small")
    }

    #[test]
    fn attempts_are_bounded_by_a_hundred_a_second_or_one_of_each_client() {
        let of = |clients| in_a_second(clients, 2);
        assert_eq!([2, 50, 100, 1_000].map(of), [100, 100, 100, 1_000]);
        assert_eq!(in_a_second(1, 1), 100);
    }

    #[test]
    fn the_first_attempt_is_made_at_once_and_a_quiet_time_is_not_made_up_for() {
        let mut attempts = Attempts::new(2, 1);
        assert_eq!([0, 1, 50_000_000].map(|now_ns| attempts.next(now_ns)), [0, APART_NS, 50_000_000]);
    }
}
