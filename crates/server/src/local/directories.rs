//! The directories of a local server: claimed so that nobody's files are touched and no two pgdynos share one, and
//! removed by the process that claimed them.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, Gid, Uid};
use serde::{Deserialize, Serialize};

use super::account::SystemAccount;
use super::failure::Failure;
use super::protocol::SupervisorStart;
use super::spec::InitdbOptions;
use crate::remains::{Fate, MARKER, remove_data};

/// What the marker says.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Marker {
    format: u32,
    major: u32,
    initdb: InitdbOptions,
    /// Whether pgdyno made the directory itself, and not only its content.
    made: bool,
}

/// A data directory that belongs to this process until it is dropped.
pub(super) struct DataDirectory {
    path: PathBuf,
    /// Holds the lock; the kernel gives it back when this process ends.
    _lock: File,
    /// Whether the directory itself goes when its content goes.
    pub(super) made: bool,
    /// Owner and permissions to give back to a directory that stays.
    before: Option<(u32, u32, u32)>,
    /// Whether it holds a cluster that was kept from an earlier run.
    pub(super) adopted: bool,
}

impl DataDirectory {
    /// Claims the directory that the plan names, or makes it.
    ///
    /// # Errors
    /// It is in use, holds something else, was kept from another kind of server, or cannot be made.
    pub(super) fn claim_or_make(path: PathBuf, start: &SupervisorStart) -> Result<Self, Failure> {
        let made = match fs::create_dir(&path) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => false,
            Err(error) => {
                return Err(Failure::system_call_failed(format!("create data directory {}", path.display()))(error));
            }
        };
        let mut claimed = Self { _lock: lock_data_directory(&path)?, before: None, adopted: false, made, path };
        claimed.inspect_contents(start)?;
        if !claimed.adopted {
            claimed.before = (!made).then(|| owner_and_mode(&claimed.path)).transpose()?;
            give_to_account(&claimed.path, start.account)?;
        }
        Ok(claimed)
    }

    /// Tells an empty directory, one that pgdyno kept, and any other apart.
    fn inspect_contents(&mut self, start: &SupervisorStart) -> Result<(), Failure> {
        let path = &self.path;
        let failed = |why: String| Failure::system_call_failed(format!("read data directory {}", path.display()))(why);
        let marker = match fs::read(path.join(MARKER)) {
            Ok(text) => serde_json::from_slice::<Marker>(&text).map_err(|error| failed(error.to_string()))?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error.to_string())),
            Err(_) if fs::read_dir(path).map_err(|error| failed(error.to_string()))?.next().is_none() => return Ok(()),
            Err(_) => return Err(Failure::NotEmpty { path: path.clone() }),
        };
        if let Some(difference) = marker_difference(&marker, start) {
            return Err(Failure::Kept { path: path.clone(), difference });
        }
        self.made = marker.made;
        self.adopted = true;
        Ok(())
    }

    /// What is to become of it.
    pub(super) fn fate_at_end(&self, keep: bool) -> Fate {
        match (keep, self.made) {
            (true, _) => Fate::Kept,
            (false, true) => Fate::Made,
            (false, false) => Fate::Emptied,
        }
    }

    /// Marks a complete cluster as pgdyno's own.
    pub(super) fn mark_as_complete(&self, start: &SupervisorStart) -> Result<(), Failure> {
        let marker = Marker { format: 1, major: start.major, initdb: start.initdb.clone(), made: self.made };
        let text =
            serde_json::to_vec(&marker).map_err(Failure::system_call_failed("write the marker of a data directory"))?;
        write_owned(&self.path.join(MARKER), &text, start.account)
    }

    /// Whether it holds a complete cluster of pgdyno's.
    pub(super) fn is_marked(&self) -> bool {
        self.path.join(MARKER).exists()
    }

    /// Where it is.
    pub(super) fn data_path(&self) -> &Path {
        &self.path
    }

    /// Removes the content, and the directory if pgdyno made it.
    pub(super) fn remove_contents(self) -> Result<(), Failure> {
        remove_data(&self.path, self.made)
            .map_err(Failure::system_call_failed(format!("remove data directory {}", self.path.display())))?;
        if let Some((uid, gid, mode)) = self.before {
            give_to_account(&self.path, rustix::process::geteuid().is_root().then_some(SystemAccount { uid, gid }))?;
            let mode = fs::Permissions::from_mode(mode);
            let what = format!("restore the permissions of {}", self.path.display());
            fs::set_permissions(&self.path, mode).map_err(Failure::system_call_failed(what))?;
        }
        Ok(())
    }
}

/// Makes a directory that only `account` (or this user) can enter.
pub(super) fn make_private(path: &Path, account: Option<SystemAccount>) -> Result<(), Failure> {
    let made = fs::DirBuilder::new().mode(0o700).create(path);
    made.map_err(Failure::system_call_failed(format!("create {}", path.display())))?;
    give_to_account(path, account)
}

/// A name that nobody else has: chosen before anything is made, so that it can be written down first.
pub(super) fn unused_path(parent: &Path, prefix: &str) -> Result<PathBuf, Failure> {
    let mut bytes = [0; 6];
    getrandom::fill(&mut bytes).map_err(Failure::system_call_failed("get random bytes for the name of a directory"))?;
    let suffix: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(parent.join(format!("{prefix}{suffix}")))
}

/// Writes a file and gives it to the server's user.
pub(super) fn write_owned(path: &Path, content: &[u8], account: Option<SystemAccount>) -> Result<(), Failure> {
    fs::write(path, content).map_err(Failure::system_call_failed(format!("write {}", path.display())))?;
    change_owner(path, account)
}

fn lock_data_directory(path: &Path) -> Result<File, Failure> {
    let directory =
        File::open(path).map_err(Failure::system_call_failed(format!("open data directory {}", path.display())))?;
    match rustix::fs::flock(&directory, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(directory),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Failure::InUse { path: path.to_owned() }),
        Err(error) => Err(Failure::system_call_failed(format!("lock data directory {}", path.display()))(error)),
    }
}

fn marker_difference(marker: &Marker, start: &SupervisorStart) -> Option<String> {
    if marker.format != 1 {
        Some(format!("it has format {}; this version reads format 1", marker.format))
    } else if marker.major != start.major {
        Some(format!("it belongs to PostgreSQL {}, the target to {}", marker.major, start.major))
    } else if marker.initdb != start.initdb {
        Some(format!("it was created with {:?}, the target specifies {:?}", marker.initdb, start.initdb))
    } else {
        None
    }
}

fn owner_and_mode(path: &Path) -> Result<(u32, u32, u32), Failure> {
    let metadata = fs::metadata(path).map_err(Failure::system_call_failed(format!("read {}", path.display())))?;
    Ok((metadata.uid(), metadata.gid(), metadata.mode() & 0o7777))
}

/// Gives a directory to the server's user, for that user alone.
fn give_to_account(path: &Path, account: Option<SystemAccount>) -> Result<(), Failure> {
    change_owner(path, account)?;
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(path, private)
        .map_err(Failure::system_call_failed(format!("set permissions of {}", path.display())))
}

pub(super) fn change_owner(path: &Path, account: Option<SystemAccount>) -> Result<(), Failure> {
    let Some(SystemAccount { uid, gid }) = account else { return Ok(()) };
    let changed = rustix::fs::chown(path, Some(Uid::from_raw(uid)), Some(Gid::from_raw(gid)));
    changed.map_err(Failure::system_call_failed(format!("change the owner of {}", path.display())))
}
