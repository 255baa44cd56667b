//! `host.server`: what the server's processes used and waited for,
//! from `/proc/PID/schedstat` of the postmaster's children.
//!
//! Client backends apart from the server's own processes, and of the backends once more those of the load's sessions,
//! as far as it is known which these are: sides that take turns on one server have their own. A process that started
//! within the interval counts from its start; what one did after its last reading, before it ended, is lost.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::Source;
use super::proc_file::{self, Malformed, Unreadable};
use crate::activity::LoadProcesses;
use crate::counter::{Backwards, Values};

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

/// CPU time by process, in nanoseconds, as it was read last; none where it could not be read.
pub(crate) type CpuTimes = Arc<Mutex<Option<BTreeMap<u32, u64>>>>;

/// Reads the children of one postmaster.
pub(crate) struct ServerProcesses {
    root: PathBuf,
    postmaster: u32,
    /// What they have used, for who needs it a moment later.
    cpu_times: CpuTimes,
    /// Which of them serve the load.
    load: LoadProcesses,
    /// Whom each process serves: found out once, when it is first seen.
    serving: Mutex<BTreeMap<u32, Serving>>,
}

/// Whom a process serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Serving {
    Client,
    Server,
}

/// By process.
pub(crate) type Snapshot = BTreeMap<u32, Process>;

/// One process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Process {
    serving: Serving,
    /// Whether it is known to serve the load.
    of_load: bool,
    /// Time on a CPU.
    cpu_ns: u64,
    /// Time ready to run, waiting for a CPU.
    delay_ns: u64,
    /// Time waiting for a block device, where the kernel keeps account of delays.
    block_io_ticks: Option<u64>,
}

impl ServerProcesses {
    pub(crate) fn new(root: &Path, postmaster: u32, load: LoadProcesses) -> Self {
        Self { root: root.to_owned(), postmaster, cpu_times: CpuTimes::default(), load, serving: Mutex::default() }
    }

    /// Where each reading leaves what the children have used.
    pub(crate) fn cpu_times(&self) -> CpuTimes {
        Arc::clone(&self.cpu_times)
    }

    fn serving(&self, pid: u32) -> Serving {
        let mut known = self.serving.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(pid).or_insert_with(|| {
            // Without a title it has ended already.
            let title = std::fs::read(self.root.join(format!("proc/{pid}/cmdline")));
            title.map_or(Serving::Client, |title| serving(&String::from_utf8_lossy(&title)))
        })
    }

    /// Whether the kernel keeps account of what tasks wait for (`kernel.task_delayacct`, off by default since 5.14).
    fn keeps_delays(&self) -> bool {
        let switch = std::fs::read_to_string(self.root.join("proc/sys/kernel/task_delayacct"));
        switch.is_ok_and(|switch| switch.trim() == "1")
    }

    fn block_io_ticks(&self, pid: u32) -> Option<u64> {
        proc_file::read(&self.root, &format!("proc/{pid}/stat"), block_io_ticks).ok()
    }

    fn snapshot(&self) -> Result<Snapshot, Unreadable> {
        let children = format!("proc/{0}/task/{0}/children", self.postmaster);
        let pids = proc_file::read(&self.root, &children, children_of)?;
        let (keeps_delays, load) = (self.keeps_delays(), self.load.seen());
        let (mut snapshot, mut without) = (Snapshot::new(), None);
        for pid in pids {
            match proc_file::read(&self.root, &format!("proc/{pid}/schedstat"), schedstat) {
                Ok((cpu_ns, delay_ns)) => {
                    let block_io_ticks = keeps_delays.then(|| self.block_io_ticks(pid)).flatten();
                    let (serving, of_load) = (self.serving(pid), load.contains(&pid));
                    snapshot.insert(pid, Process { serving, of_load, cpu_ns, delay_ns, block_io_ticks });
                }
                // It has ended since the list was read.
                Err(unreadable @ Unreadable::Io { .. }) => without = Some(unreadable),
                Err(unreadable) => return Err(unreadable),
            }
        }
        match without {
            // Hardly that all have ended: this kernel has no such file.
            Some(unreadable) if snapshot.is_empty() => Err(unreadable),
            Some(_) | None => Ok(snapshot),
        }
    }
}

impl Source for ServerProcesses {
    type Snapshot = Snapshot;

