//! The load engine measured against a server whose every instant is known: what it says of latencies, stalls, outages
//! and counts must be what happened.

mod closed_loop;
mod faults;
mod gaps;
mod open_loop;
mod statements;

use crate::{select_one, transactions};
use load::{EngineEvent, EngineJob, LoadError, StopRequest, Summary};
use std::time::Instant;
use testbed::calibration::CalibrationServer;

/// A short run of `SELECT 1` with so many clients on two threads. It ends by number: a machine that stands still makes
/// it longer, not emptier.
fn job(server: &CalibrationServer, clients: u32) -> EngineJob {
    select_one(server, clients, transactions(150))
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

fn run(server: &CalibrationServer, job: &EngineJob) -> Run {
    try_run(server, job).expect("the run is made")
}

fn try_run(server: &CalibrationServer, job: &EngineJob) -> Result<Run, LoadError> {
    let before = Instant::now();
    let mut after = before;
    let summary = load::run_job(job, &StopRequest::new(), &mut |event| {
        if let EngineEvent::Connecting { .. } = event {
            after = Instant::now();
        }
    })?;
    Ok(Run { summary, start_ns: [before, after].map(|at| server.clock_ns(at)) })
}
