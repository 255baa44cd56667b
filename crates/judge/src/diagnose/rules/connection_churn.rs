//! `connection-churn`: clients spend their time on making connections, on TLS handshakes where they are encrypted.

use plan::Connections;

use crate::diagnose::case::{Case, mean};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{Amount, Confidence, Cost, Found, Kind, figure};
use crate::diagnose::quantity::{Measure, Unit};
use crate::diagnose::rule::{Looked, Missing, Rule};
use crate::diagnose::seconds::Drawn;

/// The rule.
pub(super) const RULE: Rule = Rule {
    name: "connection-churn",
    finds: "Connections are made for a transaction or a few, and making them (with TLS: the handshake) takes the clients' time.",
    why: "A connection costs a process, a login and a handshake; a pool keeps them.",
    measure: Measure::Figure { name: "connections made for a transaction", unit: Unit::Count, of: per_transaction },
    look,
};

/// Connections made for each completed transaction.
fn per_transaction(case: &Case<'_>) -> Result<f64, Missing> {
    let made: u64 =
        case.trials().iter().filter_map(|measured| measured.load.connecting.as_ref()).map(|made| made.count).sum();
    match case.transactions() {
        0.0 => Err(Missing::new("connections made for a transaction", "no transaction was completed")),
        transactions => Ok(made as f64 / transactions),
    }
}

/// From this share of the clients' time on.
const OF_THE_TIME: f64 = 0.1;

fn look(case: &Case<'_>) -> Looked {
    let told = case.trials().iter().find_map(|measured| measured.load.generator.as_ref());
    let connecting: Vec<_> =
        case.trials().iter().filter_map(|measured| Some((measured.load.connecting?, measured.load))).collect();
    if connecting.is_empty() {
        return match told {
            Some(generator) if case.workload().is_some_and(|w| w.connections == Connections::PerTransaction) => {
                Err(Missing::new("the time to connect", format!("{} does not tell", generator.program)))
            }
            Some(_) | None => Ok(None),
        };
    }
    let per_s: Vec<f64> = connecting.iter().map(|(c, load)| c.count as f64 * 1e6 / load.measure_us as f64).collect();
    let connect_ms: Vec<f64> = connecting.iter().map(|(c, _)| c.total.mean_ns / 1e6).collect();
    let tls_ms: Vec<f64> = connecting.iter().filter_map(|(c, _)| Some(c.tls?.mean_ns / 1e6)).collect();
    let (Some(per_s), Some(connect_ms)) = (mean(&per_s), mean(&connect_ms)) else { return Ok(None) };
    // Seconds per second that all clients together were connecting, of those that they had.
    let share = (per_s * connect_ms / 1e3 / case.clients()).min(1.0);
    if share < OF_THE_TIME {
        return Ok(None);
    }
    let mut figures = vec![
        figure("connections made", Amount::PerS(per_s)),
        figure("time to make one", Amount::Ms(connect_ms)),
        figure("clients' time spent on it", Amount::Share(share)),
    ];
    figures.extend(mean(&tls_ms).map(|ms| figure("of which the TLS handshake", Amount::Ms(ms))));
    let windows = case.all_the_time();
    let title = if tls_ms.is_empty() {
        "clients spend their time making connections"
    } else {
        "clients spend their time making connections and TLS handshakes"
    };
    Ok(Some(Found {
        title: title.to_owned(),
        kind: Kind::Problem,
        confidence: Confidence::High,
        cost: Cost::Throughput { share },
        figures,
        chart: case.chart(&windows, &[Drawn::rate("pg.database", "sessions", "connections made", "/s", 1.0)]),
        windows,
        would_disprove: "the same throughput with connections that are kept".to_owned(),
        confirm: Confirm::with_workload(
            case,
            |workload| workload.connections = Connections::Kept,
            "the same workload with connections that are kept has a multiple of the throughput",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::Built;

    fn summary(mean_ns: f64) -> Value {
        json!({ "mean_ns": mean_ns, "stddev_ns": 0.0, "min_ns": 1, "p50_ns": 1, "p95_ns": 1, "p99_ns": 1, "p999_ns": 1, "max_ns": 1 })
    }

    fn churning(connect_ns: f64) -> Built {
        let connecting = json!({ "count": 12_000, "total": summary(connect_ns), "tls": summary(connect_ns / 2.0) });
        Built::healthy()
            .workload("{ builtin: select-only, scale: 100, connections: per-transaction }")
            .with(|cell| cell.throughput(1000.0).load("connecting", connecting))
    }

    #[test]
    fn handshakes_that_take_most_of_the_time_are_found() {
        let found = churning(3e6).finds(&RULE);
        assert_eq!(found.cost, Cost::Throughput { share: 0.75 });
        assert_eq!(found.figures[3].amount, Amount::Ms(1.5));
    }

    #[test]
    fn kept_connections_and_quick_ones_are_fine() {
        Built::healthy().is_fine_for(&RULE);
        churning(0.2e6).is_fine_for(&RULE);
    }

    #[test]
    fn another_program_does_not_tell() {
        let generator = json!({ "program": "pgbench", "version": "15", "arguments": [], "untold": ["connecting"] });
        let built = Built::healthy()
            .workload("{ builtin: select-only, scale: 100, connections: per-transaction }")
            .with(|cell| cell.load("generator", generator));
        assert_eq!(built.lacks(&RULE), "the time to connect: pgbench does not tell");
    }
}
