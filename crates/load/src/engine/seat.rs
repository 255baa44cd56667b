//! A thread's part in the turns: takes a turn up when it is called, stops it when its time is over, and comes back from
//! it when nothing of it is under way any more.
//!
//! Where sessions are timed, transactions that were due before it stopped still begin, for a limited time: both sides
//! execute the same ones in each of their windows.
//!
//! Waiting ─(called)─▶ under way ─(its time is over)─▶ stopped ─(nothing under way)─▶ Waiting

use crate::engine::clock::NEVER;
use crate::engine::context::{Context, ThreadLoadState, ThreadSide};
use crate::engine::referee::{Called, Referee, ThreadTurnPart, TurnCall, TurnSums};

/// Where a thread is in the turns.
#[derive(Debug)]
pub(crate) struct Seat<'a> {
    pub(crate) referee: &'a Referee<'a>,
    /// The number of the last call that this thread knows.
    pub(crate) call: u64,
    /// The turn that this thread has not come back from.
    pub(crate) under_way: Option<TurnUnderWay>,
    /// When the first quarter of the turn is over; `NEVER` when it is.
    pub(crate) quarter_ns: u64,
    /// When its clients begin no transactions any more; `NEVER` when they do not anyway.
    pub(crate) stop_ns: u64,
    /// Whose turn it is, or was last.
    side: usize,
}

/// A turn, on one thread.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnUnderWay {
    called: Called,
    taken_up_ns: u64,
    /// What had ended before.
    before: TurnSums,
    /// What had ended of it in its first quarter; none before that is over.
    first_quarter: Option<TurnSums>,
}

impl<'a> Seat<'a> {
    /// Nothing has been called yet.
    pub(crate) fn new(referee: &'a Referee<'a>) -> Seat<'a> {
        Seat { referee, call: 0, under_way: None, quarter_ns: NEVER, stop_ns: NEVER, side: 0 }
    }
}

