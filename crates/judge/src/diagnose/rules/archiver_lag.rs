//! `archiver-lag`: WAL files are archived more slowly than they are written, or not at all.

use results::log::LogEvent;
use results::probe_fields::{pg_archiver, pg_wal};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::wal::{RECYCLED, cost_of_fills, segments_of_checkpoints};
use crate::units;
use plan::quantity;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "archiver-lag",
        group: CodeGroup::Wal,
        detects: "WAL files are archived more slowly than they are written, or archiving fails.",
        reported_if: "archive_mode is not off, and archiving falls behind by both the number and the share of the files. A \
                single failed archiving attempt suffices as well.",
        thresholds: &[
            RuleThreshold::at_least("WAL files written and not archived, per trial", FILES, ThresholdUnit::Count),
            RuleThreshold::at_least("these files as a share of those written", OF_WRITTEN, ThresholdUnit::Share),
            RuleThreshold::at_least("failed archiving attempts, alternatively", FAILED, ThresholdUnit::Count),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Unarchived files must be kept: the WAL disk fills up in the end, and new files are created instead of old ones being \
              recycled. Archive several files at a time, or compress less.",
        evidence: "WAL files written and archived per second (`pg_stat_archiver`), and archiving failures.",
        fix: "Archive several files at a time, compress less, or correct the failing archive_command.",
        confirm: "Run the plan again with archive_mode = off, or with a faster archive_command.",
        formerly: &["archiver-behind"],
    },
    measure: Measure::Figure { name: "WAL files not archived", unit: QuantityUnit::PerS, of: unarchived_files_per_s },
    look: look_for_archiver_lag,
};

/// Files of the WAL that were written and not archived, per second.
fn unarchived_files_per_s(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let written = case.total_increase(pg_wal::BYTES)? / file_bytes(case);
    Ok((written - case.total_increase(pg_archiver::ARCHIVED)?).max(0.0) / case.measured_s())
}

/// So many whole files must be missing: one is always under way, and one may have ended with the trial.
const FILES: f64 = 2.0;

/// And this share of those that were written.
const OF_WRITTEN: f64 = 0.3;

/// One failed attempt is a fault of the archive_command: the server tries the same file again until it succeeds.
const FAILED: f64 = 1.0;

/// The size of a WAL file unless the server says otherwise.
const FILE_BYTES: f64 = 16.0 * 1024.0 * 1024.0;

fn look_for_archiver_lag(case: &DiagnosisCase<'_>) -> Looked {
    let (archived, failed) = (case.total_increase(pg_archiver::ARCHIVED)?, case.total_increase(pg_archiver::FAILED)?);
    if case.server_setting("archive_mode").is_ok_and(|setting| setting.value == "off") {
        return Ok(None);
    }
    let is_on = case.server_setting("archive_mode").is_ok() || archived + failed > 0.0;
    if !is_on {
        return Ok(None);
    }
    let written = case.total_increase(pg_wal::BYTES)? / file_bytes(case);
    // Every trial has an end of a file on either side.
    let trials = case.trials().len() as f64;
    let missing = written - archived;
    let behind = missing >= FILES * trials && missing >= OF_WRITTEN * written;
    if !behind && failed < FAILED {
        return Ok(None);
    }
    let mut figures = vec![
        figure("WAL files written", FigureAmount::Count(written)),
        figure("WAL files archived", FigureAmount::Count(archived)),
        figure("failed archiving attempts", FigureAmount::Count(failed)),
    ];
    if let Ok(pending) = case.highest_reading(pg_archiver::PENDING) {
        figures.push(figure("WAL files waiting to be archived, at most", FigureAmount::Count(pending)));
    }
    let logged = case
        .logged_messages()
        .map_or(0, |logged| logged.iter().filter(|logged| matches!(logged.event, LogEvent::ArchiveFailed)).count());
    if logged > 0 {
        figures.push(figure("failures of archive_command in the log", FigureAmount::Count(logged as f64)));
    }
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: if failed >= FAILED && archived < 1.0 {
            format!("WAL archiving fails: {} failed attempts", units::format_count(failed))
        } else {
            format!("the archiver falls behind: {archived:.0} of {written:.0} WAL files are archived")
        },
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: cost_of_unarchived_files(case, missing, written),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_wal::BYTES, "WAL"),
                ChartedSeries::series_of_field(pg_archiver::ARCHIVED, "WAL files archived"),
            ],
        ),
        windows,
        would_disprove: "a number of waiting files that does not grow in a longer run".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("archive_command", "/bin/true")],
            "with an archive_command that does nothing, no file waits (use a server whose archive is not needed)",
        ),
        mend: None,
    }))
}

