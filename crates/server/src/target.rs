//! A target: a PostgreSQL with its settings applied and confirmed, from [`acquire_target`] to [`Target::release_target`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cluster::{Disruption, FollowedDisruption};
use conninfo::{ConnInfo, ServerHost, SessionAttrs};
use control::InUse;
use jiff::Timestamp;
use results::facts::{self, TargetFacts};
use tokio_postgres::Client;

use crate::environment::Environment;
use crate::error::{Cause, TargetError};
use crate::facts::host::{self, HostFactGaps};
use crate::facts::server::{self, Reported};
use crate::found::{FoundServer, FoundSpec};
use crate::host_access::{HostAccess, SessionOnHost};
use crate::kubernetes::{KubernetesServer, KubernetesSpec};
use crate::local::{Disturbance, Failure, LoadRoute, LocalServer, LocalSpec, ServerView};
use crate::progress::AcquireProgress;
use crate::reach;
use crate::rights::{RoleRights, query_rights};
use crate::same_server;
use crate::server::{PasswordSecretKey, ServerInKubernetes, StartedServer, SupervisedServer, TargetServer};
use crate::target_settings;

/// Which PostgreSQL a plan means.
#[derive(Debug, Clone, PartialEq)]
pub enum PostgresSpec {
    /// A server that exists.
    Url(FoundSpec),
    /// A server in Kubernetes, that exists or is made.
    Kubernetes(KubernetesSpec),
    /// A server to be started on this machine.
    Local(LocalSpec),
}

/// A PostgreSQL that is ready to be measured. Dropping it stops a local server; [`Target::release_target`] also says whether
/// nothing of it is left.
#[derive(Debug)]
pub struct Target {
    name: String,
    target_settings: BTreeMap<String, String>,
    /// The database to work in, if it is not the one that the server was reached by.
    database: Option<String>,
    server: Box<dyn TargetServer>,
}

/// Reaches or starts a server and applies its settings; every setting has been read back when it returns.
///
/// # Errors
/// The connection string, the download, the programs, the start, the login, the version, or a setting that the server
/// refuses or does not report. Nothing started is left behind.
pub async fn acquire_target(
    name: &str,
    spec: &PostgresSpec,
    target_settings: &BTreeMap<String, String>,
    environment: &Environment,
    on_progress: &mut (dyn FnMut(AcquireProgress) + Send),
) -> Result<Target, TargetError> {
    // Boxed: each of them holds much state while it is reached or started.
    let acquiring = async {
        let server: Box<dyn TargetServer> = match spec {
            PostgresSpec::Url(spec) => {
                let mut warn = |warning| on_progress(AcquireProgress::Warning(warning));
                Box::new(FoundServer::reach_server(spec, target_settings, environment, &mut warn).await?)
            }
            PostgresSpec::Kubernetes(spec) => Box::new(
                Box::pin(KubernetesServer::reach_server(spec, target_settings, environment, on_progress)).await?,
            ),
            PostgresSpec::Local(spec) => {
                Box::new(Box::pin(LocalServer::start_server(spec, target_settings, environment, on_progress)).await?)
            }
        };
        Ok(server)
    };
    let server = acquiring.await.map_err(|cause: Cause| cause.into_target_error(name))?;
    let target = Target { name: name.to_owned(), target_settings: target_settings.clone(), database: None, server };
    match target.confirm_settings().await {
        Ok(_) => Ok(target),
        Err(error) => {
            // The setting is the news; what went wrong while stopping would only hide it.
            let _ = target.release_target().await;
            Err(error)
        }
    }
}

impl Target {
    /// The target's name in the plan.
    #[must_use]
    pub fn target_name(&self) -> &str {
        &self.name
    }

    /// Works in this database of the server from now on; none: in the one that the server was reached by.
    pub fn turn_to(&mut self, database: Option<String>) {
        self.database = database;
    }

    /// The connection for the load: its sessions carry the settings.
    #[must_use]
    pub fn load_conninfo(&self) -> ConnInfo {
        self.in_database(self.server.load_conninfo())
    }

    /// The Secret of Kubernetes that the password of the load is from; none where it is from elsewhere.
    #[must_use]
    pub fn password_secret(&self) -> Option<PasswordSecretKey> {
        self.server.in_kubernetes().map(ServerInKubernetes::secret_key)
    }

    /// The connection for the control plane: on a server that was found, its sessions are without settings.
    #[must_use]
    pub fn control_config(&self) -> control::Config {
        control::Config::from(&self.in_database(self.server.control_conninfo()))
    }

