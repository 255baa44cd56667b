//! `lightweight-locks`: sessions contend for one of the server's own data structures, which is named.

use results::activity::WaitEvent;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::wal::{share_of_fills, waits_for_work};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "lightweight-locks",
        group: CodeGroup::Locks,
        detects: "Sessions contend for a lightweight lock (LWLock) of the server. The finding names the lock.",
        reported_if: "Sessions wait for lightweight locks, all of them together. WALWrite does not count, nor do waits for WAL \
                locks while a new segment is filled with zeros.",
        thresholds: &[RuleThreshold::at_least(
            "waits for lightweight locks as a share of the sessions' time",
            WAITING,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Contention in shared memory grows with the number of clients, not with the size of the machine. The lock's name \
              identifies the structure.",
        evidence: "Sessions that wait for the lock (`pg_stat_activity`, wait event type LWLock).",
        fix: "Use fewer concurrent sessions, or reduce the use of the structure that the lock protects.",
        confirm: "Run the plan again with fewer clients: the wait shrinks more than the throughput.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_lightweight_locks,
};

/// From this share of the sessions' time on.
const WAITING: f64 = 0.15;

/// Held while WAL is written and flushed, so that many commit with one flush: a wait for it is a wait for the flush.
const OF_THE_FLUSH: &str = "WALWrite";

fn look_for_lightweight_locks(case: &DiagnosisCase<'_>) -> Looked {
    let waits = wait_shares_by_lock(case)?;
    let all: f64 = waits.iter().map(|(_, share)| share).sum();
    let Some((name, _)) = waits.first().filter(|_| all >= WAITING) else { return Ok(None) };
    let is_lock = |class: &str, event: &str| class == "LWLock" && event != OF_THE_FLUSH;
    let windows = case.windows_where(|second| {
        let is =
            |seen: &results::activity::SampledSessions| seen.wait.as_ref().is_some_and(|w| is_lock(&w.class, &w.event));
        second.share_of_sessions(is).is_some_and(|share| share >= WAITING)
    });
    let clients = case.client_count();
    let figures = waits
        .iter()
        .take(4)
        .map(|(event, share)| figure(format!("sessions waiting for {event}"), FigureAmount::Share(*share)));
    Ok(Some(CaseFinding {
        title: format!("sessions contend for the lightweight lock {name}{}", meaning_of_lock(name)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_of_shares(|measured, part| match part {
            BudgetPart::Waiting(wait) if is_lock(&wait.class, &wait.event) => own_share(wait, share_of_fills(measured)),
            _ => 0.0,
        }),
        figures: figures.collect(),
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_sessions("sessions waiting for lightweight locks", &|seen| {
                seen.wait.as_ref().is_some_and(|w| is_lock(&w.class, &w.event))
            })],
        ),
        windows,
        would_disprove: "throughput that rises in proportion to the clients".to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[(clients / 4).max(1), (clients / 2).max(1), clients],
            "with fewer clients the waits for the lock disappear and throughput is about the same",
        ),
        mend: None,
    }))
}

/// The locks with the share of the sessions' time that is theirs, the largest first.
fn wait_shares_by_lock(case: &DiagnosisCase<'_>) -> Result<Vec<(String, f64)>, MissingObservation> {
    let fills = case.trials().iter().map(share_of_fills).sum::<f64>() / case.trials().len() as f64;
    let own = |(event, share): (String, f64)| {
        let wait = WaitEvent { class: "LWLock".to_owned(), event };
        let share = share * own_share(&wait, fills);
        (wait.event, share)
    };
    let waits = case.waits_of("LWLock")?.into_iter().filter(|(event, _)| event != OF_THE_FLUSH);
    let mut waits: Vec<(String, f64)> = waits.map(own).collect();
    waits.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    Ok(waits)
}

/// The share of the waits for a lock that is not for a WAL segment that is filled with zeros meanwhile.
fn own_share(wait: &WaitEvent, fills: f64) -> f64 {
    if waits_for_work(wait) { 1.0 - fills } else { 1.0 }
}

/// What the better known ones protect, for the end of a sentence.
fn meaning_of_lock(name: &str) -> &'static str {
    match name {
        "BufferMapping" => " (mapping of pages to shared buffers: the working set does not fit)",
        "BufferContent" => " (concurrent changes of one page)",
        "ProcArray" => " (snapshots: many short transactions on many connections)",
        "WALInsert" => " (concurrent WAL inserts)",
        "LockManager" | "lock_manager" => " (many relations per query: partitions or indexes beyond the fast path)",
        "XidGen" => " (assignment of transaction IDs)",
        "SubtransSLRU" | "SubtransBuffer" => " (subtransactions)",
        "MultiXactGen"
        | "MultiXactMemberSLRU"
        | "MultiXactOffsetSLRU"
        | "MultiXactMemberBuffer"
        | "MultiXactOffsetBuffer" => " (rows locked by several transactions)",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    #[test]
    fn the_lock_is_named_with_what_it_protects() {
        let found = Built::healthy().with(|cell| cell.sees("active", Some("LWLock:BufferMapping"), 20)).finds(&RULE);
        assert!(found.title.contains("BufferMapping (mapping of pages"), "{}", found.title);
    }

    #[test]
    fn the_wait_for_a_flush_and_a_little_contention_are_none() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("LWLock:WALWrite"), 40)).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("LWLock:ProcArray"), 3)).is_fine_for(&RULE);
    }

    #[test]
    fn waits_for_a_segment_that_is_filled_are_those_of_the_fill() {
        let full = |cell: Measurement| cell.sees("active", Some("LWLock:WALInsert"), 9);
        let flushed = |cell| full(cell).sees("active", Some("IO:WALSync"), 2);
        let found = Built::healthy().with(flushed).finds(&RULE);
        assert!(found.title.contains("WALInsert"), "{}", found.title);
        Built::healthy().with(|cell| flushed(cell).sees("active", Some("IO:WALInitSync"), 8)).is_fine_for(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
