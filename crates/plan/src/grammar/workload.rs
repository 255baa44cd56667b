//! The keys of a workload.

use super::super::model::Cache;
use super::super::workload::{Arrivals, Builtin, Connections, Data, ErpObject, Generator, Mode};
use super::sysbench::{READ_INTENSIVE, SYSBENCH};
use super::{Form, Key, Presence, Record, words};

/// The largest scale: about 15 TB.
const SCALE_MAX: u64 = 1_000_000;

/// What holds for the key of a work that was not chosen.
const ONE_WORK: &str = "give one of `builtin`, `script`, `sysbench`, `read-intensive`, `erp`";

pub(super) static WORKLOAD: Record = Record {
    title: "a workload",
    doc: "One workload: what its transactions do (`builtin`, `script`, `sysbench`, `read-intensive` or `erp`), when they \
          begin, and what sends them.",
    keys: &[
        Key {
            name: "builtin",
            form: Form::Word(words::<Builtin>),
            presence: Presence::Absent(ONE_WORK),
            doc: "A script that pgbench has built in, statement for statement. Needs `scale`.",
        },
        Key {
            name: "script",
            form: Form::List { of: &Form::Script, may_be_empty: false },
            presence: Presence::Absent(ONE_WORK),
            doc: "Your own scripts in pgbench's language, each with its weight: `[orders.sql@9, refund.sql@1]`. A relative path \
                  starts at the plan. The run directory keeps a copy. With `scale` they run on pgbench's tables, without it \
                  on tables that are there already.",
        },
        Key {
            name: "sysbench",
            form: Form::Record(&SYSBENCH),
            presence: Presence::Absent(ONE_WORK),
            doc: "One of sysbench's scripts with its options, on tables as `sysbench prepare` makes them.",
        },
        Key {
            name: "read-intensive",
            form: Form::Record(&READ_INTENSIVE),
            presence: Presence::Absent(ONE_WORK),
            doc: "100 of sysbench's statements in a transaction, of which so many read.",
        },
        Key {
            name: "erp",
            form: Form::Record(&ERP),
            presence: Presence::Absent(ONE_WORK),
            doc: "Writing one kind of business object, as the 1C:Enterprise platform does it.",
        },
        Key {
            name: "cache",
            form: Form::Word(words::<Cache>),
            presence: Presence::Default("as-is"),
            doc: "What is in the caches when a trial begins, before its warm-up. Verified from the readings of the first \
                  seconds.",
        },
        Key {
            name: "scale",
            form: Form::Whole { min: 1, max: SCALE_MAX },
            presence: Presence::Absent("required with `builtin`; without it a `script` has tables of its own"),
            doc: "pgbench's scale factor: 100 000 accounts, about 15 MiB of data, each. Take at least as many as there are \
                  clients for `tpcb-like`. Workloads with managed data share the tables and so the scale.",
        },
        Key {
            name: "data",
            form: Form::Word(words::<Data>),
            presence: Presence::Absent("`managed`"),
            doc: "Who makes the tables `pgbench_accounts`, `pgbench_branches`, `pgbench_history`, `pgbench_tellers`.",
        },
        Key {
            name: "define",
            form: Form::Variables,
            presence: Presence::Empty,
            doc: "Variables that a `script` has from the start, as pgbench's `-D`.",
        },
        Key {
            name: "allow_shell",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Let a `script` run commands on this machine with `\\shell` and `\\setshell`.",
        },
        Key {
            name: "mode",
            form: Form::Word(words::<Mode>),
            presence: Presence::Default("prepared"),
            doc: "How statements are sent, as pgbench's `-M`.",
        },
        Key {
            name: "think",
            form: Form::Or { scalar: &Form::Duration { min_ms: 1 }, others: &[Form::Record(&THINK)] },
            presence: Presence::Absent("none"),
            doc: "A client's pause between two transactions in a closed loop.",
        },
        Key {
            name: "rate",
            form: Form::Or { scalar: &Form::Rate, others: &[Form::Record(&RAMP), Form::Sequence(&Form::Rate)] },
            presence: Presence::Absent("a closed loop"),
            doc: "Transactions per second that are offered, whether or not the server keeps up (an open loop); latency counts \
                  from the instant at which a transaction was due. A mapping grows evenly from the begin of the warm-up to \
                  the end of the measurement; a list has an equal part of the measurement for each.",
        },
        Key {
            name: "arrivals",
            form: Form::Word(words::<Arrivals>),
            presence: Presence::Absent("`poisson`"),
            doc: "How the arrivals of an open loop are spread.",
        },
        Key {
            name: "capacity",
            form: Form::Record(&CAPACITY),
            presence: Presence::Absent("no search"),
            doc: "Search for the highest rate of an open loop that keeps a limit; each rate that is tried is a trial. The \
                  capacities are compared, block by block.",
        },
        Key {
            name: "latency_limit",
            form: Form::Duration { min_ms: 1 },
            presence: Presence::Absent("none"),
            doc: "A transaction that takes longer is late; in an open loop one that is overdue by more before it has begun is \
                  skipped. As pgbench's `-L`.",
        },
        Key {
            name: "tries",
            form: Form::Tries,
            presence: Presence::Default("1"),
            doc: "How often a transaction is tried at most when it fails with 40001 or 40P01, as pgbench's `--max-tries`.",
        },
        Key {
            name: "connections",
            form: Form::Word(words::<Connections>),
            presence: Presence::Default("kept"),
            doc: "How long a connection is kept.",
        },
        Key {
            name: "statement_timeout",
            form: Form::Duration { min_ms: 1 },
            presence: Presence::Absent("the server's"),
            doc: "How long a statement may take before it fails.",
        },
        Key {
            name: "generator",
            form: Form::Word(words::<Generator>),
            presence: Presence::Default("pgdyno"),
            doc: "What sends the load. With `pgbench` or `sysbench` a result can be cross-checked with the tool that you know; \
                  they tell less.",
        },
        Key {
            name: "ledger",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Look for every acknowledged commit on the server after each trial, and count the lost and the unexpected \
                  ones. For `tpcb-like` and `simple-update`, whose rows of pgbench_history get 23 bytes wider.",
        },
    ],
    one_of: &["builtin", "script", "sysbench", "read-intensive", "erp"],
    with: &[("builtin", "scale")],
};

