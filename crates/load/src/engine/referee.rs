//! Whose turn it is, as the threads agree on it.
//!
//! A turn is called; each thread has its clients of that side begin transactions until the turn stops, waits for those
//! under way, and comes back. Who comes back last closes the turn, calls the next one at that instant, and wakes the
//! others. So threads wait for each other in the gap between two turns only, and a gap costs each of them one lock.
//!
//! Phases and the load end between two turns, at an instant that nobody knows before. So a thread that waits between
//! two turns must not take a second for over that the next call cuts: it [holds](Referee::hold_next_call) the book
//! while it hands one over.

use crate::engine::clock::{JobClock, NEVER, duration_to_ns};
use crate::engine::control::{Control, ThreadReport};
use crate::engine::io::Waker;
use crate::engine::rounds::{PhaseRounds, RoundPlace};
use crate::engine::timetable::Timetable;
use crate::report::LoadPhase;
use crate::timed::TimedSessions;
use crate::turns::{BetweenTurns, EndedTurn, TurnFirstQuarter, TurnTakingJobs};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A turn that loses all its connections is given up after this part of its length: time to get one back, not more.
const PATIENCE: u64 = 10;

/// How long after the end of a window transactions that are due in it begin: so long, or as long as the window is.
const LATE_LIMIT_NS: u64 = 10_000_000_000;

/// What the threads are told.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TurnCall {
    Turn(Called),
    /// There is no further turn; the load has an end, which is in [`Control`].
    Over,
}

/// A turn, as the threads are told of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Called {
    pub(crate) side: usize,
    pub(crate) start_ns: u64,
    /// The end of its first quarter.
    pub(crate) quarter_ns: u64,
    /// From this instant on no transaction begins.
    pub(crate) stop_ns: u64,
    /// Unless sessions are timed: what was due before begins until this instant.
    pub(crate) late_until_ns: u64,
    /// How long a thread without a connection waits for one.
    pub(crate) patience_ns: u64,
    /// The phases, as far as they are known by now.
    pub(crate) timetable: Timetable,
}

/// One thread's part of a turn.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ThreadTurnPart {
    pub(crate) end_ns: u64,
    pub(crate) taken_up_after_ns: u64,
    pub(crate) sums: TurnSums,
    /// The part of them that had ended in the first quarter.
    pub(crate) first_quarter: TurnSums,
    pub(crate) clients_out: u32,
}

/// What has ended so far on a thread, of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TurnSums {
    pub(crate) transactions: u64,
    pub(crate) failed: u64,
    pub(crate) unknown: u64,
    pub(crate) latency_ns: u128,
}

impl TurnSums {
    pub(crate) fn plus_sums(self, more: TurnSums) -> TurnSums {
        TurnSums {
            transactions: self.transactions + more.transactions,
            failed: self.failed + more.failed,
            unknown: self.unknown + more.unknown,
            latency_ns: self.latency_ns + more.latency_ns,
        }
    }

    fn mean_latency_ns(&self) -> Option<u64> {
        let mean_ns = self.latency_ns.checked_div(u128::from(self.transactions))?;
        Some(u64::try_from(mean_ns).unwrap_or(u64::MAX))
    }

    pub(crate) fn difference_since(self, before: TurnSums) -> TurnSums {
        TurnSums {
            transactions: self.transactions - before.transactions,
            failed: self.failed - before.failed,
            unknown: self.unknown - before.unknown,
            latency_ns: self.latency_ns - before.latency_ns,
        }
    }
}

/// What is asked of the turns, and does not change.
#[derive(Debug)]
pub(crate) struct Rules {
    /// How long a turn is until the warm-up has shown that transactions are longer.
    pub(crate) length_ns: u64,
    pub(crate) transactions_at_least: u32,
    pub(crate) warm_up_ns: u64,
    pub(crate) measure_ns: u64,
    pub(crate) seed: u64,
    /// By side, how many clients it has on all threads.
    pub(crate) clients: Vec<u32>,
    /// The sessions of the first side, if they are timed: a round is one of their windows.
    pub(crate) sessions: Option<Arc<TimedSessions>>,
    /// What is done between two turns.
    pub(crate) between: Option<Arc<dyn BetweenTurns>>,
}

