//! A server that somebody else started, beside pgdyno, and an agent that leaves its process id.

use std::fs;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use testbed::{Postgres, Setup, as_postgres, run_command};

use crate::lab::{Lab, PGDYNO};

/// A server as its owner started it: by `pg_ctl`, which can start it again. It ends with the test.
pub(crate) struct Found(pub(crate) Postgres);

impl Found {
    pub(crate) fn start() -> Self {
        let found = Self(Setup { settings: "shared_buffers = 16MB\n".to_owned(), ..Setup::default() }.make_server());
        found.pg_ctl(&["start", "-w", "-l", &found.0.log_path().to_string_lossy()]);
        run_command(found.0.client_program("psql").args(["-qc", "ALTER SYSTEM SET work_mem = '5MB'"]));
        found
    }

    fn pg_ctl(&self, arguments: &[&str]) {
        run_command(
            as_postgres(testbed::newest_version().join("pg_ctl"))
                .args(arguments)
                .arg("-D")
                .arg(self.0.data_directory()),
        );
    }

    /// What ALTER SYSTEM has set.
    pub(crate) fn file(&self) -> String {
        let text = fs::read_to_string(self.0.data_directory().join("postgresql.auto.conf")).expect("the file");
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.to_owned() + "\n").collect()
    }

    pub(crate) fn shows(&self, setting: &str) -> String {
        self.0.query_postgres(&format!("SHOW {setting}"))
    }

    /// Waits until whoever puts it back has done so.
    #[track_caller]
    pub(crate) fn await_as_before(&self) {
        let begun = Instant::now();
        let shows = "SELECT setting FROM pg_settings WHERE name = 'shared_buffers'";
        let is = || {
            self.file() == "work_mem = '5MB'\n"
                && self.0.try_sql(&self.0.socket_conninfo(), shows) == Ok("2048".to_owned())
        };
        while !is() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{}", self.file());
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Nothing of what was changed is left, in the file nor in force.
    #[track_caller]
    pub(crate) fn assert_as_before(&self) {
        assert_eq!(self.file(), "work_mem = '5MB'\n");
        assert_eq!((self.shows("shared_buffers"), self.shows("max_wal_size")), ("16MB".to_owned(), "1GB".to_owned()));
    }
}

impl Drop for Found {
    fn drop(&mut self) {
        // One that a test has left dead is no error.
        let _ended = as_postgres(testbed::newest_version().join("pg_ctl"))
            .args(["stop", "-m", "immediate", "-D"])
            .arg(self.0.data_directory())
            .output();
    }
}

/// The command of an agent that leaves its process id in `agent.pid`; each its own line.
pub(crate) fn noted() -> String {
    format!("{{ command: \"echo $$ >> agent.pid; exec {PGDYNO} agent --stdio\" }}")
}

/// Kills the agents that have left their process ids so.
pub(crate) fn kill_noted(lab: &Lab) {
    let noted = fs::read_to_string(lab.path().join("agent.pid")).expect("agents");
    for agent in noted.lines().filter_map(|line| Pid::from_raw(line.trim().parse().ok()?)) {
        let _ended = kill_process(agent, Signal::KILL);
    }
}
