//! `network-bound`: most of the latency was spent on the way between load engine and server, while neither was busy:
//! what was measured is the path's round trip.

use super::bandwidth_bound::full;
use crate::budget::Part;
use crate::diagnose::case::{Case, mean};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Found, Kind, figure};
use crate::diagnose::path::{OUTSIDE, constant_over_clients, on_path};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::Drawn;
use crate::diagnose::spent::{is_path, waits};

/// The rule.
pub(super) const RULE: Rule = Rule {
    name: "network-bound",
    finds: "Most of the latency is spent on the way to the server and back, while server and load engine have time to spare.",
    why: "Throughput is clients divided by the round trip, whatever the server can do; more clients, fewer round trips per \
          transaction or a shorter path change it.",
    look,
};

fn look(case: &Case<'_>) -> Looked {
    let Some(spent) = on_path(case)?.filter(|spent| full(case, spent).is_none()) else { return Ok(None) };
    let mut figures = spent.figures(case);
    let network_ms = case.time_in(|part| *part == Part::Network).map_or(0.0, |network| network.ms.point);
    let rtts: Vec<f64> = case.tcp().map(|tcp| tcp.rtt_us_min).collect();
    if let Some(rtt_us) = mean(&rtts) {
        figures.push(figure("shortest round trip that the kernel saw", Amount::Ms(rtt_us / 1e3)));
    }
    figures.extend(case.round_trips().map(|trips| figure("round trips in a transaction", Amount::Count(trips))));
    let constant = constant_over_clients(case);
    let is_counted = network_ms >= OUTSIDE * spent.ms();
    if let Some((fewest, ratio)) = constant {
        figures.push(figure(format!("latency, over that with {fewest} clients"), Amount::Count(ratio)));
    }
    let windows = case.all_the_time();
    Ok(Some(Found {
        title: "the way to the server and back takes most of the time".to_owned(),
        kind: Kind::Limit,
        confidence: match case.cpu_busy() {
            _ if constant.is_some() || is_counted => Confidence::High,
            Ok(_) => Confidence::Medium,
            // Of a host that is not watched only the sessions' waits for their clients are known.
            Err(_) => Confidence::Low,
        },
        cost: case.cost_in(is_path),
        figures,
        chart: case.chart(
            &windows,
            &[Drawn::Latency, Drawn::sessions("sessions waiting for their client", &|seen| waits(seen, "Client"))],
        ),
        windows,
        would_disprove:
            "throughput that does not double with twice the clients although server and load engine have CPU to spare"
                .to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[case.client_count(), case.client_count().saturating_mul(2)],
            "throughput doubles with the clients and latency stays the same; then run it on the server's host, without the path",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn far(cell: Measurement) -> Measurement {
        cell.sees_nothing()
            .sees("idle", Some("Client:ClientRead"), 38)
            .sees("active", None, 2)
            .probe("host.server", &[("backends_cpu_us", 0.2e6), ("backends_run_delay_us", 0.01e6)])
    }

    #[test]
    fn a_long_way_is_found_and_certain_when_latency_is_constant_over_clients() {
        let built = Built::healthy().with(far);
        assert_eq!(built.finds(&RULE).confidence, Confidence::Medium);
        let found = built.ladder(&[(4, 1900.0), (16, 7500.0)]).finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        assert!(found.cost.share().is_some_and(|share| share > 0.9));
    }

    #[test]
    fn the_kernels_round_trip_times_are_counted_where_they_are_known() {
        let tcp = json!({ "kind": "tcp", "readings": 40, "rtt_us_min": 900.0, "rtt_us_smoothed": 950.0, "retransmits": 0, "lost": 0 });
        let path = json!({ "round_trips": 48_000, "engine_us": 1000, "network": tcp });
        let found = Built::healthy().with(|cell| far(cell).load("path", path)).finds(&RULE);
        assert_eq!(found.confidence, Confidence::High);
        assert!(
            found.figures.contains(&figure("shortest round trip that the kernel saw", Amount::Ms(0.9))),
            "{found:?}"
        );
    }

    #[test]
    fn a_short_way_or_a_busy_machine_is_none() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| far(cell).throughput(40_000.0)).is_fine_for(&RULE);
        let busy = |cell| far(cell).probe("host.cpu", &[("user_us", 4.0e6), ("idle_us", 0.0), ("iowait_us", 0.0)]);
        Built::healthy().with(busy).is_fine_for(&RULE);
    }

    #[test]
    fn without_samples_of_the_sessions_it_stays_open() {
        let built = Built::healthy().with(Measurement::sees_nothing);
        assert_eq!(built.lacks(&RULE), "samples of what the sessions did: none were taken");
    }
}
