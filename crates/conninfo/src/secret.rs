//! A password in memory: it can be used, never printed.
//!
//! There is no `Display` and no `Serialize`, and `Debug` prints a placeholder, so a secret reaches a log line, an error
//! or a run directory only through a call of [`Secret::expose_secret`], which is easy to search for.

use std::fmt;

/// A password or another value that must never be written anywhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    #[must_use]
    pub fn new(value: impl Into<String>) -> Self {
        Self(value.into())
    }

    /// The value itself, for the authentication exchange only.
    #[must_use]
    pub fn expose_secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
