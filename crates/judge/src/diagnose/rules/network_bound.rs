//! `network-bound`: most of the latency is round trips on the network between load engine and server, by count, while
//! neither was busy: what was measured is the path's round trip.

use stats::centre::arithmetic_mean;

use super::bandwidth_bound::find_exhausted_bandwidth;
use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::path::{
    ENGINE_HAS_TIME, LONG_ON_ROUTE, LONG_ON_ROUTE_OF_BUSY_HOST, MOST_ON_ROUTE, constant_over_clients, on_network,
};
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::waits_for_class;
use crate::thresholds::OUTSIDE_DECIDES;
use crate::units::format_clients;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "network-bound",
        group: CodeGroup::Network,
        detects: "Network round trips, as the kernel times them, take most of the latency, while server and load engine have idle CPU time.",
        reported_if: "Counted round trips take most of the latency while the load engine has idle time. Not reported if \
                `bandwidth-bound` is, or if the connection is a Unix-domain socket.",
        thresholds: &[
            MOST_ON_ROUTE,
            RuleThreshold::at_least(
                "shortest round-trip time × round trips per transaction as a share of the latency",
                OUTSIDE_DECIDES,
                ThresholdUnit::Share,
            ),
            LONG_ON_ROUTE,
            LONG_ON_ROUTE_OF_BUSY_HOST,
            ENGINE_HAS_TIME,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Throughput is the number of clients divided by the round-trip time, regardless of the server's capacity. More clients, \
              fewer round trips per transaction or a shorter route raise it.",
        evidence: "Round-trip time as the kernel measures it, and idle time of server and load engine.",
        fix: "Use fewer round trips per transaction, more clients, or a shorter route.",
        confirm: "Run the plan again with the load next to the server.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_network_bound,
};

fn look_for_network_bound(case: &DiagnosisCase<'_>) -> Looked {
    let Some(spent) = on_network(case)? else { return Ok(None) };
    if find_exhausted_bandwidth(case, &spent).is_some() {
        return Ok(None);
    }
    let mut figures = spent.figures_of_path(case);
    let rtts: Vec<f64> = case.tcp_figures().map(|tcp| tcp.rtt_us_min).collect();
    if let Some(rtt_us) = arithmetic_mean(&rtts) {
        figures.push(figure("shortest round-trip time that the kernel measured", FigureAmount::Ms(rtt_us / 1e3)));
    }
    figures.extend(case.round_trips().map(|trips| figure("round trips per transaction", FigureAmount::Count(trips))));
    if let Some((fewest, ratio)) = constant_over_clients(case) {
        figures.push(figure(format!("latency, relative to {}", format_clients(fewest)), FigureAmount::Count(ratio)));
    }
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: "network round trips take most of the latency".to_owned(),
        kind: FindingKind::Limit,
        confidence: Confidence::High,
        cost: case.cost_in(|part| *part == BudgetPart::Network),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::Latency,
                ChartedSeries::series_of_sessions("sessions waiting for their client", &|seen| {
                    waits_for_class(seen, "Client")
                }),
            ],
        ),
        windows,
        would_disprove:
            "throughput that does not double with twice the clients although server and load engine have idle CPU time"
                .to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[case.client_count(), case.client_count().saturating_mul(2)],
            "throughput doubles with the clients and latency stays the same; then run it on the server's host, without the network",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Clients whose transactions of 1 ms are one round trip of so many microseconds on the way, mostly.
    fn far(rtt_us: f64) -> impl Fn(Measurement) -> Measurement {
        far_often(rtt_us, 48_000)
    }

    fn far_often(rtt_us: f64, round_trips: u64) -> impl Fn(Measurement) -> Measurement {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": rtt_us, "rtt_us_smoothed": rtt_us, "retransmits": 0, "lost": 0 });
        let path = json!({ "round_trips": round_trips, "engine_us": 1000, "network": tcp });
        move |cell| outside(cell).load("path", path.clone())
    }

    /// Most of whose time is outside the server.
    fn outside(cell: Measurement) -> Measurement {
        cell.sees_nothing()
            .sees("idle", Some("Client:ClientRead"), 38)
            .sees("active", None, 2)
            .probe("host.server", &[("backends_cpu_us", 0.2e6), ("backends_run_delay_us", 0.01e6)])
    }

    #[test]
    fn round_trips_that_were_counted_and_take_most_of_the_time_are_found() {
        let found = Built::healthy().with(far(900.0)).finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.85), "{found:?}");
        assert!(
            found.figures.contains(&figure("shortest round-trip time that the kernel measured", FigureAmount::Ms(0.9))),
            "{found:?}"
        );
        let found = Built::healthy().with(far_often(1900.0, 90_000)).ladder(&[(4, 1900.0), (16, 7500.0)]).finds(&RULE);
        assert!(found.figures.iter().any(|figure| figure.name.starts_with("latency, relative to")), "{found:?}");
    }

    #[test]
    fn what_the_round_trips_leave_of_the_way_is_not_the_network_s() {
        // 17 µs of a millisecond on the way: a pooler's queue, say.
        Built::healthy().with(far(17.0)).is_fine_for(&RULE);
        let unix = json!({ "round_trips": 48_000, "engine_us": 1000, "network": { "kind": "unix" } });
        Built::healthy().with(|cell| outside(cell).load("path", unix)).is_fine_for(&RULE);
    }

    #[test]
    fn a_short_way_or_a_busy_machine_is_none() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| far(90.0)(cell).throughput(40_000.0)).is_fine_for(&RULE);
        let busy =
            |cell| far(900.0)(cell).probe("host.cpu", &[("user_us", 4.0e6), ("idle_us", 0.0), ("iowait_us", 0.0)]);
        Built::healthy().with(busy).is_fine_for(&RULE);
    }

    #[test]
    fn without_a_count_of_the_round_trips_it_stays_open() {
        let built = Built::healthy().with(outside);
        assert_eq!(built.lacks(&RULE), "round trips on the network: the load generator does not count them");
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of the sessions: none were taken");
    }
}
