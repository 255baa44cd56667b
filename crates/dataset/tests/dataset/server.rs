//! A real PostgreSQL for the tests of this binary: one server that lives as long as a test holds it,
//! a database per test.
//!
//! It runs as user postgres when the tests run as root, listens on a socket in its own directory only, and is killed
//! with the test process, however that ends.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use conninfo::{ConnInfo, Host};
use control::Config;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;
use tokio_postgres::Client;

const START_AT_MOST: Duration = Duration::from_secs(60);

/// A running server, stopped when dropped.
pub(crate) struct Server {
    directory: TempDir,
    stop: mpsc::Sender<()>,
    keeper: Option<JoinHandle<()>>,
}

/// The server that the tests of this binary share.
pub(crate) fn shared() -> Arc<Server> {
    static SHARED: Mutex<Weak<Server>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(server) = shared.upgrade() {
        return server;
    }
    let server = Arc::new(Server::new());
    *shared = Arc::downgrade(&server);
    server
}

impl Server {
    fn new() -> Self {
        let directory = own_directory();
        let data = directory.path().join("data");
        succeed(tool("initdb").arg("--pgdata").arg(&data).args(["--username=postgres", "--auth=trust", "--no-sync"]));
        Self::start(directory)
    }

    /// A standby of this server, caught up with what it holds now.
    pub(crate) async fn standby(&self) -> Self {
        let directory = own_directory();
        let mut backup = tool("pg_basebackup");
        backup.arg("--pgdata").arg(directory.path().join("data")).args(["--write-recovery-conf", "--checkpoint=fast"]);
        succeed(backup.args(["--username=postgres", "--no-sync"]).arg("--host").arg(self.socket()));
        Self::start(directory)
    }

    fn start(directory: TempDir) -> Self {
        let socket = directory.path().to_owned();
        let (stop, stopped) = mpsc::channel();
        // A thread of its own, because the server dies with the thread that started it.
        let keeper = std::thread::spawn({
            let directory = socket.clone();
            move || keep(&directory, &stopped)
        });
        let server = Self { directory, stop, keeper: Some(keeper) };
        let begun = Instant::now();
        while !tool("pg_isready").arg("--quiet").arg("--host").arg(&socket).status().expect("pg_isready runs").success()
        {
            assert!(begun.elapsed() < START_AT_MOST, "the server does not start: {}", server.log());
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Where its socket is.
    pub(crate) fn socket(&self) -> &Path {
        self.directory.path()
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.socket().join("log")).unwrap_or_default()
    }

    /// How to reach a database as superuser.
    pub(crate) fn config(&self, database: &str) -> Config {
        let mut config = Config::new();
        config.host_path(self.socket()).user("postgres").dbname(database);
        config
    }

    /// How the load engine reaches the same database.
    pub(crate) fn engine(&self, config: &Config) -> ConnInfo {
        let at = (Host::Unix(self.socket().to_owned()), 5432);
        ConnInfo::new(at, "postgres", config.get_dbname().expect("a database"))
    }

    /// A new empty database.
    pub(crate) async fn database(&self) -> Config {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let client = connect(&self.config("postgres")).await;
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a new database");
        self.config(&name)
    }

    /// Runs the real sysbench on a database of this server and returns what it prints.
    pub(crate) fn sysbench(&self, config: &Config, workload: &str, arguments: &[&str]) -> String {
        let mut sysbench = Command::new("sysbench");
        sysbench.args([workload, "--db-driver=pgsql", "--pgsql-user=postgres"]).args(arguments);
        sysbench.arg(format!("--pgsql-host={}", self.socket().display()));
        succeed(sysbench.arg(format!("--pgsql-db={}", config.get_dbname().expect("a database"))))
    }

    /// Runs the real pgbench on a database of this server and returns what it prints.
    pub(crate) fn pgbench(&self, config: &Config, arguments: &[&str]) -> String {
        let mut pgbench = tool("pgbench");
        pgbench.arg("--host").arg(self.socket()).arg("--username=postgres").args(arguments);
        succeed(pgbench.arg(config.get_dbname().expect("a database")))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        if let Some(keeper) = self.keeper.take() {
            let _ = keeper.join();
        }
    }
}

/// Runs the server until told to stop.
fn keep(directory: &Path, stopped: &mpsc::Receiver<()>) {
    let log = File::create(directory.join("log")).expect("a log file");
    let mut postgres = tool("postgres");
    postgres.arg("-D").arg(directory.join("data")).args(["-c", "listen_addresses=", "-c", "fsync=off", "-c"]);
    postgres.args(["shared_preload_libraries=pg_stat_statements", "-k"]);
    postgres.arg(directory).stdout(log.try_clone().expect("a second handle")).stderr(log);
    let mut child = postgres.spawn().expect("postgres runs");
    // An error means that the server's owner is gone, which is as good a reason to stop.
    let _ = stopped.recv();
    stop_at_once(&mut child);
}

fn stop_at_once(child: &mut Child) {
    let pid = Pid::from_child(child);
    // SIGQUIT is PostgreSQL's immediate shutdown.
    let _ = kill_process(pid, Signal::QUIT);
    let _ = child.wait();
}

/// One of PostgreSQL's programs, run as user postgres where root may not, and killed when this process ends.
fn tool(name: &str) -> Command {
    let program = binaries().join(name);
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(program).env_clear().env("LC_ALL", "C").current_dir("/");
    command
}

/// The newest PostgreSQL that the distribution has installed.
fn binaries() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL is installed");
    let mut versions: Vec<PathBuf> = versions.flatten().map(|entry| entry.path().join("bin")).collect();
    versions.retain(|bin| bin.join("postgres").exists());
    versions.sort();
    versions.pop().expect("a PostgreSQL below /usr/lib/postgresql")
}

/// A temporary directory that user postgres owns where root may not run the server.
fn own_directory() -> TempDir {
    let directory = tempfile::Builder::new().prefix("pgdyno-dataset-").tempdir().expect("a temporary directory");
    if geteuid().is_root() {
        succeed(Command::new("chown").arg("postgres:postgres").arg(directory.path()));
    }
    directory
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not run: {error}"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A connection that lives as long as its client.
pub(crate) async fn connect(config: &Config) -> Client {
    let (client, connection) = config.open().await.expect("a connection");
    tokio::spawn(async { drop(connection.await) });
    client
}

/// The first column of the first row, as text.
pub(crate) async fn text(config: &Config, sql: &str) -> String {
    let client = connect(config).await;
    let row = client.query_one(&format!("SELECT ({sql})::text"), &[]).await.expect(sql);
    row.get::<_, Option<String>>(0).unwrap_or_else(|| "(null)".to_owned())
}

/// Executes statements.
pub(crate) async fn execute(config: &Config, sql: &str) {
    connect(config).await.batch_execute(sql).await.expect(sql);
}
