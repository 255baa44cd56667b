//! What a plan says, declared once: the structs of the model are the keys of the language (see `language.rs`).
//!
//! A `Plan` comes from [`parse`](super::parse) only, which has checked all that can be checked without a server.
//! Targets, workloads and clients keep the order of the file. What only the machine can supply (`threads`, `seed`) is
//! optional here until [`Plan::complete`] fills it in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use work::Word as _;

use super::blocks::Blocks;
use super::consent::{Consent, Consents};
use super::cost::Cost;
use super::disk::{DiskPlan, TargetDisk};
use super::event::Event;
use super::interleaving::{Because, Interleave, Interleaving};
use super::kubernetes::Kubernetes;
use super::language::{
    AtLeastMs, Entries, Fields, Findings, HasName, Identifier, Key, Keys, List, Named, OrNone, Record, Sequence,
    TargetName, Text, Whole, choice, record, words,
};
use super::load_place::LoadPlace;
use super::made::PoolMode;
use super::margin::Margin;
use super::secret::ServerUrl;
use super::sizes::Workloads;
use super::units::{Cpus, FileSize, Percent, WalSegmentSize};
use super::variants::Targets;
use super::workload::{Work, Workload};

pub(crate) use super::language::Settings;

/// The most load threads when the plan names none.
const THREADS_BY_DEFAULT: u32 = 8;

/// The most clients: what PostgreSQL takes for max_connections.
const CLIENTS_MAX: u64 = 262_143;

/// The aspects and settings of `may_differ`.
type Differences = List<Difference, 0, BTreeSet<Difference>>;

record! {
    /// A plan of pgdyno: which servers are measured with which workloads, how often, and what counts as a change.
    pub struct Plan = "the plan" {
        /// What the experiment asks, in your words. It stands over the report and in the name of the run directory.
        key name: String as Text,
        /// The servers, by names of your choice (letters, digits, `_`, `.`, `-`). The one named in `baseline` is
        /// compared with each of the others.
        key targets: Vec<Target> as Targets,
        /// The name of the target that the others are compared with.
        key baseline: String as TargetName,
        /// The names of targets in an order in which each adds one layer to the one before it, the baseline first. Each
        /// step is then judged by itself, too.
        key ladder: Vec<String> as Sequence<TargetName> = Absent("the targets are compared with the baseline only"),
        /// What may differ between the targets, as aspects or as names of PostgreSQL settings. Every other difference
        /// that is found is reported as a confounder. Settings that the plan itself gives to the targets unlike (knobs,
        /// settings, initdb) need not be named: they are what it compares.
        key may_differ: BTreeSet<Difference> as Differences = Default("[]"),
        /// Where the load comes from, under a name of your choice: the same place for all targets.
        key generators: Vec<LoadPlace> as OrNone<Named<LoadPlace>> =
            Absent("the load comes from the machine that pgdyno runs on"),
        /// What is executed, by names of your choice (letters, digits, `_`, `.`, `-`).
        key workloads: Vec<Workload> as Workloads,
        /// Numbers of clients. Each client has its own connection and one transaction under way at a time. In a closed
        /// loop it sends the next one when the last one is answered; in an open loop (`rate`) a client takes the next
        /// arrival when it is free. Every workload is measured with every number.
        key clients: Vec<u32> as List<Whole<1, CLIENTS_MAX>, 1>,
        /// Threads of the load engine; never more than there are clients.
        key threads: Option<u32> as Option<Whole<1, 1024>> =
            Open("half of the CPUs of the machine that pgdyno runs on, at least 1 and at most 8; of a generator with `cpus` all of these"),
        /// The phases of every trial. Of trials whose sides take turns each has so much time of its own.
        key trial: TrialPhases = Default("{}"),
        /// What is made to happen in every trial, by names of your choice. What followed is told of each, and the
        /// trials are compared by it.
        key events: Vec<Event> as OrNone<Named<Event>> = Absent("nothing is made to happen"),
        /// How the sides of all workloads alternate that say nothing of it themselves.
        key interleave: Option<Interleave> = Open("decided for each workload by what its transactions do"),
        /// How long a side sends before it is another's turn, where sides take turns: 50 ms to 500 ms. Longer turns are
        /// possible, and meet more of what disturbs one side only.
        key turn: Duration as AtLeastMs<50> = Default("250ms"),
        /// How often everything is repeated: a block is one trial of every target, workload and number of clients.
        key blocks: Blocks = Default("{}"),
        /// The smallest change worth acting on. An interval within ± this is `equivalent`.
        key practical_threshold: Percent = Default("3%"),
        /// Costs of a transaction (CPU time, WAL, blocks, temporary files, time in statements) and the latencies that
        /// do not decide are judged beside the metric that decides, by a threshold of their own.
        key costs: Margin = Default("{}"),
        /// So is every statement, by the mean time of one execution.
        key statements: Margin = Default("{}"),
        /// What `pgdyno tune` may give up for speed, as names of settings. It never does so unasked.
        key may_risk: BTreeSet<Risk> as List<Risk, 0, BTreeSet<Risk>> = Default("[]"),
        /// Measure the baseline a second time in every comparison (A/A). If the baseline differs from itself, the
        /// comparison carries a caveat. Costs one more trial per comparison.
        key noise_floor: bool = Default("false"),
        /// Read host and server once a second and sample sessions ten times a second. `false` leaves only the load's
        /// own figures: no time budget, no diagnosis.
        key probes: bool = Default("true"),
        /// Let the probes pause in one of every two fifths of a second, drawn by lot, and tell by how much the
        /// throughput differs. Diagnosis and time budget then see half as much. Only with pgdyno's own generator.
        key observer_cost: bool = Default("false"),
        /// What fio measures on the disk of every target before the first trial; `{}` for the jobs of `pgdyno disk`.
        key disk: Option<DiskPlan> = Absent("no disk is measured"),
        /// Seed of the order of the trials and of the workloads' random numbers. The same plan with the same seed
        /// executes the same operations in the same order.
        key seed: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> =
            Open("drawn anew for every run and written into its plan.yaml"),
    }
}

