//! What pgdyno and the supervisor say to each other: one JSON document a line, orders on the supervisor's standard
//! input, reports on its standard output.
//!
//! The input doubles as the life line: its end means that pgdyno is gone, or wants the server gone.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::account::SystemAccount;
use super::failure::Failure;
use super::layers::Built;
use super::route::RouteLayers;
use super::spec::InitdbOptions;
use crate::remains::Remains;

/// From pgdyno to the supervisor.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum SupervisorOrder {
    /// The first line: create or adopt the cluster and start the server.
    Start(Box<SupervisorStart>),
    /// Stop the server and start it with another configuration.
    Restart {
        /// All settings and settings, not only the changed ones.
        settings: BTreeMap<String, String>,
    },
    /// End the server, and start it again at the same port with the same configuration.
    Disturb(ServerShutdown),
    /// The first line in place of a server: make a directory for commands.
    StartCommands(ScratchStart),
    /// Run a command there.
    Run(ScratchCommand),
}

/// How a server that is to be started again is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum ServerShutdown {
    /// As by `pg_ctl stop -m fast`.
    InOrder,
    /// Its first process gets SIGKILL; the rest end by themselves.
    Killed,
}

/// All that the supervisor needs to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct SupervisorStart {
    /// The directory with `postgres` and `initdb`.
    pub(super) bin: PathBuf,
    /// The server's major version.
    pub(super) major: u32,
    /// Properties of the cluster.
    pub(super) initdb: InitdbOptions,
    /// The server that this one is a standby of, whose data it begins with; none for a cluster of its own.
    pub(super) standby_of: Option<FollowedPrimary>,
    /// Settings and settings.
    pub(super) settings: BTreeMap<String, String>,
    /// The user to run as; none means as this process.
    pub(super) account: Option<SystemAccount>,
    /// The data directory that the plan names.
    pub(super) data_directory: Option<PathBuf>,
    /// Where a directory for the WAL is made, if it is not to lie with the data.
    pub(super) wal_parent: Option<PathBuf>,
    /// Where a temporary data directory is made otherwise.
    pub(super) data_parent: PathBuf,
    /// Whether the data directory stays.
    pub(super) keep: bool,
    /// How long a start may take.
    pub(super) start_timeout_s: u64,
    /// Environment of the server's processes.
    pub(super) variables: BTreeMap<String, String>,
    /// What is built beside the server.
    pub(super) layers: RouteLayers,
    /// Control groups that its processes are put into.
    pub(super) control_groups: Vec<PathBuf>,
    /// What PgBouncer checks the password of the server's superuser by.
    pub(super) verifier: String,
    /// Where it is written down what there is of the server, if that can be anywhere.
    pub(super) journal: Option<PathBuf>,
}

/// A server that runs on this machine and is to be followed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct FollowedPrimary {
    /// Where its data lies.
    pub(super) data_directory: PathBuf,
    /// The directory of its socket.
    pub(super) socket_directory: PathBuf,
    /// The port in the name of its socket.
    pub(super) port: u16,
}

/// From the supervisor to pgdyno.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum SupervisorReport {
    /// `initdb` begins.
    CreatingCluster,
    /// `postgres` begins.
    Starting,
    /// The server accepts connections.
    Ready(ReadyServer),
    /// The start or restart failed; nothing runs.
    Failed(Failure),
    /// The server ended by itself.
    Ended(Failure),
}

/// A server that accepts connections.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReadyServer {
    /// Process id of the postmaster.
    pub(super) pid: u32,
    /// Port on 127.0.0.1, and in the name of the socket.
    pub(super) port: u16,
    /// Its directories.
    pub(super) remains: Remains,
    /// The server's log.
    pub(super) log: PathBuf,
    /// What stands beside it.
    pub(super) built: Built,
}

/// What the supervisor of commands needs to know.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct ScratchStart {
    /// Where the directory is made.
    pub(super) data_parent: PathBuf,
    /// The user that the commands run as; none means as this process.
    pub(super) account: Option<SystemAccount>,
    /// Their environment.
    pub(super) variables: BTreeMap<String, String>,
    /// Where it is written down what there is of them.
    pub(super) journal: Option<PathBuf>,
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
pub(super) enum ScratchReport {
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
