//! `pooler-queue`: clients wait in the pooler for a connection to the server.

use results::activity::SampledSessions;
use results::probe_fields::{pooler_pools, pooler_stats};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::path::OF_THEIR_OWN;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_outside;
use crate::units::format_clients;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "pooler-queue",
        group: CodeGroup::Network,
        detects: "Clients wait in the pooler until one of its server connections is free.",
        reported_if: "Clients wait in the pooler that the plan declares. If a pooler is on the route and not declared, all its \
                server sessions must be busy, and be fewer than the clients.",
        thresholds: &[
            RuleThreshold::at_least(
                "clients that wait on average, as a share of all clients",
                WAITING,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least("clients that wait, on average", CLIENTS_WAITING, ThresholdUnit::Count),
            RuleThreshold::at_least(
                "activity of an undeclared pooler's server sessions as a share of their time",
                AT_WORK,
                ThresholdUnit::Share,
            ),
            RuleThreshold::less_than("these sessions, relative to the clients", OF_THEIR_OWN, ThresholdUnit::Share),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "The pool limits the work that reaches the server. A larger pool helps while the server has idle CPUs; shorter \
              transactions always help.",
        evidence: "Clients that wait in the pooler, and its server connections in use.",
        fix: "Enlarge the pool while the server has idle CPUs, or shorten transactions.",
        confirm: "Run the plan again with a larger pool.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_pooler_queue,
};

/// From this share of the clients on, on average.
const WAITING: f64 = 0.1;

/// And so many of them: with few clients, a share is less than one.
const CLIENTS_WAITING: f64 = 1.0;

/// From this share of their time on the sessions that a pooler lends are all at work.
const AT_WORK: f64 = 0.8;

fn look_for_pooler_queue(case: &DiagnosisCase<'_>) -> Looked {
    if let Some(pooler) = case.unwatched_pooler() {
        return few_sessions(case, &pooler);
    }
    if case.run_plan().is_some_and(|plan| {
        plan.targets.iter().any(|target| target.name == case.cell().target && target.pooler.is_none())
    }) {
        return Ok(None);
    }
    let waiting = case.mean_gauge_level(pooler_pools::CLIENTS_WAITING)?;
    if waiting < (WAITING * case.clients_as_float()).max(CLIENTS_WAITING) {
        return Ok(None);
    }
    let mut figures = vec![
        figure("clients waiting for a connection", FigureAmount::Count(waiting)),
        figure("clients", FigureAmount::Count(case.clients_as_float())),
        figure("active server connections", FigureAmount::Count(case.mean_gauge_level(pooler_pools::SERVERS_ACTIVE)?)),
        figure("idle server connections", FigureAmount::Count(case.mean_gauge_level(pooler_pools::SERVERS_IDLE)?)),
        figure("longest wait", FigureAmount::Ms(case.highest_reading(pooler_pools::LONGEST_WAIT_US)? / 1e3)),
    ];
    let cost = case.cost_counted(pooler_wait_ms, is_outside);
    if let FindingCost::Latency(spent) = &cost {
        figures.push(figure("wait in the pooler per transaction", FigureAmount::Ms(spent.ms.point)));
    }
    let is_waited = WAITING * case.clients_as_float();
    let windows = case.windows_where(|second| {
        second.level_of_second(pooler_pools::CLIENTS_WAITING).is_some_and(|waiting| waiting >= is_waited)
    });
    Ok(Some(CaseFinding {
        title: format!("{waiting:.0} of {} wait in the pooler for a connection", format_clients(case.client_count())),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost,
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(pooler_pools::CLIENTS_WAITING, "clients waiting"),
                ChartedSeries::series_of_field(pooler_pools::SERVERS_ACTIVE, "active server connections"),
            ],
        ),
        windows,
        would_disprove: "throughput that stays the same with a larger pool on a server that has idle CPUs".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "raise default_pool_size of the pooler, run this plan, and compare: fewer clients wait and throughput rises",
        ),
        mend: None,
    }))
}

fn is_active_session(seen: &SampledSessions) -> bool {
    !seen.state.starts_with("idle")
}

