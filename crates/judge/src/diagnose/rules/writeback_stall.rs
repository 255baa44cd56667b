//! `writeback-stall`: the kernel makes writers wait, because more of the page cache is dirty than it lets them have.

use results::probe_fields::{host_memory, host_vm};
use results::tuning::SettingsChange;

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::accounted::written_by_others;
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{CaseFinding, Confidence, FigureAmount, FindingKind, figure};
use crate::diagnose::mend::Mend;
use crate::diagnose::quantity::Measure;
use crate::diagnose::rule::{Looked, Rule};
use crate::diagnose::seconds::{ChartedSeries, Moment};
use crate::off_cpu::KernelPlace;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "writeback-stall",
        group: CodeGroup::Disk,
        detects: "Writes wait for the kernel to write back dirty pages, because its limits on dirty pages are reached.",
        reported_if: "Sessions wait to write, and the kernel throttles writers in enough of the seconds. It does in a second \
                in which dirty pages exceed the middle between its two limits, or would fill it within a moment. Not \
                reported if the sides alternate in slices.",
        thresholds: &[
            RuleThreshold::at_least("waits to write as a share of the sessions' time", WAITING, ThresholdUnit::Share),
            RuleThreshold::at_least("seconds in which the kernel throttles writers", OFTEN, ThresholdUnit::Share),
            RuleThreshold::at_most(
                "time in which the dirtied bytes fill that middle",
                FULL_WITHIN_S,
                ThresholdUnit::Seconds,
            ),
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "A write that would only copy data into memory waits for the disk. Limits that fit the disk's speed (vm.dirty_bytes, \
              vm.dirty_background_bytes), a faster disk or a larger shared_buffers avoid the wait.",
        evidence: "Sessions that wait to write, dirty pages beside the kernel's limits, and the rate at which pages become dirty.",
        fix: "Set vm.dirty_bytes and vm.dirty_background_bytes to values that fit the disk, or use a faster disk.",
        confirm: "Run the plan again with other limits; the waits disappear.",
        formerly: &[],
    },
    measure: Measure::Time,
    look: look_for_writeback_stall,
};

/// From this share of the sessions' time on, waiting to hand pages to the kernel is felt: a copy takes microseconds.
const WAITING: f64 = 0.1;

/// From this share of the seconds on the limits hold writers back:
/// writeback that catches up now and then holds nobody for long.
const OFTEN: f64 = 0.2;

/// A limit that would be full so soon, if nothing were written back, is met again and again. The kernel measures the
/// disk and sets the pace of writers every 200 ms (`BANDWIDTH_INTERVAL` in Linux's mm/page-writeback.c). Levels are
/// read once a second, and a limit that fills and empties many times within it would be
/// missed by looking at them alone.
const FULL_WITHIN_S: f64 = 0.2;

fn look_for_writeback_stall(case: &DiagnosisCase<'_>) -> Looked {
    let writing: f64 = case.waits_of("IO")?.iter().filter(|(event, _)| is_write(event)).map(|(_, share)| share).sum();
    if writing < WAITING {
        return Ok(None);
    }
    case.has_its_host_to_itself("host.vm of this side alone")?;
    let limit = case.mean_gauge_level(host_vm::DIRTY_THRESHOLD_BYTES)?;
    let background = case.mean_gauge_level(host_vm::DIRTY_BACKGROUND_THRESHOLD_BYTES)?;
    let dirty = case.mean_gauge_level(host_memory::DIRTY_BYTES)?;
    let dirtied_per_s = case.counter_rate_per_s(host_vm::DIRTIED_BYTES)?;
    let seconds = case.all_seconds().count() as f64;
    let held = case.all_seconds().filter(held_back).count() as f64 / seconds;
    if held < OFTEN {
        return Ok(None);
    }
    let windows = case.windows_where(held_back);
    let by_others = written_by_others(case, dirtied_per_s);
    let whose = if by_others.is_some() { ", most of which the server did not write" } else { "" };
    let of_kernel = case.figures_of_sleeps_beside_least(KernelPlace::is_of_server_file);
    let figures = vec![
        figure("sessions waiting to write", FigureAmount::Share(writing)),
        figure("seconds in which the kernel throttled writers", FigureAmount::Share(held)),
        figure("rate of dirtied bytes", FigureAmount::BytesPerS(dirtied_per_s)),
        figure("dirty pages", FigureAmount::Bytes(dirty)),
        figure("dirty background threshold", FigureAmount::Bytes(background)),
        figure("dirty threshold", FigureAmount::Bytes(limit)),
    ];
    Ok(Some(CaseFinding {
        title: format!("writes wait for kernel writeback of dirty pages{whose}"),
        kind: FindingKind::Problem,
        confidence: Confidence::High,
        cost: case
            .cost_in(|part| matches!(part, BudgetPart::Waiting(wait) if wait.class == "IO" && is_write(&wait.event))),
        figures: figures.into_iter().chain(by_others).chain(of_kernel).collect(),
        chart: case.chart_of_windows(
            &windows,
            &[
                ChartedSeries::series_of_field(host_memory::DIRTY_BYTES, "dirty pages"),
                ChartedSeries::series_of_field(host_vm::DIRTY_THRESHOLD_BYTES, "dirty threshold"),
                ChartedSeries::series_of_sessions("sessions waiting to write", &is_writing),
            ],
        ),
        windows,
        would_disprove: "the same throughput with limits that are ten times as high".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            "raise vm.dirty_bytes and vm.dirty_background_bytes on the server's host, run this plan, and compare: throughput rises",
        ),
        mend: mend_with_dirty_limits(case),
    }))
}

