//! Disks that are said to be the same perform alike.

use stats::centre::range_of_figures;

use super::{Check, RuleSubject};
use crate::audit::groups::in_groups;
use crate::audit::material::{Material, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "storage-class-mismatch",
        group: CodeGroup::Disk,
        detects: "The same storage job has a different throughput on sides whose storage is declared the same.",
        reported_if: "The same storage job has different throughputs on sides whose storage is declared the same. Of several \
                executions the medians are compared, and their ranges may not overlap.",
        thresholds: &[RuleThreshold::more_than(
            "highest throughput beyond the lowest",
            TOLERANCE,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens],
        why: "A neighbour, a burst, a limit or another depth is part of every difference between these sides.",
        evidence: "Throughput of the job on each side, with the declared storage.",
        fix: "Measure on volumes of one class, after bursts have ended.",
        confirm: "Repeat the job several times on each side.",
        formerly: &["same-disk"],
    },
    about: RuleSubject::Storage,
    rule: "the same storage job (name, block size, depth, direction, sync) has the same throughput within 20 % on \
           sides whose storage is declared the same",
    judge: check_storage_class_mismatch,
};

const TOLERANCE: f64 = 0.20;

fn check_storage_class_mismatch(material: &Material) -> CheckResult {
    let told = material.stages.iter().filter(|stage| stage.total_iops().is_some());
    let stated = told.filter(|stage| storage_of_stage(material, stage).is_some());
    let groups = in_groups(stated, |stage| (asked_of_stage(stage), storage_of_stage(material, stage)));
    let figures: Vec<VerdictFigure> = groups.iter().filter_map(|group| storage_class_figure(material, group)).collect();
    if figures.is_empty() {
        return CheckResult::cannot_tell(
            "the same storage job on two sides whose storage is declared the same",
            vec![],
        );
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = "storage that is declared the same performs differently: a neighbour, a burst, a limit or \
                       another depth is the cause, and is part of every other difference between these sides";
    CheckResult::rule_broken(Weight::Conclusion, figures, consequence)
}

fn storage_of_stage<'a>(material: &'a Material, stage: &StatedDiskStage) -> Option<&'a str> {
    material.side_by_name(&stage.side)?.storage.as_deref()
}

/// What was asked for: the job, its blocks and depth, whether it synced, read and wrote.
fn asked_of_stage(stage: &StatedDiskStage) -> (&str, Option<u64>, Option<u64>, Option<bool>, [bool; 2]) {
    let in_flight = stage.stated_in_flight.map(f64::to_bits);
    (&stage.job, stage.block_bytes, in_flight, stage.synced, [stage.reads.is_some(), stage.writes.is_some()])
}

/// One line of all sides; none of a single one.
fn storage_class_figure(material: &Material, group: &[&StatedDiskStage]) -> Option<VerdictFigure> {
    let mut sides: Vec<&str> = group.iter().map(|stage| stage.side.as_str()).collect();
    sides.dedup();
    let told: Vec<f64> = group.iter().filter_map(|stage| stage.total_iops()).collect();
    let [least, most] = range_of_figures(&told)?;
    let apart = match told.as_slice() {
        [one, other] => units::format_change(other / one - 1.0),
        _ => format!("{} from the lowest to the highest", units::format_change(most / least - 1.0)),
    };
    let each: Vec<String> = told.iter().map(|iops| format!("{iops:.0}")).collect();
    (sides.len() > 1).then(|| VerdictFigure {
        of: format!("{}, {}", group[0].job, join_with_and(&sides)),
        text: format!(
            "{} IOPS ({apart}) on {}",
            join_with_and(&each),
            storage_of_stage(material, group[0]).unwrap_or_default()
        ),
        breaks: most > (1.0 + TOLERANCE) * least && !do_executions_overlap(group),
    })
}

/// Whether the fastest execution of the slowest side is as fast as the slowest one of the fastest side.
fn do_executions_overlap(group: &[&StatedDiskStage]) -> bool {
    let ranges: Vec<[f64; 2]> = group.iter().filter_map(|stage| stage.range_of_executions()).collect();
    let lowest_end = ranges.iter().map(|[_, most]| *most).fold(f64::INFINITY, f64::min);
    let highest_begin = ranges.iter().map(|[least, _]| *least).fold(0.0, f64::max);
    ranges.len() == group.len() && lowest_end >= highest_begin
}

/// Such as `a, b and c`.
fn join_with_and<T: AsRef<str>>(items: &[T]) -> String {
    let items: Vec<&str> = items.iter().map(AsRef::as_ref).collect();
    match items.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        few => few.concat(),
    }
}
