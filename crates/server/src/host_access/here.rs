//! Whether the process that serves a session is one of this machine: one of PostgreSQL's sessions that has the id that the
//! server says, began when the server says that it did, and belongs to a server with that data directory.
//!
//! The id alone is no proof: every machine has a process of that id, and one that runs a PostgreSQL, too, may have one of
//! PostgreSQL's. A server in a container knows its process by another id than this machine does, which the kernel tells.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::whereabouts::{BackendProcess, Whereabouts};

/// By how much two readings of the instant at which a process began may differ: the server takes it some milliseconds
/// after the kernel, whose figure is in hundredths of a second.
const AGREES_US: u64 = 2_000_000;

/// A machine on which processes are looked for.
pub(super) struct ProcessMachine {
    /// The root of its file system.
    root: PathBuf,
    /// When its kernel began to count, in microseconds since 1970 by its clock of now.
    booted_us: i64,
    ticks_per_s: u64,
}

/// What the kernel says of a process.
struct HostProcess {
    parent: u32,
    /// Its ids, from the outermost namespace that this machine sees to its own.
    ids: Vec<i32>,
}

impl ProcessMachine {
    /// The one that this process runs on.
    pub(super) fn this_machine() -> Self {
        let boot = rustix::time::clock_gettime(rustix::time::ClockId::Boottime);
        let since_boot_us = boot.tv_sec * 1_000_000 + boot.tv_nsec / 1_000;
        Self {
            root: PathBuf::from("/"),
            booted_us: jiff::Timestamp::now().as_microsecond() - since_boot_us,
            ticks_per_s: rustix::param::clock_ticks_per_second(),
        }
    }

    /// The process of a session, and where its server is, if it is here.
    pub(super) fn find_session_process(&self, backend: &BackendProcess) -> Option<(i32, Whereabouts)> {
        // In a namespace of its own its id here is another one, so that all processes have to be looked at.
        let here = Some(backend.backend_pid);
        here.into_iter()
            .chain(self.process_ids())
            .find_map(|pid| Some((pid, self.whereabouts_of_server(pid, backend)?)))
    }

    fn process_ids(&self) -> impl Iterator<Item = i32> {
        let entries = fs::read_dir(self.root.join("proc")).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
    }

    /// The server of this process, if it is the one that serves the session.
    fn whereabouts_of_server(&self, pid: i32, backend: &BackendProcess) -> Option<Whereabouts> {
        let directory = self.root.join("proc").join(pid.to_string());
        let process = HostProcess::in_status(&fs::read_to_string(directory.join("status")).ok()?)?;
        let title = fs::read(directory.join("cmdline")).ok()?;
        let is_it = process.ids.last() == Some(&backend.backend_pid)
            && title.starts_with(b"postgres:")
            && self.began_us(&directory)?.abs_diff(backend.backend_started_us?) <= AGREES_US;
        // A path within a container is none of this machine's.
        let data_directory = backend.data_directory.clone().filter(|_| process.ids.len() == 1);
        let elsewhere = data_directory.as_ref().is_some_and(|path| self.works_elsewhere(process.parent, path));
        (is_it && !elsewhere).then_some(Whereabouts { postmaster_pid: process.parent, data_directory })
    }

    /// When a process began, in microseconds since 1970.
    fn began_us(&self, process: &Path) -> Option<i64> {
        let stat = fs::read_to_string(process.join("stat")).ok()?;
        // The 22nd field; the second is a name in parentheses that may itself hold some.
        let ticks: u64 = stat.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()?;
        Some(self.booted_us + i64::try_from(ticks * 1_000_000 / self.ticks_per_s).ok()?)
    }

    /// Whether a postmaster, which works in its data directory, works in another one; where that cannot be seen, it does not.
    fn works_elsewhere(&self, postmaster: u32, data_directory: &Path) -> bool {
        let works_in = self.root.join("proc").join(postmaster.to_string()).join("cwd");
        let [works_in, said] = [works_in.as_path(), data_directory].map(|path| fs::metadata(path).ok());
        let identity = |of: fs::Metadata| (of.dev(), of.ino());
        works_in.map(identity).zip(said.map(identity)).is_some_and(|(works_in, said)| works_in != said)
    }
}

impl HostProcess {
    /// From `/proc/<pid>/status`, if it is one of PostgreSQL's.
    fn in_status(status: &str) -> Option<Self> {
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        field("Name:")?.starts_with("postgres").then_some(())?;
        let ids = field("NSpid:")?.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        Some(Self { parent: field("PPid:")?.parse().ok()?, ids })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with one session of PostgreSQL: process 70, child of 7, began 5 s after the boot in 1970.
    fn machine(title: &str, ids: &str) -> (tempfile::TempDir, ProcessMachine) {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("proc/70");
        fs::create_dir_all(&directory).unwrap();
        fs::create_dir_all(root.path().join("proc/7/cwd")).unwrap();
        fs::create_dir_all(root.path().join("other")).unwrap();
        fs::write(directory.join("status"), format!("Name:\tpostgres\nPPid:\t7\nNSpid:\t{ids}\n")).unwrap();
        let before = "0 ".repeat(18);
        fs::write(directory.join("stat"), format!("70 (post (gres) S {before}500 0")).unwrap();
        fs::write(directory.join("cmdline"), title).unwrap();
        let machine = ProcessMachine { root: root.path().to_owned(), booted_us: 0, ticks_per_s: 100 };
        (root, machine)
    }

    #[test]
    fn a_session_is_here_if_id_title_beginning_and_data_directory_are_those_of_a_process() {
        let session = "postgres: bench bench [local] idle\0";
        let cases = [
            ("the session", session, "70", 70, Some(5_010_000), Some("proc/7/cwd"), true),
            ("its data directory not known", session, "70", 70, Some(5_010_000), None, true),
            ("its data directory not to be seen", session, "70", 70, Some(5_010_000), Some("absent"), true),
            ("in a container", session, "70 3", 3, Some(5_010_000), Some("other"), true),
            ("an id of nobody", session, "70", 71, Some(5_010_000), None, false),
            ("an id within a container", session, "70 3", 70, Some(5_010_000), None, false),
            ("began later", session, "70", 70, Some(7_100_000), None, false),
            ("began earlier", session, "70", 70, Some(2_900_000), None, false),
            ("not told when it began", session, "70", 70, None, None, false),
            ("another server's", session, "70", 70, Some(5_010_000), Some("other"), false),
            ("no session", "/usr/bin/postgres\0-D\0/data\0", "70", 70, Some(5_010_000), None, false),
        ];
        for (what, title, ids, backend_pid, backend_started_us, directory, expected) in cases {
            let (root, machine) = machine(title, ids);
            let data_directory = directory.map(|path| root.path().join(path));
            let known_here = data_directory.clone().filter(|_| ids == "70");
            let backend = BackendProcess { backend_pid, backend_started_us, data_directory };
            let expected = expected.then_some((70, Whereabouts { postmaster_pid: 7, data_directory: known_here }));
            assert_eq!(machine.find_session_process(&backend), expected, "{what}");
        }
    }
}
