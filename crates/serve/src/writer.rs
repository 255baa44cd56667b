//! Whether a pgdyno is writing into a run: it holds a lock on `run.json` for as long as it lives.
//!
//! The kernel's list of locks is read; to try for the lock would for a moment keep a `resume` from having it. Locks of
//! other machines and of processes that a container hides are not in that list: such a run is shown as one at rest.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Whether somebody holds the lock of a run directory.
#[must_use]
pub fn is_writing(run: &Path) -> bool {
    let Ok(file) = fs::metadata(run.join("run.json")) else { return false };
    fs::read_to_string("/proc/locks").is_ok_and(|locks| is_locked(&locks, file.ino()))
}

/// Whether `/proc/locks` has a lock on a file. By its inode alone: some file systems call their device otherwise there.
fn is_locked(locks: &str, inode: u64) -> bool {
    locks.lines().any(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_number, "FLOCK", _advisory, "WRITE", _process, file, ..] = words[..] else { return false };
        file.rsplit(':').next().and_then(|number| number.parse::<u64>().ok()) == Some(inode)
    })
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_lock_is_found_by_its_file() {
        let locks = "1: POSIX  ADVISORY  WRITE 71 fd:01:42 0 EOF\n2: FLOCK  ADVISORY  READ 72 fd:01:42 0 EOF\n\
                     3: FLOCK  ADVISORY  WRITE 73 fd:01:43 0 EOF\n3: -> FLOCK  ADVISORY  WRITE 74 fd:01:44 0 EOF\n";
        assert!(is_locked(locks, 43));
        for other in [4, 42, 44, 3] {
            assert!(!is_locked(locks, other), "{other}");
        }
    }

    #[test]
    fn whoever_has_locked_the_run_is_writing_until_it_is_gone() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!is_writing(directory.path()), "no run");
        let file = File::create(directory.path().join("run.json")).unwrap();
        assert!(!is_writing(directory.path()));
        file.lock().unwrap();
        assert!(is_writing(directory.path()));
        drop(file);
        assert!(!is_writing(directory.path()));
    }
}
