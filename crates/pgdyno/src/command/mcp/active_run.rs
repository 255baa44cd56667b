//! A run that a tool has started: a process of its own, in a group of its own. It is interrupted when this server ends.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Stdio};
use std::sync::{Arc, Mutex};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use super::tools::own_command;

/// As many lines as an error has, with its detail and its hint.
const LINES_KEPT: usize = 5;

/// What `run` prints once there is a run directory.
const RUN_DIRECTORY: &str = "run directory: ";

/// The run.
#[derive(Debug)]
pub(super) struct ActiveRun {
    process: Child,
    directory: PathBuf,
    /// The last lines that it has printed.
    last_lines: Arc<Mutex<VecDeque<String>>>,
}

impl ActiveRun {
    /// Starts it, and waits until it has a run directory.
    pub(super) fn start_run(plan: &Path, runs: &Path) -> Result<Self, String> {
        let mut command = own_command(&["run"], plan);
        command.arg("--runs").arg(runs).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        let mut process = command.spawn().map_err(|error| format!("could not start the run: {error}"))?;
        let mut lines = BufReader::new(process.stderr.take().expect("it is a pipe"));
        match read_until_begun(&mut lines) {
            Ok(directory) => {
                let last_lines = Arc::new(Mutex::new(VecDeque::new()));
                let kept = Arc::clone(&last_lines);
                std::thread::spawn(move || keep_last_lines(lines, &kept));
                Ok(Self { process, directory, last_lines })
            }
            Err(said) => {
                let _status = process.wait();
                Err(said)
            }
        }
    }

    /// Its run directory.
    pub(super) fn run_directory(&self) -> &Path {
        &self.directory
    }

    /// Its exit status once it has ended.
    pub(super) fn exit_status(&mut self) -> Option<i32> {
        let status = self.process.try_wait().ok().flatten()?;
        Some(status.code().unwrap_or(-1))
    }

    /// How far it is.
    pub(super) fn describe_state(&mut self) -> Value {
        let ended = self.exit_status();
        let last_lines = self.last_lines.lock().map(|lines| lines.clone()).unwrap_or_default();
        json!({
            "run": self.directory.display().to_string(), "in_progress": ended.is_none(), "exit_status": ended,
            "last_lines": last_lines,
        })
    }

    /// Stops it as Ctrl-C does, if it has not ended: what was measured is kept, and `resume` continues it.
    pub(super) fn interrupt_run(&mut self) {
        if self.exit_status().is_none()
            && let Some(pid) = i32::try_from(self.process.id()).ok().and_then(Pid::from_raw)
        {
            let _ended = kill_process(pid, Signal::INT);
        }
    }
}

/// Reads what is printed until the run directory is named; what was printed, where none is.
fn read_until_begun(lines: &mut BufReader<ChildStderr>) -> Result<PathBuf, String> {
    let mut said = String::new();
    loop {
        let mut line = String::new();
        match lines.read_line(&mut line) {
            Ok(0) | Err(_) => return Err(said.trim_end().to_owned()),
            Ok(_) => {}
        }
        if let Some(directory) = line.strip_prefix(RUN_DIRECTORY) {
            return Ok(PathBuf::from(directory.trim_end()));
        }
        said.push_str(&line);
    }
}

/// Reads all of it, so that the run never waits for a reader.
fn keep_last_lines(lines: BufReader<ChildStderr>, kept: &Mutex<VecDeque<String>>) {
    for line in lines.split(b'\n') {
        let Ok(line) = line else { return };
        let text = String::from_utf8_lossy(&line).trim().to_owned();
        if text.is_empty() {
            continue;
        }
        if let Ok(mut last) = kept.lock() {
            if last.len() == LINES_KEPT {
                last.pop_front();
            }
            last.push_back(text);
        }
    }
}
