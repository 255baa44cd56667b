//! What a plan says of a workload, once it has been read: what its transactions do,
//! when they begin, and who sends them.
//!
//! Scripts are named here and read elsewhere: a plan is pure.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use super::distribution::Distribution;
use super::model::{Cache, Word};
use super::units::{PerSecond, Percent};

/// One workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its name, unique in the plan and safe as a file name.
    pub name: String,
    /// What its transactions do, on which data.
    pub work: Work,
    /// What is in the caches when a trial begins, unless the target says otherwise.
    pub cache: Cache,
    /// How statements are sent.
    pub mode: Mode,
    /// When its transactions begin.
    pub pace: Pace,
    /// How long a transaction may take before it is late.
    pub latency_limit: Option<Duration>,
    /// How often a transaction is tried at most.
    pub tries: Tries,
    /// How long a connection is kept.
    pub connections: Connections,
    /// How long the server lets a statement run.
    pub statement_timeout: Option<Duration>,
    /// What sends the load.
    pub generator: Generator,
    /// Whether every acknowledged commit is looked for on the server afterwards.
    pub ledger: bool,
}

impl Workload {
    /// Whether its transactions may change data; own scripts may.
    #[must_use]
    pub fn writes(&self) -> bool {
        match &self.work {
            Work::Builtin { script, .. } => script.writes(),
            Work::Sysbench(sysbench) => sysbench.script.writes(),
            Work::ReadIntensive(mix) => mix.read_percent < 100,
            Work::Scripts(_) | Work::Erp(_) => true,
        }
    }

    /// pgbench's tables, if it works on them.
    #[must_use]
    pub fn pgbench_tables(&self) -> Option<PgbenchTables> {
        match &self.work {
            Work::Builtin { tables, .. } => Some(*tables),
            Work::Scripts(scripts) => scripts.tables,
            Work::Sysbench(_) | Work::ReadIntensive(_) | Work::Erp(_) => None,
        }
    }

    /// sysbench's tables, if it works on them.
    #[must_use]
    pub fn sysbench_tables(&self) -> Option<SysbenchTables> {
        match &self.work {
            Work::Sysbench(sysbench) => Some(sysbench.tables),
            Work::ReadIntensive(mix) => Some(mix.tables),
            Work::Builtin { .. } | Work::Scripts(_) | Work::Erp(_) => None,
        }
    }

    /// The trials of one cell in one block: one, or the most steps of a search.
    #[must_use]
    pub fn trials_at_most(&self) -> u32 {
        self.capacity().map_or(1, |search| search.with_dither(0.0).steps_at_most())
    }

    /// The search for its capacity, if that is what is asked.
    #[must_use]
    pub fn capacity(&self) -> Option<&CapacitySearch> {
        match &self.pace {
            Pace::Capacity { search, .. } => Some(search),
            Pace::Closed { .. } | Pace::Open { .. } => None,
        }
    }
}

/// What the transactions of a workload do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// A script that pgbench has built in.
    Builtin {
        /// Which.
        script: Builtin,
        /// Its data.
        tables: PgbenchTables,
    },
    /// Own scripts in pgbench's language.
    Scripts(Scripts),
    /// A script of sysbench.
    Sysbench(Sysbench),
    /// sysbench's statements, mixed by a share of reads.
    ReadIntensive(ReadIntensive),
    /// Writing one kind of business object.
    Erp(Erp),
}

/// Own scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripts {
    /// The files, at least one; which one a client runs next is drawn by weight.
    pub files: Vec<ScriptFile>,
    /// pgbench's tables, if the scripts work on them; absent: tables of the scripts' own, which are there already.
    pub tables: Option<PgbenchTables>,
    /// Variables that have a value from the start.
    pub define: BTreeMap<String, String>,
    /// Whether `\shell` and `\setshell` may run commands on this machine.
    pub allow_shell: bool,
}

