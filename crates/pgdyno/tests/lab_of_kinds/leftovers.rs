//! What the lab of kinds changes on the machine beyond its namespaces: control groups and directories whose names begin
//! alike. What a killed one left is removed at the next start.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};

/// How everything is called that is made outside the namespaces.
pub const PREFIX: &str = "pgdyno-kinds-";

/// Where the directories are: on a disk, and in memory.
pub const DIRECTORIES: [&str; 2] = ["/var/tmp", "/dev/shm"];

/// Locked by the one that runs; it stays.
const LOCK: &str = "/var/tmp/pgdyno-kinds.lock";

/// The right to run, which one process has at a time.
pub struct Claim {
    _lock: File,
}

/// Takes it.
pub fn claim() -> Result<Claim, String> {
    let file = File::options().create(true).append(true).open(LOCK).map_err(|error| format!("{LOCK}: {error}"))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|_| format!("another lab of kinds is running: it has locked {LOCK}"))?;
    Ok(Claim { _lock: file })
}

impl Claim {
    /// Removes what is there.
    pub fn sweep(&self) {
        for group in groups() {
            let members = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
            for pid in members.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
                let _ended_already = kill_process(pid, Signal::KILL);
            }
            let _in_use_or_gone = fs::remove_dir(&group);
        }
        for entry in DIRECTORIES.iter().flat_map(|directory| entries_of(Path::new(directory))) {
            if is_ours(&entry)
                && entry.is_dir()
                && let Err(error) = fs::remove_dir_all(&entry)
            {
                eprintln!("could not remove {}: {error}", entry.display());
            }
        }
    }
}

fn entries_of(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

fn is_ours(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
}

/// The control groups in every hierarchy of version 1.
fn groups() -> Vec<PathBuf> {
    let mut groups = Vec::new();
    for hierarchy in entries_of(Path::new("/sys/fs/cgroup")) {
        groups.extend(entries_of(&hierarchy).into_iter().filter(|path| is_ours(path)));
    }
    groups
}
