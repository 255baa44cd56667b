//! pgdyno: a dynamometer for PostgreSQL.
//!
//! Left of the waist it measures (`plan`, `schedule`, `experiment`), right of it it judges (`compare`, `report`); the
//! run directory lies between.

// In a binary, `pub` says "for the other modules"; there is no other crate that could reach it.
#![allow(unreachable_pub)]

mod cli;
mod command;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A local server's supervisor is this same program; it has to start before anything else does.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == server::SUPERVISE_ARGUMENT) {
        return server::run_as_supervisor();
    }
    // So is the watcher over a file that fio works on.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == measure::disk::WATCH_ARGUMENT) {
        if let Some(directory) = std::env::args_os().nth(2) {
            measure::disk::keep_watch(directory.as_ref());
        }
        return ExitCode::SUCCESS;
    }
    command::execute_command_line(cli::parse_command_line())
}
