//! A control group for a server's processes, so that their CPUs can be limited as a container's are: by the kernel's
//! CFS bandwidth, in either version of control groups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::local::failure::Failure;

/// What its name begins with; the supervisor's process id follows.
const PREFIX: &str = "pgdyno-";

/// The length of a period in microseconds, as Kubernetes has it.
const PERIOD_US: u32 = 100_000;

/// A control group of a supervisor's own.
pub(super) struct CpuGroup {
    path: PathBuf,
}

impl CpuGroup {
    /// Makes one, and removes those that supervisors have left which are gone.
    pub(super) fn make_group() -> Result<Self, Failure> {
        let root = find_parent_group()
            .ok_or_else(|| Failure::NoCpuGroup { why: "no cpu controller is mounted".to_owned() })?;
        sweep_abandoned_groups(&root);
        let path = root.join(format!("{PREFIX}{}", std::process::id()));
        let denied = |error: io::Error| Failure::NoCpuGroup { why: format!("{}: {error}", path.display()) };
        match fs::create_dir(&path) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(denied(error)),
            Ok(()) | Err(_) => {}
        }
        Ok(Self { path })
    }

    /// Where it is.
    pub(super) fn group_path(&self) -> &Path {
        &self.path
    }

    /// Takes in a process and its children; what they start later is in it by itself.
    pub(super) fn enroll_process(&self, pid: u32) -> Result<(), Failure> {
        enroll_process_in_group(&self.path, pid)
    }

    /// Removes it; no process may be left in it.
    pub(super) fn remove_group(self) -> Result<(), Failure> {
        fs::remove_dir(&self.path).map_err(Failure::system_call_failed(format!("remove {}", self.path.display())))
    }
}

/// Takes a process and its children into the control group at `path`; what they start later is in it by itself.
pub(super) fn enroll_process_in_group(path: &Path, pid: u32) -> Result<(), Failure> {
    let members = path.join("cgroup.procs");
    let enrolled = fs::write(&members, pid.to_string());
    enrolled.map_err(Failure::system_call_failed(format!("put process {pid} into {}", path.display())))?;
    let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default();
    for child in children.split_whitespace() {
        // One that has ended meanwhile needs no limit.
        let _ = fs::write(&members, child);
    }
    Ok(())
}

/// Limits the control group at `path` to so many CPUs, or to none.
pub(crate) fn limit_cpus(path: &Path, cpus: Option<f64>) -> io::Result<()> {
    let quota_us = cpus.map(|cpus| (cpus * f64::from(PERIOD_US)).round());
    if path.join("cpu.max").exists() {
        let quota = quota_us.map_or("max".to_owned(), |us| us.to_string());
        return fs::write(path.join("cpu.max"), format!("{quota} {PERIOD_US}"));
    }
    fs::write(path.join("cpu.cfs_period_us"), PERIOD_US.to_string())?;
    fs::write(path.join("cpu.cfs_quota_us"), quota_us.map_or("-1".to_owned(), |us| us.to_string()))
}

/// The directory under which groups with a limit of CPUs can be made.
fn find_parent_group() -> Option<PathBuf> {
    let version_1 = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"].map(PathBuf::from);
    let version_1 = version_1.into_iter().find(|root| root.join("cpu.shares").exists() || root.join("tasks").exists());
    version_1.or_else(|| {
        let root = PathBuf::from("/sys/fs/cgroup");
        let controllers = fs::read_to_string(root.join("cgroup.subtree_control")).ok()?;
        controllers.split_whitespace().any(|controller| controller == "cpu").then_some(root)
    })
}

/// Removes the empty groups of supervisors that are gone.
fn sweep_abandoned_groups(root: &Path) {
    let Ok(entries) = fs::read_dir(root) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        if owner.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            // One that is not empty is not ours to remove: the kernel refuses.
            let _ = fs::remove_dir(entry.path());
        }
    }
}