impl Rules {
    /// Those that were checked.
    pub(crate) fn from_turns(turns: &TurnTakingJobs) -> Rules {
        let phases = &turns.sides[0];
        Rules {
            length_ns: duration_to_ns(turns.length),
            transactions_at_least: turns.transactions_at_least,
            warm_up_ns: duration_to_ns(phases.warm_up),
            measure_ns: Timetable::from_job(phases, 0).measure_ns,
            seed: turns.seed,
            clients: turns.sides.iter().map(|side| side.own_clients().len() as u32).collect(),
            sessions: phases.pace.timed_sessions().cloned(),
            between: turns.between.clone(),
        }
    }

    /// How long a measured turn is, if this is what the sides did in the warm-up: the end of a turn, in which more and
    /// more clients are idle, must be short beside it. The turns of a side fill its measurement.
    fn measured_length_ns(&self, warm_up: &[TurnSums]) -> u64 {
        let means_ns = warm_up.iter().filter_map(TurnSums::mean_latency_ns);
        let needed_ns = means_ns.max().unwrap_or(0).saturating_mul(u64::from(self.transactions_at_least));
        if needed_ns <= self.length_ns {
            return self.length_ns;
        }
        let of_side_ns = self.measure_ns / self.clients.len() as u64;
        let turns = (of_side_ns / needed_ns).max(1);
        (of_side_ns / turns).max(self.length_ns)
    }
}

/// Shared by all threads of a run in which sides take turns.
#[derive(Debug)]
pub(crate) struct Referee<'a> {
    rules: Rules,
    clock: JobClock,
    control: &'a Control,
    wakers: &'a [Waker],
    /// The number of the last call; to be looked at without a lock.
    called: AtomicU64,
    book: Mutex<Book>,
}

#[derive(Debug)]
struct Book {
    reports: Sender<ThreadReport>,
    timetable: Timetable,
    rounds: PhaseRounds,
    call: Option<TurnCall>,
    /// The turn under way, as far as it is known.
    turn: Option<EndedTurn>,
    /// When it stops.
    stop_ns: u64,
    /// How long a turn of the phase is, or of the round if sessions are timed.
    length_ns: u64,
    /// Windows of timed sessions that have begun, and what is left of the last one.
    windows: usize,
    window_left_ns: u64,
    /// What each side did in the warm-up.
    warm_up: Vec<TurnSums>,
    /// Threads that have not come back from it.
    missing: usize,
    ended_ns: u64,
    stopping: bool,
}

