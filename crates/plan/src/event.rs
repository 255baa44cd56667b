//! What a plan makes happen in its trials: each event at an instant of the measurement, the same in every trial.
//!
//! Events are the plan's, not a target's, so that all trials of a run have the same ones and can be compared. What is
//! made to happen is a word that says what pgdyno does, or a command of the person's own; what a word can be done to is
//! decided in `possible_events`, who does it in the experiment.

use std::time::Duration;

use work::WordChoice as _;

use super::event_forms::{NodeCommands, RollingUpdate, ShellCommand, StandStill};
use super::event_limits::EventLimits;
use super::language::{AtLeastMs, HasName, choice, record, words};

/// How far apart events are, from each other and from both ends of the measurement: what was before and what follows is
/// told in seconds.
pub(crate) const APART: Duration = Duration::from_secs(2);

record! {
    /// An event that pgdyno causes in every trial.
    pub struct Event = "an event" {
        /// What it is called in reports.
        name name: String,
        /// Time of the event, from the start of the measurement phase.
        key at: Duration as AtLeastMs<2000>,
        /// What happens.
        keys what: Happening,
        /// Time limit for the event to complete (`do`, `command`). If it is exceeded, the trial fails.
        key within: Option<Duration> as Option<AtLeastMs<100>> = Absent("until 60 s after the end of the load"),
        /// Limits on the effects of the event, in every cell. A limit is met if the whole interval is within it, and
        /// violated (exit status 1) if none of the interval is.
        key require: EventLimits = Default("{}"),
    }
}

impl HasName for Event {
    fn name(&self) -> &str {
        &self.name
    }
}

choice! {
    /// What happens.
    pub enum Happening = "one of `do`, `command`, `agent_command`, `freeze`, `freeze_disk`, `stop_node`, `rolling_update` is required" {
        /// An action of pgdyno on the server. `restart` and `kill-backend` require a `local` server, or a `url` with an
        /// `agent`. `kill-postmaster` requires one of these or a CloudNativePG cluster. `promote` and `detach-standby`
        /// require a `local` server with a `standby`. `switchover`, `delete-primary`, `delete-primary-forcibly`,
        /// `restart-in-place`, `rolling-restart` and `drain-node` require a CloudNativePG cluster.
        "do" => Do(Deed),
        /// Shell command (`sh -c`) that pgdyno runs on this machine, with PGHOST, PGPORT, PGUSER and PGDATABASE of the
        /// target, and its name in PGDYNO_TARGET. The event is complete when the command exits. A non-zero exit status
        /// fails the trial.
        "command" => Command(ShellCommand),
        /// Shell command that the `agent` runs on the host of the server, with PGDYNO_TARGET, and with PGDATA if it is
        /// known.
        "agent_command" => AgentCommand(ShellCommand),
        /// Stop all processes of the server (SIGSTOP) for this duration, then continue them (SIGCONT). As with a
        /// stalled disk or hypervisor, nothing is lost and nothing answers. Requires a `local` server, or a `url` with
        /// an `agent`.
        "freeze" => Freeze(StandStill),
        /// Freeze the file system of the data (fsfreeze) for this duration. As with a stalled disk, commits wait, while
        /// reads from memory continue. Requires a `local` server with its own `filesystem`.
        "freeze_disk" => FreezeDisk(StandStill),
        /// Stop the node of the primary of a CloudNativePG cluster with a command of yours, and start it again with
        /// another one after another instance has become the primary.
        "stop_node" => StopNode(NodeCommands),
        /// Update a CloudNativePG cluster. Its operator then restarts all instances one after the other, replicas
        /// first. Every other trial applies the update, and the next one reverts it. At the end of the run, or by
        /// `pgdyno restore`, the cluster has its original state.
        "rolling_update" => RollingUpdate(RollingUpdate),
    }
}

