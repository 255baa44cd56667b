//! What keeps a run from being judged.

use plan::PlanErrors;

/// Why a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file of the run cannot be read or understood.
    #[error(transparent)]
    Run(#[from] results::Error),
    /// Its plan cannot be used.
    #[error("{0}")]
    Plan(PlanErrors),
}

impl From<PlanErrors> for ReadError {
    fn from(errors: PlanErrors) -> Self {
        Self::Plan(errors)
    }
}