impl<'a> Referee<'a> {
    pub(crate) fn new(
        rules: Rules,
        clock: JobClock,
        control: &'a Control,
        wakers: &'a [Waker],
        reports: Sender<ThreadReport>,
    ) -> Referee<'a> {
        let first = if rules.warm_up_ns > 0 { LoadPhase::WarmUp } else { LoadPhase::Measure };
        let book = Book {
            reports,
            timetable: Timetable::with_unknown_end(0, first),
            rounds: PhaseRounds::new(rules.seed, first, rules.clients.len()),
            call: None,
            turn: None,
            stop_ns: NEVER,
            length_ns: rules.length_ns,
            windows: 0,
            window_left_ns: 0,
            warm_up: vec![TurnSums::default(); rules.clients.len()],
            missing: 0,
            ended_ns: 0,
            stopping: false,
        };
        Referee { rules, clock, control, wakers, called: AtomicU64::new(0), book: Mutex::new(book) }
    }

    fn lock_book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The load begins at `start_ns`, with the first turn. Returns the phases, as far as they are known by now.
    pub(crate) fn begin_load(&self, start_ns: u64) -> Timetable {
        let mut book = self.lock_book();
        book.timetable.start_ns = start_ns;
        book.ended_ns = start_ns;
        self.call_next_turn(&mut book, start_ns, None);
        book.timetable
    }

    /// The phases, as far as they are known by now.
    pub(crate) fn known_timetable(&self) -> Timetable {
        self.lock_book().timetable
    }

    /// How long a turn should be, by what is known now.
    pub(crate) fn length_ns(&self) -> u64 {
        self.lock_book().length_ns
    }

    /// How long a round should be.
    pub(crate) fn round_ns(&self) -> u64 {
        self.length_ns().saturating_mul(self.rules.clients.len() as u64)
    }

    /// No further round begins.
    pub(crate) fn stop_rounds(&self) {
        self.lock_book().stopping = true;
    }

    /// The load ends at `at_ns`, unless it has ended by then: a turn that is under way is cut.
    pub(crate) fn end_at(&self, at_ns: u64) {
        let mut book = self.lock_book();
        if !matches!(book.call, Some(TurnCall::Over)) {
            self.end_load(&mut book, at_ns, None);
        }
    }

    /// The last call, if it is a later one than number `known`, with its number.
    #[inline]
    pub(crate) fn call_after(&self, known: u64) -> Option<(u64, TurnCall)> {
        if self.called.load(Ordering::Acquire) == known {
            return None;
        }
        let book = self.lock_book();
        book.call.map(|call| (self.called.load(Ordering::Acquire), call))
    }

    /// Keeps the next call back as long as what is returned lives; `None` if call number `known` is not the last one.
    pub(crate) fn hold_next_call(&self, known: u64) -> Option<impl Sized + '_> {
        let book = self.lock_book();
        (self.called.load(Ordering::Acquire) == known).then_some(book)
    }

    /// A thread has come back from its turn. The last one is told the next call at once, by
    /// [`call_after`](Self::call_after).
    pub(crate) fn note_returned_thread(&self, thread: usize, part: ThreadTurnPart) {
        let mut book = self.lock_book();
        let Some(turn) = &mut book.turn else { return };
        let (phase, side) = (turn.phase, turn.side);
        turn.transactions += part.sums.transactions;
        turn.failed += part.sums.failed;
        turn.unknown += part.sums.unknown;
        turn.latency_sum_ns += part.sums.latency_ns;
        turn.first_quarter.transactions += part.first_quarter.transactions;
        turn.first_quarter.latency_sum_ns += part.first_quarter.latency_ns;
        turn.end_ns = turn.end_ns.max(part.end_ns);
        turn.taken_up_after_ns = turn.taken_up_after_ns.max(part.taken_up_after_ns);
        turn.clients_out += part.clients_out;
        if phase == LoadPhase::WarmUp {
            book.warm_up[side] = book.warm_up[side].plus_sums(part.sums);
        }
        book.missing -= 1;
        if book.missing == 0 {
            self.close_turn(&mut book, thread);
        }
    }

    fn close_turn(&self, book: &mut Book, thread: usize) {
        if let Some(mut turn) = book.turn.take() {
            turn.overrun_ns = turn.end_ns.saturating_sub(book.stop_ns);
            turn.is_lost = turn.clients_out == self.rules.clients[turn.side];
            book.ended_ns = turn.end_ns;
            book.send_report(ThreadReport::TurnEnded(turn));
        }
        if !matches!(book.call, Some(TurnCall::Over)) {
            let now_ns = self.clock.now_ns();
            self.call_next_turn(book, now_ns, Some(thread));
        }
    }

    /// Calls the next turn at `now_ns`, or ends the load. `caller`: the thread that need not be woken for it.
    fn call_next_turn(&self, book: &mut Book, now_ns: u64, caller: Option<usize>) {
        if book.rounds.is_between() {
            let measured = book.rounds.phase() == LoadPhase::Measure
                && now_ns >= book.timetable.measure_start_ns().saturating_add(self.rules.measure_ns);
            let has_ended = self.has_no_window(book);
            if has_ended && book.rounds.phase() == LoadPhase::WarmUp {
                book.timetable.warm_up_ns = now_ns - book.timetable.start_ns;
            }
            if measured || book.stopping || has_ended {
                return self.end_load(book, now_ns, caller);
            }
            if book.rounds.phase() == LoadPhase::WarmUp && now_ns >= book.timetable.start_ns + self.rules.warm_up_ns {
                book.timetable.warm_up_ns = now_ns - book.timetable.start_ns;
                book.rounds = PhaseRounds::new(self.rules.seed, LoadPhase::Measure, self.rules.clients.len());
                book.length_ns = self.rules.measured_length_ns(&book.warm_up);
            }
            if let Some(sessions) = &self.rules.sessions {
                book.enter_window(sessions, self.rules.warm_up_ns / self.rules.clients.len() as u64);
            }
        }
        let place = book.rounds.next();
        let now_ns = match &self.rules.between {
            Some(between) => {
                between.give_turn(place.side);
                // The first turn is called ahead of its begin.
                self.clock.now_ns().max(now_ns)
            }
            None => now_ns,
        };
        book.stop_ns = now_ns.saturating_add(book.length_ns);
        book.turn = Some(new_turn(place, now_ns, now_ns - book.ended_ns));
        book.missing = self.wakers.len();
        book.call = Some(TurnCall::Turn(Called {
            side: place.side,
            start_ns: now_ns,
            quarter_ns: now_ns.saturating_add(book.length_ns / 4),
            stop_ns: book.stop_ns,
            late_until_ns: book.stop_ns.saturating_add(book.length_ns.max(LATE_LIMIT_NS)),
            patience_ns: book.length_ns / PATIENCE,
            timetable: book.timetable,
        }));
        book.send_report(ThreadReport::TurnBegan { phase: place.phase, side: place.side, at_ns: now_ns });
        self.publish_call(caller);
    }

    /// Whether nothing is left of the windows of timed sessions.
    fn has_no_window(&self, book: &Book) -> bool {
        match &self.rules.sessions {
            Some(sessions) => book.window_left_ns == 0 && sessions.window_length_ns(book.windows).is_none(),
            None => false,
        }
    }

    fn end_load(&self, book: &mut Book, end_ns: u64, caller: Option<usize>) {
        if let Some(between) = &self.rules.between {
            between.end_turns();
        }
        let measured_ns = end_ns.saturating_sub(book.timetable.measure_start_ns());
        book.call = Some(TurnCall::Over);
        let is_short = measured_ns < self.rules.measure_ns && !self.has_no_window(book);
        book.send_report(ThreadReport::Over { at_ns: end_ns, interrupted: is_short });
        self.control.schedule_load(book.timetable.start_ns, end_ns);
        self.publish_call(caller);
    }

    fn publish_call(&self, caller: Option<usize>) {
        self.called.fetch_add(1, Ordering::Release);
        let others = self.wakers.iter().enumerate().filter(|(thread, _)| Some(*thread) != caller);
        others.for_each(|(_, waker)| waker.wake());
    }
}

