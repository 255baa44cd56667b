//! What an agent makes happen to the server on its host for an event, by leave of its owner, and does not outlive it:
//! processes that stand still, a command at work. Dropped, the processes go on and the command is killed.

use std::collections::BTreeMap;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use server::{AgentAnswer, BackendProcess};

use super::changes::refused_answer;
use crate::disturb::{FrozenProcesses, ShellProcess};

const HINT: &str = "start the agent on the server's host, as the server's user or as root";

/// What is under way.
#[derive(Default)]
pub(super) struct Disturbing {
    frozen: Option<FrozenProcesses>,
    command: Option<ShellProcess>,
}

impl Disturbing {
    /// Kills the process of a session of this server, which recovers by itself.
    pub(super) fn kill_session(postmaster: Option<Pid>, session: &BackendProcess) -> AgentAnswer {
        let found = server::process_here(session);
        let is_its = |server: u32| postmaster.is_some_and(|pid| pid.as_raw_nonzero().get().unsigned_abs() == server);
        let process = found.filter(|(_, server)| is_its(server.postmaster_pid)).and_then(|(pid, _)| Pid::from_raw(pid));
        let killed = process.ok_or_else(|| "the agent's host runs no process of the session".to_owned());
        let killed = killed.and_then(|pid| kill_process(pid, Signal::KILL).map_err(|error| error.to_string()));
        answer_from_result(killed, "could not kill a session of the load")
    }

    /// Stops all processes of the server.
    pub(super) fn freeze_server(&mut self, postmaster: Option<Pid>, at_most: Duration) -> AgentAnswer {
        let found = postmaster.ok_or_else(|| "the agent's host runs no process of the server".to_owned());
        let frozen = found.and_then(|postmaster| FrozenProcesses::stop_server_processes(postmaster, at_most));
        answer_from_result(frozen.map(|frozen| self.frozen = Some(frozen)), "could not stop the server's processes")
    }

    /// Has them go on, and ends the command.
    pub(super) fn let_be(&mut self) -> AgentAnswer {
        *self = Self::default();
        AgentAnswer::Done
    }

    /// Starts a command of the person's own.
    pub(super) fn start_command(&mut self, command: &str, variables: BTreeMap<String, String>) -> AgentAnswer {
        let started = ShellProcess::start_command(command, variables).map_err(|error| error.to_string());
        answer_from_result(started.map(|shell| self.command = Some(shell)), "could not run sh")
    }

    /// What has become of it.
    pub(super) fn command_status(&mut self) -> AgentAnswer {
        let Some(shell) = &mut self.command else {
            return refused_answer("no command was started", "", "");
        };
        let Some(ended) = shell.came_to() else { return AgentAnswer::CommandRuns };
        self.command = None;
        ended.map_or_else(|why| refused_answer("the command failed", &why, ""), |()| AgentAnswer::Done)
    }
}

fn answer_from_result(done: Result<(), String>, what: &str) -> AgentAnswer {
    done.map_or_else(|why| refused_answer(what, &why, HINT), |()| AgentAnswer::Done)
}
