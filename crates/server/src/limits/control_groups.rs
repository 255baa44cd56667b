//! The control groups that hold a server to its limits, computed from the limits and the hierarchies of the machine.

use std::path::PathBuf;

use super::hierarchy::{ControllerPlace, Hierarchies};
use super::limit_error::LimitError;

/// The length of a period of CPU time in microseconds, as Kubernetes has it.
const PERIOD_US: u32 = 100_000;

/// What a server may use of the machine.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GroupLimits {
    /// CPU time, in CPUs.
    pub cpus: Option<f64>,
    /// The CPUs that it may run on, ascending.
    pub pin: Option<Vec<u32>>,
    /// Memory with page cache, in bytes.
    pub memory_bytes: Option<u64>,
    /// Reads per second.
    pub read_iops: Option<u64>,
    /// Writes per second.
    pub write_iops: Option<u64>,
    /// Bytes read per second.
    pub read_bytes_per_s: Option<u64>,
    /// Bytes written per second.
    pub write_bytes_per_s: Option<u64>,
}

impl GroupLimits {
    /// Whether something of a disk is limited.
    pub(super) fn limits_disk(&self) -> bool {
        self.disk_limits().iter().any(|(_, limit)| limit.is_some())
    }

    fn disk_limits(&self) -> [(&'static str, Option<u64>); 4] {
        [
            ("read_iops", self.read_iops),
            ("write_iops", self.write_iops),
            ("read_bandwidth", self.read_bytes_per_s),
            ("write_bandwidth", self.write_bytes_per_s),
        ]
    }
}

/// A group that is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlannedGroup {
    /// Where.
    pub(super) directory: PathBuf,
    /// What is written, in this order.
    pub(super) values: Vec<GroupValue>,
}

/// A value of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GroupValue {
    /// The key of the plan that asks for it; none of what is only needed for another value.
    pub(super) key: Option<&'static str>,
    /// The file in the group.
    pub(super) file: &'static str,
    /// What is written.
    pub(super) set: String,
    /// What is written before processes are put into the group, as long as the limit does not hold yet; none of what
    /// has no limit by itself.
    pub(super) lifted: Option<String>,
    /// The limit for people; empty of what is only needed for another value.
    pub(super) words: String,
}

impl GroupValue {
    /// Whether a line of the file says what was written. Version 2 writes all limits of a device in one line.
    pub(super) fn is_shown_by(&self, line: &str) -> bool {
        let shown: Vec<&str> = line.split_whitespace().collect();
        self.set.split_whitespace().all(|word| shown.contains(&word))
    }
}

/// The groups of that name which hold these limits; `devices` are the disks to be limited, as `major:minor`.
pub(super) fn plan_groups(
    hierarchies: &Hierarchies,
    name: &str,
    limits: &GroupLimits,
    devices: &[String],
) -> Result<Vec<PlannedGroup>, LimitError> {
    let mut groups = Vec::new();
    if let Some(cpus) = limits.cpus {
        let quota = (cpus * f64::from(PERIOD_US)).round();
        let words = format!("{cpus} CPUs");
        let place = hierarchies.place_of_controller("cpus", ["cpu", "cpu"])?;
        let values = match &place {
            ControllerPlace::Version1(_) => vec![
                needed_value("cpu.cfs_period_us", PERIOD_US.to_string()),
                limit_value("cpus", "cpu.cfs_quota_us", quota.to_string(), words),
            ],
            ControllerPlace::Version2(_) => vec![limit_value("cpus", "cpu.max", format!("{quota} {PERIOD_US}"), words)],
        };
        add_values(&mut groups, place, name, values);
    }
    if let Some(pin) = &limits.pin {
        let place = hierarchies.place_of_controller("pin", ["cpuset", "cpuset"])?;
        let list = list_of_numbers(pin);
        let words = format!("CPUs {list}");
        let nodes = needed_value("cpuset.mems", hierarchies.memory_nodes.clone());
        let values = match &place {
            // A process is not taken in before both have a value.
            ControllerPlace::Version1(_) => {
                let cpus = limit_value("pin", "cpuset.cpus", list, words);
                vec![nodes, GroupValue { lifted: Some(hierarchies.all_cpus.clone()), ..cpus }]
            }
            ControllerPlace::Version2(_) => vec![limit_value("pin", "cpuset.cpus", list, words)],
        };
        add_values(&mut groups, place, name, values);
    }
    if let Some(bytes) = limits.memory_bytes {
        let place = hierarchies.place_of_controller("memory", ["memory", "memory"])?;
        let file = match &place {
            ControllerPlace::Version1(_) => "memory.limit_in_bytes",
            ControllerPlace::Version2(_) => "memory.max",
        };
        let words = format!("{} MiB", bytes >> 20);
        add_values(&mut groups, place, name, vec![limit_value("memory", file, bytes.to_string(), words)]);
    }
    for (key, limit) in limits.disk_limits() {
        let Some(limit) = limit else { continue };
        let place = hierarchies.place_of_controller(key, ["blkio", "io"])?;
        let values = devices.iter().map(|device| disk_value(&place, key, device, limit)).collect();
        add_values(&mut groups, place, name, values);
    }
    Ok(groups)
}

