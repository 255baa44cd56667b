//! What became of one client's entries, in memory that does not grow with those that were acknowledged.
//!
//! Entries are numbered without gaps; what is not listed as an exception was acknowledged. Exceptions next to each
//! other with the same outcome share one item.

use serde::{Deserialize, Serialize};

/// What a client was told of a transaction that writes an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum EntryOutcome {
    /// The server has said that it is committed.
    Acknowledged,
    /// The server has reported an error in it, so that it must not be there.
    Failed,
    /// The connection was lost before the server had said anything final.
    Unknown,
}

/// The entries of one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LedgerPage {
    /// Entries that have been begun.
    begun: u64,
    /// The last of them is under way.
    under_way: bool,
    /// In ascending order, without overlaps.
    exceptions: Vec<Exceptions>,
    /// The generator of the client was lost: how many entries it has begun, and what it was told of them, is unknown.
    #[serde(default)]
    lost: bool,
}

/// Entries in a row that were not acknowledged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Exceptions {
    first: u64,
    count: u64,
    outcome: EntryOutcome,
}

impl LedgerPage {
    /// Of a client whose generator was lost.
    pub(crate) fn of_lost_client() -> LedgerPage {
        LedgerPage { lost: true, ..LedgerPage::default() }
    }

    /// Whether the client may have begun an entry of this number.
    pub(crate) fn may_have_begun(&self, number: u64) -> bool {
        self.lost || number < self.begun
    }

    /// Whether nothing is known of what the client was told.
    pub(crate) fn is_lost(&self) -> bool {
        self.lost
    }

    /// Begins the next entry; returns its number.
    #[inline]
    pub(crate) fn begin_entry(&mut self) -> u64 {
        let number = self.begun;
        self.begun += 1;
        self.under_way = true;
        number
    }

    /// Settles the entry under way, if there is one.
    #[inline]
    pub(crate) fn settle_entry(&mut self, outcome: EntryOutcome) {
        if std::mem::replace(&mut self.under_way, false) && outcome != EntryOutcome::Acknowledged {
            self.add_exception(outcome);
        }
    }

    #[cold]
    fn add_exception(&mut self, outcome: EntryOutcome) {
        let number = self.begun - 1;
        match self.exceptions.last_mut() {
            Some(last) if last.first + last.count == number && last.outcome == outcome => last.count += 1,
            _ => self.exceptions.push(Exceptions { first: number, count: 1, outcome }),
        }
    }

    /// The client is gone; an entry that is still under way is settled as unknown.
    pub(crate) fn close_page(&mut self) {
        self.settle_entry(EntryOutcome::Unknown);
    }

    /// Entries that have been begun.
    pub(crate) fn len(&self) -> u64 {
        self.begun
    }

    /// What became of an entry; `None`: it was never begun.
    pub(crate) fn outcome_of_entry(&self, number: u64) -> Option<EntryOutcome> {
        if number >= self.begun {
            return None;
        }
        let after = self.exceptions.partition_point(|exceptions| exceptions.first <= number);
        let before = after.checked_sub(1).map(|place| self.exceptions[place]);
        let exception = before.filter(|exceptions| number - exceptions.first < exceptions.count);
        Some(exception.map_or(EntryOutcome::Acknowledged, |exceptions| exceptions.outcome))
    }

    /// How many entries had this outcome.
    pub(crate) fn count_with_outcome(&self, outcome: EntryOutcome) -> u64 {
        let excepted = |outcome| self.exceptions.iter().filter(|e| e.outcome == outcome).map(|e| e.count).sum::<u64>();
        match outcome {
            EntryOutcome::Acknowledged => self.begun - excepted(EntryOutcome::Failed) - excepted(EntryOutcome::Unknown),
            EntryOutcome::Failed | EntryOutcome::Unknown => excepted(outcome),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn outcome() -> impl Strategy<Value = EntryOutcome> {
        prop_oneof![
            8 => Just(EntryOutcome::Acknowledged),
            1 => Just(EntryOutcome::Failed),
            1 => Just(EntryOutcome::Unknown),
        ]
    }

    proptest! {
        #[test]
        fn a_page_tells_every_outcome_and_their_numbers(
            outcomes in proptest::collection::vec(outcome(), 0..300),
            unfinished: bool,
        ) {
            let mut page = LedgerPage::default();
            let mut expected = outcomes.clone();
            for (number, outcome) in outcomes.iter().enumerate() {
                prop_assert_eq!(page.begin_entry(), number as u64);
                page.settle_entry(*outcome);
                // Nothing is under way any more.
                page.settle_entry(EntryOutcome::Failed);
            }
            if unfinished {
                page.begin_entry();
                expected.push(EntryOutcome::Unknown);
            }
            page.close_page();
            let told: Vec<EntryOutcome> = (0..page.len()).map_while(|number| page.outcome_of_entry(number)).collect();
            prop_assert_eq!(&told, &expected);
            prop_assert_eq!(page.outcome_of_entry(page.len()), None);
            for outcome in [EntryOutcome::Acknowledged, EntryOutcome::Failed, EntryOutcome::Unknown] {
                let count = expected.iter().filter(|expected| **expected == outcome).count() as u64;
                prop_assert_eq!(page.count_with_outcome(outcome), count);
            }
        }
    }

    #[test]
    fn a_million_acknowledged_entries_need_no_memory() {
        let mut page = LedgerPage::default();
        for _ in 0..1_000_000 {
            page.begin_entry();
            page.settle_entry(EntryOutcome::Acknowledged);
        }
        assert_eq!((page.len(), page.exceptions.capacity()), (1_000_000, 0));
    }
}