record! {
    /// One server: reached by `url`, made by `local`, found in a cluster (`kubernetes`), or the one of another target
    /// by a way of its own (`shared`).
    pub struct Target = "a target" {
        /// Its name, unique in the plan and safe as a file name.
        name name: String,
        /// How it is reached.
        keys reach: Reach,
        /// PostgreSQL settings that are applied before the trials of this target, read back, and restored at the end. A
        /// setting that the server does not confirm fails the trial.
        key knobs: Settings = Default("{}"),
        /// What is changed of this machine for it.
        keys machine: Machine,
        /// What is in the caches when a trial of this target begins, whatever the workload says.
        key cache: Option<Cache> = Absent("as the workload says"),
        /// The PgBouncer that the clients connect through, to see its queue.
        key pooler: Option<Pooler> = Absent("no pooler is watched"),
        /// Whether `events` may disturb a server that pgdyno did not make. One that it made always may be.
        key may_disturb: bool = Default("false"),
        /// What of a `url` may be changed, if nobody minds; a cluster in Kubernetes has a key of its own for that. It
        /// is written down on its host by the `agent`, which this takes, before it is changed, and put back at the end,
        /// also when pgdyno or the agent is killed (`pgdyno restore`). All who use the server meanwhile have it.
        key may_change: BTreeSet<Consent> as Consents = Default("[]"),
        /// The command of a shell on the agent's host that restarts the server of a `url`.
        key restart_by: Option<String> as Option<Text> = Needs("agent", "`systemctl restart` of its unit if it has one, else `pg_ctl restart`"),
        /// What is said of its disk, for a plan that measures disks.
        key disk: TargetDisk = Default("{}"),
        /// What it costs, so that reports tell the price of a million transactions.
        key cost: Option<Cost> = Absent("not known"),
        /// How `pgdyno agent` is started on the host of a `url` on another machine, where it reads CPUs, disks, memory,
        /// network and the server's processes for the report. If it is lost, its readings are gaps and the trial goes
        /// on.
        key agent: Option<Agent> = Absent("the host is read where it is this machine, and not otherwise"),
    }
}

