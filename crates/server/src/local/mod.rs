//! A server on this machine, started for the experiment and gone with it. Its settings are in its configuration, so that
//! setting them restarts it.

mod account;
mod base_backup;
mod cluster;
mod conf;
mod die_with_parent;
mod directories;
mod disturbance;
mod failure;
mod kept_variables;
mod layers;
mod lifeline;
mod log_tail;
pub(crate) mod login;
mod orphans;
mod pair;
pub(crate) mod programs;
mod protocol;
pub(crate) mod route;
mod scratch_commands;
mod scratch_runner;
mod spec;
mod supervised;
mod supervision;
mod supervisor;

use std::collections::BTreeMap;
use std::path::PathBuf;

use async_trait::async_trait;
use conninfo::{ConnInfo, Secret, SessionAttrs};
use results::facts::Platform;

pub(crate) use conf::{is_reserved, valid_name};
pub use disturbance::Disturbance;
pub use failure::Failure;
pub use protocol::{CommandOutcome, ScratchCommand};
pub use route::{LoadRoute, NetworkLimits, Pooling, RouteEntry, RouteLayers};
pub use scratch_commands::ScratchCommands;
pub use spec::{InitdbOptions, LocalSpec, ProgramSource, StandbyMode};
pub use supervised::ServerView;
pub(crate) use supervised::StartStage;
pub use supervisor::{SUPERVISE_ARGUMENT, run_as_supervisor};

use crate::embedded;
use crate::environment::Environment;
use crate::error::Cause;
use crate::host_access::HostAccess;
use crate::journal;
use crate::progress::AcquireProgress;
use crate::reach;
use crate::server::{ServerInKubernetes, StartedServer, SupervisedServer, TargetServer};
use crate::shared::SharedServer;
use crate::target_settings::{self, SettingError};
use kept_variables::kept_variables;
use pair::ServerPair;
use programs::Programs;
use protocol::ServerShutdown;
use supervised::Supervised;

/// How long a server may take until it accepts connections.
const START_TIMEOUT_S: u64 = 60;

/// A server that pgdyno started.
#[derive(Debug)]
pub(crate) struct LocalServer {
    spec: LocalSpec,
    process: Supervised,
    /// What there is besides it, where it has a standby.
    pair: Option<ServerPair>,
    password: Secret,
    load: ConnInfo,
    control: ConnInfo,
}

impl LocalServer {
    /// Starts a server with these settings; its superuser has a password that nobody else knows.
    pub(crate) async fn start_server(
        spec: &LocalSpec,
        target_settings: &BTreeMap<String, String>,
        environment: &Environment,
        on_progress: &mut (dyn FnMut(AcquireProgress) + Send),
    ) -> Result<Self, Cause> {
        let settings = settings_of_primary(spec, target_settings)?;
        let bin = match &spec.source {
            ProgramSource::Bin(directory) => directory.clone(),
            ProgramSource::Version(version) => {
                embedded::provide_programs(version, environment, &mut |step| on_progress(step.into())).await?
            }
        };
        let programs = programs::inspect_programs(&bin, environment)?;
        let mut on_stage = |stage: StartStage| on_progress(stage.into());
        let password = random_password()?;
        let verifier = postgres_protocol::password::scram_sha_256(password.expose_secret().as_bytes());
        let start = supervisor_start_order(spec, programs, settings.clone(), verifier.clone(), environment)?;
        let pair = spec.standby.map(|kind| ServerPair::new(kind, environment.executable.clone(), start.clone()));
        let started = Supervised::start_server(&environment.executable, start, &mut on_stage).await;
        let process = started.map_err(|failure| blame_setting(failure, &settings))?;
        let load = login::of_load(process.server_view(), spec.route, &password)?;
        let control = login::of_control(process.server_view(), spec.route, &load);
        let mut server = Self { spec: spec.clone(), process, pair, password, load, control };
        let completed = async {
            server.set_password(&verifier).await?;
            server.pair_up(target_settings).await
        };
        match completed.await {
            Ok(()) => Ok(server),
            Err(cause) => {
                // The cause is the news; what went wrong while stopping would only hide it.
                let _ = server.stop_all().await;
                Err(cause)
            }
        }
    }

