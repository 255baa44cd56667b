//! A target: a PostgreSQL with its knobs applied and confirmed, from [`acquire`] to [`Target::release`].

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use conninfo::{ConnInfo, Host, Secret};
use jiff::Timestamp;
use results::facts::{self, Platform, TargetFacts};
use tokio_postgres::Client;

use crate::embedded::{self, Step};
use crate::environment::Environment;
use crate::error::{Cause, TargetError};
use crate::facts::host::{self, Gaps, Place};
use crate::facts::server::{self, Reported};
use crate::knobs;
use crate::local::{
    self, Failure, LocalSpec, Route, ServerView, Source, Stage, Supervised, conf, login, orphans, programs,
};
use crate::reach;

/// Which PostgreSQL a plan means.
#[derive(Debug, Clone, PartialEq)]
pub enum Spec {
    /// A server that exists: a URL or `key=value` pairs, as libpq reads them.
    Url {
        /// The connection string; empty means what the environment says.
        conninfo: Secret,
    },
    /// A server to be started on this machine.
    Local(LocalSpec),
}

/// A step of [`acquire`] that takes time or needs attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// An archive of about 15 MB is being downloaded.
    Downloading {
        /// The version as asked for.
        version: String,
        /// From where.
        url: String,
    },
    /// It is being unpacked into the cache.
    Unpacking {
        /// The exact version.
        version: String,
    },
    /// `initdb` runs.
    CreatingCluster,
    /// The server starts.
    Starting,
    /// Something was ignored that the user should hear about.
    Warning(String),
}

/// A PostgreSQL that is ready to be measured. Dropping it stops a local server; [`Target::release`] also says whether
/// nothing of it is left.
#[derive(Debug)]
pub struct Target {
    name: String,
    /// Without the knobs.
    plain: ConnInfo,
    /// With the knobs that a session carries.
    load: ConnInfo,
    knobs: BTreeMap<String, String>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Url,
    Local {
        spec: LocalSpec,
        server: Box<Supervised>,
        password: Secret,
    },
    /// Another target's server, reached by a route of its own.
    Shared {
        server: Box<ServerView>,
        route: Route,
        cpus: Option<f64>,
    },
}