    fn name(&self) -> &'static str {
        "host.server"
    }

    fn read(&self) -> Result<Snapshot, Unreadable> {
        let snapshot = self.snapshot();
        let times = |snapshot: &Snapshot| snapshot.iter().map(|(pid, process)| (*pid, process.cpu_ns)).collect();
        *self.cpu_times.lock().unwrap_or_else(PoisonError::into_inner) = snapshot.as_ref().ok().map(times);
        let snapshot = snapshot?;
        self.serving.lock().unwrap_or_else(PoisonError::into_inner).retain(|pid, _| snapshot.contains_key(pid));
        Ok(snapshot)
    }

    fn difference(before: &Snapshot, after: &Snapshot) -> Result<Values, Backwards> {
        let spent = |of: &dyn Fn(&Process) -> bool| Spent::between(before, after, of);
        let mut values = spent(&|process| process.serving == Serving::Client).named("backends");
        values.extend(spent(&|process| process.serving == Serving::Server).named("others"));
        if after.values().any(|process| process.of_load) {
            values.extend(spent(&|process| process.of_load).named("load"));
        }
        Ok(values)
    }
}

/// What some processes used and waited for between two snapshots.
#[derive(Default)]
struct Spent {
    processes: u32,
    cpu_ns: u64,
    delay_ns: u64,
    block_io_ticks: Option<u64>,
}

impl Spent {
    fn between(before: &Snapshot, after: &Snapshot, of: &dyn Fn(&Process) -> bool) -> Self {
        let mut spent = Self::default();
        for (pid, now) in after.iter().filter(|(_, process)| of(process)) {
            // A number that has become another process's counts from zero, as a new process does.
            let was = before.get(pid).filter(|was| was.cpu_ns <= now.cpu_ns && was.delay_ns <= now.delay_ns);
            spent.processes += 1;
            spent.cpu_ns += now.cpu_ns - was.map_or(0, |was| was.cpu_ns);
            spent.delay_ns += now.delay_ns - was.map_or(0, |was| was.delay_ns);
            if let Some(ticks) = now.block_io_ticks {
                let before = was.map_or(Some(0), |was| was.block_io_ticks);
                let increase = before.map(|before| ticks.saturating_sub(before));
                spent.block_io_ticks =
                    increase.map(|increase| increase + spent.block_io_ticks.unwrap_or(0)).or(spent.block_io_ticks);
            }
        }
        spent
    }

    /// Its figures by name, of processes that are called this.
    fn named(self, of: &str) -> Values {
        let ticks_per_s = rustix::param::clock_ticks_per_second() as f64;
        let block_io_us = self.block_io_ticks.map(|ticks| ticks as f64 * 1e6 / ticks_per_s);
        let known = [
            (of.to_owned(), f64::from(self.processes)),
            (format!("{of}_cpu_us"), self.cpu_ns as f64 / 1e3),
            (format!("{of}_run_delay_us"), self.delay_ns as f64 / 1e3),
        ];
        known.into_iter().chain(block_io_us.map(|us| (format!("{of}_block_io_delay_us"), us))).collect()
    }
}

fn children_of(text: &str) -> Result<Vec<u32>, Malformed> {
    let pid = |word: &str| word.parse().map_err(|_| Malformed(format!("{word:?} is no process number")));
    text.split_whitespace().map(pid).collect()
}

/// Time on a CPU and time waiting for one, in nanoseconds.
fn schedstat(text: &str) -> Result<(u64, u64), Malformed> {
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(cpu_ns)), Some(Ok(delay_ns))) => Ok((cpu_ns, delay_ns)),
        _ => Err(Malformed(format!("{text:?} does not begin with two numbers"))),
    }
}

/// Field 42 of proc_pid_stat(5). The second field, a name in parentheses, may contain anything.
fn block_io_ticks(text: &str) -> Result<u64, Malformed> {
    let after_name = text.rsplit_once(") ").map(|(_, rest)| rest);
    let field = after_name.and_then(|rest| rest.split_whitespace().nth(39)?.parse().ok());
    field.ok_or_else(|| Malformed("it has no time of waiting for block devices".to_owned()))
}

