//! `host.cgroup`: how the limits of the server's control group held it back, from its `cpu.stat` and `memory.events`
//! (version 2), or `cpu.stat` and `memory.oom_control` (version 1).
//!
//! A group without a limit counts no periods, and its figures are zero. That is what the kernel says, not a guess.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use results::probe_fields::{ProbeField, ProbeName, host_cgroup};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile, named_numbers};
use crate::counter::{Backwards, ReadingValues, increase_of};

/// Reads the group that a process is in, which is looked up at each reading: processes can be moved.
pub(crate) struct Cgroup {
    root: PathBuf,
    process: u32,
}

/// The counters.
pub(crate) type CgroupSnapshot = BTreeMap<ProbeField, u64>;

/// A group, by the version of the interface.
#[derive(Debug, PartialEq, Eq)]
enum ControlGroup {
    /// The directories of the CPU controller, and of that of memory, if it is in a group of one.
    V1 {
        cpu: String,
        memory: Option<String>,
    },
    V2 {
        path: String,
    },
}

/// Microseconds from what version 1 counts in nanoseconds.
const NS_PER_US: u64 = 1000;

impl Cgroup {
    pub(crate) fn new(root: &Path, process: u32) -> Self {
        Self { root: root.to_owned(), process }
    }

    fn read_cgroup_file<S>(
        &self,
        directory: &str,
        parse: impl FnOnce(&str) -> Result<S, Malformed>,
    ) -> Result<S, UnreadableFile> {
        proc_file::read_proc_file(&self.root, &format!("sys/fs/cgroup/{directory}"), parse)
    }
}

impl HostSource for Cgroup {
    type Snapshot = CgroupSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_cgroup::PROBE
    }

    fn read_snapshot(&self) -> Result<CgroupSnapshot, UnreadableFile> {
        match proc_file::read_proc_file(&self.root, &format!("proc/{}/cgroup", self.process), parse_process_cgroup)? {
            ControlGroup::V1 { cpu, memory } => {
                let mut snapshot =
                    self.read_cgroup_file(&format!("cpu{cpu}/cpu.stat"), |text| cpu_v1(&named_numbers(text)?))?;
                let memory = memory.map(|memory| format!("memory{memory}/memory.oom_control"));
                // Kernels count kills there since 4.13.
                if let Some(kills) =
                    memory.and_then(|file| self.read_cgroup_file(&file, named_numbers).ok()?.get("oom_kill").copied())
                {
                    snapshot.insert(host_cgroup::MEMORY_OOM_KILLS, kills);
                }
                Ok(snapshot)
            }
            ControlGroup::V2 { path } => {
                let mut snapshot = self
                    .read_cgroup_file(&format!("{}/cpu.stat", path.trim_end_matches('/')), |text| {
                        cpu_v2(&named_numbers(text)?)
                    })?;
                // The root group has none of these; a group may lack the memory controller.
                if let Ok(events) = self.read_cgroup_file(&format!("{path}/memory.events"), named_numbers) {
                    let named = [
                        (host_cgroup::MEMORY_HIGH_EVENTS, "high"),
                        (host_cgroup::MEMORY_MAX_EVENTS, "max"),
                        (host_cgroup::MEMORY_OOM_KILLS, "oom_kill"),
                    ];
                    snapshot.extend(named.into_iter().filter_map(|(ours, theirs)| Some((ours, *events.get(theirs)?))));
                }
                Ok(snapshot)
            }
        }
    }

    fn snapshot_difference(before: &CgroupSnapshot, after: &CgroupSnapshot) -> Result<ReadingValues, Backwards> {
        let both = after.iter().filter_map(|(field, after)| Some((*field, *before.get(field)?, *after)));
        both.map(|(field, before, after)| increase_of(field, before, after)).collect()
    }
}

/// From `/proc/PID/cgroup`: lines `number:controllers:path`, of which version 2 has the one
/// with number 0 and no controllers.
fn parse_process_cgroup(text: &str) -> Result<ControlGroup, Malformed> {
    let mut lines = text.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        Some((fields.next()?, fields.next()?, fields.next()?))
    });
    let of_v1 = |controller: &str| {
        let mut of_controller = lines.clone().filter(|(_, all, _)| all.split(',').any(|name| name == controller));
        of_controller.next().map(|(_, _, path)| if path == "/" { String::new() } else { path.to_owned() })
    };
    if let Some(cpu) = of_v1("cpu") {
        return Ok(ControlGroup::V1 { cpu, memory: of_v1("memory") });
    }
    match lines.find(|(number, controllers, _)| *number == "0" && controllers.is_empty()) {
        Some((_, _, path)) => Ok(ControlGroup::V2 { path: path.trim_start_matches('/').to_owned() }),
        None => Err(Malformed("it lists no group of the CPU controller".to_owned())),
    }
}

fn cpu_v1(stat: &BTreeMap<String, u64>) -> Result<CgroupSnapshot, Malformed> {
    let figure = |name: &str| stat.get(name).copied().ok_or_else(|| Malformed(format!("it has no {name}")));
    Ok(CgroupSnapshot::from([
        (host_cgroup::CPU_PERIODS, figure("nr_periods")?),
        (host_cgroup::CPU_THROTTLED_PERIODS, figure("nr_throttled")?),
        (host_cgroup::CPU_THROTTLED_US, figure("throttled_time")? / NS_PER_US),
    ]))
}