/// Writes that only copy into the page cache, unless the kernel holds the writer back.
fn is_write(event: &str) -> bool {
    matches!(
        event,
        "DataFileWrite"
            | "DataFileExtend"
            | "BufFileWrite"
            | "SLRUWrite"
            | "WALWrite"
            | "WALInitWrite"
            | "RelationMapWrite"
    )
}

fn is_writing(seen: &results::activity::SampledSessions) -> bool {
    seen.wait.as_ref().is_some_and(|wait| wait.class == "IO" && is_write(&wait.event))
}

/// Whether a second was one in which writers were slowed down: the kernel lets them run freely below the middle between
/// its two limits (`dirty_freerun_ceiling`, in the same file) and slows them more and more above it.
fn held_back(second: &Moment<'_>) -> bool {
    let limits = [host_vm::DIRTY_THRESHOLD_BYTES, host_vm::DIRTY_BACKGROUND_THRESHOLD_BYTES]
        .map(|field| second.level_of_second(field));
    let [Some(limit), Some(background)] = limits else { return false };
    let free = (limit + background) / 2.0;
    let levels = [host_memory::DIRTY_BYTES, host_memory::WRITEBACK_BYTES].map(|field| second.level_of_second(field));
    let above = matches!(levels, [Some(dirty), Some(writeback)] if dirty + writeback >= free);
    above || second.rate_of_second(host_vm::DIRTIED_BYTES).is_some_and(|per_s| per_s * FULL_WITHIN_S >= free)
}

/// The limits that the kernel has by default, a fifth and a tenth of the memory.
fn mend_with_dirty_limits(case: &DiagnosisCase<'_>) -> Option<Mend> {
    let memory = case.server_host().ok()?.memory_bytes;
    let limits = [("vm.dirty_bytes", memory / 5), ("vm.dirty_background_bytes", memory / 10)];
    let now = case.mean_gauge_level(host_vm::DIRTY_THRESHOLD_BYTES).ok()?;
    (now < limits[1].1 as f64).then(|| Mend {
        change: SettingsChange {
            sysctl: limits.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.to_string())).collect(),
            ..SettingsChange::default()
        },
        gives_up: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    const MB: f64 = 1e6;

    fn held(cell: Measurement) -> Measurement {
        cell.sees("active", Some("IO:DataFileWrite"), 30)
            .probe("host.memory", &[("dirty_bytes", 3.5 * MB), ("writeback_bytes", 0.5 * MB)])
            .probe("host.vm", &[("dirty_threshold_bytes", 4.0 * MB), ("dirty_background_threshold_bytes", 2.0 * MB)])
            .probe("host.vm", &[("dirtied_bytes", 9.0 * MB)])
    }

    #[test]
    fn dirty_pages_at_their_limit_while_sessions_write_are_found() {
        let found = Built::healthy().with(held).finds(&RULE);
        assert_eq!(found.figures[1].amount, FigureAmount::Share(1.0));
        assert!(found.cost.attributed_share().is_some_and(|share| share > 0.2), "{found:?}");
    }

    /// What is said where the server has used so many buffers a second.
    fn title_with_buffers(per_s: f64) -> String {
        let counters = [("buffers_alloc", per_s), ("buffers_clean", 0.0)];
        Built::healthy().with(|cell| held(cell).probe("pg.bgwriter", &counters)).finds(&RULE).title
    }

    #[test]
    fn pages_that_others_dirty_are_not_taken_for_the_server_s() {
        let of_server = "writes wait for kernel writeback of dirty pages";
        assert_eq!(title_with_buffers(1_000.0), of_server);
        assert_eq!(title_with_buffers(50.0), format!("{of_server}, most of which the server did not write"));
    }

    #[test]
    fn a_limit_that_fills_many_times_a_second_is_found_though_it_is_empty_when_it_is_looked_at() {
        let level = |cell| held(cell).probe("host.memory", &[("dirty_bytes", 0.2 * MB), ("writeback_bytes", 0.0)]);
        Built::healthy().with(level).is_fine_for(&RULE);
        let fast = |cell| level(cell).probe("host.vm", &[("dirtied_bytes", 280.0 * MB)]);
        let _found = Built::healthy().with(fast).finds(&RULE);
    }

    #[test]
    fn writes_far_below_the_limits_wait_for_something_else() {
        let free = |cell| held(cell).probe("host.vm", &[("dirty_threshold_bytes", 4000.0 * MB)]);
        Built::healthy().with(free).is_fine_for(&RULE);
        Built::healthy().is_fine_for(&RULE);
    }

    #[test]
    fn without_the_kernels_limits_it_stays_open() {
        let built = Built::healthy().with(|cell| held(cell).gap("host.vm", "no /proc/vmstat"));
        assert_eq!(built.lacks(&RULE), "host.vm dirty_threshold_bytes: no /proc/vmstat");
    }
}
