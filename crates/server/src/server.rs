//! What every kind of server is asked and told. Kinds: [`crate::found`], [`crate::kubernetes`], [`crate::local`],
//! [`crate::shared`].
//!
//! No method has a default, so that the compiler asks a new kind every question. What only some kinds can do is a trait of
//! its own, which a kind has or has not. Whoever works with a target asks what its server can do, never which kind it is.

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;

use async_trait::async_trait;
use cluster::{Disruption, FollowedDisruption};
use conninfo::ConnInfo;
use jiff::Timestamp;
use results::facts::{OfPlatform, Platform};

use crate::error::Cause;
use crate::facts::host::HostFactGaps;
use crate::host_access::HostAccess;
use crate::local::{Disturbance, Failure, LoadRoute, ServerView};
use crate::target_settings::SettingError;

/// Where in Kubernetes a password is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PasswordSecretKey {
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
pub(crate) trait TargetServer: fmt::Debug + Send + Sync {
    /// How it came to be, as the facts record it.
    fn platform(&self) -> Platform;

    /// The connection of the load. Its sessions carry the settings, where these are not the whole server's.
    fn load_conninfo(&self) -> &ConnInfo;

    /// The connection of the control plane, whose sessions carry no settings.
    fn control_conninfo(&self) -> &ConnInfo;

    /// What is known to be between the load and the server, in the order in which a byte passes it.
    fn path_layers(&self) -> Vec<String>;

    /// Whether pgdyno made it, and may change what outlasts a session.
    fn is_made_by_pgdyno(&self) -> bool;

    /// Whether this setting may be a setting of it, as far as that is known without asking it.
    fn can_set(&self, setting: &str) -> Result<(), SettingError>;

    /// How its host is read. Asks the server where that takes proof.
    async fn host_access(&self) -> Result<HostAccess, Cause>;

    /// Has it, or the load's sessions, work with these settings and no others. The connections may be others afterwards.
    async fn apply_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause>;

    /// Lets go of it: what pgdyno made of it is removed.
    async fn release_server(self: Box<Self>) -> Result<(), Cause>;

    /// The process on this machine that pgdyno supervises, if it is one.
    fn as_supervised(&self) -> Option<&dyn SupervisedServer>;

    /// What can be done where this target starts and stops it.
    fn as_started(&self) -> Option<&dyn StartedServer>;

    /// The same, to do it.
    fn as_started_mut(&mut self) -> Option<&mut dyn StartedServer>;

    /// What Kubernetes knows of it and can do to it, where it is there.
    fn in_kubernetes(&self) -> Option<&dyn ServerInKubernetes>;

    /// The same, to do it.
    fn in_kubernetes_mut(&mut self) -> Option<&mut dyn ServerInKubernetes>;
}

/// A server whose process on this machine pgdyno supervises, for this target or for one that it shares it with.
pub(crate) trait SupervisedServer: Send + Sync {
    /// What is known of it without asking it: its data directory, its log, whether it runs.
    fn server_view(&self) -> &ServerView;

    /// How many CPUs this target allows it; none: all. Targets that share a server take turns.
    fn cpu_limit(&self) -> Option<f64>;
}

/// A server that this target starts and stops. It can be stopped and started again, which empties its caches.
#[async_trait]
pub(crate) trait StartedServer: Send + Sync {
    /// The names of the settings that the plan gives it besides settings.
    fn given_settings(&self) -> Vec<&str>;

    /// The same server by another route, with a limit of its CPUs.
    fn share_server(&self, route: LoadRoute, cpus: Option<f64>) -> Result<Box<dyn TargetServer>, Failure>;

    /// The standby that follows it, while there is one.
    fn standby_view(&self) -> Option<&ServerView>;

    /// Whether it is not any more what it was made as, after a disturbance, until [`TargetServer::apply_settings`].
    fn must_restart(&self) -> bool;

    /// Ends it in this way and brings it back, at the addresses at which it is looked for; none if it was not made for
    /// that.
    async fn disturb_server(&mut self, how: Disturbance) -> Option<Result<(), Cause>>;
}

/// A server in Kubernetes.
#[async_trait]
pub(crate) trait ServerInKubernetes: Send + Sync {
    /// The Secret that its password is from.
    fn secret_key(&self) -> PasswordSecretKey;

    /// The addresses of the pod that it was found in, one of which every connection to it ends at.
    fn own_addresses(&self) -> &[IpAddr];

    /// What the platform says of it, and what may not be read of that.
    fn of_platform(&self) -> (OfPlatform, HostFactGaps);

    /// Has it work with these settings again, where another target of the same server has others that are the whole server's;
    /// whether it did.
    async fn take_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<bool, Cause>;

    /// Has the cluster that it is the primary of go through this, and follows it until that is healthy again; none if it
    /// is in none. Where it is then, [`ServerInKubernetes::find_again`] finds out.
    async fn disrupt_cluster(&self, what: &Disruption, followed: &mut FollowedDisruption) -> Option<Result<(), Cause>>;

    /// What has become of its pod since then, beside a server that runs on; none if nothing has.
    async fn fate_of_pod(&self, since: Timestamp) -> Result<Option<String>, Cause>;

    /// Finds it where it is by now, once it takes connections again, and gives the load's sessions these settings.
    async fn find_again(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause>;
}
