//! Telemetry readers: the host's `/proc` and PostgreSQL's statistics views, asked once a second, and what the load's
//! sessions are doing and where the server's processes sleep, sampled ten times a second.
//!
//! Every reader keeps the snapshot before and hands out the difference with the time it spans and the time the reading
//! itself took. What could not be read, or whose counters started anew, is a gap with its reason: never a zero, never a
//! negative number. Nothing here draws a conclusion or writes a file.
//!
//! The names of probes and figures are the constants of [`results::probe_fields`]. Adding a probe of the host is one
//! file in `host/` implementing `Source`; one of PostgreSQL is a `.sql` file per minimum server version and a line in
//! `postgres/queries.rs`.

mod activity;
mod catalog;
mod compression;
mod counter;
mod counts;
mod host;
mod off_cpu;
#[cfg(test)]
mod parent_process;
mod plans;
mod pooler;
mod postgres;
mod probes;
mod profile;
mod series;
mod server_log;
mod standby;
mod statements;
mod tables;
mod time_limit;

pub use activity::{ActivitySampling, LoadProcesses, Pause};
pub use counts::CountsReader;
pub use host::{CpuTime, HostScope};
pub use off_cpu::OffCpuSampler;
pub use plans::{Unexplained, explain_statements, plan_statements};
pub use probes::Probes;
pub use profile::Profiler;
pub use server_log::{KeptLog, LogReader};
