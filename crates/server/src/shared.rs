//! The server of another target by another route. Its settings are settings of the load's sessions, since the server's own are
//! the other target's.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

use async_trait::async_trait;
use cluster::{Disruption, Followed};
use conninfo::{ConnInfo, Secret};
use jiff::Timestamp;
use results::facts::{OfPlatform, Platform};

use crate::error::Cause;
use crate::facts::host::Gaps;
use crate::host_access::HostAccess;
use crate::local::{Disturbance, Failure, Route, ServerView, login};
use crate::server::{SecretKey, Server};
use crate::target_settings::{self, SettingError};

/// A local server that another target starts and stops.
#[derive(Debug)]
pub(crate) struct SharedServer {
    server: ServerView,
    route: Route,
    cpus: Option<f64>,
    load: ConnInfo,
    control: ConnInfo,
}

impl SharedServer {
    /// This way to a local server.
    pub(crate) fn of(server: &ServerView, password: &Secret, route: Route, cpus: Option<f64>) -> Result<Self, Failure> {
        let load = login::of_load(server, route, password)?;
        let control = login::of_control(server, route, &load);
        Ok(Self { server: server.clone(), route, cpus, load, control })
    }
}

#[async_trait]
impl Server for SharedServer {
    fn platform(&self) -> Platform {
        Platform::Local
    }

    fn load(&self) -> &ConnInfo {
        &self.load
    }

    fn control(&self) -> &ConnInfo {
        &self.control
    }

    fn secret(&self) -> Option<SecretKey> {
        None
    }

    fn own_addresses(&self) -> &[IpAddr] {
        &[]
    }

    fn layers(&self) -> Vec<String> {
        login::layers(&self.server, self.route)
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

    /// It would be pulled from under the other targets.
    fn can_restart(&self) -> bool {
        false
    }

    fn is_made_by_pgdyno(&self) -> bool {
        true
    }

    fn data_directory(&self) -> Option<&Path> {
        Some(self.server.data_directory())
    }

    fn log_file(&self) -> Option<PathBuf> {
        Some(self.server.log())
    }

    fn supervised(&self) -> Option<&ServerView> {
        Some(&self.server)
    }

    async fn host(&self) -> Result<HostAccess, Cause> {
        Ok(self.server.host_access())
    }

    /// The one whose server it is can.
    fn share(&self, _: Route, _: Option<f64>) -> Option<Result<Box<dyn Server>, Failure>> {
        None
    }

    fn take_turn(&self) -> Result<(), Cause> {
        Ok(self.server.limit_cpus(self.cpus)?)
    }

    async fn check(&self) -> Result<(), Cause> {
        Ok(self.server.check()?)
    }

    async fn set(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        self.load.options = None;
        self.load = self.load.clone().with_session_settings(target_settings);
        Ok(())
    }

    async fn take_settings(&mut self, _: &BTreeMap<String, String>) -> Result<bool, Cause> {
        Ok(false)
    }

    fn must_restart(&self) -> bool {
        false
    }

    /// The one whose server it is can.
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
