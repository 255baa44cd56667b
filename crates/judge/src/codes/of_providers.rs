//! The codes of what the provider of a managed server says against a trial.

use super::{Code, CodeGroup, IssueEffect};

/// `credits-exhausted`: A balance of credits of a managed server was zero before or after a trial.
pub const CREDITS_EXHAUSTED: Code = Code {
    name: "credits-exhausted",
    group: CodeGroup::Cpu,
    detects: "A balance of credits of a managed server was zero before or after a trial.",
    reported_if: "The command of `facts` prints a balance of zero before or after the trial.",
    thresholds: &[],
    effects: &[IssueEffect::Invalidates],
    why: "Without credits, the provider limits the CPU or the disk of the instance to its baseline. The trial measured that limit.",
    evidence: "The balance before and after the trial, as the provider reports it.",
    fix: "Wait until credits have accrued, or measure a class without credits.",
    confirm: "Run the plan again with enough credits: throughput is higher.",
    formerly: &[],
};

/// `credits-spent`: A balance of credits of a managed server fell during a trial.
pub const CREDITS_SPENT: Code = Code {
    name: "credits-spent",
    group: CodeGroup::Cpu,
    detects: "A balance of credits of a managed server fell during a trial.",
    reported_if: "The command of `facts` prints a lower balance after the trial than before it.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The instance was faster than it can be for long. When the credits are spent, throughput falls.",
    evidence: "The balance before and after the trial, as the provider reports it.",
    fix: "Measure until the credits are spent, or use a class without credits.",
    confirm: "Run the plan again with longer trials: the throughput of later trials is lower.",
    formerly: &[],
};

/// `provider-event`: The provider of a managed server reports an event during a trial.
pub const PROVIDER_EVENT: Code = Code {
    name: "provider-event",
    group: CodeGroup::Load,
    detects: "The provider of a managed server reports an event during a trial.",
    reported_if: "The command of `facts` prints an event, such as a failover, maintenance or a backup, between the start and the \
            end of the trial.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The figures include the effect of the event.",
    evidence: "The kind and the message of the event, as the provider reports them.",
    fix: "Repeat the run outside of the windows for maintenance and backups.",
    confirm: "Run the plan again: the provider reports no event.",
    formerly: &[],
};

/// `provider-unknown`: The provider of a managed server could not be asked before or after a trial.
pub const PROVIDER_UNKNOWN: Code = Code {
    name: "provider-unknown",
    group: CodeGroup::Method,
    detects: "The provider of a managed server could not be asked before or after a trial.",
    reported_if: "The command of `facts` failed, did not end in time, or printed something else.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Credits that were spent, a throttled instance or a failover would not be noticed.",
    evidence: "What the command said.",
    fix: "Run the command in a shell and correct it. Log in again if a token has expired.",
    confirm: "Run the plan again: the balances of every trial are known.",
    formerly: &[],
};
