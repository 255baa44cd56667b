//! Why an external generator gave no result.

use super::program::Tool;
use outputs::UnreadableOutputLine;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// A run of an external generator that gave no result. Never names a password.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// The tool is not installed where it is looked for.
    #[error("could not find {tool}")]
    NotFound {
        /// Which.
        tool: Tool,
        /// The directories that were searched.
        searched: Vec<PathBuf>,
    },
    /// The tool has no way to do what is asked for.
    #[error("{tool} cannot {what}")]
    Unsupported {
        /// Which.
        tool: Tool,
        /// What is asked for, as a verb.
        what: String,
    },
    /// The tool ended with anything but success: it was not started right, or its run was aborted. Figures that it may
    /// have printed all the same are not to be used.
    #[error("{tool} {ended}")]
    Failed {
        /// Which.
        tool: Tool,
        /// How it ended, such as `ended with exit status 2`.
        ended: String,
        /// What it said, at most its first lines.
        said: String,
    },
    /// The tool did not end long after its time.
    #[error("{tool} was still running {seconds} s after its scheduled end, and was killed")]
    Hung {
        /// Which.
        tool: Tool,
        /// How long it was waited for.
        seconds: u64,
    },
    /// The tool printed or logged what is not known of it: maybe a newer version.
    #[error("could not read what {tool} printed")]
    Unreadable {
        /// Which.
        tool: Tool,
        /// Where and what.
        #[source]
        source: UnreadableOutputLine,
    },
    /// The tool's log and its output do not agree.
    #[error("{tool} logged {logged} transactions, but reports {printed} processed ones")]
    Disagrees {
        /// Which.
        tool: Tool,
        /// Transactions in the log.
        logged: u64,
        /// Transactions in the output.
        printed: u64,
    },
    /// The operating system refused something that is needed to run the tool.
    #[error("could not {action}")]
    System {
        /// What was attempted, as a verb.
        action: String,
        /// What the system said.
        source: io::Error,
    },
    /// The run was stopped; the tool keeps no figures of a run that is cut short.
    #[error("stopped")]
    Stopped,
}

impl ExternalError {
    /// Makes an error of the system's answer to `action`.
    pub(super) fn system_error(action: impl Into<String>) -> impl FnOnce(io::Error) -> ExternalError {
        let action = action.into();
        move |source| ExternalError::System { action, source }
    }

    /// What the system or the tool said, if it says more than the message does.
    pub fn detail(&self) -> Option<String> {
        match self {
            ExternalError::NotFound { searched, .. } => {
                let searched: Vec<_> = searched.iter().map(|path| path.display().to_string()).collect();
                Some(format!("looked in {}", searched.join(", ")))
            }
            ExternalError::Failed { said, .. } => (!said.is_empty()).then(|| said.clone()),
            ExternalError::Unreadable { source, .. } => Some(source.to_string()),
            ExternalError::System { source, .. } => Some(source.to_string()),
            ExternalError::Unsupported { .. }
            | ExternalError::Hung { .. }
            | ExternalError::Disagrees { .. }
            | ExternalError::Stopped => None,
        }
    }

    /// What to try.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ExternalError::NotFound { tool: Tool::Pgbench, .. } => {
                Some("install it (Debian: postgresql-contrib or postgresql) or add its directory to PATH")
            }
            ExternalError::NotFound { tool: Tool::Sysbench, .. } => {
                Some("install it (Debian: sysbench) or add its directory to PATH")
            }
            ExternalError::Unsupported { .. } => Some("use the load engine of pgdyno"),
            ExternalError::Unreadable { .. } | ExternalError::Disagrees { .. } => {
                Some("use a supported version: pgbench 14 to 19, sysbench 1.0")
            }
            ExternalError::Hung { .. } => Some("check that the server still answers"),
            ExternalError::Failed { .. } | ExternalError::System { .. } | ExternalError::Stopped => None,
        }
    }
}