/// A script in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptFile {
    /// Its path; a relative one starts at the plan.
    pub path: PathBuf,
    /// How often it is chosen, relative to the others.
    pub weight: NonZeroU32,
}

impl fmt::Display for ScriptFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.path.display(), self.weight)
    }
}

/// pgbench's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgbenchTables {
    /// pgbench's scale factor: 100 000 accounts, about 15 MiB, each.
    pub scale: u32,
    /// Who makes them.
    pub data: Data,
}

/// A script of sysbench with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sysbench {
    /// The script.
    pub script: SysbenchScript,
    /// Its data.
    pub tables: SysbenchTables,
    /// How rows are chosen.
    pub distribution: Distribution,
    /// Rows of a range.
    pub range_size: u32,
    /// Statements of each kind in a transaction.
    pub statements: SysbenchStatements,
    /// Whether transactions go without BEGIN and COMMIT.
    pub skip_trx: bool,
    /// The statement of the `select_random_*` scripts.
    pub random: SysbenchRandom,
}

impl Sysbench {
    /// Whether its tables have no rows at first: ids that the clients make up might collide with those that are there.
    #[must_use]
    pub fn starts_empty(&self) -> bool {
        let inserts = self.script == SysbenchScript::Insert && !self.tables.auto_inc;
        inserts || self.script == SysbenchScript::BulkInsert
    }
}

/// sysbench's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchTables {
    /// How many.
    pub tables: u32,
    /// Rows of each.
    pub table_size: u32,
    /// Whether they number their rows themselves.
    pub auto_inc: bool,
    /// Whether the column `k` is indexed.
    pub create_secondary: bool,
}

/// How many statements of each kind a transaction of sysbench has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchStatements {
    /// `point_selects`.
    pub point_selects: u32,
    /// `range_selects`: whether there are ranges at all.
    pub range_selects: bool,
    /// `simple_ranges`.
    pub simple_ranges: u32,
    /// `sum_ranges`.
    pub sum_ranges: u32,
    /// `order_ranges`.
    pub order_ranges: u32,
    /// `distinct_ranges`.
    pub distinct_ranges: u32,
    /// `index_updates`.
    pub index_updates: u32,
    /// `non_index_updates`.
    pub non_index_updates: u32,
    /// `delete_inserts`.
    pub delete_inserts: u32,
}

/// What the one statement of sysbench's `select_random_*` scripts asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SysbenchRandom {
    /// `random_points`: values.
    pub points: u32,
    /// `number_of_ranges`: ranges.
    pub ranges: u32,
    /// `delta`: last value of a range less its first one.
    pub delta: u32,
}

/// sysbench's statements in one transaction, mixed by a share of reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadIntensive {
    /// How many of 100 statements read.
    pub read_percent: u32,
    /// Its data.
    pub tables: SysbenchTables,
    /// How rows are chosen.
    pub distribution: Distribution,
}

/// Writing one kind of business object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erp {
    /// The kind.
    pub object: ErpObject,
    /// Scale: 100 000 catalogue items and 1 000 000 movements each.
    pub scale: u32,
    /// Totals rows for each key of a register, over which its writers spread.
    pub splitter: u32,
    /// Whether a temporary table is truncated and used again instead of being dropped.
    pub reuse: bool,
}

/// When transactions begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pace {
    /// Each client begins one when its last one has ended and it has thought about it.
    Closed {
        /// The pause between two transactions of a client.
        think: Option<Think>,
    },
    /// They arrive at a rate that does not depend on the server.
    Open {
        /// How many arrive.
        rate: Rate,
        /// How they are spread.
        arrivals: Arrivals,
    },
    /// An open loop whose rate is searched for: a trial for each rate.
    Capacity {
        /// What is searched.
        search: CapacitySearch,
        /// How arrivals are spread.
        arrivals: Arrivals,
    },
}

/// A client's pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Think {
    /// Always the same.
    Fixed(Duration),
    /// Exponentially distributed with this mean.
    Exponential(Duration),
}

