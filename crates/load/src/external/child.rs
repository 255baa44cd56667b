//! A tool at work: its lines as it prints them, its end, a stop, a limit of time.

use super::die_with_parent::die_with_parent;
use super::error::ExternalError;
use super::program::Tool;
use crate::extent::JobExtent;
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead as _, BufReader, Read};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use work::StopRequest;

/// How often a request to stop is looked for.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// How long a tool may take to connect and to end, beyond its time.
const GRACE: Duration = Duration::from_secs(60);
/// How many lines of complaint are passed on.
const COMPLAINTS_AT_MOST: usize = 8;

/// Which stream a line came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OutputStream {
    Output,
    Errors,
}

/// What a tool printed by the time it had ended with success.
#[derive(Debug, Default)]
pub(super) struct PrintedOutput {
    /// Its standard output.
    pub(super) output: String,
    /// Its standard error.
    pub(super) errors: String,
}

/// Runs a tool to its end, which is expected after `length` if that is a time.
/// `on_line` sees every line when it is printed.
pub(super) fn run_tool(
    tool: Tool,
    mut command: Command,
    length: JobExtent,
    stop: &StopRequest,
    on_line: &mut dyn FnMut(OutputStream, &str),
) -> Result<PrintedOutput, ExternalError> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    die_with_parent(&mut command);
    // Ctrl-C and the end of the terminal are for the caller, who requests a stop.
    command.process_group(0);
    let child = command.spawn().map_err(ExternalError::system_error(format!("start {tool}")))?;
    let mut running = RunningChild { child };
    let lines = running.read_lines();
    let deadline = match length {
        JobExtent::Time(length) => Some(Instant::now() + length + GRACE),
        JobExtent::Transactions(_) => None,
    };
    let mut printed = PrintedOutput::default();
    loop {
        match lines.recv_timeout(STOP_CHECK) {
            Ok((stream, line)) => {
                on_line(stream, &line);
                let text = match stream {
                    OutputStream::Output => &mut printed.output,
                    OutputStream::Errors => &mut printed.errors,
                };
                text.push_str(&line);
                text.push('\n');
            }
            Err(RecvTimeoutError::Timeout) => {}
            // Both streams are closed: it has ended, or is about to.
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if stop.is_requested() {
            return Err(ExternalError::Stopped);
        }
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            return Err(ExternalError::Hung { tool, seconds: GRACE.as_secs() });
        }
    }
    // Whatever it ended with: who stops pgdyno may have ended the tool as well.
    if stop.is_requested() {
        return Err(ExternalError::Stopped);
    }
    let status = running.child.wait().map_err(ExternalError::system_error(format!("wait for {tool}")))?;
    if status.success() {
        return Ok(printed);
    }
    Err(ExternalError::Failed { tool, ended: format!("ended with {status}"), said: complaint_lines(&printed) })
}

/// The first lines that complain: all of standard error but for progress, and what sysbench prints as fatal.
pub(super) fn complaint_lines(printed: &PrintedOutput) -> String {
    let errors = printed
        .errors
        .lines()
        .filter(|line| !(line.starts_with("progress: ") || line.contains(": setting random seed to ")));
    let fatal = printed.output.lines().filter(|line| line.starts_with("FATAL: "));
    let lines: Vec<&str> = errors.chain(fatal).filter(|line| !line.trim().is_empty()).collect();
    lines[..lines.len().min(COMPLAINTS_AT_MOST)].join("\n")
}

/// A child that is killed and reaped when dropped.
struct RunningChild {
    child: Child,
}

impl RunningChild {
    /// The lines of both streams until both are closed.
    fn read_lines(&mut self) -> Receiver<(OutputStream, String)> {
        let (sender, receiver) = mpsc::channel();
        if let Some(output) = self.child.stdout.take() {
            pass_on(output, OutputStream::Output, sender.clone());
        }
        if let Some(errors) = self.child.stderr.take() {
            pass_on(errors, OutputStream::Errors, sender);
        }
        receiver
    }
}

impl Drop for RunningChild {
    fn drop(&mut self) {
        // Once it was waited for, its number may be another's.
        if self.child.try_wait().is_ok_and(|status| status.is_none()) {
            let _gone_already = kill_process(Pid::from_child(&self.child), Signal::KILL);
            let _gone_already = self.child.wait();
        }
    }
}

/// Reads a stream to its end in a thread of its own, which ends with it.
fn pass_on(stream: impl Read + Send + 'static, which: OutputStream, sender: Sender<(OutputStream, String)>) {
    std::thread::spawn(move || {
        let mut reader = BufReader::new(stream);
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).trim_end_matches('\n').to_owned();
            if sender.send((which, text)).is_err() {
                return;
            }
            line.clear();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    fn run_shell(
        script: &str,
        stop: &StopRequest,
    ) -> (Result<PrintedOutput, ExternalError>, Vec<(OutputStream, String)>) {
        let mut lines = Vec::new();
        let outcome = run_tool(Tool::Pgbench, shell(script), Duration::ZERO.into(), stop, &mut |stream, line| {
            lines.push((stream, line.to_owned()));
        });
        (outcome, lines)
    }

    #[test]
    fn lines_of_both_streams_are_told_and_kept() {
        let (outcome, lines) = run_shell("echo one; echo two >&2", &StopRequest::new());
        let printed = outcome.expect("it succeeds");
        assert_eq!((printed.output.as_str(), printed.errors.as_str()), ("one\n", "two\n"));
        assert!(lines.contains(&(OutputStream::Output, "one".to_owned())));
        assert!(lines.contains(&(OutputStream::Errors, "two".to_owned())));
    }

    #[test]
    fn an_exit_status_and_a_signal_are_failures_with_what_was_said() {
        let cases = [("echo progress: 1; echo bad >&2; exit 2", "exit status: 2"), ("kill -SEGV $$", "signal: 11")];
        for (script, ended) in cases {
            let (outcome, _) = run_shell(script, &StopRequest::new());
            let Err(ExternalError::Failed { ended: found, said, .. }) = outcome else { panic!("{script}") };
            assert!(found.contains(ended), "{found}");
            assert_eq!(said, if script.contains("bad") { "bad" } else { "" });
        }
    }

    #[test]
    fn a_stop_kills_the_tool() {
        let stop = StopRequest::new();
        stop.request_stop();
        let (outcome, _) = run_shell("echo started; exec sleep 600", &stop);
        assert!(matches!(outcome, Err(ExternalError::Stopped)));
    }

    #[test]
    fn a_tool_that_a_signal_ended_while_a_stop_was_requested_was_stopped_and_has_not_failed() {
        let stop = StopRequest::new();
        stop.request_stop();
        let (outcome, _) = run_shell("kill -INT $$", &stop);
        assert!(matches!(outcome, Err(ExternalError::Stopped)));
    }

    #[test]
    fn a_signal_from_the_terminal_does_not_reach_the_tool() {
        let script = "read -r pid name state parent group rest < /proc/$$/stat; test \"$group\" = $$";
        let (outcome, _) = run_shell(script, &StopRequest::new());
        assert!(outcome.is_ok(), "it leads a process group of its own: {outcome:?}");
    }
}
