//! What pgdyno asks of a Kubernetes cluster: where a PostgreSQL of it is, who may log in, by which ways it is reached,
//! and what it runs on.
//!
//! A crate of its own for its dependencies: nothing else knows kube-rs. What an object says is read in pure functions,
//! tested on objects of a real cluster; [`Api`] alone talks. Nothing there is changed but what [`CreatedServer`]
//! lists, which is pgdyno's own, and the settings and the image ([`ChangedCluster`]), the primary ([`Disruption`]) and
//! the primary's node ([`Cordoned`]) of a cluster whose owner lets them be changed.

mod api;
mod await_ready;
mod cnpg;
mod converse;
mod describe;
mod disruption;
mod drain;
mod error;
mod fate;
mod find;
mod login;
mod make;
mod pods;
mod program;
pub mod rights;
mod service;
mod settings;
mod shell;
mod steps;
mod watch;

pub use api::Api;
pub use converse::{Conversation, Speaking};
pub use describe::ObjectFactGaps;
pub use disruption::{Act, Before, Disruption, FollowedDisruption, Hands, NodeCommands, Patience};
pub use drain::Cordoned;
pub use error::ClusterError;
pub use find::{CaObject, FoundPostgres, LoginSecret, Sought, UNVERIFIED, Which, find_server};
pub use login::ClusterLogin;
pub use make::{CreatedServer, ObjectOf, Removed};
pub use program::{Course, ProgramJob};
pub use service::{Endpoint, ServiceWay};
pub use settings::{ChangedCluster, Update};
pub use shell::{RemoteShell, Space};
