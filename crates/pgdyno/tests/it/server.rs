//! A PostgreSQL that was there before pgdyno: started by the test, so that it can be killed, restarted and asked under
//! pgdyno's feet. It ends with its test.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::lab::Lab;

/// How long a server may take to start or to recover.
const DEADLINE: Duration = Duration::from_secs(60);

/// Whether this is root, as whom PostgreSQL does not run.
pub fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The directory of the installed binaries.
pub fn bin() -> PathBuf {
    if let Some(bin) = std::env::var_os("PGDYNO_TEST_BIN") {
        return bin.into();
    }
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let newest = versions.max_by_key(|version| version.file_name().to_string_lossy().parse::<u32>().unwrap_or(0));
    newest.expect("PostgreSQL is installed (apt-get install postgresql)").path().join("bin")
}

/// A server.
pub struct Server {
    directory: PathBuf,
    port: u16,
    postmaster: Option<Child>,
}

impl Server {
    /// Creates and starts one; everybody may log in.
    pub fn start(lab: &Lab) -> Self {
        Self::start_with(lab, "", "host all all 127.0.0.1/32 trust\n")
    }

    /// Creates and starts one with lines for `postgresql.conf` and, for TCP, `pg_hba.conf`.
    pub fn start_with(lab: &Lab, settings: &str, hba: &str) -> Self {
        let mut server = Self::prepare(lab);
        let data = server.data();
        server.run("initdb", &["-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C", "--no-sync", "-D", &data]);
        server.configure(settings);
        let hba = format!("local all all trust\nlocal replication all trust\n{hba}");
        fs::write(server.directory.join("data/pg_hba.conf"), hba).expect("written");
        server.launch();
        server
    }

    /// A read-only standby of another.
    pub fn standby_of(lab: &Lab, primary: &Self) -> Self {
        let mut server = Self::prepare(lab);
        let (from, port) = (primary.directory.display().to_string(), primary.port.to_string());
        let data = server.data();
        server.run("pg_basebackup", &["-h", &from, "-p", &port, "-U", "postgres", "-R", "-c", "fast", "-D", &data]);
        server.configure("");
        server.launch();
        server
    }

    fn prepare(lab: &Lab) -> Self {
        let directory = lab.path().join(format!("server-{}", lab.number()));
        fs::create_dir(&directory).expect("made");
        if is_root() {
            let given = Command::new("chown").arg("postgres:").arg(&directory).status().expect("chown");
            assert!(given.success(), "no user postgres to run the server");
        }
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        Self { directory, port: free.expect("a free port").port(), postmaster: None }
    }

    fn data(&self) -> String {
        self.directory.join("data").display().to_string()
    }

    fn configure(&self, settings: &str) {
        let (directory, port) = (self.directory.display(), self.port);
        let own = format!(
            "unix_socket_directories = '{directory}'\nport = {port}\nlisten_addresses = '127.0.0.1'\nfsync = off\n"
        );
        let path = self.directory.join("data/postgresql.conf");
        let default = fs::read_to_string(&path).expect("the configuration that initdb made");
        fs::write(path, default + &own + settings).expect("written");
    }

