//! What keeps a server from serving.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why nothing can be served.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Another program has the port.
    #[error("could not listen on {0}: the port is in use")]
    InUse(SocketAddr),
    /// The system refused.
    #[error("could not listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// The system's answer.
        source: io::Error,
    },
    /// What was to be listened on is no socket that listens.
    #[error("could not listen: {0}")]
    NoListener(io::Error),
    /// There is nothing to serve.
    #[error("{} is not a directory", .0.display())]
    NoDirectory(PathBuf),
    /// The token of earlier could not be read or a new one not be kept.
    #[error("could not store the access token in {}: {source}", path.display())]
    Token {
        /// The file.
        path: PathBuf,
        /// The system's answer.
        source: io::Error,
    },
}

impl ServeError {
    pub(crate) fn from_listen_error(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Self::InUse(address),
            _ => Self::Listen { address, source },
        }
    }

    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::InUse(_) => "choose another port with --port, or omit --port to use a free port",
            Self::Listen { .. } => "use an address of this machine with --listen; the default is 127.0.0.1",
            Self::NoListener(_) => "omit --on-standard-input to let pgdyno open a port",
            Self::NoDirectory(_) => "use a run directory or a directory of run directories; `pgdyno run` creates runs/",
            Self::Token { .. } => "set XDG_STATE_HOME to a writable directory",
        }
    }
}
