//! What a server that pgdyno started has on the machine, and how it is cleared away when nobody else did: processes,
//! shared memory, directories.
//!
//! Promises: clearing twice is clearing once; nothing goes that is not proved to be this server's. A process counts as
//! its own if it works in the data directory, shared memory if it says that it belongs to that.

mod processes;
mod shared_memory;
mod sysv;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::FlockOperation;
use serde::{Deserialize, Serialize};

/// The file in a data directory by which pgdyno knows its own.
pub(crate) const MARKER: &str = "pgdyno.json";

/// What is there of a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remains {
    /// Where its data lies.
    pub data_directory: PathBuf,
    /// The directory of its WAL, where that is another one; pgdyno made it, and it goes with the data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wal_directory: Option<PathBuf>,
    /// What is to become of both.
    pub fate: Fate,
    /// The directory of its socket and log, which always goes.
    pub run_directory: PathBuf,
}

/// What becomes of a data directory when its server has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// It stays as it is.
    Kept,
    /// pgdyno chose its name and made it: it goes.
    Temporary,
    /// The plan named it and pgdyno made it: it goes, if its marker says that it is pgdyno's.
    Made,
    /// The plan named it and it was there: its content goes, if its marker says that it is pgdyno's.
    Emptied,
}

/// What clearing away came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cleared {
    /// Something was there and is gone.
    Removed,
    /// Nothing was there.
    Nothing,
    /// Something is there that pgdyno must not touch, and why.
    LeftAlone(String),
}

impl Remains {
    /// Ends what still works on the data and removes what must not stay.
    ///
    /// # Errors
    /// Something of it cannot be removed, now.
    pub(crate) fn clear_remains(&self) -> io::Result<Cleared> {
        let data = match self.fate {
            Fate::Kept => self.end_all()?,
            Fate::Temporary => self.end_all().and_then(|ended| self.remove_files(true).map(|gone| ended | gone))?,
            Fate::Made | Fate::Emptied if !self.data_directory.exists() => self.remove_wal()?,
            Fate::Made | Fate::Emptied => {
                let Some(_lock) = lock_directory(&self.data_directory)? else {
                    return self.without_data("another pgdyno uses it");
                };
                if !self.is_marked() && fs::read_dir(&self.data_directory)?.next().is_some() {
                    return self.without_data("it contains files that may not belong to pgdyno");
                }
                let ended = self.end_all()?;
                self.remove_files(self.fate == Fate::Made)? | ended
            }
        };
        let run = self.remove_run_directory()?;
        Ok(if data | run { Cleared::Removed } else { Cleared::Nothing })
    }

    fn without_data(&self, why: &str) -> io::Result<Cleared> {
        self.remove_run_directory()?;
        Ok(Cleared::LeftAlone(why.to_owned()))
    }

    /// Ends processes and removes shared memory; whether there was any.
    fn end_all(&self) -> io::Result<bool> {
        let ended = processes::end_in(&self.data_directory)?;
        Ok(release_shared_memory(&self.data_directory)? | ended)
    }

    fn remove_files(&self, made: bool) -> io::Result<bool> {
        let mut entries = match fs::read_dir(&self.data_directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return self.remove_wal(),
            entries => entries?,
        };
        let there = made || entries.next().is_some();
        remove_data(&self.data_directory, made)?;
        Ok(self.remove_wal()? | there)
    }

    fn remove_wal(&self) -> io::Result<bool> {
        let Some(wal) = &self.wal_directory else { return Ok(false) };
        let there = wal.exists();
        remove_tree(wal).map(|()| there)
    }

    fn remove_run_directory(&self) -> io::Result<bool> {
        let there = self.run_directory.exists();
        remove_tree(&self.run_directory).map(|()| there)
    }

    fn is_marked(&self) -> bool {
        self.data_directory.join(MARKER).exists()
    }
}

/// Removes what a server that did not end in order has left in shared memory; whether there was any. Its processes must
/// have ended.
///
/// # Errors
/// It is still attached, or may not be removed.
pub(crate) fn release_shared_memory(data_directory: &Path) -> io::Result<bool> {
    shared_memory::release_shared_memory(data_directory)
}