    /// Has a new standby follow the server, where it is to have one, and finds the ways to them.
    async fn pair_up(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        if let Some(pair) = &mut self.pair {
            let settings = merged_settings(&self.spec, target_settings)?;
            let formed = pair.form_pair(self.process.server_view(), settings.clone()).await;
            formed.map_err(|failure| blame_setting(failure, &settings))?;
        }
        Ok(self.find_ways()?)
    }

    /// The ways to the server, and to its standby if it is not there.
    fn find_ways(&mut self) -> Result<(), Failure> {
        let mut load = login::of_load(self.process.server_view(), self.spec.route, &self.password)?;
        if let Some(standby) = self.pair.as_ref().and_then(ServerPair::standby_view) {
            let other = login::of_load(standby, self.spec.route, &self.password)?;
            load.others = vec![(other.host, other.port)];
            load.session = SessionAttrs::ReadWrite;
        }
        self.control = login::of_control(self.process.server_view(), self.spec.route, &load);
        self.load = load;
        Ok(())
    }

    /// Stops all that was started, and tells what first went wrong.
    async fn stop_all(self) -> Result<(), Failure> {
        let beside = match self.pair {
            Some(mut pair) => pair.clear_others().await,
            None => Ok(()),
        };
        self.process.stop_and_clean_up().await.and(beside)
    }

    /// Gives the superuser its password, as a verifier, so that no log can hold it.
    async fn set_password(&self, verifier: &str) -> Result<(), Cause> {
        let socket = login::socket_conninfo(self.process.server_view());
        let client = reach::connect_and_check_version(&socket).await?;
        // A standby that is to be waited for is not there yet.
        let statement = format!("SET synchronous_commit = local; ALTER ROLE postgres PASSWORD '{verifier}'");
        let set = client.batch_execute(&statement).await;
        set.map_err(|error| reach::classify_postgres_error(&error, &socket).into())
    }
}

#[async_trait]
impl TargetServer for LocalServer {
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
        login::layers_of_route(self.process.server_view(), self.spec.route)
    }

    fn can_set(&self, setting: &str) -> Result<(), SettingError> {
        can_set(setting)
    }

    fn is_made_by_pgdyno(&self) -> bool {
        true
    }

    async fn host_access(&self) -> Result<HostAccess, Cause> {
        Ok(self.process.server_view().host_access())
    }

    /// Stops it in order and starts it, on the same data, with a new standby if it has one; its port changes.
    async fn apply_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        let settings = settings_of_primary(&self.spec, target_settings)?;
        self.process
            .restart_with_settings(settings.clone())
            .await
            .map_err(|failure| blame_setting(failure, &settings))?;
        self.pair_up(target_settings).await
    }

    async fn release_server(self: Box<Self>) -> Result<(), Cause> {
        Ok(self.stop_all().await?)
    }

    fn as_supervised(&self) -> Option<&dyn SupervisedServer> {
        Some(self)
    }

    fn as_started(&self) -> Option<&dyn StartedServer> {
        Some(self)
    }

    fn as_started_mut(&mut self) -> Option<&mut dyn StartedServer> {
        Some(self)
    }

    fn in_kubernetes(&self) -> Option<&dyn ServerInKubernetes> {
        None
    }

    fn in_kubernetes_mut(&mut self) -> Option<&mut dyn ServerInKubernetes> {
        None
    }
}

impl SupervisedServer for LocalServer {
    fn server_view(&self) -> &ServerView {
        self.process.server_view()
    }

    fn cpu_limit(&self) -> Option<f64> {
        self.spec.cpus
    }
}

