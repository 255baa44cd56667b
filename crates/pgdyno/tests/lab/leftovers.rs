//! What the lab changes on the machine beyond its namespaces: control groups named `pgdyno-lab-*`, directories, and
//! sysctls, whose values are noted before they are changed. All of it is put back at the end,
//! and what a killed lab left at the next start.

use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};

/// How everything is called that the lab makes outside its namespaces.
pub const PREFIX: &str = "pgdyno-lab-";

/// Where the lab's directories are.
pub const DIRECTORIES: &str = "/var/tmp";

/// Lines `path value`: what was there before the lab changed it, the oldest first.
const SYSCTLS: &str = "/var/tmp/pgdyno-lab.sysctls";

/// The right to run the lab, which one process has at a time.
pub struct Claim {
    lock: File,
}

/// Takes it.
pub fn claim() -> Result<Claim, String> {
    let another = || format!("another lab is running: it has locked {SYSCTLS}");
    let file = File::options().create(true).append(true).open(SYSCTLS).map_err(|e| format!("{SYSCTLS}: {e}"))?;
    flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(|_| another())?;
    let claim = Claim { lock: file };
    // One that ended in between has taken the file away, and a lock on it excludes nobody.
    if claim.is_of_the_file() { Ok(claim) } else { Err(another()) }
}

impl Claim {
    /// Puts back and removes what is there, and then what told of it.
    pub fn release(self) {
        self.sweep();
        let nothing_left = self.lock.metadata().is_ok_and(|file| file.len() == 0);
        if nothing_left && let Err(error) = fs::remove_file(SYSCTLS) {
            eprintln!("could not remove {SYSCTLS}: {error}");
        }
    }

    fn is_of_the_file(&self) -> bool {
        let [ours, there] = [self.lock.metadata(), fs::metadata(SYSCTLS)].map(|file| file.map(|file| file.ino()).ok());
        ours.is_some() && ours == there
    }

    /// Puts back and removes what is there.
    pub fn sweep(&self) {
        restore_sysctls();
        for group in groups() {
            kill_members(&group);
            let _in_use_or_gone = fs::remove_dir(&group);
        }
        let entries = fs::read_dir(DIRECTORIES).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
            if let Err(error) = fs::remove_dir_all(entry.path()) {
                eprintln!("could not remove {}: {error}", entry.path().display());
            }
        }
    }
}

/// Notes the value of a sysctl before it is changed, on the disk.
pub fn note_sysctl(path: &Path, value: &str) {
    let mut file = File::options().append(true).open(SYSCTLS).expect("the file that the lab holds");
    writeln!(file, "{} {value}", path.display()).expect("written");
    file.sync_all().expect("on the disk");
}

fn restore_sysctls() {
    let noted = fs::read_to_string(SYSCTLS).expect("the file that the lab holds");
    let mut left = Vec::new();
    // The oldest value last, so that it is the one that stays.
    for (path, value) in noted.lines().rev().filter_map(|line| line.split_once(' ')) {
        if let Err(error) = fs::write(path, value) {
            eprintln!("could not set {path} back to {value}: {error}");
            left.insert(0, format!("{path} {value}\n"));
        }
    }
    // What could not be put back stays noted for the next start.
    fs::write(SYSCTLS, left.concat()).expect("written");
}

/// The lab's control groups in every hierarchy.
fn groups() -> Vec<PathBuf> {
    let list = |directory: &Path| fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path());
    let root = Path::new("/sys/fs/cgroup");
    let within = list(root).filter(|path| path.is_dir()).flat_map(|hierarchy| list(&hierarchy));
    let ours = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX));
    list(root).chain(within).filter(ours).collect()
}

fn kill_members(group: &Path) {
    let members = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    for pid in members.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)) {
        let _ended_already = kill_process(pid, Signal::KILL);
    }
}
