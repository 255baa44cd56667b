//! When transactions begin, and what the engine says of it: rates, pauses, limits, and how it judges itself. Against
//! the server with exact service times. Bounds follow from the order of things, so that a slow machine does not break
//! them.

mod open;
mod pauses;
mod starved;
mod turns;

use crate::{MS, select_one, transactions};
use load::{Arrivals, Event, Job, LoadError, OpenLoop, Pace, Rate, Stop, Summary};
use testbed::calibration::CalibrationServer;

/// A run of `SELECT 1` with so many clients on two threads for one second.
fn job(server: &CalibrationServer, clients: u32) -> Job {
    select_one(server, clients, 1000 * MS)
}

fn open(arrivals: Arrivals, rate: Rate) -> Pace {
    Pace::Open { arrivals, rate }
}

fn run(job: &Job) -> Summary {
    try_run(job).expect("the run is made")
}

fn try_run(job: &Job) -> Result<Summary, LoadError> {
    load::run(job, &Stop::new(), &mut |_| ())
}

/// The durations of the measured seconds, and the summary.
fn run_by_second(job: &Job) -> (Vec<u64>, Summary) {
    let mut seconds = Vec::new();
    let mut keep = |event: Event<'_>| {
        if let Event::Second(second) = event {
            seconds.push(second.duration_ns);
        }
    };
    let summary = load::run(job, &Stop::new(), &mut keep).expect("the run is made");
    (seconds, summary)
}

/// What became of the arrivals.
fn arrivals(summary: &Summary) -> &OpenLoop {
    summary.open.as_ref().expect("an open loop")
}
