//! `host.server`: what the server's processes used and waited for,
//! from `/proc/PID/schedstat` of the postmaster's children.
//!
//! Client backends apart from the server's own processes, and of the backends once more those of the load's sessions,
//! as far as it is known which these are: sides that take turns on one server have their own. A process that started
//! within the interval counts from its start.
//!
//! Processes that have ended, such as sessions of one transaction, are an account of their own (`ended`): what the
//! kernel added up for the postmaster's ended children, less what was counted of them while they lived.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use results::probe_fields::{ProbeField, ProbeName, host_server};

use super::HostSource;
use super::ended_children::{EndedChildren, ticks_of_ended_children};
use super::proc_file::{self, Malformed, UnreadableFile};
use crate::activity::LoadProcesses;
use crate::counter::{Backwards, ReadingValues};

/// How the titles of processes begin that serve no client.
const OF_THE_SERVER: [&str; 15] = [
    "archiver",
    "autovacuum",
    "background writer",
    "checkpointer",
    "io worker",
    "logger",
    "logical replication",
    "parallel worker",
    "slotsync",
    "startup",
    "stats collector",
    "walreceiver",
    "walsender",
    "walsummarizer",
    "walwriter",
];

/// The processes as they were read last; none where they could not be read.
pub(super) type LivingProcesses = Arc<Mutex<Option<BTreeMap<u32, ServerProcessTimes>>>>;

/// Reads the children of one postmaster.
pub(crate) struct ServerProcesses {
    root: PathBuf,
    postmaster: u32,
    /// All of them, for who tells their kinds or needs their times a moment later.
    living: LivingProcesses,
    /// Which of them serve the load.
    load: LoadProcesses,
    /// Whom each process serves: found out once, when it is first seen.
    serving: Mutex<BTreeMap<u32, Serving>>,
    /// What processes used that have ended.
    ended: Mutex<EndedChildren>,
    ticks_per_s: u64,
}

/// Whom a process serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Serving {
    Client,
    Server,
}

/// The server at an instant.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ServerProcessSnapshot {
    /// By process.
    live: BTreeMap<u32, ServerProcessTimes>,
    /// CPU time of processes that have ended which was not counted while they lived, since the probe was attached, in
    /// nanoseconds. It never falls. Absent where the kernel does not give it.
    ended_cpu_ns: Option<u64>,
}

/// One process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ServerProcessTimes {
    serving: Serving,
    /// Whether it is known to serve the load.
    pub(super) of_load: bool,
    /// Time on a CPU; of the server's own processes with that of commands which they ran and which have ended.
    pub(super) cpu_ns: u64,
    /// Time ready to run, waiting for a CPU.
    pub(super) delay_ns: u64,
    /// How often it was given a CPU: after each of its own waits, and after another process was given its CPU.
    timeslices: u64,
    /// Time waiting for a block device, where the kernel keeps account of delays.
    block_io_ticks: Option<u64>,
}

impl ServerProcesses {
    pub(crate) fn new(root: &Path, postmaster: u32, load: LoadProcesses) -> Self {
        let ticks_per_s = rustix::param::clock_ticks_per_second();
        Self {
            root: root.to_owned(),
            postmaster,
            living: LivingProcesses::default(),
            load,
            serving: Mutex::default(),
            ended: Mutex::default(),
            ticks_per_s,
        }
    }

    /// Where each reading leaves the children.
    pub(super) fn living_processes(&self) -> LivingProcesses {
        Arc::clone(&self.living)
    }

    fn serving_of_process(&self, pid: u32) -> Serving {
        let mut known = self.serving.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(pid).or_insert_with(|| {
            // Without a title it has ended already.
            let title = std::fs::read(self.root.join(format!("proc/{pid}/cmdline")));
            title.map_or(Serving::Client, |title| whom_it_serves(&String::from_utf8_lossy(&title)))
        })
    }

    /// Whether the kernel keeps account of what tasks wait for (`kernel.task_delayacct`, off by default since 5.14).
    fn keeps_delays(&self) -> bool {
        let switch = std::fs::read_to_string(self.root.join("proc/sys/kernel/task_delayacct"));
        switch.is_ok_and(|switch| switch.trim() == "1")
    }

    fn block_io_ticks(&self, pid: u32) -> Option<u64> {
        proc_file::read_proc_file(&self.root, &format!("proc/{pid}/stat"), block_io_ticks).ok()
    }

