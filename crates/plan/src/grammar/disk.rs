//! The keys of a plan that concern disks.

use super::super::disk::DiskJob;
use super::{Form, Key, Presence, Record, words};

/// What is asked of every disk.
pub(super) static DISK: Record = Record {
    title: "disk",
    doc: "What fio is to measure on the disk of every target before the first trial.",
    keys: &[
        Key {
            name: "jobs",
            form: Form::List { of: &Form::Word(words::<DiskJob>), may_be_empty: true },
            presence: Presence::Absent("all but `cached-read`"),
            doc: "Which jobs, in this order. Each runs with the same depth and number of jobs on every target.",
        },
        Key {
            name: "job_files",
            form: Form::List { of: &Form::Path, may_be_empty: true },
            presence: Presence::Empty,
            doc: "Job files of fio, which run as they are after the jobs, in a directory of pgdyno's. A relative path starts \
                  at the plan.",
        },
        Key {
            name: "size",
            form: Form::FileSize,
            presence: Presence::Absent("twice the memory of the machine"),
            doc: "Size of the file that the jobs work on; it is written once before anything is measured, and removed \
                  afterwards. A cache may hold a smaller one than twice the memory.",
        },
        Key {
            name: "size_reason",
            form: Form::Text,
            presence: Presence::Absent("none; the report says that a cache may hold a small file"),
            doc: "Why a file smaller than twice the memory is right, to stand in the report.",
        },
        Key {
            name: "runtime",
            form: Form::Duration { min_ms: 1000 },
            presence: Presence::Default("30s"),
            doc: "How long each job runs; of `depth`, each of its eight depths.",
        },
        Key {
            name: "stated",
            form: Form::Record(&STATED),
            presence: Presence::Empty,
            doc: "What the provider states of every target that states nothing of its own.",
        },
    ],
    one_of: &[],
    with: &[],
};

/// What is said of one target's disk.
pub(super) static TARGET_DISK: Record = Record {
    title: "a target's disk",
    doc: "Where the disk of a target is measured, and what its provider states.",
    keys: &[
        Key {
            name: "directory",
            form: Form::Path,
            presence: Presence::Absent("the data directory of a local server; a `url` has none"),
            doc: "A directory on the disk to measure, on this machine. A relative path starts where pgdyno is started.",
        },
        Key {
            name: "stated",
            form: Form::Record(&STATED),
            presence: Presence::Empty,
            doc: "What the provider states of this disk; what is left open is as in `disk.stated`.",
        },
    ],
    one_of: &[],
    with: &[],
};

static STATED: Record = Record {
    title: "stated",
    doc: "The caps of a disk as its provider states them.",
    keys: &[
        Key {
            name: "iops",
            form: Form::Whole { min: 1, max: 1_000_000_000 },
            presence: Presence::Absent("not stated"),
            doc: "Requests per second.",
        },
        Key {
            name: "bandwidth",
            form: Form::Bandwidth,
            presence: Presence::Absent("not stated"),
            doc: "Bytes per second.",
        },
    ],
    one_of: &[],
    with: &[],
};
