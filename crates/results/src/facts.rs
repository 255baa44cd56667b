//! `targets/<name>.json`: what a target turned out to be, as READ BACK from the server and its host.

use std::collections::BTreeMap;
use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The newest format of `targets/<name>.json`.
pub const FORMAT: u32 = 1;

/// The gap of a target whose role may not see what the probes of its server need.
pub const MONITORING: &str = "monitoring";

/// The gap of a target whose role sees only a part of the settings.
pub const SETTINGS: &str = "settings";

/// The gap of a target of which the limits of its control group are not known.
pub const HOST_CGROUP: &str = "host.cgroup";

/// Everything known about one target at one instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TargetFacts {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The target's name in the plan.
    pub name: String,
    /// How it was reached or provisioned.
    pub platform: Platform,
    /// When the facts were read.
    pub read_at: Timestamp,
    /// The path of the load's connections.
    pub path: Path,
    /// The server.
    pub server: ServerFacts,
    /// Those that follow the server (`pg_stat_replication`); absent where that could not be read, and in runs of the
    /// first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standbys: Option<Vec<StandbyFacts>>,
    /// Every row of `pg_settings` whose source is not `default`, and every one that a setting or a rule asked for.
    pub settings: BTreeMap<String, ServerSetting>,
    /// The host of the server, where it is this machine or an agent reads it; absent otherwise.
    pub host: Option<HostFacts>,
    /// What the platform says of the server; absent where there is none to ask.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of_platform: Option<OfPlatform>,
    /// The limits that pgdyno has set for the server, as the kernel showed them; empty without limits, and in runs of
    /// the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<ReadBackLimit>,
    /// The agent that read the facts of the host, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<AgentFacts>,
    /// Facts that could not be read, each with its reason: a gap, never a zero.
    pub gaps: BTreeMap<String, String>,
}

/// A limit of a server, read back from the kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBackLimit {
    /// The key of the plan, such as `read_iops`.
    pub key: String,
    /// The limit, such as `300/s`.
    pub value: String,
    /// Where it was read, and what stood there.
    pub source: String,
}

/// One that follows a server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandbyFacts {
    /// What it calls itself.
    pub name: String,
    /// How far it is: `streaming` once it has caught up.
    pub state: String,
    /// Whether commits wait for it: `sync`, `quorum`, `potential`, `async`.
    pub sync_state: String,
}

/// What the platform of a server, such as Kubernetes, says of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OfPlatform {
    /// By a name for people: image, limits, node, volume, …
    pub facts: BTreeMap<String, PlatformFact>,
    /// The names of the PostgreSQL settings that an operator chooses by itself, so that their differences are told as
    /// its doing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set_by_operator: Vec<String>,
}

/// One thing that the platform of a server says of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlatformFact {
    /// Its value.
    pub value: String,
    /// Where it was read: the object and its field.
    pub source: String,
    /// What it is about.
    pub about: FactSubject,
}

/// What a fact of the platform is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactSubject {
    /// How the server is run: versions, image, limits, sidecars.
    Platform,
    /// The machine and the volume below it.
    Hardware,
    /// What the operator does by itself, and a server without one does not.
    Operator,
}

/// The agent on a target's host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentFacts {
    /// Version of its pgdyno.
    pub version: String,
    /// How far its clock is ahead of pgdyno's, in microseconds, within half of `round_trip_us`.
    pub clock_offset_us: i64,
    /// The shortest of several round trips to it, in microseconds.
    pub round_trip_us: u64,
}

/// How a target is provided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Platform {
    /// A server that was there already, reached through a connection string.
    Url,
    /// A server that pgdyno started on this machine.
    Local,
    /// A server that was there already, in Kubernetes.
    Kubernetes,
}

/// The transport between the load engine and the server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// `unix` or `tcp`.
    pub transport: Transport,
    /// Socket directory or host name as connected to; never with a user's secret.
    pub address: String,
    /// Port number.
    pub port: u16,
    /// Whether the server is on this machine, on which its process was found. In runs of the first versions of pgdyno:
    /// whether the address seems to be this machine's.
    pub same_host: bool,
    /// What is known to be between, in the order in which a byte passes it, such as `veth`, `DNAT`, `TLS`: what pgdyno
    /// has put there itself, and the ways of Kubernetes (`Service pg-rw`, `pod network`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// What encrypts the load's connections, as both ends have agreed; absent where that was not found out, and in
    /// runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub encryption: Option<ConnectionEncryption>,
    /// The median of some round trips by the load engine, one after the other (`SELECT 1`), when the facts were read,
    /// in microseconds, from where the load is sent. Absent in runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round_trip_us: Option<u64>,
    /// The server's end of the load's connections, as the server sees it. Absent where that was not found out, and in
    /// runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_end: Option<ServerEnd>,
}

