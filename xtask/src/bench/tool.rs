//! Running one of the tools to its end: what it printed, how long it took, what CPU it used.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};

use super::server::Server;

/// One finished run of a tool.
pub(super) struct Ran {
    /// Standard output.
    pub(super) stdout: String,
    /// Standard error.
    pub(super) stderr: String,
    /// User and system time of the process and its children.
    pub(super) cpu: Duration,
    /// From start to end.
    pub(super) wall: Duration,
}

/// Where the tools connect to.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The unix socket.
    Unix,
    /// TCP on the loopback interface, at this port, in plain text.
    Tcp(u16),
    /// The same with TLS.
    Tls(u16),
}

impl Way {
    pub(super) fn host(self, server: &Server) -> String {
        match self {
            Self::Unix => server.socket_directory().display().to_string(),
            Self::Tcp(_) | Self::Tls(_) => "127.0.0.1".to_owned(),
        }
    }

    pub(super) fn port(self, server: &Server) -> u16 {
        match self {
            Self::Unix => server.port(),
            Self::Tcp(port) | Self::Tls(port) => port,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unix => "unix",
            Self::Tcp(_) => "tcp",
            Self::Tls(_) => "tcp, TLS",
        }
    }

    /// What libpq is to read from its environment for it.
    pub(super) fn ssl_mode(self) -> &'static str {
        match self {
            Self::Unix | Self::Tcp(_) => "disable",
            Self::Tls(_) => "require",
        }
    }
}

/// Runs a command to its end; anything but success ends the benchmark with what the tool said.
pub(super) fn run(command: &mut Command, server: &Server) -> Ran {
    command.env("PGPASSWORD", server.password()).env("PGUSER", server.user());
    let before = children_cpu();
    let began = Instant::now();
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let wall = began.elapsed();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    let cpu = children_cpu().saturating_sub(before);
    let [stdout, stderr] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Ran { stdout, stderr, cpu, wall }
}

/// What a program has taken that ran to its end.
pub(super) struct Spent {
    /// User and system time.
    pub(super) cpu: Duration,
    /// The most memory that it had resident.
    pub(super) resident_kib: u64,
}

/// Runs a command to its end, whatever it prints; anything but success ends the benchmark.
pub(super) fn run_spending(command: &mut Command) -> Spent {
    let before = children_cpu();
    let started = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let mut child = started.unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let status_file = format!("/proc/{}/status", child.id());
    let mut resident_kib = 0;
    let status = loop {
        // The kernel keeps the highest figure as long as the process has its memory.
        let text = std::fs::read_to_string(&status_file).unwrap_or_default();
        if let Some((_, peak)) = text.split_once("VmHWM:") {
            resident_kib = peak.split_whitespace().next().and_then(|kib| kib.parse().ok()).unwrap_or(resident_kib);
        }
        match child.try_wait().expect("it is a child") {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    assert!(status.success(), "{command:?}: {status}");
    Spent { cpu: children_cpu().saturating_sub(before), resident_kib }
}

/// CPU time of all children that have ended and were waited for.
fn children_cpu() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the kernel accounts for children");
    let micros = |t: nix::sys::time::TimeVal| (t.tv_sec() as u64) * 1_000_000 + t.tv_usec() as u64;
    Duration::from_micros(micros(usage.user_time()) + micros(usage.system_time()))
}

/// `pgbench`, or pgdyno's `bench`, which takes the same options.
pub(super) fn pgbench_like(program: &Path, server: &Server, way: Way, options: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.env("PGSSLMODE", way.ssl_mode());
    if !program.ends_with("pgbench") {
        command.arg("bench");
    }
    command.args(["-h", &way.host(server), "-p", &way.port(server).to_string(), "-U", &server.user()]).args(options);
    command
}

/// The same command on one CPU only.
pub(super) fn on_cpu(cpu: u32, command: &Command) -> Command {
    under(&["taskset", "-c", &cpu.to_string()], command)
}

/// The same command, started by another program.
pub(super) fn under(program: &[&str], command: &Command) -> Command {
    let mut started = Command::new(program[0]);
    started.args(&program[1..]).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => started.env(name, value),
            None => started.env_remove(name),
        };
    }
    started
}

/// The number that follows `label` on its line.
pub(super) fn figure(text: &str, label: &str) -> f64 {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix(label));
    let number =
        line.and_then(|rest| rest.trim_start_matches([' ', ':', '=']).split([' ', '(', '/']).next()?.parse().ok());
    number.unwrap_or_else(|| panic!("no number after {label:?} in:\n{text}"))
}
