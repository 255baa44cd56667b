//! A real PostgreSQL: its own directory, unix socket and port, stopped when it is dropped, and gone with the test's
//! process however that ends.
//!
//! `initdb` is run once for each version and its outcome copied, since it takes longer than most tests. Nothing is
//! flushed to the disk (`fsync = off`) unless [`Setup::settings`] say so.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::directory::{Directory, scratch_directory};
use crate::programs::{Kept, free_port, give_to_postgres, newest_version, of_the_server, run_command, try_run};

/// How long a server may take to start or to do what a test waits for; reached only where it never does.
const DEADLINE: Duration = Duration::from_secs(60);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(10);

/// What a server is to be. The default is what most tests want.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Its programs.
    pub bin: PathBuf,
    /// Lines for `postgresql.conf`; the last one that sets something counts.
    pub settings: String,
    /// Lines for `pg_hba.conf`. Before these everybody may log in over the unix socket, unless they say so of somebody
    /// before.
    pub hba: String,
    /// The directory that its own is made in.
    pub below: PathBuf,
}

impl Default for Setup {
    /// The newest PostgreSQL, where everybody may log in.
    fn default() -> Self {
        Self {
            bin: newest_version(),
            settings: String::new(),
            hba: "local all,replication all trust\nhost all,replication all 127.0.0.1/32 trust\n".to_owned(),
            below: scratch_directory().to_owned(),
        }
    }
}

impl Setup {
    /// Makes the server and starts it.
    pub fn start_server(self) -> Postgres {
        let server = self.make_server();
        server.start_again();
        server
    }

    /// Makes a server that does not run yet.
    pub fn make_server(self) -> Postgres {
        let server = Postgres::placed_below(self.bin, &self.below);
        run_command(
            Command::new("cp")
                .args(["-a", "--reflink=auto"])
                .arg(initialized_data_directory(&server.bin))
                .arg(server.data_directory()),
        );
        fs::write(server.data_directory().join("pg_hba.conf"), &self.hba).expect("written");
        server.append_configuration(&self.settings);
        server
    }
}

/// A data directory as `initdb` makes it, which is made where the program of the test is and kept for the next.
fn initialized_data_directory(bin: &Path) -> PathBuf {
    let version = run_command(Command::new(bin.join("postgres")).arg("--version"));
    let user = rustix::process::geteuid().as_raw();
    let name = format!("initdb {user} {} {version}", bin.display()).replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let program = std::env::current_exe().expect("a program");
    let kept = program.parent().expect("a directory").join(name);
    if !kept.exists() {
        // Elsewhere first: the servers' user may not be able to go there, and another program may be about to do the
        // same.
        let (theirs, ours) =
            (Directory::of_a_server(scratch_directory()), Directory::create_below(program.parent().expect("one")));
        let (made, copy) = (theirs.directory_path().join("data"), ours.directory_path().join("data"));
        let initdb = ["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D"];
        run_command(of_the_server(bin.join("initdb"), "KILL").args(initdb).arg(&made));
        run_command(Command::new("cp").arg("-a").arg(&made).arg(&copy));
        let moved = fs::rename(&copy, &kept);
        assert!(moved.is_ok() || kept.exists(), "{}: {moved:?}", kept.display());
    }
    kept
}

/// A server.
pub struct Postgres {
    bin: PathBuf,
    port: u16,
    running: Mutex<Option<RunningPostmaster>>,
    directory: Directory,
}

struct RunningPostmaster {
    postmaster: Pid,
    /// Waits for its end. A thread of its own has started it, because a server dies with the thread that did.
    keeper: JoinHandle<()>,
}

/// Whether a process has not ended yet; one that nobody has waited for has.
fn is_there(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_nonzero())).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    state.is_some_and(|state| !matches!(state, 'Z' | 'X'))
}