    /// How the control plane reaches the server, for other programs that do.
    #[must_use]
    pub fn control_conninfo(&self) -> ConnInfo {
        self.in_database(self.server.control_conninfo())
    }

    fn in_database(&self, conninfo: &ConnInfo) -> ConnInfo {
        let dbname = self.database.as_ref().unwrap_or(&conninfo.dbname).clone();
        ConnInfo { dbname, ..conninfo.clone() }
    }

    /// Opens a connection for the control plane.
    ///
    /// # Errors
    /// Everything that can be wrong with the way to the server.
    pub async fn connect_control(&self) -> Result<Client, TargetError> {
        let control = self.in_database(self.server.control_conninfo());
        reach::connect_and_check_version(&control)
            .await
            .map_err(|error| Cause::from(error).into_target_error(&self.name))
    }

    /// Whether connections of the load lead to the server whose facts are told, as far as several of them show.
    ///
    /// # Errors
    /// One of them leads elsewhere, or cannot be made.
    pub async fn require_same_server(&self) -> Result<(), TargetError> {
        self.look_who_answers().await.map_err(|cause| cause.into_target_error(&self.name))
    }

    async fn look_who_answers(&self) -> Result<(), Cause> {
        let control = self.in_database(self.server.control_conninfo());
        let load = self.load_conninfo();
        if load.network_namespace.is_some() {
            // A route that pgdyno made to a server that it made, and that only the load enters.
            return Ok(());
        }
        let described =
            same_server::identify_server(&reach::connect_and_check_version(&control).await?, &control).await?;
        for _ in 0..same_server::CONNECTIONS {
            let seen = same_server::identify_server(&reach::connect_and_check_version(&load).await?, &load).await?;
            let own_addresses = self.server.in_kubernetes().map(ServerInKubernetes::own_addresses).unwrap_or_default();
            same_server::require_same(&load.display_address(), &seen, &described, own_addresses)?;
        }
        Ok(())
    }

