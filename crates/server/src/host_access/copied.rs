//! The host of a server, read in a copy of some of its files: what a container shows of the machine below it.
//!
//! A container has no agent of ours. What its own programs can print is copied here, and read as this machine would be.

use std::path::{Path, PathBuf};

use results::facts::DataDirectoryDisk;

use super::HostHere;
use super::whereabouts::Whereabouts;
use crate::facts::host::{self, HostFactGaps};
use crate::facts::{disk, kernel, machine};

/// What a host's facts are read from, as patterns of a shell. Control groups of both versions: a container sees its own
/// as the root of them.
#[must_use]
pub fn files_of_facts() -> Vec<String> {
    const OTHERS: [&str; 14] = [
        "proc/cpuinfo",
        "proc/meminfo",
        "proc/self/mountinfo",
        "proc/sys/kernel/osrelease",
        "proc/sys/kernel/random/boot_id",
        "etc/os-release",
        "usr/lib/os-release",
        "sys/devices/system/cpu/online",
        "sys/devices/system/node/online",
        "sys/devices/system/node/node*/cpulist",
        "sys/fs/cgroup/cpu.max",
        "sys/fs/cgroup/memory.max",
        "sys/fs/cgroup/*/cpu.cfs_*_us",
        "sys/fs/cgroup/*/memory.limit_in_bytes",
    ];
    kernel::files_read_for_facts().chain(machine::FILES).chain(OTHERS).map(|file| format!("/{file}")).collect()
}

/// Reads the facts of a host in a copy of its files.
#[must_use]
pub fn host_in(root: &Path, server: Whereabouts) -> HostHere {
    let mut gaps = HostFactGaps::new();
    let host = host::read_host_facts(root, Some(&server), &mut gaps);
    HostHere { host, gaps, server: Some(server) }
}

/// The disk below a directory, as a copy of its host's files has it; its size is that of the copy's own file system.
///
/// # Errors
/// No mount of it holds the directory.
pub fn disk_in(root: &Path, directory: &Path) -> Result<DataDirectoryDisk, String> {
    disk::read_disk_facts(root, directory)
}

/// The numbers of the block device below a directory, by the text of `/proc/self/mountinfo`.
#[must_use]
pub fn device_of(mountinfo: &str, directory: &Path) -> Option<String> {
    disk::device_number(mountinfo, directory)
}

/// The postmaster of a session's process, by the text of its `status`.
#[must_use]
pub fn postmaster_in(status: &str) -> Option<u32> {
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

/// A table of groups as one that stands at their root, where a container's own group is mounted.
#[must_use]
pub fn groups_within(cgroup: &str) -> String {
    let at_root = |line: &str| {
        let mut fields = line.splitn(3, ':');
        Some(format!("{}:{}:/\n", fields.next()?, fields.next()?))
    };
    cgroup.lines().filter_map(at_root).collect()
}

/// Where a file of the host is in the copy; none for a path that would lead out of it.
#[must_use]
pub fn place_in(root: &Path, file: &str) -> Option<PathBuf> {
    let leads_out = file.split('/').any(|part| part == "..");
    (!leads_out).then(|| root.join(file.trim_start_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_the_facts_tell_what_the_machine_itself_tells() {
        let copy = tempfile::tempdir().unwrap();
        let patterns = files_of_facts().join(" ");
        let listed = std::process::Command::new("sh").arg("-c").arg(format!("printf '%s\\n' {patterns}")).output();
        for file in String::from_utf8(listed.unwrap().stdout).unwrap().lines() {
            // A pattern that nothing meets stands for itself.
            let Ok(content) = std::fs::read(file) else { continue };
            let place = place_in(copy.path(), file).unwrap();
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::fs::write(place, content).unwrap();
        }
        let told = |root: &Path| {
            let host = host::read_host_facts(root, None, &mut HostFactGaps::new()).expect("the essentials");
            (host.cpu_model, host.cpus, host.numa_nodes, host.machine, host.kernel, host.os, host.kernel_settings)
        };
        assert_eq!(told(copy.path()), told(Path::new("/")));
    }

    #[test]
    fn a_container_s_groups_of_both_versions_stand_at_the_root() {
        let v1 = "9:cpuset:/kubelab/n1/kubepods/pod1/c\n2:cpu,cpuacct:/kubelab/n1/kubepods/pod1/c\n0::/\n";
        assert_eq!(groups_within(v1), "9:cpuset:/\n2:cpu,cpuacct:/\n0::/\n");
        assert_eq!(groups_within("0::/\n"), "0::/\n");
    }

    #[test]
    fn the_postmaster_is_the_parent_of_a_session() {
        assert_eq!(postmaster_in("Name:\tpostgres\nPid:\t70\nPPid:\t31\n"), Some(31));
        assert_eq!(postmaster_in(""), None);
    }

    #[test]
    fn no_file_is_copied_out_of_the_copy() {
        assert_eq!(place_in(Path::new("/tmp/x"), "/proc/stat"), Some(PathBuf::from("/tmp/x/proc/stat")));
        assert_eq!(place_in(Path::new("/tmp/x"), "/proc/../../etc/passwd"), None);
    }
}
