//! The codes of what is said of trials and runs, and those that several families of conclusions share.

use stats::steady::MATERIAL;

use super::of_captured::{REPLAY_FAILURES, REPLAY_INCOMPLETE, REPLAY_LATENCY, RESULTS_DIFFER};
use super::of_providers::{CREDITS_EXHAUSTED, CREDITS_SPENT, PROVIDER_EVENT, PROVIDER_UNKNOWN};
use super::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds;

/// `undeclared-difference`: The sides differ in something that the plan does not declare: version, settings,
/// hardware, kernel, route, platform or locale.
pub const UNDECLARED_DIFFERENCE: Code = Code {
    name: "undeclared-difference",
    group: CodeGroup::Config,
    detects: "The sides differ in something that the plan does not declare: version, settings, hardware, kernel, route, platform or locale.",
    reported_if: "The facts of the sides differ in something that `may_differ` does not allow. In an audit of a study that \
            does not declare it, a single difference is taken for what is compared, unless the sides are named for \
            something else.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "It may cause the change or hide one.",
    evidence: "The facts of both sides, as read back.",
    fix: "Make the sides equal, or declare the difference in `may_differ`.",
    confirm: "Repeat with equal sides.",
    formerly: &["unlike-sides"],
};

/// `generator-bound`: The load generator is the bottleneck: its busiest thread has no CPU time left.
pub const GENERATOR_BOUND: Code = Code {
    name: "generator-bound",
    group: CodeGroup::Load,
    detects: "The load generator is the bottleneck: its busiest thread has no CPU time left.",
    reported_if: "The busiest thread of the generator runs or waits for a CPU for nearly all of the time. Its waits do not \
            count if the server uses these CPUs. The finding of the diagnosis also requires that sessions wait for the \
            generator. In a study without CPU times, throughput is flat over twice the clients or more, and leaves each \
            thread of the generator less than 30 µs for a transaction.",
    thresholds: &[
        RuleThreshold::at_least(
            "busiest thread's time on a CPU or waiting for one",
            thresholds::GENERATOR_AT_LIMIT,
            ThresholdUnit::Share,
        ),
        RuleThreshold::at_least(
            "latency outside the server, for the finding",
            thresholds::OUTSIDE_FELT,
            ThresholdUnit::Share,
        ),
    ],
    effects: &[IssueEffect::Weakens],
    why: "The result is the rate at which the load can be sent; the server may be faster.",
    evidence: "Share of the time in which the busiest thread runs or waits for a CPU, and CPU time of the server's processes.",
    fix: "Raise `threads`, or run the generator on a separate host.",
    confirm: "Run the plan again with twice the threads: throughput rises if the generator was the bottleneck.",
    formerly: &["client-bound"],
};

/// `shared-host`: The load generator runs on the server's host and takes CPU time from the server.
pub const SHARED_HOST: Code = Code {
    name: "shared-host",
    group: CodeGroup::Load,
    detects: "The load generator runs on the server's host and takes CPU time from the server.",
    reported_if: "The generator runs on the server's host, no CPU is idle, and the generator takes a large part of the CPU \
            time. Without an audit, the same host suffices.",
    thresholds: &[
        RuleThreshold::more_than("CPU utilization of the host", thresholds::CPUS_SATURATED, ThresholdUnit::Share),
        RuleThreshold::more_than(
            "CPU time of the generator as a share of all CPUs",
            thresholds::TAKEN_BY_GENERATOR,
            ThresholdUnit::Share,
        ),
    ],
    effects: &[IssueEffect::Weakens],
    why: "Results are worse than with the generator on a separate host, and changes appear smaller than they are.",
    evidence: "The host of the generator, the generator's share of the CPU time, and the CPU utilization of the host.",
    fix: "Run the generator on a separate host.",
    confirm: "Run the plan again with the generator on another host.",
    formerly: &["placement"],
};

