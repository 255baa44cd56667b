//! `connection-churn`: clients spend their time on making connections; which step of it takes how long is reported.

use plan::Connections;
use results::probe_fields::pg_database;
use results::trial::{ConnectingTotals, LatencySummary};
use stats::centre::arithmetic_mean;

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_connecting;
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "connection-churn",
        group: CodeGroup::Network,
        detects: "Clients open a connection for each transaction or for a few, and connecting (with TLS: the handshake) takes a large \
                share of their time.",
        reported_if: "Clients open connections during the measurement, and this takes a large share of the time of all \
                clients.",
        thresholds: &[RuleThreshold::at_least(
            "time spent on opening connections as a share of the clients' time",
            OF_THE_TIME,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each connection costs a server process, a login and, with TLS, a handshake. A pool keeps connections open.",
        evidence: "Connections opened per second, the time to open one, and the time of each step.",
        fix: "Keep connections open, with a pool in the application or with a connection pooler.",
        confirm: "Run the plan again with persistent connections.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "connecting time per transaction", unit: QuantityUnit::Ms, of: connecting_ms },
    look: look_for_connection_churn,
};

/// Milliseconds of making connections for each completed transaction: how many, and how long each takes.
fn connecting_ms(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let made = case.trials().iter().filter_map(|measured| measured.load.connecting.as_ref());
    let ms: f64 = made.map(|made| made.count as f64 * made.total.mean_ns / 1e6).sum();
    match case.completed_transactions() {
        0.0 => Err(MissingObservation::new("connecting time per transaction", "no transaction was completed")),
        transactions => Ok(ms / transactions),
    }
}

/// From this share of the clients' time on.
const OF_THE_TIME: f64 = 0.1;

/// From this share of the time of a connection on, a step of it is named in the title.
const MOST: f64 = 0.5;

fn look_for_connection_churn(case: &DiagnosisCase<'_>) -> Looked {
    let told = case.trials().iter().find_map(|measured| measured.load.generator.as_ref());
    let connecting: Vec<_> =
        case.trials().iter().filter_map(|measured| Some((measured.load.connecting?, measured.load))).collect();
    if connecting.is_empty() {
        return match told {
            Some(generator)
                if case.planned_workload().is_some_and(|w| w.connections == Connections::PerTransaction) =>
            {
                Err(MissingObservation::new("the time to connect", format!("{} does not report it", generator.program)))
            }
            Some(_) | None => Ok(None),
        };
    }
    let per_s: Vec<f64> = connecting.iter().map(|(c, load)| c.count as f64 * 1e6 / load.measure_us as f64).collect();
    let connect_ms: Vec<f64> = connecting.iter().map(|(c, _)| c.total.mean_ns / 1e6).collect();
    let (Some(per_s), Some(connect_ms)) = (arithmetic_mean(&per_s), arithmetic_mean(&connect_ms)) else {
        return Ok(None);
    };
    // Seconds per second that all clients together were connecting, of those that they had.
    let share = (per_s * connect_ms / 1e3 / case.clients_as_float()).min(1.0);
    if share < OF_THE_TIME {
        return Ok(None);
    }
    let mut figures = vec![
        figure("connections opened", FigureAmount::PerS(per_s)),
        figure("time to open a connection", FigureAmount::Ms(connect_ms)),
        figure("share of the clients' time", FigureAmount::Share(share)),
    ];
    let steps = connection_steps_ms(&connecting.iter().map(|(made, _)| *made).collect::<Vec<_>>());
    figures.extend(steps.iter().map(|(name, ms)| figure(format!("of which {name}"), FigureAmount::Ms(*ms))));
    let windows = case.all_the_time();
    let longest = steps.iter().max_by(|(_, one), (_, other)| one.total_cmp(other));
    let percent = units::format_percent(share);
    let title = match longest {
        Some((name, ms)) if *ms >= MOST * connect_ms => {
            format!("clients spend {percent} of their time connecting, most of it on {name}")
        }
        Some(_) | None => format!("clients spend {percent} of their time connecting"),
    };
    let is_part_of_latency = connecting.iter().all(|(made, _)| made.part_of_latency == Some(true));
    let cost = if is_part_of_latency { case.cost_in(is_connecting) } else { FindingCost::Throughput { share } };
    Ok(Some(CaseFinding {
        title,
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost,
        figures,
        chart: case
            .chart_of_windows(&windows, &[ChartedSeries::series_of_field(pg_database::SESSIONS, "connections opened")]),
        windows,
        would_disprove: "the same throughput with persistent connections".to_owned(),
        confirm: Confirm::with_workload(
            case,
            |workload| workload.connections = Connections::Kept,
            "with persistent connections, the same workload has a multiple of the throughput",
        ),
        mend: None,
    }))
}

/// The steps of making a connection with their mean times in milliseconds; none where an older pgdyno measured, which
/// took the server's first answer for a handshake.
fn connection_steps_ms(connecting: &[ConnectingTotals]) -> Vec<(String, f64)> {
    type StepLatency = fn(&ConnectingTotals) -> Option<LatencySummary>;
    const STEPS: [(&str, StepLatency); 4] = [
        ("TCP", |made| made.tcp),
        ("the server's first answer (process start)", |made| made.first_answer),
        ("the TLS handshake", |made| made.first_answer.and(made.tls)),
        ("the login", |made| made.login),
    ];
    let mut known = Vec::new();
    for (name, of) in STEPS {
        let each: Vec<f64> = connecting.iter().filter_map(|made| Some(of(made)?.mean_ns / 1e6)).collect();
        if let Some(ms) = arithmetic_mean(&each) {
            known.push((name.to_owned(), ms));
        }
    }
    let iterations = connecting.iter().filter_map(|made| made.scram_iterations).max();
    if let (Some(iterations), Some((login, _))) = (iterations, known.last_mut()) {
        login.push_str(&format!(" (SCRAM: clients hash the password {iterations} times)"));
    }
    known
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::Built;

    fn summary(mean_ns: f64) -> Value {
        json!({ "mean_ns": mean_ns, "stddev_ns": 0.0, "min_ns": 1, "p50_ns": 1, "p95_ns": 1, "p99_ns": 1, "p999_ns": 1, "max_ns": 1 })
    }

    fn with(connecting: Value) -> Built {
        Built::healthy()
            .workload("{ builtin: select-only, scale: 100, connections: per-transaction }")
            .with(|cell| cell.throughput(1000.0).load("connecting", connecting))
    }

    /// As an older pgdyno told.
    fn churning(connect_ns: f64) -> Built {
        with(json!({ "count": 12_000, "total": summary(connect_ns), "tls": summary(connect_ns / 2.0) }))
    }

    #[test]
    fn the_iterations_that_the_server_asks_for_are_told_with_the_login() {
        let mut made = json!({ "count": 12_000, "total": summary(3e6), "tcp": summary(1e5), "first_answer": summary(4e5),
                               "tls": null, "login": summary(2.5e6), "part_of_latency": true });
        made["scram_iterations"] = json!(100_000);
        let found = with(made).finds(&RULE);
        assert!(
            found.title.ends_with("most of it on the login (SCRAM: clients hash the password 100000 times)"),
            "{found:?}"
        );
    }

    #[test]
    fn connections_that_take_most_of_the_time_are_found_in_old_runs_too() {
        let found = churning(3e6).finds(&RULE);
        assert_eq!(found.cost, FindingCost::Throughput { share: 0.75 });
        assert_eq!(found.title, "clients spend 75 % of their time connecting");
        assert_eq!(found.figures.len(), 3, "its tls may be a refusal to encrypt");
    }

    #[test]
    fn the_steps_of_a_connection_are_told_and_the_longest_one_named() {
        let made = |tls: Value| {
            json!({ "count": 12_000, "total": summary(3e6), "tcp": summary(0.1e6), "first_answer": summary(2.2e6),
                    "tls": tls, "login": summary(0.5e6), "part_of_latency": true })
        };
        let found = with(made(summary(0.2e6))).finds(&RULE);
        let names: Vec<&str> = found.figures[3..].iter().map(|figure| figure.name.as_str()).collect();
        assert_eq!(names.len(), 4, "{names:?}");
        assert!(found.title.ends_with("most of it on the server's first answer (process start)"), "{}", found.title);
        let FindingCost::Latency(spent) = &found.cost else { panic!("{:?}", found.cost) };
        assert!((spent.ms.point - 3.0).abs() < 0.05, "{spent:?}");
        let in_clear = with(made(Value::Null)).finds(&RULE);
        assert!(in_clear.figures.iter().all(|figure| !figure.name.contains("TLS")), "{in_clear:?}");
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
        assert_eq!(built.lacks(&RULE), "the time to connect: pgbench does not report it");
    }
}
