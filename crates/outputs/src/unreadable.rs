//! What is wrong with the output of a tool that could not be read.

use thiserror::Error;

/// A line that is not what the tool is known to print. Displays as `line 3: expected ..., found "..."`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: expected {expected}, found {found:?}")]
pub struct UnreadableOutputLine {
    /// Its number from 1; one more than there are if the output ended too early.
    pub line: usize,
    /// What would be right.
    pub expected: String,
    /// What is there.
    pub found: String,
}
