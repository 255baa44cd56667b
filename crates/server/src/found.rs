//! A server that exists, reached by a connection string. Nothing of it is changed: its settings are settings of the load's
//! sessions.

use std::collections::BTreeMap;

use async_trait::async_trait;
use conninfo::{ConnInfo, Secret, ServerHost};
use results::facts::Platform;

use crate::environment::Environment;
use crate::error::Cause;
use crate::host_access::{self, Carrier, HostAccess, SessionOnHost};
use crate::reach;
use crate::server::{ServerInKubernetes, StartedServer, SupervisedServer, TargetServer};
use crate::target_settings::{self, SettingError};

/// A server that was found.
#[derive(Debug)]
pub(crate) struct FoundServer {
    /// Without the settings.
    plain: ConnInfo,
    /// With them.
    load: ConnInfo,
    /// How an agent is started on its host, where the plan names one.
    carrier: Option<Carrier>,
}

/// What a plan says about a server that exists.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundSpec {
    /// A URL or `key=value` pairs, as libpq reads them; empty means what the environment says.
    pub conninfo: Secret,
    /// How an agent is started on its host; none: it is read where it is this machine, and not otherwise.
    pub agent: Option<Carrier>,
}

impl FoundServer {
    /// Logs in; `warn` hears what the connection string says that is ignored.
    pub(crate) async fn reach_server(
        spec: &FoundSpec,
        target_settings: &BTreeMap<String, String>,
        environment: &Environment,
        warn: &mut (dyn FnMut(String) + Send),
    ) -> Result<Self, Cause> {
        target_settings.keys().try_for_each(|name| target_settings::check_name(name))?;
        let resolved =
            conninfo::resolve_connection_string(spec.conninfo.expose_secret(), &environment.conninfo_surroundings())?;
        resolved.warnings.into_iter().for_each(warn);
        let plain = resolved.conninfo;
        reach::log_in_first_time(&plain).await?;
        Ok(Self { load: plain.clone().with_session_settings(target_settings), plain, carrier: spec.agent.clone() })
    }
}

#[async_trait]
impl TargetServer for FoundServer {
    fn platform(&self) -> Platform {
        Platform::Url
    }

    fn load_conninfo(&self) -> &ConnInfo {
        &self.load
    }

    fn control_conninfo(&self) -> &ConnInfo {
        &self.plain
    }

    fn path_layers(&self) -> Vec<String> {
        Vec::new()
    }

    fn can_set(&self, setting: &str) -> Result<(), SettingError> {
        target_settings::check_name(setting)
    }

    fn is_made_by_pgdyno(&self) -> bool {
        false
    }

    async fn host_access(&self) -> Result<HostAccess, Cause> {
        let session = SessionOnHost::open_session(&self.plain).await?;
        let here = host_access::look_here(&session.backend);
        Ok(match (&self.carrier, here) {
            (Some(carrier), here) => HostAccess::Agent { carrier: carrier.clone(), is_here: here.is_some() },
            (None, Some(here)) => HostAccess::Here(here),
            (None, None) => HostAccess::Unreachable { why: not_here(&self.plain.host).to_owned() },
        })
    }

    async fn apply_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        self.load = self.plain.clone().with_session_settings(target_settings);
        Ok(())
    }

    async fn release_server(self: Box<Self>) -> Result<(), Cause> {
        Ok(())
    }

    fn as_supervised(&self) -> Option<&dyn SupervisedServer> {
        None
    }

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

/// Why a server is not found here, as far as its address lets one guess.
fn not_here(host: &ServerHost) -> &'static str {
    let seems_here = match host {
        ServerHost::Unix(_) => true,
        ServerHost::Tcp { name, address } => {
            let address = address.or_else(|| name.parse().ok());
            name == "localhost" || address.is_some_and(|address| address.is_loopback())
        }
    };
    if seems_here {
        "no process on this machine belongs to the server: it may run in a container or behind a tunnel"
    } else {
        "the server is on another machine"
    }
}
