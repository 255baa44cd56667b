//! The targets of an experiment, acquired together and released whatever happens.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use conninfo::{ConnInfo, ConninfoError, Secret};
use load::StopRequest;
use plan::{Binaries, MachineStep, Plan, Reach, Shared, WordChoice as _};
use results::facts::TargetFacts;
use results::store::RunDir;
use results::trial::{Incident, KernelValue, Preparation};
use server::{Carrier, Environment, FoundSpec, HostAccess, PostgresSpec, Target};

use super::by_consent::ByConsent;
use super::events::{self, Scene};
use super::in_kubernetes;
use super::limits;
use super::machine::{self, PreparedStart, TrialMachine};
use super::managed;
use super::member::Member;
use super::other_runs::{self, RunPresence};
use super::room;
use super::round_trip;
use super::routes::{self, cpu_limit_of_way, layers_of_target, route_of_way};
use super::run_request::Experiment;
use crate::agent::{self, carrier_of_agent};
use crate::generator::{Elsewhere, ServerUnderLoad};
use crate::interrupt::unless_stopped;
use crate::progress::{ProgressReporter, print_to_stderr};
use problem::Problem;

/// The targets of an experiment, in the plan's order.
pub(super) struct Fleet {
    members: Vec<Member>,
    /// What is changed of this machine for them.
    pub(super) machine: TrialMachine,
    /// What sends the load, when this machine does not.
    pub(super) generator: Option<Elsewhere>,
    /// What is changed of servers that were found.
    by_consent: ByConsent,
    /// This run, as others see it on the servers.
    presence: RunPresence,
}

impl Fleet {
    /// Acquires every target of the plan.
    pub(super) async fn acquire_all(experiment: &Experiment<'_>, progress: &ProgressReporter) -> Result<Self, Problem> {
        let Experiment { plan, executable, stop, .. } = *experiment;
        let all = plan.targets.iter().collect();
        let mut fleet = Box::pin(Self::acquire_targets(plan, all, executable, stop, progress)).await?;
        fleet.members.sort_by_key(|member| plan.targets.iter().position(|target| target.name == member.name));
        // The objects of a pod make it large, and most plans have none.
        match unless_stopped(stop, Box::pin(fleet.acquire_generator(plan, progress))).await {
            Ok(()) => Ok(fleet),
            Err(problem) => fleet.release_after(Err(problem)).await,
        }
    }

    /// Acquires the baseline alone, and the target whose server it shares, if it does.
    pub(super) async fn acquire_baseline(
        plan: &Plan,
        executable: &Path,
        stop: &StopRequest,
        progress: &ProgressReporter,
    ) -> Result<Self, Problem> {
        let baseline = plan.baseline_target();
        let owner = baseline.reach.server_of().and_then(|owner| plan.target_by_name(owner));
        let wanted = owner.into_iter().chain([baseline]).collect();
        Box::pin(Self::acquire_targets(plan, wanted, executable, stop, progress)).await
    }

    /// Acquires some targets, those that share a server last; on failure the ones acquired before are released.
    async fn acquire_targets(
        plan: &Plan,
        mut wanted: Vec<&plan::Target>,
        executable: &Path,
        stop: &StopRequest,
        progress: &ProgressReporter,
    ) -> Result<Self, Problem> {
        let machine = TrialMachine::new(Environment::of_this_process(executable.to_owned()));
        let by_consent = ByConsent::without_hosts(machine.process_environment().clone());
        let mut fleet = Self {
            members: Vec::new(),
            machine,
            generator: None,
            by_consent,
            presence: RunPresence::named_after_process(),
        };
        machine::check_machine_steps(plan, fleet.machine.process_environment())?;
        room::check_disk_room(plan, fleet.machine.process_environment())?;
        routes::check_root_routes(plan, fleet.machine.process_environment())?;
        wanted.sort_by_key(|target| target.reach.server_of().is_some());
        for planned in wanted {
            match fleet.acquire_next(plan, planned, stop, progress).await {
                Ok(member) => fleet.members.push(member),
                Err(problem) => return fleet.release_after(Err(problem)).await,
            }
        }
        Ok(fleet)
    }

