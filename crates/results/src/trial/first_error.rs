//! What the server said first of each kind of failure of a trial.

use serde::{Deserialize, Serialize};

/// The first error of one SQLSTATE and statement. Its message may hold a value of a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FirstError {
    /// Its SQLSTATE.
    pub sqlstate: String,
    /// The server's message, without its detail; one of more than 500 characters is cut and ends with `…`.
    pub message: String,
    /// The statement that failed; absent where the error is about none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub statement: Option<FailedStatement>,
}

/// A statement of a script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedStatement {
    /// The name of its script.
    pub script: String,
    /// Its line there, from 1.
    pub line: u32,
    /// Its text as it is sent, on one line; one of more than 300 characters is cut and ends with `…`.
    pub text: String,
}

impl FailedStatement {
    /// Characters of a text that are kept.
    const TEXT_MAX: usize = 300;

    /// Of a statement's whole text.
    #[must_use]
    pub fn new(script: &str, line: u32, text: &str) -> Self {
        let mut one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((end, _)) = one_line.char_indices().nth(Self::TEXT_MAX) {
            one_line.truncate(end);
            one_line.push('…');
        }
        Self { script: script.to_owned(), line, text: one_line }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_kept_on_one_line_and_cut() {
        let statement = FailedStatement::new("job.sql", 3, "INSERT INTO job\n  VALUES (1)");
        assert_eq!(statement.text, "INSERT INTO job VALUES (1)");
        let long = FailedStatement::new("job.sql", 3, &"é".repeat(1_000));
        assert_eq!(long.text.chars().count(), 301);
    }
}
