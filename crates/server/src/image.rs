//! A file system of its own for a data directory: made in an image, shown as a loop device, mounted. Each step stands in
//! the journal, which undoes them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::journal::{Change, Journal, JournalError, run};

/// A file system that can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filesystem {
    /// ext4.
    Ext4,
    /// XFS.
    Xfs,
}

impl Filesystem {
    /// Its name, as the kernel has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
        }
    }

    /// The programs that are needed to make and mount it.
    #[must_use]
    pub fn programs(self) -> [&'static str; 4] {
        ["losetup", "mount", "umount", self.maker()]
    }

    fn maker(self) -> &'static str {
        match self {
            Self::Ext4 => "mkfs.ext4",
            Self::Xfs => "mkfs.xfs",
        }
    }

    fn options(self) -> &'static [&'static str] {
        match self {
            // Nothing is left for the kernel to write while a trial is measured.
            Self::Ext4 => &["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
            Self::Xfs => &["-q", "-f"],
        }
    }
}

/// Makes and mounts a file system of so many bytes in a fresh directory below `parent`; returns its mount point.
///
/// # Errors
/// A step fails. What was made before it is undone with the journal.
pub fn mounted(
    journal: &mut Journal,
    parent: &Path,
    filesystem: Filesystem,
    size_bytes: u64,
) -> Result<PathBuf, JournalError> {
    // The kernel tells the file of a loop device by its real path.
    let parent = fs::canonicalize(parent).map_err(JournalError::system("find", parent))?;
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(JournalError::system("name a directory in", &parent))?;
    let directory = parent.join(format!("pgdyno-fs-{:016x}", u64::from_ne_bytes(random)));
    let (image, point) = (directory.join("image"), directory.join("mnt"));
    directory_for_all(journal, &directory)?;
    journal.make(&Change::File { path: image.clone(), size_bytes })?;
    let mut arguments = filesystem.options().to_vec();
    let text = image.to_string_lossy();
    arguments.push(&text);
    run(filesystem.maker(), &arguments)?;
    journal.make(&Change::LoopDevice { image: image.clone() })?;
    directory_for_all(journal, &point)?;
    journal.make(&Change::Mount { point: point.clone(), image })?;
    Ok(point)
}

/// Bytes that are free on the file system of a directory, for those who are not root.
///
/// # Errors
/// There is no such directory.
pub fn free_bytes(directory: &Path) -> std::io::Result<u64> {
    let size = rustix::fs::statvfs(directory)?;
    Ok(size.f_bavail * size.f_frsize)
}

/// A directory that the server's user can pass through.
fn directory_for_all(journal: &mut Journal, path: &Path) -> Result<(), JournalError> {
    journal.make(&Change::Directory { path: path.to_owned() })?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
        .map_err(JournalError::system("set the permissions of", path))
}
