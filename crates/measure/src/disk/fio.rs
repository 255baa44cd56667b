//! The program of this machine: found on PATH, its version, its engines, and one execution of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use load::StopRequest;
use rustix::process::{Pid, Signal};
use server::FioEnd;
use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

use super::workspace;
use problem::Problem;

/// The oldest version whose output is read.
const VERSION_AT_LEAST: u32 = 3;

/// How long fio may take to write its figures once it was told to end, and its jobs to end after it.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

const INSTALL: &str = "install it: `apt-get install fio`, `dnf install fio`, `apk add fio`";

/// The version as it is printed; one that is too old is refused.
pub(super) fn known_version(printed: &str, who: &str) -> Result<String, Problem> {
    let version = printed.trim();
    let major = parse_major_version(version).ok_or_else(|| {
        Problem::could_not_measure(format!("could not read the version of {who}"))
            .detail(format!("`fio --version` printed {version:?}"))
            .hint(INSTALL)
    })?;
    if major < VERSION_AT_LEAST {
        let message = format!("{who} is {version}; pgdyno reads the output of fio {VERSION_AT_LEAST} and newer");
        return Err(Problem::could_not_measure(message).hint(INSTALL));
    }
    Ok(version.to_owned())
}

/// The engine for requests in flight, of those that fio lists.
pub(super) fn engine_in(engines: &str, who: &str) -> Result<&'static str, Problem> {
    let engine = ["libaio", "io_uring"].into_iter().find(|engine| engines.split_whitespace().any(|e| e == *engine));
    engine.ok_or_else(|| {
        Problem::could_not_measure(format!("{who} has neither the engine libaio nor io_uring"))
            .hint("install the fio of a Linux distribution, which has at least one of them")
    })
}

/// fio as it was found.
#[derive(Debug, Clone)]
pub(super) struct Fio {
    program: PathBuf,
    /// As it says it, `fio-3.33`.
    pub(super) version: String,
    /// The engine for requests in flight.
    pub(super) engine: &'static str,
    /// All that it lists.
    pub(super) engines: String,
    patience: Duration,
}

/// What came of one execution.
#[derive(Debug)]
pub(super) struct FioExecution {
    /// Standard output: JSON, and maybe messages.
    pub(super) output: String,
    /// Standard error.
    pub(super) errors: String,
    /// How it ended.
    pub(super) end: FioEnd,
    /// The directory of this machine that its logs are in.
    pub(super) logs: PathBuf,
}

/// What is to be executed.
#[derive(Debug, Clone, Copy)]
pub(super) struct FioOrder<'a> {
    /// The name of the stage.
    pub(super) name: &'a str,
    /// The job file.
    pub(super) definition: &'a str,
    /// Whether it is the person's own, which writes its logs where fio works.
    pub(super) is_own: bool,
    /// fio's working directory on this machine; none where it works elsewhere.
    pub(super) workspace: Option<&'a Path>,
    /// The directory for logs on this machine.
    pub(super) logs: &'a Path,
    /// How long it is to take by itself.
    pub(super) expected: Option<Duration>,
}

