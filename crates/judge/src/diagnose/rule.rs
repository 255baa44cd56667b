//! What a rule is: a code, the measure of its cause, and a look at one cell.

use super::case::DiagnosisCase;
use super::finding::CaseFinding;
use super::quantity::Measure;
use crate::codes::Code;

pub(super) use super::missing::MissingObservation;

/// One rule of the diagnosis.
#[derive(Debug)]
pub struct Rule {
    /// Its code.
    pub code: &'static Code,
    /// What its cause is measured by, on every side.
    pub measure: Measure,
    /// Looks at one cell.
    pub look: fn(&DiagnosisCase<'_>) -> Looked,
}

/// What came of a look: a finding, nothing of the sort, or not enough data to tell.
pub(super) type Looked = Result<Option<CaseFinding>, MissingObservation>;
