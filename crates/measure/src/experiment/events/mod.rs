//! What a plan makes happen in a trial, each event at its instant of the measurement, and what was seen of doing it.
//!
//! Who does what is a file here. Nothing is concluded: what followed, the load tells.

mod checkpoint;
mod command;
mod elsewhere;
mod follow;
mod freeze;
mod freeze_disk;
mod in_cluster;
mod process;

use std::time::{Duration, Instant};

use cluster::{Disruption, FollowedDisruption, NodeCommands, Update};
use jiff::Timestamp;
use load::StopRequest;
use plan::{Deed, Event, Happening, Reach, StandStill, UpdateTo};
use results::trial::{EventRecord, Stepped};
use tokio::sync::watch;

use super::by_consent::ConsentedHost;
use super::member::Member;
use crate::interrupt::wait_for_stop_request;

pub(super) use elsewhere::ByAgent;
pub(super) use follow::{count_until_end, with_gaps};

/// How long after the end of the load an event may still take: a server that stays away is given up by then.
const GRACE: Duration = Duration::from_secs(60);

/// Where the time of a load lies on the clock of this process.
#[derive(Debug, Clone, Copy)]
pub(super) struct LoadClock {
    /// Its start, from which all its instants are counted.
    pub(super) zero: Instant,
    /// The begin of its measurement.
    pub(super) measure: Instant,
}

/// The server of a trial, and who can do something to it.
pub(super) struct Scene<'a> {
    pub(super) member: &'a mut Member,
    /// Its target in the plan.
    pub(super) planned: &'a plan::Target,
    /// Its host with an agent, where that takes one.
    pub(super) host: Option<&'a mut ConsentedHost>,
}

/// Told when the measurement begins; closed when the load has ended.
pub(super) type LoadClockReceiver = watch::Receiver<Option<LoadClock>>;

/// Something that was done: when it was asked for and when it was done, and what kept it from being done.
struct TimedAction {
    requested: RequestInstant,
    result: Result<(), String>,
}

/// An instant by both clocks.
#[derive(Debug, Clone, Copy)]
struct RequestInstant {
    at: Instant,
    on_the_wall: Timestamp,
}

impl RequestInstant {
    fn asked_now() -> Self {
        Self { at: Instant::now(), on_the_wall: Timestamp::now() }
    }

    /// What came of it.
    fn into_done(self, result: Result<(), String>) -> TimedAction {
        TimedAction { requested: self, result }
    }
}

/// Makes the events of the plan happen to the server of a trial while its load runs, in the order of their instants;
/// those whose instant does not come are left out. Returns when the last one is done or given up.
pub(super) async fn make_happen(
    events: &[Event],
    mut scene: Scene<'_>,
    mut clock: LoadClockReceiver,
    stop: &StopRequest,
    tell: &dyn Fn(&Event),
) -> Vec<EventRecord> {
    let mut in_order: Vec<&Event> = events.iter().collect();
    in_order.sort_by_key(|event| event.at);
    let mut records = Vec::new();
    for event in in_order {
        let Some(load) = wait_for_instant(&mut clock, event.at).await else { break };
        tell(event);
        records.push(make_one(event, &mut scene, load, &mut clock, stop).await);
    }
    records
}

/// Waits until so much of the measurement has passed; none if the load ends before.
async fn wait_for_instant(clock: &mut LoadClockReceiver, at: Duration) -> Option<LoadClock> {
    let load = (*clock.wait_for(Option::is_some).await.ok()?)?;
    tokio::select! {
        () = tokio::time::sleep_until((load.measure + at).into()) => Some(load),
        () = wait_for_load_end(clock) => None,
    }
}

/// Returns when the load has ended.
async fn wait_for_load_end(clock: &mut LoadClockReceiver) {
    while clock.changed().await.is_ok() {}
}

