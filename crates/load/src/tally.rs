//! How many transactions have ended so far, for whoever wants to know more often than once a second.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A count that a run keeps while it lasts, shared with whoever watches it. Each thread counts by itself: that costs it
/// a store to memory which is its own.
#[derive(Debug, Clone, Default)]
pub struct Tally(Arc<Mutex<Vec<Arc<Counter>>>>);

/// What one thread has counted; on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(crate) struct Counter(AtomicU64);

impl Tally {
    /// Nothing has ended yet.
    pub fn new() -> Tally {
        Tally::default()
    }

    /// Successful transactions so far, those of the warm-up included.
    pub fn transaction_count(&self) -> u64 {
        let counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counters.iter().map(|counter| counter.0.load(Ordering::Relaxed)).sum()
    }

    /// So many are counted on another machine by now, whose count is followed here.
    pub fn set_remote_count(&self, transactions: u64) {
        let mut counters = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if counters.is_empty() {
            counters.push(Arc::default());
        }
        counters[0].0.store(transactions, Ordering::Relaxed);
    }

    /// For one more thread.
    pub(crate) fn add_counter(&self) -> Arc<Counter> {
        let counter = Arc::<Counter>::default();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&counter));
        counter
    }
}

impl Counter {
    /// One more; to be called by one thread only.
    #[inline]
    pub(crate) fn count_transaction(&self) {
        self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_threads_count_is_added_up() {
        let tally = Tally::new();
        let (first, second) = (tally.add_counter(), tally.add_counter());
        first.count_transaction();
        second.count_transaction();
        second.count_transaction();
        assert_eq!(tally.clone().transaction_count(), 3);
    }
}