impl Fio {
    /// Looks for fio and asks for its version and engines.
    pub(super) async fn find_executable() -> Result<Self, Problem> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path)
            .map(|directory| directory.join("fio"))
            .find(|program| program.is_file())
            .ok_or_else(|| {
                Problem::could_not_measure("disk measurements require fio, which is not on PATH").hint(INSTALL)
            })?;
        let ask = |argument: &'static str| {
            let output = Command::new(&program).arg(argument).stdin(Stdio::null()).output();
            async {
                let failed = |error| {
                    Problem::could_not_measure(format!("could not run {}", program.display()))
                        .detail(format!("{error}"))
                };
                Ok::<_, Problem>(String::from_utf8_lossy(&output.await.map_err(failed)?.stdout).into_owned())
            }
        };
        let who = program.display().to_string();
        let version = known_version(&ask("--version").await?, &who)?;
        let engines = ask("--enghelp").await?;
        let engine = engine_in(&engines, &who)?;
        Ok(Self { program, version, engine, engines, patience: PATIENCE })
    }

    /// Runs a job file; `tick` is called now and then with the time that has passed.
    pub(super) async fn run_job_file(
        &self,
        order: FioOrder<'_>,
        stop: &StopRequest,
        mut tick: impl FnMut(Duration),
    ) -> Result<FioExecution, Problem> {
        const TICK: Duration = Duration::from_millis(100);
        let FioOrder { definition, is_own, logs, expected, .. } = order;
        let directory = order.workspace.expect("a directory of this machine has a workspace");
        let logs = if is_own { directory } else { logs };
        let job_file = directory.join("job.fio");
        fs::write(&job_file, definition).map_err(|error| {
            Problem::could_not_measure(format!("could not write {}", job_file.display())).detail(error.to_string())
        })?;
        let mut command = Command::new(&self.program);
        command.arg("--output-format=json").arg(&job_file).current_dir(directory);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C is for pgdyno, which tells fio.
        command.process_group(0).kill_on_drop(true);
        let failed = |error: std::io::Error| {
            Problem::could_not_measure(format!("could not run {}", self.program.display())).detail(error.to_string())
        };
        let mut child = command.spawn().map_err(failed)?;
        let pid = child.id().and_then(|pid| Pid::from_raw(i32::try_from(pid).ok()?));
        let mut streams = child.stdout.take().zip(child.stderr.take());
        let mut read = tokio::spawn(async move {
            let (mut output, mut errors) = (Vec::new(), Vec::new());
            if let Some((out, err)) = &mut streams {
                let _ = tokio::join!(out.read_to_end(&mut output), err.read_to_end(&mut errors));
            }
            [output, errors].map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        });
        let began = Instant::now();
        let mut told: Option<(Instant, FioEnd)> = None;
        let status = loop {
            if let Ok(status) = tokio::time::timeout(TICK, child.wait()).await {
                break status.map_err(failed)?;
            }
            tick(began.elapsed());
            match &told {
                None if stop.is_requested() => told = Some((signal_process(pid, Signal::INT), FioEnd::Stopped)),
                None if expected.is_some_and(|time| began.elapsed() > time + 3 * self.patience) => {
                    told = Some((signal_process(pid, Signal::INT), FioEnd::Hung));
                }
                Some((since, _)) if since.elapsed() > self.patience => {
                    let _ = child.start_kill();
                    workspace::kill_fio_in(directory);
                }
                None | Some(_) => {}
            }
        };
        // Jobs that fio has forked hold its streams open and may outlive it; one that cannot be killed is left alone.
        let mut text = tokio::time::timeout(self.patience, &mut read).await;
        if text.is_err() {
            workspace::kill_fio_in(directory);
            text = tokio::time::timeout(self.patience, read).await;
        }
        let [output, errors] = text.ok().and_then(Result::ok).unwrap_or_default();
        let end = match told {
            Some((_, end)) => end,
            None if status.success() => FioEnd::Done,
            None => FioEnd::Failed(status.to_string()),
        };
        Ok(FioExecution { output, errors, end, logs: logs.to_owned() })
    }
}

fn signal_process(pid: Option<Pid>, signal: Signal) -> Instant {
    // A fio that has just ended needs no signal.
    let _ = pid.map(|pid| rustix::process::kill_process(pid, signal));
    Instant::now()
}

/// The major version of `fio-3.33`, `fio-3.33-dirty`, `fio-2.2.10`.
fn parse_major_version(version: &str) -> Option<u32> {
    version.strip_prefix("fio-")?.split(['.', '-']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn jobs_that_do_not_end_when_told_are_killed_with_the_fio_that_forked_them() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("fio");
        // It and what it forks, in a session of its own like a job of fio's, wait for what never comes.
        let script = "#!/bin/sh\ntrap '' INT\n\
                      if [ \"$FORKED\" ]; then : > forked; else mkfifo never; FORKED=1 setsid \"$0\" & fi\n\
                      read line < never\n";
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let patience = Duration::from_millis(300);
        let (version, engines) = ("fio-3.33".to_owned(), "libaio".to_owned());
        let fio = Fio { program, version, engine: "libaio", engines, patience };
        let stop = StopRequest::new();
        let stop_once_forked = |_| {
            if directory.path().join("forked").exists() {
                stop.request_stop();
            }
        };
        let here = directory.path();
        let order =
            FioOrder { name: "x", definition: "", is_own: false, workspace: Some(here), logs: here, expected: None };
        let running = fio.run_job_file(order, &stop, stop_once_forked);
        let ended = tokio::time::timeout(Duration::from_secs(60), running).await.expect("it does not wait for ever");
        assert_eq!(ended.unwrap().end, FioEnd::Stopped);
        let is_gone = async {
            while !workspace::working_in(directory.path()).is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), is_gone).await.expect("nothing of it goes on");
    }

    #[test]
    fn the_major_version_is_read_as_fio_says_it() {
        for (text, expected) in
            [("fio-3.33", Some(3)), ("fio-2.2.10", Some(2)), ("fio-3.36-dirty", Some(3)), ("fio", None)]
        {
            assert_eq!(parse_major_version(text), expected, "{text}");
        }
    }
}
