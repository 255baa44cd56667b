//! What the server's messages mean: one [`ServerEvent`] each. Pure parsing of a complete body.

use crate::error::WireError;
use crate::row::{DataRow, RowDescription};
use crate::server_message::ServerMessage;

/// Something the server said. Borrowed from the receive buffer until the next call of `poll`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerEvent<'a> {
    /// The server is waiting for the next request. The first one also says that the login is over.
    ReadyForQuery(TransactionStatus),
    /// A statement (or the login) failed.
    Error(ServerMessage<'a>),
    /// A statement is complete; its tag, such as `UPDATE 1`, or nothing if the statement was empty.
    CommandComplete(&'a [u8]),
    /// The columns of the rows that follow.
    RowDescription(RowDescription<'a>),
    /// A row, only if rows are kept (see `ResultRows`).
    DataRow(DataRow<'a>),
    /// The server waits for data to COPY: answer with `frontend::write_copy_data` and `frontend::copy_done`, or with
    /// `frontend::copy_fail`.
    CopyIn,
    /// A warning or other remark.
    Notice(ServerMessage<'a>),
    /// A setting's value, reported at login and whenever it changes.
    ParameterStatus {
        /// The setting.
        name: &'a [u8],
        /// Its value.
        value: &'a [u8],
    },
    /// What a cancel request for this session has to quote.
    BackendKey {
        /// The backend's process id.
        process_id: u32,
        /// The secret that goes with it.
        secret: u32,
    },
    /// The server speaks only an older minor version of protocol 3 than it was asked for.
    NegotiateProtocolVersion {
        /// The newest minor version that it speaks.
        newest_minor: u32,
    },
}

/// Whether a transaction is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionStatus {
    /// None is open.
    Idle,
    /// One is open.
    InTransaction,
    /// One is open and has failed: only ROLLBACK helps.
    Failed,
}

/// Whether a message of this type says nothing that is needed, so that its body need not even be buffered.
#[inline]
pub(crate) fn is_skippable(tag: u8) -> bool {
    // ParseComplete, BindComplete, CloseComplete, NoData, PortalSuspended, ParameterDescription, NotificationResponse,
    // CopyOutResponse, CopyData, CopyDone.
    matches!(tag, b'1' | b'2' | b'3' | b'n' | b's' | b't' | b'A' | b'H' | b'd' | b'c')
}

/// Understands one complete message.
///
/// # Errors
/// When the body is malformed or the type unknown.
#[inline]
pub(crate) fn parse_message(tag: u8, body: &[u8]) -> Result<ServerEvent<'_>, WireError> {
    match tag {
        b'Z' => Ok(ServerEvent::ReadyForQuery(transaction_status(body)?)),
        b'C' => Ok(ServerEvent::CommandComplete(zero_terminated_text(body)?)),
        b'T' => Ok(ServerEvent::RowDescription(RowDescription::parse(body)?)),
        b'D' => Ok(ServerEvent::DataRow(DataRow::parse(body)?)),
        _ => parse_rare_message(tag, body),
    }
}

#[cold]
fn parse_rare_message(tag: u8, body: &[u8]) -> Result<ServerEvent<'_>, WireError> {
    match tag {
        b'E' => Ok(ServerEvent::Error(ServerMessage::parse(body)?)),
        b'N' => Ok(ServerEvent::Notice(ServerMessage::parse(body)?)),
        b'G' => Ok(ServerEvent::CopyIn),
        // EmptyQueryResponse.
        b'I' => Ok(ServerEvent::CommandComplete(b"")),
        b'S' => {
            let text = zero_terminated_text(body)?;
            let middle = text.iter().position(|&byte| byte == 0);
            let (name, value) = text.split_at(middle.ok_or(WireError::Protocol("a malformed parameter status"))?);
            Ok(ServerEvent::ParameterStatus { name, value: &value[1..] })
        }
        b'K' => {
            let Ok(&[a, b, c, d, e, f, g, h]) = <&[u8; 8]>::try_from(body) else {
                return Err(WireError::Protocol("a malformed backend key"));
            };
            let (process_id, secret) = (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes([e, f, g, h]));
            Ok(ServerEvent::BackendKey { process_id, secret })
        }
        b'v' => match body.first_chunk::<4>() {
            Some(newest) => {
                Ok(ServerEvent::NegotiateProtocolVersion { newest_minor: u32::from_be_bytes(*newest) & 0xffff })
            }
            None => Err(WireError::Protocol("a malformed protocol negotiation")),
        },
        _ => Err(WireError::UnexpectedMessage(tag as char)),
    }
}

#[inline]
fn transaction_status(body: &[u8]) -> Result<TransactionStatus, WireError> {
    match body {
        b"I" => Ok(TransactionStatus::Idle),
        b"T" => Ok(TransactionStatus::InTransaction),
        b"E" => Ok(TransactionStatus::Failed),
        _ => Err(WireError::Protocol("an unknown transaction status")),
    }
}

/// A body that is one zero-terminated text, without the zero.
#[inline]
fn zero_terminated_text(body: &[u8]) -> Result<&[u8], WireError> {
    match body.split_last() {
        Some((0, text)) => Ok(text),
        _ => Err(WireError::Protocol("a text without an end")),
    }
}
