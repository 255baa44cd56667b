//! Telemetry readers, asked once a second: the host's `/proc` and PostgreSQL's statistics views.
//!
//! Every reader keeps the snapshot before and hands out the difference with the time it spans and the time the reading
//! itself took. What could not be read, or whose counters started anew, is a gap with its reason: never a zero, never a
//! negative number. Nothing here draws a conclusion or writes a file.
//!
//! Adding a probe of the host is one file in `host/` implementing `Source`; one of PostgreSQL is a `.sql` file per
//! minimum server version and a line in `postgres/queries.rs`.

mod counter;
mod host;
mod postgres;
mod probes;
mod series;

pub use host::HostScope;
pub use probes::Probes;
