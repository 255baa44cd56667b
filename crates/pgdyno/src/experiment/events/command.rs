//! A command of the person's own, run by a shell here.

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Command;

use super::{Asked, Done};
use crate::experiment::fleet::Member;

/// How much of the end of what it wrote is told when it fails.
const TOLD_AT_MOST: usize = 500;

/// Runs it, with the target's connection in its environment. It is done when it has ended; dropped before, it is
/// killed with all that it has started.
pub(super) async fn run(command: &str, member: &Member) -> Done {
    let asked = Asked::now();
    let output = async {
        let child = shell(command, member).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut group = Group(child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)));
        let output = child.wait_with_output().await;
        // What it has left running on purpose goes on.
        group.0 = None;
        output
    };
    asked.with(match output.await {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{}: {}", output.status, end_of(&output.stderr))),
        Err(error) => Err(format!("could not run sh: {error}")),
    })
}

/// The processes of a command, which end when it is given up.
struct Group(Option<Pid>);

impl Drop for Group {
    fn drop(&mut self) {
        // They may have ended in between.
        let _ = self.0.map(|group| kill_process_group(group, Signal::KILL));
    }
}

fn shell(command: &str, member: &Member) -> Command {
    let login = member.target.conninfo();
    let (host, port) = login.host_and_port();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).stdin(Stdio::null()).kill_on_drop(true).process_group(0);
    shell.envs(login.environment());
    shell.env("PGHOST", host).env("PGPORT", port).env("PGUSER", &login.user).env("PGDATABASE", &login.dbname);
    shell.env("PGDYNO_TARGET", &member.name);
    if let Some(directory) = member.target.data_directory() {
        shell.env("PGDATA", directory);
    }
    shell
}

/// The end of what a command wrote, on one line.
fn end_of(written: &[u8]) -> String {
    let text = String::from_utf8_lossy(&written[written.len().saturating_sub(TOLD_AT_MOST)..]).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() { "it said nothing".to_owned() } else { lines.join("; ") }
}