/// Transactions per second that are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rate {
    /// Always the same.
    Constant(PerSecond),
    /// Evenly growing, or falling, over the whole load.
    Ramp {
        /// At the begin of the warm-up.
        from: PerSecond,
        /// At the end of the measurement.
        to: PerSecond,
    },
    /// One after the other, each for an equal part of the measurement.
    Steps(Vec<PerSecond>),
}

impl Rate {
    /// Always the same; none when out of a plan's range.
    #[must_use]
    pub fn constant(per_s: f64) -> Option<Self> {
        PerSecond::nearest(per_s).map(Self::Constant)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(rate) => write!(f, "{rate}"),
            Self::Ramp { from, to } => write!(f, "{{ from: {from}, to: {to} }}"),
            Self::Steps(steps) => {
                let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", steps.join(", "))
            }
        }
    }
}

/// The search for the highest offered rate at which the 99th percentile of latency keeps a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CapacitySearch {
    /// The limit.
    pub p99: Duration,
    /// The lowest rate that is tried.
    pub from: PerSecond,
    /// The highest rate that is tried; above `from`.
    pub to: PerSecond,
    /// How narrow the bracket has to be, as a share.
    pub precision: Percent,
}

impl CapacitySearch {
    /// The search itself; `dither` as [`stats::capacity::Search::new`] has it.
    #[must_use]
    pub fn with_dither(&self, dither: f64) -> stats::capacity::Search {
        stats::capacity::Search::new(self.from.per_s(), self.to.per_s(), self.precision.fraction(), dither)
            .expect("a plan's searches are checked when it is read")
    }
}

/// How often a transaction is tried when it fails with 40001 or 40P01.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tries {
    /// At most so many times.
    AtMost(NonZeroU32),
    /// Until it succeeds, or its latency limit or the trial is over.
    Unlimited,
}

impl fmt::Display for Tries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AtMost(tries) => write!(f, "{tries}"),
            Self::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// Declares an enum whose variants a plan spells as words, with their meanings.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal, $meaning:literal;)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }

            fn meaning(self) -> &'static str {
                match self {
                    $(Self::$variant => $meaning,)+
                }
            }
        }
    };
}

words! {
    /// The built-in scripts, as pgbench has them.
    Builtin {
        /// Three updates, a select and an insert in a transaction.
        TpcbLike = "tpcb-like", "three updates, a select and an insert in one transaction";
        /// `tpcb-like` without the updates of tellers and branches.
        SimpleUpdate = "simple-update", "tpcb-like without the updates of tellers and branches, for which clients wait in line";
        /// One select by primary key.
        SelectOnly = "select-only", "one select by primary key";
    }
}

impl Builtin {
    /// Whether its transactions change data.
    #[must_use]
    pub fn writes(self) -> bool {
        match self {
            Self::TpcbLike | Self::SimpleUpdate => true,
            Self::SelectOnly => false,
        }
    }
}

words! {
    /// How statements are sent, as pgbench's `-M`.
    Mode {
        /// The simple query protocol.
        Simple = "simple", "the simple query protocol, values in the text";
        /// The extended protocol, parsed every time.
        Extended = "extended", "the extended protocol, each statement parsed every time";
        /// The extended protocol with named prepared statements.
        Prepared = "prepared", "the extended protocol, each statement prepared once per connection";
    }
}

words! {
    /// Who makes pgbench's tables.
    Data {
        /// pgdyno makes the tables and keeps them alike from trial to trial.
        Managed = "managed", "pgdyno makes the tables, checks them, and brings them to the same state before every trial";
        /// The tables are there already and are used as they are.
        Existing = "existing", "the tables are there already; they are neither made nor filled";
    }
}

