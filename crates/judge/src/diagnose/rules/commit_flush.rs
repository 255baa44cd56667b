//! `commit-flush`: most of a transaction's time is the wait until its WAL is on the disk, or most of what it takes
//! longer than on another side.

use catalog::WaitResource;
use plan::Risk;
use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::pg_wal;

use super::unexplained_difference::difference_in_words;
use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::catalog::figures_of_facts;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::resource_of_wait;
use crate::off_cpu::KernelPlace;
use crate::unlike_tables::{BearsOn, UnlikeTableFact};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "commit-flush",
        group: CodeGroup::Wal,
        detects: "Waiting for the WAL flush at commit takes most of the time of a transaction, or most of its additional time compared \
                with another side.",
        reported_if: "Sessions wait for the WAL flush for most of their time, and for long enough per transaction. \
                Alternatively, latency is higher than on another side, and these waits account for most of the \
                difference beyond chance.",
        thresholds: &[
            RuleThreshold::at_least(
                "waits for the WAL flush as a share of the sessions' time",
                WAITING,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("wait per transaction", FAST_MS, ThresholdUnit::Milliseconds),
            RuleThreshold::at_least(
                "alternatively, additional waits for the flush as a share of the additional latency",
                MOST,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A commit waits until its WAL is flushed to the disk. More clients share a flush, and a disk with a protected write cache \
              shortens it. synchronous_commit = off removes the wait, but a crash may lose the last transactions.",
        evidence: "Sessions that wait for the WAL flush, and the time of a flush.",
        fix: "Use a disk with a protected write cache. If a crash may lose the last transactions, set synchronous_commit = off.",
        confirm: "Run the plan again with synchronous_commit = off; the wait disappears.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_commit_flush,
};

/// From this share of the sessions' time on it is what the figures are made of. Two or four clients with small
/// transactions on a disk that flushes in half a millisecond, which is healthy, spend 0.53 to 0.64 on it; where a flush
/// takes milliseconds, it is nine tenths and more.
const WAITING: f64 = 0.75;

/// A transaction that waits for less than this has a disk with a protected cache, and there is none that flushes much
/// faster, however little else there is to do.
const FAST_MS: f64 = 0.5;

/// From this share of what a transaction takes longer than on another side on, it is what the two sides differ by.
const MOST: f64 = 0.5;

/// With this a commit does not wait for its WAL.
const WITHOUT_FLUSH: (&str, &str) = ("synchronous_commit", "off");

/// At the price of this there is no flush to wait for.
const LOST: &str =
    "a server crash loses transactions that were acknowledged shortly before it, up to three times wal_writer_delay";

fn waits_for_wal_flush(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(is_wal_flush_wait)
}

fn look_for_commit_flush(case: &DiagnosisCase<'_>) -> Looked {
    let waiting = case.share_of_sessions(waits_for_wal_flush)?;
    let is_slow = waiting >= WAITING && waiting * case.latency_ms()? >= FAST_MS;
    if !is_slow && !case.other_sides().iter().any(|other| is_most_of_the_difference(case, other)) {
        return Ok(None);
    }
    let mut figures = vec![figure("sessions waiting for a WAL flush", FigureAmount::Share(waiting))];
    if let Ok(syncs) = case.counter_rate_per_s(pg_wal::SYNCS)
        && syncs > 0.0
    {
        figures.push(figure("WAL flushes", FigureAmount::PerS(syncs)));
        figures.push(figure("transactions per WAL flush", FigureAmount::Count(case.throughput_per_s()? / syncs)));
        if let Ok(time_us) = case.counter_rate_per_s(pg_wal::SYNC_TIME_US) {
            figures.push(figure("mean time of a WAL flush", FigureAmount::Ms(time_us / syncs / 1e3)));
        }
    }
    let persistence = figures_of_facts(&differing_persistence(case));
    // Where the other side's tables have no WAL to flush, no setting is the difference.
    let is_setting = persistence.is_empty();
    let title = format!("commits wait for the WAL flush{}", difference_in_words(&persistence));
    figures.extend(persistence);
    figures.extend(case.figures_of_sleeps_beside_least(KernelPlace::is_of_wal));
    let windows = case.windows_where(|second| {
        second.share_of_sessions(waits_for_wal_flush).is_some_and(|share| share >= waiting.min(WAITING))
    });
    let clients = case.client_count();
    Ok(Some(CaseFinding {
        title,
        // Every commit that is to survive a crash waits for it.
        kind: FindingKind::Limit,
        confidence: Confidence::High,
        cost: case.cost_in(is_flush),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_sessions("sessions waiting for a WAL flush", &waits_for_wal_flush),
                ChartedSeries::series_of_field(pg_wal::SYNCS, "WAL flushes"),
            ],
        ),
        windows,
        would_disprove: "the same throughput with synchronous_commit = off".to_owned(),
        confirm: if is_setting {
            Confirm::with_settings(
                case,
                &[WITHOUT_FLUSH],
                &format!(
                    "throughput rises without the wait for the flush, and with more clients than {clients}, which share \
                     flushes"
                ),
            )
        } else {
            Confirm::repeat_unchanged(case, "with tables of one persistence on both sides, both wait for as long")
        },
        mend: Mend::with_new_settings(case, &[WITHOUT_FLUSH])
            .filter(|_| is_setting)
            .map(|mend| mend.at_the_price_of(Risk::SynchronousCommit, LOST)),
    }))
}