static THINK: Record = Record {
    title: "think",
    doc: "A random pause.",
    keys: &[Key {
        name: "exponential",
        form: Form::Duration { min_ms: 1 },
        presence: Presence::Required,
        doc: "Exponentially distributed with this mean.",
    }],
    one_of: &[],
    with: &[],
};

static RAMP: Record = Record {
    title: "a ramp",
    doc: "A rate that grows or falls evenly.",
    keys: &[
        Key {
            name: "from",
            form: Form::Rate,
            presence: Presence::Required,
            doc: "The rate at the begin of the warm-up.",
        },
        Key {
            name: "to",
            form: Form::Rate,
            presence: Presence::Required,
            doc: "The rate at the end of the measurement.",
        },
    ],
    one_of: &[],
    with: &[],
};

static CAPACITY: Record = Record {
    title: "capacity",
    doc: "A search for the highest rate that keeps a limit.",
    keys: &[
        Key {
            name: "p99",
            form: Form::Duration { min_ms: 1 },
            presence: Presence::Required,
            doc: "The limit of the 99th percentile of latency, counted from when a transaction was due.",
        },
        Key {
            name: "from",
            form: Form::Rate,
            presence: Presence::Required,
            doc: "The lowest rate of the search: one that surely keeps the limit.",
        },
        Key {
            name: "to",
            form: Form::Rate,
            presence: Presence::Required,
            doc: "The highest rate of the search: one that surely does not.",
        },
        Key {
            name: "precision",
            form: Form::Percent,
            presence: Presence::Default("2%"),
            doc: "How near the lowest rate that failed has to be to the highest that held.",
        },
    ],
    one_of: &[],
    with: &[],
};

static ERP: Record = Record {
    title: "erp",
    doc: "Writing one kind of business object.",
    keys: &[
        Key {
            name: "object",
            form: Form::Word(words::<ErpObject>),
            presence: Presence::Required,
            doc: "What a transaction writes.",
        },
        Key {
            name: "scale",
            form: Form::Whole { min: 1, max: 1_000 },
            presence: Presence::Default("1"),
            doc: "100 000 catalogue items and 1 000 000 movements each. The `erp` workloads of a plan share the tables and so \
                  the scale.",
        },
        Key {
            name: "splitter",
            form: Form::Whole { min: 1, max: 1_024 },
            presence: Presence::Default("1"),
            doc: "Totals rows for each key of a register, over which its writers spread; with 1 they wait for each other.",
        },
        Key {
            name: "reuse",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "With `temp-table`: truncate the temporary table and use it again instead of dropping it.",
        },
    ],
    one_of: &[],
    with: &[],
};
