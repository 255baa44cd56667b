//! `checkpoint-stalls`: throughput is lower while a checkpoint is under way than otherwise.

use results::log::{CheckpointCause, LogEvent};
use results::probe_fields::{host_disk, pg_checkpointer};

use crate::codes::{Code, CodeGroup, IssueEffect};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::dip::{Dip, find_throughput_dip, lies_in};
use crate::diagnose::finding::{CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "checkpoint-stalls",
        group: CodeGroup::Wal,
        detects: "Throughput drops while a checkpoint, timed or forced by WAL volume, is in progress.",
        reported_if: "Throughput is lower in the seconds in which a checkpoint is in progress than in the other seconds of the \
                same trials. All bounds must hold. Without the server's log, a checkpoint is in progress while buffers \
                are written by it.",
        thresholds: Dip::THRESHOLDS,
        effects: IssueEffect::OF_FINDINGS,
        why: "A checkpoint writes changed pages and waits until they are on the disk, which the transactions use at the same time. \
              Checkpoints spread over more time, or a faster disk, reduce the effect.",
        evidence: "Seconds in which a checkpoint runs, and throughput in these seconds and outside them.",
        fix: "Spread checkpoints (max_wal_size, checkpoint_timeout, checkpoint_completion_target), or use a faster disk.",
        confirm: "Run the plan again with checkpoints further apart; the dips disappear.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "buffers written by checkpoints",
        unit: QuantityUnit::PerS,
        of: |case| case.counter_rate_per_s(pg_checkpointer::BUFFERS_WRITTEN),
    },
    look: look_for_checkpoint_stalls,
};

/// What goes on.
const MEANWHILE: &str = "a checkpoint is in progress";

fn look_for_checkpoint_stalls(case: &DiagnosisCase<'_>) -> Looked {
    let stretches = checkpoint_periods(case);
    if stretches.is_err() {
        // Buffers are counted while they are written.
        case.counter_rate_per_s(pg_checkpointer::BUFFERS_WRITTEN)?;
    }
    let logged = stretches.as_deref().ok();
    let dip = find_throughput_dip(case, Dip::DEEP, |second| Some(checkpoint_is_under_way(second, logged)));
    let Some(dip) = dip else { return Ok(None) };
    let mut figures = dip.throughput_figures(MEANWHILE);
    figures.extend(of_the_log(case));
    let windows = case.windows_where(|second| checkpoint_is_under_way(second, logged));
    Ok(Some(CaseFinding {
        title: dip.title_of_dip(MEANWHILE),
        kind: FindingKind::Problem,
        confidence: if stretches.is_ok() { Confidence::High } else { Confidence::Medium },
        cost: dip.throughput_cost(),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_checkpointer::BUFFERS_WRITTEN, "buffers written by checkpoints"),
                ChartedSeries::series_of_field(host_disk::WRITTEN_BYTES, "written to the disk"),
            ],
        ),
        windows,
        would_disprove: "dips of the same depth in a run that has no checkpoint".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("checkpoint_timeout", "1h"), ("max_wal_size", "64GB")],
            "throughput has no dips in a run without checkpoints",
        ),
        mend: Mend::checkpoints_apart(case),
    }))
}

/// When a checkpoint was under way: from the log those that ended, and one that had not ended yet.
fn checkpoint_periods(case: &DiagnosisCase<'_>) -> Result<Vec<(u32, f64, f64)>, MissingObservation> {
    let mut stretches = case.logged_periods(|event| match event {
        LogEvent::CheckpointComplete(done) => Some(done.total_us),
        _ => None,
    })?;
    for logged in case.logged_messages()? {
        if matches!(logged.event, LogEvent::CheckpointStarting { .. })
            && !stretches.iter().any(|(trial, _, to)| *trial == logged.trial && *to >= logged.at_s)
        {
            stretches.push((logged.trial, logged.at_s, f64::INFINITY));
        }
    }
    Ok(stretches)
}

/// By the stretches that were logged, or else by the buffers that it writes.
fn checkpoint_is_under_way(second: &Moment<'_>, logged: Option<&[(u32, f64, f64)]>) -> bool {
    logged.map_or_else(|| second.checkpointer_writes(), |stretches| lies_in(second, stretches))
}

fn of_the_log(case: &DiagnosisCase<'_>) -> Vec<EvidenceFigure> {
    let Ok(logged) = case.logged_messages() else { return Vec::new() };
    let (mut timed, mut forced, mut longest_us) = (0.0, 0.0, None);
    for message in logged {
        match message.event {
            LogEvent::CheckpointStarting { cause: CheckpointCause::Time, .. } => timed += 1.0,
            LogEvent::CheckpointStarting { cause: CheckpointCause::Wal, .. } => forced += 1.0,
            LogEvent::CheckpointComplete(done) => longest_us = longest_us.max(Some(done.sync_longest_us)),
            _ => {}
        }
    }
    let mut figures = vec![
        figure("timed checkpoints", FigureAmount::Count(timed)),
        figure("checkpoints forced by WAL volume", FigureAmount::Count(forced)),
    ];
    figures.extend(longest_us.map(|us| figure("longest fsync of one file", FigureAmount::Ms(us as f64 / 1e3))));
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// A checkpoint from second 3 to 7, in which throughput is what it is.
    fn checkpoint(mut cell: Measurement, transactions: u64) -> Measurement {
        let done = json!({ "kind": "checkpoint-complete", "buffers_written": 900, "wal_files_added": 0,
            "wal_files_removed": 0, "wal_files_recycled": 0, "write_us": 3_000_000, "sync_us": 900_000,
            "total_us": 4_000_000, "sync_files": 3, "sync_longest_us": 800_000, "distance_bytes": 9 });
        for second in 3..7 {
            cell = cell.second(second, json!({ "transactions": transactions + u64::from(second) }));
        }
        cell.logs(3.0, json!({ "kind": "checkpoint-starting", "cause": "time", "fast": false })).logs(7.0, done)
    }

    #[test]
    fn a_dip_that_coincides_with_a_checkpoint_is_found() {
        let found = Built::healthy().with(|cell| checkpoint(cell, 2000)).finds(&RULE);
        assert!(found.cost.attributed_share().is_some_and(|share| (0.1..0.25).contains(&share)), "{found:?}");
        assert_eq!(found.windows.len(), 3, "one a trial");
        assert_eq!((found.windows[0].from_s, found.windows[0].to_s), (3.0, 7.0));
    }

    #[test]
    fn a_checkpoint_that_nobody_feels_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| checkpoint(cell, 4000)).is_fine_for(&RULE);
    }

    #[test]
    fn with_neither_log_nor_counters_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.no_log("x").gap("pg.checkpointer", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.checkpointer buffers_written: timed out");
    }
}
