//! What a running pgdyno has on the machine: its processes and the directories they work in. All of it must go with it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a server may take to end after pgdyno was killed.
const DEADLINE: Duration = Duration::from_secs(60);

/// Processes and directories as they were at one instant.
pub struct Traces {
    processes: Vec<Process>,
    directories: BTreeSet<PathBuf>,
}

/// A process, told from a later one with the same id by its start.
#[derive(Debug, Clone)]
struct Process {
    pid: u32,
    parent: u32,
    started: String,
    command: String,
}

impl Traces {
    /// All descendants of a process, the directories of their logs and sockets, and their data directories.
    pub fn of(root: u32) -> Self {
        let all = all_processes();
        let mut family = vec![root];
        let mut next = 0;
        while let Some(parent) = family.get(next).copied() {
            family.extend(all.iter().filter(|process| process.parent == parent).map(|process| process.pid));
            next += 1;
        }
        let descendants = || family.iter().skip(1);
        Self {
            directories: descendants().flat_map(|pid| directories(*pid)).collect(),
            processes: all.iter().filter(|process| descendants().any(|pid| *pid == process.pid)).cloned().collect(),
        }
    }

    /// The number of PostgreSQL servers among them.
    pub fn servers(&self) -> usize {
        self.postmasters().count()
    }

    /// The process ids of the servers.
    pub fn postmasters(&self) -> impl Iterator<Item = u32> {
        // A child of a server has its command line until it has given itself a title; the parent tells them apart.
        let supervised = |parent: u32| {
            self.processes.iter().any(|process| process.pid == parent && process.command.contains("__supervise"))
        };
        let servers = self.processes.iter().filter(|process| process.command.contains("/postgres -D "));
        servers.filter(move |process| supervised(process.parent)).map(|process| process.pid)
    }

    /// Command lines, one a process.
    pub fn commands(&self) -> String {
        self.processes.iter().map(|process| format!("{}\n", process.command)).collect()
    }

    fn left(&self) -> Vec<String> {
        let now = all_processes();
        let lives =
            |process: &&Process| now.iter().any(|other| other.pid == process.pid && other.started == process.started);
        let processes = self.processes.iter().filter(lives).map(|process| process.command.clone());
        let directories = self.directories.iter().filter(|path| path.exists());
        processes.chain(directories.map(|path| path.display().to_string())).collect()
    }

    /// Nothing of it is there.
    #[track_caller]
    pub fn assert_gone(&self) {
        assert_eq!(self.left(), Vec::<String>::new(), "left behind");
    }

    /// Nothing of it is there soon.
    #[track_caller]
    pub fn await_gone(&self) {
        let deadline = Instant::now() + DEADLINE;
        while !self.left().is_empty() {
            assert!(Instant::now() < deadline, "still there: {:?}", self.left());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Every process of the machine that is not a zombie.
fn all_processes() -> Vec<Process> {
    let names = fs::read_dir("/proc").expect("/proc").flatten().map(|entry| entry.file_name());
    let pids = names.filter_map(|name| name.to_str()?.parse().ok());
    pids.filter_map(|pid: u32| {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let command = fs::read_to_string(format!("/proc/{pid}/cmdline")).unwrap_or_default().replace('\0', " ");
        let (parent, started) = (fields.get(1)?.parse().ok()?, (*fields.get(19)?).to_owned());
        (fields[0] != "Z").then_some(Process { pid, parent, started, command })
    })
    .collect()
}

/// The directory of a server's log and socket (where its output goes) and its data directory (where it works).
fn directories(pid: u32) -> Vec<PathBuf> {
    let link = |name: &str| fs::read_link(format!("/proc/{pid}/{name}")).ok();
    let of_log = link("fd/1").and_then(|log| log.parent().map(Path::to_owned));
    let in_tmp = of_log.filter(|directory| directory.to_string_lossy().starts_with("/tmp/pgdyno-"));
    let data = link("cwd").filter(|directory| directory.join("PG_VERSION").exists());
    in_tmp.into_iter().chain(data).collect()
}
