//! `lightweight-locks`: sessions contend for one of the server's own data structures, which is named.

use catalog::WaitResource;
use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::pg_locks;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::resource_of_wait;
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
        evidence: "Sessions that wait for the lock (`pg_stat_activity`, wait event type LWLock; from PostgreSQL 19 on also the \
                   type Buffer, which has the locks of the pages in shared buffers, before `BufferContent`).",
        fix: "Use fewer concurrent sessions, or reduce the use of the structure that the lock protects. From PostgreSQL 18 on a \
              session has as many fast-path slots for locks of tables as max_locks_per_transaction says.",
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

fn waits_for_lightweight_lock(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(is_lock)
}

fn look_for_lightweight_locks(case: &DiagnosisCase<'_>) -> Looked {
    let waits = wait_shares_by_lock(case)?;
    let all: f64 = waits.iter().map(|(_, share)| share).sum();
    let Some((first, _)) = waits.first().filter(|_| all >= WAITING) else { return Ok(None) };
    let lock = lock_in_words(first);
    let windows = case.windows_where(|second| {
        second.share_of_sessions(waits_for_lightweight_lock).is_some_and(|share| share >= WAITING)
    });
    let clients = case.client_count();
    let mut figures = Vec::new();
    for (wait, share) in waits.iter().take(4) {
        figures.push(figure(format!("sessions waiting for {}", wait.event), FigureAmount::Share(*share)));
    }
    if is_of_lock_manager(&first.event)
        && let Ok(exceeding) = case.per_transaction(pg_locks::FAST_PATH_EXCEEDED)
    {
        figures.push(figure("locks per transaction beyond the fast path", FigureAmount::Count(exceeding)));
        figures.extend(
            case.server_setting("max_locks_per_transaction")
                .ok()
                .map(|setting| figure("max_locks_per_transaction", FigureAmount::Text(setting.value.clone()))),
        );
    }
    Ok(Some(CaseFinding {
        title: format!("sessions contend for {lock}"),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_of_shares(|measured, part| match part {
            BudgetPart::Waiting(wait) if is_lock(wait) => own_share(wait, share_of_fills(measured)),
            _ => 0.0,
        }),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_sessions("sessions waiting for lightweight locks", &waits_for_lightweight_lock)],
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

/// Whether a session waits for a lightweight lock, but for that of the flush. From PostgreSQL 19 on those of the pages
/// in shared buffers are a class of their own.
fn is_lock(wait: &WaitEvent) -> bool {
    wait.event != OF_THE_FLUSH && resource_of_wait(wait).is_some_and(WaitResource::is_lightweight_lock)
}

/// The waits with the share of the sessions' time that is theirs, the largest first. The modes in which the lock of a
/// page is wanted stand together, where all of them belong.
fn wait_shares_by_lock(case: &DiagnosisCase<'_>) -> Result<Vec<(WaitEvent, f64)>, MissingObservation> {
    let fills = case.trials().iter().map(share_of_fills).sum::<f64>() / case.trials().len() as f64;
    let mut waits = Vec::new();
    let mut of_pages = 0.0;
    for (wait, share) in case.waits_where(is_lock)? {
        let share = share * own_share(&wait, fills);
        if is_of_page(&wait) {
            of_pages += share;
        }
        waits.push((wait, share));
    }
    waits.sort_by(|(one, one_share), (other, other_share)| {
        let [one_lock, other_lock] = [(one, *one_share), (other, *other_share)]
            .map(|(wait, share)| if is_of_page(wait) { of_pages } else { share });
        other_lock.total_cmp(&one_lock).then(other_share.total_cmp(one_share))
    });
    Ok(waits)
}

fn is_of_page(wait: &WaitEvent) -> bool {
    resource_of_wait(wait) == Some(WaitResource::PageContent)
}

/// The share of the waits for a lock that is not for a WAL segment that is filled with zeros meanwhile.
fn own_share(wait: &WaitEvent, fills: f64) -> f64 {
    if waits_for_work(wait) { 1.0 - fills } else { 1.0 }
}

/// `the lightweight lock ProcArray (snapshots: ...)`.
fn lock_in_words(wait: &WaitEvent) -> String {
    let meaning = if is_of_page(wait) { " (concurrent changes of one page)" } else { meaning_of_lock(&wait.event) };
    let kind = if wait.class == "LWLock" { "lightweight lock" } else { "buffer lock" };
    format!("the {kind} {}{meaning}", wait.event)
}

/// Whether a lock is one of the table of all locks, which a session needs for a lock that has no fast-path slot.
fn is_of_lock_manager(event: &str) -> bool {
    matches!(event, "LockManager" | "lock_manager")
}

/// What the better known ones protect, for the end of a sentence.
fn meaning_of_lock(name: &str) -> &'static str {
    match name {
        "BufferMapping" => " (mapping of pages to shared buffers: the working set does not fit)",
        "ProcArray" => " (snapshots: many short transactions on many connections)",
        "WALInsert" => " (concurrent WAL inserts)",
        _ if is_of_lock_manager(name) => " (many relations per query: partitions or indexes beyond the fast path)",
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
    fn lock_of_a_page_is_found_by_the_names_of_all_versions() {
        let found = Built::healthy().with(|cell| cell.sees("active", Some("LWLock:BufferContent"), 20)).finds(&RULE);
        assert_eq!(
            found.title,
            "sessions contend for the lightweight lock BufferContent (concurrent changes of one page)"
        );
        // Of the 48 sessions a second 10, 9 and 12 of them wait: the modes together are more than the other lock.
        let by_mode =
            |cell: Measurement| {
                cell.sees("active", Some("Buffer:BufferShared"), 9)
                    .sees("active", Some("Buffer:BufferExclusive"), 10)
                    .sees("active", Some("LWLock:ProcArray"), 12)
            };
        let found = Built::healthy().with(by_mode).finds(&RULE);
        assert_eq!(
            found.title,
            "sessions contend for the buffer lock BufferExclusive (concurrent changes of one page)"
        );
        let names: Vec<&str> = found.figures.iter().map(|figure| figure.name.as_str()).collect();
        let expected =
            ["BufferExclusive", "BufferShared", "ProcArray"].map(|name| format!("sessions waiting for {name}"));
        assert_eq!(names, expected);
        // Who waits until nobody uses a page waits for no lock.
        Built::healthy().with(|cell| cell.sees("active", Some("Buffer:BufferCleanup"), 20)).is_fine_for(&RULE);
    }

    #[test]
    fn locks_beyond_the_fast_path_are_told_where_the_server_counts_them() {
        let waiting = |cell: Measurement| cell.sees("active", Some("LWLock:LockManager"), 20);
        let names = |built: Built| -> Vec<String> {
            built.finds(&RULE).figures.into_iter().map(|figure| figure.name).collect()
        };
        assert_eq!(names(Built::healthy().with(waiting)), ["sessions waiting for LockManager"]);
        let counted = Built::healthy()
            .with(|cell| waiting(cell).probe("pg.locks", &[("fast_path_exceeded", 50_000.0)]))
            .setting("max_locks_per_transaction", "64");
        let expected = [
            "sessions waiting for LockManager",
            "locks per transaction beyond the fast path",
            "max_locks_per_transaction",
        ];
        assert_eq!(names(counted), expected);
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
