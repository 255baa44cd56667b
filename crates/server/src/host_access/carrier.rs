//! How an agent is started on another host; and how one is asked to undo what others before it have left there.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::messages::{Answer, Numbered, Order, Undone};
use crate::journal::Reversal;

/// The longest that ssh tries to connect.
const CONNECT_SECONDS: u32 = 10;

/// The longest that undoing may take on another host, restarts of a server included.
const RESTORE_AT_MOST: Duration = Duration::from_secs(300);

/// How an agent is started on another host, with its input and output here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Carrier {
    /// By ssh, as the person has it configured.
    Ssh {
        /// What ssh is told: `host`, `user@host`, `ssh://user@host:port`.
        destination: String,
        /// The program there.
        pgdyno: PathBuf,
    },
    /// By a command of a shell here, whose input and output are the agent's.
    Command(String),
    /// By none: a shell in the server's pod prints what an agent would read.
    Pod(PodShell),
}

/// A container in which a shell is to be started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PodShell {
    /// The context of the kubeconfig; none: the current one.
    pub context: Option<String>,
    /// The namespace.
    pub namespace: String,
    /// The pod.
    pub pod: String,
    /// The container.
    pub container: String,
}

impl Carrier {
    /// The command that starts it here; none for a pod.
    #[must_use]
    pub fn command(&self) -> Option<Command> {
        match self {
            Self::Ssh { destination, pgdyno } => Some(by_ssh(destination, pgdyno, "agent --stdio")),
            Self::Pod(_) => None,
            Self::Command(text) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(text);
                Some(shell)
            }
        }
    }

    /// Where it starts the agent, in words.
    pub(crate) fn in_words(&self) -> String {
        match self {
            Self::Ssh { destination, .. } => destination.clone(),
            Self::Command(text) => format!("the host of `{text}`"),
            Self::Pod(shell) => format!("the pod {}", shell.pod),
        }
    }
}

/// The command that runs pgdyno on another host, as users of ssh expect it: their own configuration, no questions asked.
#[must_use]
pub fn by_ssh(destination: &str, pgdyno: &Path, arguments: &str) -> Command {
    let mut ssh = Command::new("ssh");
    let timeout = format!("ConnectTimeout={CONNECT_SECONDS}");
    ssh.args(["-T", "-o", "BatchMode=yes", "-o", &timeout, "-o", "ServerAliveInterval=5", "--", destination]);
    // ssh joins what follows with spaces and hands it to a shell.
    ssh.arg(format!("exec {} {arguments}", in_single_quotes(&pgdyno.to_string_lossy())));
    ssh
}

fn in_single_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// Has an agent undo what those have left on its host that have ended; what that came to in all.
pub(crate) fn restore_there(carrier: &Carrier) -> Result<Reversal, String> {
    let Some(mut command) = carrier.command() else { return Ok(Reversal::NothingLeft) };
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    let mut agent = started.map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    let answer = ask(&mut agent);
    // Its input has ended, and so does it; one that hangs has to.
    let _ended = agent.kill();
    let _status = agent.wait();
    in_all(&answer?)
}

/// Asks on the agent's input, and waits for the answer on its output.
fn ask(agent: &mut Child) -> Result<Vec<Undone>, String> {
    const NUMBER: u64 = 1;
    let (Some(mut input), Some(output)) = (agent.stdin.take(), agent.stdout.take()) else {
        return Err("its standard input or output is not available".to_owned());
    };
    let order = serde_json::to_string(&Numbered { number: NUMBER, said: Order::Restore });
    let order = order.map_err(|error| error.to_string())? + "\n";
    input.write_all(order.as_bytes()).map_err(|error| error.to_string())?;
    let (answered, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut answers = lines.filter_map(|line| serde_json::from_str::<Numbered<Answer>>(&line).ok());
        // Nobody waits for it any more, perhaps.
        let _ = answered.send(answers.find(|answer| answer.number == NUMBER));
    });
    match answer.recv_timeout(RESTORE_AT_MOST) {
        Ok(Some(Numbered { said: Answer::Undone { undone }, .. })) => Ok(undone),
        Ok(Some(Numbered { said: Answer::Refused { what, detail, .. }, .. })) => Err(format!("{what}: {detail}")),
        Ok(Some(_)) => Err("the agent answered a different request".to_owned()),
        Ok(None) => Err("the agent ended without an answer".to_owned()),
        Err(_) => Err(format!("the agent did not answer within {} s", RESTORE_AT_MOST.as_secs())),
    }
}

fn in_all(undone: &[Undone]) -> Result<Reversal, String> {
    let words = |undone: &Undone| format!("{} ({})", undone.change, undone.why);
    let failed: Vec<String> = undone.iter().filter(|undone| undone.is_failed()).map(words).collect();
    if !failed.is_empty() {
        return Err(failed.join("; "));
    }
    let alone: Vec<String> = undone.iter().filter(|undone| undone.is_left_alone()).map(words).collect();
    Ok(match (alone.is_empty(), undone.iter().any(Undone::is_restored)) {
        (false, _) => Reversal::LeftAlone { found: alone.join("; ") },
        (true, true) => Reversal::Restored,
        (true, false) => Reversal::NothingLeft,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_that_cannot_be_started_or_says_nothing_has_undone_nothing() {
        let of = |text: &str| restore_there(&Carrier::Command(text.to_owned()));
        assert_eq!(of("read order; exit 1"), Err("the agent ended without an answer".to_owned()));
        let said = r#"{"number":1,"answer":"undone","undone":[{"outcome":"restored","change":"a = 1","why":""}]}"#;
        assert_eq!(of(&format!("read order; echo '{said}'")), Ok(Reversal::Restored));
        let failed = said.replace("restored", "failed").replace("\"why\":\"\"", "\"why\":\"no\"");
        assert_eq!(of(&format!("read order; echo '{failed}'")), Err("a = 1 (no)".to_owned()));
    }
}
