//! The supervisor's side of commands that are run in a directory of their own.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use rustix::process::Signal;
use tokio::process::Command;

use super::cluster::record_remains;
use super::die_with_parent::die_with_parent;
use super::directories::{make_private, unused_path};
use super::failure::Failure;
use super::lifeline::Lifeline;
use super::log_tail;
use super::orphans;
use super::protocol::{CommandOutcome, ScratchCommand, ScratchReport, ScratchStart, SupervisorOrder};
use crate::remains::{Fate, Remains};

/// Runs commands until the life line is cut, then ends what they left and removes the directories.
pub(super) async fn run_commands_until_cut(start: ScratchStart, lifeline: &mut Lifeline) -> Result<(), Failure> {
    let remains = Remains {
        data_directory: unused_path(&start.data_parent, "pgdyno-data-")?,
        wal_directory: None,
        fate: Fate::Temporary,
        // /tmp whatever TMPDIR says: the path of a socket is limited to 107 bytes.
        run_directory: unused_path(Path::new("/tmp"), "pgdyno-")?,
    };
    let journal = start.journal.as_deref().and_then(|directory| record_remains(directory, &remains));
    let made = [&remains.run_directory, &remains.data_directory].map(|path| make_private(path, start.account));
    let outcome = match made.into_iter().find_map(Result::err) {
        Some(failure) => Err(failure),
        None => {
            lifeline.send_line(&ScratchReport::Made(remains.clone()));
            obey_commands(&start, &remains, lifeline).await;
            Ok(())
        }
    };
    orphans::end_all();
    let what = format!("remove {}", remains.data_directory.display());
    remains.clear_remains().map_err(Failure::system_call_failed(what))?;
    drop(journal);
    outcome
}

async fn obey_commands(start: &ScratchStart, remains: &Remains, lifeline: &mut Lifeline) {
    while let Some(SupervisorOrder::Run(command)) = lifeline.next().await {
        match run_command(start, remains, &command, lifeline).await {
            Ok(Some(outcome)) => lifeline.send_line(&ScratchReport::Ended(outcome)),
            Ok(None) => return,
            Err(failure) => lifeline.send_line(&ScratchReport::Failed(failure)),
        }
    }
}

/// What came of it; none if pgdyno is gone.
async fn run_command(
    start: &ScratchStart,
    remains: &Remains,
    wanted: &ScratchCommand,
    lifeline: &mut Lifeline,
) -> Result<Option<CommandOutcome>, Failure> {
    let output_path = remains.run_directory.join("command.log");
    let what = format!("create {}", output_path.display());
    let output = std::fs::File::create(&output_path).map_err(Failure::system_call_failed(what.clone()))?;
    let errors = output.try_clone().map_err(Failure::system_call_failed(what))?;
    let mut command = std::process::Command::new(&wanted.program);
    command.args(&wanted.arguments).env_clear().envs(&start.variables).current_dir(&remains.data_directory);
    if let Some(account) = start.account {
        command.uid(account.uid).gid(account.gid);
    }
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut command = Command::from(command);
    die_with_parent(&mut command, Signal::KILL);
    let begun = Instant::now();
    let what = format!("run {}", wanted.program.display());
    let mut child = command.spawn().map_err(Failure::system_call_failed(what.clone()))?;
    let status = tokio::select! {
        status = child.wait() => status.map_err(Failure::system_call_failed(what))?,
        () = lifeline.wait_until_cut() => {
            // What it has started is ended with the rest.
            let _ = child.kill().await;
            return Ok(None);
        }
    };
    let seconds = begun.elapsed().as_secs_f64();
    Ok(Some(CommandOutcome {
        succeeded: status.success(),
        output: log_tail::read_last_lines(&output_path, 0),
        seconds,
    }))
}
