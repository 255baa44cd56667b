//! What a plan says, once it has been read: typed, complete and consistent with itself.
//!
//! A `Plan` comes from [`parse`](super::parse) only, which has checked all that can be checked without a server.
//! Targets, workloads and clients keep the order of the file. What only the machine can supply (`threads`, `seed`) is
//! optional here until [`Plan::complete`] fills it in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::disk::{DiskPlan, TargetDisk};
use super::secret::ServerUrl;
use super::units::{Cpus, FileSize, Percent, WalSegmentSize};
use super::workload::Workload;

/// PostgreSQL settings by name, as text.
pub(crate) type Settings = BTreeMap<String, String>;

/// A whole plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What the experiment asks, in the person's words; one line.
    pub name: String,
    /// The servers to measure, at least one, in the order of the file.
    pub targets: Vec<Target>,
    /// The name of the target that the others are compared with.
    pub baseline: String,
    /// Targets in an order in which each adds a layer to the one before it, the baseline first; empty: none such.
    pub ladder: Vec<String>,
    /// What may differ between the targets without being reported as a confounder, as the file says it; see
    /// [`Plan::allowed_differences`] for what the knobs add.
    pub may_differ: BTreeSet<Difference>,
    /// What to execute, at least one, in the order of the file.
    pub workloads: Vec<Workload>,
    /// The numbers of clients, at least one, each once, in the order of the file: in a closed loop that many
    /// transactions are under way, in an open loop at most that many.
    pub clients: Vec<u32>,
    /// Threads of the load engine; absent until chosen from the machine's CPUs.
    pub threads: Option<u32>,
    pub trial: TrialPhases,
    /// How often everything is repeated.
    pub blocks: Blocks,
    /// The smallest change worth acting on.
    pub practical_threshold: Percent,
    /// Whether the baseline is measured a second time in every comparison.
    pub noise_floor: bool,
    /// Whether host and server are observed while they are measured.
    pub probes: bool,
    /// Whether the probes pause half of the time, to tell what observing costs.
    pub observer_cost: bool,
    /// What is asked of the targets' disks before the first trial; absent for nothing.
    pub disk: Option<DiskPlan>,
    /// Seed of the order and of the workloads' random numbers; absent until drawn.
    pub seed: Option<u64>,
}

/// A server to measure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name, unique in the plan and safe as a file name.
    pub name: String,
    /// How it is reached.
    pub reach: Reach,
    /// The PostgreSQL settings that are applied, and read back, before its trials.
    pub knobs: Settings,
    /// The administration console of the PgBouncer before it, if there is one to be watched.
    pub pooler: Option<ServerUrl>,
    /// What is said of its disk.
    pub disk: TargetDisk,
    /// What is changed of this machine for it.
    pub machine: Machine,
    /// What is in the caches when a trial begins; absent: as the workload says.
    pub cache: Option<Cache>,
    /// Who reads its host for pgdyno, where that is another machine.
    pub agent: Option<Agent>,
}

/// What is changed of this machine for a local server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Machine {
    /// A file system of its own for its data.
    pub filesystem: Option<Filesystem>,
    /// Whether its shared memory is in huge pages, all of it or none; absent: as it happens.
    pub huge_pages: Option<bool>,
    /// Values of the kernel during its trials, by the names of sysctl(8).
    pub sysctl: Settings,
}

impl Machine {
    /// Whether root is needed for it.
    #[must_use]
    pub fn needs_root(&self) -> bool {
        self.filesystem.is_some() || self.huge_pages == Some(true) || !self.sysctl.is_empty()
    }
}

/// A file system in an image on a loop device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filesystem {
    /// Which.
    pub kind: FilesystemKind,
    pub size: FileSize,
}

/// A file system that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilesystemKind {
    Ext4,
    Xfs,
}

impl Word for FilesystemKind {
    const ALL: &'static [Self] = &[Self::Ext4, Self::Xfs];