/// Waits until processes that were killed have ended: before that they keep their memory and their locks.
///
/// # Panics
/// When one is there after a minute.
pub fn await_ended(killed: &[Pid]) {
    let begun = Instant::now();
    while killed.iter().any(|process| is_there(*process)) {
        assert!(begun.elapsed() < DEADLINE, "killed and still there: {killed:?}");
        std::thread::sleep(LOOK);
    }
}

impl Postgres {
    /// A server as most tests want it.
    pub fn start_default() -> Self {
        Setup::default().start_server()
    }

    fn placed_below(bin: PathBuf, below: &Path) -> Self {
        Self { bin, port: free_port(), running: Mutex::new(None), directory: Directory::of_a_server(below) }
    }

    /// A server that follows this one, with settings of its own; it answers queries, and can be promoted.
    pub fn start_standby(&self, settings: &str) -> Self {
        let standby = self.stopped_standby(settings);
        standby.start_again();
        standby
    }

    /// The same; it does not run yet.
    pub fn stopped_standby(&self, settings: &str) -> Self {
        let standby = Self::placed_below(self.bin.clone(), self.server_directory().parent().expect("it is in one"));
        let mut backup = of_the_server(self.bin.join("pg_basebackup"), "KILL");
        backup.args(["-R", "-c", "fast", "--no-sync", "-d", &self.socket_conninfo(), "-D"]);
        run_command(backup.arg(standby.data_directory()));
        standby.append_configuration(settings);
        standby
    }

    /// Adds lines to the `postgresql.conf`, for its next start.
    pub fn append_configuration(&self, settings: &str) {
        let (directory, port) = (self.server_directory().display(), self.port);
        let own = format!(
            "unix_socket_directories = '{directory}'\nport = {port}\nlisten_addresses = '127.0.0.1'\nfsync = off\n{settings}\n"
        );
        let path = self.data_directory().join("postgresql.conf");
        let before = fs::read_to_string(&path).expect("the configuration that initdb made");
        fs::write(path, before + &own).expect("written");
    }

    /// Starts it (again) and waits until it accepts connections.
    pub fn start_again(&self) {
        let mut running = self.lock_running();
        assert!(running.is_none(), "it runs");
        // What a killed one said of itself.
        let _none = fs::remove_file(self.status_file());
        let log = File::create(self.log_path()).expect("a log");
        let mut postgres = of_the_server(self.bin.join("postgres"), "QUIT");
        postgres.arg("-D").arg(self.data_directory()).stdout(log.try_clone().expect("a log")).stderr(log);
        let (started, start) = mpsc::channel();
        let keeper = std::thread::spawn(move || {
            let mut postmaster = postgres.spawn().expect("setpriv (util-linux) starts");
            started.send(Pid::from_child(&postmaster)).expect("somebody waits for it");
            postmaster.wait().expect("a child");
        });
        let postmaster = start.recv().expect("it is started");
        let begun = Instant::now();
        while !self.is_ready() {
            let late = begun.elapsed() > DEADLINE;
            assert!(!late && !keeper.is_finished(), "the server does not start:\n{}", self.read_log());
            std::thread::sleep(LOOK);
        }
        *running = Some(RunningPostmaster { postmaster, keeper });
    }

