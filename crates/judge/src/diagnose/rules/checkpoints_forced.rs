//! `checkpoints-forced`: checkpoints follow each other closely because the WAL reaches max_wal_size,
//! not because it is time.

use plan::quantity::setting_bytes;
use results::log::{CheckpointCause, LogEvent};
use results::probe_fields::{pg_checkpointer, pg_wal};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::dip::find_throughput_dip;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "checkpoints-forced",
        group: CodeGroup::Wal,
        detects: "Checkpoints follow each other closely because the WAL reaches max_wal_size.",
        reported_if: "Checkpoints are forced by WAL volume and follow each other closely. Without the server's log, all \
                requested checkpoints count, if the WAL between them is so much that max_wal_size can have forced them.",
        thresholds: &[
            RuleThreshold::at_least("forced checkpoints in all trials", AT_LEAST, ThresholdUnit::Count),
            RuleThreshold::at_most("time between forced checkpoints", APART_S, ThresholdUnit::Seconds),
            RuleThreshold::at_least(
                "WAL between two checkpoints, as a share of max_wal_size, without the log",
                FORCES,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each checkpoint writes every changed page, and the next change of each page logs a full-page image. With a larger \
              max_wal_size, checkpoints come by time, and pages are written once instead of repeatedly.",
        evidence: "Checkpoints forced by WAL volume, the time between them, and the checkpoint settings.",
        fix: "Raise max_wal_size until checkpoint_timeout starts the checkpoints.",
        confirm: "Run the plan again with a larger max_wal_size.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "checkpoints forced by WAL volume",
        unit: QuantityUnit::PerS,
        of: |case| Ok(count_forced_checkpoints(case)?.0 / case.measured_s()),
    },
    look: look_for_checkpoints_forced,
};

/// Closer than this is what the server itself warns of: the default of checkpoint_warning.
const APART_S: f64 = 30.0;

/// One may be left over from what was before.
const AT_LEAST: f64 = 2.0;

/// The default of checkpoint_timeout: room for so much WAL lets checkpoints come by time.
const CHECKPOINT_TIMEOUT_S: f64 = 300.0;

/// The server begins a checkpoint when the WAL is max_wal_size / (1 + checkpoint_completion_target), half of it or
/// more. What is less by half was asked for: by a base backup, a command, or a database that was created.
const FORCES: f64 = 0.25;

/// The least share that a dip must be deep to be a cost.
const DEEP: f64 = 0.05;

fn look_for_checkpoints_forced(case: &DiagnosisCase<'_>) -> Looked {
    let (forced, confidence) = count_forced_checkpoints(case)?;
    let apart_s = case.measured_s() / forced;
    if forced < AT_LEAST || apart_s > APART_S {
        return Ok(None);
    }
    let mut figures = vec![
        figure("checkpoints forced by WAL volume", FigureAmount::Count(forced)),
        figure("time between checkpoints", FigureAmount::S(apart_s)),
    ];
    if let Ok(setting) = case.server_setting("max_wal_size") {
        figures.push(figure("max_wal_size", FigureAmount::Text(setting.value.clone())));
    }
    if let Ok(rate) = case.counter_rate_per_s(pg_wal::BYTES) {
        figures.push(figure("WAL", FigureAmount::BytesPerS(rate)));
    }
    if let Ok(rate) = case.counter_rate_per_s(pg_checkpointer::BUFFERS_WRITTEN) {
        figures.push(figure("buffers written by checkpoints", FigureAmount::PerS(rate)));
    }
    let windows = match case.windows_where(Moment::checkpointer_writes) {
        windows if windows.is_empty() => case.all_the_time(),
        windows => windows,
    };
    let cost = find_throughput_dip(case, DEEP, |second| Some(second.checkpointer_writes()))
        .map_or(FindingCost::NotAttributable, |dip| dip.throughput_cost());
    let size = case.server_setting("max_wal_size").map_or(String::new(), |setting| format!(" ({})", setting.value));
    Ok(Some(CaseFinding {
        title: format!("max_wal_size{size} forces a checkpoint every {apart_s:.0} s"),
        kind: FindingKind::Problem,
        confidence,
        cost,
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_checkpointer::BUFFERS_WRITTEN, "buffers written by checkpoints"),
                ChartedSeries::series_of_field(pg_wal::BYTES, "WAL"),
            ],
        ),
        windows,
        would_disprove: "as many checkpoints with a max_wal_size that is several times as large".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("max_wal_size", "16GB"), ("checkpoint_timeout", "15min")],
            "with a larger max_wal_size no checkpoint is forced, and WAL per transaction falls",
        ),
        mend: Mend::wal_for(case, CHECKPOINT_TIMEOUT_S)
            .and_then(|bytes| Mend::with_raised_sizes(case, &[("max_wal_size", bytes)])),
    }))
}

