//! `noisy-neighbour`: something that is neither the server's nor pgdyno's uses the CPUs of the server's host while the
//! sessions wait for them. A pgbench or sysbench that pgdyno has started is its own.

use crate::budget::{BudgetPart, in_part};
use crate::codes;
use crate::diagnose::case::{DiagnosisCase, MeasuredTrial};
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::thresholds::{CPU_WAIT_FELT, is_taken_by_neighbour};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &codes::NOISY_NEIGHBOUR,
    measure: Measure::Figure {
        name: "CPU time of processes that are neither the server's nor pgdyno's",
        unit: QuantityUnit::Share,
        of: foreign_share_of_cpus,
    },
    look: look_for_noisy_neighbour,
};

/// Share of the CPUs' time that others took meanwhile; of sides that take turns it is of all of them.
fn foreign_share_of_cpus(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.has_its_host_to_itself("host.foreign of this side alone")?;
    case.foreign_cpu()
}

fn look_for_noisy_neighbour(case: &DiagnosisCase<'_>) -> Looked {
    let (foreign, busy) = (case.foreign_cpu()?, case.cpu_busy()?);
    if !is_taken_by_neighbour(foreign, Some(busy)) {
        return Ok(None);
    }
    let waiting = case.time_in(|part| *part == BudgetPart::WaitingForCpu)?;
    let cpus = case.usable_cpus()?;
    let cost = case.cost_of_shares(|measured, part| match part {
        BudgetPart::WaitingForCpu => share_for_others(measured, cpus),
        _ => 0.0,
    });
    if cost.attributed_share().is_none_or(|share| share < CPU_WAIT_FELT) {
        return Ok(None);
    }
    let windows = case.all_the_time();
    Ok(Some(CaseFinding {
        title: format!("other processes on the server's host use {} of its CPU time", units::format_percent(foreign)),
        kind: FindingKind::Problem,
        confidence: Confidence::Medium,
        cost,
        figures: vec![
            figure("CPU time of processes that are neither the server's nor pgdyno's", FigureAmount::Share(foreign)),
            figure("CPU utilization", FigureAmount::Share(busy)),
            figure("share of the latency spent waiting for a CPU", FigureAmount::Share(waiting.share)),
        ],
        chart: case
            .chart_of_windows(&windows, &[ChartedSeries::SESSIONS_WAITING_FOR_CPU, ChartedSeries::SESSIONS_ON_CPU]),
        windows,
        would_disprove: "the same throughput while no other process runs on the host".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "stop the other processes on the server's host, run this plan, and compare: throughput is higher",
        ),
        mend: None,
    }))
}

/// The share of a trial's waiting for a CPU that would not be without others on the host, 0 to 1. As many sessions as
/// are ready at a time would share the CPUs alone, too: what each waits then is no neighbour's.
pub(super) fn share_for_others(measured: &MeasuredTrial<'_>, cpus: f64) -> f64 {
    let Some(budget) = &measured.budget else { return 0.0 };
    let [running_ms, waiting_ms] = [BudgetPart::Running, BudgetPart::WaitingForCpu].map(|part| in_part(budget, &part));
    if waiting_ms <= 0.0 {
        return 0.0;
    }
    let transactions_per_ms = measured.load.transactions as f64 / (measured.load.measure_us.max(1) as f64 / 1e3);
    let ready = transactions_per_ms * (running_ms + waiting_ms);
    let alone_ms = running_ms * (ready / cpus - 1.0).max(0.0);
    (1.0 - alone_ms / waiting_ms).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn beside_another(cell: Measurement) -> Measurement {
        cell.probe("host.cpu", &[("user_us", 3.8e6), ("idle_us", 0.1e6)])
            .probe("host.server", &[("backends_cpu_us", 1.5e6), ("backends_run_delay_us", 1.0e6)])
            .probe("host.foreign", &[("cpu_us", 2.1e6)])
    }

    #[test]
    fn a_process_that_takes_half_of_the_machine_is_found() {
        let found = Built::healthy().with(beside_another).finds(&RULE);
        assert!(
            matches!(found.figures[0].amount, FigureAmount::Share(share) if (0.4..0.6).contains(&share)),
            "{found:?}"
        );
    }

    #[test]
    fn sessions_that_queue_behind_each_other_do_not_wait_for_a_neighbour() {
        // All 16 clients are ready for the four CPUs all the time, of which another process has a fifth.
        let crowd = |cell: Measurement| {
            cell.probe("host.cpu", &[("user_us", 4.0e6), ("idle_us", 0.0)])
                .probe("host.server", &[("backends_cpu_us", 3.15e6), ("backends_run_delay_us", 12.8e6)])
                .probe("host.foreign", &[("cpu_us", 0.85e6)])
                .sees_nothing()
                .sees("active", None, 80)
        };
        let found = Built::healthy().with(crowd).clients(16).finds(&RULE);
        let (share, waiting) = (found.cost.attributed_share().unwrap(), &found.figures[2].amount);
        let FigureAmount::Share(waiting) = *waiting else { panic!("{found:?}") };
        assert!(share < 0.5 * waiting, "{share} of {waiting}");
    }

    #[test]
    fn a_busy_server_and_a_program_that_sends_its_load_are_no_neighbours() {
        Built::healthy().is_fine_for(&RULE);
        let own = |cell| beside_another(cell).probe("host.foreign", &[("cpu_us", 0.1e6)]);
        Built::healthy().with(own).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_time_of_other_processes_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.foreign", "no such process"));
        assert_eq!(built.lacks(&RULE), "host.foreign cpu_us: no such process");
    }

    #[test]
    fn sessions_whose_waiting_for_a_cpu_was_not_counted_are_not_said_to_have_had_none() {
        let built = Built::healthy().with(beside_another).with(|cell| cell.gap("host.server", "no such process"));
        assert_eq!(built.lacks(&RULE), "host.server backends_run_delay_us: no such process");
    }
}
