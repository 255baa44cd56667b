//! The keys of a plan as data: name, meaning, form, default.
//!
//! The reader takes its defaults, limits and error messages from here, the JSON Schema is made from here, and the
//! reference in `docs/plan.md` is checked against it, so that the four cannot disagree.

mod disk;
pub(super) mod sysbench;
mod variant;
mod workload;

use super::model::{Aspect, Version, Via, Word};
use super::units::Decimal;
use disk::{DISK, TARGET_DISK};
use variant::{CACHE, FILESYSTEM, HUGE_PAGES, SYSCTL, VARIANT};
use workload::WORKLOAD;

/// A mapping with fixed keys.
#[derive(Debug)]
pub(super) struct Record {
    /// What it is, to stand in "unknown key in …" and in the schema.
    pub(super) title: &'static str,
    /// What it says.
    pub(super) doc: &'static str,
    /// Its keys, in the order in which a plan is written.
    pub(super) keys: &'static [Key],
    /// Keys of which exactly one has to be given; empty when there is no such choice.
    pub(super) one_of: &'static [&'static str],
    /// Keys that have to be given with another one: the other one first.
    pub(super) with: &'static [(&'static str, &'static str)],
}

impl Record {
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }
}

/// One key of a record.
#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) form: Form,
    pub(super) presence: Presence,
    /// What it says: sentences, without the default.
    pub(super) doc: &'static str,
}