#[async_trait]
impl StartedServer for LocalServer {
    fn standby_view(&self) -> Option<&ServerView> {
        self.pair.as_ref().and_then(ServerPair::standby_view)
    }

    fn given_settings(&self) -> Vec<&str> {
        self.spec.settings.keys().map(String::as_str).collect()
    }

    fn share_server(&self, route: LoadRoute, cpus: Option<f64>) -> Result<Box<dyn TargetServer>, Failure> {
        let shared = SharedServer::from_local_server(self.process.server_view(), &self.password, route, cpus);
        shared.map(|shared| Box::new(shared) as Box<dyn TargetServer>)
    }

    fn must_restart(&self) -> bool {
        self.pair.as_ref().is_some_and(|pair| !pair.is_whole())
    }

    async fn disturb_server(&mut self, how: Disturbance) -> Option<Result<(), Cause>> {
        let disturbed = match how {
            Disturbance::Restart => self.process.disturb_server(ServerShutdown::InOrder).await,
            Disturbance::KillPostmaster => self.process.disturb_server(ServerShutdown::Killed).await,
            Disturbance::Promote => {
                let promoted = self.pair.as_mut()?.promote_standby(&mut self.process).await;
                promoted.and_then(|()| self.find_ways())
            }
            Disturbance::DetachStandby => self.pair.as_mut()?.detach_standby().await,
        };
        Some(disturbed.map_err(Cause::from))
    }
}

/// The configuration: the plan's settings, over which settings win.
fn merged_settings(
    spec: &LocalSpec,
    target_settings: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, SettingError> {
    let merged = conf::merge_settings(&spec.settings, target_settings);
    merged.keys().try_for_each(|name| can_set(name)).map(|()| merged)
}

/// The same with what makes a primary wait for its standby.
fn settings_of_primary(
    spec: &LocalSpec,
    target_settings: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, SettingError> {
    let own = spec.standby.and_then(pair::settings_of_primary);
    Ok(merged_settings(spec, target_settings)?.into_iter().chain(own).collect())
}

fn can_set(name: &str) -> Result<(), SettingError> {
    target_settings::check_name(name)?;
    target_settings::check_not_reserved(name)
}

/// A server that did not start because of a setting: says which.
fn blame_setting(failure: Failure, settings: &BTreeMap<String, String>) -> Cause {
    match &failure {
        Failure::DidNotStart { log } => {
            target_settings::blamed_in_log(settings, log).map_or_else(|| Cause::Local(failure.clone()), Cause::Setting)
        }
        _ => Cause::Local(failure),
    }
}

/// 128 random bits in hexadecimal.
fn random_password() -> Result<Secret, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Failure::system_call_failed("get random bytes for a password"))?;
    Ok(Secret::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

/// What a supervisor needs to know to start a server.
fn supervisor_start_order(
    spec: &LocalSpec,
    programs: Programs,
    settings: BTreeMap<String, String>,
    verifier: String,
    environment: &Environment,
) -> Result<protocol::SupervisorStart, Failure> {
    let absolute = |path: &PathBuf| std::path::absolute(path);
    let [data_directory, wal_parent] = [&spec.data_directory, &spec.wal_directory].map(|path| {
        path.as_ref().map(absolute).transpose().map_err(Failure::system_call_failed("find the current directory"))
    });
    Ok(protocol::SupervisorStart {
        bin: programs.directory,
        major: programs.major,
        initdb: spec.initdb.clone(),
        standby_of: None,
        settings,
        account: account::choose_account(environment),
        data_directory: data_directory?,
        wal_parent: wal_parent?,
        data_parent: environment.data_parent(),
        keep: spec.keep,
        start_timeout_s: START_TIMEOUT_S,
        variables: kept_variables(environment),
        layers: spec.layers,
        control_groups: spec.control_groups.clone(),
        verifier,
        journal: journal::journal_directory(environment).ok(),
    })
}