    /// A program of the server, run as its user; it dies with the thread of the test.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.arg("--pdeathsig=QUIT").env_clear().env("LC_ALL", "C").current_dir("/");
        if is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.arg("--").arg(bin().join(program)).stdin(Stdio::null());
        command
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.command(program).args(arguments).output().expect("setpriv (util-linux) starts");
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn launch(&mut self) {
        let log = fs::File::options().create(true).append(true).open(self.directory.join("log")).expect("a log");
        let mut postgres = self.command("postgres");
        postgres.args(["-D", &self.data()]).stdout(log.try_clone().expect("a log")).stderr(log);
        self.postmaster = Some(postgres.spawn().expect("setpriv (util-linux) starts"));
        let deadline = Instant::now() + DEADLINE;
        while self.try_ask("SELECT 1").is_err() {
            let ended = self.postmaster.as_mut().and_then(|child| child.try_wait().expect("a child"));
            assert!(ended.is_none() && Instant::now() < deadline, "the server does not start:\n{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.directory.join("log")).unwrap_or_default()
    }

    /// The connection string for its unix socket.
    pub fn socket(&self) -> String {
        format!("host={} port={} user=postgres dbname=postgres", self.directory.display(), self.port)
    }

    /// The connection string for TCP.
    pub fn url(&self) -> String {
        format!("postgresql://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Where its socket and its data are.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// What `psql` answers: rows as lines, columns separated by `|`.
    #[track_caller]
    pub fn ask(&self, sql: &str) -> String {
        self.try_ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// A number that `psql` answers.
    #[track_caller]
    pub fn count(&self, sql: &str) -> u64 {
        let answer = self.ask(sql);
        answer.parse().unwrap_or_else(|_| panic!("{sql}: {answer:?} is not a number"))
    }

    fn try_ask(&self, sql: &str) -> Result<String, String> {
        let output = self.psql().args(["-c", sql]).output().expect("psql starts");
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }

    fn psql(&self) -> Command {
        let mut psql = Command::new(bin().join("psql"));
        psql.env("PGCONNECT_TIMEOUT", "5").args([
            "-X",
            "-A",
            "-t",
            "-q",
            "-v",
            "ON_ERROR_STOP=1",
            "-d",
            &self.socket(),
        ]);
        psql
    }

    /// A session that executes this and then idles in its transaction, until it is dropped.
    pub fn hold(&self, sql: &str) -> Session {
        let mut psql = self.psql();
        // The session lives as long as its input is open.
        psql.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = psql.spawn().expect("psql starts");
        use std::io::Write as _;
        let input = child.stdin.as_mut().expect("piped");
        writeln!(input, "SET application_name = 'holder'; BEGIN; {sql};").expect("written");
        let session = Session(child);
        let held = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'holder' \
                    AND state = 'idle in transaction'";
        let deadline = Instant::now() + DEADLINE;
        while self.count(held) == 0 {
            assert!(Instant::now() < deadline, "the session never got what it holds");
            std::thread::sleep(Duration::from_millis(20));
        }
        session
    }

    /// Waits until a query answers true.
    #[track_caller]
    pub fn await_that(&self, sql: &str) {
        let deadline = Instant::now() + DEADLINE;
        while self.ask(sql) != "t" {
            assert!(Instant::now() < deadline, "never {sql}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills all its processes at once, as a crash of the machine would.
    pub fn kill(&mut self) {
        let mut postmaster = self.postmaster.take().expect("it runs");
        let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", postmaster.id())).unwrap_or_default();
        let _ended = postmaster.kill();
        for pid in children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().ok()?)) {
            let _ended = kill_process(pid, Signal::KILL);
        }
        postmaster.wait().expect("a child");
    }

    /// Starts it again where it was.
    pub fn start_again(&mut self) {
        assert!(self.postmaster.is_none(), "it was killed");
        self.launch();
    }

    /// Stops or continues all its processes: it stays, and says nothing.
    pub fn freeze(&self) -> Frozen {
        let postmaster = self.postmaster.as_ref().expect("it runs").id();
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children")).unwrap_or_default();
        // The postmaster first: it starts no further process then.
        let pids = std::iter::once(postmaster.to_string()).chain(children.split_whitespace().map(str::to_owned));
        let frozen = Frozen(pids.filter_map(|pid| Pid::from_raw(pid.parse().ok()?)).collect());
        frozen.signal(Signal::STOP);
        frozen
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut postmaster) = self.postmaster.take() {
            let pid = Pid::from_raw(postmaster.id().try_into().expect("small")).expect("not zero");
            let _ended = kill_process(pid, Signal::QUIT);
            let _status = postmaster.wait();
        }
    }
}

/// A session that holds something.
pub struct Session(Child);

impl Drop for Session {
    fn drop(&mut self) {
        let _ended = self.0.kill();
        let _status = self.0.wait();
    }
}

/// A server whose processes are stopped, until this is dropped.
pub struct Frozen(Vec<Pid>);

impl Frozen {
    fn signal(&self, signal: Signal) {
        for pid in &self.0 {
            let _ended = kill_process(*pid, signal);
        }
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        self.signal(Signal::CONT);
    }
}
