//! `route-differs`: a transaction spends more time between the load engine and the server than on the other side, and
//! that is a large part of what it takes longer.

use stats::centre::arithmetic_mean;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::path::{engine_waited_ms, path_ms};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_path;
use crate::units;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "route-differs",
        group: CodeGroup::Network,
        detects: "Transactions spend more time between load engine and server than on the other side.",
        reported_if: "The time on the route is longer beyond chance, without the time for which the load engine waited for a CPU, \
                and is a large part of the additional latency. Not reported if another rule of this group names the cause.",
        thresholds: &[RuleThreshold::at_least(
            "additional time on the route as a share of the additional latency",
            OF_CHANGE,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each round trip passes the network and whatever ends or holds back connections: a proxy, a pooler, a load balancer, a \
              firewall. The server does not see this time, and settings of the server do not change it.",
        evidence: "Time on the route by the load engine's clock, less what the server's sessions were seen doing. The round trips, and \
                   the kernel's shortest round-trip time, which covers the route up to whatever ends the connection.",
        fix: "Compare the route hop by hop: run the load beside the server, then before each hop.",
        confirm: "Run the plan again over the other side's route.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "time on the route per transaction", unit: QuantityUnit::Ms, of: mean_route_ms },
    look: look_at_route,
};

/// From this share of the change on it is one of its causes.
const OF_CHANGE: f64 = 0.25;

/// From this share of the additional time on the route on, the kernel's longer round trips are where it is.
const OF_ROUTE: f64 = 0.5;

/// Milliseconds of a trial's mean transaction on the route, without those in which answers waited for a load engine
/// that had no CPU.
fn route_ms(measured: &MeasuredTrial<'_>) -> Option<f64> {
    // Otherwise the load engine's own time is among it.
    measured.load.path.as_ref()?;
    Some((path_ms(measured)? - engine_waited_ms(measured)?).max(0.0))
}

fn mean_route_ms(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let why = "it requires samples of the sessions, and a load generator that reports its own time";
    case.mean_over_trials(route_ms).ok_or_else(|| MissingObservation::new("the time on the route", why))
}

fn look_at_route(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        // From one process to another of the same machine there is no route.
        if case.is_on_unix_sockets() && other.is_on_unix_sockets() {
            return Ok(None);
        }
        let ms = [mean_route_ms(case)?, mean_route_ms(other)?];
        let change_ms = case.latency_ms()? - other.latency_ms()?;
        let Some(more) = case.more_than(other, route_ms) else {
            return Err(MissingObservation::new("the additional time on the route", "it requires two blocks"));
        };
        let is_large = change_ms > 0.0 && more.interval.low > 0.0 && more.point >= OF_CHANGE * change_ms;
        Ok(is_large.then(|| finding_of_route(case, other, ms, (more.point / change_ms).min(1.0))))
    })
}

fn finding_of_route(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here_ms, there_ms]: [f64; 2],
    share: f64,
) -> CaseFinding {
    let windows = case.all_the_time();
    let of_trips = match case.round_trips() {
        Some(trips) if trips >= 1.5 => format!(" in {} round trips", units::format_count(trips)),
        Some(_) | None => String::new(),
    };
    CaseFinding {
        title: format!(
            "a transaction spends {} on the route{of_trips} (other side: {}): {}",
            units::format_milliseconds(here_ms),
            units::format_milliseconds(there_ms),
            place_on_route(case, other, here_ms - there_ms)
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_counted(route_ms, is_path),
        figures: figures_of_route(case, other, [here_ms, there_ms], share),
        chart: case.chart_of_windows(&windows, &[ChartedSeries::Latency]),
        windows,
        would_disprove: "the same difference in latency over the same route".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "lead this side's load over the other side's route (or run it beside the server), run this plan, and compare: the \
             latency is that of the other side",
        ),
        mend: None,
    }
}

/// Where on the route the additional milliseconds are: as far as the kernel's round-trip times reach, or beyond.
fn place_on_route(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, more_ms: f64) -> String {
    if let Some(hop) = case.last_hop_name().filter(|hop| other.last_hop_name().as_ref() != Some(hop)) {
        return format!("{hop} is on it");
    }
    let [Some(here_ms), Some(there_ms)] = [case, other].map(round_trip_ms) else {
        return "where on it is not known".to_owned();
    };
    let more_in_round_trips_ms = (here_ms - there_ms) * case.round_trips().unwrap_or(1.0);
    if more_in_round_trips_ms >= OF_ROUTE * more_ms {
        return format!(
            "the network's round trip takes {}, {} there",
            units::format_milliseconds(here_ms),
            units::format_milliseconds(there_ms)
        );
    }
    "the network's round trips do not account for it, so it is in what ends the connection before the server (a pooler, a \
     proxy, a load balancer)"
        .to_owned()
}

