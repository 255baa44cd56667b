//! A proxy between clients and a PostgreSQL server: sessions pass through it, and what they do is recorded.
//!
//! Promises: bytes are passed on before anything else is done with them, and never wait for the recording, which
//! falls behind in bounded memory only; what is lost then is counted. Nothing of a login is recorded. Leaves out:
//! pooling, and any connection of its own to the server.

#![warn(missing_docs)]

mod endpoint;
mod error;
mod login_messages;
mod options;
mod passed_messages;
mod passed_session;
mod recording;
mod running_proxy;
mod server_addresses;
mod shared_route;
mod startup_packet;
mod tap;
mod tls_identity;
mod worker;

pub use error::ProxyError;
pub use options::{DEFAULT_MEMORY_BYTES, ProxyIdentity, ProxyOptions};
pub use running_proxy::{RunningProxy, start_proxy};
