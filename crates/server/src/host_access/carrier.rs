//! How an agent is started on another host.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

/// The longest that ssh tries to connect.
const CONNECT_SECONDS: u32 = 10;

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
    pub fn local_command(&self) -> Option<Command> {
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
