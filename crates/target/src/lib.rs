//! How a PostgreSQL is reached, provisioned and set.
//!
//! [`acquire`] turns a [`Spec`] and its knobs into a [`Target`]: a server that was found, or one that was started on
//! this machine and that nothing lets outlive pgdyno. What is decided (connection strings, configuration files,
//! versions, the meaning of a value) is computed apart from what is done. pgdyno changes nothing on a server that it
//! did not start.

pub mod conninfo;
pub mod embedded;
mod environment;
mod error;
mod facts;
mod guc;
mod knobs;
mod local;
mod reach;
mod target;

pub use conninfo::{ConnInfo, Host, Secret};
pub use environment::Environment;
pub use error::{Cause, TargetError};
pub use knobs::KnobError;
pub use local::programs::ProgramsError;
pub use local::{
    Failure, Initdb, LocalServer, LocalSpec, RESERVED_SETTINGS, SUPERVISE_ARGUMENT, Source, Transport, supervise,
};
pub use reach::ReachError;
pub use target::{Progress, Spec, Target, acquire};
