//! One stage: fio is run once, and what it says is written down as it says it.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use plan::{Bandwidth, DeclaredRates};
use results::disk::PRECONDITION;
use results::disk::{DiskSecond, DiskStage, FORMAT, StageOutcome, StatedCaps};
use server::FioEnd;

use super::fio::{FioExecution, FioOrder};
use super::own_job::OwnJob;
use super::program::FioProgram;
use super::{Survey, SurveySetting};
use crate::disk::job::{self, Common, FioExecutionStep};
use outputs::fio_json::{self, FioOutput};
use outputs::fio_log::{FioLogKind, LogName, SeriesReader};
use problem::Problem;

/// What a stage executes.
#[derive(Debug)]
pub(super) enum Task<'a> {
    /// A step of pgdyno's jobs.
    Step(FioExecutionStep),
    /// A job file of the person's.
    Own(&'a OwnJob),
}

impl Task<'_> {
    pub(super) fn task_name(&self) -> &str {
        match self {
            Self::Step(step) => &step.name,
            Self::Own(own) => &own.name,
        }
    }
}

/// One stage, ready to be executed.
pub(super) struct FioStage<'a> {
    pub(super) survey: Survey<'a>,
    pub(super) setting: SurveySetting<'a>,
    pub(super) program: &'a FioProgram<'a>,
    /// fio's working directory, where it is one of this machine.
    pub(super) workspace: Option<&'a Path>,
    pub(super) file_bytes: Option<u64>,
    pub(super) order: u32,
}

impl FioStage<'_> {
    /// Runs fio, writes the stage down, and says how it ended.
    pub(super) async fn execute_task(&self, task: &Task<'_>) -> Result<StageOutcome, Problem> {
        let logs = StageLogDirectory::make_directory(self.setting.dir.path())?;
        let runtime = self.survey.plan.runtime;
        let written_to = self.program.logs_directory(task.task_name(), &logs.path);
        let common = Common { file_bytes: self.file_bytes.unwrap_or(0), runtime, logs: &written_to };
        let (definition, expected, is_own) = match task {
            Task::Step(step) if step.name == PRECONDITION => (job::job_file(step, common), None, false),
            Task::Step(step) => (job::job_file(step, common), Some(runtime), false),
            Task::Own(own) => (own.text.clone(), None, true),
        };
        if let Some(workspace) = self.workspace.filter(|_| is_own) {
            remove_logs(workspace)?;
        }
        let started_at = Timestamp::now();
        let label = format!("{}: {}", self.survey.target, task.task_name());
        let whole = expected.unwrap_or(Duration::from_secs(1)).as_millis() as u64;
        let tick = |passed: Duration| {
            let passed = if expected.is_some() { passed.as_millis() as u64 } else { 0 };
            self.setting.progress.show_stage(&label, passed, whole);
        };
        let (name, workspace) = (task.task_name(), self.workspace);
        let order = FioOrder { name, definition: &definition, is_own, workspace, logs: &logs.path, expected };
        let execution = self.program.run_job_file(order, self.setting.stop, tick).await?;
        let (output, outcome) = outcome_of_execution(&execution);
        let (seconds, series_gap) = read_series(&execution.logs, (!is_own).then(|| job::entry_ms(runtime)));
        let stage = DiskStage {
            format: FORMAT,
            target: self.survey.target.to_owned(),
            name: task.task_name().to_owned(),
            order: self.order,
            place: Some(self.place_of_task(task)),
            stated: self.stated_caps(),
            fio_version: output.as_ref().map_or_else(|| self.program.version.clone(), |output| output.version.clone()),
            definition: Some(definition),
            started_at: Some(started_at),
            outcome: outcome.clone(),
            job: None,
            groups: output.as_ref().map_or_else(Vec::new, |output| output.groups.clone()),
            devices: output.map_or_else(Vec::new, |output| output.devices),
            series_gap,
        };
        self.setting.dir.write_disk_stage(&stage, Some(execution.output.as_bytes()), &seconds)?;
        Ok(outcome)
    }

    fn stated_caps(&self) -> Option<StatedCaps> {
        let DeclaredRates { iops, bandwidth } = self.survey.stated;
        let caps = StatedCaps { iops, bytes_per_s: bandwidth.map(Bandwidth::bytes_per_s) };
        (caps.iops.is_some() || caps.bytes_per_s.is_some()).then_some(caps)
    }

    fn place_of_task(&self, task: &Task<'_>) -> results::disk::DiskFilePlace {
        match task {
            Task::Step(_) => {
                self.program.ground.place_of_stage(self.file_bytes, self.survey.plan.size_reason.as_deref())
            }
            Task::Own(_) => self.program.ground.place_of_stage(None, None),
        }
    }
}

