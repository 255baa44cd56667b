//! A file system that takes no writes for a while (FIFREEZE), as over a disk that answers none: what waits for a flush
//! waits, what is in memory is read on.
//!
//! Promises: it goes on after so long, also when pgdyno is killed meanwhile, and at once when this is given up.

use std::io::{self, Read as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::{Asked, Done};
use crate::experiment::fleet::Member;

/// A process of its own freezes and thaws, so that whoever kills pgdyno leaves nothing frozen. Told to end, it thaws.
const KEEPER: &str = r#"
trap 'given_up=1' TERM; trap '' INT HUP
now() { echo $(($(date +%s%N) / 1000000)); }
fsfreeze --freeze "$1" || exit 1
end=$(($(now) + $2))
while [ -z "$given_up" ] && [ "$(now)" -lt "$end" ]; do sleep 0.05; done
fsfreeze --unfreeze "$1"
"#;

/// How often it is looked whether it goes on.
const CHECK: Duration = Duration::from_millis(20);

/// Freezes the file system of the server's data for so long. It is done when that goes on.
pub(super) async fn freeze(member: &Member, length: Duration) -> Done {
    let asked = Asked::now();
    let Some(directory) = member.target.data_directory() else {
        return asked.with(Err("pgdyno did not make this server on this machine".to_owned()));
    };
    let frozen = Keeper::start(directory, length);
    asked.with(match frozen {
        Ok(mut keeper) => keeper.thawed().await,
        Err(error) => Err(format!("could not run sh: {error}")),
    })
}

/// Who thaws; dropped, it does so at once.
struct Keeper(Child);

impl Keeper {
    fn start(directory: &Path, length: Duration) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", KEEPER, "sh"]).arg(directory).arg(length.as_millis().to_string());
        // A group of its own: a Ctrl-C is pgdyno's.
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).process_group(0);
        shell.spawn().map(Self)
    }

    async fn thawed(&mut self) -> Result<(), String> {
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
                Err(format!("fsfreeze: {status}: {}", said.trim()))
            }
            Err(error) => Err(format!("fsfreeze: {error}")),
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