    /// Makes ready what sends the load, when this machine does not; the facts then say which servers it is beside.
    async fn acquire_generator(&mut self, plan: &Plan, progress: &ProgressReporter) -> Result<(), Problem> {
        let Some(place) = plan.load_place() else { return Ok(()) };
        progress.show_stage(&format!("{}: preparing to send the load", place.name), 0, 1);
        let reached: Vec<ServerUnderLoad> = self.members.iter().map(|member| reached_server(plan, member)).collect();
        let acquired = Elsewhere::acquire_for_plan(plan, &reached, self.machine.process_environment()).await?;
        if let Some(generator) = &acquired {
            for (member, reached) in self.members.iter_mut().zip(&reached) {
                member.facts.path.same_host = generator.is_beside(reached);
                round_trip::record_round_trip(&mut member.facts, generator.round_trip_us(&member.name));
            }
        }
        self.generator = acquired;
        Ok(())
    }

    /// Acquires the next target.
    async fn acquire_next(
        &mut self,
        plan: &Plan,
        planned: &plan::Target,
        stop: &StopRequest,
        progress: &ProgressReporter,
    ) -> Result<Member, Problem> {
        let mut read_back = Vec::new();
        let spec = match &planned.reach {
            Reach::Shared(shared) => return self.acquire_shared(planned, shared, stop).await,
            Reach::Url(url) => PostgresSpec::Url(FoundSpec {
                conninfo: Secret::new(url.expose_url()),
                agent: planned.agent.as_ref().map(carrier_of_agent),
            }),
            Reach::Kubernetes(kubernetes) => {
                PostgresSpec::Kubernetes(in_kubernetes::spec_of_target(plan, planned, kubernetes))
            }
            Reach::Local(local) => {
                let prepared = tokio::task::block_in_place(|| self.machine.before_start(planned))?;
                read_back.clone_from(&prepared.limits);
                PostgresSpec::Local(local_spec(plan, &planned.name, local, prepared))
            }
        };
        let mut member = acquire_one(planned, &spec, (&mut self.machine, &mut self.by_consent), stop, progress).await?;
        member.facts.limits = read_back;
        Ok(member)
    }

    /// Acquires a target on the server of one before it.
    async fn acquire_shared(
        &self,
        planned: &plan::Target,
        Shared { server_of, way }: &Shared,
        stop: &StopRequest,
    ) -> Result<Member, Problem> {
        let owner = &self.member_by_name(server_of).target;
        let share = async {
            Ok(owner.share_server(&planned.name, route_of_way(*way), cpu_limit_of_way(*way), &planned.settings).await?)
        };
        let target = unless_stopped(stop, share).await?;
        let facts = unless_stopped(stop, read_target_facts(planned, &target, stop)).await?;
        let pooler = pooler_conninfo(planned, self.machine.process_environment())?;
        Ok(Member { name: planned.name.clone(), target, facts, pooler, restarted: false })
    }

    /// Other runs on the server of a target, which this one shows itself to.
    pub(super) async fn find_other_runs(&mut self, name: &str) -> Option<Incident> {
        let member = self.members.iter().find(|member| member.name == name)?;
        self.presence.find_other_runs(member).await
    }

    /// The same of all targets, a line each.
    pub(super) async fn say_other_runs(&mut self) -> Result<Vec<String>, Problem> {
        let mut lines = Vec::new();
        for member in &self.members {
            let found = self.presence.find_other_runs(member).await;
            lines.extend(found.and_then(|found| other_runs::say_other_runs(&member.name, &found)));
        }
        Ok(lines)
    }

    /// Gives the server of a target that was found the settings that it has by consent; what was done.
    pub(super) async fn give_settings(&mut self, planned: &plan::Target) -> Result<Vec<Preparation>, Problem> {
        let (by_consent, target) = self.by_consent_and(planned);
        by_consent.apply_server_settings(planned, target).await
    }

