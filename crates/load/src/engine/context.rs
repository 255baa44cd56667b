//! What the clients of one thread share, and what only those of one side do.

use crate::engine::agenda::{Agenda, NextClientAction};
use crate::engine::backoff::Attempts;
use crate::engine::clock::{JobClock, NEVER};
use crate::engine::control::{Control, ThreadReport};
use crate::engine::cpu::ThreadCpu;
use crate::engine::io::Io;
use crate::engine::notice::Notice;
use crate::engine::recorder::Recorder;
use crate::engine::seat::Seat;
use crate::engine::shell::ClientShellCommands;
use crate::engine::socket::Addresses;
use crate::engine::start::TransactionStart;
use crate::engine::timers::Timers;
use crate::job::EngineJob;
use crate::script::program::ScriptProgram;
use std::ops::Range;
use std::sync::mpsc::Sender;
use wire::BufferMemory;

/// How long transactions under way at the end may take to finish.
const DRAIN_LIMIT_NS: u64 = 5_000_000_000;

/// Where in its life a thread is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ThreadLoadState {
    /// Clients are being connected; no transaction has begun.
    Connecting,
    /// Clients begin transactions as the agenda has it.
    Running,
    /// It is another side's turn, or no transaction begins any more in this one; those under way go on and count.
    Paused,
    /// No transaction begins any more; those under way are waited for until this instant.
    Draining { until_ns: u64 },
}

impl ThreadLoadState {
    /// What ends now counts.
    #[inline]
    pub(crate) fn is_counting(self) -> bool {
        matches!(self, ThreadLoadState::Running | ThreadLoadState::Paused)
    }
}

/// What the clients of one side share on one thread.
#[derive(Debug)]
pub(crate) struct ThreadSide<'a> {
    /// Its number among the sides of the run.
    pub(crate) number: usize,
    /// Its clients, by their numbers on the thread.
    pub(crate) clients: Range<u32>,
    pub(crate) job: &'a EngineJob,
    pub(crate) program: &'a ScriptProgram,
    pub(crate) addresses: &'a Addresses,
    pub(crate) recorder: Recorder,
    pub(crate) agenda: Agenda,
    pub(crate) load: ThreadLoadState,
    /// Clients with a transaction under way.
    pub(crate) in_flight: u64,
    /// Clients that are in an outage.
    pub(crate) out: u32,
    /// When they try to get their connections back.
    pub(crate) attempts: Attempts,
    /// The most of them since its turn began.
    pub(crate) out_at_most: u32,
    /// Since when it has not begun transactions, while it is not its turn.
    pub(crate) stopped_ns: u64,
    /// The coordinator knows that all transactions are over that the job asks for.
    pub(crate) is_done: bool,
    /// How long a server may be silent while it owes an answer.
    pub(crate) answer_timeout_ns: u64,
}

/// What the clients of one thread share: what does not change, and what they count together.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Of the client that is being served.
    pub(crate) side: ThreadSide<'a>,
    /// All the others; none in a run of one job.
    pub(crate) others: Vec<ThreadSide<'a>>,
    /// If sides take turns.
    pub(crate) seat: Option<Seat<'a>>,
    /// When the next thing is due that the timetable or the turn says.
    pub(crate) due_ns: u64,
    pub(crate) control: &'a Control,
    pub(crate) clock: JobClock,
    pub(crate) thread: usize,
    pub(crate) io: Io,
    /// What the connections that have nothing to receive or send have left.
    pub(crate) memory: BufferMemory,
    /// Looks at how long answers wait to be noticed.
    pub(crate) notice: Notice,
    pub(crate) cpu: ThreadCpu,
    pub(crate) reports: Sender<ThreadReport>,
    /// Clients that have been connected for the first time.
    pub(crate) connected: usize,
    /// When which client wants to be called.
    pub(crate) timers: Timers,
    /// The last reading of the clock by the loop or by what has been counted: good enough for long time-outs.
    pub(crate) now_ns: u64,
    /// The clients' shell commands.
    pub(crate) shell: ClientShellCommands,
}

