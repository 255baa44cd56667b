//! `pgdyno agent --stdio`: the host probes for a pgdyno elsewhere.

use std::io;

use crate::agent;
use crate::problem::{Problem, Status};

/// Obeys what comes in until there is no more.
pub async fn agent() -> Result<Status, Problem> {
    let served = agent::serve(io::stdin().lock(), io::stdout()).await;
    served.map(|()| Status::Done).map_err(|error| {
        Problem::usage("the agent was not spoken to as an agent")
            .detail(error.to_string())
            .hint("it is started by pgdyno itself, on the host of a target with the plan's key `agent`")
    })
}