/// The root group, and a group without the CPU controller, count only usage.
fn cpu_v2(stat: &BTreeMap<String, u64>) -> Result<CgroupSnapshot, Malformed> {
    let usage = *stat.get("usage_usec").ok_or_else(|| Malformed("it has no usage_usec".to_owned()))?;
    let named = [
        (host_cgroup::CPU_PERIODS, "nr_periods"),
        (host_cgroup::CPU_THROTTLED_PERIODS, "nr_throttled"),
        (host_cgroup::CPU_THROTTLED_US, "throttled_usec"),
    ];
    let limits = named.into_iter().filter_map(|(ours, theirs)| Some((ours, *stat.get(theirs)?)));
    Ok(limits.chain([(host_cgroup::CPU_USAGE_US, usage)]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    #[test]
    fn the_group_is_found_in_version_1_and_in_version_2() {
        let hybrid = "9:name=systemd:/x\n3:memory:/mem\n2:cpuacct:/\n1:cpu:/bench\n0::/\n";
        assert_eq!(
            parse_process_cgroup(hybrid),
            Ok(ControlGroup::V1 { cpu: "/bench".to_owned(), memory: Some("/mem".to_owned()) })
        );
        assert_eq!(
            parse_process_cgroup("4:cpu,cpuacct:/\n"),
            Ok(ControlGroup::V1 { cpu: String::new(), memory: None })
        );
        assert_eq!(
            parse_process_cgroup("0::/system.slice/pg.service\n"),
            Ok(ControlGroup::V2 { path: "system.slice/pg.service".to_owned() })
        );
        assert!(parse_process_cgroup("3:memory:/\n").is_err());
    }

    #[test]
    fn both_versions_come_out_in_the_same_units() {
        let v1 = cpu_v1(&named_numbers("nr_periods 50\nnr_throttled 20\nthrottled_time 3000000\n").unwrap()).unwrap();
        let v2 = cpu_v2(
            &named_numbers(
                "usage_usec 7\nuser_usec 5\nsystem_usec 2\nnr_periods 50\nnr_throttled 20\nthrottled_usec 3000\n",
            )
            .unwrap(),
        )
        .unwrap();
        for field in [host_cgroup::CPU_PERIODS, host_cgroup::CPU_THROTTLED_PERIODS, host_cgroup::CPU_THROTTLED_US] {
            assert_eq!(v1[&field], v2[&field], "{field:?}");
        }
        assert_eq!(v2[&host_cgroup::CPU_USAGE_US], 7);
    }

    #[test]
    fn kills_for_want_of_memory_are_counted_by_the_group_in_both_versions() {
        let read = |groups: &str, files: &[(&str, &str)]| {
            let root = tempfile::tempdir().unwrap();
            for (name, text) in [("proc/7/cgroup", groups)].iter().chain(files) {
                let place = root.path().join(name);
                std::fs::create_dir_all(place.parent().unwrap()).unwrap();
                std::fs::write(place, text).unwrap();
            }
            Cgroup::new(root.path(), 7).read_snapshot().unwrap()
        };
        let kills =
            |groups: &str, files: &[(&str, &str)]| read(groups, files).get(&host_cgroup::MEMORY_OOM_KILLS).copied();
        let cpu_v1 = ("sys/fs/cgroup/cpu/pod/cpu.stat", "nr_periods 5\nnr_throttled 2\nthrottled_time 3\n");
        let control = ("sys/fs/cgroup/memory/pod/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
        assert_eq!(kills("2:cpu:/pod\n1:memory:/pod\n", &[cpu_v1, control]), Some(3));
        assert_eq!(kills("2:cpu:/pod\n1:memory:/pod\n", &[cpu_v1]), None, "an older kernel");
        let cpu_v2 = ("sys/fs/cgroup/pg/cpu.stat", "usage_usec 7\n");
        let events = ("sys/fs/cgroup/pg/memory.events", "low 0\nhigh 0\nmax 4\noom 1\noom_kill 2\n");
        assert_eq!(kills("0::/pg\n", &[cpu_v2, events]), Some(2));
        assert_eq!(kills("0::/pg\n", &[cpu_v2]), None, "without the memory controller");
        let limited = "usage_usec 7\nnr_periods 5\nnr_throttled 2\nthrottled_usec 3\n";
        let whole = read("0::/pg\n", &[("sys/fs/cgroup/pg/cpu.stat", limited), events]);
        assert_every_field(host_cgroup::PROBE, &Cgroup::snapshot_difference(&whole, &whole).unwrap());
    }

    #[test]
    fn a_group_that_was_made_anew_is_a_gap() {
        let at = |us| CgroupSnapshot::from([(host_cgroup::CPU_THROTTLED_US, us)]);
        assert_eq!(Cgroup::snapshot_difference(&at(5), &at(9)).unwrap()["cpu_throttled_us"], 4.0);
        assert!(Cgroup::snapshot_difference(&at(5), &at(2)).is_err());
    }
}