/// `cpu-stolen`: The hypervisor withholds CPU time from the virtual machine of the server (steal).
pub const CPU_STOLEN: Code = Code {
    name: "cpu-stolen",
    group: CodeGroup::Cpu,
    detects: "The hypervisor withholds CPU time from the virtual machine of the server (steal).",
    reported_if: "Enough of the CPU time that the server's host demands is stolen: in the trials of a cell together for the \
            finding, on average over them for the audit.",
    thresholds: &[RuleThreshold::at_least(
        "stolen CPU time as a share of the CPU time demanded",
        thresholds::STOLEN,
        ThresholdUnit::Share,
    )],
    effects: IssueEffect::OF_AUDITED_FINDINGS,
    why: "The virtual machine has less CPU than it reports: it shares its CPUs, or has used up its CPU credits. The figures vary with \
          the load of other virtual machines.",
    evidence: "Stolen CPU time (`/proc/stat`), as a share of the CPU time demanded.",
    fix: "Use dedicated CPUs or another host.",
    confirm: "Run the plan again on dedicated CPUs: steal is 0 and throughput higher.",
    formerly: &[],
};

/// `noisy-neighbour`: Other processes on the server's host use CPU time that the server needs.
pub const NOISY_NEIGHBOUR: Code = Code {
    name: "noisy-neighbour",
    group: CodeGroup::Cpu,
    detects: "Other processes on the server's host use CPU time that the server needs.",
    reported_if: "Other processes use CPU time of the server's host while CPUs are contended. The finding of the diagnosis \
            also requires that sessions wait for a CPU longer than they would alone.",
    thresholds: &[
        RuleThreshold::at_least(
            "CPU time of other processes as a share of all CPUs",
            thresholds::FOREIGN,
            ThresholdUnit::Share,
        ),
        RuleThreshold::at_least("CPU utilization of the host", thresholds::CPUS_CONTENDED, ThresholdUnit::Share),
        RuleThreshold::at_least(
            "additional waits for a CPU as a share of the latency, for the finding",
            thresholds::CPU_WAIT_FELT,
            ThresholdUnit::Share,
        ),
    ],
    effects: IssueEffect::OF_AUDITED_FINDINGS,
    why: "The figures include the effect of another workload on the same host.",
    evidence: "CPU time of processes that are neither the server's nor pgdyno's, and sessions that wait for a CPU.",
    fix: "Give the server a host of its own, or stop the other processes.",
    confirm: "Run the plan again without the other processes.",
    formerly: &[],
};

/// `settings-not-applied`: A requested setting is not in effect: huge pages are missing, a change requires a restart,
/// or the value differs from the plan.
pub const SETTINGS_NOT_APPLIED: Code = Code {
    name: "settings-not-applied",
    group: CodeGroup::Config,
    detects: "A requested setting is not in effect: huge pages are missing, a change requires a restart, or the value differs from the plan.",
    reported_if: "A changed setting waits for a restart, requested huge pages are not in use, or a word that the plan sets \
            differs from what the server reports. Numbers are not compared. The audit also checks that the load uses one \
            interface (epoll or io_uring) on all sides.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The server falls back silently, so the measured configuration is not the requested one.",
    evidence: "Settings, their sources and pending restarts (`pg_settings`), and reserved huge pages.",
    fix: "Restart the server, or reserve huge pages (vm.nr_hugepages) and set huge_pages = on.",
    confirm: "Run the plan again once the setting is in effect.",
    formerly: &["silent-fallback"],
};

/// `branch-contention`: A workload that updates a branch in every transaction has fewer branches than clients.
pub const BRANCH_CONTENTION: Code = Code {
    name: "branch-contention",
    group: CodeGroup::Locks,
    detects: "A workload that updates a branch in every transaction has fewer branches than clients.",
    reported_if: "The workload updates a branch in every transaction, and its scale is smaller than the number of clients.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Row locks on the branches bound the throughput, not the server's capacity.",
    evidence: "Scale and clients of the workload.",
    fix: "Use a scale of at least the number of clients, or `simple-update`.",
    confirm: "Run the plan again with a larger scale.",
    formerly: &["contention"],
};

/// `no-repetition`: A cell was measured once or twice, or the best of several trials is compared.
pub const NO_REPETITION: Code = Code {
    name: "no-repetition",
    group: CodeGroup::Method,
    detects: "A cell was measured once or twice, or the best of several trials is compared.",
    reported_if: "A cell has too few trials. In a study, also if the best of several trials is compared; there, two trials of \
            each cell are enough if all trials together show the spread.",
    thresholds: &[RuleThreshold::less_than(
        "trials of a cell",
        thresholds::REPETITIONS_AT_LEAST as f64,
        ThresholdUnit::Count,
    )],
    effects: &[IssueEffect::Weakens],
    why: "Run-to-run variation is unknown, so a change cannot be distinguished from it.",
    evidence: "The number of trials of each cell, and the figures that are compared.",
    fix: "Measure three blocks or more.",
    confirm: "Repeat the run with more blocks.",
    formerly: &["one-shot"],
};

