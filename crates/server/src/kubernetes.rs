//! A server in Kubernetes: found by its name there, or made before. Nothing of one that was found is changed, unless its
//! owner lets its settings be: its settings are settings of the load's sessions; one that was made has them as its own. The
//! names of a cluster's network mean nothing outside it, so connections go to addresses; the name is what the server's
//! certificate is held against.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::IpAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use cluster::rights::{Right, merge_right_lists, rights_of_changing, rights_of_disrupting, rights_to_find_server};
use cluster::{
    Api, Before, ClusterError, Disruption, Endpoint, FollowedDisruption, FoundPostgres, LoginSecret, ObjectOf,
    ServiceWay, Sought, UNVERIFIED, Update, Which,
};
use conninfo::{ConnInfo, ConninfoSurroundings, EncryptionMode, ServerHost, SessionAttrs};
use jiff::Timestamp;
use results::facts::{OfPlatform, Platform};
use results::trial::SessionsOf;
use tempfile::NamedTempFile;

use crate::changed_in_kubernetes::Changing;
use crate::environment::{self, Environment};
use crate::error::Cause;
use crate::facts;
use crate::facts::host::HostFactGaps;
use crate::facts::server::Reported;
use crate::host_access::{self, Carrier, HostAccess, PodShell, SessionOnHost};
use crate::local::Failure;
use crate::made_in_kubernetes::{KubernetesCreation, MakeSpec, drawn_login};
use crate::node_in_kubernetes;
use crate::progress::AcquireProgress;
use crate::reach::{self, ReachError};
use crate::server::{PasswordSecretKey, ServerInKubernetes, StartedServer, SupervisedServer, TargetServer};
use crate::target_settings::{self, SettingError};

/// How long a Service may lead nowhere once its pod is ready, and a cluster may be said not to be healthy that is.
const SETTLES_WITHIN: Duration = Duration::from_secs(15);

/// How long the API server may be away when it is asked what became of a pod.
const AWAY_AT_MOST: Duration = Duration::from_secs(30);

/// How long a server may take to be back that lost its pod: CloudNativePG waits up to 180 s for old sessions to end.
const BACK_WITHIN: Duration = Duration::from_secs(240);

/// How long an operator may take to bring settings into force: one that restarts a primary waits as long for its sessions.
const ROLLED_OUT_WITHIN: Duration = Duration::from_secs(300);

/// Whoever waits less for sessions to end is not warned of.
const WAIT_WORTH_TELLING_S: u32 = 5;

/// Between two looks for one of them.
const PAUSE: Duration = Duration::from_millis(500);

/// What a plan says about a server in Kubernetes.
#[derive(Debug, Clone, PartialEq)]
pub struct KubernetesSpec {
    /// The context of the kubeconfig; none: the current one.
    pub context: Option<String>,
    /// The namespace; none: that of the context.
    pub namespace: Option<String>,
    /// What is made before it is looked for; none: it is there.
    pub make: Option<Box<MakeSpec>>,
    /// Whether this run makes it, be it for another target: ways to it are new then.
    pub is_new: bool,
    /// Which server, who logs in, and by which certificate it proves itself.
    pub sought: Sought,
    /// By which way the load reaches it.
    pub way: ServiceWay,
    /// Whether connections are encrypted; none: as [`encryption_parameters`] has it.
    pub tls: Option<bool>,
    /// The database; none: that of the Secret.
    pub database: Option<String>,
    /// Whether its settings are settings of the whole cluster, which its operator rolls out; only of [`Which::Cluster`].
    pub may_change: bool,
    /// What its cluster is made to go through.
    pub disruptions: Vec<Disruption>,
    /// How an agent is started beside it.
    pub agent: Option<Carrier>,
}

impl KubernetesSpec {
    /// What making, finding and reading it takes.
    #[must_use]
    pub fn required_rights(&self) -> Vec<Right> {
        let of_making = self.make.as_ref().map(|make| make.required_rights()).unwrap_or_default();
        let of_changing = self.changeable_cluster().map(rights_of_changing).into_iter().collect();
        let of_disrupting = self.cluster_name().map(|name| rights_of_disrupting(name, &self.disruptions));
        merge_right_lists([
            of_making,
            of_changing,
            of_disrupting.unwrap_or_default(),
            rights_to_find_server(&self.sought, &self.way),
        ])
    }

