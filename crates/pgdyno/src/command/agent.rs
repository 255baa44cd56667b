//! `pgdyno agent --stdio`: the host probes, or with `--load` the load, for a pgdyno elsewhere.

use std::io;

use server::Environment;
use tokio::signal::unix::{SignalKind, signal};

use super::run::own_executable;
use measure::agent;
use measure::generator;
use problem::{CommandStatus, Problem};

/// Obeys what comes in until there is no more.
pub async fn run_agent_command() -> Result<CommandStatus, Problem> {
    // A connection that is lost ends its input; what has been changed is put back then, which takes that it lives on.
    let _hangups = signal(SignalKind::hangup());
    let environment = Environment::of_this_process(own_executable());
    let served = agent::serve_conversation(io::stdin().lock(), io::stdout(), environment).await;
    served.map(|()| CommandStatus::Done).map_err(|error| {
        Problem::usage_error("standard input holds no requests to the agent")
            .detail(error.to_string())
            .hint("pgdyno starts this command itself on the host of a target with the plan key `agent`")
    })
}

/// Sends the loads that come in, until there are no more.
pub fn run_load_agent() -> Result<CommandStatus, Problem> {
    let served = generator::serve_conversation(io::BufReader::new(io::stdin()), io::stdout());
    served.map(|()| CommandStatus::Done).map_err(|error| {
        Problem::usage_error("standard input holds no requests to the generator")
            .detail(error.to_string())
            .hint("pgdyno starts this command itself on the hosts of the plan key `generators`")
    })
}
