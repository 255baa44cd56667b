//! What can go wrong with a run directory, each with the file it concerns.

use std::path::{Path, PathBuf};

/// The result of reading or writing a run directory.
pub type Result<T> = std::result::Result<T, Error>;

/// A failure that concerns one file of a run directory.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused; `action` says what was attempted ("write", "rename", ...).
    #[error("could not {action} {}: {source}", path.display())]
    Io {
        /// What was attempted, as a verb.
        action: &'static str,
        /// The file or directory.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The file is there but is not what its name promises.
    #[error("{} is not readable as {expected}: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What it should have been.
        expected: &'static str,
        /// What is wrong, with the line where one is known.
        detail: String,
    },
    /// The file was written by a newer pgdyno.
    #[error("{} has format {found}; this pgdyno reads formats up to {newest}", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// The format number it carries.
        found: u32,
        /// The newest format that this build reads.
        newest: u32,
    },
    /// No run directory at this path.
    #[error("{} is not a run directory: it has no run.json", path.display())]
    NotARun {
        /// The path that was given.
        path: PathBuf,
    },
}

impl Error {
    /// A closure for `map_err` that names what was attempted on which path.
    pub(crate) fn io_error_at(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Whether the name is taken already.
    #[must_use]
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Io { source, .. } if source.kind() == std::io::ErrorKind::AlreadyExists)
    }

    /// Whether the file system had no space (or quota) left.
    #[must_use]
    pub fn is_no_space(&self) -> bool {
        use std::io::ErrorKind::{QuotaExceeded, StorageFull};
        matches!(self, Self::Io { source, .. } if matches!(source.kind(), StorageFull | QuotaExceeded))
    }
}