    /// The cluster of CloudNativePG that it is the primary of.
    fn cluster_name(&self) -> Option<&str> {
        match &self.sought.which {
            Which::Cluster(name) => Some(name),
            Which::Pods(_) => None,
        }
    }

    /// The cluster whose settings may be changed.
    fn changeable_cluster(&self) -> Option<&str> {
        self.cluster_name().filter(|_| self.may_change)
    }

    /// The cluster whose settings or image an event changes.
    fn cluster_with_updates(&self) -> Option<&str> {
        self.cluster_name().filter(|_| self.disruptions.iter().any(|one| matches!(one, Disruption::RollingUpdate(_))))
    }

    /// The same connection to whichever instance takes writes, where another pod may be the primary before it is looked
    /// for again.
    async fn conninfo_following_primary(
        &self,
        api: &Api,
        pod: &str,
        plain: ConnInfo,
    ) -> Result<ConnInfo, ClusterError> {
        let Some(cluster) = self.cluster_name().filter(|_| self.way == ServiceWay::Pod) else { return Ok(plain) };
        if !self.disruptions.iter().any(cluster::Disruption::changes_primary) {
            return Ok(plain);
        }
        let name = if let ServerHost::Tcp { name, .. } = &plain.host { name.clone() } else { String::new() };
        let others = api.other_instances(cluster, pod).await?;
        let host = |other: Endpoint| (ServerHost::Tcp { name: name.clone(), address: Some(other.address) }, other.port);
        let others = others.into_iter().map(host).collect();
        Ok(ConnInfo { others, session: SessionAttrs::ReadWrite, ..plain })
    }

    /// The settings that are settings of the load's sessions.
    fn of_sessions<'k>(&self, target_settings: &'k BTreeMap<String, String>) -> Cow<'k, BTreeMap<String, String>> {
        if self.make.is_some() || self.changeable_cluster().is_some() {
            Cow::Owned(BTreeMap::new())
        } else {
            Cow::Borrowed(target_settings)
        }
    }
}

/// A server in Kubernetes.
#[derive(Debug)]
pub(crate) struct KubernetesServer {
    /// Without the settings.
    plain: ConnInfo,
    /// With them.
    load: ConnInfo,
    control: ConnInfo,
    layers: Vec<String>,
    of_platform: (OfPlatform, HostFactGaps),
    /// By what its node is read: a shell in its pod, where the plan names nothing else.
    carrier: Carrier,
    /// What was made of it; none: it was there.
    making: Option<KubernetesCreation>,
    /// Its cluster's settings, where they may be changed.
    changing: Option<Changing>,
    /// Where it was found, so that it can be found again.
    api: Api,
    spec: KubernetesSpec,
    /// What it was found in, for what is written down of it.
    environment: Environment,
    pod: String,
    /// The addresses of its pod.
    addresses: Vec<IpAddr>,
    /// Where its password is kept.
    secret: PasswordSecretKey,
    /// The certificate of the authority, as long as connections are made.
    _authority: Option<NamedTempFile>,
}

impl KubernetesServer {
    /// Makes it, if the plan says so, finds it and logs in.
    pub(crate) async fn reach_server(
        spec: &KubernetesSpec,
        target_settings: &BTreeMap<String, String>,
        environment: &Environment,
        on_progress: &mut (dyn FnMut(AcquireProgress) + Send),
    ) -> Result<Self, Cause> {
        target_settings.keys().try_for_each(|name| target_settings::check_name(name))?;
        let api = Api::open(spec.context.as_deref(), spec.namespace.as_deref()).await?;
        let Some(make) = &spec.make else {
            if !spec.disruptions.is_empty() {
                api.require_rights(&spec.required_rights()).await?;
            }
            let mut server = Self::find_settled((&api, spec, environment), target_settings).await?;
            server.warn_of_certificate(on_progress);
            if !spec.disruptions.is_empty() {
                warn_about_failover(&api, spec, on_progress).await?;
            }
            if let Some(cluster) = spec.changeable_cluster().or(spec.cluster_with_updates()) {
                if spec.disruptions.is_empty() {
                    api.require_rights(&spec.required_rights()).await?;
                }
                server.changing = Some(Changing::begin_change(&api, cluster, spec.context.as_deref(), environment)?);
                server.roll_out(target_settings).await?;
            }
            return Ok(server);
        };
        let making = KubernetesCreation::create_and_wait(
            &api,
            make,
            &spec.required_rights(),
            spec.context.as_deref(),
            environment,
            on_progress,
        )
        .await?;
        match Self::find_settled((&api, spec, environment), target_settings).await {
            Ok(server) => {
                server.warn_of_certificate(on_progress);
                Ok(Self { making: Some(making), ..server })
            }
            Err(cause) => {
                // The cause is the news; what could not be removed stays written down.
                let _ = making.release_objects();
                Err(cause)
            }
        }
    }

