//! The agent's end of a disk that is measured from elsewhere: a working directory, and one fio at a time, which runs
//! beside the conversation.
//!
//! Promises: when the agent ends, so does its fio, and the directory is removed; a watcher does it where the agent is
//! killed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::Duration;

use load::StopRequest;
use server::{AgentAnswer, FioResult};

use super::fio::{Fio, FioExecution, FioOrder};
use super::ground::Ground;
use super::stage::logs_in;
use super::workspace::Workspace;
use problem::Problem;

/// The disk that an agent was asked to measure, if it was.
pub struct ServedDisk {
    executable: PathBuf,
    open: Option<OpenServedDisk>,
}

struct OpenServedDisk {
    // Ended before its directory goes.
    running: Option<RunningFio>,
    fio: Fio,
    workspace: Workspace,
}

/// A fio under way.
struct RunningFio {
    stop: StopRequest,
    thread: Option<JoinHandle<Result<FioExecution, Problem>>>,
}

impl ServedDisk {
    /// None yet; `executable` is this program, which watches over the directory.
    #[must_use]
    pub fn with_executable(executable: PathBuf) -> Self {
        Self { executable, open: None }
    }

    /// Looks at a directory, and makes one in it for fio.
    pub async fn open_directory(&mut self, directory: &Path) -> AgentAnswer {
        match self.try_to_open(directory).await {
            Ok(answer) => answer,
            Err(problem) => refused_answer(&problem),
        }
    }

    async fn try_to_open(&mut self, directory: &Path) -> Result<AgentAnswer, Problem> {
        self.open = None;
        let fio = Fio::find_executable().await?;
        let ground = Ground::read_directory(directory)?;
        ground.check_file_system()?;
        let workspace = Workspace::make_in_directory(&ground.directory, &self.executable)?;
        let logs = logs_of(workspace.workspace_path());
        fs::create_dir(&logs).map_err(|error| {
            Problem::could_not_measure(format!("could not create {}", logs.display())).detail(error.to_string())
        })?;
        let told = ground.into_disk_there(fio.version.clone(), fio.engines.clone(), logs);
        self.open = Some(OpenServedDisk { running: None, fio, workspace });
        Ok(AgentAnswer::DiskOpen(Box::new(told)))
    }

    /// Starts fio on a job file.
    pub fn start_job(&mut self, definition: String, is_own: bool, expected_ms: Option<u64>) -> AgentAnswer {
        let Some(open) = self.open.as_mut().filter(|open| open.running.is_none()) else {
            return refused_answer(&Problem::could_not_measure(
                "could not start fio: no directory is open, or fio is already running",
            ));
        };
        let workspace = open.workspace.workspace_path().to_owned();
        let logs = logs_of(&workspace);
        for log in logs_in(&logs).into_iter().chain(logs_in(&workspace)) {
            // One that cannot be removed is read as if it were of this job: its times tell that it is not.
            let _ = fs::remove_file(log);
        }
        let (fio, stop) = (open.fio.clone(), StopRequest::new());
        let told = stop.clone();
        let expected = expected_ms.map(Duration::from_millis);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let runtime = runtime
                .map_err(|error| Problem::could_not_measure("could not wait for fio").detail(error.to_string()))?;
            let workspace = Some(workspace.as_path());
            let order = FioOrder { name: "", definition: &definition, is_own, workspace, logs: &logs, expected };
            runtime.block_on(fio.run_job_file(order, &told, |_| ()))
        });
        open.running = Some(RunningFio { stop, thread: Some(thread) });
        AgentAnswer::Done
    }

    /// What it has come to.
    pub fn job_status(&mut self) -> AgentAnswer {
        let running = self.open.as_mut().and_then(|open| open.running.take_if(|running| running.has_ended()));
        match (running.map(RunningFio::join_execution), &self.open) {
            (Some(Ok(execution)), _) => AgentAnswer::FioEnded(Box::new(fio_result(execution))),
            (Some(Err(problem)), _) => refused_answer(&problem),
            (None, Some(OpenServedDisk { running: Some(_), .. })) => AgentAnswer::FioRuns,
            (None, _) => refused_answer(&Problem::could_not_measure("no fio was started")),
        }
    }

    /// Has it end before its time; what it has measured until then is told by [`ServedDisk::job_status`].
    pub fn stop_job(&mut self) -> AgentAnswer {
        if let Some(running) = self.open.as_ref().and_then(|open| open.running.as_ref()) {
            running.stop.request_stop();
        }
        AgentAnswer::Done
    }

    /// Removes the directory.
    pub fn close_directory(&mut self) -> AgentAnswer {
        self.open = None;
        AgentAnswer::Done
    }
}

impl RunningFio {
    fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// What came of it, when it has ended.
    fn join_execution(mut self) -> Result<FioExecution, Problem> {
        let lost = || Problem::could_not_measure("the thread that waits for fio failed");
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_else(|| Err(lost()))
    }
}

impl Drop for RunningFio {
    fn drop(&mut self) {
        self.stop.request_stop();
        // It ends when told, or is killed.
        let _ended = self.thread.take().map(JoinHandle::join);
    }
}

fn logs_of(workspace: &Path) -> PathBuf {
    workspace.join("logs")
}

fn fio_result(execution: FioExecution) -> FioResult {
    let text = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        Some((name, fs::read_to_string(&path).ok()?))
    };
    let logs: BTreeMap<String, String> = logs_in(&execution.logs).into_iter().filter_map(text).collect();
    FioResult { output: execution.output, errors: execution.errors, end: execution.end, logs }
}

fn refused_answer(problem: &Problem) -> AgentAnswer {
    let (detail, hint) = problem.detail_and_hint();
    AgentAnswer::Refused { what: problem.primary_message().to_owned(), detail, hint }
}