    /// Sets values of the kernel of another machine for a trial of this target, by consent.
    pub(super) async fn set_kernel(&mut self, planned: &plan::Target) -> Result<Vec<KernelValue>, Problem> {
        let (by_consent, target) = self.by_consent_and(planned);
        by_consent.before_trial(planned, target).await
    }

    /// Puts them back.
    pub(super) async fn reset_kernel(&mut self, planned: &plan::Target, set: Vec<KernelValue>) -> Vec<Incident> {
        self.by_consent.after_trial(planned, set).await
    }

    /// Empties the caches of a server that was found, by consent; none: there is none.
    pub(super) async fn cool_server_caches(&mut self, planned: &plan::Target) -> Result<Option<Preparation>, Problem> {
        let (by_consent, target) = self.by_consent_and(planned);
        by_consent.cool_server_caches(planned, target).await
    }

    /// Has an agent on the host of a target find the server, where the events of the plan take one.
    pub(super) async fn get_ready_to_disturb(&mut self, plan: &Plan, planned: &plan::Target) -> Result<(), Problem> {
        if !events::take_an_agent(&plan.events, planned) {
            return Ok(());
        }
        let (by_consent, target) = self.by_consent_and(planned);
        by_consent.host_with_agent(planned, target).await.map(drop)
    }

    /// The server of a target, with the agent on its host if there is one that may do something to it.
    pub(super) fn scene_of_target<'a>(&'a mut self, planned: &'a plan::Target) -> Scene<'a> {
        let member = self.members.iter_mut().find(|member| member.name == planned.name);
        let member = member.expect("it is a target of the plan");
        Scene { member, planned, host: self.by_consent.known_host(planned) }
    }

    fn by_consent_and(&mut self, planned: &plan::Target) -> (&mut ByConsent, &Target) {
        let member = self.members.iter().find(|member| member.name == planned.name);
        (&mut self.by_consent, &member.expect("it is a target of the plan").target)
    }

    /// Restarts the servers that the plan restarts before a block, beginning with the one that the `lot` draws.
    pub(super) async fn restart_servers(&mut self, plan: &Plan, lot: u64) -> Result<(), Problem> {
        let count = self.members.len();
        let first = usize::try_from(lot % count.max(1) as u64).expect("it is less than the number of targets");
        for place in (0..count).map(|place| (first + place) % count) {
            let member = &mut self.members[place];
            if plan.target_by_name(&member.name).is_some_and(|target| plan.is_restarted_before_blocks(target)) {
                member.target.restart_as_it_is().await?;
                member.restarted = true;
            }
        }
        Ok(())
    }

    /// Finds the servers again where they are by now, once they take connections.
    pub(super) async fn find_again(&mut self) -> Result<(), Problem> {
        for member in &mut self.members {
            member.target.find_again().await?;
        }
        Ok(())
    }

    /// The environment of this process, as connection strings are read in it.
    pub(super) fn process_environment(&self) -> &Environment {
        self.machine.process_environment()
    }

    pub(super) fn all_members(&self) -> &[Member] {
        &self.members
    }

    pub(super) fn members_mut(&mut self) -> &mut [Member] {
        &mut self.members
    }

    pub(super) fn member_by_name(&self, name: &str) -> &Member {
        self.members.iter().find(|member| member.name == name).expect("the schedule names targets of the plan")
    }

    pub(super) fn member_mut(&mut self, name: &str) -> &mut Member {
        let member = self.members.iter_mut().find(|member| member.name == name);
        member.expect("the schedule names targets of the plan")
    }

    /// Writes the facts of every target; on a run that goes on they must be those of before.
    pub(super) fn record_facts(&self, dir: &RunDir) -> Result<(), Problem> {
        let before = dir.target_facts()?;
        for member in &self.members {
            if let Some(before) = before.get(&member.name) {
                refuse_changed(before, &member.facts)?;
            }
            dir.write_facts(&member.facts)?;
        }
        self.generator.as_ref().map_or(Ok(()), |generator| generator.record_facts(dir))
    }

