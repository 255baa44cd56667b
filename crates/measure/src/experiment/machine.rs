//! What a plan changes on this machine for its targets: file systems and huge pages for as long as their servers run,
//! values of the kernel for as long as a trial. All of it stands in the journal before it is done.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use plan::{Filesystem, FilesystemKind, MachineStep, Plan, Reach, ServerLimits};
use results::facts::ReadBackLimit;
use results::trial::{Incident, KernelValue, Unrestored};
use server::journal::{self, Journal, JournalError, JournaledChange, MachineChange, Reversal};
use server::limits::{DeviceValues, LimitingGroups, make_limiting_groups, set_device_values};
use server::{Environment, image};

use problem::Problem;

use super::limits;

/// The huge pages of the usual size that the machine keeps.
const NR_HUGE_PAGES: &str = "vm.nr_hugepages";

/// This machine, as far as a plan changes it.
pub(super) struct TrialMachine {
    environment: Environment,
    /// Begun with the first change.
    journal: Option<Journal>,
    /// Limits of servers that do not hold yet, by target.
    lifted: BTreeMap<String, LiftedLimits>,
}

/// Limits of a server that are to hold from its first trial on.
struct LiftedLimits {
    groups: LimitingGroups,
    device: DeviceValues,
    /// A directory on the device.
    directory: PathBuf,
}

/// What a server is started with.
#[derive(Debug, Default)]
pub(super) struct PreparedStart {
    /// The directory for its data, if it is to have another than the plan's.
    pub(super) data_directory: Option<PathBuf>,
    /// The control groups that its processes are put into.
    pub(super) control_groups: Vec<PathBuf>,
    /// The limits that hold already, as the kernel showed them.
    pub(super) limits: Vec<ReadBackLimit>,
}

/// What was changed for one trial, to be undone after it.
#[derive(Debug, Default)]
pub(super) struct TrialMachineChanges {
    made: Vec<JournaledChange>,
    /// Each change.
    pub(super) values: Vec<KernelValue>,
}

impl TrialMachine {
    /// This machine, unchanged.
    pub(super) fn new(environment: Environment) -> Self {
        Self { environment, journal: None, lifted: BTreeMap::new() }
    }

    /// What this process was started in.
    pub(super) fn process_environment(&self) -> &Environment {
        &self.environment
    }

    fn open_journal(&mut self) -> Result<&mut Journal, Problem> {
        let journal = match self.journal.take() {
            Some(journal) => journal,
            None => Journal::begin_journal(&journal::journal_directory(&self.environment)?)?,
        };
        Ok(self.journal.insert(journal))
    }

    /// Does the steps of a target that its server is started on.
    pub(super) fn before_start(&mut self, planned: &plan::Target) -> Result<PreparedStart, Problem> {
        let mut prepared = PreparedStart::default();
        for step in planned.machine_steps() {
            match step {
                MachineStep::Filesystem(filesystem) => {
                    prepared.data_directory = Some(self.make_filesystem(planned, filesystem)?);
                }
                MachineStep::Limits(limits) => self.limit_server(planned, &limits, &mut prepared)?,
                MachineStep::HugePages | MachineStep::Sysctl(_) => {}
            }
        }
        Ok(prepared)
    }

    /// Makes the control groups that hold a server to its limits. The limits are set now only if they are to hold while
    /// its data are created, too.
    fn limit_server(
        &mut self,
        planned: &plan::Target,
        limits: &ServerLimits,
        prepared: &mut PreparedStart,
    ) -> Result<(), Problem> {
        // The directory of the data is made by the server's supervisor: what is above it is there.
        let parent = prepared.data_directory.as_deref().and_then(Path::parent).map(Path::to_owned);
        let directories = limited_directories(planned, parent, &self.environment);
        let journal = self.open_journal()?;
        let groups = make_limiting_groups(journal, &limits::group_limits(limits), &directories);
        let groups = groups.map_err(|error| limits::limit_problem(planned, &error))?;
        prepared.control_groups = groups.group_directories();
        let (device, directory) = (limits::device_values(limits), directories[0].clone());
        self.lifted.insert(planned.name.clone(), LiftedLimits { groups, device, directory });
        if limits.limit_data_creation {
            prepared.limits.extend(self.set_lifted_limits(planned)?);
        }
        prepared.limits.extend(limits::network_facts(limits));
        Ok(())
    }

