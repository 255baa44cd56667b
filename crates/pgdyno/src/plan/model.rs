//! What a plan says, once it has been read: typed, complete and consistent with itself.
//!
//! A `Plan` comes from [`parse`](super::parse) only, which has checked all that can be checked without a server. Targets,
//! workloads and clients keep the order of the file. What only the machine can supply (`threads`, `seed`) is optional
//! here until [`Plan::complete`] fills it in.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use super::secret::ServerUrl;
use super::units::{Percent, WalSegmentSize};

/// PostgreSQL settings by name, as text.
pub type Settings = BTreeMap<String, String>;

/// A whole plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What the experiment asks, in the person's words; one line.
    pub name: String,
    /// The servers to measure, at least one, in the order of the file.
    pub targets: Vec<Target>,
    /// The name of the target that the others are compared with.
    pub baseline: String,
    /// What may differ between the targets without being reported as a confounder, as the file says it; see
    /// [`Plan::allowed_differences`] for what the knobs add.
    pub may_differ: BTreeSet<Difference>,
    /// What to execute, at least one, in the order of the file.
    pub workloads: Vec<Workload>,
    /// The numbers of clients of the closed loop, at least one, each once, in the order of the file.
    pub clients: Vec<u32>,
    /// Threads of the load engine; absent until chosen from the machine's CPUs.
    pub threads: Option<u32>,
    /// The phases of every trial.
    pub trial: TrialPhases,
    /// How often everything is repeated.
    pub blocks: Blocks,
    /// The smallest change worth acting on.
    pub practical_threshold: Percent,
    /// Whether the baseline is measured a second time in every comparison.
    pub noise_floor: bool,
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
}

/// How a target is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reach {
    /// A server that runs already.
    Url(ServerUrl),
    /// A server that pgdyno makes and starts on this machine.
    Local(Local),
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
    /// How the clients connect to it.
    pub via: Via,
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

/// One workload: a built-in script on its data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its name, unique in the plan and safe as a file name.
    pub name: String,
    /// The script.
    pub builtin: Builtin,
    /// pgbench's scale factor: 100 000 accounts, about 15 MiB, each.
    pub scale: u32,
    /// How statements are sent.
    pub mode: Mode,
    /// Who makes the data.
    pub data: Data,
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
}

impl Word for Via {
    const ALL: &'static [Self] = &[Self::Unix, Self::Tcp];

    fn word(self) -> &'static str {
        match self {
            Self::Unix => "unix",
            Self::Tcp => "tcp",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Unix => "through a Unix-domain socket",
            Self::Tcp => "through TCP on the loopback interface",
        }
    }
}

/// The built-in scripts, as pgbench has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    /// Three updates, a select and an insert in a transaction.
    TpcbLike,
    /// `tpcb-like` without the updates of tellers and branches.
    SimpleUpdate,
    /// One select by primary key.
    SelectOnly,
}

impl Builtin {
    /// Whether its transactions change data.
    #[must_use]
    pub fn writes(self) -> bool {
        match self {
            Self::TpcbLike | Self::SimpleUpdate => true,
            Self::SelectOnly => false,
        }
    }
}

impl Word for Builtin {
    const ALL: &'static [Self] = &[Self::TpcbLike, Self::SimpleUpdate, Self::SelectOnly];

    fn word(self) -> &'static str {
        match self {
            Self::TpcbLike => "tpcb-like",
            Self::SimpleUpdate => "simple-update",
            Self::SelectOnly => "select-only",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::TpcbLike => "three updates, a select and an insert in one transaction",
            Self::SimpleUpdate => {
                "tpcb-like without the updates of tellers and branches, for which clients wait in line"
            }
            Self::SelectOnly => "one select by primary key",
        }
    }
}

/// How statements are sent, as pgbench's `-M`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The simple query protocol.
    Simple,
    /// The extended protocol, parsed every time.
    Extended,
    /// The extended protocol with named prepared statements.
    Prepared,
}

impl Word for Mode {
    const ALL: &'static [Self] = &[Self::Simple, Self::Extended, Self::Prepared];

    fn word(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Extended => "extended",
            Self::Prepared => "prepared",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Simple => "the simple query protocol, values in the text",
            Self::Extended => "the extended protocol, each statement parsed every time",
            Self::Prepared => "the extended protocol, each statement prepared once per connection",
        }
    }
}

/// Who makes the data of a workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Data {
    /// pgdyno makes the tables and keeps them alike from trial to trial.
    Managed,
    /// The tables are there already and are used as they are.
    Existing,
}

impl Word for Data {
    const ALL: &'static [Self] = &[Self::Managed, Self::Existing];

    fn word(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::Existing => "existing",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Managed => {
                "pgdyno makes the tables, checks them, and brings them to the same state before every trial"
            }
            Self::Existing => "the tables are there already; they are neither made nor filled",
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
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aspect(aspect) => f.write_str(aspect.word()),
            Self::Setting(name) => f.write_str(name),
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

    /// What may differ: the plan's `may_differ`, and every setting that the plan itself gives to the targets unlike,
    /// since that is what it compares.
    #[must_use]
    pub fn allowed_differences(&self) -> BTreeSet<Difference> {
        let given: Vec<Settings> = self.targets.iter().map(Target::given_settings).collect();
        let names: BTreeSet<&String> = given.iter().flat_map(Settings::keys).collect();
        let varied =
            names.into_iter().filter(|name| given.iter().any(|settings| settings.get(*name) != given[0].get(*name)));
        self.may_differ.iter().cloned().chain(varied.cloned().map(Difference::Setting)).collect()
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
        given
    }
}

/// The load threads when the plan names none: half of the CPUs, since a local server needs the others, at least 1 and at
/// most 8, which one machine's network does not outrun.
#[must_use]
pub fn default_threads(cpus: u32) -> u32 {
    (cpus / 2).clamp(1, 8)
}
