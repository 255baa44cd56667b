//! What each statement of each listed transaction came to: rows, SQLSTATE, and a digest of what it returned. The nth
//! transaction of a script is the same wherever the list is executed, so results of two servers can be compared one by
//! one. Noted without an allocation; the memory for it is there from the start.
//!
//! The digest is a sum over rows, so it does not depend on their order.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use wire::{DataRow, SqlState};

use crate::listed::TransactionOrder;

/// So many executions are noted, the first ones of the list: 16 MiB.
const NOTED_MAX: usize = 1 << 20;

/// Set where an execution came to something else than an earlier one of the same transaction.
const VARIES: u64 = 1 << 63;
/// Set where the execution was noted.
const NOTED: u64 = 1 << 62;
/// Where the SQLSTATE begins; the rows are below it.
const STATE_SHIFT: u32 = 32;
/// The SQLSTATE as a number: 26 bits.
const STATE_MASK: u64 = (1 << 26) - 1;

/// The results of a list of transactions. Plain data, shared by the threads that execute the list.
pub struct ListedResults {
    /// By script.
    scripts: Box<[ScriptSlots]>,
    slots: Box<[ResultSlot]>,
}

/// Where the results of a script are.
#[derive(Debug, Clone, Copy)]
struct ScriptSlots {
    first_statement: u32,
    statements: u32,
    first_slot: usize,
    /// Transactions that are noted.
    rows: u64,
}

/// One execution.
#[derive(Default)]
struct ResultSlot {
    /// Flags, SQLSTATE and rows; 0 where nothing was noted.
    outcome: AtomicU64,
    digest: AtomicU64,
}

/// What one execution of a statement came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedResult {
    /// Why it failed; `None` where it succeeded.
    pub failure: Option<SqlState>,
    /// Rows that it returned or changed.
    pub rows: u32,
    /// Of the returned rows.
    pub digest: u64,
    /// Whether another execution of the same transaction came to something else.
    pub varies: bool,
}

/// What a statement under way has returned so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ResultSoFar {
    rows: u64,
    digest: u64,
}

impl ListedResults {
    /// For a list of the transactions of scripts that have so many statements each, in the order of the job.
    #[must_use]
    pub fn for_list(order: &TransactionOrder, statements_by_script: &[u32]) -> Self {
        let mut rows = vec![0_u64; statements_by_script.len()];
        let mut noted = 0;
        for script in order.scripts_in_order() {
            let Some(statements) = statements_by_script.get(script as usize) else { continue };
            noted += *statements as usize;
            if noted > NOTED_MAX {
                break;
            }
            rows[script as usize] += 1;
        }
        let (mut scripts, mut first_statement, mut first_slot) = (Vec::new(), 0, 0);
        for (statements, rows) in statements_by_script.iter().zip(rows) {
            scripts.push(ScriptSlots { first_statement, statements: *statements, first_slot, rows });
            first_statement += statements;
            first_slot += *statements as usize * rows as usize;
        }
        let slots = std::iter::repeat_with(ResultSlot::default).take(first_slot).collect();
        Self { scripts: scripts.into(), slots }
    }

    /// The numbers of all statements.
    pub fn statement_numbers(&self) -> Range<u32> {
        0..self.scripts.last().map_or(0, |last| last.first_statement + last.statements)
    }

    /// The results of a statement, transaction by transaction of its script; `None`: not executed.
    pub fn results_of_statement(&self, number: u32) -> impl Iterator<Item = Option<ListedResult>> + '_ {
        let script = self.scripts.iter().find(|script| script.statement_range().contains(&number)).copied();
        script.into_iter().flat_map(move |script| {
            (0..script.rows).map(move |row| self.slots[script.slot_of(number, row)].noted_result())
        })
    }

    /// Notes what an execution came to.
    #[inline]
    pub(crate) fn note_result(
        &self,
        (script, row): (usize, u64),
        statement: u32,
        result: ResultSoFar,
        failure: Option<SqlState>,
    ) {
        let Some(script) = self.scripts.get(script) else { return };
        if row >= script.rows || !script.statement_range().contains(&statement) {
            return;
        }
        let state = failure.map_or(0, |failure| number_of_state(failure.as_str()));
        let rows = u64::from(u32::try_from(result.rows).unwrap_or(u32::MAX));
        let outcome = NOTED | state << STATE_SHIFT | rows;
        let slot = &self.slots[script.slot_of(statement, row)];
        match slot.outcome.compare_exchange(0, outcome, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => slot.digest.store(result.digest, Ordering::Relaxed),
            Err(noted) => {
                // Another thread may not have stored its digest yet: what two clients do at once is told by their rows.
                let digest = slot.digest.load(Ordering::Relaxed);
                let differs = noted & !VARIES != outcome || (digest != result.digest && digest != 0);
                if differs {
                    slot.outcome.fetch_or(VARIES, Ordering::Relaxed);
                }
            }
        }
    }
}

impl ScriptSlots {
    fn statement_range(&self) -> Range<u32> {
        self.first_statement..self.first_statement + self.statements
    }

    fn slot_of(&self, statement: u32, row: u64) -> usize {
        self.first_slot + row as usize * self.statements as usize + (statement - self.first_statement) as usize
    }
}

impl ResultSlot {
    fn noted_result(&self) -> Option<ListedResult> {
        let outcome = self.outcome.load(Ordering::Relaxed);
        if outcome & NOTED == 0 {
            return None;
        }
        Some(ListedResult {
            failure: state_of_number(outcome >> STATE_SHIFT & STATE_MASK),
            rows: outcome as u32,
            digest: self.digest.load(Ordering::Relaxed),
            varies: outcome & VARIES != 0,
        })
    }
}

