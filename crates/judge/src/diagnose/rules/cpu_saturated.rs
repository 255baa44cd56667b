//! `cpu-saturated`: the CPUs of the server's host are what limits throughput. Every load that does not wait ends here,
//! so it is a limit and no problem, and it says nothing while each session has a CPU to itself.

use results::probe_fields::host_server;

use super::too_many_connections;
use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::thresholds::{CPUS_SATURATED, FOREIGN};

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "cpu-saturated",
        group: CodeGroup::Cpu,
        detects: "All CPUs of the server's host are busy, and the sessions queue for them.",
        reported_if: "All CPUs of the server's host are in use, and several sessions are runnable per CPU. Not reported if \
                `too-many-connections`, other processes or a CPU limit account for it.",
        thresholds: &[
            RuleThreshold::at_least("CPU utilization", CPUS_SATURATED, ThresholdUnit::Share),
            RuleThreshold::at_least("running or runnable sessions per CPU", READY_PER_CPU, ThresholdUnit::Count),
            RuleThreshold::less_than(
                "the same, from which on `too-many-connections` reports it",
                too_many_connections::READY_PER_CPU,
                ThresholdUnit::Count,
            ),
            RuleThreshold::less_than("CPU time of other processes, if known", FOREIGN, ThresholdUnit::Share),
            RuleThreshold::less_than(
                "throttled periods, if known",
                super::cpu_throttled::THROTTLED_PERIODS,
                ThresholdUnit::Share,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "More clients only wait longer. Throughput rises only with less work per transaction or with more CPUs.",
        evidence: "CPU utilization of the server's host, and sessions that wait for a CPU.",
        fix: "Reduce the work per transaction, or add CPUs.",
        confirm: "Run the plan again with fewer clients: throughput stays and latency falls.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "CPU utilization", unit: QuantityUnit::Share, of: own_cpu_utilization },
    look: look_for_cpu_saturated,
};

/// Share of the CPUs' time in use by this side alone.
fn own_cpu_utilization(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.has_its_host_to_itself("host.cpu of this side alone")?;
    case.cpu_busy()
}

/// So many sessions are ready for each CPU: from two on there is always one that waits, below that a closed loop with
/// as many clients as CPUs is as it should be.
const READY_PER_CPU: f64 = 2.0;

fn look_for_cpu_saturated(case: &DiagnosisCase<'_>) -> Looked {
    let busy = case.cpu_busy()?;
    let ready = case.ready_per_cpu()?;
    let another_rule_says_why = ready >= too_many_connections::READY_PER_CPU
        || case.foreign_cpu().is_ok_and(|share| share >= FOREIGN)
        || super::cpu_throttled::throttled_share_of_periods(case)
            .is_ok_and(|share| share >= super::cpu_throttled::THROTTLED_PERIODS);
    if busy < CPUS_SATURATED || ready < READY_PER_CPU || another_rule_says_why {
        return Ok(None);
    }
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: "the CPUs of the server's host are saturated".to_owned(),
        kind: FindingKind::Limit,
        confidence: Confidence::High,
        cost: case.cost_in(|part| *part == BudgetPart::WaitingForCpu),
        figures: vec![
            figure("running or runnable sessions per CPU", FigureAmount::Count(ready)),
            figure("CPU utilization", FigureAmount::Share(busy)),
            figure(
                "CPU time per transaction",
                FigureAmount::Ms(case.per_transaction(host_server::BACKENDS_CPU_US)? / 1e3),
            ),
        ],
        chart: case.chart_of_windows(&windows, &[ChartedSeries::SESSIONS_WAITING_FOR_CPU]),
        windows,
        would_disprove: "throughput that rises with more clients, or stays the same with more CPUs".to_owned(),
        confirm: Confirm::with_clients(
            case,
            &[(case.client_count() / 2).max(1), case.client_count(), case.client_count().saturating_mul(2)],
            "throughput stays the same at half and at twice the clients, and latency grows with them",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn busy(cell: Measurement) -> Measurement {
        cell.probe("host.cpu", &[("user_us", 3.9e6), ("idle_us", 0.1e6), ("iowait_us", 0.0)])
            .probe("host.server", &[("backends_cpu_us", 3.6e6), ("backends_run_delay_us", 12.0e6)])
    }

    #[test]
    fn more_sessions_than_busy_cpus_are_found_as_a_limit() {
        let found = Built::healthy().clients(16).with(busy).finds(&RULE);
        assert_eq!(found.kind, FindingKind::Limit);
        assert_eq!(found.figures[0].amount, FigureAmount::Count(3.9));
    }

    #[test]
    fn it_is_left_to_the_neighbour_where_there_is_one_and_not_where_the_load_comes_from_the_same_host() {
        let beside = |foreign_us: f64| {
            let backends = [("backends_cpu_us", 1.9e6), ("backends_run_delay_us", 12.0e6)];
            Built::healthy().clients(16).with(|cell| {
                busy(cell).probe("host.server", &backends).probe("host.foreign", &[("cpu_us", foreign_us)])
            })
        };
        beside(1.9e6).is_fine_for(&RULE);
        beside(0.1e6).finds(&RULE);
    }

    #[test]
    fn one_session_per_cpu_is_as_it_should_be() {
        Built::healthy().is_fine_for(&RULE);
        let few = |cell| busy(cell).probe("host.server", &[("backends_run_delay_us", 0.4e6)]);
        Built::healthy().with(few).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_hosts_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.cpu", "no /proc"));
        assert_eq!(built.lacks(&RULE), "host.cpu CPU time: no /proc");
    }
}
