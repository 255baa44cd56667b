//! What is passed on, and where to.

use std::net::SocketAddr;

use conninfo::ConnInfo;

/// Memory for what is not recorded yet, where nobody says otherwise: 256 MiB.
pub const DEFAULT_MEMORY_BYTES: usize = 256 << 20;

/// What is passed on, and where to.
#[derive(Debug, Clone)]
pub struct ProxyOptions {
    /// Where clients connect.
    pub listen: Vec<SocketAddr>,
    /// The server: its hosts, and how connections to it are encrypted. Clients log in themselves.
    pub server: ConnInfo,
    /// What clients are shown that ask for TLS; without it they are told that there is none.
    pub identity: Option<ProxyIdentity>,
    /// Only sessions of this database are recorded.
    pub database: Option<String>,
    /// Only sessions of this user are recorded.
    pub user: Option<String>,
    /// Bytes of traffic that wait to be recorded at most.
    pub memory_bytes: usize,
    /// Threads that pass bytes on.
    pub threads: usize,
}

/// A certificate with those that lead to its authority, and its key, in PEM.
#[derive(Clone)]
pub struct ProxyIdentity {
    /// The certificates.
    pub certificates: Vec<u8>,
    /// The key, without a pass phrase.
    pub key: Vec<u8>,
}

impl std::fmt::Debug for ProxyIdentity {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProxyIdentity").finish_non_exhaustive()
    }
}