    /// Says that it is not known to whom its connections lead, where that was to be known.
    fn warn_of_certificate(&self, on_progress: &mut (dyn FnMut(AcquireProgress) + Send)) {
        if let Some(why) = self.of_platform.1.get(UNVERIFIED).filter(|_| self.spec.tls != Some(false)) {
            on_progress(AcquireProgress::Warning(why.clone()));
        }
    }

    /// Has its cluster go through this, until that is healthy again and what was taken is given back.
    async fn disrupt_cluster(
        &self,
        cluster: &str,
        what: &Disruption,
        followed: &mut FollowedDisruption,
    ) -> Result<(), Cause> {
        let sessions = if what.waits_for_sessions() { query_sessions(&self.control).await } else { None };
        let node = if what.is_of_node() { Some(self.api.node_of_primary(cluster).await?) } else { None };
        let shown = match what {
            Disruption::RollingUpdate(Update::Settings(given)) => query_shown_settings(&self.control, given).await?,
            _ => BTreeMap::new(),
        };
        let hands = node_in_kubernetes::manual_actions_at_node(
            &self.api,
            what,
            node,
            self.spec.context.as_deref(),
            &self.environment,
        )?;
        Ok(Box::pin(self.api.disrupt_cluster(cluster, what, Before { sessions, shown }, hands, followed)).await?)
    }

    /// Whether somebody makes its pod again when it is gone: not of a pod that pgdyno made.
    fn comes_back(&self) -> bool {
        let is_pod = |object: &ObjectOf| object.kind == "Pod";
        !self.making.as_ref().is_some_and(|making| making.made_objects().objects.iter().any(is_pod))
    }

    /// Gives its cluster these settings, and waits until they are in force; whether it had others.
    async fn roll_out(&mut self, target_settings: &BTreeMap<String, String>) -> Result<bool, Cause> {
        let Some(changing) = self.changing.as_ref().filter(|_| self.spec.may_change) else { return Ok(false) };
        if changing.has_settings(&self.api, target_settings).await? {
            return Ok(false);
        }
        let expected = changing
            .apply_settings(&self.api, target_settings, &query_shown_settings(&self.control, target_settings).await?)
            .await?;
        let found = Self::find_with((&self.api, &self.spec, &self.environment), &expected).await?;
        *self = Self { making: self.making.take(), changing: self.changing.take(), ..found };
        Ok(true)
    }

