//! One target of an experiment with its server, as all who work on it know it.

use std::collections::BTreeMap;

use conninfo::ConnInfo;
use probe::LogReader;
use results::facts::TargetFacts;
use results::trial::TrialOutcome;
use server::{Carrier, HostAccess, Target};
use tokio_postgres::Client;

use crate::agent::{self, HostAgent};
use problem::Problem;

/// One acquired target.
pub(super) struct Member {
    /// Its name in the plan.
    pub(super) name: String,
    /// The server.
    pub(super) target: Target,
    /// What it turned out to be.
    pub(super) facts: TargetFacts,
    /// How to reach the administration console of the pooler before it, if it is watched.
    pub(super) pooler: Option<ConnInfo>,
    /// Whether the server has been restarted since a trial was made on it.
    pub(super) restarted: bool,
}

impl Member {
    /// A session of the control plane.
    pub(super) async fn connect_control(&self) -> Result<Client, Problem> {
        self.target.connect_control().await.map_err(Problem::from)
    }

    /// Refuses a way of the load that leads to another server than the one that is described.
    pub(super) async fn require_same_server(&self) -> Result<(), Problem> {
        self.target.require_same_server().await.map_err(Problem::from)
    }

    /// Gives the server what this target allows it while its trial runs.
    pub(super) fn take_turn(&self) -> Result<(), Problem> {
        self.target.take_turn().map_err(Problem::from)
    }

    /// The settings as the server reports them.
    pub(super) async fn confirm_settings(&self) -> Result<BTreeMap<String, String>, Problem> {
        self.target.confirm_settings().await.map_err(Problem::from)
    }

    /// How the host of the server is read.
    pub(super) async fn host_access(&self) -> Result<HostAccess, Problem> {
        self.target.host_access().await.map_err(Problem::from)
    }

    /// An agent on the host of the server, at work for one trial. If it cannot be had, the reason.
    pub(super) async fn start_agent(&self, carrier: &Carrier) -> Result<HostAgent, String> {
        let mut agent = agent::start_agent(carrier, &self.name).await.map_err(|problem| problem.in_one_line())?;
        let session = self.target.session_on_host().await.map_err(|error| error.to_string())?;
        agent.attach_to_server(&session).await?;
        Ok(agent)
    }

    /// Starts to follow the server's log.
    pub(super) async fn follow_log(&self) -> LogReader {
        let own_file = self.target.log_file();
        LogReader::attach_to_log(&self.target.control_config(), own_file.as_deref()).await
    }

    /// A trial ran to its end if its server is still there.
    pub(super) async fn outcome_if_alive(&self) -> TrialOutcome {
        match self.target.check_alive().await {
            Ok(()) => TrialOutcome::Completed,
            Err(error) => TrialOutcome::Failed { error: Problem::from(error).in_one_line() },
        }
    }
}
