//! `host.processes`: what the server's processes beyond the load's sessions used and waited for, by kind: the
//! postmaster's forks, the checkpointer, walsenders, workers of extensions, other sessions, ...
//!
//! From what `host.server` has read a moment before, their titles, each read once, and `/proc/PID/io`. Bytes are those
//! of storage: what the page cache has is not read, and of `written_bytes` a part may be still to be written. They are
//! absent of a kind of which they may not be read, and of the postmaster, to which the kernel adds those of its ended
//! children. Without the load's processes no other sessions are told from them.
//!
//! A process that ends takes what it used since the reading before with it: of workers that live for less than an
//! interval this is all, which is in `ended_cpu_us` of `host.server` for all kinds together.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use results::probe_fields::{ProbeName, host_processes};
use results::process_figures::{OTHER_SESSIONS, PARALLEL_WORKER, PARALLEL_WORKER_OF_LOAD, POSTMASTER, ProcessFigure};

use super::HostSource;
use super::proc_file::{self, Malformed, UnreadableFile};
use super::process_kind::{KindOfProcess, process_kind};
use super::server_processes::{LivingProcesses, parse_schedstat};
use crate::counter::{Backwards, ReadingValues};

/// Of so many other sessions the bytes are read, and of more of none: each is a file more.
const SESSIONS_WITH_BYTES: usize = 200;

/// Reads the processes of one postmaster by kind.
pub(crate) struct ServerProcessKinds {
    root: PathBuf,
    postmaster: u32,
    /// What `host.server` has read a moment before.
    living: LivingProcesses,
    /// What each process is: found out once, when it has given itself a title.
    kinds: Mutex<BTreeMap<u32, KindOfProcess>>,
}

/// The processes that are none of the load's sessions, by number.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ProcessSnapshot {
    processes: BTreeMap<u32, ProcessOfKind>,
    /// Whether any session of the load is known: else all may be.
    knows_load: bool,
}

/// One process.
#[derive(Debug, Clone, PartialEq)]
struct ProcessOfKind {
    kind: String,
    cpu_ns: u64,
    delay_ns: u64,
    bytes: Option<StorageBytes>,
}

/// What a process read from storage and wrote to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct StorageBytes {
    read: u64,
    written: u64,
}

/// What the processes of one kind used between two snapshots.
#[derive(Debug, Default)]
struct SpentByKind {
    processes: u32,
    cpu_ns: u64,
    delay_ns: u64,
    read_bytes: u64,
    written_bytes: u64,
    lacks_bytes: bool,
}

impl ServerProcessKinds {
    /// `living` are to be those of a moment ago whenever this is read.
    pub(crate) fn new(root: &Path, postmaster: u32, living: LivingProcesses) -> Self {
        Self { root: root.to_owned(), postmaster, living, kinds: Mutex::default() }
    }

    /// What a process is; one without a title is a session that is about to begin.
    fn kind_of_process(&self, pid: u32) -> KindOfProcess {
        let mut kinds = self.kinds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kind) = kinds.get(&pid) {
            return kind.clone();
        }
        // Without a title it has ended already, or has just begun.
        let title = std::fs::read(self.root.join(format!("proc/{pid}/cmdline"))).ok();
        match title.and_then(|title| process_kind(&String::from_utf8_lossy(&title))) {
            Some(kind) => {
                kinds.insert(pid, kind.clone());
                kind
            }
            None => KindOfProcess::Session,
        }
    }

    fn forget_ended(&self, is_alive: impl Fn(&u32) -> bool) {
        self.kinds.lock().unwrap_or_else(PoisonError::into_inner).retain(|pid, _| is_alive(pid));
    }

    fn bytes_of_process(&self, pid: u32) -> Option<StorageBytes> {
        proc_file::read_proc_file(&self.root, &format!("proc/{pid}/io"), storage_bytes).ok()
    }

    /// The postmaster itself; none where the kernel does not tell.
    fn of_postmaster(&self) -> Option<ProcessOfKind> {
        let path = format!("proc/{}/schedstat", self.postmaster);
        let [cpu_ns, delay_ns, _] = proc_file::read_proc_file(&self.root, &path, parse_schedstat).ok()?;
        Some(ProcessOfKind { kind: POSTMASTER.to_owned(), cpu_ns, delay_ns, bytes: None })
    }
}

