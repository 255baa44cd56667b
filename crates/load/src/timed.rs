//! Sessions whose transactions begin at given instants: those of a capture, as they were. Plain data.
//!
//! Each client has the sessions of one connection after the other. A session that ends is left, and the next one of the
//! client has a connection of its own.

use crate::listed::ListedTransaction;

/// A transaction that is due at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedTransaction {
    /// When it is due, in nanoseconds since the load began.
    pub due_ns: u64,
    /// The place of its script among those of the job.
    pub script: u32,
    /// The row of its values.
    pub row: u32,
    /// When its session connects, if it is the first one of a session: not later than it is due.
    pub connect_ns: Option<u64>,
}

/// The sessions of all clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedSessions {
    /// Client by client, each in the order of its instants.
    entries: Box<[TimedTransaction]>,
    /// Where those of each client end.
    ends: Box<[usize]>,
    /// Where sides that take turns change: ascending, in nanoseconds since the load began.
    window_ends_ns: Box<[u64]>,
}

impl TimedSessions {
    /// By client; the windows end at these instants, the last one after all transactions are due. `None` where there is
    /// no transaction, a client has none, instants do not ascend, or a window has no duration.
    #[must_use]
    pub fn from_clients(clients: Vec<Vec<TimedTransaction>>, window_ends_ns: Vec<u64>) -> Option<Self> {
        let mut entries: Vec<TimedTransaction> = Vec::new();
        let mut ends = Vec::with_capacity(clients.len());
        for of_client in clients {
            let ascends = of_client.is_sorted_by_key(|transaction| transaction.due_ns);
            let connects = of_client.iter().all(|one| one.connect_ns.is_none_or(|connect_ns| connect_ns <= one.due_ns));
            if of_client.is_empty() || !ascends || !connects {
                return None;
            }
            entries.extend(of_client);
            ends.push(entries.len());
        }
        let last_ns = entries.iter().map(|entry| entry.due_ns).max()?;
        let has_windows = window_ends_ns.first().is_some_and(|first| *first > 0)
            && window_ends_ns.is_sorted_by(|before, after| before < after)
            && window_ends_ns.last().is_some_and(|end| *end > last_ns);
        has_windows.then(|| Self { entries: entries.into(), ends: ends.into(), window_ends_ns: window_ends_ns.into() })
    }

    /// How many clients there are.
    #[must_use]
    pub fn client_count(&self) -> usize {
        self.ends.len()
    }

    /// How many transactions there are.
    #[must_use]
    pub fn transaction_count(&self) -> usize {
        self.entries.len()
    }

    /// All transactions in the order in which they are due.
    pub(crate) fn transactions_by_due_time(&self) -> impl Iterator<Item = ListedTransaction> {
        let mut transactions = self.entries.to_vec();
        transactions.sort_by_key(|transaction| transaction.due_ns);
        transactions.into_iter().map(|transaction| transaction.as_listed())
    }

    /// The transactions of these clients.
    pub(crate) fn transactions_of_clients(&self, clients: std::ops::Range<u32>) -> &[TimedTransaction] {
        &self.entries[self.begin_of_client(clients.start)..self.begin_of_client(clients.end)]
    }

    /// The place of a client's first transaction; of the client after the last one, how many there are.
    pub(crate) fn begin_of_client(&self, client: u32) -> usize {
        (client as usize).checked_sub(1).map_or(0, |before| self.ends[before.min(self.ends.len() - 1)])
    }

    /// The transaction at this place, if it is this client's.
    #[inline]
    pub(crate) fn transaction_at(&self, client: u32, place: usize) -> Option<&TimedTransaction> {
        if place < self.ends[client as usize] { self.entries.get(place) } else { None }
    }

    /// The highest place of a script.
    pub(crate) fn highest_script(&self) -> u32 {
        self.entries.iter().map(|entry| entry.script).max().unwrap_or_default()
    }

    /// How long the nth window is, in nanoseconds; `None` after the last one.
    pub(crate) fn window_length_ns(&self, window: usize) -> Option<u64> {
        let end_ns = *self.window_ends_ns.get(window)?;
        Some(end_ns - window.checked_sub(1).map_or(0, |before| self.window_ends_ns[before]))
    }

    /// Whether the windows of two sides are the same.
    pub(crate) fn has_windows_of(&self, other: &Self) -> bool {
        self.window_ends_ns == other.window_ends_ns
    }
}

impl TimedTransaction {
    pub(crate) fn as_listed(&self) -> ListedTransaction {
        ListedTransaction { script: self.script, row: self.row }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn due(due_ns: u64) -> TimedTransaction {
        TimedTransaction { due_ns, script: 0, row: 0, connect_ns: None }
    }

    #[test]
    fn each_client_has_its_transactions_and_each_window_its_length() {
        let clients = vec![vec![due(0), due(7)], vec![due(3)]];
        let sessions = TimedSessions::from_clients(clients, vec![5, 8]).expect("they are in order");
        assert_eq!((sessions.client_count(), sessions.transaction_count()), (2, 3));
        let of = |client, place| sessions.transaction_at(client, place).map(|one| one.due_ns);
        assert_eq!([of(0, 0), of(0, 1), of(0, 2), of(1, 2), of(1, 3)], [Some(0), Some(7), None, Some(3), None]);
        assert_eq!((sessions.begin_of_client(1), sessions.transactions_of_clients(1..2).len()), (2, 1));
        assert_eq!([0, 1, 2].map(|window| sessions.window_length_ns(window)), [Some(5), Some(3), None]);
    }

    #[test]
    fn what_is_not_in_order_is_refused() {
        let late = TimedTransaction { connect_ns: Some(4), ..due(3) };
        for (clients, windows) in [
            (vec![], vec![5]),
            (vec![vec![]], vec![5]),
            (vec![vec![due(3), due(2)]], vec![5]),
            (vec![vec![late]], vec![5]),
            (vec![vec![due(5)]], vec![5]),
            (vec![vec![due(1)]], vec![0, 5]),
            (vec![vec![due(1)]], vec![5, 4]),
            (vec![vec![due(1)]], vec![]),
        ] {
            assert_eq!(TimedSessions::from_clients(clients, windows), None);
        }
    }
}