/// Locks a directory as its server's supervisor does; none if somebody else has it.
fn lock_directory(path: &Path) -> io::Result<Option<File>> {
    let directory = File::open(path)?;
    match rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(directory)),
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Removes the content of a data directory, and the directory if pgdyno made it.
pub(crate) fn remove_data(path: &Path, made: bool) -> io::Result<()> {
    if made {
        return remove_tree(path);
    }
    // The marker last: whoever goes on after a crash must know it as pgdyno's.
    let (marker, rest): (Vec<_>, Vec<_>) =
        fs::read_dir(path)?.collect::<io::Result<Vec<_>>>()?.into_iter().partition(|entry| entry.file_name() == MARKER);
    for entry in rest.into_iter().chain(marker) {
        let entry = entry.path();
        // A symbolic link is removed, not what it points to.
        let tree = fs::symlink_metadata(&entry).is_ok_and(|metadata| metadata.is_dir());
        if tree { remove_tree(&entry) } else { fs::remove_file(&entry) }?;
    }
    Ok(())
}

/// Removes a directory; a process of the dying server may add a last file meanwhile, so it tries again.
pub(crate) fn remove_tree(path: &Path) -> io::Result<()> {
    for _ in 0..20 {
        match fs::remove_dir_all(path) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            result => return result,
        }
    }
    fs::remove_dir_all(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn remains(parent: &Path, fate: Fate) -> Remains {
        let [data_directory, run_directory] = ["data", "run"].map(|name| parent.join(name));
        let remains = Remains { data_directory, wal_directory: None, fate, run_directory };
        fs::create_dir(&remains.data_directory).expect("made");
        fs::create_dir(&remains.run_directory).expect("made");
        fs::write(remains.data_directory.join("PG_VERSION"), "17\n").expect("written");
        remains
    }

    #[test]
    fn what_pgdyno_made_goes_and_going_twice_is_going_once() {
        let directory = tempfile::tempdir().expect("a directory");
        let remains = remains(directory.path(), Fate::Temporary);
        assert_eq!(remains.clear_remains().expect("cleared"), Cleared::Removed);
        assert!(!remains.data_directory.exists() && !remains.run_directory.exists());
        assert_eq!(remains.clear_remains().expect("nothing to do"), Cleared::Nothing);
    }

    #[test]
    fn a_directory_of_the_plan_goes_only_with_its_marker_and_stays_if_it_was_there() {
        let directory = tempfile::tempdir().expect("a directory");
        let remains = remains(directory.path(), Fate::Emptied);
        let left = remains.clear_remains().expect("cleared");
        assert!(matches!(&left, Cleared::LeftAlone(why) if why.contains("may not belong to pgdyno")), "{left:?}");
        assert!(remains.data_directory.join("PG_VERSION").exists());
        fs::write(remains.data_directory.join(MARKER), "{}").expect("written");
        assert_eq!(remains.clear_remains().expect("cleared"), Cleared::Removed);
        assert!(fs::read_dir(&remains.data_directory).expect("still there").next().is_none());
        assert_eq!(remains.clear_remains().expect("nothing to do"), Cleared::Nothing);
    }

    #[test]
    fn a_directory_that_another_pgdyno_uses_is_left_alone() {
        let directory = tempfile::tempdir().expect("a directory");
        let remains = remains(directory.path(), Fate::Made);
        fs::write(remains.data_directory.join(MARKER), "{}").expect("written");
        let other = lock_directory(&remains.data_directory).expect("opened");
        assert_eq!(remains.clear_remains().expect("cleared"), Cleared::LeftAlone("another pgdyno uses it".to_owned()));
        drop(other);
        assert_eq!(remains.clear_remains().expect("cleared"), Cleared::Removed);
    }

    #[test]
    fn kept_data_stay_while_socket_and_log_go() {
        let directory = tempfile::tempdir().expect("a directory");
        let remains = remains(directory.path(), Fate::Kept);
        assert_eq!(remains.clear_remains().expect("cleared"), Cleared::Removed);
        assert!(remains.data_directory.join("PG_VERSION").exists() && !remains.run_directory.exists());
    }
}
