//! Why the server gave no snapshot, in a person's words, and what that means for the connection.

use std::error::Error;

use tokio_postgres::error::{DbError, Severity, SqlState};

/// Why there is no snapshot.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum SnapshotFailure {
    /// The server, or the network, did not answer in time.
    #[error("timed out: no answer in time for this second's reading")]
    TimedOut,
    /// A connection attempt is still under way.
    #[error("not connected: still connecting")]
    Connecting,
    /// There is no connection and the last attempt failed.
    #[error("not connected: {0}")]
    Unreachable(String),
    /// The connection broke.
    #[error("the connection was lost: {0}")]
    Lost(String),
    /// The server will go on refusing this query; it is not asked again on this connection.
    #[error("{0}")]
    Refused(String),
    /// The server failed this time.
    #[error("the server failed the query: {0}")]
    Failed(String),
}

impl SnapshotFailure {
    /// Whether the connection is of no use any more. After a time-out it is not either: an answer that comes later
    /// would delay all that follow.
    pub(crate) fn ends_session(&self) -> bool {
        match self {
            Self::TimedOut | Self::Connecting | Self::Unreachable(_) | Self::Lost(_) => true,
            Self::Refused(_) | Self::Failed(_) => false,
        }
    }

    /// The role sees that there is something, but not what.
    pub(crate) fn statistics_hidden(probe: &str, role: &str) -> Self {
        Self::Refused(format!("{probe} is not permitted: the server hides it; hint: {}", grant_hint(role)))
    }

    /// What an error of `probe`'s query means. `role` is who asked.
    pub(crate) fn from_query(probe: &str, role: &str, error: &tokio_postgres::Error) -> Self {
        let Some(db) = error.as_db_error() else { return Self::Lost(error_with_causes(error)) };
        if matches!(db.parsed_severity(), Some(Severity::Fatal | Severity::Panic)) {
            return Self::Lost(server_message(db));
        }
        let message = server_message(db);
        match db.code() {
            &SqlState::INSUFFICIENT_PRIVILEGE => {
                let hint = format!("{}, and SELECT on the view if it was revoked from PUBLIC", grant_hint(role));
                Self::Refused(format!("{probe} is not permitted: {message}; hint: {hint}"))
            }
            // Class 42, syntax error or access rule violation: the view or a column is not what this version has.
            code if code.code().starts_with("42") => Self::Refused(format!("{probe} is not available: {message}")),
            _ => Self::Failed(message),
        }
    }
}

/// What lets the role see the statistics of others.
pub(crate) fn grant_hint(role: &str) -> String {
    format!("GRANT pg_monitor TO \"{}\"", role.replace('"', "\"\""))
}

fn server_message(db: &DbError) -> String {
    format!("{} (SQLSTATE {})", db.message(), db.code().code())
}

/// The error with its causes: tokio-postgres keeps the interesting half in the cause.
pub(crate) fn error_with_causes(error: &dyn Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
