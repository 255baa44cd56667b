//! The file system of a data directory and the block device below it: the mount with the longest matching path in
//! `/proc/self/mountinfo`, then `/sys/dev/block`. A device says itself of what class it is: a cloud's volumes by their
//! model (`Amazon Elastic Block Store`) or their vendor (`Google`).

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use results::facts::{DataDirectoryDisk, DiskPart};

use super::text_file::read_text_file;

/// One line of `mountinfo`.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mount {
    /// `major:minor` of the device, or of an anonymous one.
    device: String,
    mount_point: PathBuf,
    options: String,
    filesystem: String,
    source: String,
}

/// Reads the facts of the disk that holds a directory.
pub(crate) fn read_disk_facts(root: &Path, directory: &Path) -> Result<DataDirectoryDisk, String> {
    let directory = resolve_directory(root, directory)?;
    let mounts = read_text_file(root, "proc/self/mountinfo")?;
    let mount = mount_of(&mounts, &directory).ok_or_else(|| format!("no mount contains {}", directory.display()))?;
    let device = disk_of_mount(root, &mount);
    let below = root.join(directory.strip_prefix("/").unwrap_or(&directory));
    let size = rustix::fs::statvfs(&below).map_err(|error| format!("{}: {error}", directory.display()))?;
    let attribute = |name: &str| device_attribute(root, device.as_ref()?, name);
    Ok(DataDirectoryDisk {
        model: attribute("device/model"),
        vendor: attribute("device/vendor").filter(|vendor| names_a_vendor(vendor)),
        made_of: device.as_ref().map(|device| made_of(root, device)).unwrap_or_default().into_iter().collect(),
        rotational: attribute("queue/rotational").map(|flag| flag == "1"),
        filesystem: mount.filesystem,
        mount_options: mount.options,
        size_bytes: size.f_blocks * size.f_frsize,
        free_bytes: size.f_bavail * size.f_frsize,
        device,
    })
}

/// What the kernel has in a file of a device.
fn device_attribute(root: &Path, device: &str, name: &str) -> Option<String> {
    let file = root.join("sys/class/block").join(device).join(name);
    fs::read_to_string(file).ok().map(|text| text.trim().to_owned())
}

/// A disk of virtio has a number there, and any disk behind SATA the name of its command set.
fn names_a_vendor(text: &str) -> bool {
    !(text.is_empty() || text.starts_with("0x") || text == "ATA")
}

/// The disks that a device is made of (LVM, RAID, encryption); nothing where it is a disk itself.
fn made_of(root: &Path, device: &str) -> BTreeSet<DiskPart> {
    let below = fs::read_dir(root.join("sys/class/block").join(device).join("slaves")).into_iter().flatten().flatten();
    let disks = below.filter_map(|entry| whole_disk(&entry.path()));
    let parts = disks.flat_map(|disk| {
        let parts = made_of(root, &disk);
        let model = device_attribute(root, &disk, "device/model");
        if parts.is_empty() { BTreeSet::from([DiskPart { device: disk, model }]) } else { parts }
    });
    parts.collect()
}

/// The real path of a directory, symbolic links followed, as seen from the root.
fn resolve_directory(root: &Path, directory: &Path) -> Result<PathBuf, String> {
    let below = root.join(directory.strip_prefix("/").unwrap_or(directory));
    let real = fs::canonicalize(&below).map_err(|error| format!("{}: {error}", directory.display()))?;
    let root = fs::canonicalize(root).map_err(|error| format!("{}: {error}", root.display()))?;
    Ok(Path::new("/").join(real.strip_prefix(root).unwrap_or(&real)))
}

/// The mount that a path lies on: the longest mount point, and of equals the last, which covers the others.
fn mount_of(mountinfo: &str, path: &Path) -> Option<Mount> {
    let mounts = mountinfo.lines().filter_map(parse_mountinfo_line);
    mounts
        .filter(|mount| path.starts_with(&mount.mount_point))
        .max_by_key(|mount| mount.mount_point.components().count())
}