impl HasName for Target {
    fn name(&self) -> &str {
        &self.name
    }
}

choice! {
    /// How a target is reached.
    pub enum Reach = "give `url`, `local`, `kubernetes` or `shared`" {
        /// A server that runs already, as libpq takes it: `postgresql://user@host:port/database` or `host=… dbname=…`.
        /// Leave the password to PGPASSWORD or ~/.pgpass: one that stands here is used, and left out of all that is
        /// written.
        "url" => Url(ServerUrl),
        /// A server that pgdyno makes on this machine, starts, and stops and removes at the end.
        "local" => Local(Local),
        /// A server in Kubernetes: found there and read by its name, or made and removed, and reached by any way to it.
        "kubernetes" => Kubernetes(Kubernetes),
        /// The server of another target, reached by another way or with other limits.
        "shared" => Shared(Shared),
    }
}

record! {
    /// What is changed of this machine for a local server.
    #[derive(Default)]
    pub struct Machine = "the machine" {
        /// Put the data directory of a local server on a file system of its own: made in an image on a loop device
        /// beside where the data would lie, and removed at the end. Needs root.
        key filesystem: Option<Filesystem> = Absent("the file system that is there"),
        /// `true`: reserve as many huge pages of the machine as the shared memory of a local server needs, for as long
        /// as it runs, and start it with `huge_pages = on`; needs root. `false`: start it with `huge_pages = off`.
        key huge_pages: Option<bool> = Absent("as the server's setting `huge_pages` and the machine have it"),
        /// Values of this machine's kernel, as sysctl(8) names them, that are set before each trial, read back, and
        /// restored after it; those of a variant beside the target's or in place of them. For local servers; needs
        /// root.
        key sysctl: Settings = Absent("none"),
    }
}

record! {
    /// A file system in an image.
    #[derive(Copy)]
    pub struct Filesystem = "filesystem" {
        /// Which file system.
        key "type" kind: FilesystemKind,
        /// Its size, all of which is taken from the disk below; at most 80 % of what is free there.
        key size: FileSize = Default("4GB"),
    }
}

words! {
    /// Durability that a setting gives up.
    #[derive(PartialOrd, Ord)]
    Risk {
        SynchronousCommit = "synchronous_commit", "acknowledged transactions of the last moments before a crash or a failover";
    }
}

words! {
    /// A file system that is made.
    FilesystemKind {
        Ext4 = "ext4", "as mkfs.ext4 makes it, all of it at once";
        Xfs = "xfs", "as mkfs.xfs makes it";
        Btrfs = "btrfs", "as mkfs.btrfs makes it, copy on write included";
    }
}

words! {
    /// What is in the caches when a trial begins.
    Cache {
        AsIs = "as-is", "what the trials before have left";
        Cold = "cold", "nothing: the server is restarted and its files are put out of the kernel's cache; local servers only";
        Warm = "warm", "all tables and indexes, as far as there is room";
    }
}

record! {
    /// A PgBouncer before the server.
    pub struct Pooler = "a pooler" {
        /// Its administration console, whose database is `pgbouncer`, as one of its `stats_users` or `admin_users`:
        /// `postgresql://stats@host:6432/pgbouncer`. SHOW POOLS and SHOW STATS_TOTALS are asked once a second.
        key url: ServerUrl,
    }
}

/// How the agent on a target's host is started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Agent {
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
    /// How the agent on a target's host is started.
    struct AgentKeys = "an agent" {
        /// Over your own ssh, to this destination: a host, `user@host`, or a name of ~/.ssh/config. No password is
        /// asked for.
        key ssh: Option<String> as Option<Text> = OneOf("give `ssh` or `command`"),
        /// Where pgdyno is on that host.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno`, found on the PATH there; for `ssh` only"),
        /// By this command of a shell here, such as `kubectl exec -i db-1 -- pgdyno agent --stdio`.
        key command: Option<String> as Option<Text> = OneOf("give `ssh` or `command`"),
    }
}

impl Keys for Agent {
    fn keys() -> Vec<Key> {
        AgentKeys::keys()
    }

