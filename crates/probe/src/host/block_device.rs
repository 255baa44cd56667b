//! Which block device holds a directory, and which disk is below that device.
//! Follows partitions and device-mapper or RAID volumes on exactly one device; leaves out volumes over several, whose
//! load no single disk tells.

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use procfs_core::process::MountInfo;

/// A block device by its numbers, which name it in `/proc/diskstats` and in `/sys/dev/block`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct BlockDevice {
    pub(crate) major: u32,
    pub(crate) minor: u32,
}

/// Why no block device could be named for a directory.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub(crate) enum Unresolved {
    /// The directory cannot be looked at.
    #[error("could not find the device of {directory:?}: {detail}")]
    Unreachable { directory: PathBuf, detail: String },
    /// The file system is in memory, on a network or an overlay.
    #[error("{directory:?} is on {file_system} ({source_name:?}), which is not a block device of this machine")]
    NotABlockDevice { directory: PathBuf, file_system: String, source_name: String },
}

/// The device of the file system that holds `directory`.
pub(crate) fn device_holding_directory(root: &Path, directory: &Path) -> Result<BlockDevice, Unresolved> {
    let unreachable =
        |error: std::io::Error| Unresolved::Unreachable { directory: directory.to_owned(), detail: error.to_string() };
    let directory = directory.canonicalize().map_err(unreachable)?;
    let device = BlockDevice::from_number(directory.metadata().map_err(unreachable)?.dev());
    // Major number 0: a file system that invents its device number. That of btrfs is on a block device nevertheless,
    // which only the table of mounts knows.
    if device.major != 0 {
        return Ok(device);
    }
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo")).map_err(unreachable)?;
    let (file_system, source_name) = mount_of(&mounts, &directory).ok_or_else(|| Unresolved::Unreachable {
        directory: directory.clone(),
        detail: "no mount contains it".to_owned(),
    })?;
    match fs::metadata(&source_name) {
        Ok(source) if source.file_type().is_block_device() => Ok(BlockDevice::from_number(source.rdev())),
        Ok(_) | Err(_) => Err(Unresolved::NotABlockDevice { directory, file_system, source_name }),
    }
}

/// The disk at the bottom of `device`, when `device` is only a part of it or a layer on top.
pub(crate) fn parent_disk(root: &Path, device: BlockDevice) -> Option<BlockDevice> {
    let below = underlying_device(root, device)?;
    Some(parent_disk(root, below).unwrap_or(below))
}

fn underlying_device(root: &Path, device: BlockDevice) -> Option<BlockDevice> {
    // The entry is a link to the device's directory; that of a partition lies within that of its disk.
    let entry = root.join(format!("sys/dev/block/{}:{}", device.major, device.minor)).canonicalize().ok()?;
    if entry.join("partition").exists() {
        return number_in(entry.parent()?);
    }
    let mut slaves = fs::read_dir(entry.join("slaves")).ok()?;
    match (slaves.next(), slaves.next()) {
        (Some(Ok(only)), None) => number_in(&only.path()),
        _ => None,
    }
}

fn number_in(entry: &Path) -> Option<BlockDevice> {
    fs::read_to_string(entry.join("dev")).ok()?.trim().parse().ok()
}

/// File system type and source of the mount that holds `path`: the last of those with the longest mount point, since a
/// later mount hides an earlier one.
fn mount_of(mounts: &str, path: &Path) -> Option<(String, String)> {
    mounts
        .lines()
        .filter_map(|line| MountInfo::from_line(line).ok())
        .map(|mount| (unescape_mount_point(&mount.mount_point), mount))
        .filter(|(mount_point, _)| path.starts_with(mount_point))
        .max_by_key(|(mount_point, _)| mount_point.components().count())
        .map(|(_, mount)| (mount.fs_type, mount.mount_source.unwrap_or_else(|| "none".to_owned())))
}