/// The device below a directory by its numbers, such as `254:0`, as the table of mounts has it.
pub(crate) fn device_number(mountinfo: &str, directory: &Path) -> Option<String> {
    mount_of(mountinfo, directory).map(|mount| mount.device)
}

/// What is mounted at exactly this place, uppermost: its source, as the kernel names it.
pub(crate) fn source_at(mountinfo: &str, point: &Path) -> Option<String> {
    mountinfo
        .lines()
        .filter_map(parse_mountinfo_line)
        .rfind(|mount| mount.mount_point == point)
        .map(|mount| mount.source)
}

/// `36 35 98:0 /root /mount/point options [optional fields…] - filesystem source super-options`.
fn parse_mountinfo_line(line: &str) -> Option<Mount> {
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ').skip(2);
    let device = before.next()?.to_owned();
    let mount_point = PathBuf::from(unescape_mount_field(before.nth(1)?));
    let mount_options = before.next()?;
    let mut after = after.split(' ');
    let (filesystem, source, super_options) = (after.next()?, after.next()?, after.next().unwrap_or_default());
    // The file system's own options matter more than the mount's (barriers, journalling); ro and rw are in both.
    let own = super_options.split(',').filter(|option| !mount_options.split(',').any(|known| known == *option));
    let options: Vec<_> = mount_options.split(',').chain(own).filter(|option| !option.is_empty()).collect();
    Some(Mount {
        device,
        mount_point,
        options: options.join(","),
        filesystem: filesystem.to_owned(),
        source: unescape_mount_field(source),
    })
}

/// Space, tab, newline and backslash are written as `\` and three octal digits.
fn unescape_mount_field(field: &str) -> String {
    let (mut plain, mut rest) = (String::new(), field);
    while let Some((before, after)) = rest.split_once('\\') {
        plain += before;
        match after.get(..3).and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                plain.push(char::from(byte));
                rest = &after[3..];
            }
            None => {
                plain.push('\\');
                rest = after;
            }
        }
    }
    plain + rest
}

/// The whole disk of a mount: the parent of a partition; none for file systems without a block device.
fn disk_of_mount(root: &Path, mount: &Mount) -> Option<String> {
    // btrfs and its like show an anonymous device number; their source still names a device.
    let by_source = || Some(root.join("sys/class/block").join(mount.source.strip_prefix("/dev/")?));
    let by_number = root.join("sys/dev/block").join(&mount.device);
    whole_disk(&if by_number.exists() { by_number } else { by_source()? })
}

