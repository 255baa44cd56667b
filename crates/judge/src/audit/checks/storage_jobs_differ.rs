//! The same storage job is the same on every side, and ran to its end.
//!
//! Its depth is `in-flight-of-storage`. A side that ran a job in several ways is alike where it shares one with the
//! others.

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
        reported_if: "A storage job of one name has another pattern, block size, page cache mode, sync or pace on another \
                side, lasts much longer there, or fails. Differences that the sides are named for are exempt.",
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
           rate), lasts as long within a factor of two, and ends without an error; differences that the sides are \
           named for are allowed",
    judge: check_storage_jobs_differ,
};

/// A job that is so many times as long goes on when a burst has ended.
const LONGER: f64 = 2.0;

const ASKED: [RequestedOfSide<StatedDiskStage>; 5] = [
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
    let mut jobs: Vec<&str> = material.stages.iter().map(|stage| stage.job.as_str()).collect();
    jobs.sort_unstable();
    jobs.dedup();
    let failed = material.failed_jobs.iter();
    let mut figures: Vec<VerdictFigure> =
        failed.map(|(of, error)| VerdictFigure::against_rule(of.clone(), error.clone())).collect();
    let mut compared = 0;
    for job in jobs {
        let of = |side: &str| -> Vec<&StatedDiskStage> {
            material.stages.iter().filter(|stage| stage.job == job && stage.side == side).collect()
        };
        let (some, unlike) = asked::compare_asked_values(&ASKED, &material.sides, job, of);
        compared += some;
        figures.extend(unlike);
        figures.extend(unlike_lengths(material, job));
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

/// The longest and the shortest side of a job, if they are far apart.
fn unlike_lengths(material: &Material, job: &str) -> Option<VerdictFigure> {
    let longest = |side: &str| {
        let here = material.stages.iter().filter(|stage| stage.job == job && stage.side == side);
        here.filter_map(|stage| stage.runtime_s).reduce(f64::max)
    };
    let sides = material.sides.iter();
    let mut told: Vec<(&str, f64)> =
        sides.filter_map(|side| Some((side.name.as_str(), longest(&side.name).filter(|s| *s > 0.0)?))).collect();
    told.sort_by(|one, other| one.1.total_cmp(&other.1));
    let ((short, short_s), (long, long_s)) = (*told.first()?, *told.last()?);
    (long_s > LONGER * short_s).then(|| {
        VerdictFigure::against_rule(job.to_owned(), format!("{short_s:.0} s on {short}, {long_s:.0} s on {long}"))
    })
}
