//! The codes of what is said of trials and runs, and those that several families of conclusions share.

use super::{Code, Group};

/// `undeclared-difference`: The sides differ in something that the plan does not declare: version, settings,
/// hardware, kernel, route, platform or locale.
pub const UNDECLARED_DIFFERENCE: Code = Code {
    name: "undeclared-difference",
    group: Group::Config,
    detects: "The sides differ in something that the plan does not declare: version, settings, hardware, kernel, route, platform or locale.",
    why: "It may cause the change or hide one.",
    evidence: "The facts of both sides, as read back.",
    fix: "Make the sides equal, or declare the difference in `may_differ`.",
    confirm: "Repeat with equal sides.",
    formerly: &["unlike-sides"],
};

/// `generator-bound`: The load generator is the limit: its busiest thread has no CPU time left.
pub const GENERATOR_BOUND: Code = Code {
    name: "generator-bound",
    group: Group::Load,
    detects: "The load generator is the limit: its busiest thread has no CPU time left.",
    why: "What was measured is how fast the load can be sent; the server may be faster.",
    evidence: "Share of the time in which the busiest thread runs or waits for a CPU, and CPU time of the server's processes.",
    fix: "Raise `threads`, or give the generator a machine of its own.",
    confirm: "Run the plan again with twice the threads: throughput rises if the generator was the limit.",
    formerly: &["client-bound"],
};

/// `shared-host`: The load generator runs on the server's host and takes CPU time from the server.
pub const SHARED_HOST: Code = Code {
    name: "shared-host",
    group: Group::Load,
    detects: "The load generator runs on the server's host and takes CPU time from the server.",
    why: "Figures are lower than with a load machine of its own, and a change shows smaller than it is.",
    evidence: "Where the generator runs, its share of the CPU time, and how busy the host is.",
    fix: "Give the load a machine of its own.",
    confirm: "Run the plan again with the load on another machine.",
    formerly: &["placement"],
};

/// `cpu-stolen`: The hypervisor withholds CPU time from the virtual machine of the server (steal).
pub const CPU_STOLEN: Code = Code {
    name: "cpu-stolen",
    group: Group::Cpu,
    detects: "The hypervisor withholds CPU time from the virtual machine of the server (steal).",
    why: "The machine is smaller than it says: it shares its CPUs or has used up its credit, and figures change with the neighbours.",
    evidence: "Stolen CPU time (`/proc/stat`), as a share of the CPU time that was wanted.",
    fix: "Use dedicated CPUs or another host.",
    confirm: "Run the plan again on dedicated CPUs: steal is 0 and throughput higher.",
    formerly: &[],
};

/// `noisy-neighbour`: Other processes on the server's host use CPU time that the server needs.
pub const NOISY_NEIGHBOUR: Code = Code {
    name: "noisy-neighbour",
    group: Group::Cpu,
    detects: "Other processes on the server's host use CPU time that the server needs.",
    why: "The figures are those of a machine that does two things.",
    evidence: "CPU time of processes that are neither the server's nor pgdyno's, and sessions that wait for a CPU.",
    fix: "Give the server a host of its own, or stop the other processes.",
    confirm: "Run the plan again without the other processes.",
    formerly: &[],
};

/// `settings-not-applied`: A setting that was asked for is not in force: huge pages are missing, a change waits for a
/// restart, or the value is not the plan's.
pub const SETTINGS_NOT_APPLIED: Code = Code {
    name: "settings-not-applied",
    group: Group::Config,
    detects: "A setting that was asked for is not in force: huge pages are missing, a change waits for a restart, or the value is not the plan's.",
    why: "The server falls back silently, so what is measured is not what was asked for.",
    evidence: "Settings, their sources and pending restarts (`pg_settings`), and reserved huge pages.",
    fix: "Restart the server, or reserve huge pages (vm.nr_hugepages) and set huge_pages = on.",
    confirm: "Run the plan again once the setting is in force.",
    formerly: &["silent-fallback"],
};

/// `load-backend-differs`: The load engine uses epoll on one side and io_uring on another.
pub const LOAD_BACKEND_DIFFERS: Code = Code {
    name: "load-backend-differs",
    group: Group::Load,
    detects: "The load engine uses epoll on one side and io_uring on another.",
    why: "Part of the change is the cost of sending.",
    evidence: "The backend of the load engine in each trial.",
    fix: "Allow io_uring on both sides, or force epoll.",
    confirm: "Run the plan again with one backend.",
    formerly: &[],
};

/// `branch-contention`: A workload that updates a branch in every transaction has fewer branches than clients.
pub const BRANCH_CONTENTION: Code = Code {
    name: "branch-contention",
    group: Group::Locks,
    detects: "A workload that updates a branch in every transaction has fewer branches than clients.",
    why: "It measures the wait for branch rows and not the server.",
    evidence: "Scale and clients of the workload.",
    fix: "Use a scale of at least the number of clients, or `simple-update`.",
    confirm: "Run the plan again with a larger scale.",
    formerly: &["contention"],
};