/// Reaches or starts a server and applies its knobs; every knob has been read back when it returns.
///
/// # Errors
/// The connection string, the download, the programs, the start, the login, the version, or a knob that the server
/// refuses or does not report. Nothing started is left behind.
pub async fn acquire(
    name: &str,
    spec: &Spec,
    knobs: &BTreeMap<String, String>,
    environment: &Environment,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Target, TargetError> {
    let acquired = match spec {
        Spec::Url { conninfo } => reach_url(name, conninfo, knobs, environment, on_progress).await,
        Spec::Local(spec) => Box::pin(start_local(name, spec, knobs, environment, on_progress)).await,
    };
    let target = acquired.map_err(|cause| cause.of(name))?;
    match target.confirm_knobs().await {
        Ok(_) => Ok(target),
        Err(error) => {
            // The knob is the news; what went wrong while stopping would only hide it.
            let _ = target.release().await;
            Err(error)
        }
    }
}

async fn reach_url(
    name: &str,
    text: &Secret,
    knobs: &BTreeMap<String, String>,
    environment: &Environment,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Target, Cause> {
    knobs::check_names(knobs)?;
    let resolved = conninfo::resolve(text.expose(), &environment.surroundings())?;
    resolved.warnings.into_iter().for_each(|warning| on_progress(Progress::Warning(warning)));
    let plain = resolved.conninfo;
    reach::knock(&plain).await?;
    reach::connect(&plain).await?;
    let load = plain.clone().with_session_settings(knobs);
    Ok(Target { name: name.to_owned(), plain, load, knobs: knobs.clone(), kind: Kind::Url })
}

async fn start_local(
    name: &str,
    spec: &LocalSpec,
    knobs: &BTreeMap<String, String>,
    environment: &Environment,
    on_progress: &mut (dyn FnMut(Progress) + Send),
) -> Result<Target, Cause> {
    let settings = check_settings(&spec.settings, knobs)?;
    let bin = match &spec.source {
        Source::Bin(directory) => directory.clone(),
        Source::Version(version) => {
            let mut on_step = |step: Step| on_progress(step.into());
            embedded::provide(version, environment, &mut on_step).await?
        }
    };
    let programs = programs::inspect(&bin, environment)?;
    let mut on_stage = |stage: Stage| on_progress(stage.into());
    let password = random_password()?;
    let verifier = postgres_protocol::password::scram_sha_256(password.expose().as_bytes());
    let started = local::start(spec, programs, settings.clone(), verifier.clone(), environment, &mut on_stage).await;
    let server = started.map_err(|failure| blame(failure, &settings))?;
    let load = login::of_load(server.view(), spec.route, &password)?;
    let plain = login::of_control(server.view(), spec.route, &load);
    let kind = Kind::Local { spec: spec.clone(), server: Box::new(server), password };
    let target = Target { name: name.to_owned(), load, plain, knobs: knobs.clone(), kind };
    match target.set_password(&verifier).await {
        Ok(()) => Ok(target),
        Err(cause) => {
            // The cause is the news; what went wrong while stopping would only hide it.
            let _ = target.release().await;
            Err(cause)
        }
    }
}

fn check_settings(
    settings: &BTreeMap<String, String>,
    knobs: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, Cause> {
    let merged = conf::merge(settings, knobs);
    knobs::check_names(&merged)?;
    knobs::check_reserved(&merged)?;
    Ok(merged)
}

/// A server that did not start because of a setting: says which.
fn blame(failure: Failure, settings: &BTreeMap<String, String>) -> Cause {
    match &failure {
        Failure::DidNotStart { log } => {
            knobs::blamed_in_log(settings, log).map_or_else(|| Cause::Local(failure.clone()), Cause::Knob)
        }
        _ => Cause::Local(failure),
    }
}

/// 128 random bits in hexadecimal.
fn random_password() -> Result<Secret, Failure> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Failure::system("get random bytes for a password"))?;
    Ok(Secret::new(bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>()))
}

impl From<Step> for Progress {
    fn from(step: Step) -> Self {
        match step {
            Step::Downloading { version, url } => Self::Downloading { version, url },
            Step::Unpacking { version } => Self::Unpacking { version },
        }
    }
}

impl From<Stage> for Progress {
    fn from(stage: Stage) -> Self {
        match stage {
            Stage::CreatingCluster => Self::CreatingCluster,
            Stage::Starting => Self::Starting,
        }
    }
}

impl Target {
    /// The target's name in the plan.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The connection for the load: its sessions carry the knobs.
    #[must_use]
    pub fn conninfo(&self) -> &ConnInfo {
        &self.load
    }

    /// The connection for the control plane: on a server that was found, its sessions are without knobs.
    #[must_use]
    pub fn control(&self) -> control::Config {
        control::Config::from(&self.plain)
    }

    /// Opens a connection for the control plane.
    ///
    /// # Errors
    /// Everything that can be wrong with the way to the server.
    pub async fn connect(&self) -> Result<Client, TargetError> {
        reach::connect(&self.plain).await.map_err(|error| Cause::from(error).of(&self.name))
    }

    /// The server that pgdyno started, if it did.
    #[must_use]
    pub fn local(&self) -> Option<&ServerView> {
        match &self.kind {
            Kind::Url => None,
            Kind::Local { server, .. } => Some(server.view()),
            Kind::Shared { server, .. } => Some(server),
        }
    }

    /// A further target on the local server of this one, which must outlive it: another route to the same server, and
    /// another limit of its CPUs. Its knobs are settings of the load's sessions.
    ///
    /// # Errors
    /// This target is no local server, the route was not built with it, or a knob cannot be confirmed.
    pub async fn share(
        &self,
        name: &str,
        route: Route,
        cpus: Option<f64>,
        knobs: &BTreeMap<String, String>,
    ) -> Result<Target, TargetError> {
        let shared = || {
            let Kind::Local { server, password, .. } = &self.kind else {
                let why = format!("target \"{}\" is not a server that pgdyno starts", self.name);
                return Err(Failure::system("share the server of another target")(why));
            };
            let load = login::of_load(server.view(), route, password)?;
            let plain = login::of_control(server.view(), route, &load);
            let kind = Kind::Shared { server: Box::new(server.view().clone()), route, cpus };
            let load = load.with_session_settings(knobs);
            Ok(Target { name: name.to_owned(), plain, load, knobs: knobs.clone(), kind })
        };
        let target = shared().map_err(|failure: Failure| Cause::from(failure).of(name))?;
        target.confirm_knobs().await?;
        Ok(target)
    }

    /// Gives the server the CPUs that this target allows it, before a trial; targets that share a server take turns.
    ///
    /// # Errors
    /// The limit cannot be set.
    pub fn take_turn(&self) -> Result<(), TargetError> {
        let cpus = match &self.kind {
            Kind::Url => return Ok(()),
            Kind::Local { spec, .. } => spec.cpus,
            Kind::Shared { cpus, .. } => *cpus,
        };
        let Some(group) = self.local().and_then(|server| server.built().cpu_group.clone()) else { return Ok(()) };
        let what = format!("limit the CPUs of {}", group.display());
        local::limit(&group, cpus).map_err(|error| Cause::from(Failure::system(what)(error)).of(&self.name))
    }

    /// The layers between the load and the server, in the order in which a byte passes them.
    fn layers(&self) -> Vec<String> {
        match &self.kind {
            Kind::Url => Vec::new(),
            Kind::Local { spec, server, .. } => login::layers(server.view(), spec.route),
            Kind::Shared { server, route, .. } => login::layers(server, *route),
        }
    }

    /// Whether the server can be worked with: a local one runs, and a new connection is accepted.
    ///
    /// # Errors
    /// The reason why not.
    pub async fn check_alive(&self) -> Result<(), TargetError> {
        if let Some(server) = self.local() {
            server.check().map_err(|failure| Cause::from(failure).of(&self.name))?;
        }
        self.connect().await.map(drop)
    }

    /// Reads every knob back, over a connection like the load's, and compares it with what was asked for.
    /// Returns the values as the server shows them, by the names of the plan.
    ///
    /// # Errors
    /// The first knob that the server refuses, does not know, or reports with another value; or a lost connection.
    pub async fn confirm_knobs(&self) -> Result<BTreeMap<String, String>, TargetError> {
        let confirmed = async {
            let client = self.connect_like_load().await?;
            Ok::<_, Cause>(knobs::confirm(&self.knobs, &self.settings(&client).await?)?)
        };
        confirmed.await.map_err(|cause: Cause| cause.of(&self.name))
    }

    /// Stops a local server in order and starts it with other knobs, on the same data; its port changes, so ask for
    /// [`Target::conninfo`] again. For a server that was found, the knobs of new sessions change.
    ///
    /// # Errors
    /// The server does not start, or a knob cannot be confirmed. The target can be restarted again or released.
    pub async fn restart(&mut self, knobs: &BTreeMap<String, String>) -> Result<(), TargetError> {
        self.replace_knobs(knobs).await.map_err(|cause| cause.of(&self.name))?;
        self.confirm_knobs().await.map(drop)
    }

    /// Stops a local server in order and starts it with the knobs that it has: its caches are empty then. Does nothing to
    /// a server that was found.
    ///
    /// # Errors
    /// The server does not start, or a knob cannot be confirmed any more.
    pub async fn restart_as_it_is(&mut self) -> Result<(), TargetError> {
        let knobs = self.knobs.clone();
        self.restart(&knobs).await
    }

    /// How many huge pages of the machine's usual size the shared memory of the server needs.
    ///
    /// # Errors
    /// The server cannot be asked, or does not say.
    pub async fn huge_pages_needed(&self) -> Result<u64, TargetError> {
        let needed = async {
            let client = reach::connect(&self.plain).await?;
            let row =
                client.query_one(include_str!("sql/huge_pages.sql"), &[]).await.map_err(|error| self.lost(&error))?;
            Ok::<i64, Cause>(row.get(0))
        };
        let needed = needed.await.map_err(|cause| cause.of(&self.name))?;
        u64::try_from(needed).map_err(|_| {
            let why = "the server says that this machine has none";
            Cause::from(Failure::system("count the huge pages that the server needs")(why)).of(&self.name)
        })
    }

    async fn replace_knobs(&mut self, knobs: &BTreeMap<String, String>) -> Result<(), Cause> {
        match &mut self.kind {
            Kind::Url => {
                knobs::check_names(knobs)?;
                self.load = self.plain.clone().with_session_settings(knobs);
            }
            Kind::Local { spec, server, password } => {
                let settings = check_settings(&spec.settings, knobs)?;
                server.restart(settings.clone()).await.map_err(|failure| blame(failure, &settings))?;
                self.load = login::of_load(server.view(), spec.route, password)?;
                self.plain = login::of_control(server.view(), spec.route, &self.load);
            }
            Kind::Shared { .. } => {
                knobs::check_names(knobs)?;
                self.load.options = None;
                self.load = self.load.clone().with_session_settings(knobs);
            }
        }
        self.knobs = knobs.clone();
        Ok(())
    }

    /// Everything known about the target now, as read back from the server and, where it is this one, its machine.
    ///
    /// # Errors
    /// The server cannot be asked; anything less is a gap in the facts.
    pub async fn facts(&self) -> Result<TargetFacts, TargetError> {
        self.read_facts().await.map_err(|cause| cause.of(&self.name))
    }

    async fn read_facts(&self) -> Result<TargetFacts, Cause> {
        let client = self.connect_like_load().await?;
        let identity = server::identity(&client).await.map_err(|error| self.lost(&error))?;
        let settings = self.settings(&client).await?;
        let mut gaps = Gaps::new();
        if !identity.sees_all_settings {
            let role = &self.load.user;
            let why = format!("role \"{role}\" is not a member of pg_read_all_settings and sees only some of them");
            gaps.insert("settings".to_owned(), why);
        }
        let data_directory = settings.get("data_directory").map(|reported| PathBuf::from(&reported.guc.setting));
        let host = self.read_host(data_directory.as_deref(), identity.backend_pid, &mut gaps);
        Ok(TargetFacts {
            format: facts::FORMAT,
            name: self.name.clone(),
            platform: match self.kind {
                Kind::Url => Platform::Url,
                Kind::Local { .. } | Kind::Shared { .. } => Platform::Local,
            },
            read_at: Timestamp::now(),
            path: login::path(&self.load, self.layers()),
            server: identity.server,
            settings: settings.into_values().map(|reported| (reported.guc.name, reported.setting)).collect(),
            host,
            agent: None,
            gaps,
        })
    }

    /// The size of the database now, in bytes; in the facts it is that of the instant at which they were read.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn database_bytes(&self) -> Result<Option<u64>, TargetError> {
        let client = self.connect().await?;
        let row = client.query_one("SELECT pg_database_size(current_database())", &[]).await;
        let bytes: i64 = row.map_err(|error| self.lost(&error).of(&self.name))?.get(0);
        Ok(u64::try_from(bytes).ok())
    }

    /// Where the server is now, if it runs on this machine and its process can be found.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn whereabouts(&self) -> Result<Option<Whereabouts>, TargetError> {
        if let Some(server) = self.local() {
            let data_directory = Some(server.data_directory().to_owned());
            return Ok(Some(Whereabouts { postmaster_pid: server.postmaster_pid(), data_directory }));
        }
        if !login::path(&self.load, Vec::new()).same_host {
            return Ok(None);
        }
        let SessionOnHost { client: _open, backend_pid, data_directory } = self.session_on_host().await?;
        Ok(postmaster_of(Path::new("/"), backend_pid)
            .map(|postmaster_pid| Whereabouts { postmaster_pid, data_directory }))
    }

    /// A session by whose process the server can be found on its host while it is open.
    ///
    /// # Errors
    /// The server cannot be asked.
    pub async fn session_on_host(&self) -> Result<SessionOnHost, TargetError> {
        let client = self.connect().await?;
        let row = client.query_one(include_str!("sql/whereabouts.sql"), &[]).await;
        let row = row.map_err(|error| self.lost(&error).of(&self.name))?;
        let directory: Option<String> = row.get("data_directory");
        Ok(SessionOnHost { client, backend_pid: row.get("backend_pid"), data_directory: directory.map(PathBuf::from) })
    }

    /// The facts of this machine, if it is known to be the server's.
    fn read_host(&self, data_directory: Option<&Path>, backend_pid: i32, gaps: &mut Gaps) -> Option<facts::Host> {
        let root = Path::new("/");
        if let Some(server) = self.local() {
            let postmaster_pid = Some(server.postmaster_pid());
            return host::read(root, Place { data_directory: Some(server.data_directory()), postmaster_pid }, gaps);
        }
        if !login::path(&self.load, Vec::new()).same_host {
            gaps.insert("host".to_owned(), "the server is on another machine".to_owned());
            return None;
        }
        let postmaster_pid = postmaster_of(root, backend_pid);
        if postmaster_pid.is_none() && !matches!(self.load.host, Host::Unix(_)) {
            let why = "no process here is the server's: it may be in a container or behind a tunnel";
            gaps.insert("host".to_owned(), why.to_owned());
            return None;
        }
        let data_directory = data_directory.filter(|_| postmaster_pid.is_some());
        host::read(root, Place { data_directory, postmaster_pid }, gaps)
    }

    async fn settings(&self, client: &Client) -> Result<BTreeMap<String, Reported>, Cause> {
        let asked = self.local_settings().chain(self.knobs.keys()).map(|name| name.to_lowercase());
        let asked: Vec<String> = asked.collect();
        server::settings(client, &asked).await.map_err(|error| self.lost(&error))
    }

    fn local_settings(&self) -> impl Iterator<Item = &String> {
        let settings = match &self.kind {
            Kind::Url | Kind::Shared { .. } => None,
            Kind::Local { spec, .. } => Some(spec.settings.keys()),
        };
        settings.into_iter().flatten()
    }

    async fn connect_like_load(&self) -> Result<Client, Cause> {
        // A route for the load alone is not the control plane's to take: the server is the same, and so are its sessions.
        let control_takes_it = self.plain.host == self.load.host && self.plain.port == self.load.port;
        let conninfo = if control_takes_it {
            self.load.clone()
        } else {
            ConnInfo { options: self.load.options.clone(), ..self.plain.clone() }
        };
        reach::connect(&conninfo).await.map_err(|error| match knobs::refused(&self.knobs, &error) {
            Some(refused) => refused.into(),
            None => error.into(),
        })
    }

    fn lost(&self, error: &tokio_postgres::Error) -> Cause {
        reach::classify(error, &self.load).into()
    }

    /// Gives the superuser of a local server its password, as a verifier, so that no log can hold it.
    async fn set_password(&self, verifier: &str) -> Result<(), Cause> {
        let Kind::Local { server, .. } = &self.kind else { return Ok(()) };
        let socket = login::plain(server.view());
        let client = reach::connect(&socket).await?;
        let statement = format!("ALTER ROLE postgres PASSWORD '{verifier}'");
        let set = client.batch_execute(&statement).await;
        set.map_err(|error| reach::classify(&error, &socket).into())
    }

    /// Lets go of the target. A local server is stopped, and everything of it removed but a kept data directory.
    ///
    /// # Errors
    /// Something of it could not be removed.
    pub async fn release(self) -> Result<(), TargetError> {
        match self.kind {
            Kind::Url | Kind::Shared { .. } => Ok(()),
            Kind::Local { server, .. } => server.stop().await.map_err(|failure| Cause::from(failure).of(&self.name)),
        }
    }
}