impl<'a> Context<'a> {
    /// Makes the side of `client` the one that is served.
    #[inline]
    pub(crate) fn select_side_of(&mut self, client: u32) {
        if !self.side.clients.contains(&client) {
            self.turn_to(|side| side.clients.contains(&client));
        }
    }

    #[cold]
    pub(crate) fn turn_to(&mut self, is_it: impl Fn(&ThreadSide<'_>) -> bool) {
        if let Some(other) = self.others.iter_mut().find(|side| is_it(side)) {
            std::mem::swap(&mut self.side, other);
        }
    }

    #[inline]
    pub(crate) fn has_several_sides(&self) -> bool {
        !self.others.is_empty()
    }

    /// Transactions under way, of all sides.
    pub(crate) fn in_flight(&self) -> u64 {
        self.side.in_flight + self.others.iter().map(|side| side.in_flight).sum::<u64>()
    }

    /// Every side, the one that is served first.
    pub(crate) fn sides_mut(&mut self) -> impl Iterator<Item = &mut ThreadSide<'a>> {
        std::iter::once(&mut self.side).chain(&mut self.others)
    }

    /// To be called before anything is counted that happened at `now_ns`: hands over the intervals that are over by
    /// then, and ends the load with the last of them.
    #[inline]
    pub(crate) fn finish_past_intervals(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
        if now_ns >= self.due_ns {
            self.keep_time(now_ns);
        }
    }

    /// What `client` does, which is free at `now_ns`; to be called after [`pass`](Self::finish_past_intervals).
    #[inline]
    pub(crate) fn next(&mut self, client: u32, now_ns: u64) -> NextClientAction {
        let next = self.side.next(client, now_ns);
        self.check_done_unless_begun(&next, now_ns);
        next
    }

    /// What `client` does, whose pause is over at `now_ns`.
    #[inline]
    pub(crate) fn next_after_pause(&mut self, client: u32, now_ns: u64) -> NextClientAction {
        let next = self.side.next_after_pause(client, now_ns);
        self.check_done_unless_begun(&next, now_ns);
        next
    }

    /// An arrival that is due, and the client that was free for it.
    #[inline]
    pub(crate) fn take_due_arrival(&mut self, now_ns: u64) -> Option<(u32, TransactionStart)> {
        if self.side.load != ThreadLoadState::Running {
            return None;
        }
        let arrival = self.side.take_arrival(now_ns);
        if arrival.is_none() {
            self.check_done(now_ns);
        }
        arrival
    }

    /// A transaction of `client` is over since `now_ns`, however it has ended; to be called after
    /// [`pass`](Self::finish_past_intervals).
    #[inline]
    pub(crate) fn count_completed(&mut self, client: u32, now_ns: u64) {
        if self.side.recorder.is_measuring() {
            self.side.agenda.note_completed_transaction(client - self.side.clients.start);
        }
        self.check_done(now_ns);
    }

    /// What begins is not under way yet.
    #[inline]
    fn check_done_unless_begun(&mut self, next: &NextClientAction, now_ns: u64) {
        if !matches!(next, NextClientAction::Begin(_)) {
            self.check_done(now_ns);
        }
    }

    #[inline]
    fn check_done(&mut self, now_ns: u64) {
        if self.side.agenda.is_done(self.side.in_flight) && !self.side.is_done {
            self.side.is_done = true;
            // Where timed sessions take turns, their windows end the load.
            if self.seat.is_none() || self.side.job.pace.timed_sessions().is_none() {
                self.send_report(ThreadReport::Done { at_ns: now_ns });
            }
        }
    }

    #[cold]
    fn keep_time(&mut self, now_ns: u64) {
        self.hand_over(now_ns);
        if self.seat.as_ref().is_some_and(|seat| now_ns >= seat.quarter_ns) {
            self.end_first_quarter();
        }
        if self.seat.as_ref().is_some_and(|seat| now_ns >= seat.stop_ns) {
            self.stop_turn();
        }
        self.look_ahead();
    }

