//! What a run of the load engine is asked to do. Plain data; checking it needs no server.

use crate::script::Script;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

/// One closed-loop run: `clients` connections over `threads` threads run `scripts` against `server`, first for `warm_up`
/// and then for `measure`.
#[derive(Debug, Clone)]
pub struct Job {
    /// Where to.
    pub server: Server,
    /// What to run; which one a client runs next is drawn by weight. Not empty.
    pub scripts: Vec<Weighted>,
    /// How statements are sent.
    pub mode: QueryMode,
    /// Connections, each with one transaction at a time.
    pub clients: NonZeroU32,
    /// Threads that share the clients; more threads than clients are not started.
    pub threads: NonZeroU32,
    /// How long the load runs before it is measured; may be zero.
    pub warm_up: Duration,
    /// How long it is measured; not zero.
    pub measure: Duration,
    /// The same seed gives each client the same operations in the same order.
    pub seed: u64,
    /// The value of the script variable `scale`.
    pub scale: u32,
}

/// A script and how often it is chosen, relative to the others of its job.
#[derive(Debug, Clone)]
pub struct Weighted {
    /// The script.
    pub script: Script,
    /// Its weight.
    pub weight: NonZeroU32,
}

impl Weighted {
    /// A script that is as likely as any other with weight 1; what a job with one script has.
    pub fn one(script: Script) -> Weighted {
        Weighted { script, weight: NonZeroU32::MIN }
    }
}

/// How statements reach the server; what pgbench calls `--protocol`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryMode {
    /// The simple protocol: variables are substituted as text.
    Simple,
    /// The extended protocol: variables are parameters, every statement is parsed anew.
    Extended,
    /// The extended protocol with statements prepared once per connection.
    #[default]
    Prepared,
}

/// Where the server is and how to log in.
#[derive(Debug, Clone)]
pub struct Server {
    /// Its address.
    pub endpoint: Endpoint,
    /// The role.
    pub user: String,
    /// Its password, if it may be asked for.
    pub password: Option<Secret>,
    /// The database.
    pub database: String,
    /// Settings as command-line options, such as `-c work_mem=64MB`.
    pub options: Option<String>,
    /// What the server shows in `pg_stat_activity`.
    pub application_name: String,
}

/// The address of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// A host name or address, and a port.
    Tcp {
        /// Host name or address; all its addresses are tried in turn.
        host: String,
        /// The port.
        port: u16,
    },
    /// A unix socket.
    Unix {
        /// The path of the socket itself, such as `/run/postgresql/.s.PGSQL.5432`.
        path: PathBuf,
    },
}

impl fmt::Display for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Endpoint::Tcp { host, port } if host.contains(':') => write!(f, "[{host}]:{port}"),
            Endpoint::Tcp { host, port } => write!(f, "{host}:{port}"),
            Endpoint::Unix { path } => write!(f, "{}", path.display()),
        }
    }
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Keeps `text` from being shown.
    pub fn new(text: impl Into<String>) -> Secret {
        Secret(text.into())
    }

    /// The text, for the one place that needs it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
