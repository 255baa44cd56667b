//! The keys of the workloads on sysbench's tables: its scripts, the mix by a share of reads, and how rows are chosen.

use super::super::units::Decimal;
use super::super::workload::{Shape, SysbenchScript};
use super::{Form, Key, Presence, Record, words};

/// The most rows that an int4 numbers.
const ROWS_MAX: u64 = i32::MAX as u64;

/// The most statements of one kind in a transaction.
const STATEMENTS_MAX: u64 = 1_000;

/// The most values or ranges of one statement: a range has two parameters, and a statement at most 255.
const RANDOM_MAX: u64 = 127;

/// A number of statements of one kind in a transaction.
const fn statements(name: &'static str, default: &'static str, doc: &'static str) -> Key {
    Key { name, form: Form::Whole { min: 0, max: STATEMENTS_MAX }, presence: Presence::Default(default), doc }
}

const TABLES: Key = Key {
    name: "tables",
    form: Form::Whole { min: 1, max: 10_000 },
    presence: Presence::Default("1"),
    doc: "Tables `sbtest1`, `sbtest2`, …; workloads on sysbench's tables share them.",
};

const TABLE_SIZE: Key = Key {
    name: "table_size",
    form: Form::Whole { min: 1, max: ROWS_MAX },
    presence: Presence::Default("10000"),
    doc: "Rows of each table, about 220 bytes each with their index entries.",
};

const AUTO_INC: Key = Key {
    name: "auto_inc",
    form: Form::Bool,
    presence: Presence::Default("true"),
    doc: "Let the tables number their rows themselves. Without it `oltp_insert` makes up ids, on tables that are empty at \
          first. Workloads on sysbench's tables share it.",
};

const CREATE_SECONDARY: Key = Key {
    name: "create_secondary",
    form: Form::Bool,
    presence: Presence::Default("true"),
    doc: "Index the column `k`. Workloads on sysbench's tables share it.",
};

const DISTRIBUTION: Key = Key {
    name: "distribution",
    form: Form::Or { scalar: &Form::Word(words::<Shape>), others: &[Form::Record(&SHAPE)] },
    presence: Presence::Default("special"),
    doc: "How rows are chosen, as sysbench's `--rand-type`: a word, or a mapping of one word to its parameters, such as \
          `{ pareto: { h: 0.1 } }`. Results with different distributions are not comparable. The values of `k` are \
          spread as in the first workload on these tables.",
};

pub(super) static SYSBENCH: Record = Record {
    title: "sysbench",
    doc: "A script of sysbench with its options.",
    keys: &[
        Key {
            name: "script",
            form: Form::Word(words::<SysbenchScript>),
            presence: Presence::Required,
            doc: "The script.",
        },
        TABLES,
        TABLE_SIZE,
        AUTO_INC,
        CREATE_SECONDARY,
        DISTRIBUTION,
        Key {
            name: "range_size",
            form: Form::Whole { min: 1, max: ROWS_MAX },
            presence: Presence::Default("100"),
            doc: "Rows of a range.",
        },
        statements("point_selects", "10", "Selects by primary key in a transaction."),
        Key {
            name: "range_selects",
            form: Form::Bool,
            presence: Presence::Default("true"),
            doc: "Whether there are statements of ranges, the next four, at all.",
        },
        statements("simple_ranges", "1", "Selects of a range."),
        statements("sum_ranges", "1", "Sums over a range."),
        statements("order_ranges", "1", "Selects of a range in order."),
        statements("distinct_ranges", "1", "Distinct values of a range."),
        statements("index_updates", "1", "Updates of the indexed column."),
        statements("non_index_updates", "1", "Updates of a column without an index."),
        statements("delete_inserts", "1", "Pairs of a delete and an insert of the same row."),
        Key {
            name: "random_points",
            form: Form::Whole { min: 1, max: RANDOM_MAX },
            presence: Presence::Default("10"),
            doc: "Values in the statement of `select_random_points`.",
        },
        Key {
            name: "number_of_ranges",
            form: Form::Whole { min: 1, max: RANDOM_MAX },
            presence: Presence::Default("10"),
            doc: "Ranges in the statement of `select_random_ranges`.",
        },
        Key {
            name: "delta",
            form: Form::Whole { min: 0, max: ROWS_MAX / 2 },
            presence: Presence::Default("5"),
            doc: "Last value of such a range less its first one.",
        },
        Key {
            name: "skip_trx",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Leave BEGIN and COMMIT out.",
        },
    ],
    one_of: &[],
    with: &[],
};

