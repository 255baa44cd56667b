//! A server that exists, reached by a connection string. Nothing of it is changed: its settings are settings of the load's
//! sessions.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use cluster::{Disruption, Followed};
use conninfo::{ConnInfo, Host, Secret};
use jiff::Timestamp;
use results::facts::{OfPlatform, Platform};

use crate::environment::Environment;
use crate::error::Cause;
use crate::facts::host::Gaps;
use crate::host_access::{self, Carrier, HostAccess, SessionOnHost};
use crate::local::{Disturbance, Failure, Route, ServerView};
use crate::reach;
use crate::server::{SecretKey, Server};
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
    pub(crate) async fn reach(
        spec: &FoundSpec,
        target_settings: &BTreeMap<String, String>,
        environment: &Environment,
        warn: &mut (dyn FnMut(String) + Send),
    ) -> Result<Self, Cause> {
        target_settings.keys().try_for_each(|name| target_settings::check_name(name))?;
        let resolved = conninfo::resolve(spec.conninfo.expose(), &environment.surroundings())?;
        resolved.warnings.into_iter().for_each(warn);
        let plain = resolved.conninfo;
        reach::arrive(&plain).await?;
        Ok(Self { load: plain.clone().with_session_settings(target_settings), plain, carrier: spec.agent.clone() })
    }
}

#[async_trait]
impl Server for FoundServer {
    fn platform(&self) -> Platform {
        Platform::Url
    }

    fn load(&self) -> &ConnInfo {
        &self.load
    }

    fn control(&self) -> &ConnInfo {
        &self.plain
    }

    fn secret(&self) -> Option<SecretKey> {
        None
    }

    fn own_addresses(&self) -> &[IpAddr] {
        &[]
    }

    fn layers(&self) -> Vec<String> {
        Vec::new()
    }

    fn of_platform(&self) -> Option<(OfPlatform, Gaps)> {
        None
    }

    fn given_settings(&self) -> Vec<&str> {
        Vec::new()
    }

    fn can_set(&self, setting: &str) -> Result<(), SettingError> {
        target_settings::check_name(setting)
    }

    fn can_restart(&self) -> bool {
        false
    }

    fn is_made_by_pgdyno(&self) -> bool {
        false
    }

    fn data_directory(&self) -> Option<&Path> {
        None
    }

    fn log_file(&self) -> Option<PathBuf> {
        None
    }

    fn supervised(&self) -> Option<&ServerView> {
        None
    }

    async fn host(&self) -> Result<HostAccess, Cause> {
        let session = SessionOnHost::open(&self.plain).await?;
        let here = host_access::look_here(&session.backend);
        Ok(match (&self.carrier, here) {
            (Some(carrier), here) => HostAccess::Agent { carrier: carrier.clone(), is_here: here.is_some() },
            (None, Some(here)) => HostAccess::Here(here),
            (None, None) => HostAccess::Unreachable { why: not_here(&self.plain.host).to_owned() },
        })
    }

    fn share(&self, _: Route, _: Option<f64>) -> Option<Result<Box<dyn Server>, Failure>> {
        None
    }

    fn take_turn(&self) -> Result<(), Cause> {
        Ok(())
    }

    async fn check(&self) -> Result<(), Cause> {
        Ok(())
    }

    async fn set(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        self.load = self.plain.clone().with_session_settings(target_settings);
        Ok(())
    }

    async fn take_settings(&mut self, _: &BTreeMap<String, String>) -> Result<bool, Cause> {
        Ok(false)
    }

    fn must_restart(&self) -> bool {
        false
    }

    async fn disturb(&mut self, _: Disturbance) -> Option<Result<(), Cause>> {
        None
    }

    async fn disrupt(&self, _: &Disruption, _: &mut Followed) -> Option<Result<(), Cause>> {
        None
    }

    async fn fate(&self, _: Timestamp) -> Result<Option<String>, Cause> {
        Ok(None)
    }

    async fn find_again(&mut self, _: &BTreeMap<String, String>) -> Result<(), Cause> {
        Ok(())
    }

    async fn release(self: Box<Self>) -> Result<(), Cause> {
        Ok(())
    }
}

/// Why a server is not found here, as far as its address lets one guess.
fn not_here(host: &Host) -> &'static str {
    let seems_here = match host {
        Host::Unix(_) => true,
        Host::Tcp { name, address } => {
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