/// Of a pooler that nobody watches only its sessions on the server are known: where they are few and all at work, the
/// others wait for one. How long is not known.
fn few_sessions(case: &DiagnosisCase<'_>, pooler: &str) -> Looked {
    let missing = MissingObservation::new(
        format!("the queue of {pooler}"),
        "it is on the route and not observed; declare its console (`pooler: { url: ... }`)",
    );
    let sessions = case.shares_sessions().ok_or_else(|| missing.clone())?;
    let at_work = case.share_of_sessions(is_active_session)?;
    if at_work < AT_WORK {
        return Err(missing);
    }
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: format!(
            "all server sessions of the load are busy: {sessions:.0} for {}",
            format_clients(case.client_count())
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: FindingCost::NotAttributable,
        figures: vec![
            figure("sessions of the load on the server", FigureAmount::Count(sessions)),
            figure("clients", FigureAmount::Count(case.clients_as_float())),
            figure("share of the time in which these sessions are active", FigureAmount::Share(at_work)),
        ],
        chart: case
            .chart_of_windows(&windows, &[ChartedSeries::series_of_sessions("active sessions", &is_active_session)]),
        windows,
        would_disprove: "throughput that stays the same with a larger pool on a server that has idle CPUs".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "raise the pool size, declare the console as `pooler`, run this plan, and compare: throughput rises",
        ),
        mend: None,
    }))
}

/// Milliseconds that a mean transaction of a trial waited in the pooler; what was not read waited as much as what was.
fn pooler_wait_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    let readings = measured.watched.all_readings(pooler_stats::WAIT_TIME_US);
    let (us, over_us) = readings.fold((0.0, 0), |(sum, over), (us, over_us)| (sum + us, over + over_us));
    let measured_us = measured.watched.length_s() * 1e6;
    let transactions = measured.load.transactions;
    (over_us > 0 && transactions > 0).then(|| us / over_us as f64 * measured_us / transactions as f64 / 1e3)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn pooled(waiting: f64) -> Built {
        let target = "{ local: { version: 17 }, pooler: { url: \"postgresql://stats@h:6432/pgbouncer\" } }";
        let pools = move |cell: Measurement| {
            cell.probe(
                "pooler.pools",
                &[
                    ("clients_waiting", waiting),
                    ("servers_active", 1.0),
                    ("servers_idle", 0.0),
                    ("longest_wait_us", 9000.0),
                ],
            )
            .probe("pooler.stats", &[("wait_time_us", 2e6)])
        };
        Built::healthy().target(target).with(pools)
    }

    #[test]
    fn a_queue_in_the_pooler_is_found_with_the_time_that_it_costs() {
        let found = pooled(3.0).finds(&RULE);
        assert_eq!(found.title, "3 of 4 clients wait in the pooler for a connection");
        assert!(found.cost.attributed_share().is_some_and(|share| (0.4..0.6).contains(&share)), "{found:?}");
    }

    #[test]
    fn a_pooler_without_a_queue_and_no_pooler_are_healthy() {
        pooled(0.2).is_fine_for(&RULE);
        Built::healthy().is_fine_for(&RULE);
    }

    /// So many sessions of the server in each sample for the four clients, so many of ten of them at work.
    fn lends(sessions: u64, at_work: u64) -> impl Fn(Measurement) -> Measurement {
        move |cell| {
            let cell = cell.sees_nothing().sees("active", None, sessions * at_work);
            cell.sees("idle", Some("Client:ClientRead"), sessions * (10 - at_work))
        }
    }

    #[test]
    fn few_sessions_that_are_all_at_work_are_a_pool_that_is_too_small() {
        let found = Built::healthy().with(lends(1, 9)).finds(&RULE);
        assert_eq!(found.title, "all server sessions of the load are busy: 1 for 4 clients");
        assert_eq!(found.cost, FindingCost::NotAttributable, "how long they wait is not known");
    }

    #[test]
    fn a_pooler_that_nobody_watches_leaves_it_open() {
        let lacks = |pooler: &str| {
            format!(
                "the queue of {pooler}: it is on the route and not observed; declare its console (`pooler: {{ url: ... }}`)"
            )
        };
        assert_eq!(Built::healthy().with(lends(1, 3)).lacks(&RULE), lacks("a pooler"));
        let named = Built::healthy().fact("/path/layers", json!(["PgBouncer (transaction)", "TLS"]));
        assert_eq!(named.lacks(&RULE), lacks("PgBouncer (transaction)"));
    }

    #[test]
    fn a_pooler_that_does_not_tell_leaves_it_open() {
        let built = pooled(3.0).with(|cell| cell.gap("pooler.pools", "not connected"));
        assert_eq!(built.lacks(&RULE), "pooler.pools clients_waiting: not connected");
    }
}
