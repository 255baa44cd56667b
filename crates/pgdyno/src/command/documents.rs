//! What is printed from the declarations themselves: schema, completions, man page.

use std::io::{self, Write as _};
use std::path::Path;

use clap::CommandFactory as _;
use serde::Serialize;

use super::json_outputs;
use crate::cli::{Cli, SchemaOf};
use problem::{CommandStatus, Problem};

/// Prints a JSON Schema.
pub(super) fn print_json_schema(of: SchemaOf) -> Result<CommandStatus, Problem> {
    let schema = match of {
        SchemaOf::Plan => plan::json_schema(),
        SchemaOf::Report => report::json_schema(),
        SchemaOf::Outputs => json_outputs::json_schema(),
    };
    print_bytes(format!("{schema:#}\n").as_bytes())
}

/// Prints completions for a shell.
pub(super) fn print_shell_completions(shell: clap_complete::Shell) -> Result<CommandStatus, Problem> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pgdyno", &mut text);
    if shell == clap_complete::Shell::Fish {
        // `bench -?`, as pgbench has it: a bare `?` is a pattern to fish, which then reads no further.
        text = String::from_utf8_lossy(&text).replace(" -s ? ", " -s '?' ").into_bytes();
    }
    print_bytes(&text)
}

/// Prints the man page.
pub(super) fn print_man_page() -> Result<CommandStatus, Problem> {
    let mut text = Vec::new();
    clap_mangen::Man::new(documented_command_line()).render(&mut text).map_err(|error| not_printed(&error))?;
    print_bytes(&text)
}

/// Writes the man page of every command into a directory.
pub(super) fn man_pages(directory: &Path) -> Result<CommandStatus, Problem> {
    let written = std::fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(documented_command_line(), directory));
    written.map(|()| CommandStatus::Done).map_err(|error| {
        Problem::could_not_measure(format!("could not write man pages into {}", directory.display()))
            .detail(error.to_string())
    })
}

/// As a page tells of it: the version, and not of which commit.
fn documented_command_line() -> clap::Command {
    Cli::command().version(env!("CARGO_PKG_VERSION"))
}

/// Writes a file.
pub(super) fn write_text_file(path: &Path, text: &str) -> Result<CommandStatus, Problem> {
    std::fs::write(path, text).map(|()| CommandStatus::Done).map_err(|error| {
        Problem::could_not_measure(format!("could not write {}", path.display())).detail(error.to_string())
    })
}

/// JSON as people can read it, with the end of its last line.
pub(super) fn pretty_json(data: &impl Serialize) -> String {
    let json = serde_json::to_string_pretty(data).expect("plain data always serialises");
    format!("{json}\n")
}

/// Writes to standard output; a reader that has gone (`| head`) is no error.
pub(super) fn print_bytes(bytes: &[u8]) -> Result<CommandStatus, Problem> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(CommandStatus::Done),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(CommandStatus::Done),
        Err(error) => Err(not_printed(&error)),
    }
}

fn not_printed(error: &io::Error) -> Problem {
    Problem::could_not_measure("could not write to standard output").detail(error.to_string())
}
