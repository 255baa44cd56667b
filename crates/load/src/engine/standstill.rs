//! When a job without an end of its own is given up: one that is to complete a number of transactions, on a server that
//! is gone. Pure.

use crate::report::{OutageChange, PhaseSecond};

/// So many seconds in a row, with a lost connection that was not made again, in which no transaction has ended.
const GIVE_UP_AFTER: u32 = 60;

/// What has happened, or not, in the last seconds.
#[derive(Debug, Default)]
pub(crate) struct StandstillWatch {
    /// Clients without a connection.
    out: usize,
    seconds: u32,
}

impl StandstillWatch {
    /// Takes note of the next second. Returns whether it is time to give up.
    pub(crate) fn note_second(&mut self, second: &PhaseSecond) -> bool {
        for change in &second.outages {
            match change {
                OutageChange::Began { .. } => self.out += 1,
                OutageChange::Ended { .. } => self.out = self.out.saturating_sub(1),
            }
        }
        let ended = second.scripts.iter().map(|script| script.latency.count() + script.failed).sum::<u64>();
        self.seconds = if self.out > 0 && ended == 0 { self.seconds + 1 } else { 0 };
        self.seconds >= GIVE_UP_AFTER
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latency::TransactionLatency;
    use crate::report::{LoadPhase, ScriptSecond};
    use std::collections::BTreeMap;

    fn second(transactions: u64, outages: Vec<OutageChange>) -> PhaseSecond {
        let mut latency = TransactionLatency::new();
        (0..transactions).for_each(|_| latency.record(1_000_000));
        let name = "one".to_owned();
        PhaseSecond {
            phase: LoadPhase::Measure,
            index: 0,
            start_ns: 0,
            duration_ns: 1_000_000_000,
            turn_ns: 1_000_000_000,
            scripts: vec![ScriptSecond { name, latency, failed: 0, late: 0, retried: 0, retries: 0 }],
            errors: BTreeMap::new(),
            first_errors: Vec::new(),
            unknown: 0,
            attempts: 0,
            outages,
            connections: None,
            open: None,
            threads: Vec::new(),
        }
    }

    fn began() -> Vec<OutageChange> {
        vec![OutageChange::Began { client: 0, at_ns: 1, cause: "gone".to_owned(), in_flight: false }]
    }

    /// How many seconds like this pass before it is given up, if that is within five minutes.
    fn seconds_until_given_up(mut standstill: StandstillWatch, transactions: u64) -> Option<u32> {
        (1..300).find(|_| standstill.note_second(&second(transactions, Vec::new())))
    }

    #[test]
    fn a_minute_without_a_server_is_enough() {
        let mut standstill = StandstillWatch::default();
        assert!(!standstill.note_second(&second(0, began())));
        assert_eq!(seconds_until_given_up(standstill, 0), Some(59));
    }

    #[test]
    fn a_slow_transaction_is_waited_for_and_so_is_a_client_beside_others_at_work() {
        assert_eq!(seconds_until_given_up(StandstillWatch::default(), 0), None);
        let mut standstill = StandstillWatch::default();
        standstill.note_second(&second(1, began()));
        assert_eq!(seconds_until_given_up(standstill, 1), None);
    }

    #[test]
    fn a_server_that_comes_back_starts_the_count_anew() {
        let mut standstill = StandstillWatch::default();
        standstill.note_second(&second(0, began()));
        (0..50).for_each(|_| assert!(!standstill.note_second(&second(0, Vec::new()))));
        standstill.note_second(&second(0, vec![OutageChange::Ended { client: 0, at_ns: 2 }]));
        assert_eq!(seconds_until_given_up(standstill, 0), None);
    }
}
