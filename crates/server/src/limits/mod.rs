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
use control_groups::PlannedGroup;
pub use device_values::{DeviceValues, set_device_values};
use hierarchy::Hierarchies;
pub use limit_error::LimitError;

use crate::journal::{Journal, MachineChange};

/// Groups that limit one server, and what they say.
#[derive(Debug, Default)]
pub struct LimitingGroups {
    /// The directories into which its processes are put.
    pub directories: Vec<PathBuf>,
    /// Each limit as the kernel shows it, by the key of the plan.
    pub read_back: Vec<ReadBackLimit>,
}

/// Makes the groups of a server whose data lie, or will lie, below this directory and whose WAL below the other.
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
    let groups = control_groups::plan_groups(&hierarchies, &name, limits, &devices)?;
    let mut made = LimitingGroups::default();
    for group in groups {
        make_group(journal, &group, &mut made)?;
        made.directories.push(group.directory);
    }
    Ok(made)
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

fn make_group(journal: &mut Journal, group: &PlannedGroup, made: &mut LimitingGroups) -> Result<(), LimitError> {
    journal.make_change(&MachineChange::Directory { path: group.directory.clone() })?;
    for value in &group.values {
        let file = group.directory.join(value.file);
        fs::write(&file, &value.set).map_err(LimitError::failed_at(&file))?;
        let Some(key) = value.key else { continue };
        let shows = fs::read_to_string(&file).map_err(LimitError::failed_at(&file))?;
        let Some(line) = shows.lines().map(str::trim).find(|line| value.is_shown_by(line)) else {
            let shows = shows.trim().to_owned();
            return Err(LimitError::NotTaken { key, file, set: value.set.clone(), shows });
        };
        let source = format!("{}: {line}", file.display());
        made.read_back.push(ReadBackLimit { key: key.to_owned(), value: value.words.clone(), source });
    }
    Ok(())
}