/// `unsteady-throughput`: Throughput drifts, shifts or stalls during the measurement.
pub const UNSTEADY_THROUGHPUT: Code = Code {
    name: "unsteady-throughput",
    group: CodeGroup::Method,
    detects: "Throughput drifts, shifts or stalls during the measurement.",
    reported_if: "In a closed loop without events and outside a capacity search, throughput has a trend over a trial beyond \
            chance, or stalls for several intervals. All trials of a side count if nearly all of their intervals go one \
            way, from the first tenth to the last. In the seconds of a run, a remaining warm-up or a jump of the level \
            counts as well, from a smaller change on.",
    thresholds: &[
        RuleThreshold::at_least("trend over a trial", thresholds::MOVES, ThresholdUnit::Share),
        RuleThreshold::at_most(
            "probability of the trend by chance, over all trials",
            thresholds::TREND_BY_CHANCE,
            ThresholdUnit::Share,
        ),
        RuleThreshold::at_least(
            "stalls of two or more intervals, as a share of the intervals of a trial",
            thresholds::STALLED_FOR,
            ThresholdUnit::Share,
        ),
        RuleThreshold::less_than(
            "throughput of a stalled interval as a share of the median",
            thresholds::STALLED_BELOW,
            ThresholdUnit::Share,
        ),
        RuleThreshold::at_least("change of the level in the seconds of a run", MATERIAL, ThresholdUnit::Share),
    ],
    effects: &[IssueEffect::Weakens],
    why: "The mean covers several states, and depends on when the trial began and ended.",
    evidence: "Throughput in each interval of the trial.",
    fix: "Use a longer warm-up and a longer measurement, and remove the cause of the disturbance.",
    confirm: "Run the plan again with a longer warm-up.",
    formerly: &["drift"],
};

