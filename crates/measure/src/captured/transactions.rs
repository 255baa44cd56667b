//! The events of a capture, one transaction after the other.

use std::collections::HashMap;

use capture::directory::{CapturedEvent, EventAction};

use super::executed_values::NumberedExecution;

/// The transactions under way, by session. Memory grows with the sessions that are open at once.
#[derive(Debug, Default)]
pub(super) struct OpenTransactions {
    by_session: HashMap<u64, CapturedTransaction>,
}

/// A transaction of a capture.
#[derive(Debug, Default)]
pub(super) struct CapturedTransaction {
    /// Its session.
    pub(super) session: u64,
    /// When each of its statements began, in microseconds since the begin of the capture.
    pub(super) begins_us: Vec<i64>,
    /// Its statements.
    pub(super) executions: Vec<NumberedExecution>,
}

impl CapturedTransaction {
    /// When it began, in microseconds since the begin of the capture.
    pub(super) fn begin_us(&self) -> i64 {
        self.begins_us.first().copied().unwrap_or_default()
    }

    /// When it ended, as far as the source says it.
    pub(super) fn end_us(&self) -> i64 {
        let took_us = self.executions.last().and_then(|last| last.execution.duration_us).unwrap_or_default();
        self.begins_us.last().copied().unwrap_or_default().saturating_add_unsigned(took_us)
    }
}

impl OpenTransactions {
    /// The transaction that an event ends, if it does: the one before it in the same session.
    pub(super) fn add_event(&mut self, number: u64, event: CapturedEvent) -> Option<CapturedTransaction> {
        match event.action {
            EventAction::Connect { .. } | EventAction::Disconnect => self.by_session.remove(&event.session),
            EventAction::Execute(execution) => {
                let open = self.by_session.entry(event.session).or_default();
                let last = open.executions.last();
                let is_next = last.is_some_and(|last| last.execution.transaction != execution.transaction);
                let ended = is_next.then(|| std::mem::take(open));
                open.session = event.session;
                open.begins_us.push(event.at_us);
                open.executions.push(NumberedExecution { event: number, execution });
                ended
            }
        }
    }

    /// Those that are open at the end, in the order of their sessions.
    pub(super) fn into_rest(self) -> Vec<CapturedTransaction> {
        let mut rest: Vec<(u64, CapturedTransaction)> = self.by_session.into_iter().collect();
        rest.sort_by_key(|(session, _)| *session);
        rest.into_iter().map(|(_, transaction)| transaction).collect()
    }
}
