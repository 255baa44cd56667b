//! The newest run of a directory of runs, and the link `latest` that leads to it.
//!
//! The link is made only in a directory that holds nothing but runs, and replaced by one rename: who reads it finds the
//! run of before or the one of now. Another file or link of that name is left alone.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};
use crate::store::RunDir;

/// The link's name.
pub const LATEST: &str = "latest";

/// The file of figures of many runs, which may lie beside them.
const HISTORY: &str = "history.jsonl";

/// Whether a path is the link `latest` of a directory of runs, which is no run of its own.
#[must_use]
pub fn is_latest_link(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == LATEST) && fs::symlink_metadata(path).is_ok_and(|of| of.is_symlink())
}

/// Points the link of a directory at one of its runs. Whether it did: not in a directory that holds anything else.
///
/// # Errors
/// [`Error::Io`], when the directory cannot be read or written, or has a file system without links.
pub fn point_latest_at_run(parent: &Path, run_id: &str) -> Result<bool> {
    if !may_have_link(parent)? {
        return Ok(false);
    }
    let (link, temporary) = (parent.join(LATEST), parent.join(format!(".{LATEST}-{run_id}")));
    symlink(run_id, &temporary).map_err(Error::io_error_at("create", &temporary))?;
    let replaced = fs::rename(&temporary, &link);
    if replaced.is_err() {
        // The first error is the one that tells.
        let _ = fs::remove_file(&temporary);
    }
    replaced.map_err(Error::io_error_at("replace", &link))?;
    Ok(true)
}

/// Points a link whose run has been removed at the newest run that is left; removes it where none is.
///
/// # Errors
/// As of [`point_latest_at_run`].
pub fn leave_removed_run(parent: &Path) -> Result<()> {
    let link = parent.join(LATEST);
    if !is_own_link(&link) || link.exists() {
        return Ok(());
    }
    match newest_run(parent)?.as_deref().and_then(Path::file_name).and_then(|name| name.to_str()) {
        Some(name) => point_latest_at_run(parent, name).map(drop),
        None => fs::remove_file(&link).map_err(Error::io_error_at("remove", &link)),
    }
}

/// The run of a directory that was begun last: where its link leads to, else the newest by its `run.json`. Absent where
/// there is none.
///
/// # Errors
/// [`Error::Io`], when the directory is there and cannot be read.
pub fn find_latest_run(parent: &Path) -> Result<Option<PathBuf>> {
    let link = parent.join(LATEST);
    if let Ok(target) = fs::read_link(&link)
        && is_own_link(&link)
        && RunDir::open(&parent.join(&target)).is_ok()
    {
        return Ok(Some(parent.join(target)));
    }
    newest_run(parent)
}

/// Whether the directory has our link already, or nothing in it but runs and their history.
fn may_have_link(parent: &Path) -> Result<bool> {
    let link = parent.join(LATEST);
    if fs::symlink_metadata(&link).is_ok() {
        return Ok(is_own_link(&link));
    }
    for path in entries_of(parent)? {
        let is_history = path.file_name().is_some_and(|name| name == HISTORY);
        if !is_history && RunDir::open(&path).is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a link leads to a name in its own directory, as ours do.
fn is_own_link(link: &Path) -> bool {
    fs::read_link(link).is_ok_and(|target| target.parent() == Some(Path::new("")) && target.file_name().is_some())
}

/// The run with the latest start; of several, the last by name.
fn newest_run(parent: &Path) -> Result<Option<PathBuf>> {
    if !parent.is_dir() {
        return Ok(None);
    }
    let mut newest = None;
    for path in entries_of(parent)? {
        if is_latest_link(&path) {
            continue;
        }
        let Ok(run) = RunDir::open(&path).and_then(|dir| dir.read_run()) else { continue };
        newest = newest.max(Some((run.started_at, path)));
    }
    Ok(newest.map(|(_, path)| path))
}

fn entries_of(parent: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(parent).map_err(Error::io_error_at("read", parent))?;
    let mut paths = Vec::new();
    for entry in entries {
        paths.push(entry.map_err(Error::io_error_at("read", parent))?.path());
    }
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{FORMAT, Run, Schedule};

    fn begin_run(parent: &Path, id: &str, started_at: &str) {
        let run = Run {
            format: FORMAT,
            id: id.to_owned(),
            name: id.to_owned(),
            pgdyno_version: "0.1.0".to_owned(),
            started_at: started_at.parse().unwrap(),
            generator: None,
            schedule: Schedule { seed: 1, trials: Vec::new() },
            imported: None,
        };
        RunDir::create_without_plan(parent, &run).unwrap();
    }

    #[test]
    fn the_link_follows_the_runs_that_begin_and_those_that_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let runs = directory.path().join("runs");
        assert_eq!(find_latest_run(&runs).unwrap(), None, "no directory");
        begin_run(&runs, "b-first", "2026-11-20T09:00:00Z");
        assert_eq!(find_latest_run(&runs).unwrap(), Some(runs.join("b-first")), "without a link");
        assert!(point_latest_at_run(&runs, "b-first").unwrap());
        fs::write(runs.join("history.jsonl"), "").unwrap();
        begin_run(&runs, "a-second", "2026-11-20T10:00:00Z");
        assert!(point_latest_at_run(&runs, "a-second").unwrap());
        assert_eq!(find_latest_run(&runs).unwrap(), Some(runs.join("a-second")));
        assert_eq!(fs::read_link(runs.join(LATEST)).unwrap(), Path::new("a-second"));
        assert!(is_latest_link(&runs.join(LATEST)) && !is_latest_link(&runs.join("a-second")));

        fs::remove_dir_all(runs.join("a-second")).unwrap();
        leave_removed_run(&runs).unwrap();
        assert_eq!(fs::read_link(runs.join(LATEST)).unwrap(), Path::new("b-first"));
        fs::remove_dir_all(runs.join("b-first")).unwrap();
        leave_removed_run(&runs).unwrap();
        assert!(fs::symlink_metadata(runs.join(LATEST)).is_err());
        assert_eq!(find_latest_run(&runs).unwrap(), None);
    }

    #[test]
    fn a_directory_of_somebody_else_has_no_link() {
        let directory = tempfile::tempdir().unwrap();
        let (mixed, own) = (directory.path().join("mixed"), directory.path().join("own"));
        fs::create_dir_all(mixed.join("photos")).unwrap();
        begin_run(&mixed, "a-run", "2026-11-20T09:00:00Z");
        assert!(!point_latest_at_run(&mixed, "a-run").unwrap());
        assert_eq!(fs::read_dir(&mixed).unwrap().count(), 2);
        begin_run(&own, "a-run", "2026-11-20T09:00:00Z");
        symlink("/etc", own.join(LATEST)).unwrap();
        assert!(!point_latest_at_run(&own, "a-run").unwrap());
        assert_eq!(fs::read_link(own.join(LATEST)).unwrap(), Path::new("/etc"));
        assert_eq!(find_latest_run(&own).unwrap(), Some(own.join("a-run")));
    }
}