    fn word(self) -> &'static str {
        match self {
            Self::Ext4 => "ext4",
            Self::Xfs => "xfs",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Ext4 => "as mkfs.ext4 makes it, all of it at once",
            Self::Xfs => "as mkfs.xfs makes it",
        }
    }
}

/// What is in the caches when a trial begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cache {
    /// Whatever the trials before have left.
    AsIs,
    /// Nothing of the server's data.
    Cold,
    /// As much of the data as has room.
    Warm,
}

impl Word for Cache {
    const ALL: &'static [Self] = &[Self::AsIs, Self::Cold, Self::Warm];

    fn word(self) -> &'static str {
        match self {
            Self::AsIs => "as-is",
            Self::Cold => "cold",
            Self::Warm => "warm",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::AsIs => "what the trials before have left",
            Self::Cold => {
                "nothing: the server is restarted and its files are put out of the kernel's cache; local servers only"
            }
            Self::Warm => "all tables and indexes, as far as there is room",
        }
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

/// How a target is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A server that runs already.
    Url(ServerUrl),
    /// A server that pgdyno makes and starts on this machine.
    Local(Local),
    /// The server of another target, by a way of its own.
    Shared(Shared),
}

/// A server that pgdyno makes and starts on this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Local {
    /// Whose binaries run.
    pub binaries: Binaries,
    /// How its cluster is made.
    pub initdb: Initdb,
    /// PostgreSQL settings that it is started with.
    pub settings: Settings,
    /// Its data directory; absent: a temporary one.
    pub data_directory: Option<PathBuf>,
    /// Whether its data directory stays when pgdyno ends; the server itself never does.
    pub keep: bool,
    /// How the clients reach it.
    pub way: Way,
}

/// The server of another target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shared {
    /// The target whose server it is: one that is local.
    pub server_of: String,
    /// How the clients reach it.
    pub way: Way,
}

/// How the clients reach a local server, and what it may use while they do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Way {
    /// How they connect.
    pub via: Via,
    /// Whether the connections are encrypted.
    pub tls: bool,
    /// Whether they go through a PgBouncer.
    pub pgbouncer: bool,
    /// The CPUs that the server may use; none: all.
    pub cpus: Option<Cpus>,
}

/// The binaries of a local server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Binaries {
    /// Embedded ones of this version, downloaded once.
    Version(Version),
    /// Installed ones: the directory that holds `initdb` and `postgres`.
    Bin(PathBuf),
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

/// The options of `initdb`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Initdb {
    /// `--wal-segsize`.
    pub wal_segment_size: WalSegmentSize,
    /// `--data-checksums` or `--no-data-checksums`; absent: as the version does by itself (on from 18).
    pub data_checksums: Option<bool>,
    /// `--locale`.
    pub locale: String,
    /// `--encoding`.
    pub encoding: String,
}

/// The phases of a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrialPhases {
    /// Load whose figures do not count; may be zero.
    pub warm_up: Duration,
    /// Load whose figures count; above zero.
    pub measure: Duration,
}

/// How often everything is repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    /// The fewest blocks, at least 1.
    pub at_least: u32,
    /// The most blocks, not fewer than `at_least`.
    pub at_most: u32,
    /// The half-width of the interval at which a comparison is precise enough.
    pub until: Percent,
}

/// A choice that a plan spells as a word.
pub trait Word: Copy + PartialEq + 'static {
    /// Every choice.
    const ALL: &'static [Self];
    /// The word in a plan.
    fn word(self) -> &'static str;
    /// What it means, in a few words.
    fn meaning(self) -> &'static str;
}

/// How the clients connect to a local server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// Through a Unix-domain socket.
    Unix,
    /// Through TCP on the loopback interface.
    Tcp,
    /// Through a veth pair, from a network namespace of the load's own.
    Veth,
    /// Through a veth pair and a DNAT rule.
    Service,
}

impl Word for Via {
    const ALL: &'static [Self] = &[Self::Unix, Self::Tcp, Self::Veth, Self::Service];

