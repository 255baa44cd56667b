//! What the clients of one thread share.

use crate::engine::agenda::{Agenda, Next, Start};
use crate::engine::clock::{Clock, NEVER};
use crate::engine::control::{Control, Report};
use crate::engine::io::Io;
use crate::engine::notice::Notice;
use crate::engine::recorder::Recorder;
use crate::engine::shell::Shell;
use crate::engine::socket::Addresses;
use crate::engine::timers::Timers;
use crate::job::Job;
use crate::script::program::Program;
use std::sync::mpsc::Sender;
use wire::Memory;

/// How long transactions under way at the end may take to finish.
const DRAIN_LIMIT_NS: u64 = 5_000_000_000;

/// Where in its life a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// Clients are being connected; no transaction has begun.
    Connecting,
    /// Clients begin transactions as the agenda has it.
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
    pub(crate) io: Io,
    /// What the connections that have nothing to receive or send have left.
    pub(crate) memory: Memory,
    pub(crate) recorder: Recorder,
    /// Looks at how long answers wait to be noticed.
    pub(crate) notice: Notice,
    pub(crate) agenda: Agenda,
    pub(crate) reports: Sender<Report>,
    pub(crate) load: Load,
    /// Clients that have been connected for the first time.
    pub(crate) connected: usize,
    /// Clients with a transaction under way.
    pub(crate) in_flight: u64,
    /// The coordinator knows that all transactions are over that the job asks for.
    pub(crate) is_done: bool,
    /// When which client wants to be called.
    pub(crate) timers: Timers,
    /// How long a server may be silent while it owes an answer.
    pub(crate) answer_timeout_ns: u64,
    /// The last reading of the clock by the loop or by what has been counted: good enough for long time-outs.
    pub(crate) now_ns: u64,
    /// The clients' shell commands.
    pub(crate) shell: Shell,
}

impl Context<'_> {
    /// To be called before anything is counted that happened at `now_ns`: hands over the intervals that are over by
    /// then, and ends the load with the last of them.
    #[inline]
    pub(crate) fn pass(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
        if now_ns >= self.recorder.interval_end_ns() {
            self.turn(now_ns);
        }
    }

    /// What `client` does, which is free at `now_ns`; to be called after [`pass`](Self::pass).
    #[inline]
    pub(crate) fn next(&mut self, client: u32, now_ns: u64) -> Next {
        let next = self.agenda.next(client, now_ns, self.in_flight, self.recorder.is_measuring());
        if let Next::Begin(start) = &next {
            self.recorder.sent(start);
        }
        self.check_done(now_ns);
        next
    }

    /// An arrival that is due, and the client that was free for it.
    #[inline]
    pub(crate) fn arrival(&mut self, now_ns: u64) -> Option<(u32, Start)> {
        if self.load != Load::Running {
            return None;
        }
        let arrival = self.agenda.arrival(now_ns, self.in_flight, self.recorder.is_measuring());
        if let Some((_, start)) = &arrival {
            self.recorder.sent(start);
        }
        self.check_done(now_ns);
        arrival
    }

    /// A transaction of `client` is over since `now_ns`, however it has ended; to be called after [`pass`](Self::pass).
    #[inline]
    pub(crate) fn completed(&mut self, client: u32, now_ns: u64) {
        if self.recorder.is_measuring() {
            self.agenda.completed(client);
            self.check_done(now_ns);
        }
    }

    #[inline]
    fn check_done(&mut self, now_ns: u64) {
        if self.agenda.is_done() && !self.is_done {
            self.is_done = true;
            self.report(Report::Done { at_ns: now_ns });
        }
    }

    #[cold]
    fn turn(&mut self, now_ns: u64) {
        while now_ns >= self.recorder.interval_end_ns() {
            if let Some(arrivals) = self.agenda.count(self.recorder.interval_end_ns()) {
                self.recorder.arrivals(arrivals);
            }
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
