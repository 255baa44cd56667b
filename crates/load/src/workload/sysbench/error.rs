//! What is wrong with an option of sysbench, told to the person who gave it.

use std::fmt::Display;

use thiserror::Error;

/// An option that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("option {option} of sysbench cannot be {value}")]
pub struct OptionError {
    /// As sysbench calls it.
    pub option: &'static str,
    /// What was asked for.
    pub value: String,
    reason: String,
}

impl OptionError {
    pub(crate) fn new(option: &'static str, value: impl Display, reason: impl Into<String>) -> OptionError {
        OptionError { option, value: value.to_string(), reason: reason.into() }
    }

    /// Why not, and what is possible.
    pub fn detail(&self) -> &str {
        &self.reason
    }
}