/// What is not archived is not used again at a checkpoint, and as many files are made anew. Before the first one all
/// are, whoever archives, and it costs space until there is none.
fn cost_of_unarchived_files(case: &DiagnosisCase<'_>, missing: f64, written: f64) -> FindingCost {
    match segments_of_checkpoints(case, RECYCLED) {
        Some(_) if missing > 0.0 => cost_of_fills(case, missing / written),
        _ => FindingCost::NotAttributable,
    }
}

/// The size of this server's WAL files.
fn file_bytes(case: &DiagnosisCase<'_>) -> f64 {
    let setting = case.server_setting("wal_segment_size").ok();
    setting.and_then(|setting| quantity::setting_bytes(&setting.value)).map_or(FILE_BYTES, |bytes| bytes as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Half a file a second, which is six in a trial.
    fn writes(cell: Measurement, archived_per_s: f64) -> Measurement {
        cell.probe("pg.wal", &[("bytes", FILE_BYTES / 2.0)]).probe("pg.archiver", &[("archived", archived_per_s)])
    }

    #[test]
    fn files_that_wait_are_found() {
        let slow = Built::healthy().setting("archive_mode", "on").with(|cell| writes(cell, 0.1));
        assert_eq!(slow.finds(&RULE).figures[0].amount, FigureAmount::Count(18.0));
        let never = Built::healthy().setting("archive_mode", "on").with(|cell| writes(cell, 0.0));
        never.finds(&RULE);
    }

    #[test]
    fn files_that_are_made_since_others_wait_are_what_it_costs() {
        let fills = |cell: Measurement| writes(cell, 0.1).sees("active", Some("IO:WALInitSync"), 4);
        let young = Built::healthy().setting("archive_mode", "on").with(fills);
        assert_eq!(young.finds(&RULE).cost, FindingCost::NotAttributable);
        let done = json!({ "kind": "checkpoint-complete", "buffers_written": 9, "wal_files_added": 0,
            "wal_files_removed": 0, "wal_files_recycled": 1, "write_us": 9, "sync_us": 9, "total_us": 9, "sync_files": 1,
            "sync_longest_us": 9, "distance_bytes": 9 });
        let later = Built::healthy().setting("archive_mode", "on").with(|cell| fills(cell).logs(2.0, done.clone()));
        assert!(later.finds(&RULE).cost.attributed_share().is_some_and(|share| share > 0.02));
    }

    #[test]
    fn an_archive_command_that_fails_is_found_whatever_is_written() {
        let built = Built::healthy().with(|cell| cell.probe("pg.archiver", &[("failed", 0.5)]));
        assert!(built.finds(&RULE).title.starts_with("WAL archiving fails"));
    }

    #[test]
    fn an_archiver_that_keeps_up_or_is_not_asked_is_healthy() {
        Built::healthy().with(|cell| writes(cell, 0.0)).is_fine_for(&RULE);
        Built::healthy().setting("archive_mode", "on").with(|cell| writes(cell, 0.5)).is_fine_for(&RULE);
        let large = |cell: Measurement| cell.probe("pg.wal", &[("bytes", FILE_BYTES)]);
        let built = Built::healthy().setting("archive_mode", "on").setting("wal_segment_size", "1GB");
        built.with(large).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_archivers_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("pg.archiver", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.archiver archived: timed out");
    }
}