impl HostSource for ServerProcessKinds {
    type Snapshot = ProcessSnapshot;

    fn probe_name(&self) -> ProbeName {
        host_processes::PROBE
    }

    fn read_snapshot(&self) -> Result<ProcessSnapshot, UnreadableFile> {
        let living = self.living.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let living = living.ok_or(UnreadableFile::ServerProcesses)?;
        let load: BTreeSet<u32> = living.iter().filter(|(_, process)| process.of_load).map(|(pid, _)| *pid).collect();
        let has_few_others = living.len() - load.len() <= SESSIONS_WITH_BYTES;
        let mut processes = BTreeMap::new();
        for (pid, process) in living.iter().filter(|(_, process)| !process.of_load) {
            let kind = self.kind_of_process(*pid);
            let reads_bytes = match kind {
                KindOfProcess::Session => has_few_others && !load.is_empty(),
                KindOfProcess::ParallelWorker { .. } | KindOfProcess::OfServer(_) => true,
            };
            let bytes = if reads_bytes { self.bytes_of_process(*pid) } else { None };
            let kind = name_in_figures(kind, &load);
            processes.insert(*pid, ProcessOfKind { kind, cpu_ns: process.cpu_ns, delay_ns: process.delay_ns, bytes });
        }
        processes.extend(self.of_postmaster().map(|postmaster| (self.postmaster, postmaster)));
        self.forget_ended(|pid| living.contains_key(pid));
        Ok(ProcessSnapshot { processes, knows_load: !load.is_empty() })
    }

    /// The figures of every kind of which there is a process now.
    fn snapshot_difference(before: &ProcessSnapshot, after: &ProcessSnapshot) -> Result<ReadingValues, Backwards> {
        let mut kinds: BTreeMap<&str, SpentByKind> = BTreeMap::new();
        for (pid, now) in &after.processes {
            if now.kind == OTHER_SESSIONS && !after.knows_load {
                continue;
            }
            // A number that has become another process's counts from zero, as a new process does.
            let was = before.processes.get(pid).filter(|was| was.cpu_ns <= now.cpu_ns && was.delay_ns <= now.delay_ns);
            kinds.entry(&now.kind).or_default().add_process(was, now);
        }
        let mut values = ReadingValues::new();
        for (kind, spent) in kinds {
            for (figure, value) in spent.known_figures() {
                values.insert(figure.name_of_kind(kind), value);
            }
        }
        Ok(values)
    }
}

impl SpentByKind {
    /// Adds what one process used since it was seen before, or since its start.
    fn add_process(&mut self, was: Option<&ProcessOfKind>, now: &ProcessOfKind) {
        self.processes += 1;
        self.cpu_ns += now.cpu_ns - was.map_or(0, |was| was.cpu_ns);
        self.delay_ns += now.delay_ns - was.map_or(0, |was| was.delay_ns);
        let bytes_before = match was {
            Some(was) => was.bytes,
            None => Some(StorageBytes { read: 0, written: 0 }),
        };
        match (bytes_before, now.bytes) {
            (Some(before), Some(bytes)) => {
                self.read_bytes += bytes.read.saturating_sub(before.read);
                self.written_bytes += bytes.written.saturating_sub(before.written);
            }
            (None, _) | (_, None) => self.lacks_bytes = true,
        }
    }

    fn known_figures(&self) -> Vec<(ProcessFigure, f64)> {
        let mut figures = vec![
            (ProcessFigure::Processes, f64::from(self.processes)),
            (ProcessFigure::CpuUs, self.cpu_ns as f64 / 1e3),
            (ProcessFigure::RunDelayUs, self.delay_ns as f64 / 1e3),
        ];
        if !self.lacks_bytes {
            figures.push((ProcessFigure::ReadBytes, self.read_bytes as f64));
            figures.push((ProcessFigure::WrittenBytes, self.written_bytes as f64));
        }
        figures
    }
}

