//! `memory-stall`: the machine or the server's control group has too little memory, and tasks wait until some is found.

use results::probe_fields::{host_cgroup, host_disk, host_memory, host_pressure, host_vm};

use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, figure,
};
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::seconds::ChartedSeries;
use crate::diagnose::spent::is_wait;

/// The rule.
pub(in crate::diagnose) const RULE: Rule = Rule {
    code: &Code {
        name: "memory-stall",
        group: CodeGroup::Memory,
        detects: "Tasks wait for memory: the kernel reclaims, swaps or kills before it can allocate any.",
        reported_if: "Tasks wait for memory (PSI), or the kernel killed a process of the server's control group. A killed \
                process of the host counts only if those of the group are not counted. If the sides alternate in slices, \
                only kills in the group count.",
        thresholds: &[
            RuleThreshold::at_least("time in which some task waits for memory", PRESSURE, ThresholdUnit::Share),
            RuleThreshold::at_least("killed processes, alternatively", KILLED, ThresholdUnit::Count),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "Each memory allocation of a session can stall, at any point of a transaction. Give the host or the group more memory, or \
              reduce the memory use of the server (shared_buffers, work_mem, connections).",
        evidence: "Memory pressure of host or control group (PSI), swapping, reclaimed pages and out-of-memory kills.",
        fix: "Add memory, or lower shared_buffers, work_mem or the number of connections.",
        confirm: "Run the plan again with more memory or a smaller shared_buffers.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "time in which some task waited for memory",
        unit: QuantityUnit::Share,
        of: memory_pressure_share,
    },
    look: look_for_memory_stall,
};

/// Share of the time in which some task waited for memory.
fn memory_pressure_share(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    case.has_its_host_to_itself("host.pressure of this side alone")?;
    Ok(case.counter_rate_per_s(host_pressure::MEMORY_SOME_US)? / 1e6)
}

/// Share of the time in which some task waited for memory, from which on it is felt. Pressure of a healthy machine is
/// far below a hundredth; a tenth is where the kernel's documentation of PSI sees a loss of
/// throughput that a monitor should tell.
const PRESSURE: f64 = 0.1;

/// One process that the kernel kills for lack of memory is a fault.
const KILLED: f64 = 1.0;

/// Share of what is read from the disk that had been in memory shortly before (refaults, as the kernel counts them),
/// from which on the waits for the disk are waits for memory: with enough of it most of the reads would not have been.
const REREAD: f64 = 0.5;

/// A page of memory nearly everywhere; some ARM machines have larger ones, of which less is counted here than was read.
const PAGE_BYTES: f64 = 4096.0;

/// What the kernel killed for want of memory, and whose it was, as far as its counters tell.
#[derive(Clone, Copy, PartialEq)]
enum Killed {
    /// Processes of the server's own control group.
    OfGroup(f64),
    /// Processes of the host, none of which was of the group.
    OfOthers(f64),
    /// Processes of the host; nobody counts those of the group.
    OfSomebody(f64),
    /// None, or nobody counts them.
    Nothing,
}

impl Killed {
    /// The group's own count decides: that of the host has every neighbour's.
    fn from_counters(case: &DiagnosisCase<'_>) -> Self {
        let of_host = case.total_increase(host_vm::OUT_OF_MEMORY_KILLS).unwrap_or_default();
        match case.total_increase(host_cgroup::MEMORY_OOM_KILLS) {
            Ok(kills) if kills >= KILLED => Self::OfGroup(kills),
            Ok(_) if of_host >= KILLED => Self::OfOthers(of_host),
            Err(_) if of_host >= KILLED => Self::OfSomebody(of_host),
            Ok(_) | Err(_) => Self::Nothing,
        }
    }

    fn title_of_kills(self) -> &'static str {
        match self {
            Self::OfGroup(_) => "the kernel killed processes of the server's control group (out of memory)",
            Self::OfSomebody(_) => {
                "the kernel killed processes on the host (out of memory); their control group is not known"
            }
            Self::OfOthers(_) | Self::Nothing => "tasks wait for memory",
        }
    }

    fn figure_of_kills(self) -> Option<EvidenceFigure> {
        let (name, kills) = match self {
            Self::OfGroup(kills) => ("processes of the server's control group killed (out of memory)", kills),
            Self::OfOthers(kills) => ("processes killed on the host, none in the server's control group", kills),
            Self::OfSomebody(kills) => ("processes killed on the host, control group not known", kills),
            Self::Nothing => return None,
        };
        Some(figure(name, FigureAmount::Count(kills)))
    }
}

