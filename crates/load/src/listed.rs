//! Transactions that are executed in a given order, in place of scripts that are drawn: those of a capture, of which
//! each happens once. Whichever client is free takes the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Transactions in their order. Plain data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionOrder {
    /// Of each the place of its script among those of the job, and the row of its values.
    entries: Arc<[ListedTransaction]>,
    at_end: AtListEnd,
}

/// One transaction of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListedTransaction {
    pub(crate) script: u32,
    pub(crate) row: u32,
}

/// What comes after the last transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtListEnd {
    /// The first one again.
    Repeat,
    /// Nothing: the load ends, if it has not ended before.
    EndLoad,
}

impl TransactionOrder {
    /// By the places of their scripts: the nth one of a script has the nth row of its values. `None` where there is no
    /// transaction.
    #[must_use]
    pub fn from_scripts(scripts: impl IntoIterator<Item = u32>, at_end: AtListEnd) -> Option<Self> {
        let mut rows: Vec<u32> = Vec::new();
        let mut entries = Vec::new();
        for script in scripts {
            let place = script as usize;
            if rows.len() <= place {
                rows.resize(place + 1, 0);
            }
            entries.push(ListedTransaction { script, row: rows[place] });
            rows[place] += 1;
        }
        (!entries.is_empty()).then(|| Self { entries: entries.into(), at_end })
    }

    /// The same with this end; the list is shared.
    #[must_use]
    pub fn with_end(&self, at_end: AtListEnd) -> Self {
        Self { entries: self.entries.clone(), at_end }
    }

    /// How many transactions there are.
    #[must_use]
    pub fn transaction_count(&self) -> usize {
        self.entries.len()
    }

    /// The transactions, one after the other.
    pub(crate) fn listed_transactions(&self) -> impl Iterator<Item = ListedTransaction> + '_ {
        self.entries.iter().copied()
    }

    /// The scripts of the transactions, one after the other.
    pub(crate) fn scripts_in_order(&self) -> impl Iterator<Item = u32> + '_ {
        self.listed_transactions().map(|entry| entry.script)
    }

    /// The highest place of a script.
    pub(crate) fn highest_script(&self) -> u32 {
        self.entries.iter().map(|entry| entry.script).max().unwrap_or_default()
    }
}

/// How far a load has come in its list; shared by its threads.
#[derive(Debug)]
pub(crate) struct ListProgress {
    order: Arc<TransactionOrder>,
    next: AtomicU64,
    /// How many are taken altogether.
    end: u64,
}

impl ListProgress {
    pub(crate) fn new(order: Arc<TransactionOrder>) -> Self {
        let end = match order.at_end {
            AtListEnd::Repeat => u64::MAX,
            AtListEnd::EndLoad => order.entries.len() as u64,
        };
        Self { order, next: AtomicU64::new(0), end }
    }

    /// The next transaction, if there is one.
    #[inline]
    pub(crate) fn take_next(&self) -> Option<ListedTransaction> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
            return None;
        }
        Some(self.order.entries[(number % self.order.entries.len() as u64) as usize])
    }

    /// Whether all were taken, after which none is to be.
    #[inline]
    pub(crate) fn is_used_up(&self) -> bool {
        self.next.load(Ordering::Relaxed) >= self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nth_transaction_of_a_script_has_its_nth_row_and_a_list_ends_or_begins_again() {
        for (at_end, after) in [(AtListEnd::Repeat, false), (AtListEnd::EndLoad, true)] {
            let order = TransactionOrder::from_scripts([1, 0, 1, 1], at_end).expect("there are some");
            assert_eq!((order.transaction_count(), order.highest_script()), (4, 1));
            let progress = ListProgress::new(Arc::new(order));
            let mut taken = Vec::new();
            for _ in 0..4 {
                assert!(!progress.is_used_up());
                let ListedTransaction { script, row } = progress.take_next().expect("there is another one");
                taken.push((script, row));
            }
            assert_eq!(taken, [(1, 0), (0, 0), (1, 1), (1, 2)]);
            assert_eq!(progress.is_used_up(), after);
            assert_eq!(progress.take_next().is_none(), after, "whoever asks too late gets none");
        }
        assert_eq!(TransactionOrder::from_scripts([], AtListEnd::Repeat), None);
    }
}