async fn make_one(
    event: &Event,
    scene: &mut Scene<'_>,
    load: LoadClock,
    clock: &mut LoadClockReceiver,
    stop: &StopRequest,
) -> EventRecord {
    let given_up = async {
        tokio::select! {
            () = wait_for_stop_request(stop) => {}
            () = async { wait_for_load_end(clock).await; tokio::time::sleep(GRACE).await } => {}
        }
    };
    let begun = RequestInstant::asked_now();
    let too_long = async {
        match event.within {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    let mut followed = FollowedDisruption::default();
    let done = tokio::select! {
        biased;
        done = execute_event(&event.what, scene, &mut followed) => Ok(done),
        () = too_long => Err((begun, format!("it did not complete within {:?}", event.within.unwrap_or_default()))),
        () = given_up => Err((begun, format!("it was not complete {} s after the end of the load", GRACE.as_secs()))),
    };
    if let (Err(_), Some(host)) = (&done, &mut scene.host) {
        // If it is gone, so is what it did.
        let _gone = host.agent.let_be().await;
    }
    let (requested, took, error) = match done {
        Ok(TimedAction { requested, result }) => (requested, Some(requested.at.elapsed()), result.err()),
        Err((begun, _)) if stop.is_requested() => (in_cluster::asked_instant(&followed).unwrap_or(begun), None, None),
        Err((begun, why)) => {
            let said = followed.said.as_deref().map_or_else(String::new, |said| format!("; the cluster: {said}"));
            (in_cluster::asked_instant(&followed).unwrap_or(begun), None, Some(format!("{why}{said}")))
        }
    };
    let since_zero = |at: Instant| duration_us(at.saturating_duration_since(load.zero));
    let steps = followed.steps.into_iter().map(|(step, pod, at)| Stepped { step, at_us: since_zero(at), pod });
    EventRecord {
        name: event.name.clone(),
        what: event.what.word_in_plan().to_owned(),
        planned_us: duration_us(event.at),
        requested_us: since_zero(requested.at),
        requested_at: requested.on_the_wall,
        took_us: took.map(duration_us),
        // What the load saw of it is known when that has ended.
        write_gap: None,
        read_gap: None,
        steps: steps.collect(),
        smart_shutdown: followed.smart_shutdown,
        error,
    }
}

/// Who makes something happen.
#[derive(Debug, Clone)]
pub(super) enum Doer<'p> {
    /// Who guards a server on this machine.
    Supervisor(server::Disturbance),
    /// A signal to a session's process on this machine.
    Signal,
    /// Signals to all processes of a server on this machine.
    Freeze(Duration),
    /// The kernel, to which the file system of a server on this machine belongs.
    FreezeDisk(Duration),
    /// A session of the control plane.
    Session,
    /// The operator of a cluster.
    Cluster(Disruption),
    /// A shell here.
    Shell(&'p str),
    /// The agent on the server's host.
    Agent(ByAgent<'p>),
}

/// By whom this is done to the server of a target that is reached so.
pub(super) fn doer_of_event<'p>(what: &'p Happening, reach: &Reach) -> Doer<'p> {
    match what {
        Happening::Do(Deed::KillPostmaster) if matches!(reach, Reach::Kubernetes(_)) => {
            Doer::Cluster(Disruption::KillPostmaster)
        }
        Happening::Do(Deed::Restart) if reach.is_url() => Doer::Agent(ByAgent::Restart),
        Happening::Do(Deed::KillPostmaster) if reach.is_url() => Doer::Agent(ByAgent::KillPostmaster),
        Happening::Do(Deed::KillBackend) if reach.is_url() => Doer::Agent(ByAgent::KillBackend),
        Happening::Freeze(StandStill(length)) if reach.is_url() => Doer::Agent(ByAgent::Freeze(*length)),
        Happening::AgentCommand(command) => Doer::Agent(ByAgent::Command(command.text())),
        Happening::Do(Deed::Restart) => Doer::Supervisor(server::Disturbance::Restart),
        Happening::Do(Deed::KillPostmaster) => Doer::Supervisor(server::Disturbance::KillPostmaster),
        Happening::Do(Deed::Promote) => Doer::Supervisor(server::Disturbance::Promote),
        Happening::Do(Deed::DetachStandby) => Doer::Supervisor(server::Disturbance::DetachStandby),
        Happening::Do(Deed::KillBackend) => Doer::Signal,
        Happening::Do(Deed::Checkpoint) => Doer::Session,
        Happening::Do(Deed::Switchover) => Doer::Cluster(Disruption::Switchover),
        Happening::Do(Deed::DeletePrimary) => Doer::Cluster(Disruption::DeletePrimary),
        Happening::Do(Deed::DeletePrimaryForcibly) => Doer::Cluster(Disruption::DeletePrimaryForcibly),
        Happening::Do(Deed::RestartInPlace) => Doer::Cluster(Disruption::RestartInPlace),
        Happening::Do(Deed::RollingRestart) => Doer::Cluster(Disruption::RollingRestart),
        Happening::Do(Deed::DrainNode) => Doer::Cluster(Disruption::DrainNode),
        Happening::Command(command) => Doer::Shell(command.text()),
        Happening::Freeze(StandStill(length)) => Doer::Freeze(*length),
        Happening::FreezeDisk(StandStill(length)) => Doer::FreezeDisk(*length),
        Happening::StopNode(commands) => {
            let [stop, start] = [&commands.stop, &commands.start].map(|command| command.text().to_owned());
            Doer::Cluster(Disruption::StopNode(NodeCommands { stop, start }))
        }
        Happening::RollingUpdate(update) => Doer::Cluster(Disruption::RollingUpdate(match &update.to {
            UpdateTo::Image(image) => Update::Image(image.text().to_owned()),
            UpdateTo::Settings(settings) => Update::Settings(settings.clone()),
        })),
    }
}

/// Whether one of these events takes an agent on the host of this target.
pub(super) fn take_an_agent(events: &[Event], target: &plan::Target) -> bool {
    events.iter().any(|event| matches!(doer_of_event(&event.what, &target.reach), Doer::Agent(_)))
}

async fn execute_event(what: &Happening, scene: &mut Scene<'_>, followed: &mut FollowedDisruption) -> TimedAction {
    let Scene { member, planned, host } = scene;
    match doer_of_event(what, &planned.reach) {
        Doer::Agent(what) => match host {
            Some(host) => elsewhere::execute_by_agent(what, member, planned, host).await,
            None => RequestInstant::asked_now().into_done(Err("its host has no agent".to_owned())),
        },
        Doer::Supervisor(how) => process::disturb_server(member, how).await,
        Doer::Signal => process::kill_backend(member).await,
        Doer::Session => checkpoint::make_checkpoint(member).await,
        Doer::Freeze(length) => freeze::freeze_server(member, length).await,
        Doer::FreezeDisk(length) => freeze_disk::freeze_file_system(member, length).await,
        Doer::Cluster(what) => in_cluster::disrupt_cluster(member, &what, followed).await,
        Doer::Shell(command) => command::run_command(command, member).await,
    }
}

/// Why a trial is not what was asked for: the first event that was not done.
pub(super) fn first_failed_event(records: &[EventRecord]) -> Option<String> {
    let failed = |record: &EventRecord| {
        let why = record.error.as_ref()?;
        Some(format!("could not execute event \"{}\" ({}): {why}", record.name, record.what))
    };
    records.iter().find_map(failed)
}

fn duration_us(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
