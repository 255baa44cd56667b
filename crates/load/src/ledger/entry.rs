//! What a transaction writes so that it can be found again: the run, the client,
//! and the how manieth of that client it is.
//!
//! 22 decimal digits: `pgbench_history.filler` has room for so many, and a number needs no quotes where the simple
//! protocol puts it into SQL.

use crate::script::variables::{ClientVariables, VariableSlot};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::{Duration, SystemTime};

/// Digits of the run, of the client, of the number.
const TAG: usize = 7;
const CLIENT: usize = 5;
const NUMBER: usize = 10;
/// Digits of an entry.
const LENGTH: usize = TAG + CLIENT + NUMBER;
/// There is no entry for more clients.
pub(crate) const CLIENTS_AT_MOST: u32 = 100_000;
/// The first digit is not 0, so that the number has all its digits wherever it has been.
const LEAST_TAG: u64 = 1_000_000;

/// A run, as its entries name it: 7 digits that depend on the instant at which it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LedgerRunTag(u32);

impl LedgerRunTag {
    /// The tag of a run that begins at `start`. Two runs have the same with a chance of 1 in 9 million.
    pub fn from_start_time(start: SystemTime) -> LedgerRunTag {
        let since_epoch = start.duration_since(SystemTime::UNIX_EPOCH).unwrap_or(Duration::ZERO);
        // Fibonacci hashing: the top bits depend on all bits of the instant.
        let mixed = (since_epoch.as_nanos() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        LedgerRunTag((LEAST_TAG + (mixed >> 32) % (9 * LEAST_TAG)) as u32)
    }
}

impl fmt::Display for LedgerRunTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One entry. Shown as the 22 digits that were written: 7 for the run, 5 for the client, 10 for the number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId {
    tag: u32,
    /// The client's number, from 0.
    pub client: u32,
    /// The entry's number among those of the client, from 0.
    pub number: u64,
}

impl EntryId {
    /// An entry of that run.
    pub(crate) fn new(tag: LedgerRunTag, client: u32, number: u64) -> EntryId {
        EntryId { tag: tag.0, client, number }
    }

    /// The entry that a text is, if it is one of that run.
    pub(crate) fn parse(text: &str, of: LedgerRunTag) -> Option<EntryId> {
        if text.len() != LENGTH || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (tag, rest) = text.split_at(TAG);
        let (client, number) = rest.split_at(CLIENT);
        let entry = EntryId { tag: tag.parse().ok()?, client: client.parse().ok()?, number: number.parse().ok()? };
        (entry.tag == of.0).then_some(entry)
    }

    /// Makes it a variable's text. Allocates nothing from the second time on.
    #[inline]
    pub(crate) fn assign_to_variable(self, variables: &mut ClientVariables, slot: VariableSlot) {
        let text = variables.set_text(slot);
        text.resize(LENGTH, b'0');
        let (tag, rest) = text.split_at_mut(TAG);
        let (client, number) = rest.split_at_mut(CLIENT);
        fill_decimal(tag, u64::from(self.tag));
        fill_decimal(client, u64::from(self.client));
        fill_decimal(number, self.number);
    }
}

impl fmt::Display for EntryId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:05}{:010}", self.tag, self.client, self.number)
    }
}

#[inline]
fn fill_decimal(digits: &mut [u8], mut value: u64) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (value % 10) as u8;
        value /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::variables::Scratch;
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        #[test]
        fn an_entry_is_read_as_it_was_written(
            start: u64,
            client in 0..CLIENTS_AT_MOST,
            number in 0u64..10_000_000_000,
        ) {
            let tag = LedgerRunTag::from_start_time(SystemTime::UNIX_EPOCH + Duration::from_nanos(start));
            let entry = EntryId::new(tag, client, number);
            let mut variables = ClientVariables::new(Arc::new(["ledger".to_owned()]));
            entry.assign_to_variable(&mut variables, VariableSlot(0));
            let mut scratch = Scratch::new();
            let text = variables.sql_text(VariableSlot(0), &mut scratch).expect("a value");
            let text = std::str::from_utf8(text).expect("ASCII");
            prop_assert_eq!(text.len(), LENGTH);
            prop_assert_eq!(text, entry.to_string());
            prop_assert_eq!(EntryId::parse(text, tag), Some(entry));
            prop_assert!(text.starts_with(&tag.to_string()) && !text.starts_with('0'));
        }
    }

    #[test]
    fn what_is_no_entry_of_the_run_is_recognised() {
        let tag = LedgerRunTag(3_481_920);
        assert!(EntryId::parse("3481920000070000000420", tag).is_some());
        for text in ["", "3481920", "348192000007000000042", "34819200000700000004200", "3481921000070000000420"] {
            assert_eq!(EntryId::parse(text, tag), None, "{text}");
        }
        assert_eq!(EntryId::parse("348192000007+000000420", tag), None);
    }
}
