//! How a server of this machine is restarted that somebody else started: as a unit of systemd, by its own `pg_ctl`, or by a
//! command of its owner. What is needed for that is looked up while it runs, since a dead server tells nothing.

use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// The longest that `pg_ctl` waits for a server to stop or to start.
const WAIT: Duration = Duration::from_secs(120);

/// How often it is looked whether another one is done.
const LOOK: Duration = Duration::from_millis(20);

/// So much of the end of a log is told, in bytes.
const LOG_TOLD: u64 = 2_000;

/// Variables of a server's environment that it is started with again; none of them can hold a secret.
const KEPT_VARIABLES: [&str; 6] =
    ["LANG", "LD_LIBRARY_PATH", "PATH", "TZ", "PG_OOM_ADJUST_FILE", "PG_OOM_ADJUST_VALUE"];

/// How a server is restarted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Restarting {
    /// By its owner's command, in a shell.
    Command(String),
    /// As a service.
    Unit(String),
    /// By the program beside its own, which starts it as it was started (`postmaster.opts`).
    PgCtl {
        /// The program.
        program: PathBuf,
        /// The file that the server's messages go to, where they go to one.
        log: Option<PathBuf>,
        /// What of its environment it is started with again.
        variables: Vec<(String, String)>,
    },
}

impl Restarting {
    /// Of the server with this first process.
    ///
    /// # Errors
    /// Why it is not known how.
    pub fn find_for_postmaster(postmaster_pid: u32, command: Option<&str>) -> Result<Self, String> {
        if let Some(command) = command {
            return Ok(Self::Command(command.to_owned()));
        }
        let of_process = |file: &str| Path::new("/proc").join(postmaster_pid.to_string()).join(file);
        if let Some(unit) = fs::read_to_string(of_process("cgroup")).ok().as_deref().and_then(systemd_unit_of_cgroup) {
            return Ok(Self::Unit(unit));
        }
        let unknown = |error| format!("could not find the program of process {postmaster_pid}: {error}");
        let postgres = fs::read_link(of_process("exe")).map_err(unknown)?;
        let program = postgres.with_file_name("pg_ctl");
        if !program.is_file() {
            return Err(format!("there is no {}", program.display()));
        }
        let log = fs::read_link(of_process("fd/2")).ok().filter(|log| log.is_file());
        let environment = fs::read(of_process("environ")).unwrap_or_default();
        let variables = environment.split(|byte| *byte == 0).filter_map(|variable| {
            let (name, value) = std::str::from_utf8(variable).ok()?.split_once('=')?;
            let is_kept = KEPT_VARIABLES.contains(&name) || name.starts_with("LC_");
            is_kept.then(|| (name.to_owned(), value.to_owned()))
        });
        Ok(Self::PgCtl { program, log, variables: variables.collect() })
    }

