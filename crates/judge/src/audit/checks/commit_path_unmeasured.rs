//! What a commit waits for was measured, where something is said of disks and commits.

use super::no_checkpoint::without_known_writes;
use super::{Check, RuleSubject};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes::{Code, CodeGroup};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "commit-path-unmeasured",
        group: CodeGroup::Disk,
        detects: "Disks and workloads that write are measured, but no storage job makes small synced writes.",
        reported_if: "Never reported as broken. The audit lists the question as unanswered if disks and workloads that write \
                are measured, and no storage job makes small synced writes.",
        thresholds: &[],
        effects: &[],
        why: "A commit waits for such writes: without them the disk is neither confirmed nor excluded as the cause.",
        evidence: "The storage jobs that were measured.",
        fix: "Add a job of 8 KiB sequential writes with fdatasync at depth 1.",
        confirm: "Measure that job on every side.",
        formerly: &["commit-path"],
    },
    about: RuleSubject::TransactionsAndStorage,
    rule: "where disks are measured in addition to workloads that write, the storage jobs include small synced writes, \
           which a commit waits for",
    judge: check_commit_path_unmeasured,
};

fn check_commit_path_unmeasured(material: &Material) -> CheckResult {
    if !material.trials.iter().any(|trial| trial.writes_data() == Some(true)) {
        return without_known_writes(material);
    }
    if material.stages.is_empty() {
        return CheckResult::cannot_tell("a storage job that ended, beside the workloads that write", vec![]);
    }
    let mut jobs: Vec<&str> = material.stages.iter().map(|stage| stage.job.as_str()).collect();
    jobs.dedup();
    jobs.sort_unstable();
    jobs.dedup();
    let measured = VerdictFigure::within_rule("storage jobs", jobs.join(", "));
    if material.stages.iter().any(|stage| stage.synced == Some(true)) {
        return CheckResult::rule_holds(vec![measured]);
    }
    let needs = "a job of 8 KiB sequential writes, each with fdatasync, at depth 1 on every side: without it the disks \
                 are neither confirmed nor excluded as the cause for workloads that write";
    CheckResult::cannot_tell(needs, vec![measured])
}