    /// Whether there are limits of a target that do not hold yet.
    pub(super) fn has_lifted_limits(&self, target: &str) -> bool {
        self.lifted.contains_key(target)
    }

    /// Has the limits of a server hold from now on; returns them as the kernel shows them.
    pub(super) fn set_lifted_limits(&mut self, planned: &plan::Target) -> Result<Vec<ReadBackLimit>, Problem> {
        let Some(LiftedLimits { groups, device, directory }) = self.lifted.remove(&planned.name) else {
            return Ok(Vec::new());
        };
        let mut set = groups.set_limits().map_err(|error| limits::limit_problem(planned, &error))?;
        let of_device = set_device_values(self.open_journal()?, &device, &directory);
        set.extend(of_device.map_err(|error| limits::limit_problem(planned, &error))?);
        Ok(set)
    }

    /// Makes a file system; returns the directory on it for the data.
    fn make_filesystem(
        &mut self,
        planned: &plan::Target,
        Filesystem { kind, size }: Filesystem,
    ) -> Result<PathBuf, Problem> {
        let parent = parent_of_data(planned, &self.environment);
        let mounted =
            image::mount_new_filesystem(self.open_journal()?, &parent, made_by_target(kind), size.size_bytes());
        let point = mounted.map_err(|error| of_target(planned, "could not create its file system", &error))?;
        Ok(point.join("data"))
    }

    /// Adds so many huge pages to those that the machine has.
    pub(super) fn reserve_huge_pages(&mut self, planned: &plan::Target, pages: u64) -> Result<(), Problem> {
        let reserve = |journal: &mut Journal| {
            let before = value_before(MachineChange::sysctl_by_name(NR_HUGE_PAGES, "")?);
            // A value that is no number would be told when the sum is written.
            let all = before.parse::<u64>().map_or_else(|_| before, |before| (before + pages).to_string());
            journal.make_change(&MachineChange::sysctl_by_name(NR_HUGE_PAGES, &all)?)
        };
        let reserved = reserve(self.open_journal()?);
        reserved.map(drop).map_err(|error| of_target(planned, &format!("could not reserve {pages} huge pages"), &error))
    }

    /// Does the steps of a target that each of its trials begins with.
    pub(super) fn before_trial(&mut self, planned: &plan::Target) -> Result<TrialMachineChanges, Problem> {
        let mut changed = TrialMachineChanges::default();
        for step in planned.machine_steps() {
            match step {
                MachineStep::Sysctl(values) => self.set_kernel_values(planned, &values, &mut changed)?,
                MachineStep::Filesystem(_) | MachineStep::Limits(_) | MachineStep::HugePages => {}
            }
        }
        Ok(changed)
    }

    /// Sets values of the kernel; each is read back.
    fn set_kernel_values(
        &mut self,
        planned: &plan::Target,
        values: &BTreeMap<String, String>,
        changed: &mut TrialMachineChanges,
    ) -> Result<(), Problem> {
        for (name, value) in values {
            let set = |journal: &mut Journal| {
                let change = MachineChange::sysctl_by_name(name, value)?;
                journal.make_change(&change).map(|made| (made, value_before(change)))
            };
            let (made, before) = set(self.open_journal()?)
                .map_err(|error| of_target(planned, &format!("could not set sysctl {name}"), &error))?;
            changed.made.push(made);
            changed.values.push(KernelValue { name: name.clone(), set: value.clone(), before });
        }
        Ok(())
    }

