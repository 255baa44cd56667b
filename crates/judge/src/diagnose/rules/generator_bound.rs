//! `generator-bound`: the load engine had no CPU left, so the figure may be its own and not the server's.

use plan::Plan;

use crate::codes;
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::{is_outside, waits_for_class};
use crate::thresholds::{CPUS_SATURATED, GENERATOR_AT_LIMIT, OUTSIDE_FELT, generator_is_limit};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &codes::GENERATOR_BOUND,
    measure: Measure::Figure {
        name: "time of the load engine's busiest thread on a CPU",
        unit: QuantityUnit::Share,
        of: busiest_thread,
    },
    look: look_for_generator_bound,
};

/// Whether the load is sent from another machine than the server's, so that a thread of it waits for CPUs that the
/// server does not use.
fn waits_elsewhere(case: &DiagnosisCase<'_>) -> bool {
    case.is_sent_from_elsewhere() && case.cpu_busy().is_ok_and(|busy| busy < CPUS_SATURATED)
}

/// The share of the time in which the busiest thread ran, or also waited for a CPU if that is its own limit.
fn busiest_thread(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    if waits_elsewhere(case) { case.engine_demand() } else { case.engine_busiest() }
}

fn look_for_generator_bound(case: &DiagnosisCase<'_>) -> Looked {
    let waits_elsewhere = waits_elsewhere(case);
    let busiest = busiest_thread(case)?;
    let of = match waits_elsewhere {
        true => "time of the load engine's busiest thread on a CPU or waiting for one",
        false => "time of the load engine's busiest thread on a CPU",
    };
    let outside = case.time_in(is_outside)?;
    if !generator_is_limit(Some(busiest), busiest, !waits_elsewhere) || outside.share < OUTSIDE_FELT {
        return Ok(None);
    }
    let per_transaction_us = case.engine_cpu_us() / case.completed_transactions().max(1.0);
    let windows = case.windows_where(|second| second.engine_busiest().is_some_and(|share| share >= GENERATOR_AT_LIMIT));
    let windows = if windows.is_empty() { case.all_the_time() } else { windows };
    let mut confirm = Confirm::repeat_unchanged(
        case,
        "with twice the load threads, throughput rises if the load engine was the bottleneck; otherwise run it on a separate host",
    );
    confirm.plan =
        confirm.plan.map(|plan| Plan { threads: plan.threads.map(|threads| threads.saturating_mul(2)), ..plan });
    Ok(Some(CaseFinding {
        title: "the load engine is the bottleneck".to_owned(),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost: case.cost_in(is_outside),
        figures: vec![
            figure(of, FigureAmount::Share(busiest)),
            figure("load engine's CPU time per transaction", FigureAmount::Ms(per_transaction_us / 1e3)),
            figure("latency outside the server", FigureAmount::Share(outside.share)),
        ],
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_sessions("sessions waiting for their client", &|seen| {
                waits_for_class(seen, "Client")
            })],
        ),
        windows,
        would_disprove: "the same throughput with twice the load threads on a separate host".to_owned(),
        confirm,
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn engine(busiest: f64) -> serde_json::Value {
        json!({ "backend": "epoll", "threads": 1, "cpu_us": 11_500_000, "cpu_system_us": null,
                "busiest_thread": busiest, "busiest_demand": busiest, "loop_lag_ns_max": 1 })
    }

    #[test]
    fn a_thread_without_a_free_moment_is_found() {
        let found = Built::healthy()
            .with(|cell| cell.load("engine", engine(1.0)).sees("idle", Some("Client:ClientRead"), 28))
            .finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(1.0));
        assert_eq!(found.confirm.plan.unwrap().threads, Some(2));
    }

    #[test]
    fn a_thread_that_waits_for_a_cpu_is_found_on_a_machine_of_its_own_only() {
        let starved = |cell: Measurement| {
            let mut engine = engine(0.3);
            engine["busiest_demand"] = json!(1.0);
            cell.load("engine", engine).sees("idle", Some("Client:ClientRead"), 28)
        };
        let elsewhere = json!({ "generator": "inside", "clock_error_us": 10, "late_us": 0 });
        let found = Built::healthy().with(|cell| starved(cell).load("sent_from", elsewhere.clone())).finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(1.0));
        Built::healthy().with(starved).is_fine_for(&RULE);
        let saturated = |cell| {
            starved(cell)
                .load("sent_from", elsewhere.clone())
                .probe("host.cpu", &[("user_us", 3.95e6), ("idle_us", 0.05e6)])
        };
        Built::healthy().with(saturated).is_fine_for(&RULE);
    }

    #[test]
    fn an_engine_with_time_to_spare_is_not() {
        Built::healthy().is_fine_for(&RULE);
        let in_the_server = |cell: Measurement| {
            cell.load("engine", engine(1.0))
                .sees_nothing()
                .sees("active", None, 40)
                .probe("host.server", &[("backends_cpu_us", 3.6e6), ("backends_run_delay_us", 0.4e6)])
        };
        Built::healthy().with(in_the_server).is_fine_for(&RULE);
    }

    #[test]
    fn another_program_does_not_tell() {
        let generator = json!({ "program": "pgbench", "version": "15", "arguments": [], "untold": ["engine"] });
        let built = Built::healthy().with(|cell| cell.load("generator", generator));
        assert_eq!(built.lacks(&RULE), "the load engine's own CPU time: pgbench does not report it");
    }
}
