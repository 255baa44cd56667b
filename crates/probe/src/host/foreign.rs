//! `host.foreign`: CPU time of the machine that neither the server, nor one that takes turns with it, nor pgdyno used:
//! a noisy neighbour's, if there is one.
//!
//! What is left of the whole machine's time (`/proc/stat`) when the postmaster with its children and pgdyno with its
//! children and theirs are taken off, those included that have ended. Time in interrupts is nobody's. Promises nothing
//! below some 2 % of a CPU: the kernel counts the whole in ticks. The server's processes may be copied from a container
//! of the machine, which does not see pgdyno's, and vice versa.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use results::probe_fields::{ProbeName, host_foreign};

use super::proc_file::{self, Malformed, UnreadableFile};
use super::server_processes::{LivingProcesses, ServerProcessTimes as ServerProcess};
use super::{HostScope, HostSource};
use crate::counter::{Backwards, ReadingValues, counter_increase};

/// From this share of a CPU on the processes are read one by one, so that the busiest can be named.
const WORTH_A_NAME: f64 = 0.1;

/// Reads the machine's time and that of the processes to be taken off.
pub(crate) struct Foreign {
    root: PathBuf,
    /// Where this very process is found; none if it runs on another machine.
    of_this_process: Option<PathBuf>,
    /// The server's own, and those that take turns with it.
    postmasters: Vec<u32>,
    /// Of the first one's children, which would be dear to read once more.
    sessions: LivingProcesses,
    ticks_per_s: u64,
    /// What was foreign at the last reading, so that it can be seen whether names are wanted.
    before: Mutex<Option<CpuTimeReading>>,
}

/// A process: the directory in which `proc` is, and its number there.
type ProcessPlace<'r> = (&'r Path, u32);

#[derive(Debug, Clone, Copy)]
struct CpuTimeReading {
    whole_us: u64,
    own_us: u64,
    at: std::time::Instant,
}

/// The machine at an instant.
pub(crate) struct ForeignSnapshot {
    /// User, nice and system time of the whole machine, in microseconds.
    whole_us: u64,
    /// Of the server's and pgdyno's processes together, in microseconds.
    own_us: u64,
    /// By process: name and time of all others, where they are worth a name.
    others: Option<BTreeMap<u32, (String, u64)>>,
}

impl Foreign {
    /// `sessions` are to be those of a moment ago whenever this is read.
    pub(crate) fn new(scope: &HostScope, postmaster: u32, sessions: LivingProcesses) -> Self {
        let ticks_per_s = rustix::param::clock_ticks_per_second();
        let others = scope.alternating.iter().copied().filter(|other| *other != postmaster);
        let postmasters = std::iter::once(postmaster).chain(others).collect();
        let (root, of_this_process) = (scope.root.clone(), scope.of_this_process.clone());
        Self { root, of_this_process, postmasters, sessions, ticks_per_s, before: Mutex::new(None) }
    }

    /// A process; none when it has ended.
    fn read_process((root, pid): ProcessPlace<'_>) -> Option<ForeignProcess> {
        proc_file::read_proc_file(root, &format!("proc/{pid}/stat"), parse_process_stat).ok()
    }

