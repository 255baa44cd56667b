//! What is done to a server for an event by whoever is on its machine: pgdyno itself, or its agent there.

mod keeper;
mod processes;
mod shell;

pub(crate) use keeper::Keeper;
pub(crate) use processes::{FrozenProcesses, kill_server_processes};
pub(crate) use shell::ShellProcess;
