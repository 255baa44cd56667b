//! What a rule is: a code, the measure of its cause, and a look at one cell.

use std::fmt;

use super::case::Case;
use super::finding::Found;
use super::quantity::Measure;
use crate::codes::Code;

/// One rule of the diagnosis.
#[derive(Debug)]
pub struct Rule {
    /// Its code.
    pub code: &'static Code,
    /// What its cause is measured by, on every side.
    pub measure: Measure,
    /// Looks at one cell.
    pub look: fn(&Case<'_>) -> Looked,
}

/// What came of a look: a finding, nothing of the sort, or not enough data to tell.
pub(super) type Looked = Result<Option<Found>, Missing>;

/// What a rule would have needed to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The observation.
    pub what: String,
    /// Why it is not there.
    pub why: String,
}

impl Missing {
    /// An observation with the reason why it is not there.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}
