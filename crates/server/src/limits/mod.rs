//! Limits of a server by control groups: which groups there must be (pure), and that they are made and read back.

mod control_groups;
mod device;
mod device_values;
mod hierarchy;
mod limit_error;

use std::fs;
use std::path::{Path, PathBuf};

use results::facts::ReadBackLimit;

pub use control_groups::GroupLimits;
use control_groups::{GroupValue, PlannedGroup};
pub use device_values::{DeviceValues, set_device_values};
use hierarchy::Hierarchies;
pub use limit_error::LimitError;

use crate::journal::{Journal, MachineChange};

/// Groups that limit one server, once their limits are set.
#[derive(Debug, Default)]
pub struct LimitingGroups {
    planned: Vec<PlannedGroup>,
}

impl LimitingGroups {
    /// The directories into which its processes are put.
    #[must_use]
    pub fn group_directories(&self) -> Vec<PathBuf> {
        self.planned.iter().map(|group| group.directory.clone()).collect()
    }

    /// Writes what groups need before processes can be put into them.
    fn lift_limits(&self) -> Result<(), LimitError> {
        for group in &self.planned {
            for value in &group.values {
                let Some(lifted) = &value.lifted else { continue };
                let file = group.directory.join(value.file);
                fs::write(&file, lifted).map_err(LimitError::failed_at(&file))?;
            }
        }
        Ok(())
    }

    /// Sets the limits, which hold from now on for all processes in the groups; returns each as the kernel shows it, by
    /// the key of the plan.
    ///
    /// # Errors
    /// The kernel does not take a limit, or the server already uses more memory than it may.
    pub fn set_limits(&self) -> Result<Vec<ReadBackLimit>, LimitError> {
        let mut read_back = Vec::new();
        for group in &self.planned {
            for value in &group.values {
                read_back.extend(set_value(group, value)?);
            }
        }
        Ok(read_back)
    }
}

/// Makes the groups of a server whose data lie, or will lie, below this directory and whose WAL below the other. Their
/// limits are not set yet.
///
/// # Errors
/// The machine cannot do it, with the key of the plan that asks for it; or a step fails. What was made is undone with
/// the journal.
pub fn make_limiting_groups(
    journal: &mut Journal,
    limits: &GroupLimits,
    disks: &[PathBuf],
) -> Result<LimitingGroups, LimitError> {
    let devices = limited_devices(limits, disks)?;
    let hierarchies = Hierarchies::read_from(Path::new("/"))?;
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| LimitError::Failed(error.to_string()))?;
    let name = format!("pgdyno-limits-{:016x}", u64::from_ne_bytes(random));
    let planned = control_groups::plan_groups(&hierarchies, &name, limits, &devices)?;
    for group in &planned {
        journal.make_change(&MachineChange::Directory { path: group.directory.clone() })?;
    }
    let groups = LimitingGroups { planned };
    groups.lift_limits()?;
    Ok(groups)
}

/// Refuses what this machine cannot keep, without changing anything.
///
/// # Errors
/// The limit that it cannot keep, by the key of the plan, and what to do about it.
pub fn check_limits(limits: &GroupLimits, disks: &[PathBuf]) -> Result<(), LimitError> {
    check_cpus(limits)?;
    let devices = limited_devices(limits, disks)?;
    control_groups::plan_groups(&Hierarchies::read_from(Path::new("/"))?, "", limits, &devices).map(drop)
}

/// The disks of these directories, if something of them is limited.
fn limited_devices(limits: &GroupLimits, disks: &[PathBuf]) -> Result<Vec<String>, LimitError> {
    match limits.limits_disk() {
        true => device::devices_to_limit(Path::new("/"), disks),
        false => Ok(Vec::new()),
    }
}

/// CPUs that this machine does not have.
fn check_cpus(limits: &GroupLimits) -> Result<(), LimitError> {
    let Some(pin) = &limits.pin else { return Ok(()) };
    let online = fs::read_to_string("/sys/devices/system/cpu/online")
        .map_err(|error| LimitError::Failed(format!("/sys/devices/system/cpu/online: {error}")))?;
    let there = control_groups::numbers_in_list(online.trim());
    match pin.iter().find(|number| !there.contains(number)) {
        None => Ok(()),
        Some(number) => Err(LimitError::Impossible {
            key: "pin",
            why: format!("this machine has no CPU {number}"),
            hint: format!("its CPUs are {}", online.trim()),
        }),
    }
}