/// A limit of a device in the words of its controller.
fn disk_value(place: &ControllerPlace, key: &'static str, device: &str, limit: u64) -> GroupValue {
    let (file, word) = match key {
        "read_iops" => ("blkio.throttle.read_iops_device", "riops"),
        "write_iops" => ("blkio.throttle.write_iops_device", "wiops"),
        "read_bandwidth" => ("blkio.throttle.read_bps_device", "rbps"),
        _ => ("blkio.throttle.write_bps_device", "wbps"),
    };
    let words = match key {
        "read_iops" | "write_iops" => format!("{limit}/s"),
        _ => format!("{} kB/s", limit / 1000),
    };
    match place {
        ControllerPlace::Version1(_) => limit_value(key, file, format!("{device} {limit}"), words),
        ControllerPlace::Version2(_) => limit_value(key, "io.max", format!("{device} {word}={limit}"), words),
    }
}

/// A limit of the plan.
fn limit_value(key: &'static str, file: &'static str, set: String, words: String) -> GroupValue {
    GroupValue { key: Some(key), file, set, lifted: None, words }
}

/// What must have a value before a limit holds.
fn needed_value(file: &'static str, set: String) -> GroupValue {
    GroupValue { key: None, file, lifted: Some(set.clone()), set, words: String::new() }
}

/// Adds values to the group of a hierarchy, which there is once.
fn add_values(groups: &mut Vec<PlannedGroup>, place: ControllerPlace, name: &str, values: Vec<GroupValue>) {
    let (ControllerPlace::Version1(point) | ControllerPlace::Version2(point)) = place;
    let directory = point.join(name);
    match groups.iter_mut().find(|group| group.directory == directory) {
        Some(group) => group.values.extend(values),
        None => groups.push(PlannedGroup { directory, values }),
    }
}

/// As the kernel writes a list: `0,2-3`.
fn list_of_numbers(numbers: &[u32]) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while at < numbers.len() {
        let first = numbers[at];
        while at + 1 < numbers.len() && numbers[at + 1] == numbers[at] + 1 {
            at += 1;
        }
        words.push(if first == numbers[at] { first.to_string() } else { format!("{first}-{}", numbers[at]) });
        at += 1;
    }
    words.join(",")
}

