//! SQL as PostgreSQL itself reads it: its scanner finds the literals of a text, its parser says what the text does.
//!
//! Promises: no input makes it panic or leak, and an error of the parser is a value. Leaves out: names, types and
//! anything else that needs a database.

#![warn(missing_docs)]

mod libpg_query;
mod literals;
mod parameters;
mod reach;
mod returned;
mod statement;
#[cfg(test)]
mod tests;
mod tokens;

pub use literals::{LiteralRole, SqlLiteral, SqlText, split_literals};
pub use parameters::{ColumnReference, PlaceholderUse, UsedColumn, parameter_uses};
pub use returned::{ReturnReason, ReturnedColumn, ReturnedList, returned_list};
pub use statement::{StatementFacts, TransactionStep, read_statement};
pub use tokens::{ScannedToken, TokenKind, scan_tokens};

/// Why a text is no SQL, in PostgreSQL's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SqlError {
    message: String,
}

impl SqlError {
    pub(crate) fn with_message(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}
