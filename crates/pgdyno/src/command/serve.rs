//! `serve`: runs in the browser, by a process of its own.

use std::io;
use std::net::TcpListener;
use std::os::fd::AsFd as _;

use serve::ServeError;
use server::Environment;
use server::journal::state_directory;

use super::documents;
use super::run::own_executable;
use crate::cli::ServeArgs;
use measure::progress::print_to_stderr;
use problem::{CommandStatus, Problem};

/// The file of the token, in the directory of what is kept.
const TOKEN: &str = "serve-token";

/// Prints the address and answers until it is stopped.
pub(super) async fn run_serve_command(arguments: &ServeArgs) -> Result<CommandStatus, Problem> {
    let site = serve::ServedRuns::new(&arguments.path).map_err(refused_to_serve)?;
    let kept = state_directory(&Environment::of_this_process(own_executable()))?.join(TOKEN);
    let token = serve::AccessToken::read_or_create(&kept).map_err(refused_to_serve)?;
    let listener = match arguments.on_standard_input {
        true => TcpListener::from(
            io::stdin().as_fd().try_clone_to_owned().map_err(ServeError::NoListener).map_err(refused_to_serve)?,
        ),
        false => serve::listen_on_address(arguments.listen, arguments.port).map_err(refused_to_serve)?,
    };
    let server = serve::ReportServer::new(listener, site, token).map_err(refused_to_serve)?;
    if !arguments.listen.is_loopback() {
        print_to_stderr(
            "the connection is not encrypted: every user who learns the address, also from network traffic, can read the runs",
        );
    }
    documents::print_bytes(format!("{}\n", server.browser_url()).as_bytes())?;
    // Nothing has to be put in order at a Ctrl-C: it ends as any program does.
    server.serve_requests(arguments.linger).await.map_err(refused_to_serve)?;
    Ok(CommandStatus::Done)
}

/// What keeps runs from being served, for a person.
#[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` calls")]
pub(super) fn refused_to_serve(error: ServeError) -> Problem {
    Problem::usage_error(error.to_string()).hint(error.hint())
}
