//! Commands that start and stop servers by themselves, such as pg_upgrade, in a directory that goes with them.
//!
//! A supervisor runs them, as it runs a server: it makes the directory, and whatever a command has left running ends
//! with it, however pgdyno ends.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use rustix::process::Signal;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{ChildStdout, Command};

use super::account::{self, SystemAccount};
use super::cluster::record_remains;
use super::die_with_parent::die_with_parent;
use super::directories::{make_private, unused_path};
use super::failure::Failure;
use super::kept_variables;
use super::lifeline::Lifeline;
use super::log_tail;
use super::orphans;
use super::protocol::SupervisorOrder;
use super::supervision::Supervisor;
use crate::environment::Environment;
use crate::journal;
use crate::remains::{Fate, Remains};

/// What the supervisor of commands needs to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ScratchStart {
    /// Where the directory is made.
    data_parent: PathBuf,
    /// The user that the commands run as; none means as this process.
    account: Option<SystemAccount>,
    /// Their environment.
    variables: BTreeMap<String, String>,
    /// Where it is written down what there is of them.
    journal: Option<PathBuf>,
}

/// A command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScratchCommand {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// From the supervisor of commands to pgdyno.
#[derive(Debug, Serialize, Deserialize)]
enum ScratchReport {
    /// The directories are there.
    Made(Remains),
    /// The command has ended.
    Ended(CommandOutcome),
    /// The directories or the command could not be had.
    Failed(Failure),
}

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandOutcome {
    /// Whether it succeeded.
    pub succeeded: bool,
    /// The end of what it printed.
    pub output: String,
    /// How long it took.
    pub seconds: f64,
}

/// Runs commands until the life line is cut, then ends what they left and removes the directories.
pub(super) async fn run_commands_until_cut(start: ScratchStart, lifeline: &mut Lifeline) -> Result<(), Failure> {
    let remains = Remains {
        data_directory: unused_path(&start.data_parent, "pgdyno-data-")?,
        wal_directory: None,
        fate: Fate::Temporary,
        // /tmp whatever TMPDIR says: the path of a socket is limited to 107 bytes.
        run_directory: unused_path(Path::new("/tmp"), "pgdyno-")?,
    };
    let journal = start.journal.as_deref().and_then(|directory| record_remains(directory, &remains));
    let made = [&remains.run_directory, &remains.data_directory].map(|path| make_private(path, start.account));
    let outcome = match made.into_iter().find_map(Result::err) {
        Some(failure) => Err(failure),
        None => {
            lifeline.send_line(&ScratchReport::Made(remains.clone()));
            obey_commands(&start, &remains, lifeline).await;
            Ok(())
        }
    };
    orphans::end_all();
    let what = format!("remove {}", remains.data_directory.display());
    remains.clear_remains().map_err(Failure::system_call_failed(what))?;
    drop(journal);
    outcome
}

async fn obey_commands(start: &ScratchStart, remains: &Remains, lifeline: &mut Lifeline) {
    while let Some(SupervisorOrder::Run(command)) = lifeline.next().await {
        match run_command(start, remains, &command, lifeline).await {
            Ok(Some(outcome)) => lifeline.send_line(&ScratchReport::Ended(outcome)),
            Ok(None) => return,
            Err(failure) => lifeline.send_line(&ScratchReport::Failed(failure)),
        }
    }
}

/// What came of it; none if pgdyno is gone.
async fn run_command(
    start: &ScratchStart,
    remains: &Remains,
    wanted: &ScratchCommand,
    lifeline: &mut Lifeline,
) -> Result<Option<CommandOutcome>, Failure> {
    let output_path = remains.run_directory.join("command.log");
    let what = format!("create {}", output_path.display());
    let output = std::fs::File::create(&output_path).map_err(Failure::system_call_failed(what.clone()))?;
    let errors = output.try_clone().map_err(Failure::system_call_failed(what))?;
    let mut command = std::process::Command::new(&wanted.program);
    command.args(&wanted.arguments).env_clear().envs(&start.variables).current_dir(&remains.data_directory);
    if let Some(account) = start.account {
        command.uid(account.uid).gid(account.gid);
    }
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut command = Command::from(command);
    die_with_parent(&mut command, Signal::KILL);
    let begun = Instant::now();
    let what = format!("run {}", wanted.program.display());
    let mut child = command.spawn().map_err(Failure::system_call_failed(what.clone()))?;
    let status = tokio::select! {
        status = child.wait() => status.map_err(Failure::system_call_failed(what))?,
        () = lifeline.wait_until_cut() => {
            // What it has started is ended with the rest.
            let _ = child.kill().await;
            return Ok(None);
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Some(CommandOutcome {
        succeeded: status.success(),
        output: log_tail::read_last_lines(&output_path, 0),
        seconds,
    }))
}

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