/// The disk that a device of `/sys` is, or is a partition of.
fn whole_disk(link: &Path) -> Option<String> {
    let real = fs::canonicalize(link).ok()?;
    let whole = if real.join("partition").exists() { real.parent()? } else { &real };
    Some(whole.file_name()?.to_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const MOUNTINFO: &str = "\
22 1 253:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw,errors=remount-ro
23 22 0:21 / /proc rw,nosuid - proc proc rw
30 22 253:16 / /mnt/with\\040space rw,noatime - xfs /dev/vdb rw,attr2,inode64
31 22 0:40 /@ /mnt/b rw - btrfs /dev/vda1 rw,compress=zstd:3
32 22 0:41 / /dev/shm rw - tmpfs tmpfs rw,size=1g
33 22 0:42 / /dev/shm rw - tmpfs tmpfs rw,size=2g
";

    fn check(path: &str, mount_point: &str, filesystem: &str, options: &str) {
        let mount = mount_of(MOUNTINFO, Path::new(path)).expect(path);
        assert_eq!(mount.mount_point, Path::new(mount_point), "{path}");
        assert_eq!((mount.filesystem.as_str(), mount.options.as_str()), (filesystem, options), "{path}");
    }

    #[test]
    fn a_path_lies_on_the_longest_mount_and_the_last_of_equals() {
        check("/var/lib", "/", "ext4", "rw,relatime,errors=remount-ro");
        check("/mnt/with space/pg", "/mnt/with space", "xfs", "rw,noatime,attr2,inode64");
        check("/mnt/with", "/", "ext4", "rw,relatime,errors=remount-ro");
        check("/mnt/b", "/mnt/b", "btrfs", "rw,compress=zstd:3");
        check("/dev/shm/x", "/dev/shm", "tmpfs", "rw,size=2g");
    }

    #[test]
    fn the_device_is_the_whole_disk_with_its_model() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for directory in ["vda/vda1", "vda/queue", "vda/device", "vdb/device", "dm-0/slaves", "dm-1/slaves"] {
            fs::create_dir_all(at("sys/devices").join(directory)).unwrap();
        }
        for directory in ["sys/class/block", "sys/dev/block", "proc/self", "mnt/b", "mnt/with space", "dev/shm"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        fs::write(at("sys/devices/vda/vda1/partition"), "1\n").unwrap();
        fs::write(at("sys/devices/vda/queue/rotational"), "1\n").unwrap();
        fs::write(at("sys/devices/vda/device/model"), "SLOW DISK  \n").unwrap();
        fs::write(at("sys/devices/vda/device/vendor"), "Google  \n").unwrap();
        fs::write(at("sys/devices/vdb/device/vendor"), "0x1af4\n").unwrap();
        fs::write(at("proc/self/mountinfo"), MOUNTINFO).unwrap();
        for (link, device) in [
            ("sys/class/block/vda", "vda"),
            ("sys/class/block/vda1", "vda/vda1"),
            ("sys/class/block/vdb", "vdb"),
            ("sys/class/block/dm-0", "dm-0"),
            ("sys/class/block/dm-1", "dm-1"),
            ("sys/devices/dm-1/slaves/dm-0", "dm-0"),
            ("sys/devices/dm-1/slaves/vdb", "vdb"),
            ("sys/devices/dm-0/slaves/vda1", "vda/vda1"),
            ("sys/dev/block/253:1", "vda/vda1"),
            ("sys/dev/block/253:16", "vdb"),
        ] {
            symlink(at("sys/devices").join(device), at(link)).unwrap();
        }
        symlink(at("mnt/b"), at("data")).unwrap();
        let cases = [
            ("/mnt", Some("vda"), Some("SLOW DISK"), Some(true), "ext4"),
            ("/data", Some("vda"), Some("SLOW DISK"), Some(true), "btrfs"),
            ("/mnt/with space", Some("vdb"), None, None, "xfs"),
            ("/dev/shm", None, None, None, "tmpfs"),
        ];
        for (path, device, model, rotational, filesystem) in cases {
            let disk = read_disk_facts(root.path(), Path::new(path)).expect(path);
            assert_eq!((disk.device.as_deref(), disk.model.as_deref()), (device, model), "{path}");
            assert_eq!((disk.rotational, disk.filesystem.as_str()), (rotational, filesystem), "{path}");
            assert!(disk.size_bytes >= disk.free_bytes && disk.size_bytes > 0, "{path}");
            assert_eq!(disk.vendor.as_deref(), model.map(|_| "Google"), "{path}");
            assert!(disk.made_of.is_empty(), "{path}");
        }
        let part =
            |device: &str, model: Option<&str>| DiskPart { device: device.to_owned(), model: model.map(str::to_owned) };
        let expected = [part("vda", Some("SLOW DISK")), part("vdb", None)];
        assert_eq!(made_of(root.path(), "dm-1"), BTreeSet::from(expected), "encrypted, and joined with another");
        assert!(made_of(root.path(), "vda").is_empty());
        assert!(read_disk_facts(root.path(), Path::new("/absent")).unwrap_err().starts_with("/absent: "));
    }
}
