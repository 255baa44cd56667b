//! The load engine measured against a server whose every instant is known: what it says of latencies, stalls, outages
//! and counts must be what happened.

mod closed_loop;
mod faults;
mod open_loop;

use conninfo::{ConnInfo, Host};
use load::{Event, Extent, Job, LoadError, QueryMode, Script, Stop, Summary};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Instant;
use testbed::calibration::{CalibrationServer, Place};

/// A short run of `SELECT 1` with so many clients on two threads. It ends by number: a machine that stands still makes
/// it longer, not emptier.
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
        measure: transactions(150),
        ..Job::new(to, Script::parse("select.sql", "SELECT 1;").expect("a script"))
    }
}

/// Until each client has made so many.
fn transactions(count: u64) -> Extent {
    Extent::Transactions(NonZeroU64::new(count).expect("not zero"))
}

/// A run and what is needed to put its instants on the server's clock.
struct Run {
    summary: Summary,
    /// The job's start was between these two, in nanoseconds of the server's clock.
    start_ns: [u64; 2],
}

impl Run {
    /// Between which two instants of the server's clock an instant of the run was.
    fn on_server_clock(&self, at_ns: u64) -> [u64; 2] {
        self.start_ns.map(|start_ns| start_ns + at_ns)
    }
}

fn run(server: &CalibrationServer, job: &Job) -> Run {
    try_run(server, job).expect("the run is made")
}

fn try_run(server: &CalibrationServer, job: &Job) -> Result<Run, LoadError> {
    let before = Instant::now();
    let mut after = before;
    let summary = load::run(job, &Stop::new(), &mut |event| {
        if let Event::Connecting { .. } = event {
            after = Instant::now();
        }
    })?;
    Ok(Run { summary, start_ns: [before, after].map(|at| server.clock_ns(at)) })
}
