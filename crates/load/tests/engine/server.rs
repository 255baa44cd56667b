//! A real PostgreSQL for the engine's tests: its own directory, socket and port, gone with the test process however
//! that ends.

use conninfo::{ConnInfo, Host, Secret};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const BINARIES: &str = "/usr/lib/postgresql/15/bin";
const START_AT_MOST: Duration = Duration::from_secs(60);

/// How roles of the tests log in: the role is called like the method, its password is `sesame`.
const METHODS: [&str; 3] = ["password", "md5", "scram-sha-256"];

/// A PostgreSQL that is stopped when dropped.
pub(crate) struct Postgres {
    directory: TempDir,
    port: u16,
    running: Mutex<Option<Running>>,
}

struct Running {
    stop: mpsc::Sender<()>,
    keeper: JoinHandle<()>,
}

/// The server that the tests of this binary share, unless they break theirs.
pub(crate) fn shared() -> Arc<Postgres> {
    static SHARED: Mutex<Weak<Postgres>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(server) = shared.upgrade() {
        return server;
    }
    let server = Arc::new(Postgres::start());
    *shared = Arc::downgrade(&server);
    server
}

impl Postgres {
    /// A new server with one role for each way to log in.
    pub(crate) fn start() -> Postgres {
        let directory = own_directory();
        let data = directory.path().join("data");
        succeed(tool("initdb").arg("--pgdata").arg(&data).args(["--username=postgres", "--auth=trust", "--no-sync"]));
        let hba: String =
            METHODS.map(|method| format!("local all {method} {method}\nhost all {method} all {method}\n")).concat();
        std::fs::write(
            data.join("pg_hba.conf"),
            hba + "local all postgres trust\nlocal replication postgres trust\nhost all postgres all trust\n",
        )
        .expect("pg_hba.conf can be written");
        let server = Postgres::at(directory);
        server.resume();
        for method in METHODS {
            let kind = if method == "md5" { "md5" } else { "scram-sha-256" };
            server.sql(
                "postgres",
                &format!("SET password_encryption = '{kind}'; CREATE ROLE \"{method}\" LOGIN PASSWORD 'sesame'"),
            );
        }
        server
    }

    /// A server that follows this one; it answers queries, and can be promoted.
    pub(crate) fn standby(&self) -> Postgres {
        let directory = own_directory();
        let data = directory.path().join("data");
        succeed(self.client("pg_basebackup").args(["-R", "-c", "fast", "--no-sync", "-D"]).arg(data));
        let standby = Postgres::at(directory);
        standby.resume();
        standby
    }

    fn at(directory: TempDir) -> Postgres {
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        Postgres { directory, port, running: Mutex::new(None) }
    }

    /// Starts it (again) and waits until it accepts connections.
    pub(crate) fn resume(&self) {
        let (stop, stopped) = mpsc::channel();
        let (directory, port) = (self.directory.path().to_owned(), self.port);
        // A thread of its own, because the server dies with the thread that started it.
        let keeper = std::thread::spawn(move || keep(&directory, port, &stopped));
        *self.running.lock().expect("not poisoned") = Some(Running { stop, keeper });
        let begun = Instant::now();
        while !self.client("pg_isready").arg("--quiet").status().expect("pg_isready runs").success() {
            let log = std::fs::read_to_string(self.directory.path().join("log")).unwrap_or_default();
            assert!(begun.elapsed() < START_AT_MOST, "the server does not start: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Stops it without a word to its clients.
    pub(crate) fn crash(&self) {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Running { stop, keeper }) = running {
            let _keeper_gone = stop.send(());
            let _keeper_panicked = keeper.join();
        }
    }

    /// A new database with pgbench's tables at scale 1.
    pub(crate) fn pgbench_database(&self) -> String {
        let name = self.empty_database();
        succeed(self.client("pgbench").args(["-i", "-q", "-s", "1", &name]));
        name
    }

    /// A new database.
    pub(crate) fn empty_database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        name
    }

    /// What a statement returns, unaligned.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> String {
        let output = succeed(self.client("psql").args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, database]));
        output.trim_end().to_owned()
    }

    /// The same as a number.
    pub(crate) fn number(&self, database: &str, sql: &str) -> i64 {
        let text = self.sql(database, sql);
        text.parse().unwrap_or_else(|_| panic!("{sql}: {text:?}"))
    }

    /// One of PostgreSQL's client programs, as superuser over the socket.
    pub(crate) fn client(&self, name: &str) -> Command {
        let mut command = tool(name);
        command.arg("--host").arg(self.directory.path()).arg(format!("--port={}", self.port));
        command.arg("--username=postgres");
        command
    }

    /// How the engine reaches a database as superuser, over the socket.
    pub(crate) fn unix(&self, database: &str) -> ConnInfo {
        server((Host::Unix(self.directory.path().to_owned()), self.port), database)
    }

    /// The same over TCP.
    pub(crate) fn tcp(&self, database: &str) -> ConnInfo {
        server((Host::tcp("127.0.0.1"), self.port), database)
    }

    /// Waits until no client is connected to a database any more, so that its statistics are complete.
    pub(crate) fn wait_until_left(&self, database: &str) {
        let query = format!("SELECT count(*) FROM pg_stat_activity WHERE datname = '{database}'");
        let begun = Instant::now();
        while self.number("postgres", &query) > 0 {
            assert!(begun.elapsed() < START_AT_MOST, "clients do not leave {database}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.crash();
    }
}

/// A superuser without a password.
pub(crate) fn server(at: (Host, u16), database: &str) -> ConnInfo {
    ConnInfo { application_name: "engine test".to_owned(), ..ConnInfo::new(at, "postgres", database) }
}

/// The same server for the role that logs in by `method`.
pub(crate) fn by(method: &str, password: &str, to: ConnInfo) -> ConnInfo {
    ConnInfo { user: method.to_owned(), password: Some(Secret::new(password)), ..to }
}

/// A directory for a server.
fn own_directory() -> TempDir {
    let directory = tempfile::Builder::new().prefix("pgdyno-load-").tempdir().expect("a temporary directory");
    if geteuid().is_root() {
        succeed(Command::new("chown").arg("postgres:postgres").arg(directory.path()));
    }
    directory
}

/// Runs the server until told to stop.
fn keep(directory: &Path, port: u16, stopped: &mpsc::Receiver<()>) {
    let log = File::create(directory.join("log")).expect("a log file");
    let mut postgres = tool("postgres");
    postgres.arg("-D").arg(directory.join("data")).arg("-k").arg(directory).args(["-p", &port.to_string()]);
    postgres.args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=100"]);
    // Counts statements for the tests that compare them; part of Debian's package of the server.
    postgres.args(["-c", "shared_preload_libraries=pg_stat_statements"]);
    postgres.stdout(log.try_clone().expect("a second handle")).stderr(log);
    let mut child = postgres.spawn().expect("postgres runs");
    // An error means that the server's owner is gone, which is as good a reason to stop.
    let _owner_gone = stopped.recv();
    stop_at_once(&mut child);
}

fn stop_at_once(child: &mut Child) {
    // SIGQUIT is PostgreSQL's immediate shutdown.
    let _gone_already = kill_process(Pid::from_child(child), Signal::QUIT);
    let _gone_already = child.wait();
}

/// One of PostgreSQL's programs, run as user postgres where root may not, and killed when this process ends.
fn tool(name: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(PathBuf::from(BINARIES).join(name)).env_clear().env("LC_ALL", "C").current_dir("/");
    command
}

/// Runs a command and returns what it prints.
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not run: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
