//! The five-character code by which PostgreSQL classifies errors.

use std::fmt;

/// An SQLSTATE such as `40001`: five upper-case letters or digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SqlState([u8; 5]);

impl SqlState {
    /// `40001`: a serializable transaction could not be placed in any serial order.
    pub const SERIALIZATION_FAILURE: SqlState = SqlState(*b"40001");
    /// `40P01`: the transaction was chosen as the victim of a deadlock.
    pub const DEADLOCK_DETECTED: SqlState = SqlState(*b"40P01");
    /// `28P01`: wrong password.
    pub const INVALID_PASSWORD: SqlState = SqlState(*b"28P01");
    /// `28000`: the user may not log in like this (no such role, no matching line in `pg_hba.conf`).
    pub const INVALID_AUTHORIZATION: SqlState = SqlState(*b"28000");
    /// `3D000`: the database does not exist.
    pub const INVALID_CATALOG_NAME: SqlState = SqlState(*b"3D000");
    /// `53300`: all connection slots are taken.
    pub const TOO_MANY_CONNECTIONS: SqlState = SqlState(*b"53300");
    /// `57P03`: the server is starting up, shutting down or recovering.
    pub const CANNOT_CONNECT_NOW: SqlState = SqlState(*b"57P03");

    /// The code in `text`, or `None` unless it is five ASCII upper-case letters or digits.
    pub fn from_bytes(text: &[u8]) -> Option<SqlState> {
        let code: [u8; 5] = text.try_into().ok()?;
        let valid = code.iter().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
        valid.then_some(SqlState(code))
    }

    /// The code as text.
    pub fn as_str(&self) -> &str {
        // Always ASCII (see `from_bytes`), so the fallback is never taken.
        str::from_utf8(&self.0).unwrap_or("?????")
    }
}

impl fmt::Display for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for SqlState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
