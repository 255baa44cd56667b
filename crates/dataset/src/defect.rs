//! What can be wrong with a table.

use std::fmt;

/// One way in which a table is not what is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// The table.
    pub table: String,
    /// What is wrong with it, as the predicate of a sentence: "has 9 rows instead of 10".
    pub what: String,
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.table, self.what)
    }
}

impl Defect {
    /// `what` is wrong with `table`.
    pub(super) fn new(table: impl Into<String>, what: impl Into<String>) -> Self {
        Self { table: table.into(), what: what.into() }
    }
}

/// `text`, or that there is none.
pub(super) fn or_none(text: String) -> String {
    if text.is_empty() { nothing_found_text() } else { text }
}

/// What a defect says where something is not there.
pub(super) fn nothing_found_text() -> String {
    "(none)".to_owned()
}