impl<'a> Context<'a> {
    /// The side whose turn it is, or was last, whichever is served.
    pub(crate) fn side_at_work(&mut self) -> Option<&mut ThreadSide<'a>> {
        let number = self.seat.as_ref().map_or(self.side.number, |seat| seat.side);
        self.sides_mut().find(|side| side.number == number)
    }

    /// Makes that side the one that is served.
    pub(crate) fn face_side_at_work(&mut self) {
        if let Some(seat) = &self.seat
            && seat.side != self.side.number
        {
            let number = seat.side;
            self.turn_to(|side| side.number == number);
        }
    }

    /// While the side at work begins nothing: comes back from its turn if that is over at `now_ns`, and takes up the
    /// next one. Returns for how long the side whose turn has begun had stood still, if its clients are to be asked for
    /// a transaction.
    pub(crate) fn between_turns(&mut self, now_ns: u64) -> Option<u64> {
        if self.seat.as_ref()?.under_way.is_some() {
            let clients = self.side.clients.clone();
            if self.side.in_flight > 0 || clients.into_iter().any(|client| self.may_catch_up(client)) {
                return None;
            }
            self.back_from_turn(now_ns);
        }
        let seat = self.seat.as_ref()?;
        match seat.referee.call_after(seat.call)? {
            (number, TurnCall::Turn(called)) => self.take_up(number, called),
            (number, TurnCall::Over) => {
                let end_ns = self.control.end_ns();
                self.sides_mut().for_each(|side| side.recorder.limit_load_end(end_ns));
                self.seat.as_mut()?.call = number;
                self.look_ahead();
                None
            }
        }
    }

    fn take_up(&mut self, number: u64, called: Called) -> Option<u64> {
        let taken_up_ns = self.clock.now_ns();
        let seat = self.seat.as_mut()?;
        (seat.call, seat.side) = (number, called.side);
        (seat.quarter_ns, seat.stop_ns) = (called.quarter_ns, called.stop_ns);
        self.face_side_at_work();
        let side = &mut self.side;
        let away_ns = called.start_ns - side.stopped_ns;
        let asks = side.agenda.go_on(called.start_ns, away_ns);
        (side.load, side.out_at_most) = (ThreadLoadState::Running, side.out);
        let before = side.recorder.total_sums();
        self.seat.as_mut()?.under_way = Some(TurnUnderWay { called, taken_up_ns, before, first_quarter: None });
        self.sides_mut().for_each(|side| side.recorder.update_timetable(called.timetable));
        self.clients_out(taken_up_ns, 0);
        // What was over before it began, such as the warm-up. The turn itself is not stopped here, however late it is
        // taken up: each client that is free begins one transaction at least.
        self.hand_over(taken_up_ns);
        self.look_ahead();
        asks.then_some(away_ns)
    }

    /// The first quarter of the turn is over, and nothing that ended after it has been counted yet.
    pub(crate) fn end_first_quarter(&mut self) {
        let sums = self.side_at_work().map(|side| side.recorder.total_sums());
        let Some(seat) = &mut self.seat else { return };
        seat.quarter_ns = NEVER;
        if let (Some(under_way), Some(sums)) = (&mut seat.under_way, sums) {
            under_way.first_quarter = Some(sums.difference_since(under_way.before));
        }
    }

    /// The turn's time is over.
    pub(crate) fn stop_turn(&mut self) {
        let Some(seat) = &mut self.seat else { return };
        let stop_ns = std::mem::replace(&mut seat.stop_ns, NEVER);
        if let Some(side) = self.side_at_work().filter(|side| side.load == ThreadLoadState::Running) {
            side.load = ThreadLoadState::Paused;
            side.stopped_ns = stop_ns;
            side.agenda.stop_arrivals(stop_ns);
        }
    }

    /// Whether `client`, whose side is served, begins a transaction although the turn has stopped.
    #[inline]
    pub(crate) fn may_catch_up(&self, client: u32) -> bool {
        let Some(Seat { under_way: Some(turn), side, .. }) = &self.seat else { return false };
        *side == self.side.number
            && self.side.load == ThreadLoadState::Paused
            && self.now_ns < turn.called.late_until_ns
            && (self.side.out as usize) < self.side.clients.len()
            && self.side.agenda.has_late_transaction(client - self.side.clients.start)
    }

    /// Nothing of the turn is under way on this thread since `now_ns`, or it is cut then.
    pub(crate) fn back_from_turn(&mut self, now_ns: u64) {
        let Some(seat) = &mut self.seat else { return };
        let (referee, Some(under_way)) = (seat.referee, seat.under_way.take()) else { return };
        (seat.quarter_ns, seat.stop_ns) = (NEVER, NEVER);
        let cpu = self.cpu.take_cpu_used();
        let Some(side) = self.side_at_work() else { return };
        side.recorder.add_cpu_used(cpu);
        let sums = side.recorder.total_sums().difference_since(under_way.before);
        let part = ThreadTurnPart {
            end_ns: now_ns,
            taken_up_after_ns: under_way.taken_up_ns - under_way.called.start_ns,
            sums,
            first_quarter: under_way.first_quarter.unwrap_or(sums),
            clients_out: side.out_at_most,
        };
        referee.note_returned_thread(self.thread, part);
    }

    /// So many more clients of the side that is served are in an outage: a turn in which all of them are is given up
    /// soon, unless one of them comes back.
    pub(crate) fn clients_out(&mut self, now_ns: u64, more: i32) {
        let side = &mut self.side;
        side.out = side.out.saturating_add_signed(more);
        side.out_at_most = side.out_at_most.max(side.out);
        let Some(seat) = &mut self.seat else { return };
        let Some(TurnUnderWay { called, .. }) = seat.under_way.filter(|_| seat.side == side.number) else { return };
        if seat.stop_ns != NEVER {
            let all = side.out as usize == side.clients.len();
            seat.stop_ns = if all { called.stop_ns.min(now_ns + called.patience_ns) } else { called.stop_ns };
            self.look_ahead();
        }
    }
}