/// `no-repetition`: A cell was measured once or twice, or the best of several trials is compared.
pub const NO_REPETITION: Code = Code {
    name: "no-repetition",
    group: Group::Method,
    detects: "A cell was measured once or twice, or the best of several trials is compared.",
    why: "Nothing is known of run-to-run variation, so a change cannot be told from it.",
    evidence: "The number of trials of each cell, and what is compared.",
    fix: "Measure three blocks or more.",
    confirm: "Repeat the run with more blocks.",
    formerly: &["one-shot"],
};

/// `unsteady-throughput`: Throughput drifts, jumps or stands still while it is measured.
pub const UNSTEADY_THROUGHPUT: Code = Code {
    name: "unsteady-throughput",
    group: Group::Method,
    detects: "Throughput drifts, jumps or stands still while it is measured.",
    why: "The mean is of several states, and depends on when the trial began and ended.",
    evidence: "Throughput of each interval of the trial.",
    fix: "Warm up for longer, measure longer, and remove what disturbs the trial.",
    confirm: "Run the plan again with a longer warm-up.",
    formerly: &["drift"],
};

/// `failed-transactions`: Transactions fail with an error of the server.
pub const FAILED_TRANSACTIONS: Code = Code {
    name: "failed-transactions",
    group: Group::Load,
    detects: "Transactions fail with an error of the server.",
    why: "Failed transactions count in neither throughput nor latency; a trial with more than 1 % of them is not compared.",
    evidence: "Failed transactions, the most frequent SQLSTATE, its message and statement.",
    fix: "Remove the cause of the error, or let the script retry what may be retried.",
    confirm: "Run the plan again; no transaction fails.",
    formerly: &["failures"],
};

/// `connection-outage`: Connections are lost while measuring.
pub const CONNECTION_OUTAGE: Code = Code {
    name: "connection-outage",
    group: Group::Network,
    detects: "Connections are lost while measuring.",
    why: "A trial with an outage is not compared.",
    evidence: "Outages with their start, end and cause.",
    fix: "Find the cause in the server's log or on the route.",
    confirm: "Run the plan again; no connection is lost.",
    formerly: &["outages"],
};

/// `transactions-cancelled`: Transactions did not end within 5 s of the end of the load and were cancelled.
pub const TRANSACTIONS_CANCELLED: Code = Code {
    name: "transactions-cancelled",
    group: Group::Load,
    detects: "Transactions did not end within 5 s of the end of the load and were cancelled.",
    why: "What they wait for is missing from the latencies.",
    evidence: "The number of cancelled transactions.",
    fix: "Find what they wait for, such as a lock.",
    confirm: "Run the plan again for longer.",
    formerly: &["cancelled"],
};

/// `step-omitted`: A step between trials was left out, such as a checkpoint, since the role lacks the right.
pub const STEP_OMITTED: Code = Code {
    name: "step-omitted",
    group: Group::Method,
    detects: "A step between trials was left out, such as a checkpoint, since the role lacks the right.",
    why: "Trials begin in different states.",
    evidence: "The step and the server's answer.",
    fix: "Grant the right that the step needs.",
    confirm: "Run the plan again with the right.",
    formerly: &[],
};

/// `ledger-unchecked`: Acknowledged commits could not be checked after the trial.
pub const LEDGER_UNCHECKED: Code = Code {
    name: "ledger-unchecked",
    group: Group::Method,
    detects: "Acknowledged commits could not be checked after the trial.",
    why: "A server that loses commits would not be noticed.",
    evidence: "The reason why the ledger was not read.",
    fix: "Remove the reason.",
    confirm: "Run the plan again.",
    formerly: &[],
};

/// `state-not-restored`: Something that the trial changed could not be set back.
pub const STATE_NOT_RESTORED: Code = Code {
    name: "state-not-restored",
    group: Group::Method,
    detects: "Something that the trial changed could not be set back.",
    why: "Later trials begin in another state.",
    evidence: "What was not restored, and why.",
    fix: "Run `pgdyno restore`.",
    confirm: "Run the plan again after it.",
    formerly: &["not-restored"],
};

/// `pod-lost`: The pod of the server was replaced while measuring.
pub const POD_LOST: Code = Code {
    name: "pod-lost",
    group: Group::Config,
    detects: "The pod of the server was replaced while measuring.",
    why: "The trial is of two servers and is not compared.",
    evidence: "The pod's identity before and after the trial.",
    fix: "Find out why the pod was replaced.",
    confirm: "Run the plan again; the pod stays.",
    formerly: &[],
};