    /// CPU time of a process's children that have ended; none where it cannot be read.
    fn of_ended_children_ns(&self, pid: u32) -> Option<u64> {
        let ticks = proc_file::read_proc_file(&self.root, &format!("proc/{pid}/stat"), ticks_of_ended_children).ok()?;
        Some(ticks * (1_000_000_000 / self.ticks_per_s))
    }

    /// A process; an error when it has ended.
    fn read_process(&self, pid: u32, keeps_delays: bool, of_load: bool) -> Result<ServerProcessTimes, UnreadableFile> {
        let [mut cpu_ns, delay_ns, timeslices] =
            proc_file::read_proc_file(&self.root, &format!("proc/{pid}/schedstat"), parse_schedstat)?;
        let block_io_ticks = if keeps_delays { self.block_io_ticks(pid) } else { None };
        let serving = self.serving_of_process(pid);
        match serving {
            Serving::Server => cpu_ns += self.of_ended_children_ns(pid).unwrap_or(0),
            // A session that runs a program is rare, and there may be thousands of sessions.
            Serving::Client => {}
        }
        Ok(ServerProcessTimes { serving, of_load, cpu_ns, delay_ns, timeslices, block_io_ticks })
    }

    fn live_processes(&self) -> Result<BTreeMap<u32, ServerProcessTimes>, UnreadableFile> {
        let children = format!("proc/{0}/task/{0}/children", self.postmaster);
        let pids = proc_file::read_proc_file(&self.root, &children, children_of)?;
        let (keeps_delays, load) = (self.keeps_delays(), self.load.known_process_ids());
        let (mut live, mut without) = (BTreeMap::new(), None);
        for pid in pids {
            match self.read_process(pid, keeps_delays, load.contains(&pid)) {
                Ok(process) => {
                    live.insert(pid, process);
                }
                // It has ended since the list was read.
                Err(unreadable @ UnreadableFile::Io { .. }) => without = Some(unreadable),
                Err(unreadable) => return Err(unreadable),
            }
        }
        match without {
            // Hardly that all have ended: this kernel has no such file.
            Some(unreadable) if live.is_empty() => Err(unreadable),
            Some(_) | None => Ok(live),
        }
    }

    fn take_snapshot(&self) -> Result<ServerProcessSnapshot, UnreadableFile> {
        // Before the list: a process that ends in between is in neither, and in the next reading in one.
        let of_ended_children_ns = self.of_ended_children_ns(self.postmaster);
        let live = self.live_processes()?;
        let mut ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = live.iter().map(|(pid, process)| (*pid, process.cpu_ns)).collect();
        let ended_cpu_ns = of_ended_children_ns.map(|ns| ended.uncounted_ns(ns, counted));
        Ok(ServerProcessSnapshot { live, ended_cpu_ns })
    }
}

impl HostSource for ServerProcesses {
    type Snapshot = ServerProcessSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_server::PROBE
    }

    fn read_snapshot(&self) -> Result<ServerProcessSnapshot, UnreadableFile> {
        let snapshot = self.take_snapshot();
        let living = snapshot.as_ref().ok().map(|snapshot| snapshot.live.clone());
        *self.living.lock().unwrap_or_else(PoisonError::into_inner) = living;
        let snapshot = snapshot?;
        self.serving.lock().unwrap_or_else(PoisonError::into_inner).retain(|pid, _| snapshot.live.contains_key(pid));
        Ok(snapshot)
    }

    fn snapshot_difference(
        before: &ServerProcessSnapshot,
        after: &ServerProcessSnapshot,
    ) -> Result<ReadingValues, Backwards> {
        let spent =
            |of: &dyn Fn(&ServerProcessTimes) -> bool| ProcessUsage::between_snapshots(&before.live, &after.live, of);
        let mut values = spent(&|process| process.serving == Serving::Client).named_figures(OF_BACKENDS);
        values.extend(spent(&|process| process.serving == Serving::Server).named_figures(OF_OTHERS));
        if after.live.values().any(|process| process.of_load) {
            values.extend(spent(&|process| process.of_load).named_figures(OF_LOAD));
        }
        if let (Some(before_ns), Some(after_ns)) = (before.ended_cpu_ns, after.ended_cpu_ns) {
            values.insert(host_server::ENDED_CPU_US.name.to_owned(), after_ns.saturating_sub(before_ns) as f64 / 1e3);
        }
        Ok(values)
    }
}

