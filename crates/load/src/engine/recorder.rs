//! What one thread counts, interval by interval.
//!
//! An interval's counts live in one box, which goes to the collector when the interval is over and comes back emptied, so
//! that counting allocates nothing. Should the collector be late, a new box is made rather than anything lost.

use crate::engine::clock::NEVER;
use crate::engine::cpu::{CpuUsed, ThreadCpu};
use crate::engine::timetable::{Interval, Timetable};
use crate::latency::{Latency, duration_histogram};
use crate::report::OutageChange;
use hdrhistogram::Histogram;
use std::sync::mpsc::Receiver;
use wire::{ServerMessage, SqlState};

/// Significant digits of the loop lag: it is a caveat, not a result.
const LAG_DIGITS: u8 = 2;

/// What one thread counted in one interval.
#[derive(Debug)]
pub(crate) struct Counts {
    /// The interval's number.
    pub(crate) number: u32,
    pub(crate) scripts: Vec<ScriptCounts>,
    /// Failed transactions.
    pub(crate) errors: Vec<(SqlState, u64)>,
    /// The first message of each SQLSTATE that the thread saw for the first time.
    pub(crate) examples: Vec<(SqlState, String)>,
    pub(crate) unknown: u64,
    pub(crate) outages: Vec<OutageChange>,
    pub(crate) cpu: CpuUsed,
    pub(crate) busy_ns: u64,
    /// How long each round of the loop took: an answer that arrived at its start may have waited so long.
    pub(crate) loop_lag: Histogram<u64>,
}

/// One script's part of it.
#[derive(Debug)]
pub(crate) struct ScriptCounts {
    pub(crate) latency: Latency,
    pub(crate) failed: u64,
}

impl Counts {
    fn new(scripts: usize) -> Box<Counts> {
        let script = || ScriptCounts { latency: Latency::new(), failed: 0 };
        Box::new(Counts {
            number: 0,
            scripts: std::iter::repeat_with(script).take(scripts).collect(),
            errors: Vec::with_capacity(8),
            examples: Vec::new(),
            unknown: 0,
            outages: Vec::new(),
            cpu: CpuUsed::default(),
            busy_ns: 0,
            loop_lag: duration_histogram(LAG_DIGITS),
        })
    }

    /// Forgets everything; keeps the memory.
    pub(crate) fn reset(&mut self) {
        for script in &mut self.scripts {
            script.latency.reset();
            script.failed = 0;
        }
        self.errors.clear();
        self.examples.clear();
        self.unknown = 0;
        self.outages.clear();
        self.cpu = CpuUsed::default();
        self.busy_ns = 0;
        self.loop_lag.reset();
    }
}

/// Emptied boxes.
type Spare = std::collections::VecDeque<Box<Counts>>;

/// Counts for one thread.
#[derive(Debug)]
pub(crate) struct Recorder {
    current: Box<Counts>,
    spare: Spare,
    /// Emptied boxes, back from the collector.
    returned: Receiver<Box<Counts>>,
    cpu: ThreadCpu,
    seen: Vec<SqlState>,
    timetable: Option<Timetable>,
    /// The end of the current interval; `NEVER` while there is none.
    interval_end_ns: u64,
}

impl Recorder {
    /// For the calling thread.
    pub(crate) fn new(scripts: usize, returned: Receiver<Box<Counts>>) -> Recorder {
        Recorder {
            current: Counts::new(scripts),
            spare: Spare::from([Counts::new(scripts)]),
            returned,
            cpu: ThreadCpu::new(),
            seen: Vec::new(),
            timetable: None,
            interval_end_ns: NEVER,
        }
    }

    /// Begins the first interval. What was counted before belongs to none.
    pub(crate) fn begin(&mut self, timetable: Timetable) {
        self.timetable = Some(timetable);
        self.current.reset();
        self.current.number = 0;
        self.interval_end_ns = timetable.interval(0).map_or(NEVER, |interval| interval.end_ns);
        self.cpu.lap();
    }

    /// The end of the current interval; `NEVER` while there is none.
    #[inline]
    pub(crate) fn interval_end_ns(&self) -> u64 {
        self.interval_end_ns
    }

    /// Ends the current interval. Returns its counts, which go to the collector, and the interval.
    pub(crate) fn turn(&mut self) -> Option<(Box<Counts>, Interval)> {
        let timetable = self.timetable?;
        let number = self.current.number;
        let interval = timetable.interval(number)?;
        self.spare.extend(self.returned.try_iter());
        let mut next = self.spare.pop_front().unwrap_or_else(|| Counts::new(self.current.scripts.len()));
        next.number = number + 1;
        self.interval_end_ns = timetable.interval(number + 1).map_or(NEVER, |next| next.end_ns);
        self.current.cpu = self.cpu.lap();
        Some((std::mem::replace(&mut self.current, next), interval))
    }

    /// There is no further interval; what is counted from now on belongs to none.
    pub(crate) fn end(&mut self) {
        self.interval_end_ns = NEVER;
    }

    /// Counts a successful transaction.
    #[inline]
    pub(crate) fn succeeded(&mut self, script: usize, latency_ns: u64) {
        self.current.scripts[script].latency.record(latency_ns);
    }

    /// Counts a failed transaction.
    pub(crate) fn failed(&mut self, script: usize, sqlstate: SqlState) {
        self.current.scripts[script].failed += 1;
        match self.current.errors.iter_mut().find(|(state, _)| *state == sqlstate) {
            Some((_, count)) => *count += 1,
            None => self.current.errors.push((sqlstate, 1)),
        }
    }

    /// Keeps a message as an example if it is the first of its SQLSTATE.
    pub(crate) fn example(&mut self, error: &ServerMessage<'_>) {
        let sqlstate = error.sqlstate();
        if !self.seen.contains(&sqlstate) {
            self.seen.push(sqlstate);
            self.current.examples.push((sqlstate, error.message().into_owned()));
        }
    }

    /// Counts a transaction whose connection was lost.
    pub(crate) fn unknown(&mut self) {
        self.current.unknown += 1;
    }

    /// Notes an outage's beginning or end.
    pub(crate) fn outage(&mut self, change: OutageChange) {
        self.current.outages.push(change);
    }

    /// Counts one round of the event loop.
    #[inline]
    pub(crate) fn round(&mut self, duration_ns: u64) {
        self.current.busy_ns += duration_ns;
        self.current.loop_lag.saturating_record(duration_ns);
    }
}
