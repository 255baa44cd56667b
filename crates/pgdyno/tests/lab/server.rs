//! A real PostgreSQL that was there before pgdyno, under the conditions that a case asks for. It ends with its case.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Signal;

use crate::child::{Kept, program, run};
use crate::namespaces::is_root;
use crate::site::Site;

/// How long a server may take to start.
const DEADLINE: Duration = Duration::from_secs(60);

/// What a careful administrator writes into the log.
const LOGGING: &str = "log_checkpoints = on\nlog_lock_waits = on\nlog_autovacuum_min_duration = 0\nlog_temp_files = 0\n\
                       logging_collector = on\nlog_destination = 'csvlog'\n";

/// The directory of the installed binaries: `PGDYNO_TEST_BIN`, else the newest below `/usr/lib/postgresql`.
pub fn bin() -> PathBuf {
    if let Some(bin) = std::env::var_os("PGDYNO_TEST_BIN") {
        return bin.into();
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.max_by_key(|version| version.file_name().to_string_lossy().parse::<u32>().unwrap_or(0));
    newest.expect("PostgreSQL is installed (apt-get install postgresql)").path().join("bin")
}

/// A command that runs as the servers' user and dies with the lab.
pub fn as_postgres(name: impl AsRef<std::ffi::OsStr>) -> Command {
    if !is_root() {
        return program(name);
    }
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig=KILL", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(name);
    command.current_dir("/").stdin(Stdio::null());
    command
}

/// Gives a path to the servers' user.
pub fn give_to_postgres(path: &Path) {
    if is_root() {
        run(program("chown").arg("-R").arg("postgres:").arg(path));
    }
}

/// A free port of the loopback interface.
pub fn free_port() -> u16 {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
    free.expect("a free port").port()
}

/// A server.
pub struct Server {
    directory: PathBuf,
    port: u16,
    postmaster: Option<Kept>,
}

impl Server {
    /// Creates and starts one with lines for its `postgresql.conf`.
    pub fn start(site: &Site, settings: &str) -> Self {
        Self::start_in(site, site.path(), settings)
    }

    /// The same with its data below a directory, such as one on another disk.
    pub fn start_in(site: &Site, below: &Path, settings: &str) -> Self {
        let mut server = Self::prepare(site, below);
        let data = server.data();
        run(as_postgres(bin().join("initdb"))
            .args(["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D"])
            .arg(data));
        server.configure(settings);
        server.launch();
        server
    }

    /// A standby of another, which it follows through `port`, as `application_name` 'standby'.
    pub fn standby(site: &Site, primary: &Self, port: u16) -> Self {
        let mut server = Self::prepare(site, site.path());
        let from = format!("host=127.0.0.1 port={} user=postgres", primary.port);
        run(as_postgres(bin().join("pg_basebackup")).args(["-c", "fast", "-d", &from, "-D"]).arg(server.data()));
        let follow =
            format!("primary_conninfo = 'host=127.0.0.1 port={port} user=postgres application_name=standby'\n");
        server.configure(&follow);
        fs::write(server.data().join("standby.signal"), "").expect("written");
        server.launch();
        server
    }

    fn prepare(site: &Site, below: &Path) -> Self {
        let directory = below.join(site.unique("server"));
        fs::create_dir(&directory).expect("made");
        give_to_postgres(&directory);
        Self { directory, port: free_port(), postmaster: None }
    }

    fn data(&self) -> PathBuf {
        self.directory.join("data")
    }

    fn configure(&self, settings: &str) {
        let (directory, port) = (self.directory.display(), self.port);
        let own = format!(
            "unix_socket_directories = '{directory}'\nport = {port}\nlisten_addresses = '127.0.0.1'\n{LOGGING}{settings}"
        );
        let path = self.data().join("postgresql.conf");
        let default = fs::read_to_string(&path).expect("the configuration that initdb made");
        fs::write(path, default + &own).expect("written");
    }

    fn launch(&mut self) {
        let log = fs::File::options().create(true).append(true).open(self.directory.join("log")).expect("a log");
        let mut postgres = as_postgres(bin().join("postgres"));
        postgres.arg("-D").arg(self.data()).stdout(log.try_clone().expect("a log")).stderr(log);
        let mut postmaster = Kept::start(&mut postgres, Signal::QUIT);
        let deadline = Instant::now() + DEADLINE;
        while !self.psql().args(["-c", "SELECT 1"]).output().expect("psql starts").status.success() {
            let log = fs::read_to_string(self.directory.join("log")).unwrap_or_default();
            assert!(!postmaster.has_ended() && Instant::now() < deadline, "the server does not start:\n{log}");
            std::thread::sleep(Duration::from_millis(20));
        }
        self.postmaster = Some(postmaster);
    }

    /// Stops it in order.
    pub fn stop(&mut self) {
        run(as_postgres(bin().join("pg_ctl")).args(["stop", "-m", "fast", "-w", "-D"]).arg(self.data()));
        self.postmaster = None;
    }

    /// Starts it again where it was.
    pub fn start_again(&mut self) {
        self.launch();
    }

    /// Its processes as they are now.
    pub fn processes(&self) -> Vec<u32> {
        let postmaster = self.postmaster.as_ref().expect("it runs").pid();
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).expect("listed");
        std::iter::once(postmaster).chain(children.split_whitespace().filter_map(|pid| pid.parse().ok())).collect()
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How a plan reaches it through its socket.
    pub fn socket(&self) -> String {
        let (directory, port) = (self.directory.display(), self.port);
        format!("{{ url: \"host={directory} port={port} user=postgres dbname=postgres\" }}")
    }

    /// How a plan reaches it through TCP.
    pub fn tcp(&self) -> String {
        Self::at(self.port, "")
    }

    /// How a plan reaches it through TCP on another port, with parameters such as `?sslmode=require`.
    pub fn at(port: u16, parameters: &str) -> String {
        format!("{{ url: \"postgresql://postgres@127.0.0.1:{port}/postgres{parameters}\" }}")
    }

    /// Makes pgbench's tables, as `data: existing` wants them.
    pub fn fill(&self, scale: u32) {
        self.fill_with(scale, &[]);
    }

    /// The same with tables that write no WAL.
    pub fn fill_unlogged(&self, scale: u32) {
        self.fill_with(scale, &["--unlogged-tables"]);
    }

    fn fill_with(&self, scale: u32, options: &[&str]) {
        let mut pgbench = program(bin().join("pgbench"));
        pgbench.args(["-i", "-q", "-s", &scale.to_string()]).args(options).arg("-h").arg(&self.directory);
        run(pgbench.args(["-p", &self.port.to_string(), "-U", "postgres", "postgres"]));
        self.ask("CHECKPOINT");
    }

    /// What `psql` answers.
    #[track_caller]
    pub fn ask(&self, sql: &str) -> String {
        run(self.psql().args(["-c", sql]))
    }

    /// Asks until the answer is this one.
    #[track_caller]
    pub fn await_answer(&self, sql: &str, answer: &str) {
        let deadline = Instant::now() + DEADLINE;
        while self.ask(sql) != answer {
            assert!(Instant::now() < deadline, "{sql}: never {answer}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// A session that executes this and then idles in its transaction, until it is dropped.
    pub fn hold(&self, sql: &str) -> Kept {
        let mut psql = self.psql();
        psql.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut session = Kept::start(&mut psql, Signal::KILL);
        session.write(&format!("SET application_name = 'holder'; {sql};\n"));
        let held =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holder' AND state = 'idle in transaction'";
        self.await_answer(held, "1");
        session
    }

    /// A session of the administrator.
    pub fn psql(&self) -> Command {
        let mut psql = program(bin().join("psql"));
        psql.env("PGCONNECT_TIMEOUT", "5").args(["-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d"]);
        psql.arg(format!("host={} port={} user=postgres dbname=postgres", self.directory.display(), self.port));
        psql
    }
}
