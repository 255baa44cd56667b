//! Programs that end with the test: PostgreSQL's own, run as user postgres where PostgreSQL refuses to run as root, and
//! others.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Pid, Signal, geteuid, kill_process};

/// Where programs are sought: pgbouncer is for administrators.
const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Whether this is root, as whom PostgreSQL does not run.
pub fn is_root() -> bool {
    geteuid().is_root()
}

/// The `bin` directories to test with, the oldest version first: those of `PGDYNO_TEST_PG_BINS`, separated by colons,
/// or Debian's.
pub fn installed_versions() -> Vec<PathBuf> {
    if let Some(bins) = std::env::var_os("PGDYNO_TEST_PG_BINS") {
        return std::env::split_paths(&bins).collect();
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten().map(|entry| entry.path());
    let mut versions: Vec<PathBuf> = versions.filter(|version| version.join("bin/postgres").exists()).collect();
    versions.sort_by_key(|version| version.file_name().and_then(|name| name.to_str()?.parse::<u32>().ok()));
    assert!(!versions.is_empty(), "no PostgreSQL below /usr/lib/postgresql (scripts/setup test)");
    versions.into_iter().map(|version| version.join("bin")).collect()
}

/// The one of these that most tests use, which comes with the programs of clients: that of `PGDYNO_TEST_BIN`, or the
/// newest.
pub fn newest_version() -> PathBuf {
    let chosen = std::env::var_os("PGDYNO_TEST_BIN").map(PathBuf::from);
    chosen.unwrap_or_else(|| installed_versions().pop().expect("there is one"))
}

/// A program that is killed when the thread that started it ends.
pub fn killable_program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("setpriv");
    command.arg("--pdeathsig=KILL").arg("--").arg(name).stdin(Stdio::null());
    command
}

/// A program that runs as the servers' user, with no environment but the plainest locale, and that gets `signal` when
/// the thread that started it ends.
pub(crate) fn of_the_server(name: impl AsRef<OsStr>, signal: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.arg(format!("--pdeathsig={signal}"));
    if is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg("--").arg(name).env_clear().env("LC_ALL", "C").env("PATH", PATH).current_dir("/").stdin(Stdio::null());
    command
}

/// A program that runs as the servers' user and is killed when the thread that started it ends.
pub fn as_postgres(name: impl AsRef<OsStr>) -> Command {
    of_the_server(name, "KILL")
}

/// Gives a path, with what is below it, to the servers' user.
pub fn give_to_postgres(path: &Path) {
    if is_root() {
        run_command(Command::new("chown").args(["-R", "postgres:"]).arg(path));
    }
}

/// Runs a command to its end, which must be a good one; what it prints, without the last line's end.
#[track_caller]
pub fn run_command(command: &mut Command) -> String {
    try_run(command).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// The same, or what it prints on standard error and standard output.
pub(crate) fn try_run(command: &mut Command) -> Result<String, String> {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    if output.status.success() { Ok(out.trim_end().to_owned()) } else { Err(format!("{err}{out}")) }
}

/// A port on which nobody listens. It is below those that the kernel gives to clients, so that no connection of another
/// test takes it before the server does.
pub fn free_port() -> u16 {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let start = std::process::id().wrapping_mul(61);
    let mut candidates =
        (0..20_000).map(|_| start.wrapping_add(NEXT.fetch_add(1, Ordering::Relaxed)) % 20_000 + 10_000);
    let free = candidates.find_map(|port| {
        let port = u16::try_from(port).expect("below 30 000");
        TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok().then_some(port)
    });
    free.expect("a free port")
}

/// A process under way, ended by a signal when it is dropped.
pub struct Kept {
    child: Child,
    signal: Signal,
    /// Its input while that is to stay open.
    input: Option<ChildStdin>,
}

impl Kept {
    /// Starts a command, to be ended by `signal`.
    pub fn start_command(command: &mut Command, signal: Signal) -> Self {
        Self { child: command.spawn().expect("setpriv (util-linux) starts"), signal, input: None }
    }

    /// Its process id, which is the program's: `setpriv` has become it.
    pub fn process_id(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// The child itself.
    pub fn child_process(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Writes to its input, which then stays open as long as it is kept.
    pub fn write_to_input(&mut self, text: &str) {
        let input = self.input.get_or_insert_with(|| self.child.stdin.take().expect("piped"));
        input.write_all(text.as_bytes()).expect("written");
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        let _ended_already = kill_process(Pid::from_child(&self.child), self.signal);
        let _status = self.child.wait();
    }
}
