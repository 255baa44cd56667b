//! Why a proxy cannot start, or its capture is not complete.

use std::net::SocketAddr;

/// Why a proxy cannot start, or its capture is not complete.
#[derive(Debug, thiserror::Error)]
pub enum ProxyError {
    /// The address cannot be listened on.
    #[error("could not listen on {address}: {source}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The system's answer.
        source: std::io::Error,
    },
    /// No host of the server has an address.
    #[error("could not look up the server {server}: {source}")]
    Resolve {
        /// The server.
        server: String,
        /// The system's answer.
        source: std::io::Error,
    },
    /// The certificate or the key of the proxy cannot be used.
    #[error("could not use the certificate and the key of the proxy: {0}")]
    Identity(String),
    /// Threads or their events are refused by the system.
    #[error("could not start the proxy: {0}")]
    System(#[from] std::io::Error),
    /// The capture directory cannot be written.
    #[error("the capture is not complete: {0}")]
    Capture(String),
}
