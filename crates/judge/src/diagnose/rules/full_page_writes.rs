//! `full-page-writes`: most of the WAL is whole pages, logged anew because checkpoints come so often.

use results::probe_fields::{pg_checkpointer, pg_wal};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "full-page-writes",
        group: CodeGroup::Wal,
        detects: "Most of the WAL consists of full-page images, which the first change of a page after each checkpoint logs.",
        reported_if: "Several checkpoints start during the trials, and full-page images make up most of the WAL. The share is \
                an upper bound before PostgreSQL 19, which counts the bytes of images: each image counts as a whole page.",
        thresholds: &[
            RuleThreshold::at_least("checkpoints in all trials", CHECKPOINTS, ThresholdUnit::Count),
            RuleThreshold::at_least(
                "full-page images as a share of the bytes of the WAL",
                OF_WAL,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Every commit then waits for more WAL than its change needs. Less frequent checkpoints, or wal_compression, reduce it.",
        evidence: "Full-page images in the WAL, their share of its bytes, and the number of checkpoints.",
        fix: "Make checkpoints less frequent, or set wal_compression.",
        confirm: "Run the plan again with a larger max_wal_size and checkpoint_timeout.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "full-page images per transaction",
        unit: QuantityUnit::Count,
        of: |case| case.per_transaction(pg_wal::FULL_PAGE_IMAGES),
    },
    look: look_for_full_page_writes,
};

/// From this share of the WAL on.
const OF_WAL: f64 = 0.5;

/// The first change of every page after the checkpoint before a trial logs the page too, and is no fault: there must
/// have been so many checkpoints while it was measured.
const CHECKPOINTS: f64 = 2.0;

/// Of a page, at most: what is empty in its middle is left out.
const PAGE: f64 = 8192.0;

fn look_for_full_page_writes(case: &DiagnosisCase<'_>) -> Looked {
    let (images, bytes) = (case.total_increase(pg_wal::FULL_PAGE_IMAGES)?, case.total_increase(pg_wal::BYTES)?);
    let checkpoints = case.total_increase(pg_checkpointer::TIMED)? + case.total_increase(pg_checkpointer::REQUESTED)?;
    // The server counts the bytes of images from PostgreSQL 19 on.
    let image_bytes = case.total_increase(pg_wal::FULL_PAGE_IMAGE_BYTES).ok();
    let share = (image_bytes.unwrap_or(images * PAGE) / bytes.max(1.0)).min(1.0);
    if checkpoints < CHECKPOINTS || share < OF_WAL {
        return Ok(None);
    }
    let mut figures = vec![
        figure(
            match image_bytes {
                Some(_) => "share of full-page images in the WAL",
                None => "share of full-page images in the WAL, at most",
            },
            FigureAmount::Share(share),
        ),
        figure("WAL", FigureAmount::BytesPerS(case.counter_rate_per_s(pg_wal::BYTES)?)),
        figure("checkpoints", FigureAmount::Count(checkpoints)),
    ];
    if let Ok(per_transaction) = case.per_transaction(pg_wal::BYTES) {
        figures.push(figure("WAL per transaction", FigureAmount::Bytes(per_transaction)));
    }
    figures.extend(case.figure_of_own_share("WAL", |statement| statement.wal_bytes));
    let windows =
        case.windows_where(|second| second.rate_of_second(pg_wal::FULL_PAGE_IMAGES).is_some_and(|rate| rate > 0.0));
    Ok(Some(CaseFinding {
        title: match image_bytes {
            Some(_) => format!("full-page images after checkpoints are {:.0} % of the WAL", share * 100.0),
            None => format!("full-page images after checkpoints are up to {:.0} % of the WAL", share * 100.0),
        },
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        // What the same load costs with less WAL cannot be seen in it.
        cost: FindingCost::NotAttributable,
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pg_wal::FULL_PAGE_IMAGES, "full-page images in the WAL"),
                ChartedSeries::series_of_field(pg_wal::BYTES, "WAL"),
            ],
        ),
        windows,
        would_disprove: "as much WAL per transaction with checkpoints that are an hour apart".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("checkpoint_timeout", "1h"), ("max_wal_size", "64GB")],
            "with fewer checkpoints, WAL per transaction falls",
        ),
        mend: Mend::checkpoints_apart(case),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn logs_pages(cell: Measurement, requested: f64) -> Measurement {
        cell.probe("pg.wal", &[("full_page_images", 600.0), ("bytes", 6e6)])
            .probe("pg.checkpointer", &[("requested", requested)])
    }

    #[test]
    fn pages_that_are_logged_again_and_again_are_found() {
        let found = Built::healthy().with(|cell| logs_pages(cell, 0.2)).finds(&RULE);
        assert!(
            matches!(found.figures[0].amount, FigureAmount::Share(share) if (0.8..0.83).contains(&share)),
            "{found:?}"
        );
    }

    #[test]
    fn bytes_of_images_are_taken_where_the_server_counts_them() {
        let counts = |bytes: f64| {
            let built = Built::healthy().with(|cell| logs_pages(cell, 0.2));
            built.with(|cell| cell.probe("pg.wal", &[("full_page_image_bytes", bytes)]))
        };
        // 600 images of at most 8192 bytes each are 4.9 of 6 MB, and were 3.6 MB.
        let found = counts(3.6e6).finds(&RULE);
        assert_eq!(found.title, "full-page images after checkpoints are 60 % of the WAL");
        counts(2.4e6).is_fine_for(&RULE);
    }

    #[test]
    fn the_first_changes_after_the_checkpoint_before_a_trial_are_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| logs_pages(cell, 0.0)).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_figures_of_the_wal_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("pg.wal", "timed out"));
        assert_eq!(built.lacks(&RULE), "pg.wal full_page_images: timed out");
    }
}