/// Whether a key has to be given, and what holds when it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// It has to be given.
    Required,
    /// This text of the plan language holds.
    Default(&'static str),
    /// An empty list or mapping holds.
    Empty,
    /// What holds is decided elsewhere, as these words say.
    Absent(&'static str),
}

/// What a value may be.
#[derive(Debug)]
pub(super) enum Form {
    /// One line of text, not empty.
    Text,
    /// A path, not empty.
    Path,
    /// A connection string of libpq.
    Url,
    /// An identifier that initdb takes: letters, digits and `_ . - @`.
    Identifier,
    /// The name of a target: a text or a number.
    TargetName,
    /// `17` or `"17.5"`.
    Version,
    /// true or false.
    Bool,
    /// A whole number in these limits, both included.
    Whole { min: u64, max: u64 },
    /// A number with `ms`, `s`, `m` or `h`, from this many milliseconds.
    Duration { min_ms: u64 },
    /// A number with `%`.
    Percent,
    /// A number with `/s`.
    Rate,
    /// A number of CPUs, with decimals.
    Cpus,
    /// A number in these limits, both included, with decimals.
    Decimal { min: Decimal, max: Decimal },
    /// A size with `MB` or `GB`.
    WalSegmentSize,
    /// A size with `MB`, `GB` or `TB`.
    FileSize,
    /// A size with `/s`.
    Bandwidth,
    /// A path and, after an `@`, a weight.
    Script,
    /// A whole number from 1, or `unlimited`.
    Tries,
    /// Variables of scripts: name to text, number or boolean.
    Variables,
    /// One of these words, each with its meaning.
    Word(fn() -> Vec<(&'static str, &'static str)>),
    /// One of these words or the name of a PostgreSQL setting.
    WordOrSetting(fn() -> Vec<(&'static str, &'static str)>),
    /// PostgreSQL settings: name to text, number or boolean.
    Settings,
    /// Values of one form, none twice; the flag says whether it may be empty.
    List { of: &'static Form, may_be_empty: bool },
    /// Two values of one form or more, in an order that counts.
    Sequence(&'static Form),
    /// A scalar of this form, or one of the others, which are a list and a mapping at most.
    Or { scalar: &'static Form, others: &'static [Form] },
    /// Names that a person chooses, at least one, to values of one form.
    Named(&'static Form),
    /// The same, where a name may be one of a variant: two of them with a `/` between.
    Targets(&'static Form),
    /// A mapping with fixed keys.
    Record(&'static Record),
}

fn words<W: Word>() -> Vec<(&'static str, &'static str)> {
    W::ALL.iter().map(|word| (word.word(), word.meaning())).collect()
}

/// The most clients: what PostgreSQL takes for max_connections.
const CLIENTS_MAX: u64 = 262_143;

/// The whole plan.
pub(super) static PLAN: Record = Record {
    title: "the plan",
    doc: "A plan of pgdyno: which servers are measured with which workloads, how often, and what counts as a change.",
    keys: &[
        Key {
            name: "name",
            form: Form::Text,
            presence: Presence::Required,
            doc: "What the experiment asks, in your words. It stands over the report and in the name of the run directory.",
        },
        Key {
            name: "targets",
            form: Form::Targets(&Form::Record(&TARGET)),
            presence: Presence::Required,
            doc: "The servers, by names of your choice (letters, digits, `_`, `.`, `-`). The one named in `baseline` is \
                  compared with each of the others.",
        },
        Key {
            name: "baseline",
            form: Form::TargetName,
            presence: Presence::Required,
            doc: "The name of the target that the others are compared with.",
        },
        Key {
            name: "ladder",
            form: Form::Sequence(&Form::TargetName),
            presence: Presence::Absent("the targets are compared with the baseline only"),
            doc: "The names of targets in an order in which each adds one layer to the one before it, the baseline first. \
                  Each step is then judged by itself, too.",
        },
        Key {
            name: "may_differ",
            form: Form::List { of: &Form::WordOrSetting(words::<Aspect>), may_be_empty: true },
            presence: Presence::Empty,
            doc: "What may differ between the targets, as aspects or as names of PostgreSQL settings. Every other \
                  difference that is found is reported as a confounder. Settings that the plan itself gives to the targets \
                  unlike (knobs, settings, initdb) need not be named: they are what it compares.",
        },
        Key {
            name: "workloads",
            form: Form::Named(&Form::Record(&WORKLOAD)),
            presence: Presence::Required,
            doc: "What is executed, by names of your choice (letters, digits, `_`, `.`, `-`).",
        },
        Key {
            name: "clients",
            form: Form::List { of: &Form::Whole { min: 1, max: CLIENTS_MAX }, may_be_empty: false },
            presence: Presence::Required,
            doc: "Numbers of clients. Each client has its own connection and one transaction under way at a time. In a \
                  closed loop it sends the next one when the last one is answered; in an open loop (`rate`) a client takes \
                  the next arrival when it is free. Every workload is measured with every number.",
        },
        Key {
            name: "threads",
            form: Form::Whole { min: 1, max: 1024 },
            presence: Presence::Absent("half of the CPUs of the machine that pgdyno runs on, at least 1 and at most 8"),
            doc: "Threads of the load engine; never more than there are clients.",
        },
        Key { name: "trial", form: Form::Record(&TRIAL), presence: Presence::Empty, doc: "The phases of every trial." },
        Key {
            name: "blocks",
            form: Form::Record(&BLOCKS),
            presence: Presence::Empty,
            doc: "How often everything is repeated: a block is one trial of every target, workload and number of clients.",
        },
        Key {
            name: "practical_threshold",
            form: Form::Percent,
            presence: Presence::Default("3%"),
            doc: "The smallest change worth acting on. An interval within ± this is `equivalent`.",
        },
        Key {
            name: "noise_floor",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Measure the baseline a second time in every comparison (A/A). If the baseline differs from itself, the \
                  comparison carries a caveat. Costs one more trial per comparison.",
        },
        Key {
            name: "probes",
            form: Form::Bool,
            presence: Presence::Default("true"),
            doc: "Read host and server once a second and sample sessions ten times a second. `false` leaves only the load's own \
                  figures: no time budget, no diagnosis.",
        },
        Key {
            name: "observer_cost",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Let the probes pause in one of every two fifths of a second, drawn by lot, and tell by how much the throughput differs. \
                  Diagnosis and time budget then see half as much. Only with pgdyno's own generator.",
        },
        Key {
            name: "disk",
            form: Form::Record(&DISK),
            presence: Presence::Absent("no disk is measured"),
            doc: "What fio measures on the disk of every target before the first trial; `{}` for the jobs of \
                  `pgdyno disk`.",
        },
        Key {
            name: "seed",
            form: Form::Whole { min: 0, max: u64::MAX },
            presence: Presence::Absent("drawn anew for every run and written into its plan.yaml"),
            doc: "Seed of the order of the trials and of the workloads' random numbers. The same plan with the same \
                  seed executes the same operations in the same order.",
        },
    ],
    one_of: &[],
    with: &[],
};

static TARGET: Record = Record {
    title: "a target",
    doc: "One server: reached by `url`, made by `local`, or the one of another target by a way of its own (`shared`).",
    keys: &[
        Key {
            name: "url",
            form: Form::Url,
            presence: Presence::Absent("give `url`, `local` or `shared`"),
            doc: "A server that runs already, as libpq takes it: `postgresql://user@host:port/database` or \
                  `host=… dbname=…`. Leave the password to PGPASSWORD or ~/.pgpass: one that stands here is used, and \
                  left out of all that is written.",
        },
        Key {
            name: "local",
            form: Form::Record(&LOCAL),
            presence: Presence::Absent("give `url`, `local` or `shared`"),
            doc: "A server that pgdyno makes on this machine, starts, and stops and removes at the end.",
        },
        Key {
            name: "shared",
            form: Form::Record(&SHARED),
            presence: Presence::Absent("give `url`, `local` or `shared`"),
            doc: "The server of another target, reached by another way or with other limits.",
        },
        Key {
            name: "knobs",
            form: Form::Settings,
            presence: Presence::Empty,
            doc: "PostgreSQL settings that are applied before the trials of this target, read back, and restored at the end. \
                  A setting that the server does not confirm fails the trial.",
        },
        FILESYSTEM,
        HUGE_PAGES,
        SYSCTL,
        CACHE,
        Key {
            name: "pooler",
            form: Form::Record(&POOLER),
            presence: Presence::Absent("no pooler is watched"),
            doc: "The PgBouncer that the clients connect through, to see its queue.",
        },
        Key {
            name: "disk",
            form: Form::Record(&TARGET_DISK),
            presence: Presence::Empty,
            doc: "What is said of its disk, for a plan that measures disks.",
        },
        Key {
            name: "variants",
            form: Form::Named(&Form::Record(&VARIANT)),
            presence: Presence::Absent("none"),
            doc: "The same target with something otherwise, by names of your choice: each becomes a target of its own, called \
                  `target/variant`, with a server of its own. What a variant varies may differ without being named in \
                  `may_differ`.",
        },
        Key {
            name: "agent",
            form: Form::Record(&AGENT),
            presence: Presence::Absent("the host is read where it is this machine, and not otherwise"),
            doc: "How `pgdyno agent` is started on the host of a `url` on another machine, where it reads CPUs, disks, memory, \
                  network and the server's processes for the report. If it is lost, its readings are gaps and the trial goes on.",
        },
    ],
    one_of: &["url", "local", "shared"],
    with: &[],
};

static POOLER: Record = Record {
    title: "a pooler",
    doc: "A PgBouncer before the server.",
    keys: &[Key {
        name: "url",
        form: Form::Url,
        presence: Presence::Required,
        doc: "Its administration console, whose database is `pgbouncer`, as one of its `stats_users` or `admin_users`: \
              `postgresql://stats@host:6432/pgbouncer`. SHOW POOLS and SHOW STATS_TOTALS are asked once a second.",
    }],
    one_of: &[],
    with: &[],
};

static AGENT: Record = Record {
    title: "an agent",
    doc: "How the agent on a target's host is started.",
    keys: &[
        Key {
            name: "ssh",
            form: Form::Text,
            presence: Presence::Absent("give `ssh` or `command`"),
            doc: "Over your own ssh, to this destination: a host, `user@host`, or a name of ~/.ssh/config. No password is asked \
                  for.",
        },
        Key {
            name: "pgdyno",
            form: Form::Path,
            presence: Presence::Absent("`pgdyno`, found on the PATH there; for `ssh` only"),
            doc: "Where pgdyno is on that host.",
        },
        Key {
            name: "command",
            form: Form::Text,
            presence: Presence::Absent("give `ssh` or `command`"),
            doc: "By this command of a shell here, such as `kubectl exec -i db-1 -- pgdyno agent --stdio`.",
        },
    ],
    one_of: &["ssh", "command"],
    with: &[("pgdyno", "ssh")],
};

static LOCAL: Record = Record {
    title: "a local server",
    doc: "A server that pgdyno makes on this machine; its binaries come by `version` or `bin`.",
    keys: &[
        Key {
            name: "version",
            form: Form::Version,
            presence: Presence::Absent("give `version` or `bin`"),
            doc: "PostgreSQL 14 to 18 as embedded binaries, downloaded once from Maven Central: `17` for the newest \
                  17, `\"17.5\"` (in quotes) for that one.",
        },
        Key {
            name: "bin",
            form: Form::Path,
            presence: Presence::Absent("give `version` or `bin`"),
            doc: "The directory of installed binaries, such as `/usr/lib/postgresql/15/bin`. A relative path starts where \
                  pgdyno is started.",
        },
        Key { name: "initdb", form: Form::Record(&INITDB), presence: Presence::Empty, doc: "How the cluster is made." },
        Key {
            name: "settings",
            form: Form::Settings,
            presence: Presence::Empty,
            doc: "PostgreSQL settings that the server is started with.",
        },
        Key {
            name: "data_directory",
            form: Form::Path,
            presence: Presence::Absent("a new directory under `$TMPDIR` or else `/var/tmp`"),
            doc: "Where the data go: choose the disk to be measured. A relative path starts where pgdyno is started. No two \
                  targets may share it.",
        },
        Key {
            name: "keep",
            form: Form::Bool,
            presence: Presence::Default("false"),
            doc: "Leave the data directory in place when pgdyno ends; the server itself always stops.",
        },
        VIA,
        TLS,
        PGBOUNCER,
        CPUS,
    ],
    one_of: &["version", "bin"],
    with: &[],
};

static SHARED: Record = Record {
    title: "a shared server",
    doc: "The server of another target. Knobs of such a target are settings of the load's sessions.",
    keys: &[
        Key {
            name: "server_of",
            form: Form::TargetName,
            presence: Presence::Required,
            doc: "The name of the target whose server it is, one with `local`.",
        },
        VIA,
        TLS,
        PGBOUNCER,
        CPUS,
    ],
    one_of: &[],
    with: &[],
};

const VIA: Key = Key {
    name: "via",
    form: Form::Word(words::<Via>),
    presence: Presence::Default("unix"),
    doc: "How the clients connect.",
};

const TLS: Key = Key {
    name: "tls",
    form: Form::Bool,
    presence: Presence::Default("false"),
    doc: "Whether the connections are encrypted with TLS 1.3; not over a Unix-domain socket.",
};

const PGBOUNCER: Key = Key {
    name: "pgbouncer",
    form: Form::Bool,
    presence: Presence::Default("false"),
    doc: "Whether the connections go through a PgBouncer (the one installed here, at least 1.18) before the server. It lends \
          a connection for a transaction from 1.21 on, for a session before, since prepared statements need that.",
};

const CPUS: Key = Key {
    name: "cpus",
    form: Form::Cpus,
    presence: Presence::Absent("all"),
    doc: "How many CPUs the server's processes may use together while this target is measured, as a container's limit; \
          needs root.",
};

static INITDB: Record = Record {
    title: "initdb",
    doc: "The options of initdb.",
    keys: &[
        Key {
            name: "wal_segment_size",
            form: Form::WalSegmentSize,
            presence: Presence::Default("16MB"),
            doc: "Size of a WAL segment: a power of two from `1MB` to `1GB`.",
        },
        Key {
            name: "data_checksums",
            form: Form::Bool,
            presence: Presence::Absent("as the version does by itself: off up to 17, on from 18"),
            doc: "Checksums on data pages. Say it for both sides when you compare 17 with 18.",
        },
        Key {
            name: "locale",
            form: Form::Identifier,
            presence: Presence::Default("C"),
            doc: "Locale of the cluster. `C` sorts by bytes and is the same on every machine.",
        },
        Key {
            name: "encoding",
            form: Form::Identifier,
            presence: Presence::Default("UTF8"),
            doc: "Encoding of the cluster's databases.",
        },
    ],
    one_of: &[],
    with: &[],
};

static TRIAL: Record = Record {
    title: "trial",
    doc: "The phases of every trial.",
    keys: &[
        Key {
            name: "warm_up",
            form: Form::Duration { min_ms: 0 },
            presence: Presence::Default("10s"),
            doc: "Load whose figures do not count, until caches and plans are as they stay.",
        },
        Key {
            name: "measure",
            form: Form::Duration { min_ms: 100 },
            presence: Presence::Default("60s"),
            doc: "Load whose figures count. Too short a phase leaves more noise between blocks than `until` can accept.",
        },
    ],
    one_of: &[],
    with: &[],
};

static BLOCKS: Record = Record {
    title: "blocks",
    doc: "How often everything is repeated.",
    keys: &[
        Key {
            name: "at_least",
            form: Form::Whole { min: 1, max: 1000 },
            presence: Presence::Default("3"),
            doc: "The fewest blocks. Fewer than 3 give no verdict.",
        },
        Key {
            name: "at_most",
            form: Form::Whole { min: 1, max: 1000 },
            presence: Presence::Default("10"),
            doc: "The most blocks, whatever the interval.",
        },
        Key {
            name: "until",
            form: Form::Percent,
            presence: Presence::Default("2%"),
            doc: "From `at_least` on, a comparison is precise enough when its interval is at most ± this wide (or ± a \
                  quarter of the change, if that is more).",
        },
    ],
    one_of: &[],
    with: &[],
};

/// A value of this form, as a plan would have it.
pub(super) fn example(form: &Form) -> String {
    match form {
        Form::Text => "What does data_checksums cost?".to_owned(),
        Form::Path => "/srv/pgdyno/data".to_owned(),
        Form::Url => "postgresql://user@host/database".to_owned(),
        Form::Identifier => "C".to_owned(),
        Form::TargetName => "the name of a target".to_owned(),
        Form::Version => Version::MAJOR_MAX.to_string(),
        Form::Bool => "true".to_owned(),
        Form::Whole { min, .. } => (*min).max(10).to_string(),
        Form::Duration { .. } => "10s".to_owned(),
        Form::Percent => "3%".to_owned(),
        Form::Rate => "500/s".to_owned(),
        Form::Cpus => "1.5".to_owned(),
        Form::Decimal { min, .. } => min.to_string(),
        Form::Script => "orders.sql@9".to_owned(),
        Form::Tries => "10".to_owned(),
        Form::Variables => "{ customers: 1000 }".to_owned(),
        Form::Sequence(of) => format!("[{0}, {0}]", example(of)),
        Form::Or { scalar, .. } => example(scalar),
        Form::WalSegmentSize => "16MB".to_owned(),
        Form::FileSize => "64GB".to_owned(),
        Form::Bandwidth => "400MB/s".to_owned(),
        Form::Word(words) => words()[0].0.to_owned(),
        Form::WordOrSetting(words) => words()[0].0.to_owned(),
        Form::Settings => "{ work_mem: 64MB }".to_owned(),
        Form::List { of: Form::Whole { .. }, .. } => "[2, 8]".to_owned(),
        Form::List { of, .. } => format!("[{}]", example(of)),
        Form::Named(of) | Form::Targets(of) => format!("{{ a-name: {} }}", example(of)),
        Form::Record(record) => {
            let first = record.one_of.first();
            let with_first =
                |key: &Key| record.with.iter().any(|(with, name)| Some(with) == first && *name == key.name);
            let shown = |key: &&Key| key.presence == Presence::Required || first == Some(&key.name) || with_first(key);
            let keys: Vec<String> =
                record.keys.iter().filter(shown).map(|key| format!("{}: {}", key.name, example(&key.form))).collect();
            format!("{{ {} }}", keys.join(", "))
        }
    }
}
