//! Why a local server could not be started or kept, as it travels from the supervisor to pgdyno.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What went wrong with a local server.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum Failure {
    /// The data directory holds something that pgdyno did not put there.
    #[error("data directory {} is not empty", .path.display())]
    NotEmpty {
        /// The directory.
        path: PathBuf,
    },
    /// Another pgdyno works on the data directory.
    #[error("data directory {} is in use by another pgdyno", .path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
    /// A kept data directory was created for something else.
    #[error("data directory {} was kept from a different server", .path.display())]
    Kept {
        /// The directory.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// `initdb` failed.
    #[error("initdb failed")]
    Initdb {
        /// The end of what it wrote.
        output: String,
    },
    /// The server ended before it accepted connections.
    #[error("the server did not start")]
    DidNotStart {
        /// The end of its log.
        log: String,
    },
    /// The server did not accept connections in time.
    #[error("the server did not accept connections within {seconds} s")]
    StartTimeout {
        /// How long was waited.
        seconds: u64,
        /// The end of its log.
        log: String,
    },
    /// The server is not running any more.
    #[error("the server ended")]
    Ended {
        /// Its exit status.
        status: String,
        /// The end of its log.
        log: String,
    },
    /// A system call failed.
    #[error("could not {what}")]
    System {
        /// What was tried, on what.
        what: String,
        /// The system's reason.
        why: String,
    },
    /// A layer needs a program that is not installed.
    #[error("{layer} needs the program {program}, which is not installed")]
    NoProgram {
        /// Its name.
        program: String,
        /// The package that brings it on Debian and Ubuntu.
        package: String,
        /// What it was to build.
        layer: String,
    },
    /// The kernel does not slow a network down.
    #[error("could not limit the network: {kind} is not possible")]
    NoNetworkLimit {
        /// The queueing discipline.
        kind: String,
        /// The system's reason.
        why: String,
    },
    /// The kernel refuses a network namespace.
    #[error("could not create a network namespace")]
    NoNamespace {
        /// The system's reason.
        why: String,
    },
    /// The kernel refuses a control group.
    #[error("could not create a control group for the CPU limit of the server")]
    NoCpuGroup {
        /// The system's reason.
        why: String,
    },
    /// The supervisor of the server ended without a word.
    #[error("the supervisor of the server ended unexpectedly")]
    SupervisorLost,
}

impl Failure {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::Kept { difference, .. } => Some(difference.clone()),
            Self::Initdb { output } => Some(output.clone()),
            Self::DidNotStart { log } | Self::StartTimeout { log, .. } => Some(log.clone()),
            Self::Ended { status, log } => Some(format!("{status}; the end of its log:\n{log}")),
            Self::System { why, .. }
            | Self::NoNetworkLimit { why, .. }
            | Self::NoNamespace { why }
            | Self::NoCpuGroup { why } => Some(why.clone()),
            Self::NotEmpty { .. } | Self::InUse { .. } | Self::NoProgram { .. } | Self::SupervisorLost => None,
        }
        .filter(|detail| !detail.is_empty())
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotEmpty { .. } => {
                "specify a directory that is empty or does not exist, below a mount point rather than the mount point \
                 itself; pgdyno changed nothing in this one"
            }
            Self::InUse { .. } => "wait until the other pgdyno has ended, or specify another data_directory",
            Self::Kept { .. } => "specify another data_directory, or remove this one",
            Self::System { why: said, .. } | Self::Initdb { output: said } | Self::DidNotStart { log: said }
                if said.contains("ermission denied") =>
            {
                "the user that runs the server needs access to its programs and directories; under root this is the \
                 user who called sudo, else postgres, else nobody"
            }
            Self::System { why: said, .. } | Self::Initdb { output: said } | Self::DidNotStart { log: said }
                if said.contains("No space left") =>
            {
                "free space on the disk of its data, or specify a data_directory (or TMPDIR) on another disk"
            }
            Self::Initdb { .. } | Self::DidNotStart { .. } => "check `settings` and `initdb` of this target",
            Self::StartTimeout { .. } => {
                "recovery of a kept data directory that was not shut down cleanly may take longer"
            }
            Self::NoProgram { package, .. } => return Some(format!("apt-get install {package}")),
            Self::NoNetworkLimit { kind, .. } => {
                return Some(format!("load the module (`modprobe sch_{kind}`), or remove the limit"));
            }
            Self::NoNamespace { .. } | Self::NoCpuGroup { .. } => {
                "run pgdyno as root, outside a container that forbids it"
            }
            Self::Ended { .. } | Self::System { .. } | Self::SupervisorLost => return None,
        };
        Some(hint.to_owned())
    }

    /// A failed system call, for `map_err`.
    pub(crate) fn system_call_failed<E: ToString>(what: impl Into<String>) -> impl FnOnce(E) -> Self {
        let what = what.into();
        move |error| Self::System { what, why: error.to_string() }
    }
}
