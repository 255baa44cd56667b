//! Rows and their description, borrowed from the receive buffer; values are what the server sent, not converted.

use crate::error::WireError;

/// The columns of the rows that follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowDescription<'a> {
    columns: &'a [u8],
    count: u16,
}

/// One column of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultColumn<'a> {
    /// Its name, in the database's encoding.
    pub name: &'a [u8],
    /// The OID of its data type.
    pub type_oid: u32,
}

impl<'a> RowDescription<'a> {
    pub(crate) fn parse(body: &'a [u8]) -> Result<RowDescription<'a>, WireError> {
        let (count, columns) = split_count(body)?;
        let description = RowDescription { columns, count };
        let mut rest = columns;
        for _ in 0..count {
            rest = take_column(rest).ok_or(WireError::Protocol("a malformed row description"))?.1;
        }
        if rest.is_empty() { Ok(description) } else { Err(WireError::Protocol("a malformed row description")) }
    }

    /// The columns from left to right.
    pub fn columns(&self) -> impl Iterator<Item = ResultColumn<'a>> + use<'a> {
        let mut rest = self.columns;
        (0..self.count).map_while(move |_| {
            let (column, next) = take_column(rest)?;
            rest = next;
            Some(column)
        })
    }
}

/// One row of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataRow<'a> {
    values: &'a [u8],
    count: u16,
}

impl<'a> DataRow<'a> {
    pub(crate) fn parse(body: &'a [u8]) -> Result<DataRow<'a>, WireError> {
        let (count, values) = split_count(body)?;
        let mut rest = values;
        for _ in 0..count {
            rest = take_value(rest).ok_or(WireError::Protocol("a malformed row"))?.1;
        }
        if rest.is_empty() { Ok(DataRow { values, count }) } else { Err(WireError::Protocol("a malformed row")) }
    }

    /// The values as they were sent, each behind its length; that of NULL is −1.
    pub fn as_bytes(&self) -> &'a [u8] {
        self.values
    }

    /// The values from left to right, in text format; `None` is NULL.
    pub fn values(&self) -> impl Iterator<Item = Option<&'a [u8]>> + use<'a> {
        let mut rest = self.values;
        (0..self.count).map_while(move |_| {
            let (value, next) = take_value(rest)?;
            rest = next;
            Some(value)
        })
    }
}

fn split_count(body: &[u8]) -> Result<(u16, &[u8]), WireError> {
    let (count, rest) = body.split_first_chunk::<2>().ok_or(WireError::Protocol("a row message without a count"))?;
    Ok((u16::from_be_bytes(*count), rest))
}

fn take_column(bytes: &[u8]) -> Option<(ResultColumn<'_>, &[u8])> {
    let end = bytes.iter().position(|&byte| byte == 0)?;
    // After the name: table OID (4), attribute number (2), type OID (4), type size (2), type modifier (4), format (2).
    let (attributes, rest) = bytes[end + 1..].split_first_chunk::<18>()?;
    let type_oid = u32::from_be_bytes([attributes[6], attributes[7], attributes[8], attributes[9]]);
    Some((ResultColumn { name: &bytes[..end], type_oid }, rest))
}

fn take_value(bytes: &[u8]) -> Option<(Option<&[u8]>, &[u8])> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    match i32::from_be_bytes(*length) {
        -1 => Some((None, rest)),
        length => rest.split_at_checked(usize::try_from(length).ok()?).map(|(value, rest)| (Some(value), rest)),
    }
}
