//! Why a machine could not be changed, or not be restored.

use std::path::{Path, PathBuf};

/// Something went wrong with a change of the machine.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// There is no place for the journal.
    #[error("no directory for the journal of changes: neither XDG_STATE_HOME nor HOME is set")]
    NoDirectory,
    /// A system call failed.
    #[error("could not {what} {path}")]
    System {
        /// What was done.
        what: &'static str,
        /// To what.
        path: PathBuf,
        /// What the system said.
        said: String,
    },
    /// The kernel took a value and shows another.
    #[error("could not set {name} = {set}")]
    NotTaken {
        /// The value's name.
        name: String,
        /// What was written.
        set: String,
        /// What the kernel shows.
        shows: String,
    },
    /// A program failed.
    #[error("could not run {command}")]
    Program {
        /// The program with its arguments.
        command: String,
        /// What it said.
        said: String,
    },
    /// Something in Kubernetes could not be undone.
    #[error("could not undo: {change}")]
    InKubernetes {
        /// The change, in words.
        change: String,
        /// The reason.
        said: String,
    },
    /// A server was not to be started again.
    #[error("the server in {} did not start again", data_directory.display())]
    NotBack {
        /// Its data.
        data_directory: PathBuf,
        /// What the program that started it said, and its log.
        said: String,
    },
    /// What was changed on another host could not be undone.
    #[error("could not undo the changes by an agent on {place}")]
    Elsewhere {
        /// The host.
        place: String,
        /// The reason.
        said: String,
    },
    /// Something later that may rest on it could not be undone.
    #[error("could not undo: {change}")]
    Bears {
        /// The change, in words.
        change: String,
    },
    /// A journal cannot be read.
    #[error("could not read line {line} of the journal {path}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        said: String,
    },
}

impl JournalError {
    /// What the system said.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::NoDirectory => None,
            Self::Bears { .. } => Some("a later change that depends on it could not be undone".to_owned()),
            Self::System { said, .. }
            | Self::Program { said, .. }
            | Self::InKubernetes { said, .. }
            | Self::NotBack { said, .. }
            | Self::Elsewhere { said, .. }
            | Self::Unreadable { said, .. } => Some(said.clone()),
            Self::NotTaken { shows, .. } => Some(format!("the kernel reports {shows} after the write")),
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NoDirectory => "set XDG_STATE_HOME to a writable directory",
            Self::System { said, .. } | Self::Program { said, .. }
                if ["ermission denied", "not permitted", "ead-only"].iter().any(|refusal| said.contains(refusal)) =>
            {
                "this change requires root, and the necessary privileges in a container"
            }
            Self::System { what: "read", path, .. } if path.starts_with("/proc/sys") => {
                "check the name: `sysctl -a` lists the parameters of this kernel"
            }
            Self::Program { said, .. } if said.contains("No such file or directory") => {
                "install its package: pgdyno runs programs of util-linux, e2fsprogs, xfsprogs, btrfs-progs and iproute2"
            }
            Self::Unreadable { .. } => "undo the changes that it lists by hand, then remove the file",
            Self::NotTaken { .. } => "check the value, its unit and its limits",
            Self::NotBack { .. } => "its settings are restored: start it as usual; `pgdyno restore` tries again",
            Self::Elsewhere { .. } => "run `pgdyno restore` again here, or on that host as the user of the agent",
            Self::InKubernetes { .. } => "check whether `kubectl version` reaches the cluster from here",
            Self::System { .. } | Self::Program { .. } | Self::Bears { .. } => return None,
        };
        Some(hint.to_owned())
    }

    /// A failed system call, for `map_err`.
    pub(crate) fn system_call_failed<E: ToString>(what: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |error| Self::System { what, path, said: error.to_string() }
    }
}