impl Path {
    /// Whether something on the way forwards connections, or translates their addresses: the server's end is not what
    /// was connected to. None where the server's end is not known.
    #[must_use]
    pub fn is_forwarded(&self) -> Option<bool> {
        let end = self.server_end.as_ref()?;
        Some(match (self.transport, end.port) {
            (Transport::Unix, port) => port.is_some(),
            (Transport::Tcp, None) => true,
            (Transport::Tcp, Some(port)) => {
                let connected_to: Option<IpAddr> = self.address.parse().ok();
                port != self.port || (connected_to.is_some() && connected_to != end.address)
            }
        })
    }
}

/// A server's end of a connection, as the server sees it (`inet_server_addr()`, `inet_server_port()`): neither of a
/// Unix-domain socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerEnd {
    /// Its address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<IpAddr>,
    /// Its port number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
}

/// What encrypts a connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionEncryption {
    /// Nothing does.
    Nothing,
    /// TLS.
    Tls {
        /// Its version, such as `TLSv1.3`.
        version: String,
        /// The cipher suite.
        cipher: String,
        /// The server's certificate; absent where it could not be read, and in runs of the first versions of pgdyno.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        certificate: Option<Certificate>,
    },
}

/// A server's certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Certificate {
    /// Whom it is for: `CN=db.example,O=Example`.
    pub subject: String,
    /// Who has signed it, likewise.
    pub issuer: String,
    /// When it ends; absent where that is beyond all instants, as of those that are meant to last for ever.
    pub not_after: Option<Timestamp>,
    /// The kind of its key: `RSA, 2048 bits`, `ECDSA, P-256`.
    pub key: String,
    /// What it is signed with: `SHA-256 with RSA`.
    pub signature: String,
}

/// A kind of socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Unix-domain socket.
    Unix,
    /// TCP.
    Tcp,
}

/// What the server says about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerFacts {
    /// The string of `SELECT version()`.
    pub version: String,
    /// `server_version_num`, for example 180006.
    pub version_num: u32,
    /// `pg_is_in_recovery()`.
    pub in_recovery: bool,
    /// `pg_postmaster_start_time()`.
    pub started_at: Option<Timestamp>,
    /// `current_database()`; absent in runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub database: Option<String>,
    /// `pg_database_size(current_database())` in bytes, once the data of the workloads are there. In runs of the first
    /// versions of pgdyno it may be from before.
    pub database_bytes: Option<u64>,
    /// The same of the databases that were made for data of several sizes, by their names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub databases: BTreeMap<String, u64>,
    /// Encoding, collation and provider of the database, for example `UTF8 C libc`.
    pub locale: Option<String>,
    /// How it was built; absent where the role may not see that, and in runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<ServerBuild>,
    /// The extensions of the database, with their versions; absent in runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub extensions: Option<BTreeMap<String, String>>,
    /// The tables of the dump that was restored, by name, before the first trial; absent where none was, or where they
    /// were too large to be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restored_tables: Option<BTreeMap<String, RestoredTable>>,
    /// How long the restore of the dump took; absent where none was restored for this run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restore_durations: Option<RestoreDurations>,
}

/// How long the restore of a dump took.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RestoreDurations {
    /// `pg_restore` or `psql`, in seconds.
    pub restore_s: f64,
    /// `VACUUM (FREEZE, ANALYZE)` afterwards, in seconds.
    pub vacuum_analyze_s: f64,
}

/// A restored table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestoredTable {
    /// Its rows.
    pub rows: u64,
    /// The sum of `hashtextextended(row::text, 0)` over its rows.
    pub checksum: String,
}

/// How a server was built, as its `pg_config` says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerBuild {
    /// Version and package, for example `PostgreSQL 17.5 (Debian 17.5-1.pgdg120+1)`.
    pub version: String,
    /// What `configure` was given; absent where that was not recorded.
    pub configure: Option<String>,
    /// The compiler's flags; absent where they were not recorded.
    pub cflags: Option<String>,
}

/// One row of `pg_settings`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSetting {
    /// Value as `current_setting()` prints it, with its unit (`128MB`).
    pub value: String,
    /// The built-in default (`boot_val` with its unit), if the server tells.
    pub default: Option<String>,
    /// `source` of `pg_settings` (`configuration file`, `command line`, ...).
    pub source: String,
    /// Whether a changed value waits for a restart.
    pub pending_restart: bool,
}