    /// Has the limits of the servers hold from now on, which were lifted while their data were created. What they have
    /// dirtied is written out, and their files leave the kernel's cache, so that no limit begins exceeded.
    pub(super) async fn set_lifted_limits(&mut self, plan: &Plan, progress: &ProgressReporter) -> Result<(), Problem> {
        for planned in &plan.targets {
            let place = self.members.iter().position(|member| member.name == planned.name);
            let Some(place) = place.filter(|_| self.machine.has_lifted_limits(&planned.name)) else { continue };
            let member = &mut self.members[place];
            limits::write_out_and_evict(member).await?;
            let machine = &mut self.machine;
            let set = tokio::task::block_in_place(|| machine.set_lifted_limits(planned))?;
            progress.print_line(&format!(
                "{}: limits hold from now on: {}",
                member.name,
                limits::limits_in_words(&set)
            ));
            // Those of the network hold since the server has started.
            member.facts.limits.splice(0..0, set);
            member.facts.host = member.target.collect_facts().await?.host;
        }
        Ok(())
    }

    /// Writes the facts again with the size of each database now that the data of the workloads are in it.
    pub(super) async fn record_sizes(&mut self, plan: &Plan, dir: &RunDir) -> Result<(), Problem> {
        for member in &mut self.members {
            let made: BTreeSet<String> =
                plan.workloads.iter().filter_map(|workload| plan.database_on(&member.name, workload)).collect();
            for name in &made {
                member.target.turn_to(Some(name.clone()));
                let bytes = member.target.database_bytes().await?;
                member.facts.server.databases.extend(bytes.map(|bytes| (name.clone(), bytes)));
            }
            member.target.turn_to(None);
            member.facts.server.database_bytes = member.target.database_bytes().await?;
            dir.write_facts(&member.facts)?;
        }
        Ok(())
    }

    /// Lets go of all, whatever the result of the work on it is. A problem of before is the one to return; what could
    /// not be undone beside it is said at once.
    pub(super) async fn release_after<T>(self, result: Result<T, Problem>) -> Result<T, Problem> {
        released_after(result, self.release_members().await, &mut print_unreleased)
    }

    /// Stops what was started; tells the first problem, after trying all.
    async fn release_members(self) -> Result<(), Problem> {
        // It holds references to what the servers have made.
        let mut result = self.generator.map_or(Ok(()), Elsewhere::remove_generator);
        for member in self.members {
            let released = member.target.release_target().await.map_err(Problem::from);
            result = result.and(released);
        }
        let by_consent = self.by_consent.release_hosts().await;
        result.and(by_consent).and(self.machine.undo_all_changes())
    }
}

/// What a generator has to know of a server.
fn reached_server(plan: &Plan, member: &Member) -> ServerUnderLoad {
    let agent = plan.target_by_name(&member.name).and_then(|target| target.agent.as_ref()).map(carrier_of_agent);
    let node = || Some(member.facts.of_platform.as_ref()?.facts.get("node")?.value.clone());
    ServerUnderLoad {
        target: member.name.clone(),
        login: member.target.load_conninfo(),
        secret: member.target.password_secret(),
        node: node(),
        agent,
    }
}

/// What is returned of a result and of the release after it; what is not is told.
fn released_after<T>(
    result: Result<T, Problem>,
    released: Result<(), Problem>,
    tell: &mut dyn FnMut(&Problem),
) -> Result<T, Problem> {
    match (result, released) {
        (Ok(value), released) => released.map(|()| value),
        (Err(problem), released) => {
            if let Err(unreleased) = released {
                tell(&unreleased);
            }
            Err(problem)
        }
    }
}

