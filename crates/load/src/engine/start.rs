//! When a transaction was to begin, when it did, and what it waited for in between.

use crate::listed::ListedTransaction;

/// A transaction's scheduled and actual start; in a closed loop the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TransactionStart {
    pub(crate) scheduled_ns: u64,
    pub(crate) actual_ns: u64,
    /// What happened between the two.
    pub(crate) waited_for: WaitedFor,
    /// What it executes, if that is given and not drawn.
    pub(crate) listed: Option<ListedTransaction>,
}

/// What a transaction waited for between its scheduled and its actual start, if it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitedFor {
    /// It was not scheduled, but begins when it can: the two are the same.
    Nothing,
    /// A client to become free.
    Client,
    /// The engine, although a client was free.
    Engine,
}

impl TransactionStart {
    /// At once.
    pub(crate) fn at_once(now_ns: u64) -> TransactionStart {
        TransactionStart { scheduled_ns: now_ns, actual_ns: now_ns, waited_for: WaitedFor::Nothing, listed: None }
    }

    /// The same on a connection that was made for it from `connecting_since_ns` on: connecting is part of the
    /// transaction, so what was not scheduled begins then. That is later than it was taken if there was an outage
    /// between. An arrival has begun when it was taken.
    pub(crate) fn on_connection(self, connecting_since_ns: u64) -> TransactionStart {
        match self.waited_for {
            WaitedFor::Nothing => {
                TransactionStart { listed: self.listed, ..TransactionStart::at_once(connecting_since_ns) }
            }
            WaitedFor::Client | WaitedFor::Engine => self,
        }
    }

    /// Actual − scheduled.
    pub(crate) fn lag_ns(&self) -> u64 {
        self.actual_ns - self.scheduled_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000;

    #[test]
    fn connecting_is_no_part_of_the_wait_of_an_arrival() {
        for (actual_ns, waited_for) in [(10 * MS, WaitedFor::Engine), (12 * MS, WaitedFor::Client)] {
            let arrival = TransactionStart { scheduled_ns: 10 * MS, actual_ns, waited_for, listed: None };
            assert_eq!(arrival.on_connection(50 * MS), arrival);
        }
        assert_eq!(TransactionStart::at_once(10 * MS).on_connection(50 * MS), TransactionStart::at_once(50 * MS));
    }
}