/// The machine that a server runs on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostFacts {
    /// Model name of the first CPU.
    pub cpu_model: Option<String>,
    /// Online logical CPUs.
    pub cpus: u32,
    /// Its NUMA nodes that are online, by number; absent where that could not be read, and in runs of the first
    /// versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numa_nodes: Option<Vec<NumaNode>>,
    /// Physical memory in bytes.
    pub memory_bytes: u64,
    /// Kernel release, for example `6.18.44`.
    pub kernel: String,
    /// Distribution, from `os-release`.
    pub os: Option<String>,
    /// Hypervisor or container runtime where recognisable.
    pub virtualization: Option<String>,
    /// Whose machine it is; absent where its firmware does not say, and in runs of the first versions of pgdyno.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<MachineFirmware>,
    /// The device and file system of the data directory.
    pub data_disk: Option<DataDirectoryDisk>,
    /// The same of its WAL (`pg_wal`), also where that lies with the data; absent in runs of before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wal_disk: Option<DataDirectoryDisk>,
    /// How the kernel is set, by sysctl's name or a plain one; only what this machine has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub kernel_settings: BTreeMap<String, String>,
    /// Limits of the cgroup that the server runs in; `gaps` has `host.cgroup` where they are not known.
    pub cgroup: CgroupLimits,
    /// The CPUs that the server's first process may run on: [`ALL_CPUS`], or a list (`0-3,8`). Absent where that is not
    /// known; in runs of the first versions of pgdyno also where these are all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pinned_to: Option<String>,
}

/// CPUs that have their memory in common.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumaNode {
    /// The kernel's number of it.
    pub number: u32,
    /// Its CPUs, as a list (`0-15,32-47`); empty for one that has memory only.
    pub cpus: String,
}

/// What the firmware of a machine says of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineFirmware {
    /// The cloud, or the hypervisor, by the marks that it leaves there: `Amazon EC2`, `Microsoft Azure`, `QEMU/KVM`;
    /// absent where none is known by them.
    pub provider: Option<String>,
    /// The cloud's type of instance, where its firmware names it: `m7g.large`.
    pub instance_type: Option<String>,
    /// The maker, as it stands.
    pub vendor: Option<String>,
    /// The model, as it stands.
    pub product: Option<String>,
}

/// Where a data directory lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataDirectoryDisk {
    /// Block device name (`vda`, `nvme0n1`), absent for file systems without one.
    pub device: Option<String>,
    /// Model string of the device.
    pub model: Option<String>,
    /// Vendor string of the device, where that is a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vendor: Option<String>,
    /// The disks that the device is made of (LVM, RAID, encryption); empty for a disk.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub made_of: Vec<DiskPart>,
    /// Whether the kernel calls it rotational.
    pub rotational: Option<bool>,
    /// File system type (`ext4`, `xfs`, `tmpfs`).
    pub filesystem: String,
    /// Mount options.
    pub mount_options: String,
    /// Size of the file system in bytes.
    pub size_bytes: u64,
    /// Free bytes when read.
    pub free_bytes: u64,
}

/// A disk that another device is made of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DiskPart {
    /// Block device name.
    pub device: String,
    /// Model string of the device.
    pub model: Option<String>,
}

/// What a process is said to run on that may run on every CPU of its machine.
pub const ALL_CPUS: &str = "all";

/// Limits of a control group; absent means no limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CgroupLimits {
    /// CPU quota in CPUs (quota / period).
    pub cpus: Option<f64>,
    /// Memory limit in bytes.
    pub memory_bytes: Option<u64>,
}

/// Settings that differ between any two servers and say nothing about their speed.
const IDENTITY_SETTINGS: &[&str] = &[
    "allow_alter_system",
    "application_name",
    "client_encoding",
    "cluster_name",
    "config_file",
    "data_directory",
    "DateStyle",
    "default_text_search_config",
    "event_source",
    "external_pid_file",
    "hba_file",
    "ident_file",
    "in_hot_standby",
    "lc_messages",
    "lc_monetary",
    "lc_numeric",
    "lc_time",
    "listen_addresses",
    // Those that pgdyno sets on its own servers, to hear what happens, are among them.
    "log_autovacuum_min_duration",
    "log_checkpoints",
    "log_destination",
    "log_directory",
    "log_file_mode",
    "log_filename",
    "log_line_prefix",
    "log_lock_waits",
    "log_temp_files",
    "log_timezone",
    "port",
    // Of a primary they say which of several servers that are the same it is by now.
    "primary_conninfo",
    "primary_slot_name",
    "restrict_nonsystem_relation_kind",
    "server_version",
    "server_version_num",
    "ssl_cert_file",
    "ssl_key_file",
    "stats_temp_directory",
    "TimeZone",
    "transaction_deferrable",
    "transaction_isolation",
    "transaction_read_only",
    "unix_socket_directories",
    "unix_socket_group",
    "unix_socket_permissions",
];

/// Whether a setting differs between any two servers and says nothing about their speed.
pub fn is_identity_setting(name: &str) -> bool {
    IDENTITY_SETTINGS.contains(&name)
}

/// `PostgreSQL 17.11` out of the long string of `version()`.
pub fn short_version(version: &str) -> String {
    version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}
