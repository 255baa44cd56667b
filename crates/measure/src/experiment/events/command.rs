//! A command of the person's own, run by a shell here.

use super::{RequestInstant, TimedAction};
use crate::disturb::ShellProcess;
use crate::experiment::member::Member;

/// Runs it, with the target's connection in its environment. It is done when it has ended; dropped before, it is
/// killed with all that it has started.
pub(super) async fn run_command(command: &str, member: &Member) -> TimedAction {
    let asked = RequestInstant::asked_now();
    asked.into_done(match ShellProcess::start_command(command, connection_variables(member)) {
        Ok(mut shell) => shell.wait_until_ended().await,
        Err(error) => Err(format!("could not run sh: {error}")),
    })
}

fn connection_variables(member: &Member) -> Vec<(String, String)> {
    let login = member.target.load_conninfo();
    let (host, port) = login.host_and_port();
    let own = [
        ("PGHOST", host),
        ("PGPORT", port),
        ("PGUSER", login.user.clone()),
        ("PGDATABASE", login.dbname.clone()),
        ("PGDYNO_TARGET", member.name.clone()),
    ];
    let directory = member.target.data_directory().map(|directory| ("PGDATA", directory.display().to_string()));
    let own = own.into_iter().chain(directory).map(|(name, value)| (name.to_owned(), value));
    login.libpq_environment().into_iter().map(|(name, value)| (name.to_owned(), value)).chain(own).collect()
}
