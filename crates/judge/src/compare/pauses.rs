//! Which metric decides where the clients of a closed loop pause on purpose.
//!
//! There throughput = clients / (pause + latency): what the pause takes of a client's time cannot get shorter or
//! longer, so a change of the latency moves the throughput only by the share that the latency has. What decides is the
//! metric that can move. The share is measured, from all trials of all sides at a place together, so that it is the
//! same whichever side is the baseline. Where the pauses take little, throughput and latency say the same, and it does
//! not matter on which side of the limit a run lies.

use std::collections::BTreeMap;
use std::time::Duration;

use results::told::StatedFigures;
use results::trial::{LoadTotals, Trial};

/// From this share of the clients' time on, pauses hide changes: the throughput then moves by a tenth less than the
/// latency, less than what a threshold is rounded by.
const PAUSING_FROM: f64 = 0.1;

/// Where clients pause so long that the throughput cannot move as the time does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pausing {
    /// Between transactions: the latency has none of it.
    Between,
    /// Within transactions, by their script: the latency has them in it.
    Within,
}

/// The time of all clients of some trials, in microseconds.
#[derive(Debug, Clone, Copy, Default)]
struct ClientTime {
    all_us: f64,
    between_us: f64,
    within_us: f64,
}

/// Whether and where the clients pause in the trials of one place, of all sides. `think` is the mean pause that the
/// plan has between two transactions.
pub(super) fn where_clients_pause<'a>(
    trials: impl Iterator<Item = &'a Trial>,
    think: Option<Duration>,
) -> Option<Pausing> {
    // The side that pauses most decides for both: its throughput can move least.
    let sides = by_side(trials, think);
    let within = sides.iter().any(|side| side.within_us >= PAUSING_FROM * (side.all_us - side.between_us).max(1.0));
    let between = sides.iter().any(|side| side.between_us >= PAUSING_FROM * side.all_us);
    match (within, between) {
        (true, _) => Some(Pausing::Within),
        (false, true) => Some(Pausing::Between),
        (false, false) => None,
    }
}

/// The time of the clients of each target.
fn by_side<'a>(trials: impl Iterator<Item = &'a Trial>, think: Option<Duration>) -> Vec<ClientTime> {
    let mut sides: BTreeMap<&str, ClientTime> = BTreeMap::new();
    for trial in trials {
        let Some(time) = client_time(trial, think) else { continue };
        let side = sides.entry(trial.cell.target.as_str()).or_default();
        side.all_us += time.all_us;
        side.between_us += time.between_us;
        side.within_us += time.within_us;
    }
    sides.into_values().collect()
}

fn client_time(trial: &Trial, think: Option<Duration>) -> Option<ClientTime> {
    let clients = f64::from(trial.cell.clients.known_count()?);
    match (&trial.load, &trial.told) {
        (Some(load), _) => Some(of_load(load, clients, think)),
        (None, Some(told)) => of_told(told, clients, think),
        (None, None) => None,
    }
}

fn of_load(load: &LoadTotals, clients: f64, think: Option<Duration>) -> ClientTime {
    let ended = (load.transactions + load.failed + load.unknown) as f64;
    ClientTime {
        all_us: clients * load.measure_us as f64,
        between_us: think.map_or(0.0, |think| think.as_secs_f64() * 1e6 * ended),
        within_us: load.waits.map_or(0.0, |waits| waits.pauses_us as f64),
    }
}

/// Of another tool's figures, by a second of its clients; what it tells of the pause goes before what its author
/// states.
fn of_told(told: &StatedFigures, clients: f64, think: Option<Duration>) -> Option<ClientTime> {
    let pause_s = told.thinking_ns.map(|ns| ns / 1e9).or(think.map(|think| think.as_secs_f64()))?;
    let between_us = pause_s * 1e6 * told.throughput_per_s?;
    Some(ClientTime { all_us: clients * 1e6, between_us, within_us: 0.0 })
}
