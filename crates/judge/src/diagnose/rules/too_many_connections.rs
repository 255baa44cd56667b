//! `too-many-connections`: far more sessions are ready to run than there are CPUs.

use results::probe_fields::host_cpu;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::units::{format_clients, format_count};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "too-many-connections",
        group: CodeGroup::Cpu,
        detects: "Far more sessions are runnable than there are CPUs, so each session mostly waits for a CPU.",
        reported_if: "Far more sessions are on a CPU or runnable than the host has CPUs.",
        thresholds: &[RuleThreshold::at_least(
            "running or runnable sessions per CPU",
            READY_PER_CPU,
            ThresholdUnit::Count,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "Sessions beyond a few per CPU add latency, snapshots and context switches, but no throughput. A pooler with fewer server \
              connections serves the same clients faster.",
        evidence: "Runnable sessions per CPU, and clients per CPU.",
        fix: "Put a pooler with a few server connections per CPU in front of the server.",
        confirm: "Run the plan again with fewer clients: throughput stays and latency falls.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "clients per CPU",
        unit: QuantityUnit::Count,
        of: |case| Ok(case.clients_as_float() / case.usable_cpus()?),
    },
    look: look_for_too_many_connections,
};

/// Sessions ready for each CPU. PostgreSQL's own advice for the number of active connections is about four per core;
/// twice that leaves room for sessions that come and go.
pub(super) const READY_PER_CPU: f64 = 8.0;

fn look_for_too_many_connections(case: &DiagnosisCase<'_>) -> Looked {
    let ready = case.ready_per_cpu()?;
    if ready < READY_PER_CPU {
        return Ok(None);
    }
    let cpus = case.usable_cpus()?;
    let mut figures = vec![
        figure("running or runnable sessions per CPU", FigureAmount::Count(ready)),
        figure("CPUs", FigureAmount::Count(cpus)),
    ];
    // Of sides that take turns all are in it.
    if let (false, Ok(switches)) = (case.takes_turns(), case.per_transaction(host_cpu::CONTEXT_SWITCHES)) {
        figures.push(figure("context switches per transaction", FigureAmount::Count(switches)));
    }
    let here = case.throughput_per_s()?;
    for fewer in case.rungs_by_clients().iter().filter(|rung| rung.client_count() < case.client_count()) {
        if let Ok(there) = fewer.throughput_per_s()
            && there >= here
        {
            figures.push(figure(
                format!("throughput with {}", format_clients(fewer.client_count())),
                FigureAmount::Tps(there),
            ));
        }
    }
    figures.push(figure(format!("throughput with {}", format_clients(case.client_count())), FigureAmount::Tps(here)));
    let windows = case.all_the_time();
    let few = (cpus * 4.0).round() as u32;
    Ok(Some(CaseFinding {
        title: format!("too many connections for the CPUs: {} runnable sessions per CPU", format_count(ready)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(|part| *part == BudgetPart::WaitingForCpu),
        figures,
        chart: case.chart_of_windows(&windows, &[ChartedSeries::SESSIONS_WAITING_FOR_CPU]),
        windows,
        would_disprove: "throughput that falls with four clients per CPU".to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[few.max(1), case.client_count()],
            "with four clients per CPU, throughput is at least the same at a fraction of the latency",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn five_hundred_clients_on_four_cpus_are_found_with_the_rung_that_was_as_fast() {
        let crowd = Built::healthy()
            .target("{ local: { version: 17, settings: { max_connections: 600 } } }")
            .with(|cell| cell.probe("host.server", &[("backends_cpu_us", 3.8e6), ("backends_run_delay_us", 400.0e6)]))
            .ladder(&[(8, 5000.0), (500, 4000.0)]);
        let found = crowd.finds(&RULE);
        assert!(found.figures.iter().any(|figure| figure.name == "throughput with 8 clients"), "{found:?}");
        assert_eq!(found.confirm.plan.unwrap().clients, [16, 500]);
    }

    #[test]
    fn a_few_sessions_per_cpu_are_fine() {
        Built::healthy().is_fine_for(&RULE);
        let some = Built::healthy().with(|cell| cell.probe("host.server", &[("backends_run_delay_us", 12.0e6)]));
        some.is_fine_for(&RULE);
    }

    #[test]
    fn without_the_servers_processes_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.server", "no such process"));
        assert_eq!(built.lacks(&RULE), "host.server backends_cpu_us: no such process");
    }
}
