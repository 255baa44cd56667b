//! The server of another target by another route. Its settings are settings of the load's sessions, since the server's own are
//! the other target's.

use std::collections::BTreeMap;

use async_trait::async_trait;
use conninfo::{ConnInfo, Secret};
use results::facts::Platform;

use crate::error::Cause;
use crate::host_access::HostAccess;
use crate::local::{Failure, LoadRoute, ServerView, login};
use crate::server::{ServerInKubernetes, StartedServer, SupervisedServer, TargetServer};
use crate::target_settings::{self, SettingError};

/// A local server that another target starts and stops.
#[derive(Debug)]
pub(crate) struct SharedServer {
    server: ServerView,
    route: LoadRoute,
    cpus: Option<f64>,
    load: ConnInfo,
    control: ConnInfo,
}

impl SharedServer {
    /// This way to a local server.
    pub(crate) fn from_local_server(
        server: &ServerView,
        password: &Secret,
        route: LoadRoute,
        cpus: Option<f64>,
    ) -> Result<Self, Failure> {
        let load = login::of_load(server, route, password)?;
        let control = login::of_control(server, route, &load);
        Ok(Self { server: server.clone(), route, cpus, load, control })
    }
}

#[async_trait]
impl TargetServer for SharedServer {
    fn platform(&self) -> Platform {
        Platform::Local
    }

    fn load_conninfo(&self) -> &ConnInfo {
        &self.load
    }

    fn control_conninfo(&self) -> &ConnInfo {
        &self.control
    }

    fn path_layers(&self) -> Vec<String> {
        login::layers_of_route(&self.server, self.route)
    }

    fn can_set(&self, setting: &str) -> Result<(), SettingError> {
        target_settings::check_name(setting)
    }

    fn is_made_by_pgdyno(&self) -> bool {
        true
    }

    async fn host_access(&self) -> Result<HostAccess, Cause> {
        Ok(self.server.host_access())
    }

    async fn apply_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        self.load.options = None;
        self.load = self.load.clone().with_session_settings(target_settings);
        Ok(())
    }

    async fn release_server(self: Box<Self>) -> Result<(), Cause> {
        Ok(())
    }

    fn as_supervised(&self) -> Option<&dyn SupervisedServer> {
        Some(self)
    }

    /// The one whose server it is can: it would be pulled from under the other targets.
    fn as_started(&self) -> Option<&dyn StartedServer> {
        None
    }

    fn as_started_mut(&mut self) -> Option<&mut dyn StartedServer> {
        None
    }

    fn in_kubernetes(&self) -> Option<&dyn ServerInKubernetes> {
        None
    }

    fn in_kubernetes_mut(&mut self) -> Option<&mut dyn ServerInKubernetes> {
        None
    }
}

impl SupervisedServer for SharedServer {
    fn server_view(&self) -> &ServerView {
        &self.server
    }

    fn cpu_limit(&self) -> Option<f64> {
        self.cpus
    }
}
