//! The fields of an ErrorResponse or a NoticeResponse, borrowed from the receive buffer.

use crate::error::WireError;
use crate::sqlstate::SqlState;
use std::borrow::Cow;

/// An error or a notice as the server reported it. Texts are in the database's encoding; what is not UTF-8 is shown
/// with replacement characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ServerMessage<'a> {
    fields: &'a [u8],
    sqlstate: SqlState,
}

impl<'a> ServerMessage<'a> {
    pub(crate) fn parse(body: &'a [u8]) -> Result<ServerMessage<'a>, WireError> {
        let Some((0, fields)) = body.split_last() else {
            return Err(WireError::Protocol("an error message without an end"));
        };
        let code = find_field(fields, b'C').ok_or(WireError::Protocol("an error message without an SQLSTATE"))?;
        let sqlstate =
            SqlState::from_bytes(code).ok_or(WireError::Protocol("an error message with a malformed SQLSTATE"))?;
        Ok(ServerMessage { fields, sqlstate })
    }

    /// What kind of error it is.
    pub fn sqlstate(&self) -> SqlState {
        self.sqlstate
    }

    /// Whether the server ends the session after this message (severity FATAL or PANIC).
    pub fn is_fatal(&self) -> bool {
        // 'V' is never translated, 'S' may be; 'V' exists since 9.6.
        let severity = find_field(self.fields, b'V').or_else(|| find_field(self.fields, b'S'));
        matches!(severity, Some(b"FATAL" | b"PANIC"))
    }

    /// The primary message.
    pub fn primary_message(&self) -> Cow<'a, str> {
        self.field_text(b'M').unwrap_or_default()
    }

    /// The detail, if there is one.
    pub fn detail(&self) -> Option<Cow<'a, str>> {
        self.field_text(b'D')
    }

    /// The hint, if there is one.
    pub fn hint(&self) -> Option<Cow<'a, str>> {
        self.field_text(b'H')
    }

    fn field_text(&self, kind: u8) -> Option<Cow<'a, str>> {
        find_field(self.fields, kind).map(String::from_utf8_lossy)
    }
}

impl std::fmt::Debug for ServerMessage<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.sqlstate, self.primary_message())
    }
}

/// The value of the field of that kind: fields are a kind byte and a zero-terminated text each.
fn find_field(mut fields: &[u8], kind: u8) -> Option<&[u8]> {
    while let Some((&found, rest)) = fields.split_first() {
        let end = rest.iter().position(|&byte| byte == 0)?;
        if found == kind {
            return Some(&rest[..end]);
        }
        fields = &rest[end + 1..];
    }
    None
}
