//! Programs of the system that build a layer: found on the usual paths, run to their end, their words kept for the error.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::local::failure::Failure;

/// Where programs of the system's administrator are, whatever `PATH` says.
const DIRECTORIES: &[&str] = &["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/// Where a program is.
pub(super) fn find_program(name: &str) -> Option<PathBuf> {
    DIRECTORIES.iter().map(|directory| PathBuf::from(directory).join(name)).find(|path| path.is_file())
}

/// A command with a program of the system in a clean environment.
pub(super) fn program_command(name: &str, package: &'static str, layer: &'static str) -> Result<Command, Failure> {
    let path = find_program(name).ok_or_else(|| Failure::NoProgram {
        program: name.to_owned(),
        package: package.to_owned(),
        layer: layer.to_owned(),
    })?;
    let mut command = Command::new(path);
    command.env_clear().env("PATH", DIRECTORIES.join(":")).env("LC_ALL", "C").current_dir("/").stdin(Stdio::null());
    Ok(command)
}

/// Runs it to its end.
pub(super) fn run_command(command: &mut Command) -> Result<(), Failure> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    let what = format!("run {} {}", command.get_program().to_string_lossy(), words.join(" "));
    let output = command.output().map_err(Failure::system_call_failed(what.clone()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(Failure::system_call_failed(what)(if said.is_empty() { output.status.to_string() } else { said }))
}