words! {
    /// sysbench's scripts.
    SysbenchScript {
        /// `oltp_point_select`.
        PointSelect = "oltp_point_select", "one select by primary key";
        /// `oltp_read_only`.
        ReadOnly = "oltp_read_only", "point selects and ranges";
        /// `oltp_read_write`.
        ReadWrite = "oltp_read_write", "point selects, ranges, updates, a delete and an insert";
        /// `oltp_write_only`.
        WriteOnly = "oltp_write_only", "updates, a delete and an insert";
        /// `oltp_update_index`.
        UpdateIndex = "oltp_update_index", "one update of an indexed column";
        /// `oltp_update_non_index`.
        UpdateNonIndex = "oltp_update_non_index", "one update of a column without an index";
        /// `oltp_insert`.
        Insert = "oltp_insert", "one insert";
        /// `oltp_delete`.
        Delete = "oltp_delete", "one delete";
        /// `bulk_insert`.
        BulkInsert = "bulk_insert", "one insert of 21 845 rows, each client into an empty table of its own";
        /// `select_random_points`.
        RandomPoints = "select_random_points", "one select by several values of an indexed column";
        /// `select_random_ranges`.
        RandomRanges = "select_random_ranges", "one count over several ranges of an indexed column";
    }
}

impl SysbenchScript {
    /// Whether it works on one table only, of which each client has a part of the keys.
    #[must_use]
    pub fn divides_one_table(self) -> bool {
        matches!(self, Self::RandomPoints | Self::RandomRanges)
    }

    /// Whether its transactions change data.
    #[must_use]
    pub fn writes(self) -> bool {
        match self {
            Self::PointSelect | Self::ReadOnly | Self::RandomPoints | Self::RandomRanges => false,
            Self::ReadWrite
            | Self::WriteOnly
            | Self::UpdateIndex
            | Self::UpdateNonIndex
            | Self::Insert
            | Self::Delete
            | Self::BulkInsert => true,
        }
    }
}

words! {
    /// The shapes of the distributions by which sysbench chooses rows.
    Shape {
        /// `special`.
        Special = "special", "three of four in the middle hundredth: the default of sysbench 1.0";
        /// `uniform`.
        Uniform = "uniform", "each row alike: the default of later versions";
        /// `gaussian`.
        Gaussian = "gaussian", "a bell over the whole table";
        /// `pareto`.
        Pareto = "pareto", "four of five in a fifth";
        /// `zipfian`.
        Zipfian = "zipfian", "the k-th row as often as k to the power of −0.8";
    }
}

words! {
    /// The kinds of business objects.
    ErpObject {
        /// A temporary table.
        TempTable = "temp-table", "make, fill, index, analyse, join and drop a temporary table";
        /// A catalogue item.
        Catalog = "catalog", "write one item of a catalogue with a version check";
        /// A record set of an information register.
        InformationRegister = "information-register", "replace one record set by its dimensions";
        /// A document's movements.
        AccumulationRegister = "accumulation-register", "write ten movements and their monthly totals";
        /// A document's entries.
        AccountingRegister = "accounting-register", "write ten double entries, their analytics, turnovers and balances";
    }
}

words! {
    /// How arrivals are spread.
    Arrivals {
        /// A Poisson process.
        Poisson = "poisson", "independent of each other, as many users are and as pgbench does it";
        /// At equal distances.
        Even = "even", "at equal distances";
    }
}

words! {
    /// How long a connection is kept.
    Connections {
        /// From the start to the end.
        Kept = "kept", "from the start of a trial to its end";
        /// For one transaction.
        PerTransaction = "per-transaction", "for one transaction, as pgbench's `-C`; the time to connect has figures of its own";
    }
}

words! {
    /// What sends the load.
    Generator {
        /// pgdyno's own engine.
        Pgdyno = "pgdyno", "pgdyno's own engine";
        /// The pgbench of this machine.
        Pgbench = "pgbench", "the pgbench on PATH";
        /// The sysbench of this machine.
        Sysbench = "sysbench", "the sysbench on PATH";
    }
}
