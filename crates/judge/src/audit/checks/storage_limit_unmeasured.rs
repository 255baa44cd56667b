//! What a disk can do was measured, and not how long one request takes.
//!
//! A job that sends one request at a time has as many per second as fit one after the other: 1 / latency. One with a
//! rate has that rate. A disk that serves many at a time may do many times as much.

use std::collections::BTreeMap;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedDiskFlow, StatedDiskStage};
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes::{Code, CodeGroup, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "storage-limit-unmeasured",
        group: CodeGroup::Disk,
        detects: "All storage jobs of a direction send one request at a time or at a rate, so that their IOPS are no limit of the disk.",
        reported_if: "Never reported as broken. The audit lists the question as unanswered if all jobs of a side that read, \
                or all that write without a sync, keep fewer requests in flight than the bound or wait on purpose.",
        thresholds: &[RuleThreshold::less_than("requests in flight", SEVERAL, ThresholdUnit::Count)],
        effects: &[],
        why: "The IOPS of one request at a time are the reciprocal of its latency, and those of a job with a rate are the \
              rate. A disk that serves many requests at a time may do many times as much.",
        evidence: "IOPS × mean latency of each storage job, else its declared depth.",
        fix: "Compare the latencies, or add a job whose depth is the expected IOPS × the latency.",
        confirm: "Measure that job on every side; its IOPS no longer rise with the depth.",
        formerly: &[],
    },
    about: RuleSubject::Storage,
    rule: "where the limits of disks are compared, some job of each direction keeps several requests in flight and waits \
           for no rate",
    judge: check_storage_limit_unmeasured,
};

/// From so many requests in flight on, some waited beside others.
const SEVERAL: f64 = 1.5;

/// A job of a side in one direction.
#[derive(Clone, Copy)]
struct DirectedJob<'m> {
    stage: &'m StatedDiskStage,
    flow: &'m StatedDiskFlow,
    /// Requests in flight; zero where it waited on purpose, so that nothing else follows from them.
    in_flight: f64,
}

/// The job of each side and direction that keeps the most requests in flight.
type DeepestJobs<'m> = BTreeMap<(&'m str, &'static str), DirectedJob<'m>>;

fn deepest_jobs(material: &Material) -> DeepestJobs<'_> {
    let mut deepest = DeepestJobs::new();
    for stage in &material.stages {
        // What waits for syncs is no measure of a disk's limit, and nobody takes it for one.
        if stage.may_wait_for_sync() {
            continue;
        }
        let known = if stage.paced { Some(0.0) } else { stage.in_flight().or(stage.stated_in_flight) };
        let Some(in_flight) = known else { continue };
        for (direction, flow) in [("reads", &stage.reads), ("writes", &stage.writes)] {
            let Some(flow) = flow else { continue };
            let job = DirectedJob { stage, flow, in_flight };
            let most = deepest.entry((&stage.side, direction)).or_insert(job);
            if in_flight > most.in_flight {
                *most = job;
            }
        }
    }
    deepest
}

fn check_storage_limit_unmeasured(material: &Material) -> CheckResult {
    let deepest = deepest_jobs(material);
    if deepest.is_empty() {
        let needs = "the requests in flight of storage jobs that read, or that are known not to sync their writes";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let mut figures = Vec::new();
    for ((side, direction), job) in &deepest {
        if job.in_flight < SEVERAL {
            let text = format!("{direction}: {}", job.rate_in_words());
            figures.push(VerdictFigure::within_rule(format!("{}, {side}", job.stage.job), text));
        }
    }
    if figures.is_empty() {
        let extent = Material::extent_of_jobs(deepest.values().map(|job| job.stage));
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(extent, "several requests in flight")]);
    }
    let needs = "what is compared of these disks: the latency of a request, or their limit, which takes a job with more \
                 requests in flight and without a rate";
    CheckResult::cannot_tell(needs, figures)
}

