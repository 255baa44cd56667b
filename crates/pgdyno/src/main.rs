//! pgdyno: a dynamometer for PostgreSQL.
//!
//! Left of the waist it measures (`plan`, `schedule`, `experiment`), right of it it judges (`compare`, `report`); the run
//! directory lies between.

// In a binary, `pub` says "for the other modules"; there is no other crate that could reach it.
#![allow(unreachable_pub)]

mod cli;
mod command;
mod compare;
mod experiment;
mod interrupt;
mod plan;
mod problem;
mod progress;
mod report;
mod schedule;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    // A local server's supervisor is this same program; it has to start before anything else does.
    if std::env::args_os().nth(1).is_some_and(|argument| argument == target::SUPERVISE_ARGUMENT) {
        return target::supervise();
    }
    command::execute(cli::Cli::parse())
}
