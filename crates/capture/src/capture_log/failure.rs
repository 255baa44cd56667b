//! Why a log cannot be captured, each with the file and what to do.

use std::path::{Path, PathBuf};

use crate::directory::CaptureError;

/// Why a log cannot be captured.
#[derive(Debug, thiserror::Error)]
pub enum CaptureFailure {
    /// The capture directory cannot be written.
    #[error(transparent)]
    Directory(#[from] CaptureError),
    /// A file of the log cannot be read.
    #[error("could not read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: std::io::Error,
    },
    /// No message of a server is in the first lines of the file.
    #[error("{} does not begin as a log of PostgreSQL", path.display())]
    NoLog {
        /// The file.
        path: PathBuf,
    },
    /// No line has the prefix that was given.
    #[error("no line of {} has the log_line_prefix \"{prefix}\"", path.display())]
    OtherPrefix {
        /// The file.
        path: PathBuf,
        /// The prefix.
        prefix: String,
    },
    /// The prefix does not say which session wrote a line, or when.
    #[error("log_line_prefix \"{prefix}\" of {} does not say which session wrote a line and when", path.display())]
    PrefixWithoutSession {
        /// The file.
        path: PathBuf,
        /// The prefix.
        prefix: String,
    },
    /// The prefix does not have what sessions are to be chosen by.
    #[error("log_line_prefix \"{prefix}\" of {} does not have the {name} of a session", path.display())]
    PrefixWithoutName {
        /// The file.
        path: PathBuf,
        /// The prefix.
        prefix: String,
        /// `database` or `user`.
        name: &'static str,
    },
    /// The times of syslog have no time zone.
    #[error("the times of {} have neither year nor time zone", path.display())]
    SyslogWithoutZone {
        /// The file.
        path: PathBuf,
    },
    /// The times of the log cannot be understood.
    #[error("{}:{line}: the abbreviation {zone} of a time zone is not known, or has several meanings", path.display())]
    UnknownZone {
        /// The file.
        path: PathBuf,
        /// The line; 0 where it is one of the first.
        line: u64,
        /// The abbreviation.
        zone: String,
    },
}

impl CaptureFailure {
    pub(super) fn read_error(path: &Path, source: std::io::Error) -> Self {
        Self::Read { path: path.to_owned(), source }
    }

    /// What to try.
    #[must_use]
    pub fn failure_hint(&self) -> Option<&'static str> {
        match self {
            Self::Directory(CaptureError::NotEmpty { .. }) => Some("name a directory that does not exist yet"),
            Self::Directory(_) | Self::Read { .. } => None,
            Self::NoLog { .. } => {
                Some("give the server's log_line_prefix with --log-line-prefix; SHOW log_line_prefix prints it")
            }
            Self::OtherPrefix { .. } => {
                Some("SHOW log_line_prefix prints the setting; leave it out to try the usual ones")
            }
            Self::PrefixWithoutSession { .. } => Some(
                "set log_line_prefix = '%m [%p] %c %l %v %e %q%u@%d %a ', reload, and log anew; or use csvlog or jsonlog",
            ),
            Self::PrefixWithoutName { .. } => Some("leave the filter out, or log with %u and %d in log_line_prefix"),
            Self::SyslogWithoutZone { .. } | Self::UnknownZone { .. } => {
                Some("name the time zone with --timezone, such as --timezone Asia/Kolkata; SHOW log_timezone prints it")
            }
        }
    }
}
