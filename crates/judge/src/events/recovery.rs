//! When the load was as before an event: throughput from the counts ten times a second, latency from the seconds.

use results::trial::{Tallied, TrialPhase};

use crate::observed::SecondFigures;

/// The share of the throughput of before that is as good as all of it.
const BACK_FROM: f64 = 0.95;

/// How long the throughput must be so.
const FOR_US: u64 = 1_000_000;

/// What was at most so long before an event is what it is compared with.
const BEFORE_US: u64 = 10_000_000;

/// The shortest time before an event that tells what was usual.
const BEFORE_AT_LEAST_US: u64 = 1_000_000;

/// The time in which what is seen is an event's.
#[derive(Debug, Clone, Copy)]
pub(super) struct EventWindow {
    /// The event before it, or the begin of the measurement.
    pub(super) since_us: u64,
    /// When it was asked for.
    pub(super) requested_us: u64,
    /// The earliest instant at which all can be as before: the end of its gap.
    pub(super) earliest_us: u64,
    /// The next event, or the end of the measurement.
    pub(super) until_us: u64,
}

/// When the throughput was back, in microseconds since the load's start, and how many transactions were not done until
/// then or, where it was not back, until the end of the window. Absent where it is not known what was usual.
pub(super) struct Throughput {
    pub(super) back_us: Option<u64>,
    pub(super) not_done: f64,
}

pub(super) fn throughput_recovery(window: EventWindow, tally: &[Tallied]) -> Option<Throughput> {
    let EventWindow { since_us, requested_us, earliest_us, until_us } = window;
    let from_us = since_us.max(requested_us.saturating_sub(BEFORE_US));
    let before: Vec<&Tallied> = tally.iter().filter(|at| (from_us..=requested_us).contains(&at.at_us)).collect();
    let (first, last) = (before.first()?, before.last()?);
    if last.at_us - first.at_us < BEFORE_AT_LEAST_US {
        return None;
    }
    let usual_per_us = transactions_per_us(first, last)?;
    let after: Vec<&Tallied> = tally.iter().filter(|at| (last.at_us..=until_us).contains(&at.at_us)).collect();
    let mut possible = after.iter().copied().filter(|at| at.at_us >= earliest_us);
    let back = possible.find(|from| {
        let end = after.iter().find(|at| at.at_us >= from.at_us + FOR_US);
        end.and_then(|end| transactions_per_us(from, end)).is_some_and(|per_us| per_us >= BACK_FROM * usual_per_us)
    });
    let end = back.or(after.last().copied())?;
    let usual = usual_per_us * (end.at_us - last.at_us) as f64;
    let done = (end.transactions - last.transactions) as f64;
    Some(Throughput { back_us: back.map(|at| at.at_us.max(requested_us)), not_done: (usual - done).max(0.0) })
}

/// Transactions per microsecond between two counts.
fn transactions_per_us(from: &Tallied, to: &Tallied) -> Option<f64> {
    let over_us = to.at_us.checked_sub(from.at_us).filter(|over_us| *over_us > 0)?;
    Some(to.transactions.saturating_sub(from.transactions) as f64 / over_us as f64)
}

/// The first second after the gap whose p99 is no higher than that of any second before the event; the inner `None`:
/// there was none in the window. Absent where it is not known what was usual.
pub(super) fn p99_recovery_us(window: EventWindow, seconds: &[SecondFigures]) -> Option<Option<u64>> {
    let EventWindow { since_us, requested_us, earliest_us, until_us } = window;
    let measured = || {
        seconds.iter().filter_map(|second| {
            let p99_ns = second.latency?.p99_ns;
            (second.phase == TrialPhase::Measure).then_some((
                second.start_us,
                second.start_us + second.duration_us,
                p99_ns,
            ))
        })
    };
    let usual = measured().filter(|(start, end, _)| *start >= since_us && *end <= requested_us);
    let highest = usual.map(|(_, _, p99_ns)| p99_ns).max()?;
    let mut after = measured().filter(|(start, end, _)| *start >= earliest_us && *end <= until_us);
    Some(after.find(|(_, _, p99_ns)| *p99_ns <= highest).map(|(start, _, _)| start))
}