/// The figures of client backends, in the order of [`ProcessUsage::named_figures`].
const OF_BACKENDS: [ProbeField; 5] = [
    host_server::BACKENDS,
    host_server::BACKENDS_CPU_US,
    host_server::BACKENDS_RUN_DELAY_US,
    host_server::BACKENDS_TIMESLICES,
    host_server::BACKENDS_BLOCK_IO_DELAY_US,
];

/// The figures of the server's own processes, in the order of [`ProcessUsage::named_figures`].
const OF_OTHERS: [ProbeField; 5] = [
    host_server::OTHERS,
    host_server::OTHERS_CPU_US,
    host_server::OTHERS_RUN_DELAY_US,
    host_server::OTHERS_TIMESLICES,
    host_server::OTHERS_BLOCK_IO_DELAY_US,
];

/// The figures of the load's sessions, in the order of [`ProcessUsage::named_figures`].
const OF_LOAD: [ProbeField; 5] = [
    host_server::LOAD,
    host_server::LOAD_CPU_US,
    host_server::LOAD_RUN_DELAY_US,
    host_server::LOAD_TIMESLICES,
    host_server::LOAD_BLOCK_IO_DELAY_US,
];

/// What some processes used and waited for between two snapshots.
#[derive(Default)]
struct ProcessUsage {
    processes: u32,
    cpu_ns: u64,
    delay_ns: u64,
    timeslices: u64,
    block_io_ticks: Option<u64>,
}

impl ProcessUsage {
    fn between_snapshots(
        before: &BTreeMap<u32, ServerProcessTimes>,
        after: &BTreeMap<u32, ServerProcessTimes>,
        of: &dyn Fn(&ServerProcessTimes) -> bool,
    ) -> Self {
        let mut spent = Self::default();
        for (pid, now) in after.iter().filter(|(_, process)| of(process)) {
            // A number that has become another process's counts from zero, as a new process does.
            let was = before.get(pid).filter(|was| was.cpu_ns <= now.cpu_ns && was.delay_ns <= now.delay_ns);
            spent.processes += 1;
            spent.cpu_ns += now.cpu_ns - was.map_or(0, |was| was.cpu_ns);
            spent.delay_ns += now.delay_ns - was.map_or(0, |was| was.delay_ns);
            spent.timeslices += now.timeslices.saturating_sub(was.map_or(0, |was| was.timeslices));
            if let Some(ticks) = now.block_io_ticks {
                let before = was.map_or(Some(0), |was| was.block_io_ticks);
                let increase = before.map(|before| ticks.saturating_sub(before));
                spent.block_io_ticks =
                    increase.map(|increase| increase + spent.block_io_ticks.unwrap_or(0)).or(spent.block_io_ticks);
            }
        }
        spent
    }

    /// Its figures by name, of these processes.
    fn named_figures(self, [processes, cpu, run_delay, timeslices, block_io_delay]: [ProbeField; 5]) -> ReadingValues {
        let ticks_per_s = rustix::param::clock_ticks_per_second() as f64;
        let block_io_us = self.block_io_ticks.map(|ticks| ticks as f64 * 1e6 / ticks_per_s);
        let known = [
            (processes, f64::from(self.processes)),
            (cpu, self.cpu_ns as f64 / 1e3),
            (run_delay, self.delay_ns as f64 / 1e3),
            (timeslices, self.timeslices as f64),
        ];
        let known = known.into_iter().chain(block_io_us.map(|us| (block_io_delay, us)));
        known.map(|(field, value)| (field.name.to_owned(), value)).collect()
    }
}

fn children_of(text: &str) -> Result<Vec<u32>, Malformed> {
    text.split_whitespace()
        .map(|word| word.parse().map_err(|_| Malformed(format!("{word:?} is not a process ID"))))
        .collect()
}

/// Time on a CPU and time waiting for one, in nanoseconds, and how often a CPU was given.
pub(super) fn parse_schedstat(text: &str) -> Result<[u64; 3], Malformed> {
    let mut numbers = text.split_whitespace().map(str::parse);
    match [numbers.next(), numbers.next(), numbers.next()] {
        [Some(Ok(cpu_ns)), Some(Ok(delay_ns)), Some(Ok(timeslices))] => Ok([cpu_ns, delay_ns, timeslices]),
        _ => Err(Malformed(format!("{text:?} does not begin with three numbers"))),
    }
}

/// Field 42 of proc_pid_stat(5). The second field, a name in parentheses, may contain anything.
fn block_io_ticks(text: &str) -> Result<u64, Malformed> {
    let after_name = text.rsplit_once(") ").map(|(_, rest)| rest);
    let field = after_name.and_then(|rest| rest.split_whitespace().nth(39)?.parse().ok());
    field.ok_or_else(|| Malformed("it has no time of waiting for block devices".to_owned()))
}

