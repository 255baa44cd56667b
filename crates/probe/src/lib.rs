//! Telemetry readers: the host's `/proc`, and PostgreSQL's statistics views.

mod counter;
mod host;
mod series;

pub use host::HostScope;
