//! What is served: one run, or a directory of runs, each under the name of its directory.

use std::fs;
use std::path::{Component, Path, PathBuf};

use results::latest::is_latest_link;
use results::store::RunDir;

use crate::error::ServeError;
use crate::writer;

/// The runs of one server.
#[derive(Debug, Clone)]
pub struct ServedRuns {
    /// Directory of the runs.
    parent: PathBuf,
    /// The only one of them that is served; absent where all are, also those that are yet to be made.
    only: Option<String>,
}

impl ServedRuns {
    /// Of a run directory, or of a directory of runs.
    ///
    /// # Errors
    /// [`ServeError::NoDirectory`].
    pub fn new(path: &Path) -> Result<Self, ServeError> {
        let path = path.canonicalize().map_err(|_| ServeError::NoDirectory(path.to_owned()))?;
        if !path.is_dir() {
            return Err(ServeError::NoDirectory(path));
        }
        let (parent, name) = (path.parent(), path.file_name().and_then(|name| name.to_str()));
        match (parent, name, RunDir::open(&path)) {
            (Some(parent), Some(name), Ok(_)) => Ok(Self { parent: parent.to_owned(), only: Some(name.to_owned()) }),
            _ => Ok(Self { parent: path, only: None }),
        }
    }

    /// Where to begin, below the token.
    pub(crate) fn first_page(&self) -> String {
        self.only.as_ref().map_or(String::new(), |name| format!("runs/{}/", in_url(name)))
    }

    /// The directory of the runs, where all of them are served.
    pub(crate) fn parent_of_runs(&self) -> Option<&Path> {
        self.only.is_none().then_some(&self.parent)
    }

    /// Whether any run that is served is being measured.
    pub(crate) fn is_being_measured(&self) -> bool {
        !self.being_measured().is_empty()
    }

    /// The runs that are served and being measured.
    pub(crate) fn being_measured(&self) -> Vec<PathBuf> {
        let mut runs: Vec<PathBuf> = match &self.only {
            Some(only) => vec![self.parent.join(only)],
            None => fs::read_dir(&self.parent).into_iter().flatten().flatten().map(|entry| entry.path()).collect(),
        };
        runs.retain(|run| !is_latest_link(run) && writer::is_writing(run));
        runs.sort();
        runs
    }

    /// The directory of a run that is served, whether or not it is still there; none for any other name.
    pub(crate) fn directory_of_run(&self, name: &str) -> Option<PathBuf> {
        let is_served = match &self.only {
            Some(only) => only == name,
            None => {
                matches!(Path::new(name).components().collect::<Vec<_>>()[..], [Component::Normal(part)] if part == name)
            }
        };
        is_served.then(|| self.parent.join(name))
    }
}

/// A name as a part of an address: whatever is not plain is written as its bytes.
fn in_url(name: &str) -> String {
    let mut escaped = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_directory_is_served() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["2026-one", "2027-two", "no-run"] {
            fs::create_dir(directory.path().join(name)).unwrap();
        }
        for name in ["2026-one", "2027-two"] {
            fs::write(directory.path().join(name).join("run.json"), "{}").unwrap();
        }
        let all = ServedRuns::new(directory.path()).unwrap();
        assert!(all.directory_of_run("2026-one").is_some() && all.first_page().is_empty());
        for outside in ["", ".", "..", "../etc", "/etc", "a/b", "2026-one/"] {
            assert_eq!(all.directory_of_run(outside), None, "{outside}");
        }
        let one = ServedRuns::new(&directory.path().join("2026-one")).unwrap();
        assert_eq!(one.directory_of_run("2027-two"), None);
        assert_eq!(one.first_page(), "runs/2026-one/");
        assert_eq!(in_url("größe 1/2"), "gr%C3%B6%C3%9Fe%201%2F2");
        assert!(matches!(ServedRuns::new(&directory.path().join("not-there")), Err(ServeError::NoDirectory(_))));
    }
}