/// `failed-transactions`: Transactions fail with an error from the server.
pub const FAILED_TRANSACTIONS: Code = Code {
    name: "failed-transactions",
    group: CodeGroup::Load,
    detects: "Transactions fail with an error from the server.",
    reported_if: "Any transaction fails with an error from the server, in a trial without events. Failures after an event are \
            reported with the event.",
    thresholds: &[RuleThreshold::more_than(
        "failed transactions of a trial that is not compared",
        thresholds::FAILED_AT_MOST,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Invalidates, IssueEffect::Weakens],
    why: "Failed transactions count in neither throughput nor latency; a trial with more than 1 % of them is not compared.",
    evidence: "Failed transactions, the most frequent SQLSTATE, its message and statement.",
    fix: "Remove the cause of the error, or let the script retry the errors that may be retried.",
    confirm: "Run the plan again; no transaction fails.",
    formerly: &["failures"],
};

/// `connection-outage`: Connections are lost during the measurement.
pub const CONNECTION_OUTAGE: Code = Code {
    name: "connection-outage",
    group: CodeGroup::Network,
    detects: "Connections are lost during the measurement.",
    reported_if: "Any connection is lost during the measurement, before the first event of the trial.",
    thresholds: &[],
    effects: &[IssueEffect::Invalidates],
    why: "A trial with an outage is not compared.",
    evidence: "Outages with their start, end and cause.",
    fix: "Find the cause in the server's log or on the route.",
    confirm: "Run the plan again; no connection is lost.",
    formerly: &["outages"],
};

/// `transactions-cancelled`: Transactions did not end within 5 s of the end of the load and were cancelled.
pub const TRANSACTIONS_CANCELLED: Code = Code {
    name: "transactions-cancelled",
    group: CodeGroup::Load,
    detects: "Transactions did not end within 5 s of the end of the load and were cancelled.",
    reported_if: "Any transaction is still in progress 5 s after the end of the load.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Their waiting time is missing from the latencies.",
    evidence: "The number of cancelled transactions.",
    fix: "Find the lock or resource that they wait for.",
    confirm: "Run the plan again with a longer measurement.",
    formerly: &["cancelled"],
};

/// `step-omitted`: A step between trials, such as a checkpoint, was omitted because the role lacks the privilege.
pub const STEP_OMITTED: Code = Code {
    name: "step-omitted",
    group: CodeGroup::Method,
    detects: "A step between trials, such as a checkpoint, was omitted because the role lacks the privilege.",
    reported_if: "The server refuses a step between trials.",
    thresholds: &[],
    effects: &[IssueEffect::Informs],
    why: "Trials begin in different states.",
    evidence: "The step and the server's error message.",
    fix: "Grant the privilege that the step requires.",
    confirm: "Run the plan again with the privilege.",
    formerly: &[],
};

/// `ledger-unchecked`: Acknowledged commits could not be verified after the trial.
pub const LEDGER_UNCHECKED: Code = Code {
    name: "ledger-unchecked",
    group: CodeGroup::Method,
    detects: "Acknowledged commits could not be verified after the trial.",
    reported_if: "The plan asks for a ledger, and it could not be read after the trial.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Lost commits would not be detected.",
    evidence: "The reason why the ledger was not read.",
    fix: "Remove the obstacle that the reason names.",
    confirm: "Run the plan again.",
    formerly: &[],
};

/// `state-not-restored`: A change that the trial made could not be undone.
pub const STATE_NOT_RESTORED: Code = Code {
    name: "state-not-restored",
    group: CodeGroup::Method,
    detects: "A change that the trial made could not be undone.",
    reported_if: "A changed kernel parameter could not be set back, or another process has changed it meanwhile.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Later trials begin in a different state.",
    evidence: "The changes that were not restored, and the reasons.",
    fix: "Run `pgdyno restore`.",
    confirm: "Run the plan again after the restore.",
    formerly: &["not-restored"],
};

/// `pod-lost`: The server's pod was replaced during the measurement.
pub const POD_LOST: Code = Code {
    name: "pod-lost",
    group: CodeGroup::Config,
    detects: "The server's pod was replaced during the measurement.",
    reported_if: "The server's pod was evicted, deleted, killed or started again during the load.",
    thresholds: &[],
    effects: &[IssueEffect::Invalidates],
    why: "The trial covers two server instances and is not compared.",
    evidence: "The pod's identity before and after the trial.",
    fix: "Find the cause of the replacement.",
    confirm: "Run the plan again; the pod is not replaced.",
    formerly: &[],
};

/// `pod-unobserved`: pgdyno could not observe whether the server's pod was replaced.
pub const POD_UNOBSERVED: Code = Code {
    name: "pod-unobserved",
    group: CodeGroup::Config,
    detects: "pgdyno could not observe whether the server's pod was replaced.",
    reported_if: "The state of the server's pod could not be read after the load.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "A replaced pod would not be detected.",
    evidence: "The reason why the pod was not read.",
    fix: "Grant permission to read pods.",
    confirm: "Run the plan again with the permission.",
    formerly: &["pod-unseen"],
};

/// `concurrent-run`: Another run of pgdyno uses the same server at the same time.
pub const CONCURRENT_RUN: Code = Code {
    name: "concurrent-run",
    group: CodeGroup::Method,
    detects: "Another run of pgdyno uses the same server at the same time.",
    reported_if: "When a trial begins or ends, a session of another run is connected to the server: its `application_name` \
            begins with `pgdyno-run-`. Servers that pgdyno creates are not asked.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Both runs measure the load of the other as well, and neither knows when it is sent.",
    evidence: "Number of other runs, and the databases to which they are connected.",
    fix: "Measure one after the other.",
    confirm: "Run the plan again while no other run uses the server.",
    formerly: &[],
};

/// `generator-lost`: One of several generators was lost, and the others went on.
pub const GENERATOR_LOST: Code = Code {
    name: "generator-lost",
    group: CodeGroup::Load,
    detects: "One of several generators was lost, and the others went on.",
    reported_if: "The connection to one of several generators breaks, or it is silent for 15 s, in a trial with events.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Its clients send nothing from then on. What the server answered is unknown, so their commits are not checked.",
    evidence: "The generator, the number of its clients, and what is known of its end.",
    fix: "Find out why the generator ended: its pod, its host, or the network.",
    confirm: "Run the plan again; no generator is lost.",
    formerly: &[],
};

/// `generator-differs`: One of several generators sees other figures than the others, or is another machine.
pub const GENERATOR_DIFFERS: Code = Code {
    name: "generator-differs",
    group: CodeGroup::Load,
    detects: "One of several generators sees other figures than the others, or is another machine.",
    reported_if: "In three trials of a cell or more, the interval of a generator's mean latency or round trip, relative to \
            the other generators, lies beyond the threshold. The interval is corrected for the number of generators and \
            figures. Generators whose CPUs, CPU model or kernel differ are reported as well.",
    thresholds: &[RuleThreshold::more_than(
        "difference from the other generators",
        thresholds::GENERATORS_DIFFER,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Weakens],
    why: "The latencies are a mixture: those of one generator have another distribution than those of the others.",
    evidence: "Mean latency and round trip of each generator by trial, and the facts of its machine.",
    fix: "Use equal machines with equal routes to the server, or leave the generator out.",
    confirm: "Run the plan again; the generators agree.",
    formerly: &[],
};

/// `offered-rate-missed`: An open loop completed fewer transactions than the schedule offered.
pub const OFFERED_RATE_MISSED: Code = Code {
    name: "offered-rate-missed",
    group: CodeGroup::Load,
    detects: "An open loop completed fewer transactions than the schedule offered.",
    reported_if: "An open loop completes fewer transactions than its schedule offers, by both bounds. Steps of a capacity \
            search and trials with events are exempt.",
    thresholds: &[
        RuleThreshold::less_than(
            "completed transactions as a share of those offered",
            thresholds::ACHIEVED_AT_LEAST,
            ThresholdUnit::Share,
        ),
        RuleThreshold::more_than("missing transactions", thresholds::FEW_MISSING as f64, ThresholdUnit::Count),
    ],
    effects: &[IssueEffect::Weakens],
    why: "The latencies are those of an overloaded system.",
    evidence: "Offered, completed and skipped transactions.",
    fix: "Lower the rate, or allow more clients in flight.",
    confirm: "Run the plan again with a lower rate.",
    formerly: &["below-offered"],
};

/// `late-sends`: The load engine began transactions more than 1 ms late although their client was idle.
pub const LATE_SENDS: Code = Code {
    name: "late-sends",
    group: CodeGroup::Load,
    detects: "The load engine began transactions more than 1 ms late although their client was idle.",
    reported_if: "Too many transactions begin late although their client is idle.",
    thresholds: &[RuleThreshold::more_than("late transactions", thresholds::LATE_SENDS, ThresholdUnit::Share)],
    effects: &[IssueEffect::Weakens],
    why: "Part of the latency originates in the load engine.",
    evidence: "Number of late transactions, out of all transactions.",
    fix: "Give the generator more CPU time, or run it on a separate host.",
    confirm: "Run the plan again with more `threads`.",
    formerly: &[],
};

/// `external-generator`: The load was sent by a program other than pgdyno's load engine.
pub const EXTERNAL_GENERATOR: Code = Code {
    name: "external-generator",
    group: CodeGroup::Load,
    detects: "The load was sent by a program other than pgdyno's load engine.",
    reported_if: "The workload has a `generator` other than pgdyno's load engine.",
    thresholds: &[],
    effects: &[IssueEffect::Informs],
    why: "The program reports neither single outages nor its own CPU time, so fewer checks are possible.",
    evidence: "The program and its version.",
    fix: "Compare its figures only with those of the same program.",
    confirm: "Run the plan again with pgdyno's load engine.",
    formerly: &[],
};

/// `ledger-mismatch`: Acknowledged commits are missing on the server, or transactions that were not acknowledged are
/// present.
pub const LEDGER_MISMATCH: Code = Code {
    name: "ledger-mismatch",
    group: CodeGroup::Wal,
    detects: "Acknowledged commits are missing on the server, or transactions that were not acknowledged are present.",
    reported_if: "Any acknowledged commit is missing, or any transaction without an acknowledgement is present. Commits lost \
            in a promotion are reported with that event.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The server's acknowledgements are not reliable.",
    evidence: "Acknowledged, lost and unexpected transactions.",
    fix: "Check fsync, synchronous_commit and the disk.",
    confirm: "Run the plan again; no commit is lost.",
    formerly: &["ledger"],
};

/// `cache-state-mismatch`: The caches were not in the declared state when the trial began, or their state could not be
/// verified.
pub const CACHE_STATE_MISMATCH: Code = Code {
    name: "cache-state-mismatch",
    group: CodeGroup::Memory,
    detects: "The caches were not in the declared state when the trial began, or their state could not be verified.",
    reported_if: "The plan declares a cold or a warm cache, and the reads of the first seconds contradict it or were not \
            observed. Cold: the server misses blocks, and the disk supplies few of them. Warm: the server misses blocks, \
            and the disk supplies many.",
    thresholds: &[
        RuleThreshold::more_than(
            "bytes that the server misses in the first seconds",
            thresholds::BYTES_OF_ACCOUNT,
            ThresholdUnit::Bytes,
        ),
        RuleThreshold::less_than(
            "bytes that the disk reads as a share of those that a cold server misses",
            thresholds::FROM_DISK_WHEN_COLD,
            ThresholdUnit::Share,
        ),
        RuleThreshold::more_than(
            "bytes missed and read from the disk as a share of those that a warm server requests",
            thresholds::FROM_DISK_WHEN_WARM,
            ThresholdUnit::Share,
        ),
    ],
    effects: &[IssueEffect::Weakens],
    why: "The trial is not the cold or warm one that the plan declares.",
    evidence: "Pages read and hit, and bytes read from the disk, in the first seconds.",
    fix: "Stop other work on the host, and choose a data size that fits the declared state.",
    confirm: "Run the plan again and check the first seconds.",
    formerly: &["cache"],
};

/// `slice-lost`: Slices were lost because no client had a connection.
pub const SLICE_LOST: Code = Code {
    name: "slice-lost",
    group: CodeGroup::Method,
    detects: "Slices were lost because no client had a connection.",
    reported_if: "In any slice of the measurement, no client had a connection.",
    thresholds: &[],
    effects: &[IssueEffect::Invalidates],
    why: "A trial with an outage is not compared.",
    evidence: "Lost slices out of all.",
    fix: "Find the cause of the connection failures.",
    confirm: "Run the plan again; no slice is lost.",
    formerly: &["turns-lost"],
};

/// `slice-overrun`: A large share of the slices' time is spent waiting for their last transactions.
pub const SLICE_OVERRUN: Code = Code {
    name: "slice-overrun",
    group: CodeGroup::Method,
    detects: "A large share of the slices' time is spent waiting for their last transactions.",
    reported_if: "The last transactions of the slices take a large share of the slices' time.",
    thresholds: &[RuleThreshold::at_least(
        "time of the last transactions as a share of the slices' time",
        thresholds::SLICE_OVERRUN_FROM,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Weakens],
    why: "Clients that have finished are idle meanwhile.",
    evidence: "The share of the slices' time, and the length of a slice.",
    fix: "Choose slices that are many times as long as a transaction.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-overrun"],
};

/// `slice-edge`: Latency at the beginning of a slice differs from latency later in it.
pub const SLICE_EDGE: Code = Code {
    name: "slice-edge",
    group: CodeGroup::Method,
    detects: "Latency at the beginning of a slice differs from latency later in it.",
    reported_if: "Latency in the first quarter of the slices is higher or lower than later in them, and the 99 % interval of \
            the difference excludes 0.",
    thresholds: &[RuleThreshold::at_least(
        "difference of the latency",
        thresholds::SLICE_EDGE_FROM,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Weakens],
    why: "Each slice begins with caches that the other side has used.",
    evidence: "Latency in the first quarter of the slices and after it.",
    fix: "Set `slice` to a larger value, up to 500 ms: during a longer slice, more disturbances affect only one side.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-edge"],
};

/// `slice-gaps`: A large share of the trial passes between the slices.
pub const SLICE_GAPS: Code = Code {
    name: "slice-gaps",
    group: CodeGroup::Method,
    detects: "A large share of the trial passes between the slices.",
    reported_if: "Much time passes in which no side has its slice.",
    thresholds: &[RuleThreshold::at_least("time between slices", thresholds::SLICE_GAPS_FROM, ThresholdUnit::Share)],
    effects: &[IssueEffect::Weakens],
    why: "The host is idle between the slices, and the idle time is part of the measurement.",
    evidence: "The share of the time between slices.",
    fix: "Choose longer slices.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-gaps"],
};

/// `slice-dilution`: A workload that writes is measured in slices.
pub const SLICE_DILUTION: Code = Code {
    name: "slice-dilution",
    group: CodeGroup::Method,
    detects: "A workload that writes is measured in slices.",
    reported_if: "The sides alternate in slices, the workload writes, and the servers continue in the slices of the other side.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Deferred writes of one side, such as a checkpoint, fall into the slices of the other side, so a change appears smaller than it is.",
    evidence: "The workload and the plan's schedule.",
    fix: "Measure workloads that write in whole trials, or in `frozen-slices` on servers that pgdyno starts.",
    confirm: "Run the plan again without slices.",
    formerly: &["turns-diluted"],
};

/// `beside-load-failed`: A load that was to run beside the workload did not run, or some of its executions failed.
pub const BESIDE_LOAD_FAILED: Code = Code {
    name: "beside-load-failed",
    group: CodeGroup::Load,
    detects: "A load that was to run beside the workload did not run, or some of its executions failed.",
    reported_if: "A load beside could not be started, was never executed, or had failed executions in the measurement. With \
            more failures than the threshold, or without any execution, the trial is not compared. An execution that is \
            still in progress at the end of the trial counts as a run.",
    thresholds: &[RuleThreshold::more_than(
        "failed executions of a load beside, for a trial that is not compared",
        thresholds::FAILED_AT_MOST,
        ThresholdUnit::Share,
    )],
    effects: &[IssueEffect::Invalidates, IssueEffect::Weakens],
    why: "The workload was measured without what was to run beside it, so that its figures are better than they would be.",
    evidence: "Executions of the load beside that were completed, failed and in progress, and the first error.",
    fix: "Correct the script, the rights of the role, or the program that the error names.",
    confirm: "Run the plan again: the load beside has no failed execution.",
    formerly: &[],
};

/// `report-page-open`: The run's web page was open during the measurement.
pub const REPORT_PAGE_OPEN: Code = Code {
    name: "report-page-open",
    group: CodeGroup::Load,
    detects: "The run's web page was open during the measurement.",
    reported_if: "The run's web page was open at any time of the measurement.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The browser and the web server of the page use CPU time.",
    evidence: "Open pages, the share of the time, and the host of the browser.",
    fix: "Close the page during the measurement, or open it on another host.",
    confirm: "Run the plan again with the page closed.",
    formerly: &["viewed"],
};

/// `noise-floor`: The baseline differs from itself beyond chance.
pub const NOISE_FLOOR: Code = Code {
    name: "noise-floor",
    group: CodeGroup::Method,
    detects: "The baseline differs from itself beyond chance.",
    reported_if: "The interval of the change between two measurements of the baseline does not contain 0.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "An influence other than the targets changes the figures.",
    evidence: "The change between two measurements of the baseline.",
    fix: "Stop other load on the host, or measure longer.",
    confirm: "Run the plan again; the interval of the baseline against itself contains 0.",
    formerly: &[],
};

/// `imported-figures`: The figures were measured by another tool and imported.
pub const IMPORTED_FIGURES: Code = Code {
    name: "imported-figures",
    group: CodeGroup::Method,
    detects: "The figures were measured by another tool and imported.",
    reported_if: "The run was imported.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Claims about the targets were not verified by reading them back.",
    evidence: "The imported files, and the observations that they lack.",
    fix: "Measure with pgdyno.",
    confirm: "Compare with a run of pgdyno.",
    formerly: &[],
};

/// `host-unknown`: No facts about the host of a target are available.
pub const HOST_UNKNOWN: Code = Code {
    name: "host-unknown",
    group: CodeGroup::Config,
    detects: "No facts about the host of a target are available.",
    reported_if: "pgdyno could not read the host of a target.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Hardware and kernel of the sides cannot be compared.",
    evidence: "The facts of the target.",
    fix: "Let pgdyno read the host, with an agent or in the pod.",
    confirm: "Run the plan again with an agent.",
    formerly: &[],
};

/// `single-server-instance`: A change is claimed between servers that were created once for the run.
pub const SINGLE_SERVER_INSTANCE: Code = Code {
    name: "single-server-instance",
    group: CodeGroup::Method,
    detects: "A change is claimed between servers that were created once for the run.",
    reported_if: "A candidate improved or regressed, and pgdyno created its server and that of the baseline once for the run. \
            Servers that restart before every block are exempt.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "Differences between two instances of the same configuration are part of the change, and the blocks do not show them.",
    evidence: "The targets and the plan's blocks.",
    fix: "Restart the servers before every block (`blocks: { restart: true }`), or run the plan again.",
    confirm: "Run the plan again; each run creates new servers.",
    formerly: &[],
};

/// `empty-table`: Statements read a table that has no rows.
pub const EMPTY_TABLE: Code = Code {
    name: "empty-table",
    group: CodeGroup::Method,
    detects: "Statements read a table that has no rows.",
    reported_if: "A table occupies no page at the end of any trial of a target, no row of it was changed, and it was scanned.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "An index that is missing, or a worse query plan, costs nothing in an empty table.",
    evidence: "The size of the table, its scans, and the rows that were changed.",
    fix: "Fill the table with as many rows, as skewed, as in production, and ANALYZE it.",
    confirm: "Run the plan again with rows in the table.",
    formerly: &[],
};

/// `separate-runs`: The sides were measured in two runs.
pub const SEPARATE_RUNS: Code = Code {
    name: "separate-runs",
    group: CodeGroup::Method,
    detects: "The sides were measured in two runs.",
    reported_if: "Two runs are compared.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "A change on the hosts between the runs is part of the measured change.",
    evidence: "The two runs.",
    fix: "Measure both targets in one plan.",
    confirm: "Measure both targets in one plan and compare.",
    formerly: &[],
};

/// `plans-differ`: The plans of the two runs specify different workloads or phases.
pub const PLANS_DIFFER: Code = Code {
    name: "plans-differ",
    group: CodeGroup::Method,
    detects: "The plans of the two runs specify different workloads or phases.",
    reported_if: "Two runs are compared, and a workload of one name, or the phases of a trial, differ between their plans.",
    thresholds: &[],
    effects: &[IssueEffect::Weakens],
    why: "The measured change contains that difference.",
    evidence: "The plans of both runs.",
    fix: "Measure both runs with one plan.",
    confirm: "Repeat one run with the plan of the other.",
    formerly: &[],
};

/// `trials-left-out`: Trials of a cell are invalid, and their blocks are excluded.
pub const TRIALS_LEFT_OUT: Code = Code {
    name: "trials-left-out",
    group: CodeGroup::Method,
    detects: "Trials of a cell are invalid, and their blocks are excluded.",
    reported_if: "Not reported as an issue of a run. A history keeps it with the figure of a cell of which trials are invalid.",
    thresholds: &[],
    effects: &[],
    why: "The figures cover only the valid trials.",
    evidence: "The invalid trials and the reasons.",
    fix: "Remove the cause.",
    confirm: "Repeat the run; all trials are valid.",
    formerly: &[],
};

/// All of them.
pub const OF_RUNS: &[&Code] = &[
    &UNDECLARED_DIFFERENCE,
    &GENERATOR_BOUND,
    &SHARED_HOST,
    &CPU_STOLEN,
    &NOISY_NEIGHBOUR,
    &SETTINGS_NOT_APPLIED,
    &BRANCH_CONTENTION,
    &NO_REPETITION,
    &UNSTEADY_THROUGHPUT,
    &FAILED_TRANSACTIONS,
    &CONNECTION_OUTAGE,
    &TRANSACTIONS_CANCELLED,
    &STEP_OMITTED,
    &LEDGER_UNCHECKED,
    &STATE_NOT_RESTORED,
    &POD_LOST,
    &POD_UNOBSERVED,
    &CONCURRENT_RUN,
    &GENERATOR_LOST,
    &GENERATOR_DIFFERS,
    &OFFERED_RATE_MISSED,
    &LATE_SENDS,
    &EXTERNAL_GENERATOR,
    &LEDGER_MISMATCH,
    &CACHE_STATE_MISMATCH,
    &SLICE_LOST,
    &SLICE_OVERRUN,
    &SLICE_EDGE,
    &SLICE_GAPS,
    &SLICE_DILUTION,
    &BESIDE_LOAD_FAILED,
    &CREDITS_EXHAUSTED,
    &CREDITS_SPENT,
    &PROVIDER_EVENT,
    &PROVIDER_UNKNOWN,
    &REPORT_PAGE_OPEN,
    &NOISE_FLOOR,
    &IMPORTED_FIGURES,
    &HOST_UNKNOWN,
    &SINGLE_SERVER_INSTANCE,
    &EMPTY_TABLE,
    &SEPARATE_RUNS,
    &PLANS_DIFFER,
    &TRIALS_LEFT_OUT,
    &RESULTS_DIFFER,
    &REPLAY_INCOMPLETE,
    &REPLAY_FAILURES,
    &REPLAY_LATENCY,
];
