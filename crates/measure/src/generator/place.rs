//! The place that a plan has its load sent from, which may be several pods or hosts: made where it is pods, asked who
//! they are before the first trial, written down, and removed at the end.

use std::collections::BTreeMap;
use std::time::Duration;

use cluster::Api;
use cluster::rights::{Right, merge_right_lists, rights_of_running};
use conninfo::ConnInfo;
use jiff::Timestamp;
use plan::{DRAWN, LoadAt, LoadPlace, LoadPod, MadeObjects, PGDYNO, PasswordFrom, Plan, SERVER, password_variable};
use results::load_place::{FORMAT, GeneratorPlace, LoadPlaceFacts};
use results::store::RunDir;
use server::{Carrier, Cause, Environment, KubernetesCreation, MakeSpec, PasswordSecretKey};

use super::messages::{Password, ServerOrder};
use super::near::{GeneratorSession, GeneratorSite};
use problem::Problem;

/// The longest that the pod may take to be there.
const READY_WITHIN: Duration = Duration::from_secs(300);

/// A server that the load is to reach.
#[derive(Debug, Clone)]
pub struct ServerUnderLoad {
    /// Its target.
    pub target: String,
    /// How the load logs in.
    pub login: ConnInfo,
    /// Where in Kubernetes its password is kept.
    pub secret: Option<PasswordSecretKey>,
    /// The node of its pod.
    pub node: Option<String>,
    /// How its host is reached otherwise.
    pub agent: Option<Carrier>,
}

/// A place on another machine, or several, that is ready to send.
#[derive(Debug)]
pub struct Elsewhere {
    name: String,
    /// The generators, each of which sends a part of the load; at least one.
    members: Vec<PlacedGenerator>,
    making: Option<KubernetesCreation>,
    /// The variable with its password, by target; nothing where passwords are told.
    variables: BTreeMap<String, String>,
    /// The median round trip from them to each target, in microseconds, of the farthest; or what kept from it.
    round_trips_us: BTreeMap<String, Result<u64, String>>,
}

/// One generator, where it is.
#[derive(Debug)]
struct PlacedGenerator {
    site: GeneratorSite,
    /// Its name, where it is one of several with their number from 1, is in them.
    facts: LoadPlaceFacts,
}

/// What sending from a pod takes; none if the plan has no load from one.
#[must_use]
pub fn rights_for_load_pod(plan: &Plan) -> Option<(Option<String>, Option<String>, Vec<Right>)> {
    let pod = plan.load_pod()?;
    let objects = plan.load_objects(&plan.passwords_to_be_found())?;
    let mut of_making = make_spec(&objects).required_rights();
    if plan.seed.is_none() {
        // Names end with what is drawn for each run.
        of_making.iter_mut().for_each(|right| right.names.clear());
    }
    let namespace = pod.namespace.as_ref().map(|name| name.0.clone());
    Some((pod.context.clone(), namespace, merge_right_lists([of_making, rights_of_running()])))
}

/// Refuses to begin where the pod could not be made, as far as that can be asked.
///
/// # Errors
/// What the API server has against it.
pub async fn check_load_pod(plan: &Plan) -> Result<(), Problem> {
    let (Some(place), Some(pod)) = (plan.load_place(), plan.load_pod()) else { return Ok(()) };
    let Some((_, _, rights)) = rights_for_load_pod(plan) else { return Ok(()) };
    let told = |cause: Cause| generator_problem(&place.name, &cause);
    let api = open_api(pod).await.map_err(told)?;
    api.require_rights(&rights).await.map_err(|error| told(error.into()))
}

fn make_spec(objects: &MadeObjects) -> MakeSpec {
    let manifests: Vec<_> = objects.manifests.iter().map(|manifest| manifest.object.clone()).collect();
    MakeSpec::of_manifests((SERVER, &objects.name), manifests, DRAWN, READY_WITHIN)
}

async fn open_api(pod: &LoadPod) -> Result<Api, Cause> {
    let namespace = pod.namespace.as_ref().map(|name| name.0.as_str());
    Ok(Api::open(pod.context.as_deref(), namespace).await?)
}

