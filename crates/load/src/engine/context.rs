//! What the clients of one thread share.

use crate::engine::clock::{Clock, NEVER};
use crate::engine::control::{Control, Report};
use crate::engine::poller::Poller;
use crate::engine::recorder::Recorder;
use crate::engine::socket::Addresses;
use crate::job::Job;
use crate::script::program::Program;
use std::sync::mpsc::Sender;

/// How long transactions under way at the end may take to finish.
const DRAIN_LIMIT_NS: u64 = 5_000_000_000;

/// Where in its life a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// Clients are being connected; no transaction has begun.
    Connecting,
    /// Each client begins a transaction as soon as its last one is over.
    Running,
    /// No transaction begins any more; those under way are waited for until this instant.
    Draining { until_ns: u64 },
}

/// What the clients of one thread share: what does not change, and what they count together.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) job: &'a Job,
    pub(crate) program: &'a Program,
    pub(crate) addresses: &'a Addresses,
    pub(crate) control: &'a Control,
    pub(crate) clock: Clock,
    pub(crate) thread: usize,
    pub(crate) poller: Poller,
    pub(crate) recorder: Recorder,
    pub(crate) reports: Sender<Report>,
    pub(crate) load: Load,
    /// Clients that have been connected for the first time.
    pub(crate) connected: usize,
    /// Clients with a transaction under way.
    pub(crate) in_flight: u64,
    /// The earliest instant at which some client wants to be called.
    pub(crate) next_timer_ns: u64,
}

impl Context<'_> {
    /// Some client wants to be called at `at_ns`.
    pub(crate) fn call_at(&mut self, at_ns: u64) {
        self.next_timer_ns = self.next_timer_ns.min(at_ns);
    }

    /// To be called before anything is counted that happened at `now_ns`: hands over the intervals that are over by then,
    /// and ends the load with the last of them.
    #[inline]
    pub(crate) fn pass(&mut self, now_ns: u64) {
        if now_ns >= self.recorder.interval_end_ns() {
            self.turn(now_ns);
        }
    }

    #[cold]
    fn turn(&mut self, now_ns: u64) {
        while now_ns >= self.recorder.interval_end_ns() {
            let Some((counts, interval)) = self.recorder.turn() else { return };
            self.report(Report::Counted { thread: self.thread, counts });
            if interval.end_ns >= self.control.end_ns() {
                self.recorder.end();
                self.load = Load::Draining { until_ns: interval.end_ns.saturating_add(DRAIN_LIMIT_NS).min(NEVER - 1) };
                self.report(Report::Ended { unfinished: self.in_flight });
            }
        }
    }

    /// Tells the coordinator. Should it be gone, the run is over and nobody wants to know.
    pub(crate) fn report(&self, report: Report) {
        let _coordinator_gone = self.reports.send(report);
    }
}
