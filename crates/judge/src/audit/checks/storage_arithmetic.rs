//! Bandwidth is operations × block size.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "storage-arithmetic",
        group: CodeGroup::Disk,
        detects: "The bandwidth of a storage job is not its IOPS × its block size.",
        reported_if: "The bandwidth of a storage job differs from IOPS × block size by more than rounding and the bound. Or \
                it is IOPS × block size in some rows, and a power of 1024 / 1000 of it in the others, within the second \
                bound. One confusion of units in all rows is exempt.",
        thresholds: &[
            RuleThreshold::more_than("difference", TOLERANCE, ThresholdUnit::Share),
            RuleThreshold::at_most("difference from a power of 1024 / 1000", EXACT, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens],
        why: "One of the three figures is wrong.",
        evidence: "IOPS, block size and bandwidth of each job.",
        fix: "Report the figures of one job, as measured.",
        confirm: "Repeat the job.",
        formerly: &["arithmetic-of-storage"],
    },
    about: RuleSubject::Storage,
    rule: "the bandwidth of a storage job is its IOPS × its block size within 5 %, in one unit in all rows; one \
           confusion of units in all rows is exempt",
    judge: check_storage_arithmetic,
};

const TOLERANCE: f64 = 0.05;

/// What one digit of a short figure is worth: how far rows may be from one factor.
const ROUNDED: f64 = 0.02;

/// Figures of three digits or more are this close to what they are computed from. Two units are further apart.
const EXACT: f64 = 0.006;

/// Powers of 1024 for powers of 1000, as in MB that are MiB.
const UNITS: [(&str, f64); 3] = [("kB", 1.024), ("MB", 1.048_576), ("GB", 1.073_741_824)];

fn check_storage_arithmetic(material: &Material) -> CheckResult {
    let mut told: Vec<(&StatedDiskStage, f64)> = Vec::new();
    for stage in &material.stages {
        told.extend(deviations_of_stage(stage).into_iter().map(|off| (stage, off)));
    }
    let Some(largest) = told.iter().map(|(_, off)| off.abs()).reduce(f64::max) else {
        return CheckResult::cannot_tell("IOPS, bandwidth and block size of storage jobs", vec![]);
    };
    if let Some(figures) = rows_in_another_unit(&told) {
        let consequence = "the bandwidths are in two units, so a comparison of them has the factor between the units";
        return CheckResult::rule_broken(Weight::Figures, figures, consequence);
    }
    if largest <= TOLERANCE {
        let text = format!("the figures agree; the largest deviation is {}", units::format_percent(largest));
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{} figures", told.len()), text)]);
    }
    if let Some(text) = one_unit(&told) {
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{} figures", told.len()), text)]);
    }
    let figures = told.iter().filter(|(_, off)| off.abs() > TOLERANCE).map(|(stage, off)| {
        let text = format!("the bandwidth differs by {} from IOPS × block size", units::format_change(*off));
        VerdictFigure::against_rule(format!("{}, {}", stage.job, stage.side), text)
    });
    let consequence = "IOPS, block size and bandwidth of these jobs contradict each other";
    CheckResult::rule_broken(Weight::Figures, figures.collect(), consequence)
}

/// How far the bandwidths of a job are from its operations times its block size, beyond what rounding explains.
fn deviations_of_stage(stage: &StatedDiskStage) -> Vec<f64> {
    stage
        .read_and_write_flows()
        .filter_map(|flow| {
            let off = flow.bytes_per_s? / (flow.iops * stage.block_bytes? as f64) - 1.0;
            let explained = flow.rounding.iops + flow.rounding.bytes_per_s;
            Some(off.signum() * (off.abs() - explained).max(0.0))
        })
        .collect()
}

/// The rows whose bandwidth is in another unit than that of the other rows, if every row is in one of two units. A
/// single row is rather a row with a wrong figure.
fn rows_in_another_unit(told: &[(&StatedDiskStage, f64)]) -> Option<Vec<VerdictFigure>> {
    for (unit, more) in UNITS {
        for factor in [more, 1.0 / more] {
            let others: Vec<&(&StatedDiskStage, f64)> =
                told.iter().filter(|(_, off)| is_off_by_factor(*off, factor)).collect();
            let exact = told.iter().filter(|(_, off)| is_off_by_factor(*off, 1.0)).count();
            if others.len() > 1 && exact > 1 && others.len() + exact == told.len() {
                let figures = others.into_iter().map(|(stage, off)| {
                    let text = format!(
                        "the bandwidth is {:.3} times IOPS × block size, and that of other rows is as large as it: powers \
                         of 1000 and of 1024 in {unit}",
                        1.0 + off
                    );
                    VerdictFigure::against_rule(format!("{}, {}", stage.job, stage.side), text)
                });
                return Some(figures.collect());
            }
        }
    }
    None
}

fn is_off_by_factor(off: f64, factor: f64) -> bool {
    ((1.0 + off) / factor - 1.0).abs() <= EXACT
}

/// In words, if every figure is off by the same factor, and it is that between two units. One figure shows no such
/// thing.
fn one_unit(told: &[(&StatedDiskStage, f64)]) -> Option<String> {
    let found = UNITS.iter().find_map(|(unit, more)| {
        let by = [*more, 1.0 / more]
            .into_iter()
            .find(|factor| told.iter().all(|(_, off)| ((1.0 + off) / factor - 1.0).abs() <= ROUNDED))?;
        Some((unit, by))
    });
    let (unit, by) = found.filter(|_| told.len() > 1)?;
    Some(format!(
        "all are {by:.3} times IOPS × block size: a confusion of units, such as powers of 1000 and of 1024 in {unit}"
    ))
}
