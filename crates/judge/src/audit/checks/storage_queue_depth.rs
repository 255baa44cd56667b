//! Little's law for storage: Σ IOPS × mean latency is numjobs × iodepth, and the same on every side.
//!
//! Says nothing of jobs that sync, or may: the latency of a write leaves out the sync that the next one waits for.

use std::collections::BTreeMap;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "storage-queue-depth",
        group: CodeGroup::Disk,
        detects: "A storage job has another number of operations in flight than declared, or than on the other side.",
        reported_if: "IOPS × mean latency of a storage job differs between the sides, which weakens the comparison. Or it \
                differs from the declared numjobs × iodepth, which informs. Rounding is allowed beside the bound, and \
                jobs that may sync are exempt.",
        thresholds: &[RuleThreshold::more_than(
            "difference of the operations in flight",
            TOLERANCE,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens, IssueEffect::Informs],
        why: "At a limited device latency is in proportion to that number, so the jobs cannot be compared.",
        evidence: "IOPS × mean latency of the jobs, and their declared numjobs × iodepth.",
        fix: "Run the same job with the same depth on every side.",
        confirm: "Repeat the jobs with one job file.",
        formerly: &["in-flight-of-storage"],
    },
    about: RuleSubject::Storage,
    rule: "Σ IOPS × mean latency of a storage job is its numjobs × iodepth within 10 %, and the same on every side, \
           unless the job may sync",
    judge: check_storage_queue_depth,
};

/// Figures of storage are often reported with two digits.
const TOLERANCE: f64 = 0.10;

/// What was under way in a job, by side.
type DepthsOfSides<'m> = BTreeMap<&'m str, Vec<(&'m StatedDiskStage, f64)>>;

/// The same of each job.
type DepthsOfJobs<'m> = BTreeMap<&'m str, DepthsOfSides<'m>>;

fn check_storage_queue_depth(material: &Material) -> CheckResult {
    let told: Vec<(&StatedDiskStage, f64)> =
        material.stages.iter().filter_map(|stage| Some((stage, stage.in_flight()?))).collect();
    let mut untold: Vec<&str> =
        material.stages.iter().filter(|stage| stage.may_wait_for_sync()).map(|stage| stage.job.as_str()).collect();
    untold.sort_unstable();
    untold.dedup();
    let untold = (!untold.is_empty()).then(|| {
        VerdictFigure::within_rule(untold.join(", "), "not judged: the latencies would not include the time of a sync")
    });
    if told.is_empty() {
        let needs = "IOPS and mean latency of storage jobs that read, or that are known not to sync their writes";
        return CheckResult::cannot_tell(needs, untold.into_iter().collect());
    }
    let mut depths_of_jobs = DepthsOfJobs::new();
    for (stage, in_flight) in &told {
        let of_job = depths_of_jobs.entry(&stage.job).or_default();
        of_job.entry(&stage.side).or_default().push((stage, *in_flight));
    }
    let mut figures = Vec::new();
    let mut sides_differ = false;
    for (stage, in_flight) in &told {
        let of_sides = &depths_of_jobs[stage.job.as_str()];
        let unlike = of_sides.keys().any(|side| is_nowhere_as_deep(of_sides, [&stage.side, side]));
        let allowed = TOLERANCE + stage.rounding_error_share();
        let unstated = stage.stated_in_flight.is_some_and(|stated| (in_flight / stated - 1.0).abs() > allowed);
        sides_differ |= unlike;
        figures.push(queue_depth_figure(stage, *in_flight, unlike || unstated));
    }
    figures.extend(untold);
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = if sides_differ {
        "the storage jobs ran at different queue depths: at a limited device latency is in proportion to the depth, so \
         neither latencies nor IOPS can be compared between the sides"
    } else {
        "the storage jobs did not run at the declared depth, so their latencies belong to another depth"
    };
    CheckResult::rule_broken(if sides_differ { Weight::Comparison } else { Weight::Description }, figures, consequence)
}

/// Whether the job of this name was nowhere as deep on one of two sides as on the other. (A sweep over depths has the
/// others of its own side beside it.)
fn is_nowhere_as_deep(of_sides: &DepthsOfSides<'_>, [one, other]: [&str; 2]) -> bool {
    let (here, there) = (&of_sides[one], &of_sides[other]);
    !here.is_empty() && !there.is_empty() && !here.iter().any(|a| there.iter().any(|b| are_equally_deep(a, b)))
}

fn are_equally_deep((a, a_depth): &(&StatedDiskStage, f64), (b, b_depth): &(&StatedDiskStage, f64)) -> bool {
    a_depth.max(*b_depth)
        <= a_depth.min(*b_depth) * (1.0 + TOLERANCE + a.rounding_error_share() + b.rounding_error_share())
}

fn queue_depth_figure(stage: &StatedDiskStage, in_flight: f64, breaks: bool) -> VerdictFigure {
    let flows: Vec<String> = stage
        .read_and_write_flows()
        .filter_map(|flow| Some(format!("{:.0} IOPS × {}", flow.iops, format_latency(flow.latency_ms_mean?))))
        .collect();
    let stated = stage.stated_in_flight.map_or(String::new(), |stated| format!(" (declared: {stated:.0})"));
    VerdictFigure {
        of: format!("{}, {}", stage.job, stage.side),
        text: format!("{} = {in_flight:.1} in flight{stated}", flows.join(" + ")),
        breaks,
    }
}

fn format_latency(ms: f64) -> String {
    crate::units::format_milliseconds(ms)
}
