//! The block devices below a server's data and WAL, as control groups name them.

use std::fs;
use std::path::{Path, PathBuf};

use super::limit_error::LimitError;
use crate::facts::disk;

/// The whole disks below these directories, each once, as `major:minor`.
pub(super) fn devices_to_limit(root: &Path, directories: &[PathBuf]) -> Result<Vec<String>, LimitError> {
    let mounts = fs::read_to_string(root.join("proc/self/mountinfo"))
        .map_err(|error| LimitError::Failed(format!("/proc/self/mountinfo: {error}")))?;
    let mut devices: Vec<String> = Vec::new();
    for directory in directories {
        let device = disk::device_number(&mounts, directory)
            .ok_or_else(|| LimitError::Failed(format!("no mount contains {}", directory.display())))?;
        let device = whole_disk_number(root, directory, &device)?;
        if !devices.contains(&device) {
            devices.push(device);
        }
    }
    Ok(devices)
}

/// The disk of a partition; a disk itself.
fn whole_disk_number(root: &Path, directory: &Path, device: &str) -> Result<String, LimitError> {
    let link = root.join("sys/dev/block").join(device);
    let Ok(real) = fs::canonicalize(&link) else {
        return Err(LimitError::Impossible {
            key: "read_iops, write_iops, read_bandwidth, write_bandwidth",
            why: format!("{} is not on a block device", directory.display()),
            hint: "add `filesystem: { type: ext4 }`: its loop device can be limited".to_owned(),
        });
    };
    if !real.join("partition").exists() {
        return Ok(device.to_owned());
    }
    let above = real.parent().map_or_else(PathBuf::new, |disk| disk.join("dev"));
    let number =
        fs::read_to_string(&above).map_err(|error| LimitError::Failed(format!("{}: {error}", above.display())))?;
    Ok(number.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_partition_is_limited_by_its_disk_and_what_has_no_disk_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let disk = root.path().join("sys/devices/pci/block/sda");
        let make = |path: &Path, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        make(&disk.join("dev"), "8:0\n");
        make(&disk.join("sda1/partition"), "1\n");
        make(&disk.join("sda1/dev"), "8:1\n");
        fs::create_dir_all(root.path().join("sys/dev/block")).unwrap();
        symlink(&disk, root.path().join("sys/dev/block/8:0")).unwrap();
        symlink(disk.join("sda1"), root.path().join("sys/dev/block/8:1")).unwrap();
        let mounts = "36 35 8:1 / / rw - ext4 /dev/sda1 rw\n37 35 8:0 / /raw rw - ext4 /dev/sda rw\n\
                      38 35 0:40 / /tmpfs rw - tmpfs tmpfs rw\n";
        make(&root.path().join("proc/self/mountinfo"), mounts);
        let of = |paths: &[&str]| {
            let paths: Vec<PathBuf> = paths.iter().map(PathBuf::from).collect();
            devices_to_limit(root.path(), &paths).map_err(|error| error.to_string())
        };
        assert_eq!(of(&["/data", "/raw/wal"]), Ok(vec!["8:0".to_owned()]), "both are on one disk");
        assert!(of(&["/tmpfs/data"]).unwrap_err().contains("/tmpfs/data is not on a block device"));
    }
}
