//! What is done to a server on another machine, or to one of this machine that somebody else started, by the agent on
//! its host.

use std::time::Duration;

use super::process::find_backend;
use super::{RequestInstant, TimedAction};
use crate::experiment::by_consent::ConsentedHost;
use crate::experiment::member::Member;
use problem::Problem;

/// How much longer than asked for the processes of a server stand still if nobody has them go on.
const SLACK: Duration = Duration::from_secs(1);

/// What an agent does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::experiment) enum ByAgent<'p> {
    /// Restarts the server.
    Restart,
    /// Kills its first process, and starts it again.
    KillPostmaster,
    /// Kills the process of a session of the load.
    KillBackend,
    /// Stops all of its processes for a while.
    Freeze(Duration),
    /// Runs a command of the person's own.
    Command(&'p str),
}

/// Has the agent do it. It is done when the server takes sessions again, or goes on, or the command has ended.
pub(super) async fn execute_by_agent(
    what: ByAgent<'_>,
    member: &Member,
    planned: &plan::Target,
    host: &mut ConsentedHost,
) -> TimedAction {
    let mut asked = RequestInstant::asked_now();
    let done = match what {
        ByAgent::Restart => host.restart_server(planned, &member.target).await,
        ByAgent::KillPostmaster => host.kill_postmaster(planned, &member.target).await,
        ByAgent::KillBackend => match find_backend(member).await {
            Ok(session) => {
                asked = RequestInstant::asked_now();
                host.agent.kill_session(session).await
            }
            Err(why) => return asked.into_done(Err(why)),
        },
        ByAgent::Freeze(length) => freeze_for_length(host, asked, length).await,
        ByAgent::Command(command) => {
            let data_directory = member.facts.settings.get("data_directory");
            let variables = [("PGDYNO_TARGET", Some(&member.name)), ("PGDATA", data_directory.map(|set| &set.value))];
            let variables = variables.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?.clone())));
            host.agent.run_command(command, variables.collect()).await
        }
    };
    asked.into_done(done.map_err(|problem| with_hint(&problem)))
}

/// All that is known of it, on one line.
fn with_hint(problem: &Problem) -> String {
    let (_, hint) = problem.detail_and_hint();
    let hint = if hint.is_empty() { hint } else { format!("; {hint}") };
    format!("{}{hint}", problem.in_one_line())
}

async fn freeze_for_length(host: &mut ConsentedHost, asked: RequestInstant, length: Duration) -> Result<(), Problem> {
    host.agent.freeze_server(length + SLACK).await?;
    tokio::time::sleep_until((asked.at + length).into()).await;
    host.agent.let_be().await
}
