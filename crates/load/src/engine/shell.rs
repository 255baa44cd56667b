//! Shell commands of scripts, run by a helper thread so that the event loop never waits for one. One command after the
//! other: a thread's clients wait for each other's, as they do in pgbench.

use crate::engine::io::Waker;
use crate::script::EvaluationError;
use crate::script::run::shell_value;
use crate::script::value::ScriptValue;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// A command to run.
#[derive(Debug)]
struct ShellOrder {
    ticket: Ticket,
    command: String,
    /// What it prints is wanted.
    output: bool,
}

/// Which client waits for a command, and which of its commands it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ticket {
    pub(crate) client: u32,
    pub(crate) number: u64,
}

/// A command that has ended: its value, if one was wanted.
pub(crate) type EndedCommand = (Ticket, Result<Option<ScriptValue>, EvaluationError>);

/// The commands of one thread's clients.
#[derive(Debug)]
pub(crate) struct ClientShellCommands {
    waker: Waker,
    /// Started with the first command.
    helper: Option<Helper>,
    orders: u64,
}

#[derive(Debug)]
struct Helper {
    orders: Sender<ShellOrder>,
    ended: Receiver<EndedCommand>,
}

impl ClientShellCommands {
    /// No command runs yet; `waker` is used when one has ended.
    pub(crate) fn new(waker: Waker) -> ClientShellCommands {
        ClientShellCommands { waker, helper: None, orders: 0 }
    }

    /// Has a command run for a client.
    ///
    /// # Errors
    /// When the helper thread cannot be started.
    pub(crate) fn run_command(
        &mut self,
        client: u32,
        command: String,
        output: bool,
    ) -> Result<Ticket, EvaluationError> {
        self.orders += 1;
        let ticket = Ticket { client, number: self.orders };
        let helper = match &mut self.helper {
            Some(helper) => helper,
            none => none.insert(start_helper(self.waker.clone())?),
        };
        // The helper ends only after this end of the channel.
        let _helper_there = helper.orders.send(ShellOrder { ticket, command, output });
        Ok(ticket)
    }

    /// A command that has ended.
    pub(crate) fn take_ended_command(&self) -> Option<EndedCommand> {
        self.helper.as_ref()?.ended.try_recv().ok()
    }
}

fn start_helper(waker: Waker) -> Result<Helper, EvaluationError> {
    let (orders, to_run) = mpsc::channel::<ShellOrder>();
    let (report, ended) = mpsc::channel();
    let body = move || {
        for ShellOrder { ticket, command, output } in to_run {
            let result =
                if output { run_for_value(&command).map(Some) } else { run_for_status(&command).map(|()| None) };
            if report.send((ticket, result)).is_err() {
                break;
            }
            waker.wake();
        }
    };
    match thread::Builder::new().name("shell".to_owned()).spawn(body) {
        // It ends by itself once nobody sends it orders.
        Ok(_detached) => Ok(Helper { orders, ended }),
        Err(error) => Err(EvaluationError::Shell(format!("could not start a thread for shell commands: {error}"))),
    }
}

fn shell_command(command: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(command).stdin(Stdio::null());
    shell
}

fn run_for_status(command: &str) -> Result<(), EvaluationError> {
    match shell_command(command).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(EvaluationError::Shell(format!("shell command \"{command}\" failed: {status}"))),
        Err(error) => Err(EvaluationError::Shell(format!("could not launch shell command \"{command}\": {error}"))),
    }
}

fn run_for_value(command: &str) -> Result<ScriptValue, EvaluationError> {
    let output = shell_command(command).stderr(Stdio::inherit()).output();
    let output = output
        .map_err(|error| EvaluationError::Shell(format!("could not launch shell command \"{command}\": {error}")))?;
    let text = String::from_utf8_lossy(&output.stdout);
    match text.lines().next() {
        Some(line) => shell_value(line),
        None => Err(EvaluationError::Shell(format!("could not read result of shell command \"{command}\""))),
    }
}
