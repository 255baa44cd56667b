//! A process of its own that sees to it that what stands still goes on: after its time, at once when it is told to
//! end, and also when whoever started it is killed.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Waits for so many milliseconds, or until it is told to end.
const WAIT: &str = r#"
trap 'given_up=1' TERM; trap '' INT HUP
now() { echo $(($(date +%s%N) / 1000000)); }
stop "$1" || exit 1
end=$(($(now) + $2))
while [ -z "$given_up" ] && [ "$(now)" -lt "$end" ]; do sleep 0.05; done
go_on "$1"
"#;

/// How often it is looked whether it has ended.
const CHECK: Duration = Duration::from_millis(20);

/// Who has something go on; dropped, it does so at once.
pub(crate) struct Keeper(Child);

impl Keeper {
    /// Starts it on a subject, with shell functions `stop` and `go_on` that take it.
    ///
    /// # Errors
    /// There is no shell.
    pub(crate) fn start_shell(functions: &str, subject: &OsStr, length: Duration) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{functions}{WAIT}"), "sh"]).arg(subject).arg(length.as_millis().to_string());
        // A group of its own: a Ctrl-C is pgdyno's.
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        shell.spawn().map(Self)
    }

    /// Waits until it has ended by itself.
    ///
    /// # Errors
    /// What it said, if it failed.
    pub(crate) async fn wait_until_ended(&mut self) -> Result<(), String> {
        let status = loop {
            match self.0.try_wait() {
                Ok(None) => tokio::time::sleep(CHECK).await,
                ended => break ended,
            }
        };
        match status {
            Ok(Some(status)) if ExitStatus::success(&status) => Ok(()),
            Ok(status) => {
                let mut said = String::new();
                // What it wrote is told as far as it can be read.
                let _ = self.0.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
                let status = status.map_or_else(String::new, |status| status.to_string());
                Err(format!("{status}: {}", said.trim()))
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // One that was waited for is somebody else's number by now.
        if let Ok(None) = self.0.try_wait() {
            let keeper = i32::try_from(self.0.id()).ok().and_then(Pid::from_raw);
            let _ = keeper.map(|keeper| kill_process(keeper, Signal::TERM));
            let _ = self.0.wait();
        }
    }
}
