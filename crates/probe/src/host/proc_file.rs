//! Reads one file below the root and parses it; says in a person's words what was wrong with it.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use procfs_core::ProcError;

/// Why a file of `/proc` or `/sys` gave nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum UnreadableFile {
    /// The file is missing, or may not be read.
    #[error("could not read {path:?}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// The file says something that this program does not understand.
    #[error("could not understand {path:?}: {malformed}")]
    Malformed { path: PathBuf, malformed: Malformed },
    /// What another probe was to have read is missing.
    #[error("the server's processes could not be read (host.server)")]
    ServerProcesses,
    /// It is not known which file, or which line of it, to read.
    #[error("{0}")]
    Unresolved(super::block_device::Unresolved),
}

/// What is wrong with a text.
#[derive(Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Malformed(pub(crate) String);

/// procfs speaks to its developers ("Internal Unwrap Error: NoneError"); the reader of a report needs to know what was
/// found in the file.
impl From<ProcError> for Malformed {
    fn from(error: ProcError) -> Self {
        let ProcError::InternalError(internal) = error else { return Self(error.to_string()) };
        match internal.msg.trim_start_matches("Internal Unwrap Error: ") {
            "NoneError" => Self("a line or a column is missing".to_owned()),
            found => Self(found.to_owned()),
        }
    }
}

/// The text of `path` below `root`, through `parse`.
pub(crate) fn read_proc_file<S>(
    root: &Path,
    path: &str,
    parse: impl FnOnce(&str) -> Result<S, Malformed>,
) -> Result<S, UnreadableFile> {
    let path = root.join(path);
    match std::fs::read_to_string(&path) {
        Ok(text) => parse(&text).map_err(|malformed| UnreadableFile::Malformed { path, malformed }),
        Err(source) => Err(UnreadableFile::Io { path, source }),
    }
}

/// Lines of a name and a number, such as those of `/proc/vmstat`.
pub(crate) fn named_numbers(text: &str) -> Result<BTreeMap<String, u64>, Malformed> {
    text.lines()
        .map(|line: &str| -> Result<(String, u64), Malformed> {
            let (name, number) =
                line.split_once(' ').ok_or_else(|| Malformed(format!("the line {line:?} has no number")))?;
            let number = number.trim().parse().map_err(|_| Malformed(format!("{name} is {number:?}, not a number")))?;
            Ok((name.to_owned(), number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_number_is_an_error_that_shows_what_was_found() {
        assert_eq!(named_numbers("pgmajfault many\n").unwrap_err().to_string(), "pgmajfault is \"many\", not a number");
        assert_eq!(named_numbers("pgmajfault\n").unwrap_err().to_string(), "the line \"pgmajfault\" has no number");
    }
}
