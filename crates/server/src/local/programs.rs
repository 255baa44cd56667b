//! The programs of a PostgreSQL installation, checked before anything is started with them.

use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use catalog::OLDEST_MAJOR;

use super::account;
use crate::environment::Environment;

/// A directory whose `postgres` the server's user can run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Programs {
    /// The directory with `postgres` and `initdb`.
    pub(crate) directory: PathBuf,
    /// Major version.
    pub(crate) major: u32,
}

/// Why a directory does not serve as an installation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProgramsError {
    /// A program is not there.
    #[error("no {program} in {}", .directory.display())]
    Missing {
        /// `postgres` or `initdb`.
        program: &'static str,
        /// Where it was looked for.
        directory: PathBuf,
        /// Where it is instead, if that is known.
        instead: Option<PathBuf>,
    },
    /// `postgres --version` cannot be run by the server's user.
    #[error("cannot run {}", .path.display())]
    CannotRun {
        /// The program.
        path: PathBuf,
        /// The system's reason, or what the program said.
        why: String,
        /// The user that tried, if not this process's own.
        uid: Option<u32>,
    },
    /// A version that is not supported.
    #[error("{} is PostgreSQL {version}, older than {OLDEST_MAJOR}", .path.display())]
    TooOld {
        /// The program.
        path: PathBuf,
        /// Its version.
        version: String,
    },
}

impl ProgramsError {
    /// What the system said, beyond the primary message.
    #[must_use]
    pub fn detail(&self) -> Option<String> {
        match self {
            Self::CannotRun { why, uid: Some(uid), .. } => Some(format!("as user {uid}: {why}")),
            Self::CannotRun { why, uid: None, .. } => Some(why.clone()),
            Self::Missing { .. } | Self::TooOld { .. } => None,
        }
    }

    /// What to try.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Missing { instead: Some(instead), .. } => Some(format!("did you mean {}?", instead.display())),
            Self::Missing { instead: None, .. } => {
                Some("specify the directory with postgres and initdb, such as /usr/lib/postgresql/17/bin".to_owned())
            }
            Self::CannotRun { uid: Some(_), .. } => Some(
                "as root, pgdyno runs the server as the user who called sudo, else postgres, else nobody; that user \
                 needs access to the programs"
                    .to_owned(),
            ),
            Self::CannotRun { uid: None, .. } => None,
            Self::TooOld { .. } => Some(format!("use PostgreSQL {OLDEST_MAJOR} or newer")),
        }
    }
}

/// Checks that a directory holds a server that the chosen user can run, and finds its version.
pub(crate) fn inspect_programs(directory: &Path, environment: &Environment) -> Result<Programs, ProgramsError> {
    for program in ["postgres", "initdb"] {
        if !directory.join(program).exists() {
            let bin = directory.join("bin");
            let instead = bin.join(program).exists().then_some(bin);
            return Err(ProgramsError::Missing { program, directory: directory.to_owned(), instead });
        }
    }
    let path = directory.join("postgres");
    let path = std::path::absolute(&path).unwrap_or(path);
    let account = account::choose_account(environment);
    let cannot_run =
        |why: String| ProgramsError::CannotRun { path: path.clone(), why, uid: account.map(|account| account.uid) };
    let mut command = Command::new(&path);
    command.arg("--version").stdin(Stdio::null()).current_dir("/");
    if let Some(account) = account {
        command.uid(account.uid).gid(account.gid);
    }
    let output = command.output().map_err(|error| cannot_run(error.to_string()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let Some(version) = said.trim().strip_prefix("postgres (PostgreSQL) ").filter(|_| output.status.success()) else {
        return Err(cannot_run(format!("{}{said}", String::from_utf8_lossy(&output.stderr)).trim().to_owned()));
    };
    match major_version(version) {
        None => Err(cannot_run(format!("its reported version is {version}"))),
        Some(major) if major < OLDEST_MAJOR => Err(ProgramsError::TooOld { version: version.to_owned(), path }),
        Some(major) => {
            let directory = path.parent().unwrap_or(directory).to_owned();
            Ok(Programs { directory, major })
        }
    }
}

/// The leading number of a version such as `15.18 (Debian …)`, `19rc1` or `20devel`.
fn major_version(version: &str) -> Option<u32> {
    let digits = version.find(|c: char| !c.is_ascii_digit()).unwrap_or(version.len());
    version[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_the_leading_number() {
        let cases = [
            ("15.18 (Debian 15.18-1)", Some(15)),
            ("19rc1", Some(19)),
            ("20devel", Some(20)),
            ("9.6.24", Some(9)),
            ("x", None),
        ];
        for (version, expected) in cases {
            assert_eq!(major_version(version), expected, "{version}");
        }
    }
}