    /// Hands over the intervals that are over at `now_ns`.
    pub(crate) fn hand_over(&mut self, now_ns: u64) {
        // Between two turns the next call may cut the interval, unless it is kept back.
        let _next_call_kept_back = match &self.seat {
            Some(Seat { referee, under_way: None, call, .. }) => match referee.hold_next_call(*call) {
                Some(held) => Some(held),
                None => return,
            },
            Some(_) | None => None,
        };
        while now_ns >= self.side.recorder.interval_end_ns() {
            let cpu = self.cpu.take_cpu_used();
            if self.seat.as_ref().is_none_or(|seat| seat.under_way.is_some())
                && let Some(side) = self.side_at_work()
            {
                side.recorder.add_cpu_used(cpu);
            }
            let end_ns = self.control.end_ns();
            for side in std::iter::once(&mut self.side).chain(&mut self.others) {
                side.hand_over(self.thread, end_ns, &self.reports);
            }
            if matches!(self.side.load, ThreadLoadState::Draining { .. }) {
                self.back_from_turn(end_ns);
            }
        }
    }

    /// To be called when the timetable or the turn has changed.
    pub(crate) fn look_ahead(&mut self) {
        let turn_ns = self.seat.as_ref().map_or(NEVER, |seat| seat.stop_ns.min(seat.quarter_ns));
        self.due_ns = self.side.recorder.interval_end_ns().min(turn_ns);
    }

    /// Tells the coordinator. Should it be gone, the run is over and nobody wants to know.
    pub(crate) fn send_report(&self, report: ThreadReport) {
        let _coordinator_gone = self.reports.send(report);
    }
}

impl ThreadSide<'_> {
    /// `client` is free, but begins nothing at present.
    #[cold]
    pub(crate) fn enlist_if_paused(&mut self, client: u32) {
        if self.load == ThreadLoadState::Paused {
            self.enlist_client(client);
        }
    }

    /// Where its clients are among those of the thread.
    pub(crate) fn client_range(&self) -> Range<usize> {
        self.clients.start as usize..self.clients.end as usize
    }

    #[inline]
    fn next(&mut self, client: u32, now_ns: u64) -> NextClientAction {
        let first = self.clients.start;
        let next = self.agenda.next(client - first, now_ns, self.in_flight, self.recorder.is_measuring());
        if let NextClientAction::Begin(start) = &next {
            self.recorder.count_send_delay(start);
        }
        next
    }

    #[inline]
    fn next_after_pause(&mut self, client: u32, now_ns: u64) -> NextClientAction {
        let next = self.agenda.next_after_pause(client - self.clients.start, now_ns, self.in_flight);
        if let NextClientAction::Begin(start) = &next {
            self.recorder.count_send_delay(start);
        }
        next
    }

    #[inline]
    fn take_arrival(&mut self, now_ns: u64) -> Option<(u32, TransactionStart)> {
        let (client, start) = self.agenda.take_arrival(now_ns, self.in_flight, self.recorder.is_measuring())?;
        self.recorder.count_send_delay(&start);
        Some((self.clients.start + client, start))
    }

    /// In an open loop: `client` is free, and waits for an arrival. Returns whether that is so.
    pub(crate) fn enlist_client(&mut self, client: u32) -> bool {
        self.agenda.enlist_client(client - self.clients.start)
    }

    /// `client` cannot take an arrival any more.
    pub(crate) fn note_lost_client(&mut self, client: u32) {
        self.agenda.note_lost_client(client - self.clients.start);
    }

    /// Hands over the interval under way, which is over, and ends the load with it if it is the last one.
    fn hand_over(&mut self, thread: usize, load_end_ns: u64, reports: &Sender<ThreadReport>) {
        if let Some(arrivals) = self.agenda.take_arrival_counts(self.recorder.interval_end_ns()) {
            self.recorder.set_arrival_counts(arrivals);
        }
        let Some((counts, interval)) = self.recorder.take_ended_interval() else { return };
        // Without a coordinator the run is over, and nobody wants to know.
        let _coordinator_gone = reports.send(ThreadReport::Counted { side: self.number, thread, counts });
        if interval.end_ns >= load_end_ns {
            self.recorder.end_intervals();
            self.load =
                ThreadLoadState::Draining { until_ns: interval.end_ns.saturating_add(DRAIN_LIMIT_NS).min(NEVER - 1) };
            let _coordinator_gone = reports.send(ThreadReport::Ended { side: self.number, unfinished: self.in_flight });
        }
    }
}
