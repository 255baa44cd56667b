//! How the coordinator steers the threads of a run, and what they report back.

use crate::engine::clock::NEVER;
use crate::engine::recorder::IntervalCounts;
use crate::error::LoadError;
use crate::ledger::LedgerPage;
use crate::report::{ConnectionLatency, LoadPhase, StatementTotal};
use crate::turns::EndedTurn;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Read by all threads, written by the coordinator, which wakes them after each change.
#[derive(Debug)]
pub(crate) struct Control {
    start_ns: AtomicU64,
    end_ns: AtomicU64,
    aborted: AtomicBool,
}

impl Control {
    pub(crate) fn new() -> Control {
        Control { start_ns: AtomicU64::new(NEVER), end_ns: AtomicU64::new(NEVER), aborted: AtomicBool::new(false) }
    }

    /// The load begins at `start_ns` and no transaction begins after `end_ns`.
    pub(crate) fn schedule_load(&self, start_ns: u64, end_ns: u64) {
        self.end_ns.store(end_ns, Ordering::Release);
        self.start_ns.store(start_ns, Ordering::Release);
    }

    /// Everything ends now.
    pub(crate) fn abort_run(&self) {
        self.aborted.store(true, Ordering::Release);
    }

    /// When the load begins; `NEVER` while that is not known.
    pub(crate) fn start_ns(&self) -> u64 {
        self.start_ns.load(Ordering::Acquire)
    }

    /// When the load ends.
    pub(crate) fn end_ns(&self) -> u64 {
        self.end_ns.load(Ordering::Acquire)
    }

    pub(crate) fn is_aborted(&self) -> bool {
        self.aborted.load(Ordering::Acquire)
    }
}

/// What a thread tells the coordinator.
#[derive(Debug)]
pub(crate) enum ThreadReport {
    /// All its clients are connected and have their statements prepared; by side, what that took.
    Connected { connections: Vec<Option<Box<ConnectionLatency>>> },
    /// An interval is over.
    Counted { side: usize, thread: usize, counts: Box<IntervalCounts> },
    /// A turn has begun.
    TurnBegan { phase: LoadPhase, side: usize, at_ns: u64 },
    /// It is over.
    TurnEnded(EndedTurn),
    /// There is no further turn, and the load ends.
    Over { at_ns: u64, interrupted: bool },
    /// All transactions that the job asks this thread for are over, the last of them since then.
    Done { at_ns: u64 },
    /// The load of a side is over for this thread; so many transactions were under way at that instant.
    Ended { side: usize, unfinished: u64 },
    /// So many statements were still under way when nobody waited for them any more, and were to be cancelled.
    Cancelled { side: usize, statements: u64 },
    /// What its clients were told of their writes, by their numbers; only if the job keeps a ledger.
    Ledger { side: usize, pages: Vec<(u32, LedgerPage)> },
    /// What was counted of the statements, if they are timed.
    Statements { side: usize, statements: Vec<StatementTotal> },
    /// The run cannot go on.
    Failed(LoadError),
    /// The thread's last report, also if it panicked.
    Gone,
}
