//! A program of the system, run to its end.

use std::process::{Command, Stdio};

use super::error::JournalError;

/// Runs a program with its messages in English; returns what it printed.
pub(crate) fn run_program(program: &str, arguments: &[&str]) -> Result<String, JournalError> {
    let command = || format!("{program} {}", arguments.join(" "));
    let output = Command::new(program)
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| JournalError::Program { command: command(), said: error.to_string() })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let said = if said.is_empty() { output.status.to_string() } else { said };
    Err(JournalError::Program { command: command(), said })
}
