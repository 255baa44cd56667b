//! Commands that start and stop servers by themselves, such as pg_upgrade, in a directory that goes with them.
//!
//! A supervisor runs them, as it runs a server: it makes the directory, and whatever a command has left running ends
//! with it, however pgdyno ends.

use std::path::Path;

use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::ChildStdout;

use super::account;
use super::failure::Failure;
use super::kept_variables::kept_variables;
use super::protocol::{CommandOutcome, ScratchCommand, ScratchReport, ScratchStart, SupervisorOrder};
use super::supervision::Supervisor;
use crate::environment::Environment;
use crate::journal;
use crate::remains::Remains;

/// A directory in which commands are run.
#[derive(Debug)]
pub struct ScratchCommands {
    supervisor: Supervisor,
    reports: Lines<BufReader<ChildStdout>>,
    remains: Remains,
}

impl ScratchCommands {
    /// Makes the directory, where the data directories of servers are made.
    ///
    /// # Errors
    /// It cannot be made.
    pub async fn make_directory(environment: &Environment) -> Result<Self, Failure> {
        let start = ScratchStart {
            data_parent: environment.data_parent(),
            account: account::choose_account(environment),
            variables: kept_variables(environment),
            journal: journal::journal_directory(environment).ok(),
        };
        let (mut supervisor, reports) = Supervisor::start_process(&environment.executable, start.journal.clone())?;
        supervisor.send_order(&SupervisorOrder::StartCommands(start)).await?;
        let mut reports = BufReader::new(reports).lines();
        match next_report(&mut reports).await? {
            ScratchReport::Made(remains) => Ok(Self { supervisor, reports, remains }),
            ScratchReport::Failed(failure) => Err(failure),
            ScratchReport::Ended(_) => Err(Failure::SupervisorLost),
        }
    }

    /// The directory; commands begin in it.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.remains.data_directory
    }

    /// A directory with a short name, for sockets.
    #[must_use]
    pub fn socket_directory(&self) -> &Path {
        &self.remains.run_directory
    }

    /// Runs a command to its end.
    ///
    /// # Errors
    /// It cannot be run. That it fails is an outcome.
    pub async fn run_command(&mut self, command: ScratchCommand) -> Result<CommandOutcome, Failure> {
        self.supervisor.send_order(&SupervisorOrder::Run(command)).await?;
        match next_report(&mut self.reports).await? {
            ScratchReport::Ended(outcome) => Ok(outcome),
            ScratchReport::Failed(failure) => Err(failure),
            ScratchReport::Made(_) => Err(Failure::SupervisorLost),
        }
    }

    /// Ends what is left running and removes the directory.
    ///
    /// # Errors
    /// Something of it cannot be removed.
    pub async fn remove_directory(mut self) -> Result<(), Failure> {
        let what = "wait for the supervisor of commands";
        let status = self.supervisor.end_process().await.map_err(Failure::system_call_failed(what))?;
        if status.success() { Ok(()) } else { Err(Failure::SupervisorLost) }
    }
}

async fn next_report(reports: &mut Lines<BufReader<ChildStdout>>) -> Result<ScratchReport, Failure> {
    let line = reports.next_line().await.ok().flatten().ok_or(Failure::SupervisorLost)?;
    serde_json::from_str(&line).map_err(|_| Failure::SupervisorLost)
}
