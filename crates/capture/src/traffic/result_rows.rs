//! What is seen of a result: how many rows, a hash of them, and the values that a later statement may send back.

use std::hash::Hasher as _;
use std::rc::Rc;

use siphasher::sip::SipHasher13;

use super::binary_value::text_of_binary;
use super::request::{BodyReader, BoundValues};

/// Rows of a result whose values are remembered.
const REMEMBERED_ROWS: u64 = 100;
/// Values of a result that are remembered.
const REMEMBERED_VALUES: usize = 400;
/// Bytes of a value that is remembered.
const REMEMBERED_LENGTH: usize = 64;

/// A column of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ResultColumnFacts {
    /// The table and the number of the column in it; 0 for what is computed.
    pub(super) table_oid: u32,
    pub(super) attribute: u16,
    type_oid: u32,
    is_binary: bool,
}

impl ResultColumnFacts {
    /// Whether the column is computed, not one of a table.
    pub(super) fn is_computed(self) -> bool {
        self.table_oid == 0
    }
}

/// A value of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReturnedValue {
    pub(super) text: Box<str>,
    pub(super) row: u64,
    pub(super) column: u32,
    pub(super) facts: Option<ResultColumnFacts>,
}

/// What has been seen of a result.
#[derive(Debug, Clone, Default)]
pub(super) struct ResultRowsSeen {
    keys: (u64, u64),
    /// Rows that were sent.
    returned: u64,
    /// The sum of the hashes of the rows: it does not depend on their order.
    hash: u64,
    /// A row was too long to be seen.
    is_unknown: bool,
    /// Rows as the server counts them, affected ones too.
    pub(super) counted: Option<u64>,
    /// Whether a statement has ended with success.
    pub(super) has_ended: bool,
    /// When the last one ended, or failed.
    pub(super) ended_us: i64,
    pub(super) values: Vec<ReturnedValue>,
}

impl ResultRowsSeen {
    pub(super) fn with_keys(keys: (u64, u64)) -> Self {
        Self { keys, ..Self::default() }
    }

    /// The hash of the rows; `None` where none was sent, or one was not seen.
    pub(super) fn rows_hash(&self) -> Option<u64> {
        if self.returned == 0 || self.is_unknown { None } else { Some(self.hash) }
    }

    pub(super) fn add_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// A piece of data of a COPY to the client.
    pub(super) fn add_copied(&mut self, body: &[u8]) {
        self.add_hash(body);
    }

    pub(super) fn add_row(
        &mut self,
        body: &[u8],
        columns: Option<&[ResultColumnFacts]>,
        formats: Option<&BoundValues>,
    ) {
        let row = self.returned;
        self.add_hash(body);
        if row < REMEMBERED_ROWS && self.values.len() < REMEMBERED_VALUES {
            self.remember_values(row, body, columns, formats);
        }
    }

    /// The end of a statement, with the server's words for it.
    pub(super) fn end_result(&mut self, tag: &[u8]) {
        self.has_ended = true;
        let words = tag.strip_suffix(&[0]).unwrap_or(tag);
        let number = words.rsplit(|byte| *byte == b' ').next().and_then(|word| std::str::from_utf8(word).ok());
        if let Some(count) = number.and_then(|number| number.parse::<u64>().ok()) {
            self.counted = Some(self.counted.unwrap_or(0) + count);
        }
    }

    fn add_hash(&mut self, body: &[u8]) {
        let mut hasher = SipHasher13::new_with_keys(self.keys.0, self.keys.1);
        hasher.write(body);
        self.hash = self.hash.wrapping_add(hasher.finish());
        self.returned += 1;
    }

    fn remember_values(
        &mut self,
        row: u64,
        body: &[u8],
        columns: Option<&[ResultColumnFacts]>,
        formats: Option<&BoundValues>,
    ) {
        let mut reader = BodyReader { rest: body };
        let count = reader.take_u16().unwrap_or_default();
        for column in 0..usize::from(count) {
            let Some(value) = reader.take_value() else { return };
            let Some(value) = value else { continue };
            if value.is_empty() || value.len() > REMEMBERED_LENGTH {
                continue;
            }
            let facts = columns.and_then(|columns| columns.get(column)).copied();
            let is_binary = match formats {
                Some(formats) => formats.is_column_binary(column),
                None => facts.is_some_and(|facts| facts.is_binary),
            };
            let text = if is_binary {
                facts.and_then(|facts| text_of_binary(facts.type_oid, value))
            } else {
                std::str::from_utf8(value).ok().map(str::to_owned)
            };
            if let Some(text) = text {
                let column = u32::try_from(column).unwrap_or(u32::MAX);
                self.values.push(ReturnedValue { text: text.into(), row, column, facts });
            }
        }
    }
}

/// The columns of a RowDescription. `None` where it is malformed.
pub(super) fn read_columns(body: &[u8]) -> Option<Rc<[ResultColumnFacts]>> {
    let mut reader = BodyReader { rest: body };
    let count = reader.take_u16()?;
    let mut columns = Vec::with_capacity(count.into());
    for _ in 0..count {
        reader.take_text()?;
        let table_oid = reader.take_u32()?;
        let attribute = reader.take_u16()?;
        let type_oid = reader.take_u32()?;
        // Size and modifier of the type.
        reader.take_bytes(6)?;
        let is_binary = reader.take_u16()? == 1;
        columns.push(ResultColumnFacts { table_oid, attribute, type_oid, is_binary });
    }
    Some(columns.into())
}