/// Where a server on this machine is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whereabouts {
    /// Its first process.
    pub postmaster_pid: u32,
    /// Its data directory; absent where the role may not see it.
    pub data_directory: Option<PathBuf>,
}

/// An open session, and what its server's host knows it by.
pub struct SessionOnHost {
    /// The session, which has to stay open while its process is looked for.
    pub client: Client,
    /// Its process on the server's host.
    pub backend_pid: i32,
    /// The server's data directory; absent where the role may not see it.
    pub data_directory: Option<PathBuf>,
}

/// This machine as the host of a server elsewhere.
#[derive(Debug)]
pub struct HostHere {
    /// Its facts; none if the essentials could not be read.
    pub host: Option<facts::Host>,
    /// What could not be read, and why.
    pub gaps: BTreeMap<String, String>,
    /// The server's first process, if it was found.
    pub postmaster_pid: Option<u32>,
}

/// Reads this machine for a server one of whose sessions has this process here.
#[must_use]
pub fn host_here(backend_pid: i32, data_directory: Option<&Path>) -> HostHere {
    let root = Path::new("/");
    let mut gaps = Gaps::new();
    let postmaster_pid = postmaster_of(root, backend_pid);
    if postmaster_pid.is_none() {
        let why =
            "no process on the agent's host is the server's: it may be another host, or the server in a container";
        gaps.insert("host.server".to_owned(), why.to_owned());
    }
    let data_directory = data_directory.filter(|_| postmaster_pid.is_some());
    let host = host::read(root, Place { data_directory, postmaster_pid }, &mut gaps);
    HostHere { host, gaps, postmaster_pid }
}

/// The postmaster of a backend, if the process with the backend's id is one of PostgreSQL here.
fn postmaster_of(root: &Path, backend_pid: i32) -> Option<u32> {
    let process = root.join("proc").join(backend_pid.to_string());
    let name = std::fs::read_to_string(process.join("comm")).ok()?;
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    let parent = orphans::parent_in_stat(&stat).filter(|_| name.starts_with("postgres"))?;
    u32::try_from(parent).ok()
}
