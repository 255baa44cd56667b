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
mod turns;

use conninfo::ConnInfo;
use load::{Backend, Event, Extent, Job, LoadError, Pace, Script, Second, Stop, Summary, Think};
use std::cell::Cell;
use std::num::{NonZeroU32, NonZeroU64};
use std::time::Duration;

thread_local! {
    /// How the jobs of the test on this thread talk to the kernel.
    static BACKEND: Cell<Backend> = const { Cell::new(Backend::Epoll) };
}

/// A short run of one script with two clients on two threads, prepared, without warm-up. It ends by number: a machine
/// that stands still makes it longer, not emptier.
fn job(server: ConnInfo, script: Script) -> Job {
    let two = NonZeroU32::MIN.saturating_add(1);
    Job {
        clients: two,
        threads: two,
        backend: BACKEND.get(),
        measure: transactions(50),
        seed: 42,
        ..Job::new(server, script)
    }
}

/// The same with clients that pause between two transactions: for runs that last until something has happened, and are
/// not to take the CPUs from others meanwhile.
fn pausing(job: Job) -> Job {
    Job { pace: Pace::Closed { think: Some(Think::Fixed(Duration::from_millis(2))) }, ..job }
}

/// Until each client has made so many.
fn transactions(count: u64) -> Extent {
    Extent::Transactions(NonZeroU64::new(count).expect("not zero"))
}

/// The script of that text.
fn script(text: &str) -> Script {
    Script::parse("test.sql", text).expect("the script parses")
}

/// The built-in of that name.
fn builtin(name: &str) -> Script {
    Script::builtin(name).expect("a built-in")
}

/// Runs a job to its end, unwatched.
fn run(job: &Job) -> Result<Summary, LoadError> {
    load::run(job, &Stop::new(), &mut |_| ())
}

/// Runs a job to its end, calling `each` with every second.
fn run_watched(job: &Job, mut each: impl FnMut(&Second)) -> Result<Summary, LoadError> {
    load::run(job, &Stop::new(), &mut |event| {
        if let Event::Second(second) = event {
            each(second);
        }
    })
}

/// Why a run cannot be made, as a person reads it.
fn complaint(job: &Job) -> String {
    match run(job) {
        Ok(summary) => panic!("the run can be made: {summary:?}"),
        Err(error) => {
            [Some(error.to_string()), error.detail(), error.hint()].into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
    }
}