    fn read_keys(findings: &mut Findings, fields: &Fields<'_>) -> Option<Self> {
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

    fn write_keys(&self, to: &mut Entries) {
        let (ssh, pgdyno, command) = match self.clone() {
            Self::Ssh { destination, pgdyno } => (Some(destination), Some(pgdyno), None),
            Self::Command(command) => (None, None, Some(command)),
        };
        AgentKeys { ssh, pgdyno, command }.write_keys(to);
    }
}

impl Record for Agent {
    const TITLE: &'static str = AgentKeys::TITLE;
    const DOC: &'static str = AgentKeys::DOC;
}

record! {
    /// A server that pgdyno makes on this machine; its binaries come by `version` or `bin`.
    pub struct Local = "a local server" {
        /// Whose binaries run.
        keys binaries: Binaries,
        /// How the cluster is made.
        key initdb: Initdb = Default("{}"),
        /// PostgreSQL settings that the server is started with.
        key settings: Settings = Default("{}"),
        /// Where the data go: choose the disk to be measured. A relative path starts where pgdyno is started. No two
        /// targets may share it.
        key data_directory: Option<PathBuf> = Open("a new directory under `$TMPDIR` or else `/var/tmp`"),
        /// A directory on the disk that the WAL is to lie on: a new one is made in it, and goes with the data. A
        /// relative path starts where pgdyno is started.
        key wal_directory: Option<PathBuf> = Absent("in the data directory"),
        /// Leave the data directory in place when pgdyno ends; the server itself always stops.
        key keep: bool = Default("false"),
        /// Make a standby beside it, which follows it from this machine and can be promoted (`events`). The clients
        /// look for the one that accepts writes on both. Both have the same settings, and temporary data directories.
        key standby: Option<Standby> = Absent("it has none"),
        /// How the PgBouncer before it lends its connections, where a way to it has one (`pgbouncer: true`).
        key pooling: Option<Pooling> = Absent("as said at each key of it"),
        /// How the clients reach it.
        keys way: Way,
    }
}

record! {
    /// How a PgBouncer lends the connections of its server.
    #[derive(Copy, Default)]
    pub struct Pooling = "pooling" {
        /// For how long a client has a connection.
        key mode: Option<PoolMode> = Open("`transaction` from PgBouncer 1.21 on, `session` before, since prepared statements need that"),
        /// How many connections it has to the server, for each user and database (`default_pool_size`). Clients beyond
        /// them wait for one.
        key size: Option<u32> as Option<Whole<1, 100_000>> = Open("as many as clients come"),
        /// How many prepared statements it keeps of each client (`max_prepared_statements`, from PgBouncer 1.21 on); 0:
        /// none, so that a connection lent for a transaction has none.
        key max_prepared_statements: Option<u32> as Option<Whole<0, 100_000>> = Open("1000 where it lends for a transaction"),
    }
}

words! {
    /// How a standby follows.
    Standby {
        Streaming = "streaming", "behind its primary, which does not wait for it";
        Synchronous = "synchronous", "commits wait until it has them (`synchronous_standby_names`, as far as `synchronous_commit` says)";
    }
}

record! {
    /// The server of another target. Knobs of such a target are settings of the load's sessions.
    pub struct Shared = "a shared server" {
        /// The name of the target whose server it is, one with `local`.
        key server_of: String as TargetName,
        /// How the clients reach it.
        keys way: Way,
    }
}

record! {
    /// How the clients reach a local server, and what it may use while they do.
    #[derive(Copy)]
    pub struct Way = "a way" {
        /// How the clients connect.
        key via: Via = Default("unix"),
        /// Whether the connections are encrypted with TLS 1.3; not over a Unix-domain socket.
        key tls: bool = Default("false"),
        /// Whether the connections go through a PgBouncer (the one installed here, at least 1.18) before the server. It
        /// lends a connection for a transaction from 1.21 on, for a session before, since prepared statements need
        /// that.
        key pgbouncer: bool = Default("false"),
        /// How many CPUs the server's processes may use together while this target is measured, as a container's limit;
        /// needs root.
        key cpus: Option<Cpus> = Open("all"),
    }
}

choice! {
    /// The binaries of a local server.
    pub enum Binaries = "give `version` or `bin`" {
        /// PostgreSQL 14 to 18 as embedded binaries, downloaded once from Maven Central: `17` for the newest 17,
        /// `"17.5"` (in quotes) for that one.
        "version" => Version(Version),
        /// The directory of installed binaries, such as `/usr/lib/postgresql/15/bin`. A relative path starts where
        /// pgdyno is started.
        "bin" => Bin(PathBuf),
    }
}

/// A PostgreSQL release, or the newest one of a major version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The major version, 14 to 18.
    pub major: u32,
    /// The minor version; absent: the newest that can be had.
    pub minor: Option<u32>,
}

