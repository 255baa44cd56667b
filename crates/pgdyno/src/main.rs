//! pgdyno: a dynamometer for PostgreSQL.
//!
//! Left of the waist it measures (`plan`, `schedule`, `experiment`), right of it it judges (`compare`, `report`); the
//! run directory lies between.

// In a binary, `pub` says "for the other modules"; there is no other crate that could reach it.
#![allow(unreachable_pub)]

mod agent;
mod cli;
mod command;
mod disk;
mod disturb;
mod experiment;
mod generator;
mod import;
mod interrupt;
mod over_ssh;
mod pod_files;
mod pod_scripts;
mod problem;
mod progress;
mod scripts;
mod statements;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A local server's supervisor is this same program; it has to start before anything else does.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == server::SUPERVISE_ARGUMENT) {
        return server::supervise();
    }
    // So is the watcher over a file that fio works on.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == disk::measure::WATCH_ARGUMENT) {
        if let Some(directory) = std::env::args_os().nth(2) {
            disk::measure::keep_watch(directory.as_ref());
        }
        return ExitCode::SUCCESS;
    }
    command::execute(cli::parse())
}
