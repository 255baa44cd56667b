//! A program that starts a server and then obeys: `check` asks whether the server lives, and the end of the input ends
//! it in an orderly way. Tests kill it, too.

use std::io::{BufRead as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};

use server::PostgresSpec;
use std::os::unix::process::CommandExt as _;
use tokio::signal::unix::{SignalKind, signal};

use crate::lab::{Lab, Traces, debian, map, print};

/// The argument by which the test program becomes a host.
pub(crate) const ARGUMENT: &str = "__host";

pub(crate) fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        // As pgdyno does: Ctrl-C is for it to decide.
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            drop(signal(kind).expect("a handler"));
        }
        let environment = server::Environment::of_this_process("/proc/self/exe".into());
        let spec = PostgresSpec::Local(debian());
        let acquired = server::acquire_target("hosted", &spec, &map(&[]), &environment, &mut |_| ()).await;
        let target = match acquired {
            Ok(target) => target,
            Err(error) => {
                eprintln!("{}", print(&error));
                return ExitCode::FAILURE;
            }
        };
        let server = target.local_server().expect("a local server");
        say(&server.data_directory().display().to_string());
        say(&server.socket_directory().display().to_string());
        say(&server.postmaster_pid().to_string());
        for line in std::io::stdin().lock().lines() {
            assert_eq!(line.expect("a line"), "check");
            say(&target.check_alive().await.map_or_else(|error| print(&error), |()| "alive".to_owned()));
        }
        target.release_target().await.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
    })
}

fn say(line: &str) {
    let mut output = std::io::stdout();
    writeln!(output, "{line}").and_then(|()| output.flush()).expect("the test listens");
}

/// A running host, killed when dropped.
pub(crate) struct Host {
    pub(crate) process: Child,
    pub(crate) orders: Option<ChildStdin>,
    answers: std::io::Lines<std::io::BufReader<ChildStdout>>,
    pub(crate) traces: Traces,
    pub(crate) postmaster: i32,
}

impl Host {
    /// Starts a host as the leader of its own process group, and waits for its server.
    pub(crate) fn start(lab: &Lab) -> Self {
        let mut command = Command::new("/proc/self/exe");
        command.arg(ARGUMENT).env_clear().envs(&lab.environment.variables).process_group(0);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the host starts");
        let output = process.stdout.take().expect("piped");
        let mut answers = std::io::BufReader::new(output).lines();
        let mut next = || answers.next().expect("the host has a server").expect("readable");
        let (data, sockets, postmaster) = (next(), next(), next());
        let directories = vec![PathBuf::from(&data), PathBuf::from(sockets)];
        let postmaster = postmaster.parse().expect("a process id");
        Self { orders: process.stdin.take(), process, answers, traces: Traces { directories, data }, postmaster }
    }

    /// What the host finds when it looks at its server.
    pub(crate) fn check(&mut self) -> String {
        writeln!(self.orders.as_mut().expect("open"), "check").expect("the host listens");
        self.answers.next().expect("an answer").expect("readable")
    }

    /// The process that started the postmaster.
    pub(crate) fn supervisor(&self) -> i32 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.postmaster)).expect("the postmaster runs");
        stat.rsplit_once(')').expect("a name").1.split_whitespace().nth(1).expect("a parent").parse().expect("a number")
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
