//! pgdyno run in a directory as a person would run it there, and the run directory that it leaves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use testbed::killable_program;

/// A program that knows of no place but this directory.
pub fn program_in(directory: &Path, pgdyno: impl AsRef<Path>) -> Command {
    let mut command = killable_program(pgdyno.as_ref());
    command.current_dir(directory).env("HOME", directory).env("TMPDIR", directory);
    command
}

/// The newest run below a directory.
pub fn newest_run(directory: &Path) -> PathBuf {
    let runs = fs::read_dir(directory.join("runs")).expect("runs");
    runs.flatten().map(|entry| entry.path()).max().expect("a run")
}

/// Copies the newest run below a directory to `to`.
pub fn keep_newest_run(directory: &Path, to: &Path) {
    // Of an earlier attempt.
    let _none = fs::remove_dir_all(to);
    fs::create_dir_all(to).expect("made");
    testbed::run_command(killable_program("cp").arg("-a").arg(newest_run(directory).join(".")).arg(to));
}