/// From a title such as `postgres: 15/main: checkpointer ` or `postgres: bench bench [local] idle`.
fn serving(title: &str) -> Serving {
    let title = title.trim_end_matches(['\0', ' ']);
    let purpose = title.rsplit_once(": ").map_or(title, |(_, purpose)| purpose);
    match OF_THE_SERVER.iter().any(|name| purpose.starts_with(name)) {
        true => Serving::Server,
        false => Serving::Client,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_says_whom_a_process_serves() {
        let check = |title: &str, expected: Serving| assert_eq!(serving(title), expected, "{title:?}");
        check("postgres: checkpointer \0\0", Serving::Server);
        check("postgres: 15/main: background writer ", Serving::Server);
        check("postgres: autovacuum worker bench", Serving::Server);
        check("postgres: bench bench [local] SELECT", Serving::Client);
        check("postgres: 17/main: bench bench 127.0.0.1(50124) idle", Serving::Client);
        check("", Serving::Client);
    }

    fn process(serving: Serving, cpu_ns: u64, delay_ns: u64) -> Process {
        Process { serving, of_load: false, cpu_ns, delay_ns, block_io_ticks: None }
    }

    #[test]
    fn backends_and_the_rest_are_summed_up_apart_and_new_processes_count_from_their_start() {
        let before = Snapshot::from([
            (10, process(Serving::Client, 5_000, 1_000)),
            (11, process(Serving::Server, 7_000, 0)),
            (12, process(Serving::Client, 9_000, 9_000)),
        ]);
        let after = Snapshot::from([
            (10, process(Serving::Client, 8_000, 3_000)),
            (11, process(Serving::Server, 9_000, 4_000)),
            (13, process(Serving::Client, 1_000, 2_000)),
        ]);
        let expected = [
            ("backends", 2.0),
            ("backends_cpu_us", 4.0),
            ("backends_run_delay_us", 4.0),
            ("others", 1.0),
            ("others_cpu_us", 2.0),
            ("others_run_delay_us", 4.0),
        ];
        let values = ServerProcesses::difference(&before, &after).unwrap();
        assert_eq!(values, Values::from(expected.map(|(name, value)| (name.to_owned(), value))));
    }

    #[test]
    fn what_the_load_s_own_backends_used_is_told_once_more_where_any_of_them_are_known() {
        let of_load = |cpu_ns| Process { of_load: true, ..process(Serving::Client, cpu_ns, 500) };
        let after = Snapshot::from([(10, process(Serving::Client, 8_000, 0)), (12, of_load(3_000))]);
        let values = ServerProcesses::difference(&Snapshot::from([(12, of_load(1_000))]), &after).unwrap();
        let told = ["backends_cpu_us", "load", "load_cpu_us", "load_run_delay_us"].map(|name| values[name]);
        assert_eq!(told, [10.0, 1.0, 2.0, 0.0]);
    }

    #[test]
    fn waiting_for_block_devices_counts_where_the_kernel_keeps_account_of_it_and_is_absent_elsewhere() {
        let line =
            format!("7 (a) b) S {} 12 0 0\n", (4..=41).map(|field| field.to_string()).collect::<Vec<_>>().join(" "));
        assert_eq!(block_io_ticks(&line), Ok(12));
        let kept = |ticks| Process { block_io_ticks: Some(ticks), ..process(Serving::Client, 5, 5) };
        let before = Snapshot::from([(10, kept(3))]);
        let values = ServerProcesses::difference(&before, &Snapshot::from([(10, kept(5)), (11, kept(4))])).unwrap();
        assert_eq!(values["backends_block_io_delay_us"], 6.0 * 1e6 / rustix::param::clock_ticks_per_second() as f64);
        let unkept = ServerProcesses::difference(&before, &Snapshot::from([(10, process(Serving::Client, 5, 5))]));
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
        assert!(matches!(server.read(), Err(Unreadable::Io { .. })));
        assert_eq!(*server.cpu_times().lock().unwrap(), None);
        write("11/schedstat", "5000 70 3\n");
        let of_load = Process { of_load: true, ..process(Serving::Client, 5_000, 70) };
        assert_eq!(server.read().unwrap(), Snapshot::from([(11, of_load)]));
        assert_eq!(*server.cpu_times().lock().unwrap(), Some(BTreeMap::from([(11, 5_000)])));
    }

    #[test]
    fn a_malformed_file_is_an_error_that_shows_what_was_found() {
        assert_eq!(schedstat("12 34 5\n"), Ok((12, 34)));
        assert_eq!(schedstat("12\n").unwrap_err().to_string(), "\"12\\n\" does not begin with two numbers");
        assert_eq!(children_of("12 x 14").unwrap_err().to_string(), "\"x\" is no process number");
    }
}