/// The tables whose rows are written and which are logged on one side only: of an unlogged table a commit has no WAL to
/// flush.
fn differing_persistence(case: &DiagnosisCase<'_>) -> Vec<UnlikeTableFact> {
    let mut facts = Vec::new();
    for other in case.other_sides() {
        for table in case.table_uses().unwrap_or_default().iter().filter(|table| table.sums.rows_changed > 0) {
            facts.extend(case.unlike_facts_of_table(&other, &table.sums.name, &[BearsOn::Wal]));
        }
    }
    facts.retain(|fact| fact.fact == "persistence");
    facts
}

fn is_most_of_the_difference(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> bool {
    let (Ok(here_ms), Ok(there_ms)) = (case.latency_ms(), other.latency_ms()) else { return false };
    let longer_ms = here_ms - there_ms;
    let flushing_longer = case.time_more_than(other, is_flush);
    longer_ms > 0.0 && flushing_longer.is_some_and(|(is_sure, more_ms)| is_sure && more_ms >= MOST * longer_ms)
}

fn is_flush(part: &BudgetPart) -> bool {
    matches!(part, BudgetPart::Waiting(wait) if is_wal_flush_wait(wait))
}

/// The flush itself, the write before it, and the lock under which one session does both for others.
fn is_wal_flush_wait(wait: &WaitEvent) -> bool {
    let is_lock_of_flush = wait.class == "LWLock" && wait.event == "WALWrite";
    is_lock_of_flush || resource_of_wait(wait) == Some(WaitResource::WalFlush)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn flushing(cell: Measurement) -> Measurement {
        cell.sees("active", Some("IO:WALSync"), 20)
            .sees("active", Some("LWLock:WALWrite"), 140)
            .probe("pg.wal", &[("syncs", 2000.0), ("sync_time_us", 900_000.0)])
    }

    #[test]
    fn commits_that_wait_for_the_disk_are_found_as_a_limit() {
        let found = Built::healthy().with(flushing).finds(&RULE);
        assert_eq!(found.kind, FindingKind::Limit);
        assert!(found.figures.iter().any(|figure| figure.amount == FigureAmount::Ms(0.45)), "{found:?}");
    }

    #[test]
    fn some_waiting_for_it_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("IO:WALSync"), 60)).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("LWLock:WALInsert"), 90)).is_fine_for(&RULE);
    }

    #[test]
    fn a_disk_that_flushes_in_no_time_is_no_limit_however_little_else_there_is_to_do() {
        let with_flushes_of = |per_s: f64| Built::healthy().with(|cell| flushing(cell).throughput(per_s));
        with_flushes_of(6000.0).finds(&RULE);
        with_flushes_of(60_000.0).is_fine_for(&RULE);
    }

    #[test]
    fn less_of_it_is_found_where_it_is_what_a_side_takes_longer_than_another() {
        let flushes_longer = |cell: Measurement| cell.throughput(1500.0).sees("active", Some("IO:WALSync"), 60);
        Built::pair().with(flushes_longer).finds(&RULE);
        // Whatever else a transaction waits for on both sides.
        let and_computes = |cell: Measurement| flushes_longer(cell.sees("active", None, 30));
        Built::pair().with(and_computes).finds(&RULE);
        // However little longer it takes, if that is sure.
        let flushes = |cell: Measurement| cell.throughput(1700.0).sees("active", Some("IO:WALSync"), 60);
        Built::pair().with(flushes_longer).with_first(flushes).finds(&RULE);
        // The other side does so, too: it takes longer for something else.
        Built::pair().with(flushes_longer).with_first(flushes_longer).is_fine_for(&RULE);
        let slower = |cell: Measurement| cell.throughput(3500.0).sees("active", Some("IO:WALSync"), 60);
        Built::pair().with(slower).finds(&RULE);
    }

    #[test]
    fn a_table_that_is_unlogged_on_the_other_side_is_the_reason_and_no_setting_is() {
        let of_persistence =
            |facts: Value| json!({ "parts": { "tables": [{ "name": "public.history", "facts": facts }] } });
        let writes = |cell: Measurement, facts: Value| {
            let written = json!({ "name": "public.history", "live_rows": 5, "sequential_scans": 0, "sequential_rows": 0,
                                  "index_rows": 0, "rows_changed": 48_000 });
            cell.tables(vec![written]).catalog(&of_persistence(facts))
        };
        let found = Built::pair()
            .with(|cell| writes(flushing(cell).throughput(1500.0), json!({})))
            .with_first(|cell| writes(cell, json!({ "persistence": "unlogged" })))
            .finds(&RULE);
        assert!(found.title.contains("; the sides differ in persistence of public.history"), "{}", found.title);
        assert!(found.mend.is_none(), "{:?}", found.mend);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
