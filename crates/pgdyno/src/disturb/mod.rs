//! What is done to a server for an event by whoever is on its machine: pgdyno itself, or its agent there.

mod keeper;
mod processes;
mod shell;

pub use keeper::Keeper;
pub use processes::{Frozen, kill};
pub use shell::Shell;