    fn child_processes<'r>((root, pid): ProcessPlace<'r>) -> impl Iterator<Item = ProcessPlace<'r>> {
        let tasks = root.join(format!("proc/{pid}/task"));
        let threads = std::fs::read_dir(tasks).into_iter().flatten().flatten();
        let lists: Vec<String> =
            threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok()).collect();
        let pids: Vec<u32> =
            lists.iter().flat_map(|list| list.split_whitespace()).filter_map(|pid| pid.parse().ok()).collect();
        pids.into_iter().map(move |pid| (root, pid))
    }

    /// pgdyno's processes, down to the pooler below a server's supervisor, the postmaster without its children, and the
    /// servers that take turns with it; not the sessions of those that pgdyno keeps besides.
    fn own_processes(&self) -> BTreeSet<ProcessPlace<'_>> {
        let below_this: Vec<ProcessPlace<'_>> =
            self.this_process().into_iter().flat_map(Self::child_processes).collect();
        let further = below_this.iter().copied().flat_map(Self::child_processes);
        let alternating = self.postmaster_places().skip(1).flat_map(Self::child_processes);
        further.chain(alternating).chain(below_this.iter().copied()).chain(self.root_processes()).collect()
    }

    fn this_process(&self) -> Option<ProcessPlace<'_>> {
        Some((self.of_this_process.as_deref()?, std::process::id()))
    }

    fn postmaster_places(&self) -> impl Iterator<Item = ProcessPlace<'_>> {
        self.postmasters.iter().map(|pid| (self.root.as_path(), *pid))
    }

    /// The processes whose children are taken off when they have ended, too: a session of one transaction lives for
    /// less than an interval.
    fn root_processes(&self) -> impl Iterator<Item = ProcessPlace<'_>> {
        self.postmaster_places().chain(self.this_process())
    }

    /// What these and the server's sessions have used until now, in microseconds. Rises by what they use: a child that
    /// ends hands its time to its parent.
    fn used_us(&self, own: &BTreeSet<ProcessPlace<'_>>, sessions: &BTreeMap<u32, ServerProcess>) -> u64 {
        self.ticks_to_us(
            own.iter()
                .filter_map(|place| {
                    let process = Self::read_process(*place)?;
                    let is_root = self.root_processes().any(|root| root == *place);
                    Some(process.ticks + if is_root { process.ticks_of_ended_children } else { 0 })
                })
                .sum(),
        ) + sessions.values().map(|session| session.cpu_ns).sum::<u64>() / 1_000
    }

    /// All others that can be seen beside the server.
    fn other_processes(&self, is_own: impl Fn(&u32) -> bool) -> BTreeMap<u32, (String, u64)> {
        let entries = std::fs::read_dir(self.root.join("proc")).into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        pids.filter(|pid| !is_own(pid))
            .filter_map(|pid| {
                let process = Self::read_process((self.root.as_path(), pid))?;
                Some((pid, (process.name, self.ticks_to_us(process.ticks))))
            })
            .collect()
    }

    fn ticks_to_us(&self, ticks: u64) -> u64 {
        ticks * 1_000_000 / self.ticks_per_s
    }

    /// Whether so much was foreign since the last reading that its processes are worth a name.
    fn is_worth_a_name(&self, whole_us: u64, own_us: u64) -> bool {
        let mut before = self.before.lock().unwrap_or_else(PoisonError::into_inner);
        let now = CpuTimeReading { whole_us, own_us, at: std::time::Instant::now() };
        let Some(seen) = before.replace(now) else { return false };
        let own_us = own_us.saturating_sub(seen.own_us);
        let foreign_us = whole_us.saturating_sub(seen.whole_us).saturating_sub(own_us);
        foreign_us as f64 > WORTH_A_NAME * now.at.duration_since(seen.at).as_secs_f64() * 1e6
    }
}

impl HostSource for Foreign {
    type Snapshot = ForeignSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_foreign::PROBE
    }

    fn read_snapshot(&self) -> Result<ForeignSnapshot, UnreadableFile> {
        let whole_us = self.ticks_to_us(proc_file::read_proc_file(&self.root, "proc/stat", parse_total_cpu_ticks)?);
        let own = self.own_processes();
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let sessions = sessions.as_ref().ok_or(UnreadableFile::ServerProcesses)?;
        let own_us = self.used_us(&own, sessions);
        let others = self.is_worth_a_name(whole_us, own_us).then(|| {
            self.other_processes(|pid: &u32| own.contains(&(self.root.as_path(), *pid)) || sessions.contains_key(pid))
        });
        Ok(ForeignSnapshot { whole_us, own_us, others })
    }

    /// `cpu_us`, and `cpu_us_of_NAME` of what is worth a name: processes of one name together.
    fn snapshot_difference(before: &ForeignSnapshot, after: &ForeignSnapshot) -> Result<ReadingValues, Backwards> {
        let whole = counter_increase("user and system time", before.whole_us, after.whole_us)?;
        let own = after.own_us.saturating_sub(before.own_us) as f64;
        // Two accounts of the same time, of which one is in ticks: a little less than nothing is nothing.
        let mut values = ReadingValues::from([(host_foreign::CPU_US.name.to_owned(), (whole - own).max(0.0))]);
        if let (Some(before), Some(after)) = (&before.others, &after.others) {
            for (pid, (name, us)) in after {
                let used = us.saturating_sub(before.get(pid).map_or(0, |(_, us)| *us));
                if used > 0 {
                    *values.entry(format!("cpu_us_of_{name}")).or_insert(0.0) += used as f64;
                }
            }
        }
        Ok(values)
    }
}