impl ResultSoFar {
    /// Adds a row.
    #[inline]
    pub(crate) fn add_row(&mut self, row: &DataRow<'_>) {
        self.digest = self.digest.wrapping_add(digest_of_row(row.as_bytes()));
    }

    /// Adds the rows of a statement that is complete, from its tag such as `INSERT 0 5`.
    #[inline]
    pub(crate) fn add_tag(&mut self, tag: &[u8]) {
        self.rows += rows_of_tag(tag);
    }
}

impl fmt::Debug for ListedResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ListedResults").field("executions", &self.slots.len()).finish_non_exhaustive()
    }
}

/// The number at the end of a command tag; 0 where there is none.
fn rows_of_tag(tag: &[u8]) -> u64 {
    let (mut rows, mut place) = (0_u64, 1_u64);
    for byte in tag.iter().rev().take_while(|byte| byte.is_ascii_digit()) {
        rows = rows.wrapping_add(u64::from(byte - b'0').wrapping_mul(place));
        place = place.wrapping_mul(10);
    }
    rows
}

/// A hash of the values of a row with their lengths; never 0.
#[inline]
fn digest_of_row(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = FACTOR ^ bytes.len() as u64;
    let (chunks, rest) = bytes.as_chunks::<8>();
    for chunk in chunks {
        hash = mix_bits(hash ^ u64::from_le_bytes(*chunk));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix_bits(hash ^ u64::from_le_bytes(last)) | 1
}

/// The finalizer of MurmurHash3: each bit of the input changes each bit of the output half of the time.
#[inline]
fn mix_bits(mut hash: u64) -> u64 {
    hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
}

/// An SQLSTATE as a number above 0: its five characters are digits of base 36.
fn number_of_state(state: &str) -> u64 {
    let mut number = 0;
    for character in state.chars() {
        number = number * 36 + u64::from(character.to_digit(36).unwrap_or_default());
    }
    // 00000 is success, and no failure has it.
    number.max(1)
}

fn state_of_number(number: u64) -> Option<SqlState> {
    if number == 0 {
        return None;
    }
    let (mut text, mut rest) = ([0_u8; 5], number);
    for place in text.iter_mut().rev() {
        let digit = (rest % 36) as u8;
        *place = if digit < 10 { b'0' + digit } else { b'A' + digit - 10 };
        rest /= 36;
    }
    SqlState::from_bytes(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::listed::AtListEnd;

    fn results() -> ListedResults {
        let order = TransactionOrder::from_scripts([1, 0, 1], AtListEnd::Repeat).expect("there are some");
        ListedResults::for_list(&order, &[1, 2])
    }

    fn so_far(rows: u64, digest: u64) -> ResultSoFar {
        ResultSoFar { rows, digest }
    }

    #[test]
    fn results_are_found_by_statement_and_transaction_of_its_script() {
        let results = results();
        results.note_result((1, 1), 2, so_far(3, 77), None);
        results.note_result((0, 0), 0, so_far(0, 0), SqlState::from_bytes(b"40P01"));
        results.note_result((0, 1), 0, so_far(0, 0), None);
        results.note_result((1, 0), 0, so_far(9, 0), None);
        assert_eq!(results.statement_numbers(), 0..3);
        let third: Vec<_> = results.results_of_statement(2).collect();
        assert_eq!(third, [None, Some(ListedResult { failure: None, rows: 3, digest: 77, varies: false })]);
        let first: Vec<_> = results.results_of_statement(0).collect();
        assert_eq!(first.len(), 1, "the script is listed once");
        assert_eq!(first[0].and_then(|result| result.failure), Some(SqlState::DEADLOCK_DETECTED));
        assert!(results.results_of_statement(1).all(|result| result.is_none()));
    }

    #[test]
    fn an_execution_that_comes_to_something_else_varies() {
        for (again, varies) in [((2, 5), false), ((3, 5), true), ((2, 6), true)] {
            let results = results();
            results.note_result((0, 0), 0, so_far(2, 5), None);
            results.note_result((0, 0), 0, so_far(again.0, again.1), None);
            let noted = results.results_of_statement(0).next().flatten().expect("it was noted");
            assert_eq!((noted.varies, noted.rows), (varies, 2), "{again:?}");
        }
    }

    #[test]
    fn every_sqlstate_survives_and_tags_tell_their_rows() {
        for state in ["40001", "40P01", "XX000", "ZZZZZ", "00001"] {
            let found = state_of_number(number_of_state(state)).expect("a failure");
            assert_eq!(found.as_str(), state);
        }
        for (tag, rows) in [("SELECT 12", 12), ("INSERT 0 5", 5), ("BEGIN", 0), ("UPDATE 0", 0), ("", 0)] {
            assert_eq!(rows_of_tag(tag.as_bytes()), rows, "{tag}");
        }
    }

    #[test]
    fn rows_that_differ_in_a_byte_or_a_length_have_different_digests() {
        let rows: [&[u8]; 5] = [b"", b"\0\0\0\x01a", b"\0\0\0\x01b", b"\0\0\0\x02ab", b"\0\0\0\x02ab\0\0\0\0"];
        let digests: std::collections::BTreeSet<u64> = rows.iter().map(|row| digest_of_row(row)).collect();
        assert_eq!(digests.len(), rows.len());
    }
}