impl Version {
    /// The oldest major version that pgdyno measures.
    pub const MAJOR_MIN: u32 = 14;
    /// The newest major version that pgdyno knows.
    pub const MAJOR_MAX: u32 = 18;
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.minor {
            Some(minor) => write!(f, "{}.{minor}", self.major),
            None => write!(f, "{}", self.major),
        }
    }
}

record! {
    /// The options of initdb.
    pub struct Initdb = "initdb" {
        /// Size of a WAL segment: a power of two from `1MB` to `1GB`.
        key wal_segment_size: WalSegmentSize = Default("16MB"),
        /// Checksums on data pages. Say it for both sides when you compare 17 with 18.
        key data_checksums: Option<bool> = Open("as the version does by itself: off up to 17, on from 18"),
        /// Locale of the cluster. `C` sorts by bytes and is the same on every machine.
        key locale: String as Identifier = Default("C"),
        /// Encoding of the cluster's databases.
        key encoding: String as Identifier = Default("UTF8"),
    }
}

record! {
    /// The phases of every trial. Of trials whose sides take turns each has so much time of its own.
    #[derive(Copy)]
    pub struct TrialPhases = "trial" {
        /// Load whose figures do not count, until caches and plans are as they stay.
        key warm_up: Duration as AtLeastMs<0> = Default("10s"),
        /// Load whose figures count. Too short a phase leaves more noise between blocks than `until` can accept.
        key measure: Duration as AtLeastMs<100> = Default("60s"),
    }
}

words! {
    /// How the clients connect to a local server.
    Via {
        Unix = "unix", "through a Unix-domain socket";
        Tcp = "tcp", "through TCP on the loopback interface";
        Veth = "veth", "from a network namespace through a veth pair, as from a container; needs root";
        Service = "service", "the same to an address that a DNAT rule replaces, as to a Kubernetes Service; needs root";
    }
}

/// Something that may differ between targets without being a confounder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Difference {
    /// A whole aspect.
    Aspect(Aspect),
    /// One PostgreSQL setting, its name in lower case.
    Setting(String),
    /// One fact that the plan itself gives to the targets unlike; a file cannot name it.
    Fact(&'static str),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aspect(aspect) => f.write_str(aspect.word()),
            Self::Setting(name) => f.write_str(name),
            Self::Fact(name) => f.write_str(name),
        }
    }
}

words! {
    /// An aspect in which targets may differ.
    #[derive(PartialOrd, Ord)]
    Aspect {
        Version = "version", "the PostgreSQL version, how it was built, and its extensions";
        Settings = "settings", "every PostgreSQL setting";
        Platform = "platform", "how the server is run (virtual machine, container, Kubernetes) and its limits";
        Path = "path", "the way from the load engine to the server (socket, TCP, proxy, network)";
        Hardware = "hardware", "CPU model and count, memory, type of machine, disk and file system";
        Kernel = "kernel", "the kernel's release and settings";
        Locale = "locale", "locale, collation and encoding";
    }
}

/// The fact of who follows a server, as comparisons call it.
pub const STANDBYS: &str = "standbys";

/// Facts that differ with the file system below the data, as comparisons call them: a loop device has its own.
const FACTS_OF_FILESYSTEMS: [&str; 7] = [
    "data disk",
    "data disk: I/O scheduler",
    "data disk: made of",
    "data disk: read-ahead (KiB)",
    "data disk: vendor",
    "data disk: write cache",
    "file system",
];

