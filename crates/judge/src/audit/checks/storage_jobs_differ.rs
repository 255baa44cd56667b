//! The same storage job is the same on every side, and ran to its end.
//!
//! Its depth is `in-flight-of-storage`. A side that ran a job in several ways is alike where it shares one with the
//! others.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::asked::{self, RequestedOfSide, RequestedValue};
use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "storage-jobs-differ",
        group: CodeGroup::Disk,
        detects: "A storage job of one name has different parameters on the sides, or fails on one.",
        reported_if: "A storage job of one name has another pattern, block size, page cache mode, sync, pace or file size on \
                another side. It lasts much longer there although it does not move the same amount, or it fails. Differences that the sides are named for are exempt.",
        thresholds: &[RuleThreshold::more_than(
            "run time, relative to the shortest side",
            LONGER,
            ThresholdUnit::Times,
        )],
        effects: &[IssueEffect::Weakens],
        why: "The figures of different jobs cannot be compared.",
        evidence: "Pattern, block size, direct I/O, sync, rate and run time of the job on each side.",
        fix: "Run one job file on every side.",
        confirm: "Repeat the jobs with one job file.",
        formerly: &["same-jobs"],
    },
    about: RuleSubject::Storage,
    rule: "a storage job of one name has the same parameters on every side (pattern, block size, page cache, sync, \
           rate, file size). It lasts as long within a factor of two or moves the same amount, and ends without an \
           error. Differences that the sides are named for are allowed",
    judge: check_storage_jobs_differ,
};

/// A job that is so many times as long goes on when a burst has ended.
const LONGER: f64 = 2.0;

/// Amounts that are this close are one that was asked for: a job of a time moves what the disk gives in it.
const SAME_AMOUNT: f64 = 0.01;

const ASKED: [RequestedOfSide<StatedDiskStage>; 6] = [
    RequestedOfSide { what: "file size (bytes)", of: |stage| stage.file_bytes.map(RequestedValue::Exact) },
    RequestedOfSide { what: "pattern", of: |stage| stage.pattern.clone().map(RequestedValue::Name) },
    RequestedOfSide { what: "block size (bytes)", of: |stage| stage.block_bytes.map(RequestedValue::Exact) },
    RequestedOfSide {
        what: "page cache",
        of: |stage| stage.direct.map(|direct| named_value(direct, "bypassed", "used")),
    },
    RequestedOfSide {
        what: "sync of each write",
        of: |stage| stage.synced.filter(|_| stage.writes.is_some()).map(|synced| named_value(synced, "yes", "no")),
    },
    RequestedOfSide {
        what: "pace",
        of: |stage| Some(named_value(stage.paced, "at a rate", "free")).filter(|_| stage.direct.is_some()),
    },
];

fn named_value(holds: bool, yes: &str, no: &str) -> RequestedValue {
    RequestedValue::Name(if holds { yes } else { no }.to_owned())
}

fn check_storage_jobs_differ(material: &Material) -> CheckResult {
    let mut jobs: BTreeMap<&str, Vec<&StatedDiskStage>> = BTreeMap::new();
    for stage in &material.stages {
        jobs.entry(&stage.job).or_default().push(stage);
    }
    let failed = material.failed_jobs.iter();
    let mut figures: Vec<VerdictFigure> =
        failed.map(|(of, error)| VerdictFigure::against_rule(of.clone(), error.clone())).collect();
    let mut compared = 0;
    for (job, stages) in jobs {
        let (some, unlike) = asked::compare_asked_values(&ASKED, &material.sides, job, |side| {
            stages.iter().copied().filter(|stage| stage.side == side).collect()
        });
        compared += some;
        figures.extend(unlike);
        figures.extend(unlike_lengths(job, &stages));
    }
    if figures.iter().any(|figure| figure.breaks) {
        let consequence = "the parameters of the job differ between the sides, or the job failed on one: its figures \
                           do not compare the disks";
        return CheckResult::rule_broken(Weight::Comparison, figures, consequence);
    }
    if compared == 0 {
        return CheckResult::cannot_tell("the parameters of a storage job of one name on two sides", figures);
    }
    CheckResult::rule_holds(if figures.is_empty() {
        vec![VerdictFigure::within_rule(
            Material::extent_of_jobs(&material.stages),
            "the jobs have the same parameters",
        )]
    } else {
        figures
    })
}

/// The longest and the shortest side of a job, if they are far apart. Where all moved the same amount, that was asked
/// for, and the faster disk ends sooner.
fn unlike_lengths(job: &str, stages: &[&StatedDiskStage]) -> Option<VerdictFigure> {
    let mut longest: BTreeMap<&str, &StatedDiskStage> = BTreeMap::new();
    for &stage in stages.iter().filter(|stage| stage.runtime_s.is_some_and(|s| s > 0.0)) {
        let of_side = longest.entry(&stage.side).or_insert(stage);
        if stage.runtime_s > of_side.runtime_s {
            *of_side = stage;
        }
    }
    let mut told: Vec<&StatedDiskStage> = longest.into_values().collect();
    told.sort_by(|one, other| one.runtime_s.partial_cmp(&other.runtime_s).unwrap_or(Ordering::Equal));
    let (short, long) = (*told.first()?, *told.last()?);
    let (short_s, long_s) = (short.runtime_s?, long.runtime_s?);
    let moves_same = short
        .moved_bytes
        .zip(long.moved_bytes)
        .is_some_and(|(short, long)| (short - long).abs() <= SAME_AMOUNT * short.max(long));
    (long_s > LONGER * short_s && !moves_same).then(|| {
        let text = format!("{short_s:.0} s on {}, {long_s:.0} s on {}", short.side, long.side);
        VerdictFigure::against_rule(job.to_owned(), text)
    })
}
