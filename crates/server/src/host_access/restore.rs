//! How an agent is asked to undo what others before it have left on its host, and how it tells what that came to.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::carrier::Carrier;
use super::messages::{AgentAnswer, AgentOrder, Numbered, Undone};
use crate::journal::Reversal;

/// The longest that undoing may take on another host, restarts of a server included.
const RESTORE_AT_MOST: Duration = Duration::from_secs(300);

/// Has an agent undo what those have left on its host that have ended; what that came to in all.
pub(crate) fn restore_there(carrier: &Carrier) -> Result<Reversal, String> {
    let Some(mut command) = carrier.local_command() else { return Ok(Reversal::NothingLeft) };
    let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit()).spawn();
    let mut agent = started.map_err(|error| format!("{}: {error}", command.get_program().to_string_lossy()))?;
    let answer = ask_agent_to_restore(&mut agent);
    // Its input has ended, and so does it; one that hangs has to.
    let _ended = agent.kill();
    let _status = agent.wait();
    in_all(&answer?)
}

/// Asks on the agent's input, and waits for the answer on its output.
fn ask_agent_to_restore(agent: &mut Child) -> Result<Vec<Undone>, String> {
    const NUMBER: u64 = 1;
    let (Some(mut input), Some(output)) = (agent.stdin.take(), agent.stdout.take()) else {
        return Err("its standard input or output is not available".to_owned());
    };
    let order = serde_json::to_string(&Numbered { number: NUMBER, said: AgentOrder::Restore });
    let order = order.map_err(|error| error.to_string())? + "\n";
    input.write_all(order.as_bytes()).map_err(|error| error.to_string())?;
    let (answered, answer) = mpsc::channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut answers = lines.filter_map(|line| serde_json::from_str::<Numbered<AgentAnswer>>(&line).ok());
        // Nobody waits for it any more, perhaps.
        let _ = answered.send(answers.find(|answer| answer.number == NUMBER));
    });
    match answer.recv_timeout(RESTORE_AT_MOST) {
        Ok(Some(Numbered { said: AgentAnswer::Undone { undone }, .. })) => Ok(undone),
        Ok(Some(Numbered { said: AgentAnswer::Refused { what, detail, .. }, .. })) => Err(format!("{what}: {detail}")),
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
