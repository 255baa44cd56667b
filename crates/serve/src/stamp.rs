//! What a run directory looked like: the same stamp, the same report.

use std::fs::{self, Metadata};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::writer;

/// Names, sizes and times of all files that a report is made of, and whether somebody is writing; the same in the next
/// server. Nothing is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// The stamp of a run directory as it is now.
    ///
    /// # Errors
    /// The system's, when there is no such run (any more).
    pub(crate) fn of_run(run: &Path) -> io::Result<Self> {
        let mut hasher = DefaultHasher::new();
        add(&mut hasher, &fs::metadata(run.join("run.json"))?);
        writer::is_writing(run).hash(&mut hasher);
        for name in ["tuning.json", "failed.json", "trials.jsonl", "stages.jsonl"] {
            if let Ok(metadata) = fs::metadata(run.join(name)) {
                add(&mut hasher, &metadata);
            }
        }
        for (below, depth) in [("targets", 1), ("workloads", 1), ("disk", 2), ("trials", 2)] {
            add_entries(&mut hasher, &run.join(below), depth)?;
        }
        Ok(Self(hasher.finish()))
    }
}

/// It as text, for a header and an event.
impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Of a trial or a stage that is being written only what is finished counts: its directory gets its name at the end.
fn add_entries(hasher: &mut DefaultHasher, directory: &Path, depth: u32) -> io::Result<()> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries.collect::<io::Result<Vec<_>>>()?,
        // Not every run has each of them.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let mut paths: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    paths.retain(|path| path.extension().is_none_or(|extension| extension == "json"));
    paths.sort_unstable();
    for path in paths {
        path.file_name().hash(hasher);
        let Ok(metadata) = fs::metadata(&path) else { continue };
        add(hasher, &metadata);
        if depth > 1 {
            add_entries(hasher, &path, depth - 1)?;
        }
    }
    Ok(())
}

fn add(hasher: &mut DefaultHasher, metadata: &Metadata) {
    (metadata.ino(), metadata.len(), metadata.mtime(), metadata.mtime_nsec()).hash(hasher);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stamp_changes_with_what_a_report_is_made_of_and_with_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let run = directory.path();
        let stamp = || Stamp::of_run(run).unwrap();
        assert!(Stamp::of_run(run).is_err(), "no run");
        fs::write(run.join("run.json"), "{}").unwrap();
        fs::create_dir_all(run.join("trials/1.partial")).unwrap();
        let before = stamp();
        fs::write(run.join("trials/1.partial/intervals.jsonl"), "{}\n").unwrap();
        fs::write(run.join("report.html"), "").unwrap();
        assert_eq!(stamp(), before, "a trial that is under way is in no report");
        fs::rename(run.join("trials/1.partial"), run.join("trials/1")).unwrap();
        fs::write(run.join("tuning.json"), "{}").unwrap();
        let with_trial = stamp();
        assert_ne!(with_trial, before);
        fs::write(run.join("trials/1/trial.json"), "{").unwrap();
        let torn = stamp();
        assert_ne!(torn, with_trial);
        fs::create_dir_all(run.join("disk/pg17/wal")).unwrap();
        assert_ne!(stamp(), torn);
        fs::remove_dir_all(run).unwrap();
        assert!(Stamp::of_run(run).is_err(), "it is gone");
    }
}
