//! What can go wrong with the byte stream itself. Errors that the server reports are events, not errors of this kind.

use crate::tls::TlsError;
use thiserror::Error;

/// The bytes received cannot be understood, or the login they ask for cannot be done.
/// The connection is of no further use.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WireError {
    /// The first bytes are not those of a PostgreSQL server.
    #[error("not a PostgreSQL server: its answer begins with \"{0}\"")]
    NotPostgres(String),
    /// The server speaks only protocol 2 (older than 7.4), or failed before it could speak protocol 3.
    #[error("the server answered in protocol 2: {0}")]
    ProtocolTwo(String),
    /// A message breaks the protocol.
    #[error("protocol violation by the server: {0}")]
    Protocol(&'static str),
    /// A message of a kind that cannot come at this point.
    #[error("protocol violation by the server: unexpected message \"{0}\"")]
    UnexpectedMessage(char),
    /// A message that has to be kept as a whole is longer than the limit.
    #[error("protocol violation by the server: message \"{tag}\" of {length} bytes exceeds the limit of {limit}")]
    TooLong {
        /// The message's type.
        tag: char,
        /// Its announced length in bytes.
        length: u32,
        /// The most this client accepts, in bytes.
        limit: u32,
    },
    /// The server asks for a password and there is none.
    #[error("the server requires a password, but none was specified")]
    PasswordNeeded,
    /// The server insists on a way to authenticate that this client does not have.
    #[error("the server requires {0} authentication, which is not supported")]
    UnsupportedAuthentication(String),
    /// SCRAM: the server could not prove that it knows the password, or broke the exchange.
    #[error("SCRAM authentication failed: {0}")]
    Scram(String),
    /// Channel binding is demanded and cannot be had.
    #[error("channel binding is required, but {0}")]
    ChannelBinding(&'static str),
    /// Encryption.
    #[error(transparent)]
    Tls(#[from] TlsError),
}