    fn lock_running(&self) -> std::sync::MutexGuard<'_, Option<RunningPostmaster>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status_file(&self) -> PathBuf {
        self.data_directory().join("postmaster.pid")
    }

    /// Whether it accepts connections, as `pg_ctl` looks for it: the eighth line says so.
    fn is_ready(&self) -> bool {
        let status = fs::read_to_string(self.status_file()).unwrap_or_default();
        status.lines().nth(7).is_some_and(|line| matches!(line.trim_end(), "ready" | "standby"))
    }

    /// Ends it at once and without a word to its clients (an immediate shutdown); without effect when it does not run.
    pub fn crash_server(&self) {
        self.end_server(|postmaster| {
            // A frozen one has to be let go.
            for signal in [Signal::QUIT, Signal::CONT] {
                let _ended_already = kill_process(postmaster, signal);
            }
        });
    }

    /// Kills all its processes at once, as a crash of the machine would, and waits until each has let go of its memory:
    /// before that no server starts there again.
    pub fn kill_processes(&self) {
        let processes = self.process_ids();
        self.end_server(|_| signal_processes(&processes, Signal::KILL));
        await_ended(&processes);
    }

    /// Stops it in order, with a checkpoint.
    pub fn stop_in_order(&self) {
        self.end_server(|postmaster| kill_process(postmaster, Signal::INT).expect("it runs"));
    }

    fn end_server(&self, how: impl FnOnce(Pid)) {
        if let Some(RunningPostmaster { postmaster, keeper }) = self.lock_running().take() {
            if !keeper.is_finished() {
                how(postmaster);
            }
            let _keeper_panicked = keeper.join();
        }
    }

    /// Its processes as they are now, the postmaster first.
    pub fn process_ids(&self) -> Vec<Pid> {
        let postmaster = self.lock_running().as_ref().expect("it runs").postmaster;
        let children = format!("/proc/{0}/task/{0}/children", postmaster.as_raw_nonzero());
        let children = fs::read_to_string(children).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?));
        std::iter::once(postmaster).chain(children).collect()
    }

    /// Stops all its processes where they are: it stays, and says nothing.
    pub fn freeze_processes(&self) -> FrozenServer {
        // The postmaster first: it starts no further process then.
        let frozen = FrozenServer(self.process_ids());
        signal_processes(&frozen.0, Signal::STOP);
        frozen
    }

    /// Where its socket and its data are.
    pub fn server_directory(&self) -> &Path {
        self.directory.directory_path()
    }

    /// Where its data are.
    pub fn data_directory(&self) -> PathBuf {
        self.server_directory().join("data")
    }

    /// Where its standard error goes, anew with each start.
    pub fn log_path(&self) -> PathBuf {
        self.server_directory().join("log")
    }

    /// What it has written there since it was started.
    pub fn read_log(&self) -> String {
        fs::read_to_string(self.log_path()).unwrap_or_default()
    }

    /// Its port, over TCP and in the name of its socket.
    pub fn tcp_port(&self) -> u16 {
        self.port
    }

    /// Its unix socket.
    pub fn socket_path(&self) -> PathBuf {
        self.server_directory().join(format!(".s.PGSQL.{}", self.port))
    }

    /// The connection string for its unix socket.
    pub fn socket_conninfo(&self) -> String {
        self.conninfo_of("postgres")
    }

    fn conninfo_of(&self, database: &str) -> String {
        format!("host={} port={} user=postgres dbname={database}", self.server_directory().display(), self.port)
    }

    /// The connection string for TCP.
    pub fn tcp_url(&self) -> String {
        format!("postgresql://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// The server's major version.
    pub fn major_version(&self) -> u32 {
        let version = fs::read_to_string(self.data_directory().join("PG_VERSION")).expect("a file of the server");
        version.trim_end().parse().expect("a number")
    }

    /// One of PostgreSQL's programs for clients, as superuser over the socket, without a database.
    pub fn client_program(&self, name: &str) -> Command {
        // The embedded binaries come without them.
        let mut command = of_the_server(newest_version().join(name), "KILL");
        command.env("PGCONNECT_TIMEOUT", "5").arg("--host").arg(self.server_directory());
        command.arg(format!("--port={}", self.port)).arg("--username=postgres");
        command
    }

    /// A session of the superuser in a database: `psql` without decoration, which ends with the first error.
    pub fn psql_command(&self, conninfo: &str) -> Command {
        let mut psql = of_the_server(newest_version().join("psql"), "KILL");
        psql.env("PGCONNECT_TIMEOUT", "5").args(["-XAtq", "-v", "ON_ERROR_STOP=1", "-d", conninfo]);
        psql
    }

    /// What `psql` answers: rows as lines, columns separated by `|`.
    #[track_caller]
    pub fn query_database(&self, database: &str, sql: &str) -> String {
        self.try_sql(&self.conninfo_of(database), sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// What `psql`, and so libpq, gets or is told with a connection string.
    pub fn try_sql(&self, conninfo: &str, sql: &str) -> Result<String, String> {
        try_run(self.psql_command(conninfo).args(["-c", sql]))
    }

    /// A number that a statement returns.
    #[track_caller]
    pub fn query_number(&self, database: &str, sql: &str) -> i64 {
        let text = self.query_database(database, sql);
        text.parse().unwrap_or_else(|_| panic!("{sql}: {text:?}"))
    }

    /// What `psql` answers in the database `postgres`.
    #[track_caller]
    pub fn query_postgres(&self, sql: &str) -> String {
        self.query_database("postgres", sql)
    }

    /// A number of things there.
    #[track_caller]
    pub fn query_count(&self, sql: &str) -> u64 {
        self.query_number("postgres", sql).try_into().unwrap_or_else(|_| panic!("{sql}: less than none"))
    }

    /// Waits until a query answers true.
    #[track_caller]
    pub fn await_that(&self, sql: &str) {
        let begun = Instant::now();
        while self.query_postgres(sql) != "t" {
            assert!(begun.elapsed() < DEADLINE, "never {sql}");
            std::thread::sleep(LOOK);
        }
    }

    /// Waits until no client is connected to a database any more, so that its statistics are complete.
    #[track_caller]
    pub fn wait_until_left(&self, database: &str) {
        self.await_that(&format!("SELECT count(*) = 0 FROM pg_stat_activity WHERE datname = '{database}'"));
    }

    /// Waits until it has written this into its log.
    #[track_caller]
    pub fn wait_until_logged(&self, text: &str) {
        let begun = Instant::now();
        while !self.read_log().contains(text) {
            assert!(begun.elapsed() < DEADLINE, "no {text:?} is logged: {}", self.read_log());
            std::thread::sleep(LOOK);
        }
    }

    /// A new database.
    pub fn empty_database(&self) -> String {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("test_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.query_postgres(&format!("CREATE DATABASE {name}"));
        name
    }

    /// A new database with pgbench's tables at scale 1.
    pub fn pgbench_database(&self) -> String {
        let name = self.empty_database();
        run_command(self.client_program("pgbench").args(["-i", "-q", "-s", "1", &name]));
        name
    }

    /// A session that begins a transaction, executes this and then idles, until it is dropped.
    #[track_caller]
    pub fn hold_transaction(&self, sql: &str) -> Kept {
        let mut psql = self.psql_command(&self.socket_conninfo());
        psql.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut session = Kept::start_command(&mut psql, Signal::KILL);
        session.write_to_input(&format!("SET application_name = 'holder'; BEGIN; {sql};\n"));
        self.await_that(
            "SELECT count(*) > 0 FROM pg_stat_activity \
             WHERE application_name = 'holder' AND state = 'idle in transaction'",
        );
        session
    }

    /// Writes a file beside the data that the server may read and, but for root, nobody else.
    pub fn write_file(&self, name: &str, content: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.server_directory().join(name);
        fs::write(&path, content).expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("permissions");
        give_to_postgres(&path);
        path
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("The log of {}:\n{}", self.server_directory().display(), self.read_log());
        }
        self.crash_server();
    }
}

/// A server whose processes are stopped, until this is dropped.
pub struct FrozenServer(Vec<Pid>);

impl Drop for FrozenServer {
    fn drop(&mut self) {
        signal_processes(&self.0, Signal::CONT);
    }
}

fn signal_processes(processes: &[Pid], signal: Signal) {
    for process in processes {
        // One that has ended since needs none.
        let _ended_already = kill_process(*process, signal);
    }
}