/// Shortest round-trip time of the load's connections; none where they are no TCP connections.
fn round_trip_ms(case: &DiagnosisCase<'_>) -> Option<f64> {
    let all_us: Vec<f64> = case.tcp_figures().map(|tcp| tcp.rtt_us_min).collect();
    arithmetic_mean(&all_us).map(|us| us / 1e3)
}

fn figures_of_route(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here_ms, there_ms]: [f64; 2],
    share: f64,
) -> Vec<EvidenceFigure> {
    let there = &other.cell().target;
    let mut figures = vec![
        figure("time on the route per transaction", FigureAmount::Ms(here_ms)),
        figure(format!("time on the route per transaction on {there}"), FigureAmount::Ms(there_ms)),
        figure(SHARE_OF_CHANGE, FigureAmount::Share(share)),
    ];
    figures.extend(case.round_trips().map(|trips| figure("round trips per transaction", FigureAmount::Count(trips))));
    for (side, name) in [(case, String::new()), (other, format!(" on {there}"))] {
        let rtt_ms = round_trip_ms(side);
        figures.extend(
            rtt_ms.map(|ms| figure(format!("shortest round-trip time by the kernel{name}"), FigureAmount::Ms(ms))),
        );
        let layers = side.target_facts().map_or(Vec::new(), |facts| facts.path.layers.clone());
        if !layers.is_empty() {
            figures.push(figure(format!("declared route{name}"), FigureAmount::Text(layers.join(", "))));
        }
    }
    figures.extend(case.figures_of_tail());
    figures
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::Bearing;
    use crate::diagnose::built::{Built, Measurement};

    /// Most of whose time is outside the server, at this round-trip time of the kernel.
    fn with_far_route(cell: Measurement, rtt_us: f64) -> Measurement {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": rtt_us, "rtt_us_smoothed": rtt_us,
                          "retransmits": 0, "lost": 0 });
        cell.throughput(1000.0)
            .sees_nothing()
            .sees("idle", Some("Client:ClientRead"), 38)
            .sees("active", None, 2)
            .probe("host.server", &[("backends_cpu_us", 0.05e6), ("backends_run_delay_us", 0.01e6)])
            .load("path", json!({ "round_trips": 10_000, "engine_us": 1000, "network": tcp }))
    }

    fn with_near_route(cell: Measurement) -> Measurement {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": 20.0, "rtt_us_smoothed": 20.0,
                          "retransmits": 0, "lost": 0 });
        cell.load("path", json!({ "round_trips": 48_000, "engine_us": 1000, "network": tcp }))
    }

    #[test]
    fn route_that_holds_back_answers_is_named_and_explains_the_change() {
        let built = Built::pair().with_first(with_near_route).with(|cell| with_far_route(cell, 21.0));
        let found = built.finds(&RULE);
        assert!(found.title.contains("in what ends the connection before the server"), "{}", found.title);
        let finding = built.diagnosis().findings.into_iter().find(|one| one.rule.code.name == RULE.code.name);
        let finding = finding.expect("no rule knows better");
        assert_eq!(finding.bearing, Bearing::Difference { target: "new".to_owned() });
    }

    #[test]
    fn round_trip_that_is_longer_by_microseconds_accounts_for_no_milliseconds() {
        let built = Built::pair().with_first(with_near_route).with(|cell| with_far_route(cell, 60.0));
        let title = built.finds(&RULE).title;
        assert!(title.contains("round trips do not account for it"), "{title}");
        let built = Built::pair().with_first(with_near_route).with(|cell| with_far_route(cell, 3000.0));
        let title = built.finds(&RULE).title;
        assert!(title.contains("the network's round trip takes 3.00 ms, 20.0 µs there"), "{title}");
    }

    #[test]
    fn routes_that_take_as_long_are_fine() {
        Built::pair()
            .with_first(|cell| with_far_route(cell, 21.0))
            .with(|cell| with_far_route(cell, 21.0))
            .is_fine_for(&RULE);
        Built::pair().with_first(|cell| with_far_route(cell, 21.0)).with(with_near_route).is_fine_for(&RULE);
        Built::healthy().with(|cell| with_far_route(cell, 21.0)).is_fine_for(&RULE);
    }

    #[test]
    fn waiting_for_a_busy_load_engine_is_not_the_route_s() {
        let busy = json!({ "backend": "epoll", "threads": 1, "cpu_us": 1_000_000, "cpu_system_us": null,
                           "busiest_thread": 0.1, "busiest_demand": 1.0, "loop_lag_ns_max": 0 });
        let waits = |cell: Measurement| with_far_route(cell, 21.0).load("engine", busy);
        assert!(Built::pair().with_first(with_near_route).with(waits).look(&RULE).is_ok());
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let unseen = |cell: Measurement| with_near_route(cell).sees_nothing();
        let built = Built::pair().with_first(unseen).with(unseen);
        assert!(built.lacks(&RULE).starts_with("the time on the route"), "{}", built.lacks(&RULE));
    }
}