words! {
    /// What pgdyno does to a server.
    Deed {
        Restart = "restart", "stop the server (fast mode) and start it again";
        KillPostmaster = "kill-postmaster", "kill the postmaster (SIGKILL); the server is started again, in a cluster by its operator, and recovers from its WAL";
        KillBackend = "kill-backend", "kill one session of the load (SIGKILL), so that the server ends all sessions and recovers";
        Promote = "promote", "stop the server (immediate mode) and promote its standby; requires `local: { standby: … }`";
        DetachStandby = "detach-standby", "stop replication, so that later commits are lost by `promote`; requires `local: { standby: … }`";
        Checkpoint = "checkpoint", "execute CHECKPOINT; the role must be permitted to";
        Switchover = "switchover", "promote a replica of the CloudNativePG cluster, as `kubectl cnpg promote` does";
        DeletePrimary = "delete-primary", "delete the pod of the primary, with an orderly shutdown";
        DeletePrimaryForcibly = "delete-primary-forcibly", "delete the pod of the primary without a shutdown (`--force --grace-period 0`)";
        RestartInPlace = "restart-in-place", "restart the primary in its pod, as `kubectl cnpg restart CLUSTER INSTANCE` does";
        RollingRestart = "rolling-restart", "restart all instances one after the other, replicas first, as `kubectl cnpg restart CLUSTER` and rolling updates do";
        DrainNode = "drain-node", "cordon the node of the primary, evict the pods of the cluster from it, and uncordon it";
    }
}

impl Happening {
    /// In the words of the plan.
    #[must_use]
    pub fn word_in_plan(&self) -> &str {
        match self {
            Self::Do(deed) => deed.as_word(),
            Self::Command(command) | Self::AgentCommand(command) => command.text(),
            Self::Freeze(_) => "freeze",
            Self::FreezeDisk(_) => "freeze_disk",
            Self::StopNode(_) => "stop_node",
            Self::RollingUpdate(_) => "rolling_update",
        }
    }

    /// The key of the plan that says it.
    pub(crate) fn plan_key(&self) -> &'static str {
        match self {
            Self::Do(_) => "do",
            Self::Command(_) => "command",
            Self::AgentCommand(_) => "agent_command",
            Self::Freeze(_) => "freeze",
            Self::FreezeDisk(_) => "freeze_disk",
            Self::StopNode(_) => "stop_node",
            Self::RollingUpdate(_) => "rolling_update",
        }
    }

    /// What it is, as a sentence without its subject.
    pub(crate) fn action_in_words(&self) -> String {
        match self {
            Self::Do(Deed::Restart) => "restarts the server".to_owned(),
            Self::Do(Deed::KillPostmaster) => "kills the postmaster and starts the server again".to_owned(),
            Self::Do(Deed::KillBackend) => "kills a session of the load, so that the server recovers".to_owned(),
            Self::Do(Deed::Promote) => "stops the server (immediate mode) and promotes its standby".to_owned(),
            Self::Do(Deed::DetachStandby) => "detaches the standby".to_owned(),
            Self::Do(Deed::Checkpoint) => "executes CHECKPOINT".to_owned(),
            Self::Do(Deed::Switchover) => "promotes a replica of the cluster".to_owned(),
            Self::Do(Deed::DeletePrimary) => "deletes the pod of the cluster's primary".to_owned(),
            Self::Do(Deed::DeletePrimaryForcibly) => {
                "deletes the pod of the cluster's primary without a shutdown".to_owned()
            }
            Self::Do(Deed::RestartInPlace) => "restarts the cluster's primary in its pod".to_owned(),
            Self::Do(Deed::RollingRestart) => "restarts all servers of the cluster one after the other".to_owned(),
            Self::Do(Deed::DrainNode) => {
                "cordons the node of the cluster's primary, evicts the cluster's pods there, and uncordons it"
                    .to_owned()
            }
            Self::Command(command) => format!("runs `{}` here", command.text()),
            Self::AgentCommand(command) => format!("runs `{}` on its host, by its agent", command.text()),
            Self::Freeze(StandStill(length)) => {
                format!("stops all processes of the server for {}", super::units::format_duration(*length))
            }
            Self::FreezeDisk(StandStill(length)) => {
                format!("freezes the file system of the server's data for {}", super::units::format_duration(*length))
            }
            Self::StopNode(NodeCommands { stop, start }) => format!(
                "runs `{}` here to stop the node of the cluster's primary, and `{}` to start it",
                stop.text(),
                start.text()
            ),
            Self::RollingUpdate(update) => {
                format!("updates the cluster to {}, or back, one server after the other", update.to.update_in_words())
            }
        }
    }
}
