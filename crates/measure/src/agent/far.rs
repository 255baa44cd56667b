//! The agent itself: obeys the orders on its standard input until that ends, and answers on its standard output.
//! What it changes of its host and its server, by consent only, is [`Changes`], and what it makes happen to it is
//! [`Disturbing`]: undone at the latest when its input ends.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;
use std::time::Duration;

use jiff::Timestamp;
use probe::{HostScope, LoadProcesses, Probes};
use server::{AgentAnswer, AgentOrder, BackendProcess, Environment, Numbered, PROTOCOL, Whereabouts};

use super::changes::Changes;
use super::disturbing::Disturbing;
use crate::disk::ServedDisk;

/// Serves one conversation.
///
/// # Errors
/// When the input is no order, or either end of the conversation cannot be read or written.
pub async fn serve_conversation(
    input: impl BufRead,
    mut output: impl Write,
    environment: Environment,
) -> io::Result<()> {
    let hello = AgentAnswer::Hello { protocol: PROTOCOL, version: env!("CARGO_PKG_VERSION").to_owned() };
    write_answer_line(&mut output, 0, hello)?;
    let mut probes = Probes::attach_probes(None, None).await;
    let mut disk = ServedDisk::with_executable(environment.executable.clone());
    let mut changes = Changes::without_changes(environment);
    let mut disturbing = Disturbing::default();
    for line in input.lines() {
        let Numbered { number, said } = serde_json::from_str(&line?)?;
        let answer = match said {
            AgentOrder::Ping => AgentAnswer::Pong { at_us: Timestamp::now().as_microsecond() },
            AgentOrder::Attach(backend) => {
                let (found, server, answer) = attach_to_backend(&backend);
                probes = found.await;
                changes.attach_server(server);
                answer
            }
            AgentOrder::Prime => {
                probes.take_first_snapshot().await;
                AgentAnswer::Primed
            }
            AgentOrder::Read => AgentAnswer::Readings { readings: probes.read_all().await },
            AgentOrder::TakeSettings { set, restart, restart_by } => {
                changes.take_settings(set, restart, restart_by.as_deref())
            }
            AgentOrder::Reload => changes.reload_server(),
            AgentOrder::Restart { restart_by } => changes.restart_server(restart_by.as_deref()),
            AgentOrder::KillPostmaster { restart_by } => changes.kill_postmaster(restart_by.as_deref()),
            AgentOrder::KillSession(session) => Disturbing::kill_session(changes.postmaster_pid(), &session),
            AgentOrder::Freeze { at_most_ms } => {
                disturbing.freeze_server(changes.postmaster_pid(), Duration::from_millis(at_most_ms))
            }
            AgentOrder::LetBe => disturbing.let_be(),
            AgentOrder::StartCommand { command, variables } => disturbing.start_command(&command, variables),
            AgentOrder::LookAtCommand => disturbing.command_status(),
            AgentOrder::SetKernel { values } => changes.set_kernel(&values),
            AgentOrder::ResetKernel => changes.reset_kernel(),
            AgentOrder::EmptyCache => changes.empty_cache(),
            AgentOrder::PutBack => changes.put_back(),
            AgentOrder::Restore => changes.restore_leftovers(),
            AgentOrder::OpenDisk { directory } => disk.open_directory(&directory).await,
            AgentOrder::StartFio { definition, is_own, expected_ms } => disk.start_job(definition, is_own, expected_ms),
            AgentOrder::LookAtFio => disk.job_status(),
            AgentOrder::StopFio => disk.stop_job(),
            AgentOrder::CloseDisk => disk.close_directory(),
        };
        write_answer_line(&mut output, number, answer)?;
    }
    Ok(())
}

fn attach_to_backend(
    backend: &BackendProcess,
) -> (impl Future<Output = Probes> + use<>, Option<Whereabouts>, AgentAnswer) {
    let here = server::host_here(backend);
    let server = here.server.clone();
    let (postmaster, data_directory) =
        here.server.map_or((None, None), |found| (Some(found.postmaster_pid), found.data_directory));
    let root = PathBuf::from("/");
    let of_this_process = Some(root.clone());
    let (load, alternating) = (LoadProcesses::default(), Vec::new());
    let scope = HostScope {
        root,
        data_directory,
        device: None,
        wal_device: None,
        postmaster,
        load,
        alternating,
        of_this_process,
    };
    let answer = AgentAnswer::Attached { host: here.host.map(Box::new), gaps: here.gaps };
    (async { Probes::attach_probes(None, Some(scope)).await }, server, answer)
}

fn write_answer_line(output: &mut impl Write, number: u64, said: AgentAnswer) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Numbered { number, said })?;
    line.push(b'\n');
    output.write_all(&line)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        Environment { variables: [].into(), executable: "/x".into(), uid: 1, passwd: String::new() }
    }

    #[tokio::test]
    async fn an_agent_introduces_itself_obeys_in_order_and_ends_with_its_input() {
        let orders = "{\"number\":1,\"order\":\"ping\"}\n\
                      {\"number\":2,\"order\":\"attach\",\"backend_pid\":-1,\"data_directory\":null}\n\
                      {\"number\":3,\"order\":\"prime\"}\n{\"number\":4,\"order\":\"read\"}\n";
        let mut output = Vec::new();
        serve_conversation(orders.as_bytes(), &mut output, environment()).await.expect("it ends in order");
        let output = String::from_utf8(output).expect("text");
        let said: Vec<Numbered<AgentAnswer>> = output.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let numbers: Vec<u64> = said.iter().map(|answer| answer.number).collect();
        assert_eq!(numbers, [0, 1, 2, 3, 4]);
        assert!(matches!(&said[0].said, AgentAnswer::Hello { protocol: PROTOCOL, .. }), "{output}");
        assert!(
            matches!(&said[2].said, AgentAnswer::Attached { host: Some(_), gaps } if gaps.contains_key("host.server")),
            "{output}"
        );
        assert!(
            matches!(&said[4].said, AgentAnswer::Readings { readings } if readings.contains_key("host.cpu")),
            "{output}"
        );
    }

    #[tokio::test]
    async fn what_is_no_order_ends_the_agent() {
        let mut output = Vec::new();
        assert!(serve_conversation("how are you?\n".as_bytes(), &mut output, environment()).await.is_err());
    }
}