/// What a kind is called in the names of figures. `load` are the processes of the load's sessions.
fn name_in_figures(kind: KindOfProcess, load: &BTreeSet<u32>) -> String {
    match kind {
        KindOfProcess::Session => OTHER_SESSIONS.to_owned(),
        KindOfProcess::ParallelWorker { of: Some(leader) } if load.contains(&leader) => {
            PARALLEL_WORKER_OF_LOAD.to_owned()
        }
        KindOfProcess::ParallelWorker { .. } => PARALLEL_WORKER.to_owned(),
        KindOfProcess::OfServer(name) => name,
    }
}

/// `read_bytes` and `write_bytes` of proc_pid_io(5).
fn storage_bytes(text: &str) -> Result<StorageBytes, Malformed> {
    Ok(StorageBytes { read: number_named("read_bytes", text)?, written: number_named("write_bytes", text)? })
}

fn number_named(name: &str, text: &str) -> Result<u64, Malformed> {
    let lines = text.lines().filter_map(|line| line.split_once(": "));
    let mut of_name = lines.filter(|(found, _)| *found == name);
    let found = of_name.next().and_then(|(_, number)| number.trim().parse().ok());
    found.ok_or_else(|| Malformed(format!("it has no {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::activity::LoadProcesses;
    use crate::host::server_processes::ServerProcesses;

    /// A `/proc` in which processes can be written, and both probes of its postmaster, 9, whose load is process 11.
    struct MachineWithServer {
        root: tempfile::TempDir,
        server: ServerProcesses,
        kinds: ServerProcessKinds,
    }

    fn machine_with_load(load: LoadProcesses) -> MachineWithServer {
        let root = tempfile::tempdir().unwrap();
        let server = ServerProcesses::new(root.path(), 9, load);
        let kinds = ServerProcessKinds::new(root.path(), 9, server.living_processes());
        MachineWithServer { root, server, kinds }
    }

    impl MachineWithServer {
        fn write_file(&self, path: &str, text: &str) {
            let path = self.root.path().join("proc").join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn write_process(&self, pid: u32, title: &str, [cpu_ns, delay_ns]: [u64; 2], bytes: Option<[u64; 2]>) {
            self.write_file(&format!("{pid}/cmdline"), &format!("{title}\0"));
            self.write_file(&format!("{pid}/schedstat"), &format!("{cpu_ns} {delay_ns} 1\n"));
            if let Some([read, written]) = bytes {
                let io = format!("rchar: 1\nwchar: 2\nread_bytes: {read}\nwrite_bytes: {written}\n");
                self.write_file(&format!("{pid}/io"), &io);
            }
        }

        fn read_both(&self) -> ProcessSnapshot {
            self.server.read_snapshot().unwrap();
            self.kinds.read_snapshot().unwrap()
        }
    }

    const SENDER: &str = "postgres: walsender repl 10.0.0.7(50124) streaming 0/3000148";
    const SESSION: &str = "postgres: bench bench [local] SELECT";

    #[test]
    fn each_kind_has_its_own_figures_and_the_load_s_sessions_are_none() {
        let machine = machine_with_load(LoadProcesses::from([11]));
        machine.write_file("9/task/9/children", "10 11 12 13 14 ");
        machine.write_file("9/schedstat", "1000 0 1\n");
        machine.write_process(10, SENDER, [5_000, 100], Some([0, 0]));
        machine.write_process(11, SESSION, [9_000, 900], None);
        machine.write_process(12, SESSION, [7_000, 700], Some([4096, 0]));
        machine.write_process(13, "postgres: parallel worker for PID 11", [1_000, 0], None);
        machine.write_process(14, "postgres: parallel worker for PID 12", [2_000, 0], None);
        let first = machine.read_both();
        machine.write_file("9/schedstat", "4000 1000 2\n");
        machine.write_process(10, SENDER, [9_000, 2_100], Some([8192, 512]));
        machine.write_process(11, SESSION, [99_000, 900], None);
        machine.write_process(12, SESSION, [8_000, 700], Some([4096, 4096]));
        let values = ServerProcessKinds::snapshot_difference(&first, &machine.read_both()).unwrap();
        let expected = [
            ("other sessions.cpu_us", 1.0),
            ("other sessions.processes", 1.0),
            ("other sessions.read_bytes", 0.0),
            ("other sessions.run_delay_us", 0.0),
            ("other sessions.written_bytes", 4096.0),
            ("parallel worker of the load.cpu_us", 0.0),
            ("parallel worker of the load.processes", 1.0),
            ("parallel worker of the load.run_delay_us", 0.0),
            ("parallel worker.cpu_us", 0.0),
            ("parallel worker.processes", 1.0),
            ("parallel worker.run_delay_us", 0.0),
            ("postmaster.cpu_us", 3.0),
            ("postmaster.processes", 1.0),
            ("postmaster.run_delay_us", 1.0),
            ("walsender.cpu_us", 4.0),
            ("walsender.processes", 1.0),
            ("walsender.read_bytes", 8192.0),
            ("walsender.run_delay_us", 2.0),
            ("walsender.written_bytes", 512.0),
        ];
        assert_eq!(values, ReadingValues::from(expected.map(|(name, value)| (name.to_owned(), value))));
    }

    #[test]
    fn who_does_not_know_the_load_knows_no_other_sessions_and_does_not_count_them_from_their_start_later() {
        let unknown = machine_with_load(LoadProcesses::default());
        unknown.write_file("9/task/9/children", "12 ");
        unknown.write_process(12, SESSION, [7_000, 700], None);
        let first = unknown.read_both();
        assert!(!first.knows_load);
        unknown.write_process(12, SESSION, [8_000, 700], None);
        let second = unknown.read_both();
        assert_eq!(ServerProcessKinds::snapshot_difference(&first, &second).unwrap(), ReadingValues::new());
        let known = ProcessSnapshot { knows_load: true, ..second };
        assert_eq!(ServerProcessKinds::snapshot_difference(&first, &known).unwrap()["other sessions.cpu_us"], 1.0);
    }

    #[test]
    fn a_process_that_begins_counts_from_its_start_and_a_kind_that_may_not_be_read_has_no_bytes() {
        let machine = machine_with_load(LoadProcesses::default());
        machine.write_file("9/task/9/children", "10 ");
        machine.write_process(10, SENDER, [5_000, 0], Some([5, 5]));
        let first = machine.read_both();
        machine.write_file("9/task/9/children", "10 20 ");
        machine.write_process(20, SENDER, [3_000, 0], Some([100, 0]));
        let both = ServerProcessKinds::snapshot_difference(&first, &machine.read_both()).unwrap();
        assert_eq!((both["walsender.cpu_us"], both["walsender.read_bytes"]), (3.0, 100.0));
        std::fs::remove_file(machine.root.path().join("proc/20/io")).unwrap();
        let without = ServerProcessKinds::snapshot_difference(&first, &machine.read_both()).unwrap();
        assert!(!without.contains_key("walsender.read_bytes") && without["walsender.cpu_us"] == 3.0, "{without:?}");
    }

    #[test]
    fn without_the_server_s_processes_there_is_a_gap() {
        let machine = machine_with_load(LoadProcesses::default());
        assert!(machine.server.read_snapshot().is_err());
        assert!(matches!(machine.kinds.read_snapshot(), Err(UnreadableFile::ServerProcesses)));
    }

    #[test]
    fn bytes_that_are_not_there_are_an_error() {
        let text = "rchar: 1\nread_bytes: 7\nwrite_bytes: 8\ncancelled_write_bytes: 9\n";
        assert_eq!(storage_bytes(text), Ok(StorageBytes { read: 7, written: 8 }));
        assert_eq!(storage_bytes("rchar: 1\n").unwrap_err().to_string(), "it has no read_bytes");
    }
}
