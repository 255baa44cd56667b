//! What is made for the server of a target, and changed of this machine for it: a list of steps for each target,
//! computed from the plan alone. `plan explain` prints the steps, and the experiment does the same ones.

use std::fmt;
use std::path::PathBuf;

use super::language::SettingsByName;
use super::server_limits::ServerLimits;
use super::target::{Binaries, Filesystem, Local, Machine, Reach, Standby, Target, Via, Way};
use super::version::PostgresVersion;
use work::WordChoice as _;

/// A step of making a server, or the way to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerStep {
    /// A version is downloaded, unless it is there.
    Download(PostgresVersion),
    /// Installed programs are run.
    RunPrograms(PathBuf),
    /// A cluster is made, unless it was kept, and its server started.
    Start {
        /// Where its data lie; none: in a temporary directory.
        data_directory: Option<PathBuf>,
        /// Whether these stay.
        keep: bool,
    },
    /// Its WAL lies in a directory that is made in this one.
    Wal(PathBuf),
    /// A standby of it is made from its data.
    Standby(Standby),
    /// The server is given a certificate.
    Certificate,
    /// The load is given a network namespace of its own.
    Namespace,
    /// An address in that namespace leads to the server.
    Dnat,
    /// A PgBouncer is started before the server.
    Pooler,
    /// The server's processes are put into a control group.
    CpuGroup,
}

/// A change of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MachineStep {
    /// A file system for the data, before the server is started.
    Filesystem(Filesystem),
    /// Limits of what it may use, before the server is started.
    Limits(ServerLimits),
    /// Huge pages for its shared memory, once the server can say how many.
    HugePages,
    /// Values of the kernel, before each trial.
    Sysctl(SettingsByName),
}

impl ServerStep {
    /// Whether only root can do it.
    #[must_use]
    pub fn needs_root(&self) -> bool {
        match self {
            Self::Namespace | Self::Dnat | Self::CpuGroup => true,
            Self::Download(_)
            | Self::RunPrograms(_)
            | Self::Start { .. }
            | Self::Wal(_)
            | Self::Standby(_)
            | Self::Certificate
            | Self::Pooler => false,
        }
    }
}

impl MachineStep {
    /// The key of a target that asks for it.
    #[must_use]
    pub fn plan_key(&self) -> &'static str {
        match self {
            Self::Filesystem(_) => "filesystem",
            Self::Limits(_) => "limits",
            Self::HugePages => "huge_pages",
            Self::Sysctl(_) => "sysctl",
        }
    }
}

impl Target {
    /// What is changed of this machine for it; of another one, an agent changes it.
    #[must_use]
    pub fn machine_steps(&self) -> Vec<MachineStep> {
        if self.reach.is_url() { Vec::new() } else { self.machine.steps_for_machine() }
    }

    /// What is made for its server and the way to it, in this order.
    #[must_use]
    pub fn server_steps(&self) -> Vec<ServerStep> {
        match &self.reach {
            Reach::Url(_) | Reach::Kubernetes(_) => Vec::new(),
            Reach::Local(local) => of_local(local),
            Reach::Shared(shared) => shared.way.steps_for_way(),
        }
    }
}

fn of_local(Local { binaries, data_directory, wal_directory, keep, standby, way, .. }: &Local) -> Vec<ServerStep> {
    let programs = match binaries {
        Binaries::Version(version) => ServerStep::Download(*version),
        Binaries::Bin(directory) => ServerStep::RunPrograms(directory.clone()),
    };
    let start = ServerStep::Start { data_directory: data_directory.clone(), keep: *keep };
    let wal = wal_directory.clone().map(ServerStep::Wal);
    [programs, start]
        .into_iter()
        .chain(wal)
        .chain(standby.map(ServerStep::Standby))
        .chain(way.steps_for_way())
        .collect()
}

impl Way {
    /// What is built beside the server for it.
    #[must_use]
    pub fn steps_for_way(&self) -> Vec<ServerStep> {
        let entry: &[ServerStep] = match self.via {
            Via::Unix | Via::Tcp => &[],
            Via::Veth => &[ServerStep::Namespace],
            Via::Service => &[ServerStep::Namespace, ServerStep::Dnat],
        };
        let tls = self.tls.then_some(ServerStep::Certificate);
        let pooler = self.pgbouncer.then_some(ServerStep::Pooler);
        let cpu_group = self.cpus.map(|_| ServerStep::CpuGroup);
        tls.into_iter().chain(entry.iter().cloned()).chain(pooler).chain(cpu_group).collect()
    }
}

impl Machine {
    /// What is changed of the machine, in this order; all of it is for root to change.
    #[must_use]
    pub fn steps_for_machine(&self) -> Vec<MachineStep> {
        let filesystem = self.filesystem.map(MachineStep::Filesystem);
        let limits = self.limits.clone().map(MachineStep::Limits);
        let huge_pages = (self.huge_pages == Some(true)).then_some(MachineStep::HugePages);
        let sysctl = (!self.sysctl.is_empty()).then(|| MachineStep::Sysctl(self.sysctl.clone()));
        [filesystem, limits, huge_pages, sysctl].into_iter().flatten().collect()
    }
}

impl fmt::Display for ServerStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Download(version) if !version.has_embedded_binaries() => {
                write!(f, "runs the installed binaries of PostgreSQL {version}, which Maven Central does not have yet")
            }
            Self::Download(version) => write!(
                f,
                "downloads PostgreSQL {version} from Maven Central into the user's cache directory, unless it is cached"
            ),
            Self::RunPrograms(directory) => write!(f, "runs the binaries in {}", directory.display()),
            Self::Start { data_directory, keep } => {
                f.write_str("creates and starts a server ")?;
                match data_directory {
                    Some(directory) => write!(f, "in {}", directory.display())?,
                    None => f.write_str("in a temporary directory")?,
                }
                f.write_str(if *keep {
                    ", stopped at the end, its data kept"
                } else {
                    ", stopped and removed at the end"
                })
            }
            Self::Wal(parent) => write!(f, "puts its WAL into a new directory in {}", parent.display()),
            Self::Standby(kind) => write!(
                f,
                "starts a {} standby from a copy of its data in a temporary directory, removed at the end",
                kind.as_word()
            ),
            Self::Certificate => f.write_str("creates a certificate for the server"),
            Self::Namespace => f.write_str(
                "runs the load in a network namespace behind a veth pair (10.213.0.0/18), removed at the end; requires \
                 root",
            ),
            Self::Dnat => f.write_str("adds a DNAT rule to that namespace"),
            Self::Pooler => f.write_str("runs the installed PgBouncer before the server"),
            Self::CpuGroup => f.write_str("puts the server into a control group, removed at the end; requires root"),
        }
    }
}

impl fmt::Display for MachineStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Filesystem(Filesystem { kind, size }) => write!(
                f,
                "as root: creates a file system ({}, {size}) in an image on a loop device, mounts it, removed at the \
                 end",
                kind.as_word()
            ),
            Self::Limits(limits) => {
                let since = if limits.limit_data_creation { "from its start on" } else { "once its data are created" };
                write!(
                    f,
                    "as root: limits the server by control groups or its route ({limits}) {since}, removed at the end"
                )
            }
            Self::HugePages => {
                f.write_str("as root: reserves huge pages for its shared memory, and releases them at the end")
            }
            Self::Sysctl(values) => {
                let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                let values = values.join(", ");
                write!(f, "as root: sets {values} in the kernel for each of its trials, and restores them afterwards")
            }
        }
    }
}