/// The numbers of a list of the kernel.
pub(super) fn numbers_in_list(list: &str) -> Vec<u32> {
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            numbers.extend(first..=last);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// A tree with these mounts and files.
    fn machine(mounts: &str, files: &[(&str, &str)]) -> Hierarchies {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in [("proc/self/mountinfo", mounts)].iter().chain(files) {
            fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
            fs::write(root.path().join(path), text).unwrap();
        }
        Hierarchies::read_from(root.path()).unwrap()
    }

    /// As a machine with version 1 shows them, with the unified hierarchy beside them.
    const VERSION_1: &str = "30 25 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n\
                             31 25 0:27 / /sys/fs/cgroup/cpuset rw,relatime - cgroup cgroup rw,cpuset\n\
                             32 25 0:28 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n\
                             33 25 0:29 / /sys/fs/cgroup/blkio rw,relatime - cgroup cgroup rw,blkio\n\
                             34 25 0:30 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

    /// As systemd mounts version 2.
    const VERSION_2: &str = "35 24 0:31 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw,nsdelegate\n";

    fn all_limits() -> GroupLimits {
        GroupLimits {
            cpus: Some(0.5),
            pin: Some(vec![0, 2, 3]),
            memory_bytes: Some(256 << 20),
            read_iops: Some(300),
            write_iops: Some(200),
            read_bytes_per_s: Some(55_000_000),
            write_bytes_per_s: None,
        }
    }

    fn lines(hierarchies: &Hierarchies) -> Vec<String> {
        let groups = plan_groups(hierarchies, "g", &all_limits(), &["7:3".to_owned()]).unwrap();
        let mut lines = Vec::new();
        for group in groups {
            for value in group.values {
                lines.push(format!("{} = {}", group.directory.join(value.file).display(), value.set));
            }
        }
        lines
    }

    #[test]
    fn version_1_has_a_group_in_each_hierarchy() {
        let machine = machine(VERSION_1, &[("sys/fs/cgroup/cpuset/cpuset.mems", "0-1\n")]);
        let expected = [
            "/sys/fs/cgroup/cpu/g/cpu.cfs_period_us = 100000",
            "/sys/fs/cgroup/cpu/g/cpu.cfs_quota_us = 50000",
            "/sys/fs/cgroup/cpuset/g/cpuset.mems = 0-1",
            "/sys/fs/cgroup/cpuset/g/cpuset.cpus = 0,2-3",
            "/sys/fs/cgroup/memory/g/memory.limit_in_bytes = 268435456",
            "/sys/fs/cgroup/blkio/g/blkio.throttle.read_iops_device = 7:3 300",
            "/sys/fs/cgroup/blkio/g/blkio.throttle.write_iops_device = 7:3 200",
            "/sys/fs/cgroup/blkio/g/blkio.throttle.read_bps_device = 7:3 55000000",
        ];
        assert_eq!(lines(&machine), expected);
    }

    #[test]
    fn version_2_has_one_group_of_all() {
        let controllers = ("sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu io memory pids\n");
        let expected = [
            "/sys/fs/cgroup/g/cpu.max = 50000 100000",
            "/sys/fs/cgroup/g/cpuset.cpus = 0,2-3",
            "/sys/fs/cgroup/g/memory.max = 268435456",
            "/sys/fs/cgroup/g/io.max = 7:3 riops=300",
            "/sys/fs/cgroup/g/io.max = 7:3 wiops=200",
            "/sys/fs/cgroup/g/io.max = 7:3 rbps=55000000",
        ];
        assert_eq!(lines(&machine(VERSION_2, &[controllers])), expected);
        let io = limit_value("read_iops", "io.max", "7:3 riops=300".to_owned(), String::new());
        assert!(io.is_shown_by("7:3 rbps=max wbps=max riops=300 wiops=200"));
        assert!(!io.is_shown_by("7:3 rbps=max wbps=max riops=max wiops=200"));
        assert!(!io.is_shown_by("7:4 rbps=max wbps=max riops=300 wiops=200"));
    }

    #[test]
    fn a_controller_that_is_not_there_is_refused_by_the_key_of_the_plan() {
        let refused = |hierarchies: &Hierarchies| {
            plan_groups(hierarchies, "g", &all_limits(), &[])
                .map_err(|error| (error.to_string(), error.error_hint()))
                .unwrap_err()
        };
        let controllers = ("sys/fs/cgroup/cgroup.subtree_control", "cpuset cpu memory pids\n");
        let (said, hint) = refused(&machine(VERSION_2, &[controllers]));
        assert_eq!(said, "limits.read_iops: the controller io is not enabled in /sys/fs/cgroup/cgroup.subtree_control");
        assert_eq!(hint.as_deref(), Some("as root: echo +io > /sys/fs/cgroup/cgroup.subtree_control"));
        let (said, _) = refused(&machine("", &[]));
        assert_eq!(said, "limits.cpus: no control group hierarchy with cpu is mounted");
        assert!(Hierarchies::read_from(Path::new("/nowhere")).is_err());
    }

    #[test]
    fn lists_of_the_kernel_are_read_and_written() {
        for list in ["0", "0-3", "0,2-3", "1,3,5-7"] {
            assert_eq!(list_of_numbers(&numbers_in_list(list)), list);
        }
    }
}
