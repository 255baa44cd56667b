//! What can go wrong with a capture directory, each with the file it concerns.

use std::path::{Path, PathBuf};

/// The result of reading or writing a capture directory.
pub type CaptureResult<T> = std::result::Result<T, CaptureError>;

/// A failure that concerns one file of a capture directory.
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
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
    /// The file is not what its name promises.
    #[error("{} is not readable as {expected}: {detail}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What it should have been.
        expected: &'static str,
        /// What is wrong, with the line where one is known.
        detail: String,
    },
    /// The file was written by a pgdyno that knows another version of the format.
    #[error("{} has version {found} of the format; this pgdyno reads version {known}", path.display())]
    UnknownVersion {
        /// The file.
        path: PathBuf,
        /// The version that it has.
        found: u32,
        /// The version that this pgdyno reads.
        known: u32,
    },
    /// There is no capture at this path.
    #[error("{} is not a capture directory: it has no capture.json", path.display())]
    NotACapture {
        /// The path that was given.
        path: PathBuf,
    },
    /// The directory that a capture was to be written into has files.
    #[error("{} is not empty", path.display())]
    NotEmpty {
        /// The path that was given.
        path: PathBuf,
    },
}

impl CaptureError {
    /// A failure of the operating system on a path.
    pub(crate) fn io_error(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    /// A file whose content is not what its name promises.
    pub(crate) fn malformed_file(path: &Path, expected: &'static str, detail: String) -> Self {
        Self::Malformed { path: path.to_owned(), expected, detail }
    }
}
