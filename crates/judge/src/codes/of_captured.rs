//! The codes of what is said of captured loads.

use super::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds;

/// `results-differ`: A statement of a captured load returns other results than on the baseline.
pub const RESULTS_DIFFER: Code = Code {
    name: "results-differ",
    group: CodeGroup::Method,
    detects: "A statement of a captured load returns other results than on the baseline.",
    reported_if: "Executions of a statement with the same values return another number of rows, other rows or another SQLSTATE \
            than on the baseline, in all trials of the first three blocks. Executions whose trials disagree on one side do not \
            count. If the load writes, or if results vary, the others must differ more often than chance explains.",
    thresholds: &[],
    effects: &[IssueEffect::Invalidates],
    why: "A statement that returns something else does other work: its times cannot be compared, and the application may not work.",
    evidence: "The statement, the number of executions that differ, and one of them with what both sides return.",
    fix: "Execute the statement of the example on both sides and compare what it returns.",
    confirm: "Run the plan again: the results are the same.",
    formerly: &[],
};

/// `replay-incomplete`: Much of a captured load is not replayed.
pub const REPLAY_INCOMPLETE: Code = Code {
    name: "replay-incomplete",
    group: CodeGroup::Method,
    detects: "Much of a captured load is not replayed.",
    reported_if: "The transactions that are replayed have too small a share of the captured calls or of their time.",
    thresholds: &[RuleThreshold::less_than(
        "replayed share of the captured calls, and of their time",
        thresholds::REPLAYED_AT_LEAST,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Weakens],
    why: "The verdict says nothing about what is not replayed.",
    evidence: "Calls of the capture and of the replay, and their time in the capture.",
    fix: "Read the reasons that the run prints, and capture again what the source did not have.",
    confirm: "Run the plan with the new capture.",
    formerly: &[],
};

/// `replay-failures`: Transactions fail in the replay that succeeded when they were captured.
pub const REPLAY_FAILURES: Code = Code {
    name: "replay-failures",
    group: CodeGroup::Method,
    detects: "Transactions fail in the replay that succeeded when they were captured.",
    reported_if: "Too large a share of the replayed transactions of a target fails. Transactions that failed when they were \
            captured are not replayed.",
    thresholds: &[RuleThreshold::more_than(
        "share of failed transactions",
        thresholds::REPLAY_FAILS_AT_MOST,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Weakens],
    why: "A transaction that fails does less work than the captured one. The data may not be those of the capture.",
    evidence: "Failed transactions by SQLSTATE, beside the failures of the capture.",
    fix: "Restore a dump made when the capture began, with masked data if the capture is masked.",
    confirm: "Run the plan with that dump: the failures are gone.",
    formerly: &[],
};

/// `replay-latency`: Statements take much longer or shorter in the replay on the baseline than when they were captured.
pub const REPLAY_LATENCY: Code = Code {
    name: "replay-latency",
    group: CodeGroup::Method,
    detects: "Statements take much longer or shorter in the replay on the baseline than when they were captured.",
    reported_if: "The mean time of a call on the baseline, as its clients measure it, and the time that the captured server \
            logged for the same calls differ by a large factor in either direction.",
    thresholds: &[RuleThreshold::more_than(
        "factor between the two",
        thresholds::REPLAY_LATENCY_FACTOR,
        ThresholdUnit::Times,
    )],
    effects: &[IssueEffect::Weakens],
    why: "The baseline is not like the captured server: hardware, caches, settings or concurrency differ, and so may the change.",
    evidence: "The mean time of a call in the capture and in the replay.",
    fix: "Use hardware, settings and a number of clients like those of the captured server, and warm the caches.",
    confirm: "Run the plan on such a baseline: both times are similar.",
    formerly: &[],
};
