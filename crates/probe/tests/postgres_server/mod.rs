//! A real PostgreSQL for a test: a fresh cluster in a temporary directory, reached over a unix socket only.
//! It is stopped when the value is dropped, also by a panic, and by the kernel when the thread that started it is gone.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use control::Config;
use rustix::process::{Pid, Signal, geteuid, kill_process};
use tempfile::TempDir;
use tokio_postgres::Client;

/// The longest that a server may take to start; reached only by one that does not start at all.
const START_AT_MOST: Duration = Duration::from_secs(60);

/// A cluster and, when it runs, its postmaster.
pub(crate) struct Server {
    bin: PathBuf,
    directory: TempDir,
    postmaster: Option<Child>,
    /// The server's major version.
    pub(crate) major: u32,
}

/// The `bin` directories to test with: those of `PGDYNO_TEST_PG_BINS`, separated by colons, or else Debian's.
pub(crate) fn installed() -> Vec<PathBuf> {
    let bins: Vec<PathBuf> = match env::var_os("PGDYNO_TEST_PG_BINS") {
        Some(bins) => env::split_paths(&bins).collect(),
        None => {
            let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
            versions.map(|version| version.path().join("bin")).filter(|bin| bin.join("postgres").exists()).collect()
        }
    };
    assert!(
        !bins.is_empty(),
        "found no PostgreSQL in /usr/lib/postgresql; name its bin directory in PGDYNO_TEST_PG_BINS"
    );
    bins
}

impl Server {
    /// Makes a cluster with the programs in `bin` and starts it.
    pub(crate) async fn start(bin: &Path) -> Self {
        let version = run(Command::new(bin.join("postgres")).arg("--version"));
        let major = version.split_whitespace().last().and_then(|version| version.split('.').next()?.parse().ok());
        let directory = tempfile::Builder::new().prefix("pgdyno-probe-").tempdir().unwrap();
        if geteuid().is_root() {
            run(Command::new("chown").arg("postgres").arg(directory.path()));
        }
        let mut server = Self {
            bin: bin.to_owned(),
            directory,
            postmaster: None,
            major: major.unwrap_or_else(|| panic!("{version}")),
        };
        let data = server.data_directory();
        run(server.program("initdb").args(["-A", "trust", "-U", "postgres", "-N", "--no-locale", "-D"]).arg(data));
        server.restart().await;
        server
    }

    /// Starts the stopped cluster and waits until it answers.
    pub(crate) async fn restart(&mut self) {
        let sockets = self.directory.path().to_str().unwrap();
        let log = fs::File::create(self.log()).unwrap();
        let mut postgres = self.program("postgres");
        postgres.args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "shared_buffers=16MB", "-k", sockets, "-D"]);
        postgres.arg(self.data_directory()).stdout(log.try_clone().unwrap()).stderr(log);
        self.postmaster = Some(postgres.spawn().unwrap());
        let begun = Instant::now();
        while self.config().open().await.is_err() {
            let log = || fs::read_to_string(self.log()).unwrap_or_default();
            assert!(begun.elapsed() < START_AT_MOST, "the server does not answer: {}", log());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Ends the server at once, as a crash would, even a frozen one.
    pub(crate) fn kill(&mut self) {
        if let Some(mut postmaster) = self.postmaster.take() {
            for signal in [Signal::QUIT, Signal::CONT] {
                // An error means that it has ended already, which is what is wanted.
                let _ = kill_process(Pid::from_child(&postmaster), signal);
            }
            let _ = postmaster.wait();
        }
    }

    /// Stops every process of the server where it is, or lets all go on.
    pub(crate) fn freeze(&self, frozen: bool) {
        let signal = if frozen { Signal::STOP } else { Signal::CONT };
        let postmaster = Pid::from_child(self.postmaster.as_ref().unwrap());
        let tasks = format!("/proc/{0}/task/{0}/children", postmaster.as_raw_nonzero());
        let children = fs::read_to_string(tasks).unwrap();
        let children = children.split_whitespace().filter_map(|pid| Pid::from_raw(pid.parse().unwrap()));
        for process in children.chain([postmaster]) {
            // A child that has ended since needs no signal.
            let _ = kill_process(process, signal);
        }
    }

    /// How to connect, as the superuser.
    pub(crate) fn config(&self) -> Config {
        let mut config = Config::new();
        config.host_path(self.directory.path()).user("postgres").dbname("postgres");
        config
    }

    /// A connection as the superuser.
    pub(crate) async fn client(&self) -> Client {
        self.client_of(&self.config()).await
    }

    /// A connection with settings of its own.
    pub(crate) async fn client_of(&self, config: &Config) -> Client {
        let (client, connection) = config.open().await.unwrap();
        tokio::spawn(connection);
        client
    }

    /// Where the cluster's files are.
    pub(crate) fn data_directory(&self) -> PathBuf {
        self.directory.path().join("data")
    }

    /// Where its standard error goes.
    pub(crate) fn log(&self) -> PathBuf {
        self.directory.path().join("log")
    }

    /// A program of this PostgreSQL that does not outlive the test; PostgreSQL refuses to run as root.
    fn program(&self, name: &str) -> Command {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "QUIT"]);
        if geteuid().is_root() {
            command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        }
        command.arg(self.bin.join(name)).stdin(Stdio::null()).env_remove("PGDATA").current_dir("/");
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if self.postmaster.is_some() && std::thread::panicking() {
            eprintln!("PostgreSQL {}:\n{}", self.major, fs::read_to_string(self.log()).unwrap_or_default());
        }
        self.kill();
    }
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
