//! Cuts the byte stream into messages: one type byte, a four-byte big-endian length that counts itself, the body.
//!
//! Knows the limits on length and what the first bytes of something that is not PostgreSQL look like; does not look
//! into bodies.

use crate::error::WireError;

/// Type byte and length word.
pub(crate) const HEADER: usize = 5;

/// The longest message, body and length word, that is kept as a whole (rows that are skipped have no limit but the
/// protocol's own).
const LIMIT: u32 = 64 << 20;

/// The same before the login is over: nothing sensible is longer, so that another protocol's bytes are not taken for a
/// length to wait for. libpq uses the same figure.
const LOGIN_LIMIT: u32 = 30_000;

/// The longest protocol-2 error text that is waited for.
const PROTOCOL_TWO_LIMIT: usize = 4_096;

/// The head of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MessageHeader {
    pub(crate) tag: u8,
    /// Bytes after the header.
    pub(crate) body: usize,
}

/// The header at the start of `bytes`, or `None` while it is incomplete.
///
/// # Errors
/// When the length is impossible.
#[inline]
pub(crate) fn parse_header(bytes: &[u8]) -> Result<Option<MessageHeader>, WireError> {
    let Some(&[tag, a, b, c, d]) = bytes.first_chunk::<HEADER>() else { return Ok(None) };
    let length = u32::from_be_bytes([a, b, c, d]);
    if !(4..=i32::MAX as u32).contains(&length) {
        return Err(WireError::Protocol("a message with an impossible length"));
    }
    Ok(Some(MessageHeader { tag, body: length as usize - 4 }))
}

/// Whether a message may be kept as a whole.
///
/// # Errors
/// When it is too long.
#[inline]
pub(crate) fn check_length(header: MessageHeader) -> Result<(), WireError> {
    let limit = LIMIT;
    let length = header.body as u32 + 4;
    if length > limit { Err(WireError::TooLong { tag: header.tag as char, length, limit }) } else { Ok(()) }
}

/// The header of a message during the login, where the peer may turn out to be anything.
///
/// # Errors
/// When these are not the bytes of a PostgreSQL server that speaks protocol 3.
pub(crate) fn login_header(bytes: &[u8]) -> Result<Option<MessageHeader>, WireError> {
    let Some(&first) = bytes.first_chunk::<HEADER>() else { return Ok(None) };
    let [tag, a, b, c, d] = first;
    let length = u32::from_be_bytes([a, b, c, d]);
    // Authentication, Error, Notice, ParameterStatus, BackendKeyData, ReadyForQuery, NegotiateProtocolVersion.
    if !b"RENSKZv".contains(&tag) {
        return Err(not_postgres(first));
    }
    if (4..=LOGIN_LIMIT).contains(&length) {
        return Ok(Some(MessageHeader { tag, body: length as usize - 4 }));
    }
    // Before protocol 3 an error was 'E' and a zero-terminated text. Servers that fail before they know what the
    // client speaks (such as when fork fails) answered like that up to version 13.
    let text = &bytes[1..bytes.len().min(PROTOCOL_TWO_LIMIT)];
    match (tag, text.iter().position(|&byte| byte == 0)) {
        (b'E', Some(end)) => Err(WireError::ProtocolTwo(String::from_utf8_lossy(&text[..end]).trim_end().to_owned())),
        (b'E', None) if bytes.len() < PROTOCOL_TWO_LIMIT => Ok(None),
        _ => Err(not_postgres(first)),
    }
}

/// The error shows exactly the bytes that decided, however many more have arrived.
fn not_postgres(first: [u8; HEADER]) -> WireError {
    WireError::NotPostgres(first.escape_ascii().to_string())
}