    /// Restarts the server, or starts it where it does not run; returns when it accepts connections, as far as the way
    /// of restarting tells.
    ///
    /// # Errors
    /// What the program said, and the end of the server's log.
    pub fn restart_server(&self, data_directory: &Path) -> Result<(), String> {
        if let Self::PgCtl { .. } = self {
            await_others(data_directory);
        }
        let mut command = self.restart_command(data_directory);
        let log = self.log_path();
        let logged = log.and_then(|log| Some(fs::metadata(log).ok()?.len())).unwrap_or(0);
        // A server that is started inherits what stands open here: files, and no pipe whose end would be waited for.
        let told = tempfile::tempfile().map_err(|error| error.to_string())?;
        let [output, errors] = [(); 2].map(|()| told.try_clone());
        command.stdin(Stdio::null());
        command.stdout(output.map_err(|error| error.to_string())?).stderr(errors.map_err(|error| error.to_string())?);
        let name = command.get_program().to_string_lossy().into_owned();
        let status = command.status().map_err(|error| format!("{name}: {error}"))?;
        if status.success() {
            return Ok(());
        }
        let said = end_of(told, 0);
        let logged = log.and_then(|log| Some(end_of(fs::File::open(log).ok()?, logged)));
        let parts = [Some(format!("{name} ended with {status}")), Some(said), logged];
        Err(parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n"))
    }

    fn log_path(&self) -> Option<&Path> {
        match self {
            Self::Command(_) | Self::Unit(_) => None,
            Self::PgCtl { log, .. } => log.as_deref(),
        }
    }

    fn restart_command(&self, data_directory: &Path) -> Command {
        match self {
            Self::Command(text) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(text);
                shell
            }
            Self::Unit(unit) => {
                let mut systemctl = Command::new("systemctl");
                systemctl.args(["restart", unit]);
                systemctl
            }
            Self::PgCtl { program, log, variables } => {
                let mut pg_ctl = Command::new(program);
                let log = log.as_deref().unwrap_or(Path::new("/dev/null"));
                pg_ctl.args(["restart", "-w", "-m", "fast", "-t", &WAIT.as_secs().to_string(), "-D"]);
                pg_ctl.arg(data_directory).arg("-l").arg(log);
                pg_ctl.env_clear().envs(variables.iter().cloned()).current_dir("/");
                let owner = fs::metadata(data_directory).map(|data| (data.uid(), data.gid()));
                if let (true, Ok((uid, gid))) = (rustix::process::geteuid().is_root(), owner) {
                    pg_ctl.uid(uid).gid(gid);
                }
                // It, and the server, do not end with the terminal of who asked for it.
                pg_ctl.process_group(0);
                pg_ctl
            }
        }
    }
}

/// Waits until no `pg_ctl` works on the server that has outlived whoever started it: of two at once each waits for the
/// other's server to end.
fn await_others(data_directory: &Path) {
    let until = Instant::now() + WAIT;
    while Instant::now() < until && is_at_work(data_directory) {
        std::thread::sleep(LOOK);
    }
}

/// Whether a `pg_ctl` has this data directory for an argument.
fn is_at_work(data_directory: &Path) -> bool {
    let directory = data_directory.as_os_str().as_encoded_bytes();
    let lines = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut lines = lines.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| {
        let mut arguments = line.split(|byte| *byte == 0);
        arguments.next().is_some_and(|program| program.ends_with(b"/pg_ctl")) && arguments.any(|word| word == directory)
    })
}

/// The service in whose control group a process is; the session of a person is none.
fn systemd_unit_of_cgroup(cgroup: &str) -> Option<String> {
    let last = |line: &str| line.rsplit('/').next().map(str::to_owned);
    let unit = cgroup.lines().filter_map(last).find(|name| name.ends_with(".service"))?;
    let is_of_persons = ["user@", "ssh", "sshd", "dropbear"].iter().any(|prefix| unit.starts_with(prefix));
    (!is_of_persons).then_some(unit)
}

/// The end of a file, from this byte on at the earliest.
fn end_of(mut file: fs::File, from: u64) -> String {
    let length = file.metadata().map_or(0, |file| file.len());
    let mut text = Vec::new();
    let start = from.max(length.saturating_sub(LOG_TOLD));
    let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read_to_end(&mut text));
    if read.is_err() {
        return String::new();
    }
    String::from_utf8_lossy(&text).trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_is_a_service_is_restarted_as_one_and_no_other() {
        for (cgroup, expected) in [
            (
                "0::/system.slice/system-postgresql.slice/postgresql@15-main.service\n",
                Some("postgresql@15-main.service"),
            ),
            ("0::/user.slice/user-1000.slice/session-4.scope\n", None),
            ("0::/system.slice/ssh.service\n", None),
            ("0::/user.slice/user-1000.slice/user@1000.service\n", None),
            ("12:pids:/\n0::/\n", None),
        ] {
            assert_eq!(systemd_unit_of_cgroup(cgroup).as_deref(), expected, "{cgroup}");
        }
    }
}