/// The kernel writes a space in a path as `\040`, and tab, line feed and backslash alike.
fn unescape_mount_point(mount_point: &Path) -> PathBuf {
    let escapes = [("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")];
    let text = mount_point.to_string_lossy().into_owned();
    PathBuf::from(escapes.iter().fold(text, |text, (escape, character)| text.replace(escape, character)))
}

impl BlockDevice {
    fn from_number(number: u64) -> Self {
        Self { major: rustix::fs::major(number), minor: rustix::fs::minor(number) }
    }
}

impl FromStr for BlockDevice {
    type Err = ();

    /// `8:1`, as sysfs writes it.
    fn from_str(text: &str) -> Result<Self, ()> {
        let (major, minor) = text.split_once(':').ok_or(())?;
        match (major.parse(), minor.parse()) {
            (Ok(major), Ok(minor)) => Ok(Self { major, minor }),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const MOUNTS: &str = "\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,noatime shared:1 - ext4 /dev/vda rw
30 27 0:40 / /srv rw shared:5 - btrfs /dev/sdb1 rw,subvol=/
31 30 0:41 / /srv/my\\040data rw - tmpfs tmpfs rw
";

    #[test]
    fn a_directory_is_on_the_mount_with_the_longest_prefix_of_whole_names() {
        let check = |path: &str, expected: (&str, &str)| {
            let expected = (expected.0.to_owned(), expected.1.to_owned());
            assert_eq!(mount_of(MOUNTS, Path::new(path)), Some(expected), "{path}");
        };
        check("/var/lib/postgresql", ("ext4", "/dev/vda"));
        check("/srv/data", ("btrfs", "/dev/sdb1"));
        check("/srvdata", ("ext4", "/dev/vda"));
        check("/srv/my data/base", ("tmpfs", "tmpfs"));
    }

    /// A `/sys` with a disk 8:0, its partition 8:1, a volume 253:0 on that, and a volume 253:1 on two devices.
    fn sysfs() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        let path = |path: &str| root.path().join("sys").join(path);
        for (device, number) in
            [("block/sda", "8:0"), ("block/sda/sda1", "8:1"), ("block/dm-0", "253:0"), ("block/dm-1", "253:1")]
        {
            fs::create_dir_all(path("devices").join(device).join("slaves")).unwrap();
            fs::write(path("devices").join(device).join("dev"), format!("{number}\n")).unwrap();
            fs::create_dir_all(path("dev/block")).unwrap();
            symlink(path("devices").join(device), path("dev/block").join(number)).unwrap();
        }
        fs::write(path("devices/block/sda/sda1/partition"), "1\n").unwrap();
        for (volume, slave) in [("dm-0", "sda/sda1"), ("dm-1", "sda"), ("dm-1", "sda/sda1")] {
            let link = path("devices/block").join(volume).join("slaves").join(slave.replace('/', "-"));
            symlink(path("devices/block").join(slave), link).unwrap();
        }
        root
    }

    #[test]
    fn the_parent_is_the_disk_at_the_bottom_where_there_is_exactly_one() {
        let root = sysfs();
        let check = |device: &str, expected: Option<&str>| {
            let device = device.parse().unwrap();
            assert_eq!(parent_disk(root.path(), device), expected.map(|number| number.parse().unwrap()), "{device:?}");
        };
        check("8:1", Some("8:0"));
        check("253:0", Some("8:0"));
        check("8:0", None);
        check("253:1", None);
        check("9:9", None);
    }

    #[test]
    fn a_directory_that_is_not_there_is_named_in_the_error() {
        let error = device_holding_directory(Path::new("/"), Path::new("/no/such/directory")).unwrap_err().to_string();
        assert!(error.starts_with("could not find the device of \"/no/such/directory\": No such file"), "{error}");
    }

    #[test]
    fn a_file_system_in_memory_is_no_block_device() {
        let error = device_holding_directory(Path::new("/"), Path::new("/proc/self")).unwrap_err().to_string();
        assert!(error.ends_with("is on proc (\"proc\"), which is not a block device of this machine"), "{error}");
    }
}