/// How many checkpoints the volume of WAL forced: as the log says, else those that were not by time, which somebody may
/// have asked for.
fn count_forced_checkpoints(
    case: &DiagnosisCase<'_>,
) -> Result<(f64, Confidence), crate::diagnose::rule::MissingObservation> {
    match case.logged_messages() {
        Ok(logged) => Ok((
            logged
                .iter()
                .filter(|logged| {
                    matches!(logged.event, LogEvent::CheckpointStarting { cause: CheckpointCause::Wal, .. })
                })
                .count() as f64,
            Confidence::High,
        )),
        Err(_) => {
            let requested = case.total_increase(pg_checkpointer::REQUESTED)?;
            let forced = if is_too_little_wal(case, requested) { 0.0 } else { requested };
            Ok((forced, Confidence::Medium))
        }
    }
}

/// Whether so many checkpoints are more than the volume of WAL can have forced; `false` where either is not known.
fn is_too_little_wal(case: &DiagnosisCase<'_>, requested: f64) -> bool {
    let (Ok(wal), Ok(setting)) = (case.total_increase(pg_wal::BYTES), case.server_setting("max_wal_size")) else {
        return false;
    };
    setting_bytes(&setting.value).is_some_and(|size| requested > 0.0 && wal / requested < FORCES * size as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn starting(cell: Measurement, cause: &str) -> Measurement {
        let event = || json!({ "kind": "checkpoint-starting", "cause": cause, "fast": false });
        cell.logs(2.0, event()).logs(5.0, event()).logs(8.0, event())
    }

    #[test]
    fn checkpoints_that_wal_forces_every_few_seconds_are_found() {
        let built = Built::healthy().setting("max_wal_size", "32MB").with(|cell| starting(cell, "wal"));
        let found = built.finds(&RULE);
        assert_eq!((found.figures[0].amount.clone(), found.confidence), (FigureAmount::Count(9.0), Confidence::High));
        assert_eq!(found.title, "max_wal_size (32MB) forces a checkpoint every 4 s");
    }

    #[test]
    fn without_the_log_the_counters_tell() {
        let built = Built::healthy().with(|cell| cell.no_log("x").probe("pg.checkpointer", &[("requested", 0.25)]));
        assert_eq!(built.finds(&RULE).confidence, Confidence::Medium);
    }

    fn checkpoints_with_wal(bytes_per_s: f64) -> Built {
        Built::healthy().setting("max_wal_size", "1GB").with(move |cell| {
            let cell = cell.no_log("x").probe("pg.checkpointer", &[("requested", 0.25)]);
            cell.probe("pg.wal", &[("bytes", bytes_per_s)])
        })
    }

    #[test]
    fn without_the_log_so_little_wal_has_forced_none() {
        // Four seconds apart: 40 MB and 400 MB between two.
        checkpoints_with_wal(10e6).is_fine_for(&RULE);
        checkpoints_with_wal(100e6).finds(&RULE);
    }

    #[test]
    fn checkpoints_by_time_or_by_request_are_not_forced() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| starting(cell, "time")).is_fine_for(&RULE);
        Built::healthy().with(|cell| starting(cell, "requested")).is_fine_for(&RULE);
    }

    #[test]
    fn with_neither_log_nor_counters_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.no_log("x").gap("pg.checkpointer", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.checkpointer requested: timed out");
    }
}