fn generator_problem(name: &str, cause: &Cause) -> Problem {
    Problem::could_not_measure(format!("generator {name:?}: {cause}"))
        .detail(cause.detail().unwrap_or_default())
        .hint(cause.hint().unwrap_or_default())
}

impl Elsewhere {
    /// Makes ready what the plan has the load sent from; none if that is this machine.
    ///
    /// # Errors
    /// A server that is not reached from there, or why there is no generator; nothing of it is left then.
    pub async fn acquire_for_plan(
        plan: &Plan,
        reached: &[ServerUnderLoad],
        environment: &Environment,
    ) -> Result<Option<Self>, Problem> {
        let Some(place) = plan.load_place() else { return Ok(None) };
        for server in reached {
            tell_of(place, server)?;
        }
        let mut elsewhere = match &place.at {
            LoadAt::Ssh { destinations, pgdyno } => {
                let mut sites = Vec::new();
                for destination in destinations {
                    let site = GeneratorSite::Ssh { destination: destination.clone(), pgdyno: pgdyno.clone() };
                    sites.push((site, GeneratorPlace::Ssh { destination: destination.clone() }));
                }
                Self::at_places(place, sites, None, BTreeMap::new())
            }
            LoadAt::Pod(pod) => Self::make_in_pods(plan, place, pod, reached, environment).await?,
        };
        match elsewhere.check_agreement(reached).await {
            Ok(()) => Ok(Some(elsewhere)),
            Err(problem) => {
                // The cause is the news; what could not be removed stays written down.
                let _ = elsewhere.remove_generator();
                Err(problem)
            }
        }
    }

    /// Asks each generator who it is, and how far the servers are from it.
    async fn check_agreement(&mut self, reached: &[ServerUnderLoad]) -> Result<(), Problem> {
        let mut sessions = self.open_sessions().await?;
        for (member, session) in self.members.iter_mut().zip(&sessions) {
            let hello = session.generator_hello();
            member.facts.pgdyno_version = hello.version.clone();
            member.facts.cpus = hello.cpus;
            member.facts.kernel = hello.kernel.clone();
            member.facts.cpu_model = hello.cpu_model.clone();
            member.facts.io_uring_refused = hello.io_uring_refused.clone();
            member.facts.clock_error_us = session.clock_offset().error.as_micros() as u64;
        }
        for session in &mut sessions {
            self.make_round_trips(session, reached).await;
        }
        Ok(())
    }

    fn at_places(
        place: &LoadPlace,
        sites: Vec<(GeneratorSite, GeneratorPlace)>,
        making: Option<KubernetesCreation>,
        variables: BTreeMap<String, String>,
    ) -> Self {
        let count = sites.len();
        let member = |(number, (site, at)): (usize, (GeneratorSite, GeneratorPlace))| {
            let facts = LoadPlaceFacts {
                format: FORMAT,
                name: if count > 1 { format!("{}/{}", place.name, number + 1) } else { place.name.clone() },
                read_at: Timestamp::now(),
                place: at,
                pgdyno_version: String::new(),
                cpus: 0,
                kernel: String::new(),
                cpu_model: None,
                io_uring_refused: None,
                clock_error_us: 0,
                others: Vec::new(),
            };
            PlacedGenerator { site, facts }
        };
        let members = sites.into_iter().enumerate().map(member).collect();
        Self { name: place.name.clone(), members, making, variables, round_trips_us: BTreeMap::new() }
    }

