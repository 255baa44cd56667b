//! `row-locks`: transactions wait for rows that other transactions have changed and not yet committed.

use plan::{TransactionWork, Workload};
use results::probe_fields::pg_locks;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{is_wait, waits_for_class};

use super::blocked_by_session::share_behind_strangers;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "row-locks",
        group: CodeGroup::Locks,
        detects: "Transactions wait for row locks that others hold. With tpcb-like this is inherent if the scale is smaller than the \
                number of clients.",
        reported_if: "Sessions wait for row locks (wait events transactionid and tuple). Waits behind sessions outside the \
                load do not count.",
        thresholds: &[RuleThreshold::at_least(
            "waits for row locks as a share of the sessions' time",
            WAITING,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Only one transaction at a time can change a row. Its update rate is the reciprocal of the time from the update to the end \
              of the commit; more clients only queue.",
        evidence: "Sessions that wait for transaction and tuple locks.",
        fix: "Spread updates over more rows, or shorten the time between the update and the end of the commit.",
        confirm: "Run the plan again with a larger scale, or with fewer clients.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_row_locks,
};

/// From this share of the sessions' time on. tpcb-like with as many branches as clients, which is healthy, waits for
/// about a tenth of it: each of n transactions meets another of n on one of n rows.
const WAITING: f64 = 0.25;

fn look_for_row_locks(case: &DiagnosisCase<'_>) -> Looked {
    let of_rows: f64 =
        case.waits_of("Lock")?.iter().filter(|(event, _)| is_of_rows(event)).map(|(_, share)| share).sum();
    // Who queues behind a session of somebody else contends with that one.
    let waiting = of_rows * (1.0 - share_behind_strangers(case));
    if waiting < WAITING {
        return Ok(None);
    }
    let mut figures = vec![figure("sessions waiting for a row lock", FigureAmount::Share(waiting))];
    if let Ok(level) = case.mean_gauge_level(pg_locks::WAITING_FOR_ROWS) {
        figures.push(figure("mean number of sessions waiting for a row lock", FigureAmount::Count(level)));
    }
    // Waits that outlast deadlock_timeout are counted from PostgreSQL 19 on, of all kinds of locks together.
    if let (Ok(waits), Ok(waited_us)) =
        (case.total_increase(pg_locks::LONG_WAITS), case.total_increase(pg_locks::LONG_WAIT_US))
        && waits > 0.0
    {
        figures.push(figure("waits for locks longer than deadlock_timeout", FigureAmount::Count(waits)));
        figures.push(figure("mean of these waits", FigureAmount::Ms(waited_us / waits / 1e3)));
    }
    let scale = case.planned_workload().and_then(Workload::branch_count);
    if let Some(scale) = scale {
        figures.push(figure("branch rows (scale)", FigureAmount::Count(f64::from(scale))));
        figures.push(figure("clients", FigureAmount::Count(case.clients_as_float())));
    }
    let windows = case.windows_where(|second| {
        let share = second
            .share_of_sessions(|seen| seen.wait.as_ref().is_some_and(|w| w.class == "Lock" && is_of_rows(&w.event)));
        share.is_some_and(|share| share >= WAITING)
    });
    let is_by_construction = scale.is_some_and(|scale| f64::from(scale) < case.clients_as_float());
    Ok(Some(CaseFinding {
        title: if is_by_construction {
            "the clients contend for too few branch rows (scale below clients)".to_owned()
        } else {
            "transactions contend for the same rows".to_owned()
        },
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(|part| is_wait(part, "Lock")),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_sessions("sessions waiting for a lock", &|seen| waits_for_class(seen, "Lock"))],
        ),
        windows,
        would_disprove: "throughput that rises in proportion to the clients".to_owned(),
        confirm: confirm_row_locks(case, scale),
        mend: None,
    }))
}

fn is_of_rows(event: &str) -> bool {
    matches!(event, "transactionid" | "tuple")
}

fn confirm_row_locks(case: &DiagnosisCase<'_>, scale: Option<u32>) -> Confirm {
    let clients = case.client_count();
    match scale {
        // The tables of one plan have one scale, so the other scale is a run of its own.
        Some(_) => Confirm::with_replaced_workload(
            case,
            |workload| {
                if let TransactionWork::Builtin { tables, .. } = &mut workload.work {
                    tables.scale = clients.saturating_mul(4);
                }
            },
            "with four branches per client, throughput rises and the waits for row locks disappear; compare both runs",
        ),
        None => Confirm::with_clients(
            case,
            &[1, (clients / 4).max(1), clients],
            "throughput is no higher with all clients than with a quarter of them",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn queueing(cell: Measurement) -> Measurement {
        cell.sees_nothing()
            .sees("active", Some("Lock:transactionid"), 20)
            .sees("active", Some("Lock:tuple"), 10)
            .sees("active", None, 10)
    }

    #[test]
    fn a_hot_row_is_found_and_few_branches_are_named() {
        let found = Built::healthy().with(queueing).finds(&RULE);
        assert_eq!(
            (found.figures[0].amount.clone(), found.title.as_str()),
            (FigureAmount::Share(0.75), "transactions contend for the same rows")
        );
        let few = Built::healthy().workload("{ builtin: tpcb-like, scale: 1 }").with(queueing).finds(&RULE);
        assert!(few.title.contains("scale below clients"), "{few:?}");
    }

    #[test]
    fn a_meeting_now_and_then_is_healthy() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("Lock:transactionid"), 5)).is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.sees("active", Some("Lock:relation"), 400)).is_fine_for(&RULE);
    }

    #[test]
    fn a_queue_behind_a_session_of_somebody_else_is_that_session_s() {
        let behind = |application: &str| {
            let holder = json!({ "pid": 77, "application": application, "state": "active", "transaction_us": 900_000 });
            Built::healthy().with(move |cell| {
                queueing(cell).locks(json!([{ "kind": "tuple", "mode": "ExclusiveLock", "relation": "public.accounts",
                                              "sessions": 30, "longest_us": 900_000, "holder": holder }]))
            })
        };
        behind("nightly_batch").is_fine_for(&RULE);
        behind("pgdyno-load").finds(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
