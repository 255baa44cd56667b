//! The directory that is to be measured: what it lies on, whether it can be measured, and how large the file is to be.

use std::path::{Path, PathBuf};

use cluster::Space;
use judge::units;
use plan::FileSize;
use results::disk::DiskFilePlace;
use results::facts::DataDirectoryDisk;
use server::DiskThere;

use problem::Problem;

/// No more of a file system may be used than this: a full one is slow, and its other users suffer.
const USED_AT_MOST: f64 = 0.80;

/// A file of no more of a file system than this makes it no fuller than it is.
const NEXT_TO_NOTHING: f64 = 0.01;

/// File systems in memory.
const IN_MEMORY: &[&str] = &["tmpfs", "ramfs", "devtmpfs"];

/// What is known of the directory before anything is written.
#[derive(Debug, Clone)]
pub(super) struct Ground {
    /// The directory, links followed.
    pub(super) directory: PathBuf,
    /// Its file system and device; absent when they could not be read.
    pub(super) disk: Option<DataDirectoryDisk>,
    /// Memory of the machine.
    pub(super) memory_bytes: Option<u64>,
    /// As `df` counts: what files take, and what this user may still write.
    used_bytes: u64,
    available_bytes: u64,
}

impl Ground {
    /// Looks at a directory.
    pub(super) fn read_directory(directory: &Path) -> Result<Self, Problem> {
        let failed = |error: String| {
            Problem::usage_error(format!("could not read the directory {}", directory.display()))
                .detail(error)
                .hint("name a directory on the disk that you want to measure")
        };
        let directory = directory.canonicalize().map_err(|error| failed(error.to_string()))?;
        if !directory.is_dir() {
            return Err(failed("the path is not a directory".to_owned()));
        }
        let space = rustix::fs::statvfs(&directory).map_err(|error| failed(error.to_string()))?;
        Ok(Self {
            disk: server::disk_of(&directory).ok(),
            memory_bytes: rustix::system::sysinfo().totalram.checked_mul(u64::from(rustix::system::sysinfo().mem_unit)),
            used_bytes: space.f_blocks.saturating_sub(space.f_bfree) * space.f_frsize,
            available_bytes: space.f_bavail * space.f_frsize,
            directory,
        })
    }

    /// What an agent saw of a directory of its host.
    pub(super) fn from_agent(seen: &DiskThere) -> Self {
        let DiskThere { memory_bytes, used_bytes, available_bytes, .. } = *seen;
        let (directory, disk) = (seen.directory.clone(), seen.disk.clone());
        Self { directory, disk, memory_bytes, used_bytes, available_bytes }
    }

    /// For whom an agent has looked at it.
    pub(super) fn into_disk_there(self, version: String, engines: String, logs: PathBuf) -> DiskThere {
        let Self { directory, disk, memory_bytes, used_bytes, available_bytes } = self;
        DiskThere { version, engines, directory, disk, memory_bytes, used_bytes, available_bytes, logs }
    }

    /// What was seen of the directory of a volume in a pod.
    pub(super) fn in_pod(
        directory: &Path,
        disk: Option<DataDirectoryDisk>,
        memory_bytes: Option<u64>,
        space: Space,
    ) -> Self {
        let Space { used_bytes, free_bytes: available_bytes, size_bytes: _ } = space;
        Self { directory: directory.to_owned(), disk, memory_bytes, used_bytes, available_bytes }
    }

    /// Refuses what cannot be measured.
    pub(super) fn check_file_system(&self) -> Result<(), Problem> {
        let Some(disk) = &self.disk else { return Ok(()) };
        if IN_MEMORY.contains(&disk.filesystem.as_str()) {
            let directory = self.directory.display();
            return Err(Problem::usage_error(format!("{directory} is on {}, which has no disk", disk.filesystem))
                .detail(
                    "direct I/O bypasses the page cache, and this file system keeps its files only in the page cache",
                )
                .hint("name a directory on the disk that you want to measure"));
        }
        Ok(())
    }