/// Sets a value of a group and reads it back, if the plan asks for it.
fn set_value(group: &PlannedGroup, value: &GroupValue) -> Result<Option<ReadBackLimit>, LimitError> {
    let file = group.directory.join(value.file);
    if value.key == Some(MEMORY) {
        refuse_exceeded_memory(group, value)?;
    }
    fs::write(&file, &value.set).map_err(LimitError::failed_at(&file))?;
    let Some(key) = value.key else { return Ok(None) };
    let shows = fs::read_to_string(&file).map_err(LimitError::failed_at(&file))?;
    let Some(line) = shows.lines().map(str::trim).find(|line| value.is_shown_by(line)) else {
        return Err(LimitError::NotTaken { key, file, set: value.set.clone(), shows: shows.trim().to_owned() });
    };
    let source = format!("{}: {line}", file.display());
    Ok(Some(ReadBackLimit { key: key.to_owned(), value: value.words.clone(), source }))
}

/// The key of a limit of memory.
const MEMORY: &str = "memory";

/// Refuses a limit below what the processes of the group have besides files in the kernel's cache: the kernel would kill
/// one of them.
fn refuse_exceeded_memory(group: &PlannedGroup, value: &GroupValue) -> Result<(), LimitError> {
    let limit: u64 = value.set.parse().unwrap_or(u64::MAX);
    let statistics = fs::read_to_string(group.directory.join("memory.stat")).unwrap_or_default();
    let used = memory_besides_files(&statistics);
    if used <= limit {
        return Ok(());
    }
    Err(LimitError::Impossible {
        key: MEMORY,
        why: format!("the server uses {} MiB already, more than {}", used >> 20, value.words),
        hint: "raise the limit, or lower shared_buffers".to_owned(),
    })
}

/// Memory of a group that no file on a disk stands behind, by its `memory.stat` of either version.
fn memory_besides_files(statistics: &str) -> u64 {
    let mut bytes = 0;
    for line in statistics.lines() {
        if let Some((name, value)) = line.split_once(' ')
            && ["anon", "rss", "shmem"].contains(&name)
        {
            bytes += value.trim().parse::<u64>().unwrap_or(0);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_the_cache_are_no_reason_to_refuse_a_limit_of_memory() {
        assert_eq!(memory_besides_files("cache 900\nrss 10\nrss_huge 8\nshmem 5\nmapped_file 7\n"), 15);
        assert_eq!(memory_besides_files("anon 10\nfile 900\nshmem 5\nanon_thp 3\n"), 15);
    }

    #[test]
    fn limits_are_set_when_processes_are_in_the_groups_and_not_before() {
        let root = tempfile::tempdir().unwrap();
        let value = |file: &'static str, set: &str, lifted: Option<&str>| GroupValue {
            key: Some("pin"),
            file,
            set: set.to_owned(),
            lifted: lifted.map(str::to_owned),
            words: format!("CPUs {set}"),
        };
        let group = PlannedGroup {
            directory: root.path().to_owned(),
            values: vec![value("cpuset.cpus", "0", Some("0-3")), value("cpu.max", "5", None)],
        };
        let groups = LimitingGroups { planned: vec![group] };
        groups.lift_limits().unwrap();
        let written = |file: &str| fs::read_to_string(root.path().join(file)).ok();
        assert_eq!((written("cpuset.cpus").as_deref(), written("cpu.max")), (Some("0-3"), None));
        let set = groups.set_limits().unwrap();
        assert_eq!((written("cpuset.cpus").as_deref(), written("cpu.max").as_deref()), (Some("0"), Some("5")));
        assert_eq!(set.iter().map(|limit| limit.value.as_str()).collect::<Vec<_>>(), ["CPUs 0", "CPUs 5"]);
    }
}
