//! Where a server is on its host, and the process of it by which it is found there.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Where a server is on the machine that looks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// Its first process.
    pub postmaster_pid: u32,
    /// Its data directory; absent where the role may not see it, or where it is a path within a container.
    pub data_directory: Option<PathBuf>,
}

/// The process that serves a session, as the server itself describes it: by this it is found on its host, and told from
/// processes of other hosts that have the same id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendProcess {
    /// Its id, as the server has it.
    pub backend_pid: i32,
    /// When it began, in microseconds since 1970 by its host's clock; absent where the server does not tell.
    pub backend_started_us: Option<i64>,
    /// The server's data directory; absent where the role may not see it.
    pub data_directory: Option<PathBuf>,
}
