//! The directory of one condition, and pgdyno run in it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use testbed::killable_program;

use crate::child::output_within;
use crate::leftovers::{DIRECTORIES, PREFIX};
use crate::measured::Measured;
use crate::run_directory::{keep_newest_run, newest_run, program_in};

/// When a condition is given up.
const DEADLINE: Duration = Duration::from_secs(120);

/// The directory of one condition.
pub struct Site {
    directory: tempfile::TempDir,
}

impl Site {
    /// Makes the directory, on a disk or in memory, which the user of the servers can enter.
    pub fn new(on_disk: bool) -> Self {
        let [disk, memory] = DIRECTORIES;
        let below = if on_disk { disk } else { memory };
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(below).expect("a directory");
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        Self { directory }
    }

    /// Where everything is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file there.
    pub fn write(&self, name: &str, content: &str) {
        fs::write(self.path().join(name), content).expect("written");
    }

    /// Runs the plan; what the report says of the run.
    pub fn measure(&self, plan: &str, pgdyno: &Path) -> Measured {
        self.write("plan.yaml", plan);
        let pgdyno_here = fs::canonicalize(pgdyno).expect("the program");
        let mut command = program_in(self.path(), pgdyno_here);
        let ran = output_within(DEADLINE, command.args(["run", "plan.yaml", "--quiet"]));
        // 0 done, 1 regression, 4 not enough data: it measured, whatever the verdict.
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(matches!(ran.status.code(), Some(0 | 1 | 4)), "{}: {said}\n{plan}", ran.status);
        read_report(&newest_run(self.path()), pgdyno)
    }

    /// Copies the run directory to `to`.
    pub fn keep_run(&self, to: &Path) {
        keep_newest_run(self.path(), to);
    }
}

/// What the report of a run says.
pub fn read_report(run: &Path, pgdyno: &Path) -> Measured {
    let mut command = killable_program(fs::canonicalize(pgdyno).expect("the program"));
    let reported = output_within(DEADLINE, command.arg("report").arg(run).args(["--format", "json"]));
    let said = String::from_utf8_lossy(&reported.stderr);
    let report = serde_json::from_slice(&reported.stdout).unwrap_or_else(|error| panic!("{error}: {said}"));
    Measured::from_report(&report)
}
