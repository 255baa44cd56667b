//! The place of one test: a directory with its plans, runs, servers and temporary data, from which pgdyno is started as
//! a person would, and which is removed at the end whatever happened.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

use results::latest::is_latest_link;
use testbed::Directory;

use crate::process::{Ended, Program, Running};
use crate::run_view::RunView;

/// The program under test.
pub const PGDYNO: &str = env!("CARGO_BIN_EXE_pgdyno");

/// One trial of a cell, as short as it can be: what is tested are facts. For the same reason the clients of most plans
/// pause (`think: 5ms`): those that do not take all CPUs for as long as they are measured.
pub const BRIEF: &str = "trial: { warm_up: 0s, measure: 1s }\nblocks: { at_least: 1, at_most: 1 }\n";

/// The directory of one test.
pub struct Lab {
    directory: Directory,
    children: Cell<u32>,
}

impl Lab {
    /// Makes the directory, which the user of the servers can enter.
    pub fn new() -> Self {
        Self::of(Directory::new())
    }

    /// One whose files have to be on a disk.
    pub fn on_a_disk() -> Self {
        Self::of(Directory::on_a_disk())
    }

    fn of(directory: Directory) -> Self {
        let lab = Self { directory, children: Cell::new(0) };
        fs::create_dir(lab.temporary()).expect("a directory for temporary data");
        lab
    }

    /// Where everything of this test is.
    pub fn path(&self) -> &Path {
        self.directory.directory_path()
    }

    /// `$TMPDIR` of pgdyno: where local servers put their data.
    pub fn temporary(&self) -> PathBuf {
        self.path().join("tmp")
    }

    /// A number that no other child of this test has.
    pub fn number(&self) -> u32 {
        self.children.replace(self.children.get() + 1)
    }

    /// Writes a file, such as `plan.yaml`.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).expect("written");
        path
    }

    /// Runs a command line to its end: `lab.pgdyno("run plan.yaml")`. Words are separated by spaces; `runs/` is made in
    /// the lab's directory.
    pub fn pgdyno(&self, line: &str) -> Ended {
        self.start(line).end()
    }

    /// Starts a command line.
    pub fn start(&self, line: &str) -> Running {
        self.program(line).start()
    }

    /// A command line to be started with something unusual.
    pub fn program(&self, line: &str) -> Program {
        Program::new(self, PGDYNO).arguments(line.split_whitespace())
    }

    /// The one run below `runs/`.
    pub fn run(&self) -> RunView {
        let runs = self.runs();
        assert_eq!(runs.len(), 1, "one run: {runs:?}");
        RunView::open(&runs[0])
    }

    /// The directories below `runs/`, oldest first; the link to the newest of them is none.
    pub fn runs(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path().join("runs")) else { return Vec::new() };
        let mut runs: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
        runs.retain(|path| !is_latest_link(path));
        runs.sort();
        runs
    }

    /// No temporary data of a local server is left.
    #[track_caller]
    pub fn assert_no_temporary_data(&self) {
        let left: Vec<_> = fs::read_dir(self.temporary()).expect("listed").flatten().map(|e| e.path()).collect();
        assert_eq!(left, Vec::<PathBuf>::new(), "temporary data left");
    }
}
