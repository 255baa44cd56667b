//! What an observation is called that is not there, and why it is not.

use std::fmt;

/// Why an observation is not there of which no file says why: a version of pgdyno that did not read it made the run, or
/// the server has nothing to tell of this object.
pub(super) const NOT_IN_FILES: &str = "the files of the run do not contain it";

/// What a rule would have needed to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingObservation {
    /// The observation.
    pub what: String,
    /// Why it is not there.
    pub why: String,
}

impl MissingObservation {
    /// An observation with the reason why it is not there.
    pub fn new(what: impl Into<String>, why: impl Into<String>) -> Self {
        Self { what: what.into(), why: why.into() }
    }
}

impl fmt::Display for MissingObservation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.what, self.why)
    }
}