/// `pod-unobserved`: It could not be observed whether the pod of the server stayed the same.
pub const POD_UNOBSERVED: Code = Code {
    name: "pod-unobserved",
    group: Group::Config,
    detects: "It could not be observed whether the pod of the server stayed the same.",
    why: "A replaced pod would not be noticed.",
    evidence: "The reason why the pod was not read.",
    fix: "Grant the right to read pods.",
    confirm: "Run the plan again with the right.",
    formerly: &["pod-unseen"],
};

/// `offered-rate-missed`: An open loop completed fewer transactions than were due.
pub const OFFERED_RATE_MISSED: Code = Code {
    name: "offered-rate-missed",
    group: Group::Load,
    detects: "An open loop completed fewer transactions than were due.",
    why: "The latencies are of a server that does not keep up.",
    evidence: "Offered, completed and skipped transactions.",
    fix: "Offer less, or allow more clients in flight.",
    confirm: "Run the plan again with a lower rate.",
    formerly: &["below-offered"],
};

/// `late-sends`: The load engine began transactions more than 1 ms late although their client was free.
pub const LATE_SENDS: Code = Code {
    name: "late-sends",
    group: Group::Load,
    detects: "The load engine began transactions more than 1 ms late although their client was free.",
    why: "Part of the latency is the load engine's own.",
    evidence: "Late transactions out of all.",
    fix: "Give the generator more CPU time, or a machine of its own.",
    confirm: "Run the plan again with more `threads`.",
    formerly: &[],
};

/// `external-generator`: Another program sent the load.
pub const EXTERNAL_GENERATOR: Code = Code {
    name: "external-generator",
    group: Group::Load,
    detects: "Another program sent the load.",
    why: "It reports neither single outages nor its own CPU time, so less is known.",
    evidence: "The program and its version.",
    fix: "Compare its figures only with those of the same program.",
    confirm: "Run the plan again with pgdyno's own engine.",
    formerly: &[],
};

/// `ledger-mismatch`: Acknowledged commits are missing on the server, or refused ones are there.
pub const LEDGER_MISMATCH: Code = Code {
    name: "ledger-mismatch",
    group: Group::Wal,
    detects: "Acknowledged commits are missing on the server, or refused ones are there.",
    why: "The server does not keep what it acknowledges.",
    evidence: "Acknowledged, lost and unexpected transactions.",
    fix: "Check fsync, synchronous_commit and the disk.",
    confirm: "Run the plan again; no commit is lost.",
    formerly: &["ledger"],
};

/// `cache-state-mismatch`: The caches did not hold what they were to hold when the trial began, or it could not be
/// verified.
pub const CACHE_STATE_MISMATCH: Code = Code {
    name: "cache-state-mismatch",
    group: Group::Memory,
    detects: "The caches did not hold what they were to hold when the trial began, or it could not be verified.",
    why: "A trial that is declared cold or warm is not.",
    evidence: "Blocks read and hit, and bytes the disk read, in the first seconds.",
    fix: "Stop other work on the machine, and choose data that fit the declaration.",
    confirm: "Run the plan again and look at the first seconds.",
    formerly: &["cache"],
};

/// `slice-lost`: Slices were lost because no client had a connection.
pub const SLICE_LOST: Code = Code {
    name: "slice-lost",
    group: Group::Method,
    detects: "Slices were lost because no client had a connection.",
    why: "A trial with an outage is not compared.",
    evidence: "Lost slices out of all.",
    fix: "Find out why the connections failed.",
    confirm: "Run the plan again; no slice is lost.",
    formerly: &["turns-lost"],
};

/// `slice-overrun`: Much of the time of the slices passes until their last transactions end.
pub const SLICE_OVERRUN: Code = Code {
    name: "slice-overrun",
    group: Group::Method,
    detects: "Much of the time of the slices passes until their last transactions end.",
    why: "Clients that are done wait meanwhile.",
    evidence: "The share of the slices' time, and their length.",
    fix: "Choose slices many times as long as a transaction.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-overrun"],
};

/// `slice-edge`: Transactions take a different time at the beginning of a slice than later in it.
pub const SLICE_EDGE: Code = Code {
    name: "slice-edge",
    group: Group::Method,
    detects: "Transactions take a different time at the beginning of a slice than later in it.",
    why: "Each slice finds caches that the other side has used.",
    evidence: "Latency in the first quarter of the slices and after it.",
    fix: "Choose longer slices.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-edge"],
};

/// `slice-gaps`: Much time passes between the slices.
pub const SLICE_GAPS: Code = Code {
    name: "slice-gaps",
    group: Group::Method,
    detects: "Much time passes between the slices.",
    why: "The machine idles between them, and idle time is measured with them.",
    evidence: "The share of the time between slices.",
    fix: "Choose longer slices.",
    confirm: "Run the plan again with longer slices.",
    formerly: &["turns-gaps"],
};