/// User, nice and system time of all CPUs, in ticks: the first, second and third number of the first line.
fn parse_total_cpu_ticks(text: &str) -> Result<u64, Malformed> {
    let line = text.lines().next().and_then(|line| line.strip_prefix("cpu "));
    let numbers: Option<Vec<u64>> =
        line.map(|line| line.split_whitespace().take(3).filter_map(|number| number.parse().ok()).collect());
    match numbers.as_deref() {
        Some([user, nice, system]) => Ok(user + nice + system),
        Some(_) | None => Err(Malformed("it does not begin with the times of all CPUs".to_owned())),
    }
}

/// What the kernel says of a process; times are user and system time.
#[derive(Debug, PartialEq, Eq)]
struct ForeignProcess {
    name: String,
    ticks: u64,
    /// Of the children that it has waited for, and theirs.
    ticks_of_ended_children: u64,
}

/// Fields 2 and 14 to 17 of proc_pid_stat(5). The name may contain anything.
fn parse_process_stat(text: &str) -> Result<ForeignProcess, Malformed> {
    let malformed = Malformed("it is not the line of a process".to_owned());
    let Some((begin, rest)) = text.rsplit_once(") ") else { return Err(malformed) };
    let Some((_, name)) = begin.split_once('(') else { return Err(malformed) };
    let times: Option<Vec<u64>> = rest.split_whitespace().skip(11).take(4).map(|time| time.parse().ok()).collect();
    match times.as_deref() {
        Some([user, system, user_of_ended, system_of_ended]) => Ok(ForeignProcess {
            name: name.to_owned(),
            ticks: user + system,
            ticks_of_ended_children: user_of_ended + system_of_ended,
        }),
        Some(_) | None => Err(malformed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::server_processes::living_with_times;

    #[test]
    fn a_process_is_read_behind_a_hostile_name() {
        let line = "7 (a) b ( c) S 1 7 7 0 -1 4194304 90 0 0 0 31 69 3 4 20 0 1 0 5 0 0 184\n";
        let expected = ForeignProcess { name: "a) b ( c".to_owned(), ticks: 100, ticks_of_ended_children: 7 };
        assert_eq!(parse_process_stat(line), Ok(expected));
        assert!(parse_process_stat("7 (x) S 1").is_err());
        assert_eq!(parse_total_cpu_ticks("cpu  10 1 20 300 4 5 6 7 0 0\ncpu0 1\n"), Ok(31));
        assert!(parse_total_cpu_ticks("intr 5\n").is_err());
    }

    fn at(whole_us: u64, own_us: u64, others: Option<&[(u32, &str, u64)]>) -> ForeignSnapshot {
        let others = others.map(|all| all.iter().map(|(pid, name, us)| (*pid, ((*name).to_owned(), *us))).collect());
        ForeignSnapshot { whole_us, own_us, others }
    }

    #[test]
    fn foreign_time_is_what_the_server_and_pgdyno_leave_and_its_processes_are_named() {
        let before = at(1_000, 150, Some(&[(8, "stress", 10), (9, "stress", 10)]));
        let after = at(2_000, 290, Some(&[(8, "stress", 400), (9, "stress", 200), (10, "idle", 0)]));
        let values = Foreign::snapshot_difference(&before, &after).unwrap();
        assert_eq!(values, ReadingValues::from([("cpu_us".to_owned(), 860.0), ("cpu_us_of_stress".to_owned(), 580.0)]));
        let unnamed = Foreign::snapshot_difference(&at(0, 0, None), &at(10, 20, None)).unwrap();
        assert_eq!(unnamed, ReadingValues::from([("cpu_us".to_owned(), 0.0)]));
    }

    /// A directory as `/proc`: by process its children and its times in ticks.
    fn machine(processes: &[(u32, &[u32], [u64; 4])]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (pid, children, [user, system, user_of_ended, system_of_ended]) in processes {
            let task = root.path().join(format!("proc/{pid}/task/{pid}"));
            std::fs::create_dir_all(&task).unwrap();
            let children: Vec<String> = children.iter().map(u32::to_string).collect();
            std::fs::write(task.join("children"), children.join(" ")).unwrap();
            let line = format!(
                "{pid} (p{pid}) S 1 1 1 0 -1 0 0 0 0 0 {user} {system} {user_of_ended} {system_of_ended} 20 0\n"
            );
            std::fs::write(root.path().join(format!("proc/{pid}/stat")), line).unwrap();
        }
        std::fs::write(root.path().join("proc/stat"), "cpu  1000 0 0 0\n").unwrap();
        root
    }

    #[test]
    fn the_own_time_has_ended_sessions_and_the_pooler_below_a_supervisor_in_it() {
        let this = std::process::id();
        let (supervisor, postmaster, session, pooler, others_postmaster) =
            (7_000_001, 7_000_002, 7_000_003, 7_000_004, 7_000_005);
        let before: &[(u32, &[u32], [u64; 4])] = &[
            (this, &[supervisor], [10, 0, 0, 0]),
            (supervisor, &[postmaster, pooler], [1, 0, 500, 0]),
            (postmaster, &[session], [1, 1, 100, 0]),
            (session, &[], [30, 0, 0, 0]),
            (pooler, &[], [20, 0, 0, 0]),
            (others_postmaster, &[], [400, 0, 0, 0]),
        ];
        let tick_us = 1_000_000 / rustix::param::clock_ticks_per_second();
        let own_ticks = |machine: tempfile::TempDir, sessions: &[(u32, u64)]| {
            let sessions = sessions.iter().map(|(pid, ticks)| (*pid, ticks * tick_us * 1_000));
            let scope = scope(machine.path(), &[], Some(machine.path()));
            let foreign = Foreign::new(&scope, postmaster, living_with_times(sessions));
            foreign.read_snapshot().unwrap().own_us / tick_us
        };
        assert_eq!(own_ticks(machine(before), &[(session, 30)]), 10 + 1 + 102 + 30 + 20);
        // The session has used 5 more and ended: the postmaster has its time now.
        let after = machine(&[before[0], before[1], (postmaster, &[], [1, 1, 135, 0]), before[4]]);
        assert_eq!(own_ticks(after, &[]), 10 + 1 + 137 + 20);
    }

    fn scope(root: &Path, alternating: &[u32], of_this_process: Option<&Path>) -> HostScope {
        HostScope {
            root: root.to_owned(),
            alternating: alternating.to_vec(),
            of_this_process: of_this_process.map(Path::to_owned),
            ..HostScope::default()
        }
    }

    #[test]
    fn pgdyno_is_taken_off_where_the_server_s_container_does_not_see_it_and_nothing_that_has_its_number() {
        let (this, postmaster) = (std::process::id(), 7_000_001);
        let container = machine(&[(postmaster, &[], [5, 0, 0, 0]), (this, &[], [900, 0, 0, 0])]);
        let here = machine(&[(this, &[], [40, 0, 0, 0]), (postmaster, &[], [300, 0, 0, 0])]);
        let tick_us = 1_000_000 / rustix::param::clock_ticks_per_second();
        let own_ticks = |of_this_process| {
            let sessions = living_with_times([]);
            let foreign = Foreign::new(&scope(container.path(), &[], of_this_process), postmaster, sessions);
            foreign.read_snapshot().unwrap().own_us / tick_us
        };
        assert_eq!(own_ticks(Some(here.path())), 5 + 40);
        assert_eq!(own_ticks(None), 5, "it runs on another machine");
    }

    #[test]
    fn a_server_that_takes_turns_is_not_foreign_and_one_that_does_not_is() {
        let this = std::process::id();
        let (own, other, its_session, third) = (7_000_001, 7_000_002, 7_000_003, 7_000_004);
        let processes: &[(u32, &[u32], [u64; 4])] = &[
            (this, &[], [10, 0, 0, 0]),
            (own, &[], [1, 0, 0, 0]),
            (other, &[its_session], [2, 0, 70, 0]),
            (its_session, &[], [500, 0, 0, 0]),
            (third, &[], [400, 0, 0, 0]),
        ];
        let tick_us = 1_000_000 / rustix::param::clock_ticks_per_second();
        let own_ticks = |alternating: &[u32]| {
            let machine = machine(processes);
            let sessions = living_with_times([]);
            let foreign = Foreign::new(&scope(machine.path(), alternating, Some(machine.path())), own, sessions);
            foreign.read_snapshot().unwrap().own_us / tick_us
        };
        assert_eq!(own_ticks(&[]), 10 + 1);
        assert_eq!(own_ticks(&[own, other]), 10 + 1 + 2 + 70 + 500);
    }
}
