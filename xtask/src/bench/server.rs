//! The one server of a benchmark: an installed PostgreSQL that comes with pgbench, started as pgdyno starts its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use server::{
    Environment, InitdbOptions, LoadRoute, LocalSpec, PostgresSpec, ProgramSource, RouteEntry, RouteLayers, Target,
};
use tokio::runtime::Runtime;

/// A running server.
pub(super) struct Server {
    runtime: Runtime,
    target: Target,
    bin: PathBuf,
}

impl Server {
    /// Starts the newest installed server that has pgbench beside it, with room for so many connections and with TLS.
    pub(super) fn start(connections: u32) -> Self {
        let server = Self::start_without_tls(connections);
        server.offer_tls();
        server
    }

    fn start_without_tls(connections: u32) -> Self {
        let bin =
            newest_with_pgbench().expect("no PostgreSQL with pgbench under /usr/lib/postgresql: scripts/setup bench");
        let runtime = Runtime::new().expect("a runtime");
        let connections = connections.to_string();
        let settings = [("shared_buffers", "1GB"), ("max_connections", &*connections), ("max_wal_size", "8GB")];
        let spec = PostgresSpec::Local(LocalSpec {
            source: ProgramSource::Bin(bin.clone()),
            initdb: InitdbOptions::default(),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            data_directory: None,
            wal_directory: None,
            keep: false,
            // Its connection string then carries the password of TCP; the unix socket needs none.
            route: LoadRoute { entry: RouteEntry::Tcp, ..LoadRoute::default() },
            cpus: None,
            standby: None,
            layers: RouteLayers::default(),
            control_groups: Vec::new(),
        });
        let environment = Environment::of_this_process(PathBuf::from("/proc/self/exe"));
        let target = runtime
            .block_on(server::acquire_target("bench", &spec, &BTreeMap::new(), &environment, &mut |_| {}))
            .unwrap_or_else(|error| panic!("{error}: {}", error.detail().unwrap_or_default()));
        Self { runtime, target, bin }
    }

    /// Stops it and starts it again, on the same data.
    pub(super) fn start_anew(&mut self) {
        self.runtime.block_on(self.target.restart_as_it_is()).unwrap_or_else(|error| panic!("{error}"));
    }

    /// A certificate of its own making, as libpq's `require` takes it.
    fn offer_tls(&self) {
        let data = self.target.local_server().expect("it was started here").data_directory();
        let (key, certificate) = (data.join("server.key"), data.join("server.crt"));
        let mut openssl = Command::new("openssl");
        openssl.args([
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-keyout",
        ]);
        succeed(openssl.arg(&key).arg("-out").arg(&certificate));
        let like_the_data = format!("--reference={}", data.display());
        succeed(Command::new("chown").arg(like_the_data).arg(&key).arg(&certificate));
        succeed(Command::new("chmod").arg("600").arg(&key));
        self.sql("postgres", "ALTER SYSTEM SET ssl = on");
        self.sql("postgres", "SELECT pg_reload_conf()");
    }

    /// Executes a statement.
    pub(super) fn sql(&self, database: &str, statement: &str) {
        let mut psql = Command::new(self.tool("psql"));
        psql.arg("-h").arg(self.socket_directory()).args(["-p", &self.port().to_string(), "-U", &self.user()]);
        succeed(psql.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", database, "-c", statement]));
    }

    /// A session of one's own, and the kernel's account of its process.
    pub(super) fn session(&self) -> Session<'_> {
        let opened = self.runtime.block_on(async {
            let (client, driver) = match self.target.control_config().open_connection().await {
                Ok(opened) => opened,
                Err(error) => return Err(error.into_decisive()),
            };
            tokio::spawn(driver);
            let pid: i32 = client.query_one("SELECT pg_backend_pid()", &[]).await?.get(0);
            Ok::<_, tokio_postgres::Error>((client, pid))
        });
        let (client, pid) = opened.unwrap_or_else(|error| panic!("{error}"));
        Session { server: self, client, pid }
    }

    /// Leaves it, and every session that it will have, to one CPU, or to these.
    pub(super) fn stay_on_cpus(&self, cpus: &str) {
        let pid = self.target.local_server().expect("it was started here").postmaster_pid().to_string();
        succeed(Command::new("taskset").args(["-p", "-c", cpus, &pid]));
    }

    pub(super) fn stop(self) {
        self.runtime.block_on(self.target.release_target()).expect("the server stops");
    }

    /// A tool that comes with the server.
    pub(super) fn tool(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    pub(super) fn socket_directory(&self) -> &Path {
        self.target.local_server().expect("it was started here").socket_directory()
    }

    pub(super) fn port(&self) -> u16 {
        self.target.load_conninfo().port
    }

    pub(super) fn user(&self) -> String {
        self.target.load_conninfo().user
    }

    /// For TCP.
    pub(super) fn password(&self) -> String {
        self.target.load_conninfo().password.map_or_else(String::new, |password| password.expose_secret().to_owned())
    }
}

/// A session of one's own.
pub(super) struct Session<'a> {
    server: &'a Server,
    client: tokio_postgres::Client,
    pid: i32,
}

impl Session<'_> {
    /// Prepares a statement.
    pub(super) fn prepare(&self, statement: &str) -> tokio_postgres::Statement {
        self.server.runtime.block_on(self.client.prepare(statement)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Executes a prepared one, and forgets what it returns.
    pub(super) fn execute(&self, statement: &tokio_postgres::Statement) {
        self.server.runtime.block_on(self.client.query(statement, &[])).unwrap_or_else(|error| panic!("{error}"));
    }

    /// For how long its process has been on a CPU, as far as it is asleep now (the kernel's
    /// Documentation/scheduler/sched-stats.rst).
    pub(super) fn cpu_ns(&self) -> u64 {
        let path = format!("/proc/{}/schedstat", self.pid);
        let line = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        line.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or_else(|| panic!("{path}: {line}"))
    }
}

fn succeed(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn newest_with_pgbench() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let bins = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    bins.filter(|bin| bin.join("pgbench").exists() && bin.join("postgres").exists()).max()
}
