//! The place of one case: a directory that is removed with it, in which pgdyno is run as a person would.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use testbed::killable_program;

use crate::child::output_within;
use crate::leftovers::{DIRECTORIES, PREFIX};
use crate::run_directory::{keep_newest_run, newest_run, program_in};
use crate::said::Said;
use crate::stolen::Stolen;

/// The program under test.
const PGDYNO: &str = env!("CARGO_BIN_EXE_pgdyno");

/// When a case is given up: far beyond what any takes, since a slow machine is no failure.
const DEADLINE: Duration = Duration::from_secs(180);

/// The directory of one case.
pub struct Site {
    directory: tempfile::TempDir,
    number: Cell<u32>,
}

impl Site {
    /// Makes the directory, which the user of the servers can enter.
    pub fn new() -> Self {
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(DIRECTORIES).expect("a directory");
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        Self { directory, number: Cell::new(0) }
    }

    /// Where everything of this case is.
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// A name that nothing else of this case has, and that shows whose it is.
    pub fn unique(&self, what: &str) -> String {
        self.number.set(self.number.get() + 1);
        let of = self.path().file_name().expect("a name").to_string_lossy();
        format!("{of}-{what}-{}", self.number.get())
    }

    /// Writes a file for the servers' user.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::write(&path, content).expect("written");
        path
    }

    /// Runs the plan; what the report says of the run.
    pub fn measure(&self, plan: &str) -> Said {
        self.write("plan.yaml", plan);
        let before = Stolen::now();
        let ran = output_within(DEADLINE, program_in(self.path(), PGDYNO).args(["run", "plan.yaml"]));
        // 0 done, 1 regression, 4 not enough data: it measured, whatever the verdict.
        let measured = matches!(ran.status.code(), Some(0 | 1 | 4));
        assert!(measured, "{}: {}\n{plan}", ran.status, String::from_utf8_lossy(&ran.stderr));
        Said { stolen: before.since(), ..report(&newest_run(self.path())) }
    }

    /// Copies the run directory to `to`.
    pub fn keep_run(&self, to: &Path) {
        keep_newest_run(self.path(), to);
    }
}

/// Has pgdyno download a version of PostgreSQL unless it has it: in the namespaces there is nobody to ask.
pub fn fetch(version: u32) {
    let plan = format!(
        "name: fetch\ntargets: {{ it: {{ local: {{ version: {version} }} }} }}\nbaseline: it\n\
         workloads: {{ read: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\n\
         trial: {{ warm_up: 0s, measure: 1s }}\nblocks: {{ at_least: 1, at_most: 1 }}\n"
    );
    Site::new().measure(&plan);
}

/// What the report says of a run.
pub fn report(run: &Path) -> Said {
    let said = Said::of(&asked(run, None));
    let swapped = said.candidates.clone().iter().map(|candidate| Said::of(&asked(run, Some(candidate)))).collect();
    Said { swapped, ..said }
}

/// The data of a run's report, with this target for the baseline.
fn asked(run: &Path, baseline: Option<&str>) -> Value {
    let mut report = killable_program(PGDYNO);
    report.arg("report").arg(run).args(["--format", "json"]);
    if let Some(baseline) = baseline {
        report.args(["--baseline", baseline]);
    }
    let reported = output_within(DEADLINE, &mut report);
    let said = String::from_utf8_lossy(&reported.stderr).into_owned();
    serde_json::from_slice(&reported.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}