    async fn make_in_pods(
        plan: &Plan,
        place: &LoadPlace,
        pod: &LoadPod,
        reached: &[ServerUnderLoad],
        environment: &Environment,
    ) -> Result<Self, Problem> {
        let making = async {
            let api = open_api(pod).await?;
            let passwords = password_sources(reached, pod.context.as_deref(), api.namespace_name());
            let objects = plan.load_objects(&passwords).expect("the load is sent from a pod");
            let (mut spec, rights) = (make_spec(&objects), make_spec(&objects).required_rights());
            spec.manifests.iter_mut().for_each(|manifest| fill_in(manifest, reached));
            let rights = merge_right_lists([rights, rights_of_running()]);
            let context = pod.context.as_deref();
            let making =
                KubernetesCreation::create_and_wait(&api, &spec, &rights, context, environment, &mut |_| ()).await?;
            let mut sites = Vec::new();
            for name in api.pods_of(making.made_objects(), pod.count, READY_WITHIN).await? {
                let node = api.node_of(&name).await?;
                let at = GeneratorPlace::Pod {
                    context: pod.context.clone(),
                    namespace: api.namespace_name().to_owned(),
                    pod: name.clone(),
                    node: node.clone(),
                    image: pod.image.clone(),
                    own_cpus: pod.cpus,
                };
                sites.push((GeneratorSite::Pod { api: api.clone(), pod: name, container: PGDYNO, node }, at));
            }
            let variables = passwords.into_keys().map(|target| {
                let variable = password_variable(plan, &target);
                (target, variable)
            });
            Ok(Self::at_places(place, sites, Some(making), variables.collect()))
        };
        making.await.map_err(|cause: Cause| generator_problem(&place.name, &cause))
    }

    /// Its name in the plan.
    #[must_use]
    pub fn name_in_plan(&self) -> &str {
        &self.name
    }

    async fn make_round_trips(&mut self, session: &mut GeneratorSession, reached: &[ServerUnderLoad]) {
        for ServerUnderLoad { target, login, .. } in reached {
            let answered = match self.server_order(target, login) {
                Ok(server) => session.round_trip_us(server).await,
                Err(problem) => Ok(Err(problem.in_one_line())),
            };
            let is_lost = answered.is_err();
            let answered = answered.flatten();
            // Of several the farthest counts, and before that the first that cannot tell.
            let farthest = match self.round_trips_us.remove(target) {
                Some(Ok(before_us)) => answered.map(|us| us.max(before_us)),
                Some(before @ Err(_)) => before,
                None => answered,
            };
            self.round_trips_us.insert(target.clone(), farthest);
            if is_lost {
                return;
            }
        }
    }

    /// The median of some round trips from it to a target, in microseconds; of several, the longest.
    ///
    /// # Errors
    /// What kept from it.
    pub fn round_trip_us(&self, target: &str) -> Result<u64, String> {
        self.round_trips_us.get(target).cloned().unwrap_or_else(|| Err("no round trip was measured".to_owned()))
    }

    /// Whether all of them may use io_uring; else all loads use epoll.
    #[must_use]
    pub fn may_use_io_uring(&self) -> bool {
        self.members.iter().all(|member| member.facts.io_uring_refused.is_none())
    }

    /// The names of its generators.
    pub fn member_names(&self) -> impl Iterator<Item = &str> {
        self.members.iter().map(|member| member.facts.name.as_str())
    }

    fn place_facts(&self) -> LoadPlaceFacts {
        let mut all = self.members.iter().map(|member| member.facts.clone());
        let first = all.next().expect("there is a generator");
        LoadPlaceFacts { others: all.collect(), ..first }
    }

    /// Writes down what it turned out to be; on a run that goes on it must be like that of before.
    ///
    /// # Errors
    /// It is unlike that of before, or cannot be written.
    pub fn record_facts(&self, dir: &RunDir) -> Result<(), Problem> {
        let facts = self.place_facts();
        if let Some(before) = dir.load_place()?
            && let Some(what) = before.differs_from(&facts)
        {
            let what = format!("generator {:?} changed since the run began: {what}", self.name);
            return Err(Problem::could_not_measure(what).hint("restore the previous state, or start a new run"));
        }
        Ok(dir.write_load_place(&facts)?)
    }

    /// Whether any of them is on the machine of a server, as far as that is known.
    #[must_use]
    pub fn is_beside(&self, server: &ServerUnderLoad) -> bool {
        self.members.iter().any(|member| member.is_beside(server))
    }

