//! A place for one test: its own directory for temporary data, specifications of servers, and a watch that nothing is
//! left of them.

use std::collections::BTreeMap;
use std::fs;
use std::future::Future;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use server::{
    Environment, FoundSpec, InitdbOptions, LoadRoute, LocalSpec, PostgresSpec, ProgramSource, RouteEntry, RouteLayers,
    Target, TargetError,
};

/// The server that Debian installs.
pub(crate) const BIN: &str = "/usr/lib/postgresql/15/bin";

/// A test of this name; a panic in it fails it.
pub(crate) fn trial<F: Future<Output = ()> + Send + 'static>(name: &'static str, test: fn(Lab) -> F) -> Trial {
    Trial::test(name.replace('_', " "), move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        runtime.block_on(test(Lab::new()));
        Ok(())
    })
}

/// The directory of one test, removed when it ends.
pub(crate) struct Lab {
    directory: tempfile::TempDir,
    /// Where its journals are.
    _state: tempfile::TempDir,
    pub(crate) environment: Environment,
}

impl Lab {
    fn new() -> Self {
        let directory = tempfile::Builder::new()
            .prefix("pgdyno-test-")
            .tempdir_in(testbed::scratch_directory())
            .expect("a directory");
        // The server may run as another user than this test.
        fs::set_permissions(directory.path(), fs::Permissions::from_mode(0o755)).expect("permissions");
        let mut environment = Environment::of_this_process("/proc/self/exe".into());
        environment.variables.retain(|name, _| !name.starts_with("PG"));
        environment.variables.insert("TMPDIR".to_owned(), directory.path().display().to_string());
        environment.variables.insert("HOME".to_owned(), directory.path().display().to_string());
        let state = tempfile::Builder::new()
            .prefix("pgdyno-test-state-")
            .tempdir_in(testbed::scratch_directory())
            .expect("a directory");
        environment.variables.insert("XDG_STATE_HOME".to_owned(), state.path().display().to_string());
        Self { directory, _state: state, environment }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) async fn acquire(
        &self,
        spec: &PostgresSpec,
        target_settings: &[(&str, &str)],
    ) -> Result<Target, TargetError> {
        server::acquire_target("t", spec, &map(target_settings), &self.environment, &mut |_| ()).await
    }

    pub(crate) async fn start(&self, spec: LocalSpec, target_settings: &[(&str, &str)]) -> Target {
        self.acquire(&PostgresSpec::Local(spec), target_settings)
            .await
            .unwrap_or_else(|error| panic!("{}", print(&error)))
    }

    pub(crate) async fn reach(&self, conninfo: &str, target_settings: &[(&str, &str)]) -> Result<Target, TargetError> {
        self.acquire(
            &PostgresSpec::Url(FoundSpec { conninfo: conninfo::Secret::new(conninfo), agent: None }),
            target_settings,
        )
        .await
    }

    /// Names in the directory of the test.
    pub(crate) fn content(&self) -> Vec<String> {
        let names = fs::read_dir(self.path()).expect("the test's directory");
        names.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    /// Every part of a server that must not outlive its target.
    pub(crate) fn traces(&self, target: &Target) -> Traces {
        let server = target.local_server().expect("a local server");
        Traces {
            directories: vec![server.data_directory().to_owned(), server.socket_directory().to_owned()],
            data: server.data_directory().display().to_string(),
        }
    }
}

/// What there is of a running server.
pub(crate) struct Traces {
    pub(crate) directories: Vec<PathBuf>,
    pub(crate) data: String,
}

impl Traces {
    /// Whether anything is left: a directory, or a process that works on the data.
    pub(crate) fn left(&self) -> Vec<String> {
        let directories = self.directories.iter().filter(|path| path.exists()).map(|path| path.display().to_string());
        let processes = fs::read_dir("/proc").expect("/proc").flatten().filter_map(|entry| {
            let command = fs::read_to_string(entry.path().join("cmdline")).ok()?;
            // Backends run in the data directory; the postmaster names it.
            let cwd = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
            let concerned = command.starts_with(BIN) && command.contains(&self.data) || cwd.starts_with(&self.data);
            concerned.then(|| command.replace('\0', " "))
        });
        directories.chain(processes).collect()
    }

    pub(crate) fn assert_present(&self) {
        assert!(self.left().len() > self.directories.len(), "a running server shows: {:?}", self.left());
    }

    pub(crate) fn assert_gone(&self) {
        assert_eq!(self.left(), Vec::<String>::new());
    }

    /// Waits until nothing is left, as long as a slow machine may need.
    pub(crate) async fn await_gone(&self) {
        let deadline = Instant::now() + Duration::from_secs(30);
        while !self.left().is_empty() {
            assert!(Instant::now() < deadline, "still there: {:?}", self.left());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Through 127.0.0.1.
pub(crate) fn over_tcp() -> LoadRoute {
    LoadRoute { entry: RouteEntry::Tcp, ..LoadRoute::default() }
}

/// A local server of Debian's binaries with a temporary data directory.
pub(crate) fn debian() -> LocalSpec {
    LocalSpec {
        source: ProgramSource::Bin(BIN.into()),
        initdb: InitdbOptions::default(),
        settings: BTreeMap::new(),
        data_directory: None,
        wal_directory: None,
        keep: false,
        route: LoadRoute::default(),
        cpus: None,
        standby: None,
        layers: RouteLayers::default(),
        control_groups: Vec::new(),
    }
}

pub(crate) fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// An error as the binary prints it.
pub(crate) fn print(error: &TargetError) -> String {
    let part = |name: &str, text: Option<String>| text.map(|text| format!("\n{name}: {text}")).unwrap_or_default();
    format!("error: {}{}{}", error.primary_message(), part("detail", error.detail()), part("hint", error.hint()))
}

/// The one value of a query.
pub(crate) async fn ask(target: &Target, query: &str) -> String {
    let client = target.connect_control().await.unwrap_or_else(|error| panic!("{}", print(&error)));
    let messages = client.simple_query(query).await.expect(query);
    let value = messages.iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0).map(str::to_owned),
        _ => None,
    });
    value.unwrap_or_default()
}
