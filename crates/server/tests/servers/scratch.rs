//! Commands that leave servers running: nothing of them outlives the directory that they were run in.

use std::path::{Path, PathBuf};

use libtest_mimic::Trial;
use server::{ScratchCommand, ScratchCommands};

use crate::lab::{BIN, Lab, Traces, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("a_server_that_a_command_has_left_ends_with_the_directory", left_behind),
        trial("a_directory_that_is_dropped_within_a_command_leaves_nothing", dropped),
        trial("what_a_command_says_and_whether_it_succeeds_is_known", outcomes),
    ]
}

fn command(program: &str, arguments: &[&str]) -> ScratchCommand {
    let arguments = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    ScratchCommand { program: PathBuf::from(program), arguments }
}

fn traces_of(commands: &ScratchCommands) -> Traces {
    Traces {
        directories: vec![commands.directory().to_owned(), commands.socket_directory().to_owned()],
        data: commands.directory().display().to_string(),
    }
}

/// A server that its commands have started, and that goes on when they have ended.
async fn start_server(commands: &mut ScratchCommands) {
    let data = commands.directory().join("data").display().to_string();
    let options =
        format!("-c listen_addresses='' -c unix_socket_directories='{}'", commands.socket_directory().display());
    let log = commands.directory().join("log").display().to_string();
    for (program, arguments) in [
        ("initdb", &["--no-sync", "--auth=trust", "--pgdata", &data][..]),
        ("pg_ctl", &["-D", &data, "-w", "-l", &log, "-o", &options, "start"]),
    ] {
        let program = Path::new(BIN).join(program).display().to_string();
        let outcome = commands.run_command(command(&program, arguments)).await.expect("it is run");
        assert!(outcome.succeeded && outcome.seconds > 0.0, "{}", outcome.output);
    }
}

async fn left_behind(lab: Lab) {
    let mut commands = ScratchCommands::make_directory(&lab.environment).await.expect("a directory");
    start_server(&mut commands).await;
    let traces = traces_of(&commands);
    traces.assert_present();
    commands.remove_directory().await.expect("it is removed");
    traces.assert_gone();
    assert_eq!(lab.content(), Vec::<String>::new());
}

async fn dropped(lab: Lab) {
    let mut commands = ScratchCommands::make_directory(&lab.environment).await.expect("a directory");
    start_server(&mut commands).await;
    let traces = traces_of(&commands);
    {
        let endless = commands.run_command(command("sleep", &["3600"]));
        tokio::select! {
            outcome = endless => panic!("{outcome:?}"),
            () = tokio::time::sleep(std::time::Duration::from_millis(50)) => {}
        }
    }
    drop(commands);
    traces.assert_gone();
}

async fn outcomes(lab: Lab) {
    let mut commands = ScratchCommands::make_directory(&lab.environment).await.expect("a directory");
    let said = commands.run_command(command("sh", &["-c", "pwd; echo bad >&2; exit 3"])).await.expect("it is run");
    assert!(!said.succeeded);
    assert_eq!(said.output, format!("{}\nbad", commands.directory().display()));
    let missing = commands.run_command(command("/nowhere/program", &[])).await.expect_err("there is none").to_string();
    assert_eq!(missing, "could not run /nowhere/program");
    assert!(commands.run_command(command("true", &[])).await.expect("it is run").succeeded, "the next one is run");
    commands.remove_directory().await.expect("it is removed");
}
