//! The transactions of a session: where one ends shows by the status that the server reports when it is ready, and
//! within a pipeline by COMMIT and ROLLBACK.

use sql::TransactionStep;

/// Which transaction of its session a statement belongs to.
#[derive(Debug, Default)]
pub(super) struct SessionTransactions {
    /// The number of the one that is open, or of the last.
    number: u64,
    /// Whether a statement has this number.
    is_used: bool,
    /// Whether the next statement begins another one.
    has_ended: bool,
    /// Whether an event of this one has been written.
    has_event: bool,
}

impl SessionTransactions {
    /// No transaction is open.
    pub(super) fn note_idle(&mut self) {
        self.has_ended = true;
    }

    /// The number of the transaction that the next statement belongs to.
    pub(super) fn place_statement(&mut self, steps: &[TransactionStep], has_failed: bool) -> u64 {
        if self.has_ended && self.is_used {
            self.number += 1;
            self.has_event = false;
        }
        self.is_used = true;
        self.has_ended = steps.last() == Some(&TransactionStep::End) && !has_failed;
        self.number
    }

    /// Whether the event to be written is the first one of its transaction.
    pub(super) fn takes_first_event(&mut self) -> bool {
        !std::mem::replace(&mut self.has_event, true)
    }
}