fn look_for_memory_stall(case: &DiagnosisCase<'_>) -> Looked {
    let killed = Killed::from_counters(case);
    let pressure = case.counter_rate_per_s(host_pressure::MEMORY_SOME_US).map(|us_per_s| us_per_s / 1e6);
    let is_pressed = pressure.as_ref().is_ok_and(|some| *some >= PRESSURE);
    if !matches!(killed, Killed::OfGroup(_)) {
        if !is_pressed && !matches!(killed, Killed::OfSomebody(_)) {
            // Without pressure information it stays open whether tasks wait.
            return pressure.map(|_| None);
        }
        case.has_its_host_to_itself("host.pressure of this side alone")?;
    }
    let reread = share_reread_from_disk(case);
    let windows = case.windows_where(|second| {
        let felt = second.rate_of_second(host_pressure::MEMORY_SOME_US).is_some_and(|us| us / 1e6 >= PRESSURE);
        let of_group = second.rate_of_second(host_cgroup::MEMORY_OOM_KILLS).is_some_and(|kills| kills > 0.0);
        let of_host = second.rate_of_second(host_vm::OUT_OF_MEMORY_KILLS).is_some_and(|kills| kills > 0.0);
        felt || of_group || (of_host && matches!(killed, Killed::OfSomebody(_)))
    });
    Ok(Some(CaseFinding {
        title: killed.title_of_kills().to_owned(),
        kind: FindingKind::Problem,
        confidence: if matches!(killed, Killed::OfSomebody(_)) && !is_pressed {
            Confidence::Low
        } else {
            Confidence::Medium
        },
        cost: match reread {
            Some(share) if share >= REREAD => case.cost_in(|part| is_wait(part, "IO")),
            // The kernel tells that tasks waited, not which of them.
            Some(_) | None => FindingCost::NotAttributable,
        },
        figures: figures_of_memory(case, pressure.ok(), killed, reread),
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(host_pressure::MEMORY_SOME_US, "some task waits for memory"),
                ChartedSeries::series_of_field(host_vm::PAGES_RECLAIMED_DIRECT, "pages reclaimed directly by tasks"),
            ],
        ),
        windows,
        would_disprove: "the same throughput with more memory".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "give the host or the server's group more memory, run this plan, and compare: throughput rises",
        ),
        mend: None,
    }))
}

fn figures_of_memory(
    case: &DiagnosisCase<'_>,
    some: Option<f64>,
    killed: Killed,
    reread: Option<f64>,
) -> Vec<EvidenceFigure> {
    let mut figures = Vec::new();
    if let Some(some) = some {
        figures.push(figure("time in which some task waited for memory", FigureAmount::Share(some)));
    }
    for (field, name) in [
        (host_vm::PAGES_RECLAIMED_DIRECT, "pages reclaimed directly by tasks"),
        (host_vm::PAGES_REFAULTED, "pages refaulted (read again soon after reclaim)"),
        (host_vm::PAGES_SWAPPED_IN, "pages swapped in"),
        (host_cgroup::MEMORY_MAX_EVENTS, "events of the group at its memory limit"),
    ] {
        if let Ok(per_s) = case.counter_rate_per_s(field).map(|per_s| per_s.max(0.0))
            && per_s > 0.0
        {
            figures.push(figure(format!("{name}, per second"), FigureAmount::PerS(per_s)));
        }
    }
    figures.extend(killed.figure_of_kills());
    if let Ok(level) = case.mean_gauge_level(host_memory::AVAILABLE_BYTES) {
        figures.push(figure("memory available on the host", FigureAmount::Bytes(level)));
    }
    if let Some(share) = reread {
        figures.push(figure(
            "share of the bytes read from the disk that are refaults",
            FigureAmount::Share(share.min(1.0)),
        ));
    }
    figures
}

