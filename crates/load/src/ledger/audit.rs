//! Holds what clients were told against what the table has: pure, one row at a time, one bit of memory per entry.

use crate::ledger::Ledger;
use crate::ledger::entry::EntryId;
use crate::ledger::page::EntryOutcome;

/// As many findings of a kind are named; all are counted.
const NAMED_AT_MOST: usize = 1_000;

/// What a table says of the entries of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerAudit {
    /// Entries whose commit the server has acknowledged.
    pub acknowledged: u64,
    /// Entries of transactions in which the server has reported an error.
    pub failed: u64,
    /// Entries of transactions whose connection was lost before the server had said how they ended.
    pub unknown: u64,
    /// Acknowledged and not there: lost writes.
    pub lost: LedgerFindings,
    /// Failed and there all the same.
    pub unexpected: LedgerFindings,
    /// There more than once; how often does not matter.
    pub duplicated: LedgerFindings,
    /// Those of the unknown that are there, so that they were committed; the others were not.
    pub unknown_committed: u64,
    /// Rows that begin like an entry of the run and are none that it has begun.
    pub foreign: u64,
}

/// Entries that were found to be wrong in the same way.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LedgerFindings {
    /// How many.
    pub count: u64,
    /// The first 1 000 of them, by client and number.
    pub named: Vec<EntryId>,
}

impl LedgerAudit {
    /// Whether the server has kept its word: nothing lost, nothing that must not be there.
    pub fn is_clean(&self) -> bool {
        self.lost.count == 0 && self.unexpected.count == 0 && self.duplicated.count == 0 && self.foreign == 0
    }

    /// Unknown entries that turned out not to be committed.
    pub fn unknown_not_committed(&self) -> u64 {
        self.unknown - self.unknown_committed
    }
}

impl LedgerFindings {
    fn add(&mut self, entry: EntryId) {
        self.count += 1;
        if self.named.len() < NAMED_AT_MOST {
            self.named.push(entry);
        }
    }
}

/// An audit under way.
#[derive(Debug)]
pub struct Auditor<'a> {
    ledger: &'a Ledger,
    /// By client: those of its entries that were seen, and seen again.
    seen: Vec<Bits>,
    again: Vec<Bits>,
    foreign: u64,
}

impl<'a> Auditor<'a> {
    /// Nothing has been seen of this ledger.
    pub fn new(ledger: &'a Ledger) -> Auditor<'a> {
        let clients = ledger.pages.len();
        Auditor { ledger, seen: vec![Bits::default(); clients], again: vec![Bits::default(); clients], foreign: 0 }
    }

    /// Takes in the text of one row.
    pub fn check_row(&mut self, text: &str) {
        let entry = EntryId::parse(text.trim_end_matches(' '), self.ledger.tag);
        let Some(entry) = entry.filter(|entry| {
            let page = self.ledger.pages.get(entry.client as usize);
            page.is_some_and(|page| page.may_have_begun(entry.number))
        }) else {
            self.foreign += 1;
            return;
        };
        let client = entry.client as usize;
        if self.seen[client].set_bit(entry.number) {
            self.again[client].set_bit(entry.number);
        }
    }

    /// All rows have been taken in.
    pub fn finish(self) -> LedgerAudit {
        let sum = |outcome| self.ledger.pages.iter().map(|page| page.count_with_outcome(outcome)).sum();
        let mut audit = LedgerAudit {
            acknowledged: sum(EntryOutcome::Acknowledged),
            failed: sum(EntryOutcome::Failed),
            unknown: sum(EntryOutcome::Unknown),
            lost: LedgerFindings::default(),
            unexpected: LedgerFindings::default(),
            duplicated: LedgerFindings::default(),
            unknown_committed: 0,
            foreign: self.foreign,
        };
        for (client, page) in (0u32..).zip(&self.ledger.pages) {
            if page.is_lost() {
                // Of those that are there it is known that they were begun; none of the others is lost for all that is
                // known.
                let there = self.seen[client as usize].count_bits();
                audit.unknown += there;
                audit.unknown_committed += there;
            }
            for number in 0..page.len() {
                let entry = EntryId::new(self.ledger.tag, client, number);
                let is_there = self.seen[client as usize].get_bit(number);
                match page.outcome_of_entry(number) {
                    Some(EntryOutcome::Acknowledged) if !is_there => audit.lost.add(entry),
                    Some(EntryOutcome::Failed) if is_there => audit.unexpected.add(entry),
                    Some(EntryOutcome::Unknown) => audit.unknown_committed += u64::from(is_there),
                    Some(EntryOutcome::Acknowledged | EntryOutcome::Failed) | None => {}
                }
                if self.again[client as usize].get_bit(number) {
                    audit.duplicated.add(entry);
                }
            }
        }
        audit
    }
}

/// A set of small numbers.
#[derive(Debug, Clone, Default)]
struct Bits(Vec<u64>);

impl Bits {
    fn count_bits(&self) -> u64 {
        self.0.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// Adds a number; returns whether it was there before.
    fn set_bit(&mut self, number: u64) -> bool {
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        let before = self.0[word] & bit != 0;
        self.0[word] |= bit;
        before
    }

    fn get_bit(&self, number: u64) -> bool {
        self.0.get((number / 64) as usize).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::entry::LedgerRunTag;
    use crate::ledger::page::LedgerPage;
    use std::time::{Duration, SystemTime};

    /// One client with an entry for each outcome.
    fn ledger(outcomes: &[EntryOutcome]) -> Ledger {
        let mut page = LedgerPage::default();
        for outcome in outcomes {
            page.begin_entry();
            page.settle_entry(*outcome);
        }
        Ledger {
            tag: LedgerRunTag::from_start_time(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)),
            pages: vec![page],
        }
    }

    fn audit(ledger: &Ledger, there: &[u64]) -> LedgerAudit {
        let mut auditor = Auditor::new(ledger);
        for number in there {
            auditor.check_row(&EntryId::new(ledger.tag, 0, *number).to_string());
        }
        auditor.finish()
    }

    #[test]
    fn what_is_there_is_held_against_what_was_told() {
        use EntryOutcome::{Acknowledged, Failed, Unknown};
        let ledger = ledger(&[Acknowledged, Acknowledged, Failed, Failed, Unknown, Unknown]);
        let entry = |number| EntryId::new(ledger.tag, 0, number);
        let good = audit(&ledger, &[0, 1, 4]);
        assert!(good.is_clean(), "{good:?}");
        assert_eq!((good.acknowledged, good.failed, good.unknown), (2, 2, 2));
        assert_eq!((good.unknown_committed, good.unknown_not_committed()), (1, 1));
        let bad = audit(&ledger, &[0, 0, 3, 6]);
        assert!(!bad.is_clean());
        assert_eq!((bad.lost.count, &bad.lost.named[..]), (1, &[entry(1)][..]));
        assert_eq!((bad.unexpected.count, &bad.unexpected.named[..]), (1, &[entry(3)][..]));
        assert_eq!((bad.duplicated.count, &bad.duplicated.named[..]), (1, &[entry(0)][..]));
        assert_eq!((bad.foreign, bad.unknown_not_committed()), (1, 2));
    }

    #[test]
    fn all_lost_writes_are_counted_and_the_first_thousand_named() {
        let ledger = ledger(&[EntryOutcome::Acknowledged; 1_500]);
        let audit = audit(&ledger, &[]);
        assert_eq!((audit.lost.count, audit.lost.named.len()), (1_500, 1_000));
    }
}