    /// The size of the file: what was asked for, or twice the memory, if there is room for it.
    pub(super) fn file_size(&self, asked: Option<FileSize>, force: bool) -> Result<u64, Problem> {
        const MEGABYTE: u64 = 1 << 20;
        let twice = self.memory_bytes.map(|bytes| (2 * bytes).div_ceil(MEGABYTE) * MEGABYTE);
        let Some(bytes) = asked.map(FileSize::size_bytes).or(twice) else {
            return Err(Problem::could_not_measure("could not determine the memory size of this machine")
                .hint("set the size of the test file: --size 64GB, or `size` in the plan"));
        };
        let size = units::format_bytes(bytes as f64);
        let what = match asked {
            Some(_) => format!("a test file of {size}"),
            None => format!("a test file of {size} (twice the memory, larger than every cache of this machine)"),
        };
        let directory = self.directory.display();
        let smaller = "set a smaller size with its reason: --size 4GB --size-reason \"…\", or `size` and `size_reason` in the plan";
        if bytes > self.available_bytes {
            return Err(Problem::could_not_measure(format!("not enough space in {directory} for {what}"))
                .detail(format!("{} are free", units::format_bytes(self.available_bytes as f64)))
                .hint(smaller));
        }
        let whole = self.used_bytes + self.available_bytes;
        let share = |bytes: u64| bytes as f64 / whole.max(1) as f64;
        let used = share(self.used_bytes + bytes);
        if used > USED_AT_MOST && share(bytes) > NEXT_TO_NOTHING && !force {
            return Err(Problem::could_not_measure(format!(
                "{what} would fill the file system of {directory} to {}, more than {}",
                units::format_percent(used),
                units::format_percent(USED_AT_MOST)
            ))
            .detail(format!(
                "{} of {} are free",
                units::format_bytes(self.available_bytes as f64),
                units::format_bytes(whole as f64)
            ))
            .hint(format!("{smaller}; `pgdyno disk --force` writes the file anyway")));
        }
        Ok(bytes)
    }

    /// What a stage says of its place.
    pub(super) fn place_of_stage(&self, file_bytes: Option<u64>, size_reason: Option<&str>) -> DiskFilePlace {
        DiskFilePlace {
            directory: self.directory.clone(),
            disk: self.disk.clone(),
            file_bytes,
            memory_bytes: self.memory_bytes,
            size_reason: size_reason.map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1 << 30;

    fn ground(filesystem: &str, memory: u64, total: u64, available: u64) -> Ground {
        let disk = DataDirectoryDisk {
            device: None,
            model: None,
            vendor: None,
            made_of: Vec::new(),
            rotational: None,
            filesystem: filesystem.into(),
            mount_options: "rw".into(),
            size_bytes: total,
            free_bytes: available,
        };
        Ground {
            directory: "/mnt/a".into(),
            disk: Some(disk),
            memory_bytes: Some(memory),
            used_bytes: total - available,
            available_bytes: available,
        }
    }

    #[test]
    fn the_file_is_twice_the_memory_unless_another_size_is_asked_for() {
        let ground = ground("ext4", 16 * GB, 200 * GB, 150 * GB);
        assert_eq!(ground.file_size(None, false).unwrap(), 32 * GB);
        assert_eq!(ground.file_size(FileSize::from_megabytes(64), false).unwrap(), 64 << 20);
    }

    #[test]
    fn no_more_than_80_percent_of_a_file_system_are_used_unless_forced_and_never_more_than_there_is() {
        let ground = ground("ext4", 16 * GB, 100 * GB, 50 * GB);
        let refused = ground.file_size(None, false).unwrap_err().to_string();
        assert!(refused.contains("would fill the file system of /mnt/a to 82 %, more than 80 %"), "{refused}");
        assert_eq!(ground.file_size(None, true).unwrap(), 32 * GB);
        let refused = ground.file_size(FileSize::from_megabytes(51 << 10), true).unwrap_err().to_string();
        assert!(refused.contains("not enough space in /mnt/a"), "{refused}");
    }

    #[test]
    fn a_file_system_that_is_full_already_is_no_fuller_by_a_hundredth_of_it() {
        let ground = ground("ext4", 16 * GB, 100 * GB, 15 * GB);
        assert_eq!(ground.file_size(FileSize::from_megabytes(1024), false).unwrap(), GB);
        let refused = ground.file_size(FileSize::from_megabytes(1025), false).unwrap_err().to_string();
        assert!(refused.contains("to 86 %, more than 80 %"), "{refused}");
    }

    #[test]
    fn a_file_system_in_memory_is_refused_with_the_reason() {
        let refused = ground("tmpfs", GB, GB, GB).check_file_system().unwrap_err().to_string();
        assert!(refused.contains("on tmpfs, which has no disk") && refused.contains("direct I/O"), "{refused}");
        assert_eq!(ground("nfs4", GB, GB, GB).check_file_system(), Ok(()));
    }
}