pub(super) static READ_INTENSIVE: Record = Record {
    title: "read-intensive",
    doc: "sysbench's statements, mixed by a share of reads.",
    keys: &[
        Key {
            name: "read_percent",
            form: Form::Whole { min: 0, max: 100 },
            presence: Presence::Default("80"),
            doc: "How many of the 100 statements of a transaction read: point selects and the four kinds of ranges 10:1:1:1:1. \
                  The others are index updates, non-index updates and delete-and-insert pairs in equal parts.",
        },
        TABLES,
        TABLE_SIZE,
        AUTO_INC,
        CREATE_SECONDARY,
        DISTRIBUTION,
    ],
    one_of: &[],
    with: &[],
};

/// What holds for the shape that was not chosen.
const ONE_SHAPE: &str = "give one of `special`, `gaussian`, `pareto`, `zipfian`";

pub(in super::super) static SHAPE: Record = Record {
    title: "distribution",
    doc: "A distribution with its parameters.",
    keys: &[
        Key {
            name: "special",
            form: Form::Record(&SPECIAL),
            presence: Presence::Absent(ONE_SHAPE),
            doc: "So many of 100 draws from the middle, the others from a bell.",
        },
        Key {
            name: "gaussian",
            form: Form::Record(&GAUSSIAN),
            presence: Presence::Absent(ONE_SHAPE),
            doc: "A bell over the whole table.",
        },
        Key {
            name: "pareto",
            form: Form::Record(&PARETO),
            presence: Presence::Absent(ONE_SHAPE),
            doc: "A share of 1 − `h` of the draws from the first `h` of the rows, and so on within them.",
        },
        Key {
            name: "zipfian",
            form: Form::Record(&ZIPFIAN),
            presence: Presence::Absent(ONE_SHAPE),
            doc: "The k-th row as often as k to the power of −`exponent`.",
        },
    ],
    one_of: &["special", "gaussian", "pareto", "zipfian"],
    with: &[],
};

const ITER: Key = Key {
    name: "iter",
    form: Form::Whole { min: 1, max: 1_000 },
    presence: Presence::Default("12"),
    doc: "Random numbers of which the mean is taken, as `--rand-spec-iter`: the more, the narrower the bell.",
};

static SPECIAL: Record = Record {
    title: "special",
    doc: "The parameters of `special`.",
    keys: &[
        ITER,
        Key {
            name: "pct",
            form: Form::Whole { min: 0, max: 100 },
            presence: Presence::Default("1"),
            doc: "How much of the table is its middle, in percent, as `--rand-spec-pct`.",
        },
        Key {
            name: "res",
            form: Form::Whole { min: 0, max: 99 },
            presence: Presence::Default("75"),
            doc: "How many of 100 draws fall into the middle, as `--rand-spec-res`.",
        },
    ],
    one_of: &[],
    with: &[],
};

static GAUSSIAN: Record =
    Record { title: "gaussian", doc: "The parameter of `gaussian`.", keys: &[ITER], one_of: &[], with: &[] };

static PARETO: Record = Record {
    title: "pareto",
    doc: "The parameter of `pareto`.",
    keys: &[Key {
        name: "h",
        form: Form::Decimal { min: Decimal::from_thousandths(1), max: Decimal::from_thousandths(999) },
        presence: Presence::Default("0.2"),
        doc: "The share, as `--rand-pareto-h`.",
    }],
    one_of: &[],
    with: &[],
};

static ZIPFIAN: Record = Record {
    title: "zipfian",
    doc: "The parameter of `zipfian`.",
    keys: &[Key {
        name: "exponent",
        form: Form::Decimal { min: Decimal::from_thousandths(0), max: Decimal::from_thousandths(10_000) },
        presence: Presence::Default("0.8"),
        doc: "The exponent, as `--rand-zipfian-exp` of sysbench's later versions; 1.0 does not have it.",
    }],
    one_of: &[],
    with: &[],
};