    /// Undoes what was changed for a trial; what somebody else has changed meanwhile makes the trial less certain.
    pub(super) fn undo_trial_changes(&mut self, changed: TrialMachineChanges) -> Vec<Incident> {
        let Some(journal) = &mut self.journal else { return Vec::new() };
        let mut left = Vec::new();
        for (made, changed) in changed.made.into_iter().zip(changed.values).rev() {
            let why = match journal.undo_change(made) {
                Ok(Reversal::Restored | Reversal::NothingLeft) => continue,
                Ok(Reversal::LeftAlone { found }) => Unrestored::ChangedMeanwhile(found),
                Err(error) => Unrestored::Failed(error.detail().unwrap_or_else(|| error.to_string())),
            };
            left.push(Incident::NotRestored { changed, why });
        }
        left
    }

    /// Undoes all that is left. Call it when the servers have stopped.
    pub(super) fn undo_all_changes(self) -> Result<(), Problem> {
        let settled = self.journal.map(Journal::close_and_undo).unwrap_or_default();
        let failed = settled.into_iter().find_map(|settled| settled.outcome.err().map(|error| (settled.change, error)));
        failed.map_or(Ok(()), |(change, error)| {
            Err(Problem::could_not_measure(format!("could not undo a change of this machine: {change}"))
                .detail(error.detail().unwrap_or_else(|| error.to_string()))
                .hint("`pgdyno restore` tries again"))
        })
    }
}

