//! A real PostgreSQL that can encrypt: its own directory and port, restarted with whatever certificate a test wants,
//! gone with the test process however that ends.

use crate::certificates::{Authority, Signed};
use conninfo::{ConnInfo, Host};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use std::fs::{File, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Of the version that has all programs, also those of clients.
const BINARIES: &str = "/usr/lib/postgresql/15/bin";
const START_AT_MOST: Duration = Duration::from_secs(60);

/// The name of the server; only the tests know that it is at 127.0.0.1.
pub(crate) const HOST: &str = "db.test";

/// Roles are called like what they may: be encrypted, not be encrypted, either; show a certificate, or know a password.
const HBA: &str = "\
local     all         all            trust
local     replication all            trust
hostssl   all encrypted 127.0.0.1/32 trust
hostnossl all in_clear  127.0.0.1/32 trust
host      all either    127.0.0.1/32 trust
hostssl   all certified 127.0.0.1/32 cert
host      all scram     127.0.0.1/32 scram-sha-256
hostssl   all scram_tls 127.0.0.1/32 scram-sha-256
host      all md5       127.0.0.1/32 md5
";

/// The password of those who need one.
pub(crate) const PASSWORD: &str = "open sesame";

/// A PostgreSQL that is stopped when dropped.
pub(crate) struct Postgres {
    directory: TempDir,
    binaries: PathBuf,
    port: u16,
    running: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

/// A server with a good certificate.
pub(crate) struct Good {
    pub(crate) postgres: Postgres,
    /// The authority that has signed it, in PEM.
    pub(crate) authority: String,
}

/// The one that is shared by the tests that want no other.
pub(crate) fn good() -> Arc<Good> {
    static SHARED: Mutex<Weak<Good>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(good) = shared.upgrade() {
        return good;
    }
    let (authority, mut postgres) = (Authority::new(), Postgres::new());
    postgres.start_with(&authority.for_hosts(&[HOST]), None);
    let good = Arc::new(Good { postgres, authority: authority.pem });
    *shared = Arc::downgrade(&good);
    good
}

/// A server on this machine by that name.
pub(crate) fn here(name: &str) -> Host {
    Host::Tcp { name: name.to_owned(), address: Some([127, 0, 0, 1].into()) }
}

impl Postgres {
    /// A new server that does not run yet.
    pub(crate) fn new() -> Postgres {
        Postgres::of(Path::new(BINARIES))
    }

    /// The same with these programs of the server.
    pub(crate) fn of(binaries: &Path) -> Postgres {
        let server = Postgres::placed(binaries);
        let data = server.directory.path().join("data");
        let mut initdb = tool(binaries, "initdb");
        initdb.arg("--pgdata").arg(&data).args(["--username=postgres", "--auth=trust", "--no-sync", "--locale=C"]);
        succeed(&mut initdb);
        std::fs::write(data.join("pg_hba.conf"), HBA).expect("pg_hba.conf can be written");
        server
    }

    /// A directory and a port for a server.
    fn placed(binaries: &Path) -> Postgres {
        let directory = tempfile::Builder::new().prefix("pgdyno-tls-").tempdir().expect("a temporary directory");
        own(directory.path(), 0o755);
        let port = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a free port").port();
        Postgres { directory, binaries: binaries.to_owned(), port, running: None }
    }

    /// A server that follows this one, which runs; it does not run yet.
    pub(crate) fn standby(&self) -> Postgres {
        let standby = Postgres::placed(&self.binaries);
        let mut backup = tool(&self.binaries, "pg_basebackup");
        backup.arg("--host").arg(self.directory.path()).arg(format!("--port={}", self.port));
        backup.args(["--username=postgres", "-R", "-c", "fast", "--no-sync", "-D"]);
        succeed(backup.arg(standby.directory.path().join("data")));
        standby
    }

    /// Starts it without encryption.
    pub(crate) fn start_in_clear(&mut self) {
        self.start(&[]);
    }

    /// Starts it with a certificate, and an authority for those of clients.
    pub(crate) fn start_with(&mut self, signed: &Signed, clients: Option<&str>) {
        let (certificate, key) = (self.file("server.crt", &signed.certificate), self.file("server.key", &signed.key));
        let mut settings = vec![
            "ssl=on".to_owned(),
            format!("ssl_cert_file={}", certificate.display()),
            format!("ssl_key_file={}", key.display()),
        ];
        if let Some(clients) = clients {
            settings.push(format!("ssl_ca_file={}", self.file("clients.crt", clients).display()));
        }
        self.start(&settings);
    }

    /// Starts it, again if it runs, and waits until it accepts connections.
    fn start(&mut self, settings: &[String]) {
        self.stop();
        let log = self.directory.path().join("log");
        let mut postgres = tool(&self.binaries, "postgres");
        postgres.arg("-D").arg(self.directory.path().join("data")).arg("-k").arg(self.directory.path());
        postgres.args(["-p", &self.port.to_string(), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off"]);
        for setting in settings {
            postgres.args(["-c", setting]);
        }
        let log_file = File::create(&log).expect("a log file");
        postgres.stdout(log_file.try_clone().expect("a second handle")).stderr(log_file).stdin(Stdio::null());
        let (stop, stopped) = mpsc::channel();
        // A thread of its own, because the server dies with the thread that started it.
        self.running = Some((stop, std::thread::spawn(move || keep(&mut postgres, &stopped))));
        let begun = Instant::now();
        while !self.is_ready() {
            let said = std::fs::read_to_string(&log).unwrap_or_default();
            assert!(begun.elapsed() < START_AT_MOST, "the server does not start: {said}");
            std::thread::sleep(Duration::from_millis(20));
        }
        self.make_roles();
    }

    fn is_ready(&self) -> bool {
        let mut ready = tool(Path::new(BINARIES), "pg_isready");
        ready.arg("--quiet").arg("--host").arg(self.directory.path()).arg(format!("--port={}", self.port));
        ready.status().expect("pg_isready runs").success()
    }

    /// Stops it without a word to its clients.
    pub(crate) fn stop(&mut self) {
        if let Some((stop, keeper)) = self.running.take() {
            let _keeper_gone = stop.send(());
            let _keeper_panicked = keeper.join();
        }
    }

    /// Waits until the server has written this into its log, which begins when it is started.
    pub(crate) fn wait_until_logged(&self, text: &str) {
        let begun = Instant::now();
        loop {
            let log = std::fs::read_to_string(self.directory.path().join("log")).unwrap_or_default();
            if log.contains(text) {
                return;
            }
            assert!(begun.elapsed() < START_AT_MOST, "no {text:?} is logged: {log}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn make_roles(&self) {
        if self.sql("SELECT count(*) FROM pg_roles WHERE rolname = 'either'") != "0" {
            return;
        }
        let roles = ["encrypted", "in_clear", "either", "certified"].map(|role| format!("CREATE ROLE {role} LOGIN;"));
        let scram = ["scram", "scram_tls"].map(|role| format!("CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}';"));
        let md5 = format!("SET password_encryption = md5; CREATE ROLE md5 LOGIN PASSWORD '{PASSWORD}'");
        self.sql(&(roles.concat() + &scram.concat() + &md5));
    }

    /// What a statement returns to the superuser, unaligned.
    pub(crate) fn sql(&self, sql: &str) -> String {
        let at = format!("host={} port={} user=postgres dbname=postgres", self.directory.path().display(), self.port);
        self.psql(&at, sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// What psql, and so libpq, gets or is told with a connection string.
    pub(crate) fn psql(&self, conninfo: &str, sql: &str) -> Result<String, String> {
        let mut psql = tool(Path::new(BINARIES), "psql");
        let output =
            psql.args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo, "-c", sql]).output().expect("it runs");
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    /// Its port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// How the engine reaches it by its name, in clear, as one of the roles.
    pub(crate) fn server(&self, user: &str) -> ConnInfo {
        let at = (here(HOST), self.port);
        ConnInfo { application_name: "tls test".to_owned(), ..ConnInfo::new(at, user, "postgres") }
    }

    /// Writes a file that the server and its clients may read and nobody else.
    pub(crate) fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.directory.path().join(name);
        std::fs::write(&path, content).expect("a file can be written");
        own(&path, 0o600);
        path
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Runs the server until told to stop, or until nobody is there to tell it.
fn keep(postgres: &mut Command, stopped: &mpsc::Receiver<()>) {
    let mut child = postgres.spawn().expect("postgres runs");
    let _owner_gone = stopped.recv();
    // SIGQUIT is PostgreSQL's immediate shutdown.
    let _gone_already = kill_process(Pid::from_child(&child), Signal::QUIT);
    let _gone_already = child.wait();
}

/// Gives a file to the user of the server.
fn own(path: &Path, mode: u32) {
    std::fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions can be set");
    if geteuid().is_root() {
        succeed(Command::new("chown").arg("postgres:postgres").arg(path));
    }
}

/// One of PostgreSQL's programs, run as user postgres where root may not, and killed when this process ends.
fn tool(binaries: &Path, name: &str) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "KILL"]);
    if geteuid().is_root() {
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    }
    command.arg(binaries.join(name)).env_clear().env("LC_ALL", "C").current_dir("/");
    command
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?} does not run: {error}"));
    assert!(output.status.success(), "{command:?} failed: {}", String::from_utf8_lossy(&output.stderr));
}