    /// How they are told of a server.
    ///
    /// # Errors
    /// The server is not reached from there.
    pub fn server_order(&self, target: &str, login: &ConnInfo) -> Result<ServerOrder, Problem> {
        let told = login.told_elsewhere(&server::read_file).map_err(|why| not_reached(&self.name, target, &why))?;
        let variable = self.variables.get(target).cloned().map(Password::Variable);
        let password = match (&self.members[0].site, &login.password) {
            (_, None) => None,
            (GeneratorSite::Pod { .. }, Some(_)) => variable,
            (GeneratorSite::Ssh { .. }, Some(password)) => Some(Password::Told(password.expose_secret().to_owned())),
        };
        Ok(ServerOrder::new(told, password))
    }

    /// Generators that wait for their load, in their order; started at once.
    ///
    /// # Errors
    /// One of them is not to be had any more.
    pub async fn open_sessions(&self) -> Result<Vec<GeneratorSession>, Problem> {
        let mut starting = Vec::new();
        for member in &self.members {
            let (name, site) = (member.facts.name.clone(), member.site.clone());
            starting.push(tokio::spawn(async move { GeneratorSession::start_session(&name, &site).await }));
        }
        let mut sessions = Vec::new();
        for one in starting {
            sessions.push(one.await.expect("starting a generator does not panic"));
        }
        sessions.into_iter().collect()
    }

    /// Removes it.
    ///
    /// # Errors
    /// Something could not be removed; `pgdyno restore` tries it again.
    pub fn remove_generator(self) -> Result<(), Problem> {
        let released = self.making.map_or(Ok(()), KubernetesCreation::release_objects);
        released.map_err(|cause| generator_problem(&self.name, &cause))
    }
}

impl PlacedGenerator {
    fn is_beside(&self, server: &ServerUnderLoad) -> bool {
        match (&self.facts.place, &server.agent) {
            (GeneratorPlace::Pod { node: Some(node), .. }, _) => server.node.as_ref() == Some(node),
            (GeneratorPlace::Ssh { destination }, Some(Carrier::Ssh { destination: of_server, .. })) => {
                destination == of_server
            }
            (GeneratorPlace::Pod { node: None, .. } | GeneratorPlace::Ssh { .. }, _) => false,
        }
    }
}

/// Refuses a server that is not reached from there, before anything is made.
fn tell_of(place: &LoadPlace, server: &ServerUnderLoad) -> Result<(), Problem> {
    let told = server.login.told_elsewhere(&server::read_file);
    told.map(drop).map_err(|why| not_reached(&place.name, &server.target, &why))
}

fn not_reached(generator: &str, target: &str, why: &conninfo::NotElsewhere) -> Problem {
    Problem::usage_error(format!("target {target:?} is not reachable from generator {generator:?}"))
        .detail(why.to_string())
        .hint("set an address that is reachable from there, or remove `generators`")
}

/// Where each password is: its own Secret in the namespace of the pod, or one that is made with the pod.
fn password_sources(
    reached: &[ServerUnderLoad],
    context: Option<&str>,
    namespace: &str,
) -> BTreeMap<String, PasswordFrom> {
    let with_password = reached.iter().filter(|server| server.login.password.is_some());
    let from = |server: &ServerUnderLoad| {
        let beside = server.secret.as_ref().filter(|of| of.context.as_deref() == context && of.namespace == namespace);
        let secret = beside.map(|of| plan::SecretKeyReference { secret: of.secret.clone(), key: of.key.clone() });
        (server.target.clone(), secret.map_or(PasswordFrom::Own, PasswordFrom::Secret))
    };
    with_password.map(from).collect()
}

/// Puts the passwords into the Secret that is made.
fn fill_in(manifest: &mut serde_json::Value, reached: &[ServerUnderLoad]) {
    let Some(data) = manifest.get_mut("stringData").and_then(serde_json::Value::as_object_mut) else { return };
    for server in reached {
        let stand_in = PasswordFrom::stand_in(&server.target);
        let Some(password) = &server.login.password else { continue };
        for value in data.values_mut().filter(|value| value.as_str() == Some(&stand_in)) {
            *value = serde_json::Value::String(password.expose_secret().to_owned());
        }
    }
}
