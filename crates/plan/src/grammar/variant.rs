//! The keys by which a target is varied, in itself or as `variants` of it.

use super::super::model::{Cache, FilesystemKind};
use super::{Form, Key, Presence, Record, words};

/// On what file system the data lie.
pub(super) const FILESYSTEM: Key = Key {
    name: "filesystem",
    form: Form::Record(&FILESYSTEM_RECORD),
    presence: Presence::Absent("the file system that is there"),
    doc: "Put the data directory of a local server on a file system of its own: made in an image on a loop device beside \
          where the data would lie, and removed at the end. Needs root.",
};

/// Whether shared memory is in huge pages.
pub(super) const HUGE_PAGES: Key = Key {
    name: "huge_pages",
    form: Form::Bool,
    presence: Presence::Absent("as the server's setting `huge_pages` and the machine have it"),
    doc: "`true`: reserve as many huge pages of the machine as the shared memory of a local server needs, for as long as it \
          runs, and start it with `huge_pages = on`; needs root. `false`: start it with `huge_pages = off`.",
};

/// Values of the kernel.
pub(super) const SYSCTL: Key = Key {
    name: "sysctl",
    form: Form::Settings,
    presence: Presence::Empty,
    doc: "Values of this machine's kernel, as sysctl(8) names them, that are set before each trial, read back, and restored \
          after it. For local servers; needs root.",
};

/// What is in the caches when a trial begins.
pub(super) const CACHE: Key = Key {
    name: "cache",
    form: Form::Word(words::<Cache>),
    presence: Presence::Absent("as the workload says"),
    doc: "What is in the caches when a trial of this target begins, whatever the workload says.",
};

static FILESYSTEM_RECORD: Record = Record {
    title: "filesystem",
    doc: "A file system in an image.",
    keys: &[
        Key {
            name: "type",
            form: Form::Word(words::<FilesystemKind>),
            presence: Presence::Required,
            doc: "Which file system.",
        },
        Key {
            name: "size",
            form: Form::FileSize,
            presence: Presence::Default("4GB"),
            doc: "Its size, all of which is taken from the disk below; at most 80 % of what is free there.",
        },
    ],
    one_of: &[],
    with: &[],
};

/// One variant of a target.
pub(super) static VARIANT: Record = Record {
    title: "a variant",
    doc: "The target with something of it otherwise.",
    keys: &[
        Key {
            name: "knobs",
            form: Form::Settings,
            presence: Presence::Empty,
            doc: "PostgreSQL settings, beside the target's or in place of them.",
        },
        Key {
            name: "initdb",
            form: Form::Record(&INITDB),
            presence: Presence::Empty,
            doc: "Options of initdb in place of the target's.",
        },
        FILESYSTEM,
        HUGE_PAGES,
        Key {
            name: "sysctl",
            form: Form::Settings,
            presence: Presence::Empty,
            doc: "Values of the kernel, beside the target's or in place of them.",
        },
        CACHE,
    ],
    one_of: &[],
    with: &[],
};

/// What a variant may say of initdb: what it leaves out is the target's.
static INITDB: Record = Record {
    title: "initdb of a variant",
    doc: "The options of initdb that are not the target's.",
    keys: &[
        Key {
            name: "wal_segment_size",
            form: Form::WalSegmentSize,
            presence: Presence::Absent("the target's"),
            doc: "Size of a WAL segment: a power of two from `1MB` to `1GB`. initdb derives `min_wal_size` and `max_wal_size` \
                  from it: give both to the target, or they differ too.",
        },
        Key {
            name: "data_checksums",
            form: Form::Bool,
            presence: Presence::Absent("the target's"),
            doc: "Checksums on data pages.",
        },
        Key {
            name: "locale",
            form: Form::Identifier,
            presence: Presence::Absent("the target's"),
            doc: "Locale of the cluster.",
        },
        Key {
            name: "encoding",
            form: Form::Identifier,
            presence: Presence::Absent("the target's"),
            doc: "Encoding of the cluster's databases.",
        },
    ],
    one_of: &[],
    with: &[],
};
