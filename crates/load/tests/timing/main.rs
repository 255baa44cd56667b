//! The load engine against servers with exact service times.

mod calibration;
mod pace;
mod turns;

use conninfo::{ConnInfo, ServerHost};
use load::{EngineJob, JobExtent, ParsedScript, QueryMode};
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;
use testbed::calibration::{CalibrationServer, ListenPlace};

const MS: Duration = Duration::from_millis(1);

/// `SELECT 1` with so many clients on two threads.
fn select_one(server: &CalibrationServer, clients: u32, measure: impl Into<JobExtent>) -> EngineJob {
    let at = match server.listening_place() {
        ListenPlace::Tcp(port) => (ServerHost::tcp_from_name("127.0.0.1"), *port),
        ListenPlace::Unix { directory, port } => (ServerHost::Unix(directory.clone()), *port),
    };
    EngineJob {
        clients: NonZeroU32::new(clients).expect("not zero"),
        threads: NonZeroU32::new(2).expect("not zero"),
        mode: QueryMode::Simple,
        measure: measure.into(),
        ..EngineJob::new(
            ConnInfo::new(at, "bench", "bench"),
            ParsedScript::parse("select.sql", "SELECT 1;").expect("a script"),
        )
    }
}

/// Until each client has made so many.
fn transactions(count: u64) -> JobExtent {
    JobExtent::Transactions(NonZeroU64::new(count).expect("not zero"))
}