/// From a title such as `postgres: 15/main: checkpointer ` or `postgres: bench bench [local] idle`.
fn whom_it_serves(title: &str) -> Serving {
    match server_process_name(title) {
        Some(_) => Serving::Server,
        None => Serving::Client,
    }
}

/// The name of a process that serves no client, by its title; none for a session.
pub(crate) fn server_process_name(title: &str) -> Option<&'static str> {
    let title = title.trim_end_matches(['\0', ' ']);
    let purpose = title.rsplit_once(": ").map_or(title, |(_, purpose)| purpose);
    OF_THE_SERVER.into_iter().find(|name| purpose.starts_with(name))
}

/// Processes that have used so many nanoseconds.
#[cfg(test)]
pub(super) fn living_with_times(times: impl IntoIterator<Item = (u32, u64)>) -> LivingProcesses {
    let process = |cpu_ns| ServerProcessTimes {
        serving: Serving::Client,
        of_load: false,
        cpu_ns,
        delay_ns: 0,
        timeslices: 0,
        block_io_ticks: None,
    };
    let living = times.into_iter().map(|(pid, cpu_ns)| (pid, process(cpu_ns))).collect();
    Arc::new(Mutex::new(Some(living)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::assert_every_field;

    #[test]
    fn a_title_says_whom_a_process_serves() {
        let check = |title: &str, expected: Serving| assert_eq!(whom_it_serves(title), expected, "{title:?}");
        check("postgres: checkpointer \0\0", Serving::Server);
        check("postgres: 15/main: background writer ", Serving::Server);
        check("postgres: autovacuum worker bench", Serving::Server);
        check("postgres: bench bench [local] SELECT", Serving::Client);
        check("postgres: 17/main: bench bench 127.0.0.1(50124) idle", Serving::Client);
        check("", Serving::Client);
    }

    fn process(serving: Serving, cpu_ns: u64, delay_ns: u64) -> ServerProcessTimes {
        ServerProcessTimes {
            serving,
            of_load: false,
            cpu_ns,
            delay_ns,
            timeslices: cpu_ns / 1_000,
            block_io_ticks: None,
        }
    }

    fn living_snapshot<const N: usize>(processes: [(u32, ServerProcessTimes); N]) -> ServerProcessSnapshot {
        ServerProcessSnapshot { live: processes.into(), ended_cpu_ns: None }
    }

    #[test]
    fn backends_and_the_rest_are_summed_up_apart_and_new_processes_count_from_their_start() {
        let before = living_snapshot([
            (10, process(Serving::Client, 5_000, 1_000)),
            (11, process(Serving::Server, 7_000, 0)),
            (12, process(Serving::Client, 9_000, 9_000)),
        ]);
        let after = living_snapshot([
            (10, process(Serving::Client, 8_000, 3_000)),
            (11, process(Serving::Server, 9_000, 4_000)),
            (13, process(Serving::Client, 1_000, 2_000)),
        ]);
        let expected = [
            ("backends", 2.0),
            ("backends_cpu_us", 4.0),
            ("backends_run_delay_us", 4.0),
            ("backends_timeslices", 4.0),
            ("others", 1.0),
            ("others_cpu_us", 2.0),
            ("others_run_delay_us", 4.0),
            ("others_timeslices", 2.0),
        ];
        let values = ServerProcesses::snapshot_difference(&before, &after).unwrap();
        assert_eq!(values, ReadingValues::from(expected.map(|(name, value)| (name.to_owned(), value))));
    }

    #[test]
    fn what_the_load_s_own_backends_used_is_told_once_more_where_any_of_them_are_known() {
        let of_load = |cpu_ns| ServerProcessTimes { of_load: true, ..process(Serving::Client, cpu_ns, 500) };
        let after = living_snapshot([(10, process(Serving::Client, 8_000, 0)), (12, of_load(3_000))]);
        let values = ServerProcesses::snapshot_difference(&living_snapshot([(12, of_load(1_000))]), &after).unwrap();
        let told = ["backends_cpu_us", "load", "load_cpu_us", "load_run_delay_us"].map(|name| values[name]);
        assert_eq!(told, [10.0, 1.0, 2.0, 0.0]);
    }

    #[test]
    fn waiting_for_block_devices_counts_where_the_kernel_keeps_account_of_it_and_is_absent_elsewhere() {
        let line =
            format!("7 (a) b) S {} 12 0 0\n", (4..=41).map(|field| field.to_string()).collect::<Vec<_>>().join(" "));
        assert_eq!(block_io_ticks(&line), Ok(12));
        let kept = |ticks| ServerProcessTimes { block_io_ticks: Some(ticks), ..process(Serving::Client, 5, 5) };
        let before = living_snapshot([(10, kept(3))]);
        let values =
            ServerProcesses::snapshot_difference(&before, &living_snapshot([(10, kept(5)), (11, kept(4))])).unwrap();
        assert_eq!(values["backends_block_io_delay_us"], 6.0 * 1e6 / rustix::param::clock_ticks_per_second() as f64);
        let of_load = ServerProcessTimes { of_load: true, ..kept(5) };
        let of_server = ServerProcessTimes { serving: Serving::Server, ..kept(5) };
        let whole =
            ServerProcessSnapshot { ended_cpu_ns: Some(7), ..living_snapshot([(10, of_load), (11, of_server)]) };
        assert_every_field(host_server::PROBE, &ServerProcesses::snapshot_difference(&whole, &whole).unwrap());
        let unkept =
            ServerProcesses::snapshot_difference(&before, &living_snapshot([(10, process(Serving::Client, 5, 5))]));
        assert!(!unkept.unwrap().contains_key("backends_block_io_delay_us"));
    }

    #[test]
    fn a_process_that_has_ended_is_left_out_but_a_kernel_without_schedstat_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join("proc").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("9/task/9/children", "10 11 ");
        let server = ServerProcesses::new(root.path(), 9, LoadProcesses::from([11]));
        assert!(matches!(server.read_snapshot(), Err(UnreadableFile::Io { .. })));
        assert_eq!(*server.living_processes().lock().unwrap(), None);
        write("11/schedstat", "5000 70 3\n");
        let of_load = ServerProcessTimes { of_load: true, timeslices: 3, ..process(Serving::Client, 5_000, 70) };
        assert_eq!(server.read_snapshot().unwrap(), living_snapshot([(11, of_load)]));
        assert_eq!(*server.living_processes().lock().unwrap(), Some(BTreeMap::from([(11, of_load)])));
    }

    #[test]
    fn sessions_that_begin_and_end_between_two_readings_are_in_the_account_of_those_that_ended() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join("proc").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let ended = |user: u32, system: u32| {
            write("9/stat", &format!("9 (postgres) S 1 9 9 0 -1 0 0 0 0 0 5 5 {user} {system} 20 0\n"));
        };
        let tick_us = 1e6 / rustix::param::clock_ticks_per_second() as f64;
        write("9/task/9/children", "10 ");
        write("10/schedstat", &format!("{} 0 1\n", tick_us * 2.0 * 1e3));
        ended(70, 30);
        let server = ServerProcesses::new(root.path(), 9, LoadProcesses::default());
        let first = server.read_snapshot().unwrap();
        // The session that lived has ended with three ticks, of which two are counted; others had four.
        write("9/task/9/children", "11 ");
        write("11/schedstat", "5000 0 1\n");
        ended(75, 32);
        let second = server.read_snapshot().unwrap();
        let values = ServerProcesses::snapshot_difference(&first, &second).unwrap();
        assert_eq!((values["ended_cpu_us"], values["backends_cpu_us"]), (5.0 * tick_us, 5.0));
    }

    #[test]
    fn a_command_of_a_process_of_the_server_is_its_cpu_time() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join("proc").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("9/task/9/children", "10 ");
        write("10/cmdline", "postgres: archiver last was 000000010000000000000007\0");
        write("10/schedstat", "1000 0 1\n");
        write("10/stat", "10 (postgres) S 9 9 9 0 -1 0 0 0 0 0 0 0 3 1 20 0\n");
        let server = ServerProcesses::new(root.path(), 9, LoadProcesses::default());
        let tick_ns = 1_000_000_000 / rustix::param::clock_ticks_per_second();
        assert_eq!(server.read_snapshot().unwrap().live[&10].cpu_ns, 1000 + 4 * tick_ns);
    }

    #[test]
    fn a_malformed_file_is_an_error_that_shows_what_was_found() {
        assert_eq!(parse_schedstat("12 34 5\n"), Ok([12, 34, 5]));
        assert_eq!(parse_schedstat("12\n").unwrap_err().to_string(), "\"12\\n\" does not begin with three numbers");
        assert_eq!(children_of("12 x 14").unwrap_err().to_string(), "\"x\" is not a process ID");
    }
}
