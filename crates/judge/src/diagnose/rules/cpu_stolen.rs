//! `cpu-stolen`: the hypervisor gave the CPUs of the server's virtual machine to somebody else.

use results::probe_fields::host_cpu;

use crate::codes;
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingCost, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::thresholds::{STOLEN, is_stolen};
use crate::units;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &codes::CPU_STOLEN,
    measure: Measure::Figure {
        name: "stolen share of the CPU time demanded",
        unit: QuantityUnit::Share,
        of: stolen_share_of_wanted,
    },
    look: look_for_cpu_stolen,
};

/// Share of the CPU time that the machine wanted and did not get, meanwhile; of sides that take turns it is of all.
fn stolen_share_of_wanted(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.has_its_host_to_itself("host.cpu of this side alone")?;
    let wanted = case.cpu_busy()?;
    Ok(if wanted > 0.0 { case.share_of_cpus(&[host_cpu::STEAL_US])? / wanted } else { 0.0 })
}

fn look_for_cpu_stolen(case: &DiagnosisCase<'_>) -> Looked {
    let stolen = case.share_of_cpus(&[host_cpu::STEAL_US])?;
    let wanted = case.cpu_busy()?;
    if wanted == 0.0 || !is_stolen(stolen / wanted) {
        return Ok(None);
    }
    let share = stolen / wanted;
    // Bouts, mostly: where they were, as much was stolen as makes it a finding.
    let felt_us = STOLEN * wanted * f64::from(case.server_host()?.cpus) * 1e6;
    let windows =
        case.windows_where(|second| second.rate_of_second(host_cpu::STEAL_US).is_some_and(|us| us >= felt_us));
    Ok(Some(CaseFinding {
        title: format!(
            "the hypervisor withholds {} of the CPU time that the server's host demands",
            units::format_percent(share)
        ),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: FindingCost::Throughput { share },
        figures: vec![
            figure("stolen share of the CPU time demanded", FigureAmount::Share(share)),
            figure("stolen share of all CPU time", FigureAmount::Share(stolen)),
        ],
        chart: case
            .chart_of_windows(&windows, &[ChartedSeries::with_unit(host_cpu::STEAL_US, "CPUs stolen", "CPUs", 1e-6)]),
        windows,
        would_disprove: "the same throughput on a machine of this size whose steal is 0".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "move the server to dedicated CPUs, run this plan, and compare: steal is 0 and throughput higher",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn steal_is_found_with_its_share_of_what_was_wanted() {
        let stolen = Built::healthy().with(|cell| cell.probe("host.cpu", &[("steal_us", 0.4e6), ("idle_us", 1.9e6)]));
        assert_eq!(stolen.finds(&RULE).cost, FindingCost::Throughput { share: 0.2 });
    }

    #[test]
    fn its_windows_are_the_seconds_in_which_it_was_stolen() {
        let stolen = Built::healthy().with(|cell| {
            let calm = cell.probe("host.cpu", &[("steal_us", 0.0), ("idle_us", 1.9e6)]);
            let bout = calm.clone().probe("host.cpu", &[("steal_us", 1.8e6)]).reading("host.cpu");
            let line = serde_json::json!({ "probes": { "host.cpu": bout } });
            [2, 3].into_iter().fold(calm, |cell, second| cell.second(second, line.clone()))
        });
        let windows = stolen.finds(&RULE).windows;
        assert!(
            !windows.is_empty() && windows.iter().all(|window| (window.from_s, window.to_s) == (2.0, 4.0)),
            "{windows:?}"
        );
    }

    #[test]
    fn a_little_steal_is_not() {
        Built::healthy().with(|cell| cell.probe("host.cpu", &[("steal_us", 0.02e6)])).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_hosts_figures_it_stays_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.cpu", "no /proc"));
        assert_eq!(built.lacks(&RULE), "host.cpu CPU time: no /proc");
    }
}
