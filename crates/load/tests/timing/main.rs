//! The load engine against servers with exact service times.

mod calibration;
mod pace;
mod turns;

use conninfo::{ConnInfo, Host};
use load::{Extent, Job, QueryMode, Script};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use testbed::calibration::{CalibrationServer, Place};

const MS: Duration = Duration::from_millis(1);

/// `SELECT 1` with so many clients on two threads.
fn select_one(server: &CalibrationServer, clients: u32, measure: impl Into<Extent>) -> Job {
    let at = match server.place() {
        Place::Tcp(port) => (Host::tcp("127.0.0.1"), *port),
        Place::Unix { directory, port } => (Host::Unix(directory.clone()), *port),
    };
    Job {
        clients: NonZeroU32::new(clients).expect("not zero"),
        threads: NonZeroU32::new(2).expect("not zero"),
        mode: QueryMode::Simple,
        measure: measure.into(),
        ..Job::new(ConnInfo::new(at, "bench", "bench"), Script::parse("select.sql", "SELECT 1;").expect("a script"))
    }
}

/// Until each client has made so many.
fn transactions(count: u64) -> Extent {
    Extent::Transactions(NonZeroU64::new(count).expect("not zero"))
}
