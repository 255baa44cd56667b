//! Why no session came about: what each attempt came to, as libpq shows it.

use std::fmt;

use conninfo::refusals::{RefusedAttempt, decisive_refusal, in_words};
use tokio_postgres::Error;
use tokio_postgres::error::DbError;

/// Why no session came about.
#[derive(Debug)]
pub struct OpenError {
    /// Where libpq's other way was tried after it: what the first one came to.
    pub(crate) first: Option<FailedAttempt>,
    pub(crate) last: FailedAttempt,
}

/// One attempt to log in.
#[derive(Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) encrypted: bool,
    pub(crate) error: Error,
}

impl OpenError {
    /// The error that says why.
    #[must_use]
    pub fn decisive_error(&self) -> &Error {
        match &self.first {
            Some(first) if first_says_why(first, &self.last) => &first.error,
            Some(_) | None => &self.last.error,
        }
    }

    /// The error that says why; the other one is lost.
    #[must_use]
    pub fn into_decisive(self) -> Error {
        let OpenError { first, last } = self;
        match first {
            Some(first) if first_says_why(&first, &last) => first.error,
            Some(_) | None => last.error,
        }
    }

    /// What the server said, where it is the server that refused.
    #[must_use]
    pub fn as_db_error(&self) -> Option<&DbError> {
        self.decisive_error().as_db_error()
    }

    /// What both attempts came to; none where there was one.
    #[must_use]
    pub fn both_attempts(&self) -> Option<String> {
        let first = self.first.as_ref()?;
        let (first_said, last_said) = (error_message(&first.error), error_message(&self.last.error));
        Some(in_words(&first.refusal_of_attempt(&first_said), &self.last.refusal_of_attempt(&last_said)))
    }

    /// All of it in words.
    #[must_use]
    pub fn in_words(&self) -> String {
        self.both_attempts().unwrap_or_else(|| error_message(&self.last.error))
    }
}

fn first_says_why(first: &FailedAttempt, last: &FailedAttempt) -> bool {
    let (one, other) = (first.refusal_of_attempt(""), last.refusal_of_attempt(""));
    std::ptr::eq(decisive_refusal(&one, &other), &one)
}

impl FailedAttempt {
    fn refusal_of_attempt<'a>(&'a self, said: &'a str) -> RefusedAttempt<'a> {
        RefusedAttempt {
            encrypted: self.encrypted,
            sqlstate: self.error.code().map(tokio_postgres::error::SqlState::code),
            said,
        }
    }
}

/// The server's words, or what happened.
fn error_message(error: &Error) -> String {
    match (error.as_db_error(), std::error::Error::source(error)) {
        (Some(error), _) => error.message().to_owned(),
        // The source says more than the error itself ("error connecting to server").
        (None, Some(source)) => source.to_string(),
        (None, None) => error.to_string(),
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.both_attempts() {
            Some(both) => f.write_str(&both),
            None => self.last.error.fmt(f),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self.first {
            // Both are in the words of this.
            Some(_) => None,
            None => std::error::Error::source(&self.last.error),
        }
    }
}
