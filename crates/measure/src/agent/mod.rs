//! The host probes on another machine, asked for a reading at the end of every second of the load, so that readings
//! need no clock to be put in their place: by `pgdyno agent --stdio`, which runs there, started by a [`Carrier`], or
//! by a shell in the server's pod. Both end with their input. A lost one leaves gaps with a reason; the trial goes on.

mod changes;
mod disturbing;
mod far;
mod late;
mod near;
mod owner;
mod pod;

use std::collections::BTreeMap;

use probe::LoadProcesses;
use results::facts::{AgentFacts, HostFacts};
use results::interval::Reading;
use server::{Carrier, SessionOnHost};

use problem::Problem;

pub use far::serve_conversation;
pub use near::{AtDrop, ProgramAgent, start_program_agent as start_program};
pub use owner::Owner;

/// How an agent is started, in the words of the crate that hands it out.
#[must_use]
pub fn carrier_of_agent(agent: &plan::AgentLaunch) -> Carrier {
    match agent {
        plan::AgentLaunch::Ssh { destination, pgdyno } => {
            Carrier::Ssh { destination: destination.clone(), pgdyno: pgdyno.clone() }
        }
        plan::AgentLaunch::Command(command) => Carrier::Command(command.clone()),
    }
}

/// Whoever reads the host of a server elsewhere.
pub enum HostAgent {
    /// pgdyno on that host.
    Program(Box<near::ProgramAgent>),
    /// A shell in the server's pod.
    Pod(Box<pod::PodAgent>),
}

/// Starts the agent of `target`.
///
/// # Errors
/// Everything that can be wrong with the way to it, by what ssh, the shell or the API server said.
pub async fn start_agent(how: &Carrier, target: &str) -> Result<HostAgent, Problem> {
    match how {
        Carrier::Ssh { .. } | Carrier::Command(_) => {
            Ok(HostAgent::Program(Box::new(near::start_program_agent(how, target, near::AtDrop::Killed).await?)))
        }
        Carrier::Pod(shell) => {
            let started = pod::start_pod_agent(shell).await.map_err(|error| {
                Problem::could_not_measure(format!("target {target:?}: could not read its node: {error}"))
                    .detail(error.detail().unwrap_or_default())
                    .hint(error.hint().unwrap_or_default())
            });
            Ok(HostAgent::Pod(Box::new(started?)))
        }
    }
}

impl HostAgent {
    /// Has the server of an open session found. Returns the facts of its machine, what could not be read of them, and
    /// what is known of the agent, if it is a program of ours.
    ///
    /// # Errors
    /// The agent is gone.
    pub async fn attach_to_server(
        &mut self,
        session: &SessionOnHost,
    ) -> Result<(Option<HostFacts>, BTreeMap<String, String>, Option<AgentFacts>), String> {
        match self {
            Self::Program(agent) => {
                agent.attach_to_server(session).await.map(|(host, gaps, facts)| (host, gaps, Some(facts)))
            }
            Self::Pod(agent) => agent.attach_to_server(session).await.map(|(host, gaps)| (host, gaps, None)),
        }
    }

    /// Where its probes look up which of the server's processes serve the load. One that is a program on another
    /// machine does not look.
    pub fn load_processes(&self) -> LoadProcesses {
        match self {
            Self::Program(_) => LoadProcesses::default(),
            Self::Pod(agent) => agent.load_processes(),
        }
    }

    /// Takes the first snapshots of a series.
    pub async fn prime_probes(&mut self) {
        match self {
            Self::Program(agent) => agent.prime_probes().await,
            Self::Pod(agent) => agent.prime_probes().await,
        }
    }

    /// What its probes read since the last time; gaps with a reason if it cannot be asked.
    pub async fn read_probes(&mut self) -> BTreeMap<String, Reading> {
        match self {
            Self::Program(agent) => agent.read_probes().await,
            Self::Pod(agent) => agent.read_probes().await,
        }
    }
}