impl Book {
    /// The next round is a window of timed sessions, or what is left of one. In the warm-up it is no longer than the
    /// warm-up of a side, so that the rest of the window is measured.
    fn enter_window(&mut self, sessions: &TimedSessions, warm_up_ns: u64) {
        if self.window_left_ns == 0 {
            self.window_left_ns = sessions.window_length_ns(self.windows).unwrap_or(0);
            self.windows += 1;
        }
        self.length_ns = match self.rounds.phase() {
            LoadPhase::WarmUp => self.window_left_ns.min(warm_up_ns.max(1)),
            LoadPhase::Measure => self.window_left_ns,
        };
        self.window_left_ns -= self.length_ns;
    }

    fn send_report(&self, report: ThreadReport) {
        // Without a coordinator the run is over, and nobody wants to know.
        let _coordinator_gone = self.reports.send(report);
    }
}

fn new_turn(RoundPlace { phase, round, place, side }: RoundPlace, start_ns: u64, gap_ns: u64) -> EndedTurn {
    EndedTurn {
        phase,
        round,
        place,
        side,
        start_ns,
        end_ns: start_ns,
        overrun_ns: 0,
        gap_ns,
        taken_up_after_ns: 0,
        transactions: 0,
        failed: 0,
        unknown: 0,
        latency_sum_ns: 0,
        first_quarter: TurnFirstQuarter::default(),
        clients_out: 0,
        is_lost: false,
    }
}
