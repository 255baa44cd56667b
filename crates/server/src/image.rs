//! A file system of its own for a data directory: made in an image, shown as a loop device, mounted. Each step stands in
//! the journal, which undoes them.

use std::fmt;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::journal::{Journal, JournalError, MachineChange, run_program};

/// A file system that can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filesystem {
    /// ext4.
    Ext4,
    /// XFS.
    Xfs,
    /// Btrfs.
    Btrfs,
}

impl Filesystem {
    /// Its name, as the kernel has it.
    #[must_use]
    pub fn kernel_name(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
            Self::Btrfs => "btrfs",
        }
    }

    /// The programs that are needed to make and mount it.
    #[must_use]
    pub fn required_programs(self) -> [&'static str; 4] {
        ["losetup", "mount", "umount", self.mkfs_program()]
    }

    fn mkfs_program(self) -> &'static str {
        match self {
            Self::Ext4 => "mkfs.ext4",
            Self::Xfs => "mkfs.xfs",
            Self::Btrfs => "mkfs.btrfs",
        }
    }

    fn mkfs_options(self) -> &'static [&'static str] {
        match self {
            // Nothing is left for the kernel to write while a trial is measured.
            Self::Ext4 => &["-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"],
            Self::Xfs | Self::Btrfs => &["-q", "-f"],
        }
    }
}

/// A step of making a file system; those that change the machine stand in the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
enum ImageStep {
    /// A change, which the journal undoes.
    Change(MachineChange),
    /// The server's user may pass through a directory.
    OpenForAll(PathBuf),
    /// A file system is written into an image, with which it goes.
    Format(Filesystem, PathBuf),
}

impl fmt::Display for ImageStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Change(change) => write!(f, "{change}"),
            Self::OpenForAll(directory) => write!(f, "open {} for all", directory.display()),
            Self::Format(filesystem, image) => write!(f, "{} in {}", filesystem.kernel_name(), image.display()),
        }
    }
}

/// What makes a file system of so many bytes below a directory, in this order, and its mount point.
fn steps_to_mount_image(directory: &Path, filesystem: Filesystem, size_bytes: u64) -> (Vec<ImageStep>, PathBuf) {
    let (image, point) = (directory.join("image"), directory.join("mnt"));
    let open = |path: &Path| {
        [ImageStep::Change(MachineChange::Directory { path: path.to_owned() }), ImageStep::OpenForAll(path.to_owned())]
    };
    let device = [
        ImageStep::Change(MachineChange::File { path: image.clone(), size_bytes }),
        ImageStep::Format(filesystem, image.clone()),
        ImageStep::Change(MachineChange::LoopDevice { image: image.clone() }),
    ];
    let mount = ImageStep::Change(MachineChange::Mount { point: point.clone(), image });
    (open(directory).into_iter().chain(device).chain(open(&point)).chain([mount]).collect(), point)
}

/// Makes and mounts a file system of so many bytes in a fresh directory below `parent`; returns its mount point.
///
/// # Errors
/// A step fails. What was made before it is undone with the journal.
pub fn mount_new_filesystem(
    journal: &mut Journal,
    parent: &Path,
    filesystem: Filesystem,
    size_bytes: u64,
) -> Result<PathBuf, JournalError> {
    // The kernel tells the file of a loop device by its real path.
    let parent = fs::canonicalize(parent).map_err(JournalError::system_call_failed("find", parent))?;
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(JournalError::system_call_failed("name a directory in", &parent))?;
    let directory = parent.join(format!("pgdyno-fs-{:016x}", u64::from_ne_bytes(random)));
    let (steps, point) = steps_to_mount_image(&directory, filesystem, size_bytes);
    steps.iter().try_for_each(|step| step.apply_step(journal)).map(|()| point)
}

impl ImageStep {
    fn apply_step(&self, journal: &mut Journal) -> Result<(), JournalError> {
        match self {
            Self::Change(change) => journal.make_change(change).map(drop),
            Self::OpenForAll(path) => fs::set_permissions(path, fs::Permissions::from_mode(0o755))
                .map_err(JournalError::system_call_failed("set the permissions of", path)),
            Self::Format(filesystem, image) => {
                let image = image.to_string_lossy();
                let arguments: Vec<&str> = filesystem.mkfs_options().iter().copied().chain([&*image]).collect();
                run_program(filesystem.mkfs_program(), &arguments).map(drop)
            }
        }
    }
}

/// Bytes that are free on the file system of a directory, for those who are not root.
///
/// # Errors
/// There is no such directory.
pub fn free_bytes(directory: &Path) -> std::io::Result<u64> {
    let size = rustix::fs::statvfs(directory)?;
    Ok(size.f_bavail * size.f_frsize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_system_is_written_before_its_device_is_there_and_mounted_last() {
        let (steps, point) = steps_to_mount_image(Path::new("/d"), Filesystem::Xfs, 1 << 30);
        let words: Vec<String> = steps.iter().map(ToString::to_string).collect();
        let expected = [
            "directory /d",
            "open /d for all",
            "file /d/image",
            "xfs in /d/image",
            "loop device on /d/image",
            "directory /d/mnt",
            "open /d/mnt for all",
            "mount /d/mnt",
        ];
        assert_eq!((words.as_slice(), point.as_path()), (expected.map(str::to_owned).as_slice(), Path::new("/d/mnt")));
    }
}