/// Acquires one target with a server of its own and reads its facts back. Says so when the person gives up meanwhile.
async fn acquire_one(
    planned: &plan::Target,
    spec: &PostgresSpec,
    (machine, by_consent): (&mut TrialMachine, &mut ByConsent),
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<Member, Problem> {
    let mut show = |step: server::AcquireProgress| match step {
        server::AcquireProgress::Warning(warning) => progress.print_line(&format!("{}: {warning}", planned.name)),
        step => progress.show_stage(&format!("{}: {}", planned.name, in_words(&step)), 0, 1),
    };
    // Huge pages are reserved once the server can say how many it needs.
    let target_settings = match planned.settings_are_the_servers() {
        // They are given to a server that is known.
        true => BTreeMap::new(),
        false => target_settings(planned, planned.machine.huge_pages.map(|_| false)),
    };
    let pooler = pooler_conninfo(planned, machine.process_environment())?;
    // Boxed: downloading, unpacking and starting hold much state.
    let acquiring = Box::pin(server::acquire_target(
        &planned.name,
        spec,
        &target_settings,
        machine.process_environment(),
        &mut show,
    ));
    let mut target = unless_stopped(stop, async { acquiring.await.map_err(Problem::from) }).await?;
    let read = async {
        if planned.machine_steps().contains(&MachineStep::HugePages) {
            machine.reserve_huge_pages(planned, target.huge_pages_needed().await?)?;
            target.restart_with_settings(&self::target_settings(planned, Some(true))).await?;
        }
        if planned.settings_are_the_servers() {
            by_consent.apply_server_settings(planned, &target).await?;
            target.expect_settings(&planned.settings).await?;
        }
        // Boxed: an agent and sessions of three kinds are asked.
        let facts = Box::pin(read_target_facts(planned, &target, stop)).await?;
        confirm_filesystem(planned, &facts)?;
        Ok(facts)
    };
    match unless_stopped(stop, read).await {
        Ok(facts) => {
            progress.print_line(&format!("{}: {}", planned.name, results::facts::short_version(&facts.server.version)));
            if let Some(lacking) = facts.gaps.get(results::facts::MONITORING) {
                progress.print_line(&format!("{}: {lacking}", planned.name));
            }
            Ok(Member { name: planned.name.clone(), target, facts, pooler, restarted: false })
        }
        Err(problem) => {
            released_after(Err(problem), target.release_target().await.map_err(Problem::from), &mut print_unreleased)
        }
    }
}

fn print_unreleased(unreleased: &Problem) {
    print_to_stderr(&unreleased.to_string());
}

/// The settings of a target, with the setting that goes with its huge pages.
fn target_settings(planned: &plan::Target, huge_pages: Option<bool>) -> BTreeMap<String, String> {
    let state = |on| ("huge_pages".to_owned(), if on { "on" } else { "off" }.to_owned());
    planned.settings.clone().into_iter().chain(huge_pages.map(state)).collect()
}

/// Whether the data lie on the file system that was made for them.
fn confirm_filesystem(planned: &plan::Target, facts: &TargetFacts) -> Result<(), Problem> {
    let Some(wanted) = planned.machine.filesystem else { return Ok(()) };
    let disk = facts.host.as_ref().and_then(|host| host.data_disk.as_ref());
    let found = disk.map_or("not readable", |disk| disk.filesystem.as_str());
    if found == wanted.kind.as_word() {
        return Ok(());
    }
    Err(Problem::could_not_measure(format!(
        "target {:?}: its data directory is not on {}",
        planned.name,
        wanted.kind.as_word()
    ))
    .detail(format!("the file system of the data directory: {found}")))
}

/// How to reach the console of a target's pooler. What does not answer there is a gap in the readings.
fn pooler_conninfo(planned: &plan::Target, environment: &Environment) -> Result<Option<ConnInfo>, Problem> {
    let Some(plan::Pooler { url }) = &planned.pooler else { return Ok(None) };
    let resolved = conninfo::resolve_connection_string(url.expose_url(), &environment.conninfo_surroundings());
    let problem = |error: ConninfoError| {
        Problem::usage_error(format!("target {:?}: pooler: {error}", planned.name))
            .hint(error.error_hint().unwrap_or_default())
    };
    Ok(Some(resolved.map_err(problem)?.conninfo))
}

/// What a target turned out to be, its host included, by whomever that is read.
async fn read_target_facts(
    planned: &plan::Target,
    target: &Target,
    stop: &StopRequest,
) -> Result<TargetFacts, Problem> {
    let mut facts = target.collect_facts().await?;
    if let Some(of_provider) = managed::facts_from_provider(planned).await? {
        facts.of_platform = Some(of_provider);
    }
    round_trip::record_round_trip(&mut facts, round_trip::from_here(target.load_conninfo(), stop).await);
    match target.host_access().await? {
        HostAccess::Here(_) | HostAccess::Unreachable { .. } => {}
        HostAccess::Agent { carrier, .. } => read_by_agent(&carrier, target, &mut facts).await?,
    }
    Ok(facts)
}

/// Has an agent read the host of a server into its facts.
async fn read_by_agent(how: &Carrier, target: &Target, facts: &mut TargetFacts) -> Result<(), Problem> {
    let mut agent = match (agent::start_agent(how, &facts.name).await, how) {
        (Ok(agent), _) => agent,
        // That a person may not look into a pod keeps nobody from measuring it.
        (Err(problem), Carrier::Pod(_)) => {
            facts.gaps.insert("host".to_owned(), problem.in_one_line());
            return Ok(());
        }
        (Err(problem), Carrier::Ssh { .. } | Carrier::Command(_)) => return Err(problem),
    };
    let session = target.session_on_host().await.map_err(Problem::from)?;
    let (host, gaps, about) = match (agent.attach_to_server(&session).await, how) {
        (Ok(read), _) => read,
        (Err(reason), Carrier::Pod(_)) => {
            facts.gaps.insert("host".to_owned(), reason);
            return Ok(());
        }
        (Err(reason), Carrier::Ssh { .. } | Carrier::Command(_)) => {
            let what = format!("target {:?}: its agent could not read its host", facts.name);
            return Err(Problem::could_not_measure(what).detail(reason));
        }
    };
    facts.gaps.retain(|name, _| !name.starts_with("host"));
    facts.gaps.extend(gaps);
    (facts.host, facts.agent) = (host, about);
    Ok(())
}

fn in_words(step: &server::AcquireProgress) -> String {
    match step {
        server::AcquireProgress::Downloading { version, url } => format!("downloading PostgreSQL {version} from {url}"),
        server::AcquireProgress::Unpacking { version } => format!("unpacking PostgreSQL {version}"),
        server::AcquireProgress::CreatingCluster => "creating the cluster".to_owned(),
        server::AcquireProgress::Starting => "starting".to_owned(),
        server::AcquireProgress::Warning(warning) => warning.clone(),
    }
}

/// The data directory that was prepared stands in place of the plan's.
fn local_spec(plan: &Plan, name: &str, local: &plan::Local, prepared: PreparedStart) -> server::LocalSpec {
    server::LocalSpec {
        source: match &local.binaries {
            Binaries::Version(version) => server::ProgramSource::Version(version.to_string()),
            Binaries::Bin(bin) => server::ProgramSource::Bin(bin.clone()),
        },
        initdb: server::InitdbOptions {
            wal_segment_size_mb: Some(local.initdb.wal_segment_size.size_megabytes()),
            data_checksums: local.initdb.data_checksums,
            locale: Some(local.initdb.locale.clone()),
            encoding: Some(local.initdb.encoding.clone()),
        },
        settings: local.settings.clone(),
        data_directory: prepared.data_directory.or_else(|| local.data_directory.clone()),
        wal_directory: local.wal_directory.clone(),
        keep: local.keep,
        standby: local.standby.map(|standby| match standby {
            plan::Standby::Streaming => server::StandbyMode::Streaming,
            plan::Standby::Synchronous => server::StandbyMode::Synchronous,
        }),
        route: route_of_way(local.way),
        cpus: cpu_limit_of_way(local.way),
        layers: layers_of_target(plan, name),
        control_groups: prepared.control_groups,
    }
}

/// A server that is there, with the settings of its sessions, of which nothing is changed; none of one that has to
/// be made, or whose settings would be changed by consent.
pub(super) async fn find_member(
    plan: &Plan,
    planned: &plan::Target,
    environment: &Environment,
    stop: &StopRequest,
) -> Result<Option<Member>, Problem> {
    let Some(spec) = spec_of_found_server(plan, planned) else { return Ok(None) };
    let are_the_servers = match planned.reach.as_kubernetes() {
        Some(kubernetes) => kubernetes.may_change,
        None => planned.settings_are_the_servers(),
    };
    let target_settings = if are_the_servers { BTreeMap::new() } else { planned.settings.clone() };
    let mut say_nothing = |_| ();
    let acquiring =
        Box::pin(server::acquire_target(&planned.name, &spec, &target_settings, environment, &mut say_nothing));
    let target = unless_stopped(stop, async { acquiring.await.map_err(Problem::from) }).await?;
    match unless_stopped(stop, Box::pin(read_target_facts(planned, &target, stop))).await {
        Ok(facts) => Ok(Some(Member { name: planned.name.clone(), target, facts, pooler: None, restarted: false })),
        Err(problem) => {
            released_after(Err(problem), target.release_target().await.map_err(Problem::from), &mut print_unreleased)
        }
    }
}

/// How a server that is there is reached; none of one that has to be made, or is another target's.
pub(super) fn spec_of_found_server(plan: &Plan, planned: &plan::Target) -> Option<PostgresSpec> {
    match &planned.reach {
        Reach::Url(url) => Some(PostgresSpec::Url(FoundSpec { conninfo: Secret::new(url.expose_url()), agent: None })),
        Reach::Kubernetes(kubernetes)
            if kubernetes.server_to_make().is_none() && planned.reach.server_of().is_none() =>
        {
            Some(PostgresSpec::Kubernetes(in_kubernetes::spec_of_target(plan, planned, kubernetes)))
        }
        Reach::Local(_) | Reach::Kubernetes(_) | Reach::Shared(_) => None,
    }
}

/// A run that goes on must go on with the same servers.
fn refuse_changed(before: &TargetFacts, now: &TargetFacts) -> Result<(), Problem> {
    let value = |facts: &TargetFacts, name: &str| facts.settings.get(name).map(|setting| setting.value.clone());
    let names = before.settings.keys().chain(now.settings.keys());
    let changed = names
        .filter(|name| !results::facts::is_identity_setting(name))
        .find(|name| value(before, name) != value(now, name))
        .map(|name| (name.clone(), value(before, name), value(now, name)));
    let version = (before.server.version != now.server.version)
        .then(|| ("version".to_owned(), Some(before.server.version.clone()), Some(now.server.version.clone())));
    match version.or(changed) {
        None => Ok(()),
        Some((what, was, is)) => {
            let shown = |value: Option<String>| value.unwrap_or("its default".to_owned());
            Err(Problem::could_not_measure(format!("target {:?} changed since the run began: {what}", now.name))
                .detail(format!("before: {}; now: {}", shown(was), shown(is)))
                .hint("restore the previous state, or start a new run"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_undone_is_told_whatever_went_before() {
        let unreleased = Problem::could_not_measure("could not undo a change of this machine");
        let check = |result: Result<(), Problem>, returned: &Problem, told: &[&Problem]| {
            let mut said = Vec::new();
            let ended = released_after(result, Err(unreleased.clone()), &mut |problem| said.push(problem.clone()));
            assert_eq!((ended.as_ref(), said.iter().collect::<Vec<_>>()), (Err(returned), told.to_vec()));
        };
        check(Ok(()), &unreleased, &[]);
        for before in [Problem::interrupted_by_user(), Problem::could_not_measure("no space left")] {
            check(Err(before.clone()), &before, &[&unreleased]);
        }
        assert_eq!(released_after(Ok(7), Ok(()), &mut |problem| panic!("{problem}")), Ok(7));
    }
}
