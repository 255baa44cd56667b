//! What a plan makes happen in a trial, each event at its instant of the measurement, and what was seen of doing it.
//!
//! Who does what is a file here. Nothing is concluded: what followed, the load tells.

mod checkpoint;
mod command;
mod follow;
mod process;

use std::time::{Duration, Instant};

use jiff::Timestamp;
use load::Stop;
use plan::{Deed, Event, Happening};
use results::trial::EventRecord;
use tokio::sync::watch;

use super::fleet::Member;
use crate::interrupt::requested;

pub(super) use follow::{count, with_gaps};

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

/// Told when the measurement begins; closed when the load has ended.
pub(super) type Clock = watch::Receiver<Option<LoadClock>>;

/// Something that was done: when it was asked for and when it was done, and what kept it from being done.
struct Done {
    requested: Asked,
    result: Result<(), String>,
}

/// An instant by both clocks.
#[derive(Debug, Clone, Copy)]
struct Asked {
    at: Instant,
    on_the_wall: Timestamp,
}

impl Asked {
    fn now() -> Self {
        Self { at: Instant::now(), on_the_wall: Timestamp::now() }
    }

    /// What came of it.
    fn with(self, result: Result<(), String>) -> Done {
        Done { requested: self, result }
    }
}

/// Makes the events of the plan happen to the server of a trial while its load runs, in the order of their instants;
/// those whose instant does not come are left out. Returns when the last one is done or given up.
pub(super) async fn make_happen(
    events: &[Event],
    member: &mut Member,
    mut clock: Clock,
    stop: &Stop,
    tell: &dyn Fn(&Event),
) -> Vec<EventRecord> {
    let mut in_order: Vec<&Event> = events.iter().collect();
    in_order.sort_by_key(|event| event.at);
    let mut records = Vec::new();
    for event in in_order {
        let Some(load) = instant(&mut clock, event.at).await else { break };
        tell(event);
        records.push(make_one(event, member, load, &mut clock, stop).await);
    }
    records
}

/// Waits until so much of the measurement has passed; none if the load ends before.
async fn instant(clock: &mut Clock, at: Duration) -> Option<LoadClock> {
    let load = (*clock.wait_for(Option::is_some).await.ok()?)?;
    tokio::select! {
        () = tokio::time::sleep_until((load.measure + at).into()) => Some(load),
        () = ended(clock) => None,
    }
}

/// Returns when the load has ended.
async fn ended(clock: &mut Clock) {
    while clock.changed().await.is_ok() {}
}

async fn make_one(event: &Event, member: &mut Member, load: LoadClock, clock: &mut Clock, stop: &Stop) -> EventRecord {
    let given_up = async {
        tokio::select! {
            () = requested(stop) => {}
            () = async { ended(clock).await; tokio::time::sleep(GRACE).await } => {}
        }
    };
    let begun = Asked::now();
    let too_long = async {
        match event.within {
            Some(limit) => tokio::time::sleep(limit).await,
            None => std::future::pending().await,
        }
    };
    let done = tokio::select! {
        biased;
        done = make(&event.what, member) => Ok(done),
        () = too_long => Err((begun, format!("it was not done within {:?}", event.within.unwrap_or_default()))),
        () = given_up => Err((begun, format!("it was not done {} s after the end of the load", GRACE.as_secs()))),
    };
    let (requested, took, error) = match done {
        Ok(Done { requested, result }) => (requested, Some(requested.at.elapsed()), result.err()),
        Err((begun, _)) if stop.is_requested() => (begun, None, None),
        Err((begun, why)) => (begun, None, Some(why)),
    };
    EventRecord {
        name: event.name.clone(),
        what: event.what.word().to_owned(),
        planned_us: micros(event.at),
        requested_us: micros(requested.at.saturating_duration_since(load.zero)),
        requested_at: requested.on_the_wall,
        took_us: took.map(micros),
        // What the load saw of it is known when that has ended.
        write_gap: None,
        read_gap: None,
        steps: Vec::new(),
        error,
    }
}

async fn make(what: &Happening, member: &mut Member) -> Done {
    match what {
        Happening::Do(Deed::Restart) => process::disturb(member, server::Disturbance::Restart).await,
        Happening::Do(Deed::KillPostmaster) => process::disturb(member, server::Disturbance::KillPostmaster).await,
        Happening::Do(Deed::Promote) => process::disturb(member, server::Disturbance::Promote).await,
        Happening::Do(Deed::DetachStandby) => process::disturb(member, server::Disturbance::DetachStandby).await,
        Happening::Do(Deed::KillBackend) => process::kill_backend(member).await,
        Happening::Do(Deed::Checkpoint) => checkpoint::make(member).await,
        Happening::Command(command) => command::run(command.text(), member).await,
    }
}

/// Why a trial is not what was asked for: the first event that was not done.
pub(super) fn undone(records: &[EventRecord]) -> Option<String> {
    let failed = |record: &EventRecord| {
        let why = record.error.as_ref()?;
        Some(format!("event \"{}\" ({}) could not be made to happen: {why}", record.name, record.what))
    };
    records.iter().find_map(failed)
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
