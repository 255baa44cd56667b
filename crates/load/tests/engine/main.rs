//! The load engine, and pgbench and sysbench as generators, against the real PostgreSQL, and against what is none.

mod corpus;
mod external;
mod failover;
mod fake;
mod faults;
mod io_uring;
mod language;
mod ledger;
mod login;
mod pace;
mod results;
mod scripts;
mod server;
mod timed;
mod turns;

use conninfo::ConnInfo;
use load::{
    EngineEvent, EngineJob, IoBackend, JobExtent, LoadError, ParsedScript, PhaseSecond, StopRequest, Summary, Think,
    TransactionPace,
};
use std::cell::Cell;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

thread_local! {
    /// How the jobs of the test on this thread talk to the kernel.
    static BACKEND: Cell<IoBackend> = const { Cell::new(IoBackend::Epoll) };
}

/// A short run of one script with two clients on two threads, prepared, without warm-up. It ends by number: a machine
/// that stands still makes it longer, not emptier.
fn job(server: ConnInfo, script: ParsedScript) -> EngineJob {
    let two = NonZeroU32::MIN.saturating_add(1);
    EngineJob {
        clients: two,
        threads: two,
        backend: BACKEND.get(),
        measure: transactions(50),
        seed: 42,
        ..EngineJob::new(server, script)
    }
}

/// The same with clients that pause between two transactions: for runs that last until something has happened, and are
/// not to take the CPUs from others meanwhile.
fn pausing(job: EngineJob) -> EngineJob {
    EngineJob { pace: TransactionPace::Closed { think: Some(Think::Fixed(Duration::from_millis(2))) }, ..job }
}

/// Until each client has made so many.
fn transactions(count: u64) -> JobExtent {
    JobExtent::Transactions(NonZeroU64::new(count).expect("not zero"))
}

/// The script of that text.
fn script(text: &str) -> ParsedScript {
    ParsedScript::parse("test.sql", text).expect("the script parses")
}

/// The built-in of that name.
fn builtin(name: &str) -> ParsedScript {
    ParsedScript::builtin(name).expect("a built-in")
}

/// Runs a job to its end, unwatched.
fn run(job: &EngineJob) -> Result<Summary, LoadError> {
    load::run_job(job, &StopRequest::new(), &mut |_| ())
}

/// Runs a job to its end, calling `each` with every second.
fn run_watched(job: &EngineJob, mut each: impl FnMut(&PhaseSecond)) -> Result<Summary, LoadError> {
    load::run_job(job, &StopRequest::new(), &mut |event| {
        if let EngineEvent::Second(second) = event {
            each(second);
        }
    })
}

/// Why a run cannot be made, as a person reads it.
fn complaint(job: &EngineJob) -> String {
    match run(job) {
        Ok(summary) => panic!("the run can be made: {summary:?}"),
        Err(error) => {
            [Some(error.to_string()), error.detail(), error.hint()].into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
    }
}
