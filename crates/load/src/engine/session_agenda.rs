//! What the clients of one thread do next where their transactions begin at given instants. Pure but for its own
//! counts; the present is an argument. Allocates nothing after the start.

use crate::engine::agenda::{ArrivalCounts, NextClientAction};
use crate::engine::client_share::ClientShare;
use crate::engine::clock::NEVER;
use crate::engine::start::{TransactionStart, WaitedFor};
use crate::timed::TimedSessions;
use std::sync::Arc;

/// The sessions of one thread's clients, and how far each has come.
#[derive(Debug)]
pub(crate) struct SessionAgenda {
    sessions: Arc<TimedSessions>,
    /// The number of the thread's first client.
    first_client: u32,
    clients: Box<[ClientPlace]>,
    /// When the load began, later by all the time for which it stood still.
    start_ns: u64,
    /// Transactions that have not begun.
    left: u64,
    /// When the transactions of the thread are due, in order, and how many of them have been counted.
    dues_ns: Box<[u64]>,
    come: usize,
    counts: ArrivalCounts,
    /// Since when it stands still; `NEVER` unless it does.
    stopped_ns: u64,
}

/// How far a client has come.
#[derive(Debug, Clone, Copy)]
struct ClientPlace {
    /// The transaction that comes next.
    next: usize,
    /// Its session is the one of the client's connection.
    is_connected: bool,
}

impl SessionAgenda {
    /// For the thread with that share of the clients.
    pub(crate) fn new(sessions: &Arc<TimedSessions>, share: &ClientShare) -> SessionAgenda {
        let range = share.client_range();
        let mut dues_ns: Vec<u64> =
            sessions.transactions_of_clients(range.clone()).iter().map(|transaction| transaction.due_ns).collect();
        dues_ns.sort_unstable();
        // A client's first session is connected before the load begins.
        let mut clients = Vec::with_capacity(range.len());
        for client in range.clone() {
            clients.push(ClientPlace { next: sessions.begin_of_client(client), is_connected: true });
        }
        SessionAgenda {
            first_client: range.start,
            clients: clients.into(),
            sessions: sessions.clone(),
            start_ns: NEVER,
            left: dues_ns.len() as u64,
            dues_ns: dues_ns.into(),
            come: 0,
            counts: ArrivalCounts::default(),
            stopped_ns: NEVER,
        }
    }

    /// The load begins at `start_ns`.
    pub(crate) fn begin_load(&mut self, start_ns: u64) {
        self.start_ns = start_ns;
    }

    /// From `at_ns` on nothing is due, until it goes on.
    pub(crate) fn stop_schedule(&mut self, at_ns: u64) {
        self.count_due(at_ns.saturating_sub(1));
        self.stopped_ns = at_ns;
    }

    /// All that is to come is so much later.
    pub(crate) fn go_on(&mut self, by_ns: u64) {
        self.start_ns = self.start_ns.saturating_add(by_ns);
        self.stopped_ns = NEVER;
    }

    /// What `client` does, which is free at `now_ns`; `waited_for`: what a transaction that is due has waited for.
    #[inline]
    pub(crate) fn next_action(&mut self, client: u32, now_ns: u64, waited_for: WaitedFor) -> NextClientAction {
        let place = &mut self.clients[client as usize];
        let Some(transaction) = self.sessions.transaction_at(self.first_client + client, place.next) else {
            return NextClientAction::Rest;
        };
        if let Some(connect_ns) = transaction.connect_ns
            && !place.is_connected
        {
            place.is_connected = true;
            return NextClientAction::ChangeSession { at_ns: self.start_ns.saturating_add(connect_ns) };
        }
        let scheduled_ns = self.start_ns.saturating_add(transaction.due_ns);
        if now_ns < scheduled_ns {
            return NextClientAction::Pause { until_ns: scheduled_ns };
        }
        let listed = Some(transaction.as_listed());
        *place = ClientPlace { next: place.next + 1, is_connected: false };
        self.left -= 1;
        NextClientAction::Begin(TransactionStart { scheduled_ns, actual_ns: now_ns, waited_for, listed })
    }

    /// Whether the next transaction of `client` was due before the schedule stopped.
    #[inline]
    pub(crate) fn has_late_transaction(&self, client: u32) -> bool {
        let next = self.sessions.transaction_at(self.first_client + client, self.clients[client as usize].next);
        self.stopped_ns != NEVER
            && next.is_some_and(|transaction| self.start_ns.saturating_add(transaction.due_ns) < self.stopped_ns)
    }

