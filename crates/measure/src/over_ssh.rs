//! pgdyno on another host, by the person's own ssh: how it is started there, and what to try when that fails.

use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::process::{ChildStderr, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// So much of what is said on standard error is kept.
const SAID_AT_MOST: usize = 4096;
/// How long the end of standard error is waited for when the program has ended.
const LAST_WORDS_AT_MOST: Duration = Duration::from_millis(500);

/// As users of ssh expect it: their own configuration, no questions asked.
#[must_use]
pub(crate) fn ssh_command(destination: &str, pgdyno: &Path, arguments: &str) -> Command {
    Command::from(server::by_ssh(destination, pgdyno, arguments))
}

/// Has a program spoken to: its ends here, and itself gone with whoever speaks.
pub(crate) fn spoken_to(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // Ctrl-C is for pgdyno to decide.
    command.kill_on_drop(true).process_group(0)
}

/// What a program, or ssh, says on its standard error.
pub(crate) struct CapturedStderr {
    said: Arc<Mutex<Vec<u8>>>,
    listening: JoinHandle<()>,
}

impl CapturedStderr {
    /// Listens until it has ended.
    #[must_use]
    pub(crate) fn listen_to_stderr(mut errors: ChildStderr) -> Self {
        let said = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&said);
        let listening = tokio::spawn(async move {
            let mut piece = [0; 512];
            while let Ok(length @ 1..) = errors.read(&mut piece).await {
                let mut said = kept.lock().unwrap_or_else(PoisonError::into_inner);
                let room = SAID_AT_MOST.saturating_sub(said.len());
                said.extend_from_slice(&piece[..length.min(room)]);
            }
        });
        Self { said, listening }
    }

    /// What it has said, of a program that has ended.
    pub(crate) async fn collect_last_words(&mut self) -> String {
        let _still_open = timeout(LAST_WORDS_AT_MOST, &mut self.listening).await;
        String::from_utf8_lossy(&self.said.lock().unwrap_or_else(PoisonError::into_inner)).trim().to_owned()
    }
}

/// What to try when ssh ended with this status, having said this; `key` is what the plan says of it.
#[must_use]
pub(crate) fn ssh_failure_hint(destination: &str, pgdyno: &Path, code: Option<i32>, said: &str, key: &str) -> String {
    let is = |text: &str| said.contains(text);
    match code {
        Some(127) => format!(
            "install pgdyno on that host ({} was not found), or set its path: `{key}: {{ ssh: …, pgdyno: /path }}`",
            pgdyno.display()
        ),
        Some(255) if is("Host key verification failed") => format!("accept the host's key once: ssh {destination}"),
        Some(255) if is("Permission denied") => {
            format!("ssh runs without a password prompt; try: ssh -o BatchMode=yes {destination} true")
        }
        Some(255) => {
            format!("check host and port; ~/.ssh/config is read; try: ssh -o BatchMode=yes {destination} true")
        }
        Some(_) | None => format!("try: ssh {destination} {} --version", pgdyno.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ssh_is_asked_without_questions_and_a_destination_is_never_an_option() {
        let command = ssh_command("db", Path::new("/opt/it's/pgdyno"), "agent --stdio");
        let arguments: Vec<_> = command.as_std().get_args().map(|argument| argument.to_string_lossy()).collect();
        let expected = [
            "-T",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=10",
            "-o",
            "ServerAliveInterval=5",
            "--",
            "db",
            r"exec '/opt/it'\''s/pgdyno' agent --stdio",
        ];
        assert_eq!(arguments, expected);
    }

    #[test]
    fn what_ssh_said_decides_what_to_try() {
        let check = |code, said, expected: &str| {
            let hint = ssh_failure_hint("db", Path::new("/opt/pgdyno"), Some(code), said, "agent");
            assert!(hint.contains(expected), "{hint}");
        };
        check(127, "bash: pgdyno: command not found", "install pgdyno");
        check(255, "Host key verification failed.", "accept the host's key once: ssh db");
        check(255, "me@db: Permission denied (publickey).", "without a password prompt");
        check(255, "connect to host db port 22: Connection refused", "check host and port");
    }
}