impl DirectedJob<'_> {
    /// `1225 IOPS of one request at a time, 0.82 ms each; the declared 16.0k IOPS take 14 in flight`
    fn rate_in_words(&self) -> String {
        let iops = self.flow.iops;
        let rate = units::format_iops(iops);
        if self.stage.paced {
            return format!("{rate} of a job that waits on purpose, for a rate or between requests");
        }
        let latency_ms = self.flow.latency_ms_mean.unwrap_or(1e3 / iops);
        let mut text = format!("{rate} of one request at a time, {} each", units::format_milliseconds(latency_ms));
        let declared = self.stage.stated.and_then(|caps| caps.iops).filter(|declared| *declared as f64 > iops);
        if let Some(declared) = declared {
            let needed = (declared as f64 * latency_ms / 1e3).ceil();
            text.push_str(&format!("; the declared {} take {needed} in flight", units::format_iops(declared as f64)));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use results::disk::StatedCaps;

    use super::*;
    use crate::audit::CheckRuling;
    use crate::audit::material::Rounding;

    fn job(side: &str, name: &str, iops: f64, in_flight: f64) -> StatedDiskStage {
        let latency_ms_mean = Some(in_flight / iops * 1e3);
        let flow = StatedDiskFlow { iops, bytes_per_s: None, latency_ms_mean, rounding: Rounding::default() };
        StatedDiskStage {
            side: side.to_owned(),
            job: name.to_owned(),
            stated_in_flight: Some(in_flight),
            jobs: Some(1),
            synced: Some(false),
            reads: Some(flow),
            ..StatedDiskStage::default()
        }
    }

    fn result_of(stages: Vec<StatedDiskStage>) -> CheckResult {
        check_storage_limit_unmeasured(&Material { stages, ..Material::default() })
    }

    #[test]
    fn one_request_at_a_time_is_a_latency_and_what_a_declared_limit_takes_is_said() {
        let mut cloud = job("cloud", "read", 1225.0, 1.0);
        cloud.stated = Some(StatedCaps { iops: Some(16_000), bytes_per_s: None });
        let result = result_of(vec![job("old", "read", 11_800.0, 1.0), cloud.clone()]);
        assert!(matches!(result.verdict, CheckRuling::CannotTell { .. }), "{result:?}");
        let texts: Vec<&str> = result.figures.iter().map(|figure| figure.text.as_str()).collect();
        assert!(texts[0].ends_with("; the declared 16.0k IOPS take 14 in flight"), "{texts:?}");
        assert!(texts[0].starts_with("reads: 1225 IOPS of one request at a time, 0.82 ms each"), "{texts:?}");
        assert_eq!(result.figures.len(), 2);
        let deeper = job("cloud", "read at 32", 15_900.0, 32.0);
        let result = result_of(vec![job("old", "read", 90_000.0, 8.0), cloud, deeper]);
        assert_eq!(result.verdict, CheckRuling::Holds, "a deeper job beside it");
    }

    #[test]
    fn jobs_that_sync_are_no_measure_of_a_limit_and_those_with_a_rate_are_of_the_rate() {
        let mut synced = job("a", "wal", 100.0, 1.0);
        (synced.synced, synced.writes) = (Some(true), synced.reads.take());
        let result = result_of(vec![synced.clone()]);
        assert!(matches!(result.verdict, CheckRuling::CannotTell { .. }) && result.figures.is_empty(), "{result:?}");
        let mut paced = job("a", "read", 20_000.0, 16.0);
        paced.paced = true;
        let result = result_of(vec![synced.clone(), paced.clone()]);
        assert!(matches!(result.verdict, CheckRuling::CannotTell { .. }), "{result:?}");
        let [figure] = result.figures.as_slice() else { panic!("{result:?}") };
        assert!(figure.text.contains("20.0k IOPS of a job that waits on purpose"), "{figure:?}");
        let result = result_of(vec![paced, job("a", "at once", 90_000.0, 16.0)]);
        assert_eq!(result.verdict, CheckRuling::Holds);
    }
}