/// What fio says, and how the stage ended.
fn outcome_of_execution(execution: &FioExecution) -> (Option<FioOutput>, StageOutcome) {
    let parsed = fio_json::parse_single_execution(&execution.output);
    let messages = parsed.as_ref().map_or(&[][..], |output| output.messages.as_slice());
    let said: Vec<&str> = messages.iter().map(String::as_str).chain(execution.errors.lines()).collect();
    // What fio says of an error comes first; it repeats it for every job.
    let complaints: Vec<&str> = said.iter().copied().filter(|line| line.starts_with("fio:")).take(3).collect();
    let in_words = |what: &str| {
        let lines = if complaints.is_empty() { said.iter().copied().take(3).collect() } else { complaints.clone() };
        std::iter::once(what).chain(lines).collect::<Vec<_>>().join("\n")
    };
    let failed = |error: String| StageOutcome::Failed { error };
    let outcome = match (&execution.end, &parsed) {
        (FioEnd::Stopped, _) => StageOutcome::Interrupted,
        (FioEnd::Hung, _) => failed(in_words("fio did not end in time")),
        (FioEnd::Failed(status), _) => failed(in_words(status)),
        (FioEnd::Done, Err(error)) => failed(in_words(&format!("could not read the output of fio: {error}"))),
        (FioEnd::Done, Ok(output)) => match output.groups.iter().find(|group| group.error != 0) {
            Some(group) => {
                let error = std::io::Error::from_raw_os_error(group.error);
                failed(in_words(&format!("job {}: {error}", group.name)))
            }
            None => StageOutcome::Completed,
        },
    };
    (parsed.ok(), outcome)
}

/// Removes the logs that a job before has left in fio's working directory.
fn remove_logs(directory: &Path) -> Result<(), Problem> {
    for log in logs_in(directory) {
        fs::remove_file(&log).map_err(|error| {
            Problem::could_not_measure(format!("could not remove {}", log.display())).detail(error.to_string())
        })?;
    }
    Ok(())
}

/// The series of the logs in a directory, or why there is none.
fn read_series(directory: &Path, span_ms: Option<u64>) -> (Vec<DiskSecond>, Option<String>) {
    let mut reader = SeriesReader::new(span_ms);
    let paths = logs_in(directory);
    let named = || paths.iter().filter_map(|path| Some((path, log_name(path)?)));
    let has_whole = named().any(|(_, name)| name.kind == FioLogKind::Latency && !name.is_part);
    for (path, name) in named().filter(|(_, name)| !(name.is_part && has_whole)) {
        let read =
            File::open(path).map_err(Into::into).and_then(|file| reader.read_log(name.kind, BufReader::new(file)));
        if let Err(error) = read {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            return (Vec::new(), Some(format!("could not read the log {name}: {error}")));
        }
    }
    let seconds = reader.finish();
    let gap = match (paths.is_empty(), seconds.is_empty()) {
        (true, _) => Some("fio wrote no logs; a job file enables them with write_iops_log and log_avg_msec".to_owned()),
        (false, true) => Some("fio ended before the first complete entry of its logs".to_owned()),
        (false, false) => None,
    };
    (seconds, gap)
}

/// The logs in a directory, by name.
pub(super) fn logs_in(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| log_name(path).is_some()).collect();
    paths.sort();
    paths
}

fn log_name(path: &Path) -> Option<LogName<'_>> {
    LogName::parse(path.file_name()?.to_str()?)
}

/// The directory of a stage's logs, in the run, since the disk that is measured may be full; removed when dropped.
struct StageLogDirectory {
    path: PathBuf,
}

impl StageLogDirectory {
    fn make_directory(run: &Path) -> Result<Self, Problem> {
        let path = run.join("disk").join(".logs");
        let made = fs::create_dir_all(&path).and_then(|()| path.canonicalize());
        let path = made.map_err(|error| {
            Problem::could_not_measure(format!("could not create {}", path.display())).detail(error.to_string())
        })?;
        Ok(Self { path })
    }
}

impl Drop for StageLogDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_latencies_the_whole_ones_are_read_or_else_those_from_submission_on() {
        let directory = tempfile::tempdir().unwrap();
        let write = |name: &str, ns: u64| {
            fs::write(directory.path().join(name), format!("1000, {ns}, 0, 0, 0\n2000, {ns}, 0, 0, 0\n")).unwrap();
        };
        let latency = || read_series(directory.path(), None).0[0].read.unwrap().latency_ns_mean;
        write("x_clat.1.log", 70);
        assert_eq!(latency(), Some(70.0));
        write("x_lat.1.log", 90);
        assert_eq!(latency(), Some(90.0));
    }

    #[test]
    fn an_error_in_the_middle_is_told_in_fio_s_words() {
        let fixture = include_str!("../../../outputs/tests/fixtures/wal-3.33.json");
        let check = |output: String, errors: &str, end: FioEnd| {
            outcome_of_execution(&FioExecution { output, errors: errors.to_owned(), end, logs: PathBuf::new() }).1
        };
        assert_eq!(check(fixture.to_owned(), "", FioEnd::Done), StageOutcome::Completed);
        assert_eq!(check(fixture.to_owned(), "", FioEnd::Stopped), StageOutcome::Interrupted);
        let full = fixture.replace("\"error\" : 0", "\"error\" : 28");
        let StageOutcome::Failed { error } = check(full, "fio: io_u error on file data\nfio: pid=1", FioEnd::Done)
        else {
            panic!("an error is a failure")
        };
        assert!(error.starts_with("job wal: No space left on device") && error.contains("io_u error"), "{error}");
        let failed = check(String::new(), "fio: engine not loadable", FioEnd::Failed("exit status: 1".into()));
        assert_eq!(failed, StageOutcome::Failed { error: "exit status: 1\nfio: engine not loadable".into() });
    }
}
