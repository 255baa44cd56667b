//! A transaction that writes waits for the disk to make its commit durable, so it takes no less than a synced write.

use super::no_checkpoint::without_known_writes;
use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material, StatedDiskStage, TrialAccount, lowercase_words};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "commit-without-sync",
        group: CodeGroup::Wal,
        detects: "Transactions that write take less time than the disk needs to make one write durable.",
        reported_if: "The mean latency of transactions that write is a fraction of the time of a synced write, as a storage \
                job with one such write at a time measured it on the same side. Sides that do not wait for it, by \
                synchronous_commit or fsync or by their names, are exempt.",
        thresholds: &[RuleThreshold::less_than(
            "mean latency, relative to a synced write",
            OF_A_SYNC,
            ThresholdUnit::Times,
        )],
        effects: &[IssueEffect::Weakens],
        why: "The WAL was on another disk, or commits were not made durable: the trials do not measure this disk.",
        evidence: "The latency of the transactions and the rate of the synced writes.",
        fix: "Check where pg_wal is, and that no cache between it and the disk acknowledges a flush.",
        confirm: "Measure synced writes with fio in the directory of pg_wal.",
        formerly: &[],
    },
    about: RuleSubject::TransactionsAndStorage,
    rule: "transactions that write take at least a quarter of the time of a synced write of the same side's disk, unless \
           commits do not wait for it",
    judge: check_commit_without_sync,
};

/// A synced write of fio may be two flushes, of the data and of the file's size, and the WAL's one: half of it, and as
/// much again for a disk that was busy with something else while fio ran.
const OF_A_SYNC: f64 = 0.25;

fn check_commit_without_sync(material: &Material) -> CheckResult {
    let writing: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| trial.writes_data() == Some(true)).collect();
    if writing.is_empty() {
        return without_known_writes(material);
    }
    let mut figures = Vec::new();
    for side in material.sides.iter().filter(|side| waits_for_commits(side)) {
        let Some(sync_ms) = synced_write_ms(material, &side.name) else { continue };
        for trial in writing.iter().filter(|trial| trial.side == side.name) {
            if let Some(latency_ms) = latency_of_client_ms(trial) {
                let text = format!(
                    "{} on average, a synced write takes {}",
                    units::format_milliseconds(latency_ms),
                    units::format_milliseconds(sync_ms)
                );
                let breaks = latency_ms < OF_A_SYNC * sync_ms;
                figures.push(VerdictFigure { of: trial.place_in_words(), text, breaks });
            }
        }
    }
    if figures.is_empty() {
        let needs = "a job of synced writes, one at a time, on a side with a workload that writes";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = "a commit cannot be faster than the disk that makes it durable: the WAL was on another disk, or \
                       something acknowledged it before it was durable. These trials do not measure this disk";
    CheckResult::rule_broken(Weight::Comparison, figures, consequence)
}

/// The latency of a trial; without one, the time that a client has for a transaction.
fn latency_of_client_ms(trial: &TrialAccount) -> Option<f64> {
    if trial.latency_ms_mean.is_some() {
        return trial.latency_ms_mean;
    }
    let clients = f64::from(trial.clients.known_count().filter(|_| trial.closed)?);
    Some(clients / trial.throughput_per_s.filter(|tps| *tps > 0.0)? * 1e3)
}

/// Whether commits wait for the disk, as far as is known: settings that are not told have their defaults.
fn waits_for_commits(side: &AuditedSide) -> bool {
    const OFF: [&str; 4] = ["off", "false", "no", "0"];
    const NAMED: [&str; 4] = ["async", "fsync", "unlogged", "commit"];
    let settings = ["synchronous_commit", "fsync"].map(|name| side.settings.get(name));
    let is_off = settings.into_iter().flatten().any(|value| OFF.contains(&value.as_str()));
    let is_named = lowercase_words(&side.name).iter().any(|word| NAMED.iter().any(|of| word.contains(of)));
    !is_off && !is_named
}

fn is_one_at_a_time(stage: &StatedDiskStage) -> bool {
    stage.jobs == Some(1) && stage.stated_in_flight.is_none_or(|depth| depth <= 1.0)
}

/// The time of one synced write of a side's disk, in milliseconds: of the fastest job that has one at a time.
fn synced_write_ms(material: &Material, side: &str) -> Option<f64> {
    let synced = material.stages.iter().filter(|stage| stage.side == side && stage.synced == Some(true));
    let rates = synced.filter(|stage| is_one_at_a_time(stage)).filter_map(|stage| Some(stage.writes?.iops));
    let fastest = rates.filter(|iops| *iops > 0.0).reduce(f64::max)?;
    Some(1e3 / fastest)
}
