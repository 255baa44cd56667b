//! Why a server cannot be held to a limit.

use std::io;
use std::path::{Path, PathBuf};

use crate::journal::JournalError;

/// What this machine cannot do, or did not.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// It has not what the limit needs.
    #[error("limits.{key}: {why}")]
    Impossible {
        /// The key of the plan.
        key: &'static str,
        /// What is missing.
        why: String,
        /// What to do about it.
        hint: String,
    },
    /// The kernel shows another value than the one that was written.
    #[error("limits.{key}: the kernel shows {shows:?} in {}, not {set:?}", file.display())]
    NotTaken {
        /// The key of the plan.
        key: &'static str,
        /// The file.
        file: PathBuf,
        /// What was written.
        set: String,
        /// What it shows.
        shows: String,
    },
    /// A step failed.
    #[error("{0}")]
    Failed(String),
    /// A step that stands in the journal failed.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl LimitError {
    /// A file that could not be read or written, for `map_err`.
    pub(super) fn failed_at(file: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self::Failed(format!("{}: {error}", file.display()))
    }

    /// What to do about it.
    #[must_use]
    pub fn error_hint(&self) -> Option<String> {
        match self {
            Self::Impossible { hint, .. } => Some(hint.clone()),
            Self::Journal(error) => error.hint(),
            Self::NotTaken { .. } => Some("choose a value that the kernel takes as it is".to_owned()),
            Self::Failed(_) => None,
        }
    }
}
