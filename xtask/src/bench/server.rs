//! The one server of a benchmark: an installed PostgreSQL that comes with pgbench, started as pgdyno starts its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use target::{Environment, Initdb, LocalSpec, Source, Spec, Target, Transport};
use tokio::runtime::Runtime;

/// A running server.
pub(super) struct Server {
    runtime: Runtime,
    target: Target,
    bin: PathBuf,
}

impl Server {
    /// Starts the newest installed server that has pgbench beside it.
    pub(super) fn start() -> Self {
        let bin =
            newest_with_pgbench().expect("no PostgreSQL with pgbench under /usr/lib/postgresql: scripts/setup bench");
        let runtime = Runtime::new().expect("a runtime");
        let settings = [("shared_buffers", "1GB"), ("max_connections", "400"), ("max_wal_size", "8GB")];
        let spec = Spec::Local(LocalSpec {
            source: Source::Bin(bin.clone()),
            initdb: Initdb::default(),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            data_directory: None,
            keep: false,
            // Its connection string then carries the password of TCP; the unix socket needs none.
            transport: Transport::Tcp,
        });
        let environment = Environment::current(PathBuf::from("/proc/self/exe"));
        let target = runtime
            .block_on(target::acquire("bench", &spec, &BTreeMap::new(), &environment, &mut |_| {}))
            .unwrap_or_else(|error| panic!("{error}: {}", error.detail().unwrap_or_default()));
        Self { runtime, target, bin }
    }

    pub(super) fn stop(self) {
        self.runtime.block_on(self.target.release()).expect("the server stops");
    }

    /// A tool that comes with the server.
    pub(super) fn tool(&self, name: &str) -> PathBuf {
        self.bin.join(name)
    }

    /// Socket directory.
    pub(super) fn socket_directory(&self) -> &Path {
        self.target.local().expect("it was started here").socket_directory()
    }

    pub(super) fn port(&self) -> u16 {
        self.target.conninfo().port
    }

    pub(super) fn user(&self) -> &str {
        &self.target.conninfo().user
    }

    /// For TCP.
    pub(super) fn password(&self) -> &str {
        self.target.conninfo().password.as_ref().map_or("", |password| password.expose())
    }
}

fn newest_with_pgbench() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let bins = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    bins.filter(|bin| bin.join("pgbench").exists() && bin.join("postgres").exists()).max()
}