    /// Whether all transactions have begun.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.left == 0
    }

    /// What became of the transactions that were due before `end_ns`, since the last call.
    pub(crate) fn take_counts(&mut self, end_ns: u64) -> ArrivalCounts {
        self.count_due(end_ns.min(self.stopped_ns).saturating_sub(1));
        let begun = self.dues_ns.len() as u64 - self.left;
        // One may have begun since.
        let waiting = (self.come as u64).saturating_sub(begun);
        ArrivalCounts { waiting, ..std::mem::take(&mut self.counts) }
    }

    fn count_due(&mut self, now_ns: u64) {
        while let Some(due_ns) = self.dues_ns.get(self.come)
            && self.start_ns.saturating_add(*due_ns) <= now_ns
        {
            self.come += 1;
            self.counts.offered += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listed::ListedTransaction;
    use crate::timed::TimedTransaction;

    fn due(due_ns: u64, row: u32, connect_ns: Option<u64>) -> TimedTransaction {
        TimedTransaction { due_ns, script: 3, row, connect_ns }
    }

    fn agenda(clients: Vec<Vec<TimedTransaction>>) -> SessionAgenda {
        let share = ClientShare { clients: clients.len() as u32, threads: 1, thread: 0 };
        let sessions = TimedSessions::from_clients(clients, vec![1_000]).expect("they are in order");
        let mut agenda = SessionAgenda::new(&Arc::new(sessions), &share);
        agenda.begin_load(100);
        agenda
    }

    fn begins(scheduled_ns: u64, actual_ns: u64, row: u32, waited_for: WaitedFor) -> NextClientAction {
        let listed = Some(ListedTransaction { script: 3, row });
        NextClientAction::Begin(TransactionStart { scheduled_ns, actual_ns, waited_for, listed })
    }

    #[test]
    fn a_transaction_is_due_at_its_instant_whenever_the_one_before_it_ended() {
        let mut agenda = agenda(vec![vec![due(0, 0, None), due(10, 1, None)], vec![due(50, 2, None)]]);
        assert_eq!(agenda.next_action(0, 100, WaitedFor::Client), begins(100, 100, 0, WaitedFor::Client));
        assert_eq!(agenda.next_action(1, 100, WaitedFor::Client), NextClientAction::Pause { until_ns: 150 });
        // It took longer than until the second one was due.
        assert_eq!(agenda.next_action(0, 130, WaitedFor::Client), begins(110, 130, 1, WaitedFor::Client));
        assert_eq!(
            (agenda.next_action(0, 140, WaitedFor::Client), agenda.is_used_up()),
            (NextClientAction::Rest, false)
        );
        assert_eq!(agenda.take_counts(145), ArrivalCounts { offered: 2, skipped: 0, waiting: 0 });
        assert_eq!(agenda.take_counts(151), ArrivalCounts { offered: 1, skipped: 0, waiting: 1 });
        assert_eq!(agenda.next_action(1, 152, WaitedFor::Engine), begins(150, 152, 2, WaitedFor::Engine));
        assert_eq!((agenda.is_used_up(), agenda.take_counts(160)), (true, ArrivalCounts::default()));
    }

    #[test]
    fn a_session_that_ends_is_followed_by_one_with_a_connection_of_its_own() {
        let mut agenda = agenda(vec![vec![due(0, 0, Some(0)), due(10, 1, None), due(40, 2, Some(30))]]);
        assert_eq!(
            agenda.next_action(0, 100, WaitedFor::Client),
            begins(100, 100, 0, WaitedFor::Client),
            "it is connected"
        );
        assert_eq!(agenda.next_action(0, 115, WaitedFor::Client), begins(110, 115, 1, WaitedFor::Client));
        assert_eq!(agenda.next_action(0, 120, WaitedFor::Client), NextClientAction::ChangeSession { at_ns: 130 });
        assert_eq!(agenda.next_action(0, 132, WaitedFor::Client), NextClientAction::Pause { until_ns: 140 });
        assert_eq!(agenda.next_action(0, 140, WaitedFor::Engine), begins(140, 140, 2, WaitedFor::Engine));
        assert!(agenda.is_used_up());
    }

    #[test]
    fn nothing_is_due_while_it_stands_still() {
        let mut agenda = agenda(vec![vec![due(0, 0, None), due(10, 1, None)]]);
        assert_eq!(agenda.next_action(0, 100, WaitedFor::Client), begins(100, 100, 0, WaitedFor::Client));
        assert!(!agenda.has_late_transaction(0));
        agenda.stop_schedule(105);
        assert!(!agenda.has_late_transaction(0), "its next one is due at 110");
        assert_eq!(agenda.take_counts(200), ArrivalCounts { offered: 1, skipped: 0, waiting: 0 });
        agenda.go_on(95);
        assert_eq!(agenda.next_action(0, 201, WaitedFor::Client), NextClientAction::Pause { until_ns: 205 });
        assert_eq!(agenda.next_action(0, 205, WaitedFor::Engine), begins(205, 205, 1, WaitedFor::Engine));
    }

    #[test]
    fn what_was_due_before_it_stopped_may_begin_late() {
        let mut agenda = agenda(vec![vec![due(0, 0, None), due(10, 1, None), due(30, 2, None)]]);
        assert_eq!(agenda.next_action(0, 100, WaitedFor::Client), begins(100, 100, 0, WaitedFor::Client));
        agenda.stop_schedule(120);
        assert!(agenda.has_late_transaction(0));
        assert_eq!(agenda.next_action(0, 125, WaitedFor::Client), begins(110, 125, 1, WaitedFor::Client));
        assert!(!agenda.has_late_transaction(0));
    }
}
