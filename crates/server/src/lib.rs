//! How a PostgreSQL is reached, provisioned and set.
//!
//! [`acquire_target`] turns a [`PostgresSpec`] and its settings into a [`Target`]: a server that was found, by a connection string or in
//! Kubernetes, or one that was started on this machine and that nothing lets outlive pgdyno. What is decided (connection strings, configuration files,
//! versions, the meaning of a value) is computed apart from what is done. pgdyno changes nothing on a server that it
//! did not start, but by its owner's consent ([`changed_by_agent`]).

mod alternating;
pub mod changed_by_agent;
mod changed_in_kubernetes;
pub mod embedded;
mod environment;
mod error;
mod facts;
mod found;
mod guc;
mod host_access;
pub mod image;
pub mod journal;
mod kubernetes;
pub mod limits;
mod local;
mod made_in_kubernetes;
mod node_in_kubernetes;
pub mod page_cache;
pub mod processes;
mod progress;
mod reach;
mod remains;
pub mod rights;
mod same_server;
mod server;
mod shared;
mod target;
mod target_settings;
mod undo_in_kubernetes;

pub use alternating::{AlternatingServers, StoppableServer};
pub use environment::{Environment, read_file};
pub use error::{Cause, TargetError};
pub use facts::disk_of;
pub use found::FoundSpec;
pub use host_access::{
    AgentAnswer, AgentOrder, BackendProcess, Carrier, DiskThere, FioEnd, FioResult, HostAccess, HostHere, Numbered,
    PROTOCOL, PodShell, SessionOnHost, Undone, Whereabouts, by_ssh, copied, host_here, process_here,
};
pub use kubernetes::KubernetesSpec;
pub use local::programs::ProgramsError;
pub use local::{
    CommandOutcome, Disturbance, Failure, InitdbOptions, LoadRoute, LocalSpec, NetworkLimits, Pooling, ProgramSource,
    RouteEntry, RouteLayers, SUPERVISE_ARGUMENT, ScratchCommand, ScratchCommands, ServerView, StandbyMode,
    run_as_supervisor,
};
pub use made_in_kubernetes::{KubernetesCreation, MakeSpec};
pub use progress::AcquireProgress;
pub use reach::ReachError;
pub use same_server::OtherServer;
pub use server::PasswordSecretKey;
pub use target::{PostgresSpec, Target, acquire_target};
pub use target_settings::SettingError;