    fn word(self) -> &'static str {
        match self {
            Self::Unix => "unix",
            Self::Tcp => "tcp",
            Self::Veth => "veth",
            Self::Service => "service",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Unix => "through a Unix-domain socket",
            Self::Tcp => "through TCP on the loopback interface",
            Self::Veth => "from a network namespace through a veth pair, as from a container; needs root",
            Self::Service => "the same to an address that a DNAT rule replaces, as to a Kubernetes Service; needs root",
        }
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

/// An aspect in which targets may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    /// The PostgreSQL version.
    Version,
    /// Every PostgreSQL setting.
    Settings,
    /// How the server is run.
    Platform,
    /// The way from the load engine to the server.
    Path,
    /// CPU, memory, disk.
    Hardware,
    /// The operating system's kernel.
    Kernel,
    /// Collation and encoding.
    Locale,
}

impl Word for Aspect {
    const ALL: &'static [Self] =
        &[Self::Version, Self::Settings, Self::Platform, Self::Path, Self::Hardware, Self::Kernel, Self::Locale];

    fn word(self) -> &'static str {
        match self {
            Self::Version => "version",
            Self::Settings => "settings",
            Self::Platform => "platform",
            Self::Path => "path",
            Self::Hardware => "hardware",
            Self::Kernel => "kernel",
            Self::Locale => "locale",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Version => "the PostgreSQL version",
            Self::Settings => "every PostgreSQL setting",
            Self::Platform => "how the server is run (virtual machine, container, Kubernetes) and its limits",
            Self::Path => "the way from the load engine to the server (socket, TCP, proxy, network)",
            Self::Hardware => "CPU model and count, memory, disk and file system",
            Self::Kernel => "the kernel's release and settings",
            Self::Locale => "locale, collation and encoding",
        }
    }
}

/// Facts that differ with the file system below the data, as comparisons call them: a loop device has its own.
const FACTS_OF_FILESYSTEMS: [&str; 5] =
    ["data disk", "data disk: I/O scheduler", "data disk: read-ahead (KiB)", "data disk: write cache", "file system"];

impl Plan {
    /// The target that the others are compared with.
    #[must_use]
    pub fn baseline(&self) -> &Target {
        self.target(&self.baseline).expect("parse refuses a baseline that is no target")
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

    /// Fills in what the file left to the machine: the seed from `entropy`, the load threads from the `cpus` that are
    /// online here.
    #[must_use]
    pub fn complete(mut self, entropy: u64, cpus: u32) -> Self {
        self.seed.get_or_insert(entropy);
        self.threads.get_or_insert_with(|| default_threads(cpus));
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

    /// The aspects in which the plan itself makes local targets unlike, by the ways to them.
    fn varied_aspects(&self) -> impl Iterator<Item = Aspect> {
        let ways: Vec<Way> = self.targets.iter().filter_map(|target| target.reach.way()).collect();
        let differ = |of: fn(&Way) -> Way| ways.iter().any(|way| of(way) != of(&ways[0]));
        let path = differ(|way| Way { cpus: None, ..*way }).then_some(Aspect::Path);
        let limits = ways.iter().any(|way| way.cpus != ways[0].cpus).then_some(Aspect::Platform);
        path.into_iter().chain(limits)
    }
}

impl Reach {
    /// The way to a server that pgdyno starts.
    #[must_use]
    pub fn way(&self) -> Option<Way> {
        match self {
            Self::Url(_) => None,
            Self::Local(local) => Some(local.way),
            Self::Shared(shared) => Some(shared.way),
        }
    }
}

impl Target {
    /// Every setting that the plan gives to this target (knobs, settings, options of initdb that show as settings), by
    /// name in lower case.
    fn given_settings(&self) -> Settings {
        let mut given = Settings::new();
        if let Reach::Local(local) = &self.reach {
            given.insert("wal_segment_size".to_owned(), local.initdb.wal_segment_size.to_string());
            if let Some(on) = local.initdb.data_checksums {
                given.insert("data_checksums".to_owned(), on.to_string());
            }
            given.extend(local.settings.iter().map(|(name, value)| (name.to_lowercase(), value.clone())));
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
    (cpus / 2).clamp(1, 8)
}
