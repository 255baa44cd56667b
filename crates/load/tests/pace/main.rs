//! When transactions begin, and what the engine says of it: rates, pauses, limits, and how it judges itself. Against
//! the server with exact service times. Bounds follow from the order of things,
//! so that a slow machine does not break them.

mod open;
mod pauses;
mod starved;
mod turns;

use conninfo::{ConnInfo, Host};
use load::{Arrivals, Event, Extent, Job, LoadError, OpenLoop, Pace, QueryMode, Rate, Script, Stop, Summary};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use testbed::calibration::{CalibrationServer, Place};

const MS: Duration = Duration::from_millis(1);

/// A run of `SELECT 1` with so many clients on two threads for one second.
fn job(server: &CalibrationServer, clients: u32) -> Job {
    let at = match server.place() {
        Place::Tcp(port) => (Host::tcp("127.0.0.1"), *port),
        Place::Unix { directory, port } => (Host::Unix(directory.clone()), *port),
    };
    let to = ConnInfo::new(at, "bench", "bench");
    Job {
        clients: NonZeroU32::new(clients).expect("not zero"),
        threads: NonZeroU32::new(2).expect("not zero"),
        mode: QueryMode::Simple,
        measure: Duration::from_secs(1).into(),
        ..Job::new(to, Script::parse("select.sql", "SELECT 1;").expect("a script"))
    }
}

/// Until each client has made so many.
fn transactions(count: u64) -> Extent {
    Extent::Transactions(NonZeroU64::new(count).expect("not zero"))
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