/// `slice-dilution`: A workload that writes is measured in slices.
pub const SLICE_DILUTION: Code = Code {
    name: "slice-dilution",
    group: Group::Method,
    detects: "A workload that writes is measured in slices.",
    why: "What one side writes later, such as a checkpoint, falls into the other's slices, so a change shows smaller than it is.",
    evidence: "The workload and the plan's schedule.",
    fix: "Measure workloads that write in whole trials.",
    confirm: "Run the plan again without slices.",
    formerly: &["turns-diluted"],
};

/// `report-page-open`: The page of the run was open while it was measured.
pub const REPORT_PAGE_OPEN: Code = Code {
    name: "report-page-open",
    group: Group::Load,
    detects: "The page of the run was open while it was measured.",
    why: "The browser and the server of the page take CPU time.",
    evidence: "Open pages, their share of the time, and where they are.",
    fix: "Close the page while measuring, or look from another machine.",
    confirm: "Run the plan again without the page.",
    formerly: &["viewed"],
};

/// `noise-floor`: The baseline differs from itself beyond chance.
pub const NOISE_FLOOR: Code = Code {
    name: "noise-floor",
    group: Group::Method,
    detects: "The baseline differs from itself beyond chance.",
    why: "Something other than the targets changes the figures.",
    evidence: "The change between two measurements of the baseline.",
    fix: "Stop other load on the machine, or measure longer.",
    confirm: "Run the plan again; the baseline equals itself.",
    formerly: &[],
};

/// `imported-figures`: The figures are of other tools and were imported.
pub const IMPORTED_FIGURES: Code = Code {
    name: "imported-figures",
    group: Group::Method,
    detects: "The figures are of other tools and were imported.",
    why: "What is claimed of the targets was not read back.",
    evidence: "The imported files, and what they lack.",
    fix: "Measure with pgdyno.",
    confirm: "Compare with a run of pgdyno.",
    formerly: &[],
};

/// `host-unknown`: Nothing is known about the host of a target.
pub const HOST_UNKNOWN: Code = Code {
    name: "host-unknown",
    group: Group::Config,
    detects: "Nothing is known about the host of a target.",
    why: "Hardware and kernel of the sides cannot be compared.",
    evidence: "The facts of the target.",
    fix: "Let pgdyno read the host, by an agent or in the pod.",
    confirm: "Run the plan again with an agent.",
    formerly: &[],
};

/// `single-server-instance`: A change is claimed between servers that were created once for the run.
pub const SINGLE_SERVER_INSTANCE: Code = Code {
    name: "single-server-instance",
    group: Group::Method,
    detects: "A change is claimed between servers that were created once for the run.",
    why: "What two servers of the same kind differ by is in the change, and no block shows it.",
    evidence: "The targets and the plan's blocks.",
    fix: "Restart the servers before every block (`blocks: { restart: true }`), or run the plan again.",
    confirm: "Run the plan again, which creates new servers.",
    formerly: &[],
};

/// `separate-runs`: The sides were measured in two runs.
pub const SEPARATE_RUNS: Code = Code {
    name: "separate-runs",
    group: Group::Method,
    detects: "The sides were measured in two runs.",
    why: "Whatever changed on the machines between the runs is part of the change.",
    evidence: "The two runs.",
    fix: "Measure both targets in one plan.",
    confirm: "Measure both targets in one plan and compare.",
    formerly: &[],
};

/// `plans-differ`: The plans of the two runs ask for different workloads or phases.
pub const PLANS_DIFFER: Code = Code {
    name: "plans-differ",
    group: Group::Method,
    detects: "The plans of the two runs ask for different workloads or phases.",
    why: "The change contains that difference.",
    evidence: "The plans of both runs.",
    fix: "Measure both runs with one plan.",
    confirm: "Repeat one run with the other's plan.",
    formerly: &[],
};

/// `trials-left-out`: Trials of a cell do not count, and their blocks are left out.
pub const TRIALS_LEFT_OUT: Code = Code {
    name: "trials-left-out",
    group: Group::Method,
    detects: "Trials of a cell do not count, and their blocks are left out.",
    why: "The figure is of the trials that went well.",
    evidence: "The trials and why they do not count.",
    fix: "Remove the reason.",
    confirm: "Repeat the run; all trials count.",
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
    &LOAD_BACKEND_DIFFERS,
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
    &REPORT_PAGE_OPEN,
    &NOISE_FLOOR,
    &IMPORTED_FIGURES,
    &HOST_UNKNOWN,
    &SINGLE_SERVER_INSTANCE,
    &SEPARATE_RUNS,
    &PLANS_DIFFER,
    &TRIALS_LEFT_OUT,
];
