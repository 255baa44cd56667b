//! `cpu-throttled`: the server's control group used up its CPU quota and was stopped until the next period.

use results::probe_fields::host_cgroup;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::units;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "cpu-throttled",
        group: CodeGroup::Cpu,
        detects: "A CPU limit (the quota of a control group or a container) throttles the server in part of its periods.",
        reported_if: "The control group of the server has a CPU quota and is throttled in enough of its periods.",
        thresholds: &[RuleThreshold::at_least(
            "throttled periods as a share of all periods",
            THROTTLED_PERIODS,
            ThresholdUnit::Share,
        )],
        effects: IssueEffect::OF_FINDINGS,
        why: "A throttled server answers no client until the next period of 100 ms begins. Raise the limit, or use fewer clients.",
        evidence: "Periods in which the control group is throttled (`cpu.stat`).",
        fix: "Raise or remove the CPU limit, or use fewer clients.",
        confirm: "Run the plan again without the CPU limit.",
        formerly: &[],
    },
    measure: Measure::Figure { name: "throttled periods", unit: QuantityUnit::Share, of: throttled_share_of_periods },
    look: look_for_cpu_throttled,
};

/// From this share of the quota's periods on: a start-up or a vacuum touches the quota now and then, a limit that binds
/// does so in most of the periods. One in twenty adds up to 5 ms of standstill to each of them.
pub(super) const THROTTLED_PERIODS: f64 = 0.05;

/// Share of the quota's periods in which the server was stopped; 0 without a quota, which has no periods.
pub(super) fn throttled_share_of_periods(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    let periods = match case.total_increase(host_cgroup::CPU_PERIODS) {
        Err(_) if has_no_quota(case) => return Ok(0.0),
        periods => periods?,
    };
    let throttled = case.total_increase(host_cgroup::CPU_THROTTLED_PERIODS)?;
    Ok(if periods > 0.0 { throttled / periods } else { 0.0 })
}

/// A group without the CPU controller counts its usage and no periods: with no quota above it, nothing can stop it.
fn has_no_quota(case: &DiagnosisCase<'_>) -> bool {
    case.counter_rate_per_s(host_cgroup::CPU_USAGE_US).is_ok()
        && case.server_host().is_ok_and(|host| host.cgroup.cpus.is_none())
}

fn look_for_cpu_throttled(case: &DiagnosisCase<'_>) -> Looked {
    let throttled = throttled_share_of_periods(case)?;
    if throttled < THROTTLED_PERIODS {
        return Ok(None);
    }
    let stopped_s_per_s = case.counter_rate_per_s(host_cgroup::CPU_THROTTLED_US)? / 1e6;
    let mut figures = vec![
        figure("throttled periods", FigureAmount::Share(throttled)),
        figure("throttled time of its tasks, in seconds per second", FigureAmount::Count(stopped_s_per_s)),
    ];
    if let Some(cpus) = case.server_host().ok().and_then(|host| host.cgroup.cpus) {
        figures.push(figure("CPU limit, in CPUs", FigureAmount::Count(cpus)));
    }
    let windows =
        case.windows_where(|second| second.rate_of_second(host_cgroup::CPU_THROTTLED_PERIODS).is_some_and(|n| n > 0.0));
    Ok(Some(CaseFinding {
        title: format!("a CPU limit throttles the server in {} of the periods", units::format_percent(throttled)),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case.cost_in(|part| *part == BudgetPart::WaitingForCpu),
        figures,
        chart: case.chart_of_windows(
            &windows,
            &[ChartedSeries::series_of_field(host_cgroup::CPU_THROTTLED_US, "throttled time")],
        ),
        windows,
        would_disprove: "throughput that stays the same with a higher limit or none".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "raise the CPU limit of the server's group, run this plan, and compare: throughput rises and throttled periods disappear",
        ),
        mend: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::Built;

    #[test]
    fn most_periods_throttled_is_found() {
        let built = Built::healthy().with(|cell| {
            cell.probe("host.cgroup", &[("cpu_throttled_periods", 8.0), ("cpu_throttled_us", 400_000.0)])
                .probe("host.server", &[("backends_run_delay_us", 1.0e6)])
        });
        let found = built.finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(0.8));
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.1));
    }

    #[test]
    fn without_a_quota_or_without_throttling_there_is_nothing() {
        Built::healthy().is_fine_for(&RULE);
        Built::healthy().with(|cell| cell.probe("host.cgroup", &[("cpu_periods", 0.0)])).is_fine_for(&RULE);
    }

    #[test]
    fn a_group_that_counts_no_periods_is_not_stopped_unless_one_above_it_has_a_quota() {
        let uncontrolled = Built::healthy().with(|cell| cell.reads_only("host.cgroup", &[("cpu_usage_us", 1.9e6)]));
        uncontrolled.is_fine_for(&RULE);
        let below = uncontrolled.fact("/host/cgroup/cpus", 2.0.into());
        assert_eq!(below.lacks(&RULE), "host.cgroup cpu_periods: the probe did not read it");
    }

    #[test]
    fn an_unreadable_group_leaves_it_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.cgroup", "permission denied"));
        assert_eq!(built.lacks(&RULE), "host.cgroup cpu_periods: permission denied");
    }
}
