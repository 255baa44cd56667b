//! A command of the person's own, run by a shell.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

/// How often it is looked whether it has ended.
const CHECK: Duration = Duration::from_millis(10);

/// How much of the end of what it wrote is told when it fails, in bytes.
const TOLD_AT_MOST: usize = 500;

/// A command at work; dropped before it has ended, it is killed with all that it has started.
pub(crate) struct ShellProcess {
    child: Child,
    /// None: it has ended, and what it has left running on purpose goes on.
    group: Option<Pid>,
    /// No pipe, whose end would be waited for as long as something is left running.
    errors: File,
}

impl ShellProcess {
    /// Starts a shell with this command, and these variables beside those of this process.
    ///
    /// # Errors
    /// There is no shell.
    pub(crate) fn start_command(
        command: &str,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> io::Result<Self> {
        let errors = tempfile::tempfile()?;
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).envs(variables);
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?).process_group(0);
        let child = shell.spawn()?;
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        Ok(Self { child, group, errors })
    }

    /// What came of it; none while it is at work.
    pub(crate) fn came_to(&mut self) -> Option<Result<(), String>> {
        let status = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status,
            Err(error) => return Some(Err(error.to_string())),
        };
        self.group = None;
        Some(if status.success() { Ok(()) } else { Err(format!("{status}: {}", self.last_words())) })
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// Its status, and what it said.
    pub(crate) async fn wait_until_ended(&mut self) -> Result<(), String> {
        loop {
            match self.came_to() {
                Some(ended) => return ended,
                None => tokio::time::sleep(CHECK).await,
            }
        }
    }

    /// The end of what it wrote, on one line.
    fn last_words(&mut self) -> String {
        let mut written = Vec::new();
        // What cannot be read is not told.
        let _ = self.errors.rewind().and_then(|()| self.errors.read_to_end(&mut written));
        let text = String::from_utf8_lossy(&written[written.len().saturating_sub(TOLD_AT_MOST)..]).into_owned();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        if lines.is_empty() { "no message on standard error".to_owned() } else { lines.join("; ") }
    }
}

impl Drop for ShellProcess {
    fn drop(&mut self) {
        // They may have ended in between.
        let _ = self.group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_ends_with_what_it_said_and_what_it_leaves_running_is_not_waited_for() {
        let variables = || [("WHO".to_owned(), "it".to_owned())];
        let mut shell = ShellProcess::start_command("test $WHO = it && sleep 60 &", variables()).expect("a shell");
        assert_eq!(shell.wait_until_ended().await, Ok(()));
        let mut shell = ShellProcess::start_command("echo no such $WHO >&2; exit 3", variables()).expect("a shell");
        assert_eq!(shell.wait_until_ended().await, Err("exit status: 3: no such it".to_owned()));
        let mut shell = ShellProcess::start_command("exit 1", []).expect("a shell");
        assert_eq!(shell.wait_until_ended().await, Err("exit status: 1: no message on standard error".to_owned()));
    }
}
