//! A command of the person's own, run by a shell here.

use std::process::Stdio;

use tokio::process::Command;

use super::{Asked, Done};
use crate::experiment::fleet::Member;

/// How much of the end of what it wrote is told when it fails.
const TOLD_AT_MOST: usize = 500;

/// Runs it, with the target's connection in its environment. It is done when it has ended; dropped before, it is
/// killed.
pub(super) async fn run(command: &str, member: &Member) -> Done {
    let asked = Asked::now();
    let output = shell(command, member).output().await;
    asked.with(match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(format!("{}: {}", output.status, end_of(&output.stderr))),
        Err(error) => Err(format!("could not run sh: {error}")),
    })
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