/// What a value of the kernel was, its fields separated by spaces.
fn value_before(sysctl: MachineChange) -> String {
    let MachineChange::KernelValue { before, .. } = sysctl else { unreachable!("a sysctl is a value of the kernel") };
    before.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// An error of the journal as a problem of a target.
fn of_target(planned: &plan::Target, what: &str, error: &JournalError) -> Problem {
    let said = error.detail().map_or_else(|| error.to_string(), |detail| format!("{error}: {detail}"));
    Problem::could_not_measure(format!("target {:?}: {what}", planned.name))
        .detail(said)
        .hint(error.hint().unwrap_or_default())
}

fn made_by_target(kind: FilesystemKind) -> image::Filesystem {
    match kind {
        FilesystemKind::Ext4 => image::Filesystem::Ext4,
        FilesystemKind::Xfs => image::Filesystem::Xfs,
        FilesystemKind::Btrfs => image::Filesystem::Btrfs,
    }
}

/// Where the data of a target lie, or a directory above that exists.
pub(super) fn parent_of_data(planned: &plan::Target, environment: &Environment) -> PathBuf {
    let named = match &planned.reach {
        Reach::Local(local) => local.data_directory.as_deref().and_then(Path::parent),
        Reach::Url(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
    };
    let parent = named.map(|path| if path.as_os_str().is_empty() { Path::new(".") } else { path });
    parent.map_or_else(|| environment.nonempty_variable("TMPDIR").unwrap_or("/var/tmp").into(), Path::to_owned)
}

/// The directories whose disks are limited: that of the data, or one above it that exists, and that of the WAL.
fn limited_directories(planned: &plan::Target, data: Option<PathBuf>, environment: &Environment) -> Vec<PathBuf> {
    let mut directories = vec![data.unwrap_or_else(|| parent_of_data(planned, environment))];
    directories.extend(planned.reach.wal_directory().map(Path::to_owned));
    directories.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect()
}

/// Refuses what cannot be changed here, before anything is started.
pub(super) fn check_machine_steps(plan: &Plan, environment: &Environment) -> Result<(), Problem> {
    for planned in &plan.targets {
        let steps = planned.machine_steps();
        if !steps.is_empty() && !environment.is_root() {
            let keys: Vec<&str> = steps.iter().map(MachineStep::plan_key).collect();
            return Err(Problem::could_not_measure(format!(
                "target {:?}: {} of this machine can only be changed by root",
                planned.name,
                keys.join(", ")
            ))
            .hint("run pgdyno with sudo, or remove the key"));
        }
        for step in &steps {
            match step {
                MachineStep::Filesystem(filesystem) => check_filesystem_programs(planned, *filesystem, environment)?,
                MachineStep::Limits(wanted) => {
                    // Of a file system that is yet to be made, the device is a loop device, which can be limited.
                    let directories = match planned.machine.filesystem {
                        Some(_) => Vec::new(),
                        None => limited_directories(planned, None, environment),
                    };
                    limits::check_server_limits(planned, wanted, &directories)?;
                }
                MachineStep::HugePages => {}
                MachineStep::Sysctl(values) => values_are_there(planned, values)?,
            }
        }
    }
    Ok(())
}

fn values_are_there(planned: &plan::Target, values: &BTreeMap<String, String>) -> Result<(), Problem> {
    values.iter().try_for_each(|(name, value)| {
        let read = MachineChange::sysctl_by_name(name, value).map(drop);
        read.map_err(|error| of_target(planned, &format!("could not read sysctl {name}"), &error))
    })
}

fn check_filesystem_programs(
    planned: &plan::Target,
    Filesystem { kind, .. }: Filesystem,
    environment: &Environment,
) -> Result<(), Problem> {
    let path = environment.nonempty_variable("PATH").unwrap_or_default();
    let found = |program: &&str| std::env::split_paths(path).any(|directory| directory.join(program).is_file());
    match made_by_target(kind).required_programs().iter().find(|program| !found(program)) {
        None => Ok(()),
        Some(program) => Err(Problem::could_not_measure(format!(
            "target {:?}: its file system needs {program}, which is not on PATH",
            planned.name
        ))
        .hint("install util-linux, and e2fsprogs, xfsprogs or btrfs-progs")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::room;

    fn refused(target: &str, uid: u32, path: &str) -> Option<String> {
        let text = format!(
            "name: x\ntargets: {{ pg: {{ local: {{ version: 17 }}, {target} }} }}\nbaseline: pg\nclients: [1]\n\
             workloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\n"
        );
        let plan = plan::parse_plan("plan.yaml", text.as_bytes()).unwrap_or_else(|errors| panic!("{errors}"));
        let variables = BTreeMap::from([("PATH".to_owned(), path.to_owned())]);
        let environment = Environment { variables, executable: "/x".into(), uid, passwd: String::new() };
        let checked =
            check_machine_steps(&plan, &environment).and_then(|()| room::check_disk_room(&plan, &environment));
        checked.err().map(|problem| problem.to_string())
    }

    #[test]
    fn only_root_may_change_the_machine_and_is_told_so_before_anything_is_started() {
        let said = refused("huge_pages: true, sysctl: { vm.swappiness: 1 }", 1000, "").unwrap();
        let expected = "error: target \"pg\": huge_pages, sysctl of this machine can only be changed by root\n\
                        hint: run pgdyno with sudo, or remove the key";
        assert_eq!(said, expected);
        for harmless in ["huge_pages: false", "cache: cold", "settings: { work_mem: 4MB }"] {
            assert_eq!(refused(harmless, 1000, ""), None, "{harmless}");
        }
    }

    #[test]
    fn a_program_that_is_missing_and_a_disk_that_is_too_small_are_told_by_name() {
        let said = refused("filesystem: { type: xfs }", 0, "/nowhere").unwrap();
        assert!(said.contains("target \"pg\": its file system needs losetup, which is not on PATH"), "{said}");
        let all = tempfile::tempdir().unwrap();
        for program in made_by_target(FilesystemKind::Xfs).required_programs() {
            std::fs::write(all.path().join(program), "").unwrap();
        }
        let said = refused("filesystem: { type: xfs, size: 1024TB }", 0, &all.path().to_string_lossy()).unwrap();
        assert!(said.contains("not enough space in /var/tmp"), "{said}");
    }
}
