//! `wal-zero-fill`: sessions wait while new WAL segments are filled with zeros, instead of using old ones again.

use results::activity::SampledSessions;
use results::probe_fields::pg_wal;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::wal::{ADDED, RECYCLED, REMOVED, cost_of_fills, is_segment_fill_wait, segments_of_checkpoints};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "wal-zero-fill",
        group: CodeGroup::Wal,
        detects: "Sessions wait while new WAL segments are created and filled with zeros.",
        reported_if: "Sessions fill new WAL segments with zeros. The lower bound applies if wal_recycle is off, or if \
                checkpoints remove segments and recycle none.",
        thresholds: &[
            RuleThreshold::at_least(
                "filling of new segments as a share of the sessions' time",
                WAITING,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("the same if segments are not recycled", WAITING_UNRECYCLED, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The session that needs the next segment writes and flushes all of it first, and other commits wait for that session. \
              Recycled segments (wal_recycle, a larger min_wal_size) avoid this.",
        evidence: "Sessions that wait for new WAL segments, and segments added and recycled at checkpoints.",
        fix: "Set wal_recycle = on and raise min_wal_size.",
        confirm: "Run the plan again with a larger min_wal_size, after a first run that has created the WAL segments.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_wal_zero_fill,
};

/// From this share of the sessions' time on in any case. A server that has not used up its min_wal_size yet makes every
/// segment anew, and one or two in a hundred are spent on it.
const WAITING: f64 = 0.05;

/// From this share on where segments are not used again although they could be.
const WAITING_UNRECYCLED: f64 = 0.002;

/// For so long the segments of a server that is quiet for a while are kept to be used again.
const KEPT_S: f64 = 60.0;

fn fills_segment(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(is_segment_fill_wait)
}

fn look_for_wal_zero_fill(case: &DiagnosisCase<'_>) -> Looked {
    let waiting =
        case.share_of_sessions(|seen: &SampledSessions| seen.wait.as_ref().is_some_and(is_segment_fill_wait))?;
    let unrecycled = is_off(case) || removes_all(case);
    let enough = if unrecycled { WAITING_UNRECYCLED } else { WAITING };
    if waiting < enough {
        return Ok(None);
    }
    let mut figures = vec![figure("sessions filling a new WAL segment", FigureAmount::Share(waiting))];
    let by_checkpoints = [
        ("WAL segments added by checkpoints", ADDED),
        ("WAL segments removed by checkpoints", REMOVED),
        ("WAL segments recycled by checkpoints", RECYCLED),
    ];
    for (name, of) in by_checkpoints {
        figures.extend(segments_of_checkpoints(case, of).map(|count| figure(name, FigureAmount::Count(count))));
    }
    if let Ok(rate) = case.counter_rate_per_s(pg_wal::INIT_BYTES) {
        figures.push(figure("zeros written", FigureAmount::BytesPerS(rate)));
    }
    if let Ok(setting) = case.server_setting("wal_recycle") {
        figures.push(figure("wal_recycle", FigureAmount::Text(setting.value.clone())));
    }
    let windows = case.windows_where(|second| second.share_of_sessions(fills_segment).is_some_and(|share| share > 0.0));
    Ok(Some(CaseFinding {
        title: if unrecycled {
            "WAL segments are created and filled with zeros instead of being recycled".to_owned()
        } else {
            "sessions wait while new WAL segments are filled with zeros".to_owned()
        },
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: cost_of_fills(case, 1.0),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_sessions("sessions filling a new WAL segment", &fills_segment),
                ChartedSeries::series_of_field(pg_wal::BYTES, "WAL"),
            ],
        ),
        windows,
        would_disprove: "the same waits once all segments are recycled".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("wal_recycle", "on"), ("wal_init_zero", "off")],
            "the waits WALInitWrite and WALInitSync disappear when no zeros are written",
        ),
        mend: Mend::with_new_settings(case, &[("wal_recycle", "on")]).or_else(|| {
            Mend::wal_for(case, KEPT_S).and_then(|bytes| Mend::with_raised_sizes(case, &[("min_wal_size", bytes)]))
        }),
    }))
}

fn is_off(case: &DiagnosisCase<'_>) -> bool {
    case.server_setting("wal_recycle").is_ok_and(|setting| setting.value == "off")
}

/// Whether checkpoints remove segments and use none again.
fn removes_all(case: &DiagnosisCase<'_>) -> bool {
    segments_of_checkpoints(case, REMOVED).is_some_and(|count| count > 0.0)
        && segments_of_checkpoints(case, RECYCLED) == Some(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn filling(cell: Measurement, sessions: u64) -> Measurement {
        cell.sees("active", Some("IO:WALInitWrite"), sessions)
    }

    #[test]
    fn segments_that_are_not_used_again_are_found_by_a_few_waits() {
        let built = Built::healthy().setting("wal_recycle", "off").with(|cell| filling(cell, 1));
        let found = built.finds(&RULE);
        assert!(found.title.contains("instead of being recycled"), "{found:?}");
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.01), "{found:?}");
    }

    #[test]
    fn who_waits_for_the_one_that_fills_pays_for_it_too() {
        let flushing = |cell: Measurement| filling(cell, 4).sees("active", Some("IO:WALSync"), 12);
        let waiting = |cell: Measurement| flushing(cell).sees("active", Some("LWLock:WALBufMapping"), 8);
        let share = |built: Built| built.finds(&RULE).cost.attributed_share().expect("the budget tells");
        let (alone, with_others) = (share(Built::healthy().with(flushing)), share(Built::healthy().with(waiting)));
        // Of 16 sessions at work on the WAL 4 fill: a quarter of the 8 waits for them.
        assert!(with_others > 1.2 * alone, "{with_others} and {alone}");
    }

    #[test]
    fn many_waits_are_found_in_any_case() {
        Built::healthy().with(|cell| filling(cell, 4)).finds(&RULE);
    }

    #[test]
    fn a_young_server_that_makes_its_first_segments_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| filling(cell, 1)).is_fine_for(&RULE);
        Built::healthy().setting("wal_recycle", "off").is_fine_for(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
