//! What is asked of the provider of a managed server: a command of the person's own, with their credentials.

use std::time::Duration;

use super::event_forms::ShellCommand;
use super::language::{AtLeastMs, record};

record! {
    /// A command that prints what the provider of a managed server says of it, as JSON: class, storage and its limits,
    /// credits, events. pgdyno runs it when it connects, and before and after each trial.
    pub struct ProviderFacts = "facts" {
        /// Shell command (`sh -c`) on this machine, with your credentials and the name of the target in PGDYNO_TARGET.
        /// It prints one JSON object. `docs/how-to/managed-postgresql.md` has the keys, and commands for RDS, Cloud SQL
        /// and Azure.
        key command: ShellCommand,
        /// Time limit of the command.
        key within: Duration as AtLeastMs<100> = Default("30s"),
    }
}
