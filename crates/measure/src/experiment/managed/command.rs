//! The command of `facts`, run by a shell here: what it prints, or why it printed nothing that can be used.

use std::process::Stdio;

use plan::ProviderFacts;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::Command;
use tokio::time::timeout;

/// The most bytes of an answer: far more than any has.
const PRINTED_AT_MOST: u64 = 1 << 20;

/// How much of the end of what it wrote to its standard error is reported, in characters.
const SAID_AT_MOST: usize = 300;

/// Kills a command with all that it has started, unless it has ended.
struct CommandGroup(Option<Pid>);

impl Drop for CommandGroup {
    fn drop(&mut self) {
        // They may have ended in between.
        let _ = self.0.map(|group| kill_process_group(group, Signal::KILL));
    }
}

/// Runs the command of a target once. What it has started is killed when it has ended, or after its time limit.
///
/// # Errors
/// It failed, printed too much, or did not end in time.
pub(super) async fn run_command(facts: &ProviderFacts, target: &str) -> Result<Vec<u8>, String> {
    let mut shell = Command::new("sh");
    shell.args(["-c", facts.command.text()]).env("PGDYNO_TARGET", target).process_group(0).kill_on_drop(true);
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = shell.spawn().map_err(|error| format!("could not run sh: {error}"))?;
    let group = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    let _group = CommandGroup(group);
    let (output, errors) = (child.stdout.take(), child.stderr.take());
    let running = async {
        let (printed, said) = tokio::join!(read_all(output), read_all(errors));
        (child.wait().await, printed, said)
    };
    let Ok((status, printed, said)) = timeout(facts.within, running).await else {
        return Err(format!("it did not end within {} s", facts.within.as_secs_f64()));
    };
    let said = last_words(&said);
    match status {
        // One whose output is not read to the end fails for that.
        _ if printed.len() as u64 >= PRINTED_AT_MOST => Err(format!("it printed more than {PRINTED_AT_MOST} bytes")),
        Ok(status) if !status.success() => Err(format!("{status}{said}")),
        Ok(_) => Ok(printed),
        Err(error) => Err(error.to_string()),
    }
}

/// What there is to read, up to the limit: the rest is not read, and a command that goes on is killed.
async fn read_all(from: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut read = Vec::new();
    if let Some(from) = from {
        // What was read before an error counts.
        let _ = from.take(PRINTED_AT_MOST).read_to_end(&mut read).await;
    }
    read
}

/// The end of what it wrote, on one line, to stand behind its status.
fn last_words(written: &[u8]) -> String {
    let text = String::from_utf8_lossy(written);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let said = lines.join("; ");
    let skipped = said.chars().count().saturating_sub(SAID_AT_MOST);
    let said: String = said.chars().skip(skipped).collect();
    if said.is_empty() { String::new() } else { format!(": {said}") }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn facts(command: &str) -> ProviderFacts {
        let text = format!(
            "name: x\ntargets: {{ a: {{ url: postgresql://h/d, facts: {{ command: {command:?}, within: 500ms }} }} }}\n\
             baseline: a\nworkloads: {{ w: {{ builtin: select-only, scale: 1 }} }}\nclients: [1]\nnoise_floor: true\n"
        );
        let plan = plan::parse_plan("x.yaml", text.as_bytes()).expect("a plan");
        plan.targets[0].facts.clone().expect("it has some")
    }

    #[tokio::test]
    async fn command_that_fails_or_hangs_says_so_in_time() {
        assert_eq!(run_command(&facts("echo $PGDYNO_TARGET"), "a").await, Ok(b"a\n".to_vec()));
        let said = run_command(&facts("echo ExpiredToken >&2; exit 254"), "a").await.expect_err("it failed");
        assert_eq!(said, "exit status: 254: ExpiredToken");
        let begun = Instant::now();
        let said = run_command(&facts("sleep 60 & sleep 60"), "a").await.expect_err("it hangs");
        assert_eq!(said, "it did not end within 0.5 s");
        assert!(begun.elapsed() < Duration::from_secs(30));
        let said = run_command(&facts("yes"), "a").await.expect_err("it never ends");
        assert!(said.contains("did not end") || said.contains("more than"), "{said}");
    }
}