    /// Finds the primary, whichever that is by then, once it works with these settings of its cluster. What is not in
    /// force at last is told by whoever reads the settings back.
    async fn find_with(
        (api, spec, environment): (&Api, &KubernetesSpec, &Environment),
        expected: &BTreeMap<String, String>,
    ) -> Result<Self, Cause> {
        let deadline = Instant::now() + ROLLED_OUT_WITHIN;
        loop {
            let found = Self::find_server((api, spec, environment), &BTreeMap::new()).await;
            let is_over = Instant::now() > deadline;
            match found {
                Ok(found) if is_over || in_force(&found.control, expected).await => return Ok(found),
                Err(cause) if is_over => return Err(cause),
                Ok(_) | Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// Finds it also where something passes by itself: nodes learn of a Service a moment after its pod is ready, and an
    /// operator that has rolled something out says once more that it does, also where the run before has waited for that.
    async fn find_settled(
        of: (&Api, &KubernetesSpec, &Environment),
        target_settings: &BTreeMap<String, String>,
    ) -> Result<Self, Cause> {
        let deadline = Instant::now() + SETTLES_WITHIN;
        let (_, spec, _) = of;
        loop {
            match Self::find_server(of, target_settings).await {
                Err(cause) if may_pass_soon(&cause, spec) && Instant::now() < deadline => {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
                found => return found,
            }
        }
    }

    /// Finds it and logs in.
    async fn find_server(
        (api, spec, environment): (&Api, &KubernetesSpec, &Environment),
        target_settings: &BTreeMap<String, String>,
    ) -> Result<Self, Cause> {
        let made = match &spec.sought.secret {
            LoginSecret::Made(secret) => drawn_login(api.namespace_name(), secret),
            LoginSecret::OfApplication | LoginSecret::Named(_) => None,
        };
        let found = cluster::find_server(api, &spec.sought, made, &spec.way).await?;
        let authority = found.authority.as_deref().map(file_with).transpose()?;
        let encryption = encryption_parameters(spec, &found, authority.as_ref().map(NamedTempFile::path));
        let of = |endpoint: &Endpoint| conninfo_of_endpoint(spec, &found, endpoint, &encryption);
        let control = of(&found.control)?;
        reach::log_in_first_time(&control).await?;
        let (plain, layers) = match &spec.way {
            ServiceWay::Socket => {
                (at_socket(&control, &found.pod).await?, vec!["Unix-domain socket of the pod".to_owned()])
            }
            ServiceWay::Pod
            | ServiceWay::Service(_)
            | ServiceWay::NodePort(_)
            | ServiceWay::HostNetwork
            | ServiceWay::Pooler(_) => (of(&found.load)?, found.load.hops.clone()),
        };
        let plain = spec.conninfo_following_primary(api, &found.pod, plain).await?;
        reach::log_in_first_time(&plain).await?;
        let shell = PodShell {
            context: spec.context.clone(),
            namespace: api.namespace_name().to_owned(),
            pod: found.pod.clone(),
            container: found.container.clone(),
        };
        let tls = (plain.encryption != EncryptionMode::Never).then(|| "TLS".to_owned());
        Ok(Self {
            load: plain.clone().with_session_settings(&spec.of_sessions(target_settings)),
            plain,
            control,
            layers: layers.into_iter().chain(tls).collect(),
            of_platform: (found.of_platform, found.gaps),
            carrier: spec.agent.clone().unwrap_or(Carrier::Pod(shell)),
            making: None,
            changing: None,
            api: api.clone(),
            spec: spec.clone(),
            environment: environment.clone(),
            pod: found.pod,
            addresses: found.addresses,
            secret: PasswordSecretKey {
                context: spec.context.clone(),
                namespace: api.namespace_name().to_owned(),
                secret: found.login.secret,
                key: found.login.key,
            },
            _authority: authority,
        })
    }
}

/// Whether what keeps a server from being found may be over in a moment.
fn may_pass_soon(cause: &Cause, spec: &KubernetesSpec) -> bool {
    match cause {
        Cause::Reach(ReachError::Refused { .. }) => spec.is_new,
        Cause::Cluster(error) => matches!(error, ClusterError::Unhealthy { .. } | ClusterError::Switching { .. }),
        _ => false,
    }
}

/// Says what a cluster that is going to lose its primary will do otherwise than its owner may think.
async fn warn_about_failover(
    api: &Api,
    spec: &KubernetesSpec,
    on_progress: &mut (dyn FnMut(AcquireProgress) + Send),
) -> Result<(), ClusterError> {
    let Some(cluster) = spec.cluster_name() else { return Ok(()) };
    let patience = api.disruption_patience(cluster, &spec.disruptions).await?;
    if patience.instances == 1 && spec.disruptions.iter().any(cluster::Disruption::changes_primary) {
        let warning =
            format!("the cluster {cluster} has one instance: it accepts no connections until its pod is recreated");
        on_progress(AcquireProgress::Warning(warning));
    }
    let waits_s = patience.smart_shutdown_s;
    if waits_s >= WAIT_WORTH_TELLING_S && spec.disruptions.iter().any(cluster::Disruption::waits_for_sessions) {
        let warning = format!(
            "the primary of {cluster} stops when its sessions have ended, including those of the load, or after \
             {waits_s} s (smartShutdownTimeout): the measurement and `within` of the event must be longer"
        );
        on_progress(AcquireProgress::Warning(warning));
    }
    Ok(())
}

/// Waits until all servers of a cluster are as its `Cluster` has them, or for as long as that may take.
async fn await_rolled_out(api: &Api, cluster: &str) -> Result<(), ClusterError> {
    let deadline = Instant::now() + ROLLED_OUT_WITHIN;
    while !api.is_rolled_out(cluster).await? && Instant::now() < deadline {
        tokio::time::sleep(PAUSE).await;
    }
    Ok(())
}

/// What a server works with of these settings.
async fn query_shown_settings(
    control: &ConnInfo,
    settings: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Cause> {
    let reported = query_reported_settings(control, settings).await?;
    Ok(reported.into_iter().map(|(name, reported)| (name, reported.setting.value)).collect())
}

/// Whether a server works with these settings; not while it cannot be asked.
async fn in_force(control: &ConnInfo, settings: &BTreeMap<String, String>) -> bool {
    let reported = query_reported_settings(control, settings).await;
    reported.is_ok_and(|reported| target_settings::confirm_settings(settings, &reported).is_ok())
}

/// The sessions of a server, where it can be asked.
async fn query_sessions(control: &ConnInfo) -> Option<Vec<SessionsOf>> {
    let client = reach::connect_and_check_version(control).await.ok()?;
    facts::server::query_other_sessions(&client).await.ok()
}

async fn query_reported_settings(
    control: &ConnInfo,
    of: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, Reported>, Cause> {
    let client = reach::connect_and_check_version(control).await?;
    let names: Vec<String> = of.keys().map(|name| name.to_lowercase()).collect();
    facts::server::query_settings(&client, &names)
        .await
        .map_err(|error| reach::classify_postgres_error(&error, control).into())
}

/// The way through the server's socket: where its process is one of this machine, by which its files are reached.
async fn at_socket(control: &ConnInfo, pod: &str) -> Result<ConnInfo, Cause> {
    let session = SessionOnHost::open_session(control).await?;
    let here = host_access::look_here(&session.backend).ok_or_else(|| ClusterError::NoWay {
        way: "Unix-domain socket",
        pod: pod.to_owned(),
        said: "the processes of the pod are not visible on this machine".to_owned(),
        hint: "run pgdyno as root on the node of the pod, or use `via: pod`",
    })?;
    let row = session.client.query_one("SHOW unix_socket_directories", &[]).await;
    let directories: String = row.map_err(|error| reach::classify_postgres_error(&error, control))?.get(0);
    let first = directories.split(',').next().unwrap_or_default().trim().trim_start_matches('/').to_owned();
    let directory = Path::new("/proc").join(here.postmaster_pid.to_string()).join("root").join(first);
    Ok(ConnInfo { host: ServerHost::Unix(directory), encryption: EncryptionMode::Never, ..control.clone() })
}

/// A file of ours with this text, for whom takes certificates as files.
fn file_with(text: &str) -> Result<NamedTempFile, Failure> {
    let made = NamedTempFile::with_prefix("pgdyno-ca-").and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        Ok(file)
    });
    made.map_err(Failure::system_call_failed("store the CA certificate of the cluster"))
}

/// The part of a connection string about encryption, as `KubernetesSpec::tls` has it.
fn encryption_parameters(spec: &KubernetesSpec, found: &FoundPostgres, authority: Option<&Path>) -> String {
    match (spec.tls, &spec.sought.which, authority) {
        (Some(false), ..) => "sslmode=disable".to_owned(),
        (Some(true) | None, _, Some(file)) => {
            let mode = if found.server_name.is_some() { "verify-full" } else { "verify-ca" };
            format!("sslmode={mode} sslrootcert={}", quote_conninfo_value(&file.to_string_lossy()))
        }
        (Some(true), ..) | (None, Which::Cluster(_), None) => "sslmode=require".to_owned(),
        (None, Which::Pods(_), None) => "sslmode=prefer".to_owned(),
    }
}

/// The connection to one end of a way. What the environment says of other servers (`PGSSLMODE`, `PGPASSWORD`, …) is not
/// about this one.
fn conninfo_of_endpoint(
    spec: &KubernetesSpec,
    found: &FoundPostgres,
    endpoint: &Endpoint,
    encryption: &str,
) -> Result<ConnInfo, conninfo::ConninfoError> {
    let login = &found.login;
    let address = endpoint.address.to_string();
    let mut text = format!("hostaddr={address} port={} {encryption}", endpoint.port);
    let database = spec.database.as_ref().or(login.database.as_ref()).unwrap_or(&login.user);
    for (key, value) in [
        ("host", found.server_name.as_ref().unwrap_or(&address)),
        ("user", &login.user),
        ("password", &login.password),
        ("dbname", database),
    ] {
        write!(text, " {key}={}", quote_conninfo_value(value)).expect("a string takes it");
    }
    let around = ConninfoSurroundings {
        variables: &BTreeMap::new(),
        os_user: None,
        read: &environment::read_file,
        socket_directory: Path::new("/tmp"),
    };
    Ok(conninfo::resolve_connection_string(&text, &around)?.conninfo)
}

/// A value of a connection string in its quotes.
fn quote_conninfo_value(value: &str) -> String {
    format!("'{}'", value.replace('\\', r"\\").replace('\'', r"\'"))
}

#[async_trait]
impl TargetServer for KubernetesServer {
    fn platform(&self) -> Platform {
        Platform::Kubernetes
    }

    fn load_conninfo(&self) -> &ConnInfo {
        &self.load
    }

    fn control_conninfo(&self) -> &ConnInfo {
        &self.control
    }

    fn path_layers(&self) -> Vec<String> {
        self.layers.clone()
    }

    fn can_set(&self, setting: &str) -> Result<(), SettingError> {
        target_settings::check_name(setting)
    }

    fn is_made_by_pgdyno(&self) -> bool {
        // Its user is nobody who could change what outlasts a session.
        false
    }

    async fn host_access(&self) -> Result<HostAccess, Cause> {
        let session = SessionOnHost::open_session(&self.control).await?;
        let is_here = host_access::look_here(&session.backend).is_some();
        Ok(HostAccess::Agent { carrier: self.carrier.clone(), is_here })
    }

    async fn apply_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        if self.making.is_some() {
            let why = "its settings are fixed at its creation";
            return Err(Failure::system_call_failed("change the settings of a server in Kubernetes")(why).into());
        }
        if self.spec.changeable_cluster().is_some() {
            return self.roll_out(target_settings).await.map(drop);
        }
        self.load = self.plain.clone().with_session_settings(target_settings);
        Ok(())
    }

    async fn release_server(self: Box<Self>) -> Result<(), Cause> {
        if let Some(changing) = self.changing {
            let before = changing.restore_settings(&self.api).await?;
            if !before.is_empty() {
                // Its owner and whoever measures next find it as it was, not about to be restarted.
                Self::find_with((&self.api, &self.spec, &self.environment), &before).await?;
            }
            if let Some(cluster) = self.spec.cluster_with_updates() {
                await_rolled_out(&self.api, cluster).await?;
            }
        }
        self.making.map_or(Ok(()), KubernetesCreation::release_objects)
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
        Some(self)
    }

    fn in_kubernetes_mut(&mut self) -> Option<&mut dyn ServerInKubernetes> {
        Some(self)
    }
}

#[async_trait]
impl ServerInKubernetes for KubernetesServer {
    fn secret_key(&self) -> PasswordSecretKey {
        self.secret.clone()
    }

    fn own_addresses(&self) -> &[IpAddr] {
        &self.addresses
    }

    fn of_platform(&self) -> (OfPlatform, HostFactGaps) {
        self.of_platform.clone()
    }

    async fn take_settings(&mut self, target_settings: &BTreeMap<String, String>) -> Result<bool, Cause> {
        self.roll_out(target_settings).await
    }

    async fn disrupt_cluster(&self, what: &Disruption, followed: &mut FollowedDisruption) -> Option<Result<(), Cause>> {
        // Boxed: it holds the state of three watches.
        Some(Box::pin(self.disrupt_cluster(self.spec.cluster_name()?, what, followed)).await)
    }

    async fn fate_of_pod(&self, since: Timestamp) -> Result<Option<String>, Cause> {
        let began = Instant::now();
        loop {
            match self.api.fate_of_pod(&self.pod, since).await {
                Err(ClusterError::Away { .. }) if began.elapsed() < AWAY_AT_MOST => {}
                // Kubernetes knows of the end of a server once it has ended: one that ends refuses sessions before.
                Ok(None)
                    if began.elapsed() < BACK_WITHIN
                        && reach::connect_and_check_version(&self.control).await.is_err() => {}
                told => return Ok(told?),
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    async fn find_again(&mut self, target_settings: &BTreeMap<String, String>) -> Result<(), Cause> {
        let deadline = Instant::now() + BACK_WITHIN;
        loop {
            match Self::find_server((&self.api, &self.spec, &self.environment), target_settings).await {
                Ok(found) => {
                    *self = Self { making: self.making.take(), changing: self.changing.take(), ..found };
                    return Ok(());
                }
                Err(cause) if !self.comes_back() || Instant::now() > deadline => return Err(cause),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }
}
