//! Sides that take turns, against servers with exact service times: who sends when, what is told of it, and what a
//! side's own time is. Bounds follow from the order of things, so that a slow machine does not break them.

mod own_time;
mod refusals;
mod stops;
mod vanishing;
mod whose_turn;

use crate::{MS, select_one};
use load::{
    EndedTurn, EngineJob, IoBackend, LoadError, LoadPhase, StopRequest, Summary, TurnTakingJobs, TurnsEvent,
    TurnsSummary,
};
use std::time::{Duration, Instant};
use testbed::calibration::CalibrationServer;

/// `SELECT 1` with so many clients on two threads for half a second.
fn job(server: &CalibrationServer, clients: u32) -> EngineJob {
    select_one(server, clients, 500 * MS)
}

fn turns(sides: Vec<EngineJob>, length: Duration) -> TurnTakingJobs {
    TurnTakingJobs { sides, length, transactions_at_least: 0, seed: 42, between: None }
}

/// The same on `io_uring`; `None` where that cannot be had.
fn on_io_uring(turns: &TurnTakingJobs) -> Option<TurnTakingJobs> {
    let sides = turns.sides.iter().map(|side| EngineJob { backend: IoBackend::IoUring, ..side.clone() }).collect();
    let turns = TurnTakingJobs { sides, ..turns.clone() };
    let attempt = EngineJob { measure: MS.into(), ..turns.sides[0].clone() };
    match load::run_job(&attempt, &StopRequest::new(), &mut |_| ()) {
        Err(LoadError::System { action: "use io_uring", .. }) => None,
        _ => Some(turns),
    }
}

/// A measured second of a side.
struct Told {
    side: usize,
    turn_ns: u64,
    transactions: u64,
}

struct Done {
    summary: TurnsSummary,
    seconds: Vec<Told>,
    /// The run's start was between these two.
    started: [Instant; 2],
}

impl Done {
    fn of(&self, side: usize) -> &Summary {
        &self.summary.sides[side]
    }

    /// All turns of a side.
    fn turns_of(&self, side: usize) -> impl Iterator<Item = &EndedTurn> {
        self.summary.turns.iter().filter(move |turn| turn.side == side)
    }

    /// Its measured ones.
    fn measured(&self, side: usize) -> impl Iterator<Item = &EndedTurn> {
        self.summary.measured_turns().filter(move |turn| turn.side == side)
    }
}

fn run(turns: &TurnTakingJobs) -> Done {
    run_until(turns, |_, _| ())
}

/// Calls `each` with every turn.
fn run_until(turns: &TurnTakingJobs, mut each: impl FnMut(&EndedTurn, &StopRequest)) -> Done {
    let (before, stop) = (Instant::now(), StopRequest::new());
    let (mut after, mut seconds, mut began) = (before, Vec::new(), None);
    let summary = load::run_turns(turns, &stop, &mut |event| match event {
        TurnsEvent::Connecting { .. } => after = Instant::now(),
        TurnsEvent::TurnBegan { side, at_ns } => began = Some((side, at_ns)),
        TurnsEvent::Turn(turn) => {
            assert_eq!(began.take(), Some((turn.side, turn.start_ns)), "it was told when it began");
            each(turn, &stop);
        }
        TurnsEvent::Second { side, second } if second.phase == LoadPhase::Measure => {
            seconds.push(Told { side, turn_ns: second.turn_ns, transactions: second.total_latency().count() });
        }
        TurnsEvent::Connected { .. }
        | TurnsEvent::Second { .. }
        | TurnsEvent::Began { .. }
        | TurnsEvent::Ended { .. } => {}
    });
    Done { summary: summary.expect("the run is made"), seconds, started: [before, after] }
}

/// What must be so of every run: turns do not overlap, and whatever is told by turn, by second and in the end agrees.
fn agrees(done: &Done) {
    for EndedTurn { first_quarter, transactions, latency_sum_ns, .. } in &done.summary.turns {
        assert!(first_quarter.transactions <= *transactions && first_quarter.latency_sum_ns <= *latency_sum_ns);
    }
    for pair in done.summary.turns.windows(2) {
        assert_eq!(pair[1].start_ns - pair[0].end_ns, pair[1].gap_ns, "{pair:?}");
    }
    for (side, summary) in done.summary.sides.iter().enumerate() {
        let sum = |of: fn(&EndedTurn) -> u64| done.measured(side).map(of).sum::<u64>();
        assert_eq!(sum(EndedTurn::duration_ns), summary.measure_ns);
        assert_eq!(sum(|turn| turn.transactions), summary.successful_transactions());
        assert_eq!((sum(|turn| turn.failed), sum(|turn| turn.unknown)), (summary.failed, summary.unknown));
        let statements = summary.statements.as_deref().expect("they are timed");
        let of_only_one: Vec<_> = statements.iter().map(|one| (one.latency.count(), one.failed)).collect();
        assert_eq!(
            of_only_one,
            [(summary.successful_transactions(), summary.failed)],
            "its own, and of its turns only"
        );
        let latency_ns: u128 = done.measured(side).map(|turn| turn.latency_sum_ns).sum();
        let expected = summary.latency.mean_ns().unwrap_or(0.0) * summary.successful_transactions() as f64;
        assert!((latency_ns as f64 - expected).abs() <= 1e-6 * expected, "{latency_ns} {expected}");
        let seconds = || done.seconds.iter().filter(|second| second.side == side);
        assert_eq!(seconds().map(|second| second.transactions).sum::<u64>(), summary.successful_transactions());
        assert_eq!(seconds().map(|second| second.turn_ns).sum::<u64>(), summary.measure_ns);
    }
}
