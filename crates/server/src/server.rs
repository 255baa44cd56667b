//! What every kind of server is asked and told. Kinds: [`crate::found`], [`crate::kubernetes`], [`crate::local`],
//! [`crate::shared`].
//!
//! No method has a default, so that the compiler asks a new kind every question. Whoever works with a target asks what its
//! server can do, never which kind it is.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use cluster::{Disruption, Followed};
use conninfo::ConnInfo;
use jiff::Timestamp;
use results::facts::{OfPlatform, Platform};

use crate::error::Cause;
use crate::facts::host::Gaps;
use crate::host_access::HostAccess;
use crate::local::{Disturbance, Failure, Route, ServerView};
use crate::target_settings::SettingError;

/// Where in Kubernetes a password is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretKey {
    /// The context of the kubeconfig; none: the current one.
    pub context: Option<String>,
    /// The namespace.
    pub namespace: String,
    /// The Secret.
    pub secret: String,
    /// The key in it.
    pub key: String,
}

/// The PostgreSQL behind a target, and the ways to it.
#[async_trait]
pub(crate) trait Server: fmt::Debug + Send + Sync {
    /// How it came to be, as the facts record it.
    fn platform(&self) -> Platform;

    /// The connection of the load. Its sessions carry the settings, where these are not the whole server's.
    fn load(&self) -> &ConnInfo;

    /// The connection of the control plane, whose sessions carry no settings.
    fn control(&self) -> &ConnInfo;

    /// The Secret of Kubernetes that its password is from; none where it is from elsewhere.
    fn secret(&self) -> Option<SecretKey>;

    /// The addresses of the machine or the pod that it was found in, one of which every connection to it ends at; empty
    /// where nobody tells.
    fn own_addresses(&self) -> &[IpAddr];

    /// What is known to be between the load and the server, in the order in which a byte passes it.
    fn layers(&self) -> Vec<String>;

    /// What the platform says of it, and what may not be read of that; none where there is no platform to ask.
    fn of_platform(&self) -> Option<(OfPlatform, Gaps)>;

    /// The names of the settings that the plan gives it besides settings.
    fn given_settings(&self) -> Vec<&str>;

    /// Whether this setting may be a setting of it, as far as that is known without asking it.
    fn can_set(&self, setting: &str) -> Result<(), SettingError>;

    /// Whether it can be stopped and started again, which empties its caches.
    fn can_restart(&self) -> bool;

    /// Whether pgdyno made it, and may change what outlasts a session.
    fn is_made_by_pgdyno(&self) -> bool;

    /// Its data directory, where that is known to be on this machine.
    fn data_directory(&self) -> Option<&Path>;

    /// Its log, where that is a file of this machine; otherwise the server itself is asked for it.
    fn log_file(&self) -> Option<PathBuf>;

    /// The process on this machine that pgdyno supervises, if it is one.
    fn supervised(&self) -> Option<&ServerView>;

    /// How its host is read. Asks the server where that takes proof.
    async fn host(&self) -> Result<HostAccess, Cause>;

    /// The same server by another route, with a limit of its CPUs; none if it has one way only.
    fn share(&self, route: Route, cpus: Option<f64>) -> Option<Result<Box<dyn Server>, Failure>>;

    /// Gives it the CPUs that this target allows it, before a trial; targets that share a server take turns.
    fn take_turn(&self) -> Result<(), Cause>;

    /// Whether what pgdyno knows of it without asking it says that it runs.
    async fn check(&self) -> Result<(), Cause>;

    /// Has it, or the load's sessions, work with these settings and no others. The connections may be others afterwards.
    async fn set(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause>;

    /// Has it work with these settings again, where another target of the same server has others that are the whole server's;
    /// whether it did.
    async fn take_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<bool, Cause>;

    /// Whether it is not any more what it was made as, after a disturbance, until [`Server::set`].
    fn must_restart(&self) -> bool;

    /// Ends it in this way and brings it back, at the addresses at which it is looked for; none if nobody here can.
    async fn disturb(&mut self, how: Disturbance) -> Option<Result<(), Cause>>;

    /// Has the cluster that it is the primary of go through this, and follows it until that is healthy again; none if it
    /// is in none. Where it is then, [`Server::find_again`] finds out.
    async fn disrupt(&self, what: &Disruption, followed: &mut Followed) -> Option<Result<(), Cause>>;

    /// What has become of its pod since then, beside a server that runs on; none if it has none, or nothing has.
    async fn fate(&self, since: Timestamp) -> Result<Option<String>, Cause>;

    /// Finds it where it is by now, once it takes connections again, and gives the load's sessions these settings. One
    /// whose addresses are its own stays where it is.
    async fn find_again(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause>;

    /// Lets go of it: what pgdyno made of it is removed.
    async fn release(self: Box<Self>) -> Result<(), Cause>;
}
