//! The CPU and memory limits of a process's control group: the tightest on the way from the group up to the root, in
//! the unified hierarchy (v2) and in the `cpu` and `memory` hierarchies (v1), whichever exist.

use std::fs;
use std::path::{Path, PathBuf};

use results::facts::CgroupLimits;

use super::text_file::read_text_file;

/// No limit known.
pub(crate) fn without_limits() -> CgroupLimits {
    CgroupLimits::default()
}

/// Reads the limits of the group of a process.
pub(crate) fn read_cgroup_limits(root: &Path, pid: u32) -> Result<CgroupLimits, String> {
    let groups = read_text_file(root, &format!("proc/{pid}/cgroup"))?;
    let mounts = read_text_file(root, "proc/self/mountinfo")?;
    let mut limits = without_limits();
    for group in groups.lines() {
        let mut fields = group.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let unified = controllers.is_empty();
        let has = |controller: &str| controllers.split(',').any(|name| name == controller);
        if !(unified || has("cpu") || has("memory")) {
            continue;
        }
        let Some((mount, below)) = find_hierarchy(&mounts, controllers, path) else { continue };
        for group in group_and_ancestors(root, &mount, &below) {
            let cpus = if unified { cpus_v2(&group) } else { cpus_v1(&group) };
            let memory = if unified {
                number_in_file(&group, "memory.max")
            } else {
                number_in_file(&group, "memory.limit_in_bytes")
            };
            limits.cpus = tighter_limit(limits.cpus, cpus, f64::min);
            limits.memory_bytes =
                tighter_limit(limits.memory_bytes, memory.filter(|&bytes| bytes < NO_LIMIT_V1), u64::min);
        }
    }
    Ok(limits)
}

/// v1 has no word for "no limit": it shows the largest number of whole pages.
const NO_LIMIT_V1: u64 = 1 << 62;

/// Where a hierarchy is mounted, and the group's path below that.
fn find_hierarchy(mountinfo: &str, controllers: &str, path: &str) -> Option<(PathBuf, PathBuf)> {
    mountinfo.lines().find_map(|line| {
        let (before, after) = line.split_once(" - ")?;
        let mut after = after.split(' ');
        let (filesystem, options) = (after.next()?, after.nth(1)?);
        let matches = if controllers.is_empty() {
            filesystem == "cgroup2"
        } else {
            filesystem == "cgroup" && controllers.split(',').all(|wanted| options.split(',').any(|has| has == wanted))
        };
        let mut before = before.split(' ').skip(3);
        let (mounted_root, mount_point) = (before.next()?, before.next()?);
        // In a container the mount may show only a part of the hierarchy, with the process's group as its root.
        let below = Path::new(path).strip_prefix(mounted_root).unwrap_or(Path::new(""));
        matches.then(|| (PathBuf::from(mount_point), below.to_owned()))
    })
}

/// The group and all above it, as directories.
fn group_and_ancestors(root: &Path, mount: &Path, below: &Path) -> Vec<PathBuf> {
    let mount = root.join(mount.strip_prefix("/").unwrap_or(mount));
    below.ancestors().map(|group| mount.join(group)).collect()
}

fn value_in_file(group: &Path, file: &str) -> Option<String> {
    fs::read_to_string(group.join(file)).ok().map(|text| text.trim().to_owned())
}

fn number_in_file(group: &Path, file: &str) -> Option<u64> {
    value_in_file(group, file)?.parse().ok()
}

/// `cpu.max`: quota and period in microseconds, or `max`.
fn cpus_v2(group: &Path) -> Option<f64> {
    let text = value_in_file(group, "cpu.max")?;
    let (quota, period) = text.split_once(' ')?;
    Some(quota.parse::<f64>().ok()? / period.parse::<f64>().ok()?)
}

/// `cpu.cfs_quota_us` is −1 without a limit.
fn cpus_v1(group: &Path) -> Option<f64> {
    let quota = number_in_file(group, "cpu.cfs_quota_us")?;
    Some(quota as f64 / number_in_file(group, "cpu.cfs_period_us")? as f64)
}

fn tighter_limit<T>(one: Option<T>, other: Option<T>, min: impl Fn(T, T) -> T) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(min(one, other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const V1: &str = "40 1 0:30 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
                      41 1 0:31 / /cg/memory rw - cgroup cgroup rw,memory\n";
    const V2: &str = "42 1 0:32 / /cg/unified rw - cgroup2 cgroup2 rw\n";
    const PART: &str = "42 1 0:32 /kubepods/pod1 /cg/unified rw - cgroup2 cgroup2 rw\n";

    fn check(mounts: &str, groups: &str, files: &[(&str, &str)], cpus: Option<f64>, memory_bytes: Option<u64>) {
        let root = tempfile::tempdir().unwrap();
        let own = [("proc/self/mountinfo", mounts), ("proc/7/cgroup", groups)];
        for (path, content) in own.iter().chain(files) {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), content).unwrap();
        }
        assert_eq!(read_cgroup_limits(root.path(), 7), Ok(CgroupLimits { cpus, memory_bytes }), "{groups}");
    }

    #[test]
    fn the_tightest_limit_on_the_way_up_counts() {
        let files = [
            ("cg/unified/a/cpu.max", "150000 100000\n"),
            ("cg/unified/a/memory.max", "1073741824\n"),
            ("cg/unified/a/b/cpu.max", "max 100000\n"),
            ("cg/unified/a/b/memory.max", "2147483648\n"),
        ];
        check(V2, "0::/a/b\n", &files, Some(1.5), Some(1 << 30));
        check(V2, "0::/\n", &files, None, None);
    }

    #[test]
    fn both_versions_side_by_side_are_read() {
        let files = [
            ("cg/cpu/x/cpu.cfs_quota_us", "50000\n"),
            ("cg/cpu/x/cpu.cfs_period_us", "100000\n"),
            ("cg/cpu/cpu.cfs_quota_us", "-1\n"),
            ("cg/memory/y/memory.limit_in_bytes", "536870912\n"),
            ("cg/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ];
        let groups = "4:memory:/y\n3:blkio:/z\n2:cpu,cpuacct:/x\n0::/\n";
        check(&(V1.to_owned() + V2), groups, &files, Some(0.5), Some(1 << 29));
    }

    #[test]
    fn a_hierarchy_of_which_a_part_is_mounted_is_read_from_there() {
        let files = [("cg/unified/memory.max", "4096\n"), ("cg/unified/c/cpu.max", "400000 100000\n")];
        check(PART, "0::/kubepods/pod1/c\n", &files, Some(4.0), Some(4096));
        check(PART, "0::/elsewhere\n", &files, None, Some(4096));
    }

    #[test]
    fn a_process_that_is_gone_is_a_reason_and_not_the_absence_of_limits() {
        let empty = tempfile::tempdir().unwrap();
        assert!(read_cgroup_limits(empty.path(), 7).unwrap_err().starts_with("/proc/7/cgroup: "));
    }
}
