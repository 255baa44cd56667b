//! When transactions begin, and what the engine says of it: rates, pauses, limits, and how it judges itself. Against
//! the server with exact service times. Bounds follow from the order of things, so that a slow machine does not break
//! them.

mod open;
mod pauses;
mod starved;
mod turns;

use crate::{MS, select_one, transactions};
use load::{Arrivals, EngineEvent, EngineJob, LoadError, OfferedRate, OpenLoop, StopRequest, Summary, TransactionPace};
use testbed::calibration::CalibrationServer;

/// A run of `SELECT 1` with so many clients on two threads for one second.
fn job(server: &CalibrationServer, clients: u32) -> EngineJob {
    select_one(server, clients, 1000 * MS)
}

fn open(arrivals: Arrivals, rate: OfferedRate) -> TransactionPace {
    TransactionPace::Open { arrivals, rate }
}

fn run(job: &EngineJob) -> Summary {
    try_run(job).expect("the run is made")
}

fn try_run(job: &EngineJob) -> Result<Summary, LoadError> {
    load::run_job(job, &StopRequest::new(), &mut |_| ())
}

/// The durations of the measured seconds, and the summary.
fn run_by_second(job: &EngineJob) -> (Vec<u64>, Summary) {
    let mut seconds = Vec::new();
    let mut keep = |event: EngineEvent<'_>| {
        if let EngineEvent::Second(second) = event {
            seconds.push(second.duration_ns);
        }
    };
    let summary = load::run_job(job, &StopRequest::new(), &mut keep).expect("the run is made");
    (seconds, summary)
}

/// What became of the arrivals.
fn arrivals(summary: &Summary) -> &OpenLoop {
    summary.open.as_ref().expect("an open loop")
}
