//! `sync-replication`: commits wait for a standby.

use catalog::WaitResource;
use plan::Risk;
use results::activity::{SampledSessions, WaitEvent};
use results::probe_fields::pg_replication;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::resource_of_wait;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "sync-replication",
        group: CodeGroup::Wal,
        detects: "Commits wait until a synchronous standby has confirmed them.",
        reported_if: "Sessions wait for a synchronous standby.",
        thresholds: &[RuleThreshold::at_least(
            "waits with the event SyncRep as a share of the sessions' time",
            WAITING,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "A commit then includes the round trip to the standby and the standby's flush. A nearer or faster standby, any one of \
              several (ANY), or synchronous_commit = local for transactions that may be lost shortens it.",
        evidence: "Sessions that wait for a synchronous standby (wait event SyncRep).",
        fix: "Use a nearer or faster standby, wait for any one of several, or set synchronous_commit = local for transactions that may be lost.",
        confirm: "Run the plan again with synchronous_commit = local; the wait disappears.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_sync_replication,
};

/// From this share of the sessions' time on.
const WAITING: f64 = 0.1;

/// At the price of this the standby is not waited for.
const LOST: &str = "a failover loses acknowledged transactions that have not reached the standby";

fn waits_for_standby(seen: &SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(is_for_standby)
}

fn look_for_sync_replication(case: &DiagnosisCase<'_>) -> Looked {
    let waiting = case.share_of_sessions(|seen: &SampledSessions| seen.wait.as_ref().is_some_and(is_for_standby))?;
    if waiting < WAITING {
        return Ok(None);
    }
    let mut figures = vec![figure("sessions waiting for a standby", FigureAmount::Share(waiting))];
    if let Ok(us) = case.mean_gauge_level(pg_replication::SYNCHRONOUS_FLUSH_LAG_US) {
        figures.push(figure("flush lag of a synchronous standby", FigureAmount::Ms(us / 1e3)));
    }
    if let Ok(standbys) = case.mean_gauge_level(pg_replication::SYNCHRONOUS_STANDBYS) {
        figures.push(figure("synchronous standbys", FigureAmount::Count(standbys)));
    }
    for name in ["synchronous_commit", "synchronous_standby_names"] {
        if let Ok(setting) = case.server_setting(name) {
            figures.push(figure(name, FigureAmount::Text(setting.value.clone())));
        }
    }
    let windows =
        case.windows_where(|second| second.share_of_sessions(waits_for_standby).is_some_and(|share| share >= WAITING));
    Ok(Some(CaseFinding {
        title: "commits wait for a synchronous standby".to_owned(),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(|part| matches!(part, BudgetPart::Waiting(wait) if is_for_standby(wait))),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_sessions("sessions waiting for a standby", &waits_for_standby),
                ChartedSeries::series_of_field(pg_replication::FLUSH_BEHIND_BYTES, "WAL not yet flushed by a standby"),
            ],
        ),
        windows,
        would_disprove: "the same latency with synchronous_commit = local".to_owned(),
        confirm: Confirm::with_settings(
            case,
            &[("synchronous_commit", "local")],
            "when commits wait for the local disk only, the wait SyncRep disappears and latency falls by about its share",
        ),
        mend: Mend::with_new_settings(case, &[("synchronous_commit", "local")])
            .map(|mend| mend.at_the_price_of(Risk::SynchronousCommit, LOST)),
    }))
}

fn is_for_standby(wait: &WaitEvent) -> bool {
    resource_of_wait(wait) == Some(WaitResource::Standby)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    #[test]
    fn commits_that_wait_for_a_standby_are_found() {
        let built = Built::healthy().setting("synchronous_standby_names", "far").with(|cell| {
            cell.sees("active", Some("IPC:SyncRep"), 40)
                .probe("pg.replication", &[("synchronous_flush_lag_us", 21_000.0), ("synchronous_standbys", 1.0)])
        });
        let found = built.finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(0.5));
        assert_eq!(found.figures[1].amount, FigureAmount::Ms(21.0));
    }

    #[test]
    fn a_standby_that_nobody_waits_for_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("IPC:SyncRep"), 2)).is_fine_for(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