/// Share of the bytes read from the server's disk that had been in memory; none without figures of that disk.
fn share_reread_from_disk(case: &DiagnosisCase<'_>) -> Option<f64> {
    let read = case.counter_rate_per_s(host_disk::READ_BYTES).ok().filter(|bytes| *bytes > 0.0)?;
    Some(case.counter_rate_per_s(host_vm::PAGES_REFAULTED).ok()? * PAGE_BYTES / read)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn pressed(cell: Measurement, some_us: f64) -> Measurement {
        cell.probe("host.pressure", &[("memory_some_us", some_us)])
            .probe("host.vm", &[("pages_reclaimed_direct", 5000.0), ("out_of_memory_kills", 0.0)])
    }

    #[test]
    fn tasks_that_wait_for_memory_a_third_of_the_time_are_found() {
        let found = Built::healthy().with(|cell| pressed(cell, 330_000.0)).finds(&RULE);
        assert_eq!(found.figures[0].amount, FigureAmount::Share(0.33));
    }

    /// A server in whose own group, and on whose host, the kernel killed so many processes a second.
    fn killed(cell: Measurement, of_group: Option<f64>, of_host: f64) -> Measurement {
        let cell = cell.probe("host.vm", &[("out_of_memory_kills", of_host)]);
        match of_group {
            Some(kills) => cell.probe("host.cgroup", &[("memory_oom_kills", kills)]),
            None => cell,
        }
    }

    const OWN: &str = "the kernel killed processes of the server's control group (out of memory)";

    #[test]
    fn a_kill_in_the_server_s_own_group_is_found_whatever_the_pressure() {
        let found = Built::healthy().with(|cell| killed(pressed(cell, 0.0), Some(1.0), 1.0)).finds(&RULE);
        assert_eq!(found.title, OWN);
        let without_psi = |cell: Measurement| killed(cell.gap("host.pressure", "no such file"), Some(1.0), 1.0);
        assert_eq!(Built::healthy().with(without_psi).finds(&RULE).title, OWN);
        let by_turns = |cell: Measurement| killed(cell.takes_turns(0.5), Some(1.0), 1.0);
        assert_eq!(Built::healthy().with(by_turns).finds(&RULE).title, OWN);
    }

    #[test]
    fn a_kill_of_a_neighbour_is_not_the_server_s() {
        Built::healthy().with(|cell| killed(pressed(cell, 0.0), Some(0.0), 1.0)).is_fine_for(&RULE);
        let beside_pressure = Built::healthy().with(|cell| killed(pressed(cell, 330_000.0), Some(0.0), 1.0));
        let found = beside_pressure.finds(&RULE);
        assert_eq!(found.title, "tasks wait for memory");
        let names: Vec<&str> = found.figures.iter().map(|figure| figure.name.as_str()).collect();
        assert!(names.contains(&"processes killed on the host, none in the server's control group"), "{names:?}");
        let without_psi = |cell: Measurement| killed(cell.gap("host.pressure", "no such file"), Some(0.0), 1.0);
        assert_eq!(Built::healthy().with(without_psi).lacks(&RULE), "host.pressure memory_some_us: no such file");
    }

    #[test]
    fn a_kill_that_only_the_host_counts_is_nobody_s_in_particular() {
        let found = Built::healthy().with(|cell| killed(pressed(cell, 0.0), None, 1.0)).finds(&RULE);
        assert!(found.title.ends_with("their control group is not known"), "{}", found.title);
        assert_eq!((found.confidence, found.cost), (Confidence::Low, FindingCost::NotAttributable));
    }

    /// Sessions that wait for reads of 4 MiB a second, of which so much is read again.
    fn rereading(cell: Measurement, share: f64) -> Measurement {
        let disk = [("reads", 512.0), ("read_bytes", 4_194_304.0)];
        let waiting = pressed(cell, 330_000.0).sees("active", Some("IO:DataFileRead"), 400).probe("host.disk", &disk);
        waiting.probe("host.vm", &[("pages_refaulted", share * 1024.0), ("out_of_memory_kills", 0.0)])
    }

    #[test]
    fn what_is_read_again_for_want_of_memory_costs_the_waits_for_the_disk() {
        let found = Built::healthy().with(|cell| rereading(cell, 0.9)).finds(&RULE);
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.5), "{:?}", found.cost);
        let found = Built::healthy().with(|cell| rereading(cell, 0.1)).finds(&RULE);
        assert_eq!(found.cost, FindingCost::NotAttributable);
    }

    #[test]
    fn of_rules_that_see_the_same_waits_the_cause_is_first() {
        let slow =
            [("read_time_us", 7_500_000.0), ("queue_time_us", 7_500_000.0), ("write_time_us", 0.0), ("writes", 0.0)];
        let slow = move |cell| {
            rereading(cell, 0.9)
                .probe("host.disk", &slow)
                .probe("host.disk", &[("written_bytes", 0.0), ("busy_us", 990_000.0)])
        };
        let names: Vec<&str> =
            Built::healthy().with(slow).diagnosis().findings.iter().map(|finding| finding.rule.code.name).collect();
        let place = |name| names.iter().position(|found| *found == name).unwrap_or_else(|| panic!("{name}: {names:?}"));
        assert!(place("memory-stall") < place("disk-limit"), "{names:?}");
    }

    #[test]
    fn a_machine_that_reclaims_in_the_background_is_fine() {
        Built::healthy().with(|cell| pressed(cell, 4_000.0)).is_fine_for(&RULE);
    }

    #[test]
    fn a_kernel_without_pressure_information_leaves_it_open() {
        let built = Built::healthy().with(|cell| cell.gap("host.pressure", "no such file"));
        assert_eq!(built.lacks(&RULE), "host.pressure memory_some_us: no such file");
    }
}