impl Plan {
    /// The target that the others are compared with.
    #[must_use]
    pub fn baseline(&self) -> &Target {
        self.target(&self.baseline).expect("parse refuses a baseline that is no target")
    }

    /// Whether the server of a target is restarted before every block.
    #[must_use]
    pub fn restarts(&self, target: &Target) -> bool {
        self.blocks.restart && target.reach.can_restart()
    }

    /// The targets that are compared with the baseline, in the order of the file.
    pub fn candidates(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.name != self.baseline)
    }

    /// The target of this name.
    #[must_use]
    pub fn target(&self, name: &str) -> Option<&Target> {
        self.targets.iter().find(|target| target.name == name)
    }

    /// The workload of this name.
    #[must_use]
    pub fn workload(&self, name: &str) -> Option<&Workload> {
        self.workloads.iter().find(|workload| workload.name == name)
    }

    /// Fills in what the file left open: the seed from `entropy`, the load threads from the `cpus` that are online
    /// here, how the sides of each workload alternate, and that ledgers are kept where there are events. How those of
    /// own scripts alternate stays open where the servers have to be asked first ([`Plan::with_access`]).
    #[must_use]
    pub fn complete(mut self, entropy: u64, cpus: u32) -> Self {
        self.seed.get_or_insert(entropy);
        let own = self.load_pod().and_then(|pod| pod.cpus).map(|cpus| cpus.min(THREADS_BY_DEFAULT));
        self.threads.get_or_insert_with(|| own.unwrap_or_else(|| default_threads(cpus)));
        let decided: Vec<Interleaving> = self.workloads.iter().map(|workload| self.interleaving(workload)).collect();
        for (workload, Interleaving { how, because }) in self.workloads.iter_mut().zip(decided) {
            if because != Because::ToBeAsked {
                workload.interleave = Some(how);
            }
        }
        if !self.events.is_empty() {
            // What an event may cost is told: acknowledged commits among it.
            self.workloads.iter_mut().for_each(|workload| workload.ledger |= Self::can_keep_ledger(workload));
        }
        self
    }

    /// The plan with what the servers say of workloads whose access only they know, by name: whether they only read.
    /// How their sides alternate follows from it.
    #[must_use]
    pub fn with_access(mut self, reads: &BTreeMap<String, bool>) -> Self {
        for workload in &mut self.workloads {
            let answer = reads.get(&workload.name).copied();
            if let Work::Scripts(scripts) = &mut workload.work {
                scripts.reads = scripts.reads.or(answer);
            }
        }
        let decided: Vec<Interleave> = self.workloads.iter().map(|workload| self.interleaving(workload).how).collect();
        for (workload, how) in self.workloads.iter_mut().zip(decided) {
            workload.interleave.get_or_insert(how);
        }
        self
    }

    /// What may differ: the plan's `may_differ`, and every setting and way that the plan itself gives to the targets
    /// unlike, since that is what it compares.
    #[must_use]
    pub fn allowed_differences(&self) -> BTreeSet<Difference> {
        let given: Vec<Settings> = self.targets.iter().map(Target::given_settings).collect();
        let names: BTreeSet<&String> = given.iter().flat_map(Settings::keys).collect();
        let varied =
            names.into_iter().filter(|name| given.iter().any(|settings| settings.get(*name) != given[0].get(*name)));
        let aspects = self.varied_aspects().map(Difference::Aspect);
        let mut allowed: BTreeSet<Difference> =
            self.may_differ.iter().cloned().chain(varied.cloned().map(Difference::Setting)).chain(aspects).collect();
        let filesystem = |target: &Target| target.machine.filesystem;
        if self.targets.iter().any(|target| filesystem(target) != filesystem(&self.targets[0])) {
            allowed.extend(FACTS_OF_FILESYSTEMS.map(Difference::Fact));
        }
        let standby = |target: &Target| target.reach.standby();
        if self.targets.iter().any(|target| standby(target) != standby(&self.targets[0])) {
            allowed.insert(Difference::Fact(STANDBYS));
        }
        // They are reserved from one target's start on, so that those that start later see them, too.
        if self.targets.iter().any(|target| target.machine.huge_pages == Some(true)) {
            allowed.insert(Difference::Fact("vm.nr_hugepages"));
        }
        allowed
    }

    /// What is in the caches when a trial of this target with this workload begins.
    #[must_use]
    pub fn cache(&self, target: &Target, workload: &Workload) -> Cache {
        target.cache.unwrap_or(workload.cache)
    }

    /// The aspects in which the plan itself makes targets of one kind unlike, by the ways to them.
    fn varied_aspects(&self) -> impl Iterator<Item = Aspect> {
        let in_kubernetes = |target: &'_ Target| match &target.reach {
            Reach::Kubernetes(Kubernetes { via, tls, .. }) => Some((via.clone(), *tls)),
            Reach::Url(_) | Reach::Local(_) | Reach::Shared(_) => None,
        };
        let cluster_ways: Vec<_> = self.targets.iter().filter_map(in_kubernetes).collect();
        // A server elsewhere is not reached by another way of the same cluster.
        let all = cluster_ways.len() == self.targets.len();
        let cluster_path = (all && cluster_ways.iter().any(|way| *way != cluster_ways[0])).then_some(Aspect::Path);
        let ways: Vec<Way> = self.targets.iter().filter_map(|target| target.reach.way()).collect();
        let differ = |of: fn(&Way) -> Way| ways.iter().any(|way| of(way) != of(&ways[0]));
        let path = differ(|way| Way { cpus: None, ..*way }).then_some(Aspect::Path);
        let limits = ways.iter().any(|way| way.cpus != ways[0].cpus).then_some(Aspect::Platform);
        path.or(cluster_path).into_iter().chain(limits)
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
            Self::Kubernetes(kubernetes) => kubernetes.made().is_some(),
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
    pub fn standby(&self) -> Option<Standby> {
        match self {
            Self::Local(local) => local.standby,
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => None,
        }
    }

    /// Whether other targets may share the server: after a promotion it would be another one.
    pub(crate) fn can_be_shared(&self) -> bool {
        match self {
            Self::Local(local) => local.standby.is_none(),
            Self::Url(_) | Self::Kubernetes(_) | Self::Shared(_) => false,
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

    /// What is said of a server in Kubernetes.
    pub(super) fn kubernetes(&self) -> Option<&Kubernetes> {
        match self {
            Self::Kubernetes(kubernetes) => Some(kubernetes),
            Self::Url(_) | Self::Local(_) | Self::Shared(_) => None,
        }
    }

    /// The way to a server that pgdyno starts.
    #[must_use]
    pub fn way(&self) -> Option<Way> {
        match self {
            Self::Url(_) | Self::Kubernetes(_) => None,
            Self::Local(local) => Some(local.way),
            Self::Shared(shared) => Some(shared.way),
        }
    }
}

impl Target {
    /// Every setting that the plan gives to this target (knobs, settings, options of initdb that show as settings), by
    /// name in lower case.
    pub(super) fn given_settings(&self) -> Settings {
        let mut given = Settings::new();
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
                let parameters = kubernetes.made().into_iter().flat_map(|made| &made.server().parameters);
                given.extend(parameters.map(|(name, value)| (name.to_lowercase(), value.clone())));
            }
            Reach::Url(_) | Reach::Shared(_) => {}
        }
        given.extend(self.knobs.iter().map(|(name, value)| (name.to_lowercase(), value.clone())));
        if let Some(on) = self.machine.huge_pages {
            let state = if on { "on" } else { "off" };
            given.extend(["huge_pages", "huge_pages_status"].map(|name| (name.to_owned(), state.to_owned())));
        }
        given
    }
}

/// The load threads when the plan names none: half of the CPUs, since a local server needs the others, at least 1 and
/// at most 8, which one machine's network does not outrun.
#[must_use]
pub(crate) fn default_threads(cpus: u32) -> u32 {
    (cpus / 2).clamp(1, THREADS_BY_DEFAULT)
}
