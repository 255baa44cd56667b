//! How the host of a server is read: as this machine, which takes proof, by an agent on it, or not at all.
//!
//! An address proves nothing: a port of this machine may be forwarded from anywhere (ssh -L, kubectl port-forward), and
//! process ids mean something else there.

mod carrier;
pub mod copied;
mod here;
mod messages;
mod restore;
mod restore_answer;
mod whereabouts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use conninfo::ConnInfo;
use results::facts;
use tokio_postgres::Client;

use crate::error::Cause;
use crate::facts::host::{self, HostFactGaps};
use crate::reach;
use here::ProcessMachine;

pub use carrier::{Carrier, PodShell, by_ssh};
pub use messages::{AgentAnswer, AgentOrder, DiskThere, FioEnd, FioResult, Numbered, PROTOCOL, Undone};
pub(crate) use restore::restore_there;
pub use whereabouts::{BackendProcess, Whereabouts};

/// How the host of a server is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostAccess {
    /// It is this machine, on which the server's processes have been found.
    Here(Whereabouts),
    /// By an agent that is started on it.
    Agent {
        /// How.
        carrier: Carrier,
        /// Whether it is this machine all the same.
        is_here: bool,
    },
    /// Not at all.
    Unreachable {
        /// Why not, for people.
        why: String,
    },
}

impl HostAccess {
    /// Whether the server shares this machine with the load.
    #[must_use]
    pub fn is_here(&self) -> bool {
        match self {
            Self::Here(_) => true,
            Self::Agent { is_here, .. } => *is_here,
            Self::Unreachable { .. } => false,
        }
    }
}

/// An open session, by whose process its server can be found on its host.
pub struct SessionOnHost {
    /// The session, which has to stay open while its process is looked for.
    pub client: Client,
    /// Its process.
    pub backend: BackendProcess,
}

impl SessionOnHost {
    pub(crate) async fn open_session(conninfo: &ConnInfo) -> Result<Self, Cause> {
        let client = reach::connect_and_check_version(conninfo).await?;
        let row = client.query_one(include_str!("../sql/backend.sql"), &[]).await;
        let row = row.map_err(|error| reach::classify_postgres_error(&error, conninfo))?;
        let directory: Option<String> = row.get("data_directory");
        let backend = BackendProcess {
            backend_pid: row.get("backend_pid"),
            backend_started_us: row.get("backend_started_us"),
            data_directory: directory.map(PathBuf::from),
        };
        Ok(Self { client, backend })
    }
}

/// Looks for the process of a session on this machine.
pub(crate) fn look_here(backend: &BackendProcess) -> Option<Whereabouts> {
    process_here(backend).map(|(_, server)| server)
}

/// The process of a session on this machine, and its server.
#[must_use]
pub fn process_here(backend: &BackendProcess) -> Option<(i32, Whereabouts)> {
    ProcessMachine::this_machine().find_session_process(backend)
}

/// This machine as the host of a server elsewhere.
#[derive(Debug)]
pub struct HostHere {
    /// Its facts; none if the essentials could not be read.
    pub host: Option<facts::HostFacts>,
    /// What could not be read, and why.
    pub gaps: BTreeMap<String, String>,
    /// Where the server is on it, if it was found.
    pub server: Option<Whereabouts>,
}

/// Reads this machine for a server one of whose sessions has this process here: what an agent does.
#[must_use]
pub fn host_here(backend: &BackendProcess) -> HostHere {
    let mut gaps = HostFactGaps::new();
    let server = look_here(backend);
    if server.is_none() {
        let why = "no process on the agent's host belongs to the server: the server may run on another host or in a \
             container";
        gaps.insert("host.server".to_owned(), why.to_owned());
    }
    let host = host::read_host_facts(Path::new("/"), server.as_ref(), &mut gaps);
    HostHere { host, gaps, server }
}