    /// Opens a connection for the control plane whose session has the settings that the load's sessions have.
    ///
    /// # Errors
    /// As of [`Target::connect_control`], and a setting that the server refuses.
    pub async fn connect_as_load(&self) -> Result<Client, TargetError> {
        self.connect_like_load().await.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// Whether sessions of the load could be given one more setting: asked on the way that the load takes, but for a route
    /// that only the load enters.
    ///
    /// # Errors
    /// Why the setting does not reach a session there.
    pub async fn takes_setting(&self, name: &str, value: &str) -> Result<(), String> {
        let settings = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        let load = match self.server.load_conninfo().network_namespace {
            None => self.in_database(self.server.load_conninfo()),
            Some(_) => self.in_database(self.server.control_conninfo()),
        };
        // Which of several servers fits may be asked by what is set here.
        let load = ConnInfo { session: SessionAttrs::Any, ..load }.with_session_settings(&settings);
        let client = reach::connect_and_check_version(&load).await.map_err(|error| match error.server_refusal() {
            Some(("08P01", said)) => format!("a connection pooler on the route does not pass on settings: {said}"),
            _ => error.detail().map_or_else(|| error.to_string(), |detail| format!("{error}: {detail}")),
        })?;
        let row = client.query_one("SELECT current_setting($1)", &[&name]).await;
        match row.map(|row| row.get::<_, String>(0)) {
            Ok(has) if has == value => Ok(()),
            Ok(has) => Err(format!("its sessions nevertheless have {name} = {has}")),
            Err(error) => Err(reach::classify_postgres_error(&error, &load).to_string()),
        }
    }

    /// Whether the server can be stopped and started again, by [`Target::restart_as_it_is`].
    #[must_use]
    pub fn can_restart(&self) -> bool {
        self.server.as_started().is_some()
    }

    /// Whether pgdyno made the server, and may change what outlasts a session.
    #[must_use]
    pub fn is_made_by_pgdyno(&self) -> bool {
        self.server.is_made_by_pgdyno()
    }

    /// The server's data directory, where that is known to be on this machine.
    #[must_use]
    pub fn data_directory(&self) -> Option<&Path> {
        self.local_server().map(ServerView::data_directory)
    }

    /// The server's log, where that is a file of this machine; it goes when the server is released.
    #[must_use]
    pub fn log_file(&self) -> Option<PathBuf> {
        self.local_server().map(ServerView::log_path)
    }

    /// The server's process that pgdyno supervises on this machine, if it does. What can be done with a target does not
    /// follow from it: that is asked.
    #[must_use]
    pub fn local_server(&self) -> Option<&ServerView> {
        self.server.as_supervised().map(SupervisedServer::server_view)
    }

    /// A further target on the local server of this one, which must outlive it: another route to the same server, and
    /// another limit of its CPUs. Its settings are settings of the load's sessions.
    ///
    /// # Errors
    /// This target is no local server, the route was not built with it, or a setting cannot be confirmed.
    pub async fn share_server(
        &self,
        name: &str,
        route: LoadRoute,
        cpus: Option<f64>,
        target_settings: &BTreeMap<String, String>,
    ) -> Result<Target, TargetError> {
        let shared = match self.server.as_started() {
            Some(server) => server.share_server(route, cpus),
            None => {
                let why = format!("target \"{}\" is not a server that pgdyno starts", self.name);
                Err(Failure::system_call_failed("share the server of another target")(why))
            }
        };
        let server = shared.map_err(|failure| Cause::from(failure).into_target_error(name))?;
        let mut target = Target { name: name.to_owned(), target_settings: BTreeMap::new(), database: None, server };
        target.restart_with_settings(target_settings).await?;
        Ok(target)
    }

    /// Gives the server the CPUs that this target allows it, before a trial; targets that share a server take turns.
    ///
    /// # Errors
    /// The limit cannot be set.
    pub fn take_turn(&self) -> Result<(), TargetError> {
        let Some(server) = self.server.as_supervised() else { return Ok(()) };
        let limited = server.server_view().limit_cpus(server.cpu_limit());
        limited.map_err(|failure| Cause::from(failure).into_target_error(&self.name))
    }

    /// Has the server work with the settings of this target, where others that share it have others; whether that was a
    /// change. Ask for [`Target::load_conninfo`] again.
    ///
    /// # Errors
    /// They cannot be changed, or do not come into force.
    pub async fn take_settings(&mut self) -> Result<bool, TargetError> {
        let Some(server) = self.server.in_kubernetes_mut() else { return Ok(false) };
        server.take_settings(&self.target_settings).await.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// Whether the server can be worked with: a local one runs, and a new connection is accepted.
    ///
    /// # Errors
    /// The reason why not.
    pub async fn check_alive(&self) -> Result<(), TargetError> {
        if let Some(server) = self.local_server() {
            server.check_running().map_err(|failure| Cause::from(failure).into_target_error(&self.name))?;
        }
        self.connect_control().await.map(drop)
    }

    /// What has become of the server's pod since an instant; none if it has none, or it is as it was.
    ///
    /// # Errors
    /// Why that is not known.
    pub async fn fate_of_pod_since(&self, since: Timestamp) -> Result<Option<String>, TargetError> {
        let Some(server) = self.server.in_kubernetes() else { return Ok(None) };
        server.fate_of_pod(since).await.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// Finds the server where it is by now, once it takes connections again: ask for [`Target::load_conninfo`] again.
    ///
    /// # Errors
    /// It does not come back, or the reason why it cannot be found.
    pub async fn find_again(&mut self) -> Result<(), TargetError> {
        let Some(server) = self.server.in_kubernetes_mut() else { return Ok(()) };
        server.find_again(&self.target_settings).await.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// Reads every setting back, over a connection like the load's, and compares it with what was asked for.
    /// Returns the values as the server shows them, by the names of the plan.
    ///
    /// # Errors
    /// The first setting that the server refuses, does not know, or reports with another value; or a lost connection.
    pub async fn confirm_settings(&self) -> Result<BTreeMap<String, String>, TargetError> {
        let confirmed = async {
            let client = self.connect_like_load().await?;
            Ok::<_, Cause>(target_settings::confirm_settings(
                &self.target_settings,
                &self.query_settings(&client).await?,
            )?)
        };
        confirmed.await.map_err(|cause: Cause| cause.into_target_error(&self.name))
    }

    /// Has the server work with other settings. One whose settings are its own configuration is stopped in order and started with
    /// them, on the same data, at another port, so ask for [`Target::load_conninfo`] again; of others the settings of new sessions
    /// change.
    ///
    /// # Errors
    /// The server does not start, or a setting cannot be confirmed. The target can be restarted again or released.
    pub async fn restart_with_settings(
        &mut self,
        target_settings: &BTreeMap<String, String>,
    ) -> Result<(), TargetError> {
        let set = async {
            target_settings.keys().try_for_each(|name| self.server.can_set(name))?;
            self.server.apply_settings(target_settings).await
        };
        set.await.map_err(|cause| cause.into_target_error(&self.name))?;
        self.target_settings = target_settings.clone();
        self.confirm_settings().await.map(drop)
    }

    /// Takes these settings for the server's from now on, which somebody else has given it, and reads them back.
    ///
    /// # Errors
    /// A setting cannot be confirmed.
    pub async fn expect_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), TargetError> {
        self.target_settings = target_settings.clone();
        self.confirm_settings().await.map(drop)
    }

    /// Restarts a server that can be with the settings that it has: its caches are empty then.
    ///
    /// # Errors
    /// The server does not start, or a setting cannot be confirmed any more.
    pub async fn restart_as_it_is(&mut self) -> Result<(), TargetError> {
        let target_settings = self.target_settings.clone();
        self.restart_with_settings(&target_settings).await
    }

    /// Whether a disturbance has left the server without what it was made with, which [`Target::restart_as_it_is`]
    /// makes again.
    #[must_use]
    pub fn must_restart(&self) -> bool {
        self.server.as_started().is_some_and(StartedServer::must_restart)
    }

    /// Ends the server in this way and brings it back, or another in its place; the load's connections are lost, and may
    /// be made again by the same [`Target::load_conninfo`]. Returns when it accepts connections.
    ///
    /// # Errors
    /// Nobody here can do it to this server, or it does not come back.
    pub async fn disturb_server(&mut self, how: Disturbance) -> Result<(), TargetError> {
        let disturbed = match self.server.as_started_mut() {
            Some(server) => server.disturb_server(how).await,
            None => None,
        };
        let disturbed = disturbed.unwrap_or_else(|| {
            let why = "pgdyno did not start it, or started it without a standby";
            Err(Failure::system_call_failed("apply the event to the server")(why).into())
        });
        disturbed.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// Has the CloudNativePG cluster that the server is the primary of go through this; returns when the cluster is
    /// healthy again. What was seen stands in `followed`, also when this is dropped.
    ///
    /// # Errors
    /// The server is in none, or the cluster does not take it, or cannot be followed to its end.
    pub async fn disrupt_cluster(
        &self,
        what: &Disruption,
        followed: &mut FollowedDisruption,
    ) -> Result<(), TargetError> {
        let disrupted = match self.server.in_kubernetes() {
            Some(server) => server.disrupt_cluster(what, followed).await,
            None => None,
        };
        let disrupted = disrupted.unwrap_or_else(|| {
            let why = "it does not belong to a CloudNativePG cluster";
            Err(Failure::system_call_failed("apply the event to the server")(why).into())
        });
        disrupted.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// How many huge pages of the machine's usual size the shared memory of the server needs.
    ///
    /// # Errors
    /// The server cannot be asked, or does not say.
    pub async fn huge_pages_needed(&self) -> Result<u64, TargetError> {
        let needed = async {
            let client = reach::connect_and_check_version(self.server.control_conninfo()).await?;
            let row = client
                .query_one(include_str!("sql/huge_pages.sql"), &[])
                .await
                .map_err(|error| self.connection_lost(&error))?;
            Ok::<i64, Cause>(row.get(0))
        };
        let needed = needed.await.map_err(|cause| cause.into_target_error(&self.name))?;
        u64::try_from(needed).map_err(|_| {
            let why = "the server reports that this machine has none";
            Cause::from(Failure::system_call_failed("count the huge pages that the server needs")(why))
                .into_target_error(&self.name)
        })
    }

    /// Everything known about the target now, as read back from the server and, where it is this one, its machine.
    ///
    /// # Errors
    /// The server cannot be asked; anything less is a gap in the facts.
    pub async fn collect_facts(&self) -> Result<TargetFacts, TargetError> {
        self.read_facts().await.map_err(|cause| cause.into_target_error(&self.name))
    }

    async fn read_facts(&self) -> Result<TargetFacts, Cause> {
        let client = self.connect_like_load().await?;
        let mut identity = server::query_identity(&client).await.map_err(|error| self.connection_lost(&error))?;
        let settings = self.query_settings(&client).await?;
        let mut gaps = HostFactGaps::new();
        if identity.sees_build {
            identity.server.build = server::query_build(&client).await.map_err(|error| self.connection_lost(&error))?;
        } else {
            let why = format!("role \"{}\" may not read pg_config (superusers only)", self.server.load_conninfo().user);
            gaps.insert("server.build".to_owned(), why);
        }
        let role = &identity.role;
        let grant = format!("hint: GRANT pg_monitor TO {role}");
        if !identity.sees_all_settings {
            let why = format!(
                "role {role} is not a member of pg_read_all_settings and sees only a part of the settings; {grant}"
            );
            gaps.insert(facts::SETTINGS.to_owned(), why);
        }
        if !(identity.sees_all_settings && identity.sees_all_statistics) {
            gaps.insert(facts::MONITORING.to_owned(), monitoring_gap_message(role, &grant));
        }
        let standbys = server::query_standbys(&client).await.map_err(|error| self.connection_lost(&error))?;
        if standbys.is_none() {
            let why = format!("role {role} is not a member of pg_read_all_stats; {grant}");
            gaps.insert("standbys".to_owned(), why);
        }
        let access = self.server.host_access().await?;
        let host = match &access {
            HostAccess::Here(found) => host::read_host_facts(Path::new("/"), Some(found), &mut gaps),
            HostAccess::Agent { .. } => {
                gaps.insert("host".to_owned(), "the agent on its host was not queried".to_owned());
                None
            }
            HostAccess::Unreachable { why } => {
                gaps.insert("host".to_owned(), why.clone());
                None
            }
        };
        let encryption = self.query_load_encryption(&mut gaps).await;
        let server_end = self.server_end(&mut gaps).await;
        let of_platform = self.server.in_kubernetes().map(|server| {
            let (of_platform, unread) = server.of_platform();
            gaps.extend(unread);
            of_platform
        });
        Ok(TargetFacts {
            format: facts::FORMAT,
            name: self.name.clone(),
            platform: self.server.platform(),
            read_at: Timestamp::now(),
            path: describe_connection_path(
                self.server.load_conninfo(),
                access.is_here(),
                self.server.path_layers(),
                encryption,
                server_end,
            ),
            server: identity.server,
            standbys,
            settings: settings.into_values().map(|reported| (reported.guc.name, reported.setting)).collect(),
            host,
            of_platform,
            limits: Vec::new(),
            agent: None,
            gaps,
        })
    }

    /// What encrypts the load's connections.
    async fn query_load_encryption(&self, gaps: &mut HostFactGaps) -> Option<facts::ConnectionEncryption> {
        let load = self.server.load_conninfo();
        if load.network_namespace.is_some() {
            gaps.insert("path.encryption".to_owned(), OF_THE_LOAD_ALONE.to_owned());
            return None;
        }
        let asked = tokio::time::timeout(load.timeout_per_host(), control::encryption_in_use(load)).await;
        match asked.unwrap_or_else(|late| Err(late.into())) {
            Ok(InUse::Nothing) => Some(facts::ConnectionEncryption::Nothing),
            Ok(InUse::Tls { version, cipher, certificate }) => {
                if certificate.is_none() {
                    let why = "the server presented no readable certificate";
                    gaps.insert("path.certificate".to_owned(), why.to_owned());
                }
                Some(facts::ConnectionEncryption::Tls { version, cipher, certificate: certificate.map(fact_of) })
            }
            Err(error) => {
                gaps.insert("path.encryption".to_owned(), error.to_string());
                None
            }
        }
    }

    /// The server's end of the load's connections, as the server sees it.
    async fn server_end(&self, gaps: &mut HostFactGaps) -> Option<facts::ServerEnd> {
        let load = self.server.load_conninfo();
        if load.network_namespace.is_some() {
            gaps.insert("path.server_end".to_owned(), OF_THE_LOAD_ALONE.to_owned());
            return None;
        }
        let asked =
            async { same_server::identify_server(&reach::connect_and_check_version(load).await?, load).await }.await;
        match asked {
            Ok(seen) => Some(seen.server_end_of_connection()),
            Err(error) => {
                gaps.insert("path.server_end".to_owned(), error.to_string());
                None
            }
        }
    }

    /// The size of the database that is worked in now, in bytes; in the facts it is that of the one that the server was
    /// reached by, at the instant at which they were read.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn database_bytes(&self) -> Result<Option<u64>, TargetError> {
        let client = self.connect_control().await?;
        let row = client.query_one("SELECT pg_database_size(current_database())", &[]).await;
        let bytes: i64 = row.map_err(|error| self.connection_lost(&error).into_target_error(&self.name))?.get(0);
        Ok(u64::try_from(bytes).ok())
    }

    /// How the server's host is read. A server that was found is asked for a proof that it is here.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn host_access(&self) -> Result<HostAccess, TargetError> {
        self.server.host_access().await.map_err(|cause| cause.into_target_error(&self.name))
    }

    /// How the host of the standby is read that pgdyno started beside the server on this machine; of others, why not.
    #[must_use]
    pub fn standby_host_access(&self) -> HostAccess {
        let standby = self.server.as_started().and_then(StartedServer::standby_view);
        let why = "the load reads a standby that pgdyno did not start";
        standby.map_or_else(|| HostAccess::Unreachable { why: why.to_owned() }, ServerView::host_access)
    }

    /// A session by whose process the server can be found on its host while it is open.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn session_on_host(&self) -> Result<SessionOnHost, TargetError> {
        SessionOnHost::open_session(self.server.control_conninfo())
            .await
            .map_err(|cause| cause.into_target_error(&self.name))
    }

    async fn query_settings(&self, client: &Client) -> Result<BTreeMap<String, Reported>, Cause> {
        let target_settings = self.target_settings.keys().map(String::as_str);
        let given_settings = self.server.as_started().map(StartedServer::given_settings).unwrap_or_default();
        let asked: Vec<String> = given_settings.into_iter().chain(target_settings).map(str::to_lowercase).collect();
        server::query_settings(client, &asked).await.map_err(|error| self.connection_lost(&error))
    }

    async fn connect_like_load(&self) -> Result<Client, Cause> {
        // A route for the load alone is not the control plane's to take: the server is the same, and so are its sessions.
        let (load, control) = (self.server.load_conninfo(), self.server.control_conninfo());
        let control_takes_it = control.host == load.host && control.port == load.port;
        let conninfo =
            if control_takes_it { load.clone() } else { ConnInfo { options: load.options.clone(), ..control.clone() } };
        let conninfo = self.in_database(&conninfo);
        reach::connect_and_check_version(&conninfo).await.map_err(|error| {
            match target_settings::refused_setting(&self.target_settings, &error) {
                Some(refused) => refused.into(),
                None => error.into(),
            }
        })
    }

    /// What the role may do that the control plane logs in as; nothing is changed.
    ///
    /// # Errors
    /// As of [`Target::connect_control`], and a query that the server refuses.
    pub async fn role_rights(&self) -> Result<RoleRights, TargetError> {
        let client = self.connect_control().await?;
        let asked = query_rights(&client).await;
        asked.map_err(|error| self.connection_lost(&error).into_target_error(&self.name))
    }

    fn connection_lost(&self, error: &tokio_postgres::Error) -> Cause {
        reach::classify_postgres_error(error, self.server.load_conninfo()).into()
    }

    /// Lets go of the target. A local server is stopped, and everything of it removed but a kept data directory.
    ///
    /// # Errors
    /// Something of it could not be removed.
    pub async fn release_target(self) -> Result<(), TargetError> {
        self.server.release_server().await.map_err(|cause| cause.into_target_error(&self.name))
    }
}

/// Why something of the load's route is not known.
const OF_THE_LOAD_ALONE: &str = "the route starts in a network namespace that only the load enters";

/// A server's certificate as it is written down.
fn fact_of(certificate: wire::tls::Described) -> facts::Certificate {
    let wire::tls::Described { subject, issuer, not_after_s, key, signature } = certificate;
    let not_after = i64::try_from(not_after_s).ok().and_then(|second| Timestamp::from_second(second).ok());
    facts::Certificate { subject, issuer, not_after, key, signature }
}

/// The path of a connection.
/// What is hidden from a role without rights, and what would show it.
fn monitoring_gap_message(role: &str, grant: &str) -> String {
    format!(
        "role {role} is not a member of pg_monitor: sessions of other roles, standbys and some settings are hidden \
         from it, and the rules that need them are not evaluated; {grant}"
    )
}

fn describe_connection_path(
    conninfo: &ConnInfo,
    same_host: bool,
    layers: Vec<String>,
    encryption: Option<facts::ConnectionEncryption>,
    server_end: Option<facts::ServerEnd>,
) -> facts::Path {
    let (transport, address) = match &conninfo.host {
        ServerHost::Unix(directory) => (facts::Transport::Unix, directory.display().to_string()),
        ServerHost::Tcp { name, .. } => (facts::Transport::Tcp, name.clone()),
    };
    let port = conninfo.port;
    // Whoever sends the load makes the round trips.
    facts::Path { transport, address, port, same_host, layers, encryption, round_trip_us: None, server_end }
}
