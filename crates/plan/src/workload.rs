//! What a plan says of a workload: what its transactions do, when they begin, and who sends them.
//!
//! Scripts are named here and read elsewhere: a plan is pure.

use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::json;
use work::{
    Arrivals, Builtin, Connections, Distribution, ErpObject, Ownership, QueryMode, SysbenchOptions, SysbenchScript,
    SysbenchTables, TableAccess, Think, Tries, WordChoice as _,
};

use super::cache::Cache;
use super::document::YamlValue;
use super::interleave::Interleave;
use super::language::{
    At, AtLeastMs, Form, HasName, Key, List, MappingEntries, MappingFields, MappingKeys, NamedValues, Number, OrNone,
    PlanReadingFindings, ValueDescription, ValueSequence, VariablesForm, Whole, Yaml, quote_text, read_path, record,
    spelled, words,
};
use super::limits::WorkloadLimits;
use super::mix::{self, MixMember};
use super::reads_from::ReadsFrom;
use super::sizes::{CLIENTS_MAX, Sizes};
use super::units::{Decimal, PerSecond, Percent};
use super::workload_words::{given_options, options_in_words};

/// The largest scale: about 15 TB.
const SCALE_MAX: u64 = 1_000_000;

/// The most rows that an int4 numbers.
const ROWS_MAX: u64 = i32::MAX as u64;

/// The most statements of one kind in a transaction.
type StatementCountForm = Whole<0, 1_000>;

/// The most values or ranges of one statement: a range has two parameters, and a statement at most 255.
type AtOnce = Whole<1, 127>;

record! {
    /// One workload: its transactions, their timing, and the program that sends them.
    pub struct Workload = "a workload", check = Self::is_possible {
        /// Its name, unique in the plan and safe as a file name.
        name name: String,
        /// What its transactions do, on which data.
        keys work: TransactionWork,
        /// State of the caches at the start of a trial, before the warm-up. pgdyno verifies it with the readings of the
        /// first seconds.
        key cache: Cache = Default("as-is"),
        /// Query mode, as `-M` of pgbench.
        key mode: QueryMode = Default("prepared"),
        /// Which server of a target with a standby its transactions read. With `standby`, they must only read, and own
        /// scripts are treated as with `reads: true`. The report shows how far the standby is behind.
        key reads_from: Option<ReadsFrom> = Absent("`primary`"),
        /// When its transactions begin.
        keys pace: WorkloadPace,
        /// Latency limit, as `-L` of pgbench. A transaction that takes longer is late. In an open loop, a transaction
        /// that could not start within the limit is skipped.
        key latency_limit: Option<Duration> as Option<AtLeastMs<1>> = Absent("none"),
        /// Maximum number of tries of a transaction that fails with SQLSTATE 40001 or 40P01, as `--max-tries` of
        /// pgbench.
        key tries: Tries = Default("1"),
        /// Numbers of clients, in place of those of the plan.
        key clients: Option<Vec<u32>> as Option<List<Whole<1, CLIENTS_MAX>, 1>> = Absent("`clients` of the plan"),
        /// Duration of the phases of its trials, in place of those of the plan.
        key trial: WorkloadPhases = Default("{}"),
        /// How the sides of a comparison alternate. `slices` is much more precise on a machine with other load, but
        /// hides effects that outlast a slice.
        key interleave: Option<Interleave> =
            Open("`interleave` of the plan; else `slices` if its transactions only read and that is possible, else \
                  `trials`"),
        /// Lifetime of a connection.
        key connections: Connections = Default("kept"),
        /// Time limit of a statement (`statement_timeout`).
        key statement_timeout: Option<Duration> as Option<AtLeastMs<1>> = Absent("the setting of the server"),
        /// Limits for CI. Each is compared with its interval on every target: met, violated, or not enough data.
        key require: WorkloadLimits = Default("{}"),
        /// Program that sends the load. `pgbench` and `sysbench` serve to cross-check a result, and report less.
        key generator: Generator = Default("pgdyno"),
        /// Also measure each cell with this program, in the same blocks, as a separate workload `NAME/pgbench`, and
        /// compare the two. The sides do not alternate within trials.
        key cross_check: Option<Generator> = Absent("none"),
        /// After each trial, verify that the server has every acknowledged commit, and count lost and unexpected ones.
        /// For `tpcb-like` and `simple-update`; their rows in pgbench_history become 23 bytes wider.
        key ledger: bool = Default("false"),
    }
}

record! {
    /// Duration of the phases of the trials of a workload.
    #[derive(Copy)]
    pub struct WorkloadPhases = "trial" {
        /// Load before the measurement.
        key warm_up: Option<Duration> as Option<AtLeastMs<0>> = Absent("`warm_up` of the plan's `trial`"),
        /// Load whose figures count.
        key measure: Option<Duration> as Option<AtLeastMs<100>> = Absent("`measure` of the plan's `trial`"),
    }
}

impl HasName for Workload {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Workload {
    /// Whether its transactions may change data. Own scripts may, unless they are said or found to read only.
    #[must_use]
    pub fn can_write(&self) -> bool {
        if self.reads_standby() {
            return false;
        }
        match &self.work {
            TransactionWork::Builtin { script, .. } => script.is_writing(),
            TransactionWork::Sysbench(sysbench) => sysbench.script.table_access() == TableAccess::Writes,
            TransactionWork::ReadIntensive(mix) => mix.read_percent < 100,
            TransactionWork::Scripts(scripts) => scripts.reads != Some(true),
            TransactionWork::Erp(_) => true,
            TransactionWork::Mix(_) => self.single_workloads().iter().any(Self::can_write),
        }
    }

    /// Whether its transactions write as far as that is known without a server, wherever they are executed.
    pub(super) fn surely_writes(&self) -> bool {
        if let Some(scripts) = self.own_scripts() {
            return scripts.reads == Some(false);
        }
        let on_primary = Self { reads_from: None, ..self.clone() };
        on_primary.can_write() && !on_primary.access_is_unknown()
    }

    /// Whether its transactions may change data, or what is executed before each trial.
    #[must_use]
    pub fn changes_data(&self) -> bool {
        self.can_write() || self.has_reset()
    }

    /// Whether SQL is executed before each of its trials.
    #[must_use]
    pub fn has_reset(&self) -> bool {
        let singles = self.single_workloads();
        singles.iter().any(|single| single.own_scripts().is_some_and(|scripts| scripts.reset.is_some()))
    }

    /// Whether only the servers can tell if its transactions write: those of own scripts of which the plan says
    /// nothing.
    #[must_use]
    pub fn access_is_unknown(&self) -> bool {
        if self.reads_standby() {
            return false;
        }
        if let TransactionWork::Mix(_) = self.work {
            let mut writers = self.single_workloads();
            writers.retain(Self::can_write);
            return !writers.is_empty() && writers.iter().all(Self::access_is_unknown);
        }
        self.own_scripts().is_some_and(|scripts| scripts.reads.is_none())
    }

    /// Whether its sessions are given read-only transactions, so that the server refuses a write by name.
    #[must_use]
    pub fn is_held_to_reading(&self) -> bool {
        if self.reads_standby() {
            return true;
        }
        if let TransactionWork::Mix(_) = self.work {
            return !self.can_write() && self.single_workloads().iter().any(Self::is_held_to_reading);
        }
        self.own_scripts().is_some_and(|scripts| scripts.reads == Some(true))
    }

    /// pgbench's tables, if it works on them. A mix has none by itself, as of all that follows: its single workloads
    /// have.
    #[must_use]
    pub fn pgbench_tables(&self) -> Option<PgbenchTables> {
        match &self.work {
            TransactionWork::Builtin { tables, .. } => Some(*tables),
            TransactionWork::Scripts(scripts) => scripts.tables,
            TransactionWork::Sysbench(_)
            | TransactionWork::ReadIntensive(_)
            | TransactionWork::Erp(_)
            | TransactionWork::Mix(_) => None,
        }
    }

    /// sysbench's tables, if it works on them.
    #[must_use]
    pub fn sysbench_tables(&self) -> Option<SysbenchTables> {
        match &self.work {
            TransactionWork::Sysbench(sysbench) => Some(sysbench.options.tables),
            TransactionWork::ReadIntensive(mix) => Some(mix.tables),
            TransactionWork::Builtin { .. }
            | TransactionWork::Scripts(_)
            | TransactionWork::Erp(_)
            | TransactionWork::Mix(_) => None,
        }
    }

    /// The script of pgbench that it runs, if it is one of those that pgbench has built in.
    #[must_use]
    pub fn builtin_script(&self) -> Option<Builtin> {
        if let TransactionWork::Builtin { script, .. } = self.work { Some(script) } else { None }
    }

    /// How many rows all its transactions change one of each, if they do: the branches of tpcb-like.
    #[must_use]
    pub fn branch_count(&self) -> Option<u32> {
        (self.builtin_script()? == Builtin::TpcbLike).then(|| self.pgbench_tables().map(|tables| tables.scale))?
    }

    /// Whether a trial may end before its time, since each of its transactions is to happen once.
    #[must_use]
    pub fn ends_with_its_transactions(&self) -> bool {
        let is_captured = self.own_scripts().is_some_and(|scripts| scripts.captured.is_some());
        is_captured && (self.can_write() || self.timed_replay_speed().is_some())
    }

    /// How much faster than captured the sessions of its capture are replayed, if they are replayed as they were.
    #[must_use]
    pub fn timed_replay_speed(&self) -> Option<Decimal> {
        match self.pace {
            WorkloadPace::Timed { speed } => Some(speed),
            WorkloadPace::Closed { .. } | WorkloadPace::Open { .. } | WorkloadPace::Capacity { .. } => None,
        }
    }

    /// Its own scripts, if it has some.
    #[must_use]
    pub fn own_scripts(&self) -> Option<&PlanScripts> {
        if let TransactionWork::Scripts(scripts) = &self.work { Some(scripts) } else { None }
    }

    /// The same in a plan of this target alone: what it executes there are the scripts of all.
    #[must_use]
    pub fn on_target_alone(mut self, target: &str) -> Self {
        if let TransactionWork::Scripts(own) = &mut self.work {
            let of_targets = std::mem::take(&mut own.target_scripts);
            let of_target = of_targets.into_iter().find(|scripts| scripts.target == target);
            own.files = of_target.map_or_else(|| std::mem::take(&mut own.files), |scripts| scripts.files);
        }
        self
    }

    /// The script of sysbench that it runs, if it is one.
    #[must_use]
    pub fn as_sysbench(&self) -> Option<&Sysbench> {
        if let TransactionWork::Sysbench(sysbench) = &self.work { Some(sysbench) } else { None }
    }

    /// The business objects that it writes, if it does.
    #[must_use]
    pub fn as_erp(&self) -> Option<&Erp> {
        if let TransactionWork::Erp(erp) = &self.work { Some(erp) } else { None }
    }

    /// The trials of one cell in one block: one, or the most steps of a search.
    #[must_use]
    pub fn trials_at_most(&self) -> u32 {
        self.capacity_search().map_or(1, |search| search.with_dither(0.0).steps_at_most())
    }

    /// What a transaction does: `oltp_read_only of sysbench (point_selects 0, sum_ranges 1)`. Of the options of a
    /// script, those that are not the defaults.
    #[must_use]
    pub fn transaction_in_words(&self) -> String {
        match &self.work {
            TransactionWork::Builtin { script, .. } => format!("{} of pgbench", script.as_word()),
            TransactionWork::Scripts(PlanScripts { captured: Some(capture), .. }) => {
                format!("transactions of the capture {}", capture.display())
            }
            TransactionWork::Scripts(scripts) => {
                let files: Vec<String> = scripts.files.iter().map(ToString::to_string).collect();
                files.join(", ")
            }
            TransactionWork::Sysbench(sysbench) if sysbench.script == SysbenchScript::BulkInsert => {
                format!("{} of sysbench", sysbench.script.as_word())
            }
            TransactionWork::Sysbench(sysbench) => {
                let options = given_options(&sysbench.options);
                format!("{} of sysbench{}", sysbench.script.as_word(), options_in_words(options))
            }
            TransactionWork::ReadIntensive(mix) => {
                format!("100 statements of sysbench, {} % of them reads", mix.read_percent)
            }
            TransactionWork::Erp(erp) => {
                let mut options = given_options(erp);
                options.remove("object");
                options.remove("scale");
                format!("{} of 1C:Enterprise{}", erp.object.as_word(), options_in_words(options))
            }
            TransactionWork::Mix(members) => {
                let mut words = Vec::new();
                for (member, single) in members.iter().zip(self.single_workloads()) {
                    words.push(format!("{} {} ({})", member.weight, member.name, single.transaction_in_words()));
                }
                format!("mix by weight of {}", words.join(", "))
            }
        }
    }

    /// Whether a key of a workload says what its transactions do, and on which data.
    pub(super) fn is_key_of_transactions(name: &str) -> bool {
        TransactionWork::list_keys().iter().any(|key| key.name == name)
    }

    /// The search for its capacity, if that is what is asked.
    #[must_use]
    pub fn capacity_search(&self) -> Option<&CapacitySearch> {
        match &self.pace {
            WorkloadPace::Capacity { search, .. } => Some(search),
            WorkloadPace::Closed { .. } | WorkloadPace::Open { .. } | WorkloadPace::Timed { .. } => None,
        }
    }
}

/// What the transactions of a workload do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransactionWork {
    /// A script that pgbench has built in.
    Builtin {
        /// Which.
        script: Builtin,
        /// Its data.
        tables: PgbenchTables,
    },
    /// Own scripts in pgbench's language.
    Scripts(PlanScripts),
    /// A script of sysbench.
    Sysbench(Sysbench),
    /// Statements of sysbench, mixed by a share of reads.
    ReadIntensive(ReadIntensive),
    /// Writes of one kind of business object.
    Erp(Erp),
    /// Several of the others, drawn by weight.
    Mix(Vec<MixMember>),
}

/// Own scripts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanScripts {
    /// The files, at least one unless they are made of a capture; which one a client runs next is drawn by weight.
    pub files: Vec<ScriptFile>,
    /// Targets that execute others, as many with the same weights.
    pub target_scripts: Vec<TargetScripts>,
    /// The capture of whose transactions they are made.
    pub captured: Option<PathBuf>,
    /// pgbench's tables, if the scripts work on them; absent: tables of the scripts' own, which are there already.
    pub tables: Option<PgbenchTables>,
    /// Variables that have a value from the start.
    pub define: BTreeMap<String, String>,
    /// Whether `\shell` and `\setshell` may run commands on this machine.
    pub allow_shell: bool,
    /// Whether they only read; absent: the servers are asked when the run begins.
    pub reads: Option<bool>,
    /// SQL that is executed before each trial, so that all begin with the same rows.
    pub reset: Option<PathBuf>,
}

impl TransactionWork {
    /// The key that chooses it.
    pub(crate) fn plan_key(&self) -> &'static str {
        match self {
            Self::Builtin { .. } => "builtin",
            Self::Scripts(PlanScripts { captured: Some(_), .. }) => "captured",
            Self::Scripts(_) => "script",
            Self::Sysbench(_) => "sysbench",
            Self::ReadIntensive(_) => "read-intensive",
            Self::Erp(_) => "erp",
            Self::Mix(_) => mix::KEY,
        }
    }
}

/// What holds for the key of a work that was not chosen.
const ONE_WORK: &str = "one of `builtin`, `script`, `captured`, `sysbench`, `read-intensive`, `erp`, `mix` is required";

record! {
    /// The keys of a work.
    #[derive(Default)]
    struct WorkKeys = "a work" {
        /// A built-in script of pgbench, with the same statements. Requires `scale`.
        key builtin: Option<Builtin> = OneOf(ONE_WORK),
        /// Your own scripts in the language of pgbench, each with its weight: `[orders.sql@9, refund.sql@1]`. A
        /// relative path starts at the plan. The run directory keeps a copy. With `scale` the scripts run on the tables
        /// of pgbench, without it on existing tables.
        key script: Option<Vec<ScriptFile>> as Option<List<ScriptFile, 1>> = OneOf(ONE_WORK),
        /// Targets that execute other scripts than `script`, for a branch that changes the statements: `{ branch:
        /// branch/orders.sql }`. As many scripts as in `script`, in the same order and with the same weights: the first
        /// is compared with the first, statement by statement.
        key target_scripts: Vec<TargetScripts> as OrNone<NamedValues<TargetScripts, 2>> = Absent("`script` on all targets"),
        /// Your own load: a directory that `pgdyno capture` has written. Its transactions are executed with the values
        /// that each had, at times that `replay` determines. A relative path starts at the plan. The run directory
        /// keeps the scripts that are made of it. It runs on existing tables, or on those of `data` of the target.
        key captured: Option<PathBuf> = OneOf(ONE_WORK),
        /// A script of sysbench with its options, on tables as `sysbench prepare` creates them.
        key sysbench: Option<Sysbench> = OneOf(ONE_WORK),
        /// Transactions of 100 sysbench statements, with a given share of reads.
        key "read-intensive" read_intensive: Option<ReadIntensive> = OneOf(ONE_WORK),
        /// Writes of one kind of business object, as by the 1C:Enterprise platform.
        key erp: Option<Erp> = OneOf(ONE_WORK),
        /// Several of these on one server: each client draws its next transaction by weight. A member is the name of
        /// another workload with its weight, `{ catalog: 3, accounting: 1 }`, which is also measured by itself, or a
        /// name of your choice with a weight and what its transactions do. The mix has the pace, clients and other keys
        /// of its own.
        key mix: Option<Vec<MixMember>> as Option<NamedValues<MixMember, 2>> = OneOf(ONE_WORK),
        /// Scale factor of pgbench: 100 000 accounts, about 15 MiB of data, per unit. For `tpcb-like`, use at least the
        /// number of clients. Each element of a list such as `[100, 300]` becomes a separate workload,
        /// `NAME/scale-100`, in its own database.
        key scale: Option<u32> as Option<Sizes<1, SCALE_MAX>> =
            With("builtin", "required with `builtin`; without it, a `script` uses existing tables"),
        /// Who creates the tables `pgbench_accounts`, `pgbench_branches`, `pgbench_history` and `pgbench_tellers`.
        key data: Option<Ownership> = Absent("`managed`"),
        /// Variables of a `script`, as `-D` of pgbench.
        key define: Option<BTreeMap<String, String>> as Option<VariablesForm> = Default("{}"),
        /// Permit a `script` to run commands on this machine with `\shell` and `\setshell`.
        key allow_shell: Option<bool> = Default("false"),
        /// Whether a `script` or a capture only reads. With `true`, its sessions have `default_transaction_read_only =
        /// on`, so that a statement that writes fails. Such a workload can run on a standby, and its sides alternate
        /// within trials. With `false`, the script is treated as writing.
        key reads: Option<bool> = Open("determined at the start of the run: the servers prepare and explain each statement"),
        /// SQL that the role of the target executes before each trial of a `script` or a capture, for example to
        /// restore the rows that it changes. Each statement is a transaction, unless the file has BEGIN and COMMIT. A
        /// relative path starts at the plan. The run directory keeps a copy.
        key reset: Option<PathBuf> = Absent("tables of your own are not restored between trials"),
    }
}

impl MappingKeys for TransactionWork {
    fn list_keys() -> Vec<Key> {
        WorkKeys::list_keys()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        let keys = WorkKeys::read_keys(findings, fields)?;
        let given = |name: &str| fields.entry_of_key(name).is_some();
        let (own, of_pgbench) = (given("script"), given("builtin") || given("script"));
        let has_scripts = own || given("captured");
        for name in ["scale", "data"].into_iter().filter(|_| !of_pgbench) {
            let hint = "remove it; the other workloads have their own sizes";
            fields.report_misplaced(findings, name, "is for `builtin` and `script`", hint);
        }
        for name in ["target_scripts", "define", "allow_shell"].into_iter().filter(|_| !own) {
            fields.report_misplaced(findings, name, "is for `script`", "remove it");
        }
        for name in ["reads", "reset"].into_iter().filter(|_| !has_scripts) {
            fields.report_misplaced(findings, name, "is for `script` and `captured`", "remove it");
        }
        if own && !given("scale") {
            let hint = "add `scale: 10` if the scripts use them, or remove it";
            fields.report_misplaced(findings, "data", "is for pgbench's tables", hint);
        }
        let data = keys.data.unwrap_or(Ownership::Managed);
        let tables = keys.scale.map(|scale| PgbenchTables { scale, data });
        // What the rules of the keys forbid has been reported.
        match keys {
            WorkKeys { builtin: Some(script), .. } => Some(Self::Builtin { script, tables: tables? }),
            WorkKeys { script: Some(files), target_scripts, define, allow_shell, reads, reset, .. } => {
                let (define, allow_shell) = (define.unwrap_or_default(), allow_shell.unwrap_or(false));
                let captured = None;
                let own = PlanScripts { files, target_scripts, captured, tables, define, allow_shell, reads, reset };
                Some(Self::Scripts(own))
            }
            WorkKeys { captured: Some(capture), reads, reset, .. } => Some(Self::Scripts(PlanScripts {
                files: Vec::new(),
                target_scripts: Vec::new(),
                captured: Some(capture),
                tables: None,
                define: BTreeMap::new(),
                allow_shell: false,
                reads,
                reset,
            })),
            WorkKeys { sysbench: Some(sysbench), .. } => Some(Self::Sysbench(sysbench)),
            WorkKeys { read_intensive: Some(mix), .. } => Some(Self::ReadIntensive(mix)),
            WorkKeys { erp: Some(erp), .. } => Some(Self::Erp(erp)),
            WorkKeys { mix: Some(members), .. } => Some(Self::Mix(members)),
            WorkKeys { .. } => None,
        }
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let mut keys = WorkKeys::default();
        let mut on = |tables: Option<PgbenchTables>| {
            (keys.scale, keys.data) = (tables.map(|tables| tables.scale), tables.map(|tables| tables.data));
        };
        match self.clone() {
            Self::Builtin { script, tables } => {
                on(Some(tables));
                keys.builtin = Some(script);
            }
            Self::Scripts(PlanScripts { captured: captured @ Some(_), reads, reset, .. }) => {
                (keys.captured, keys.reads, keys.reset) = (captured, reads, reset);
            }
            Self::Scripts(PlanScripts {
                files,
                target_scripts,
                captured: None,
                tables,
                define,
                allow_shell,
                reads,
                reset,
            }) => {
                on(tables);
                (keys.target_scripts, keys.reads, keys.reset) = (target_scripts, reads, reset);
                (keys.script, keys.define, keys.allow_shell) = (Some(files), Some(define), Some(allow_shell));
            }
            // It has no options.
            Self::Sysbench(Sysbench { script: script @ SysbenchScript::BulkInsert, .. }) => {
                let script = vec![("script".to_owned(), SysbenchScript::write_value(&script))];
                return to.push(("sysbench".to_owned(), Yaml::Map(script)));
            }
            Self::Sysbench(sysbench) => keys.sysbench = Some(sysbench),
            Self::ReadIntensive(mix) => keys.read_intensive = Some(mix),
            Self::Erp(erp) => keys.erp = Some(erp),
            Self::Mix(members) => keys.mix = Some(members),
        }
        keys.write_keys(to);
    }
}

/// The scripts of one target, in place of those of all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetScripts {
    /// The target.
    pub target: String,
    /// The files, at least one.
    pub files: Vec<ScriptFile>,
}

impl HasName for TargetScripts {
    fn name(&self) -> &str {
        &self.target
    }
}

impl Form for TargetScripts {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let files = List::<ScriptFile, 1>::read_value(findings, at)?;
        Some(Self { target: at.name.to_owned(), files })
    }

    fn write_value(value: &Self) -> Yaml {
        List::<ScriptFile, 1>::write_value(&value.files)
    }

    fn describe_form() -> ValueDescription {
        List::<ScriptFile, 1>::describe_form()
    }
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

impl Form for ScriptFile {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let path = read_path(findings, at, &Self::describe_form().example)?;
        let text = path.to_string_lossy();
        let Some((file, weight)) = text.rsplit_once('@') else {
            return Some(Self { path, weight: NonZeroU32::MIN });
        };
        match weight.parse::<NonZeroU32>() {
            Ok(weight) if !file.is_empty() => Some(Self { path: PathBuf::from(file), weight }),
            _ => at.report_wrong_value(findings, "not a script and its weight", Self::replacement_hint()),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(quote_text(&value.to_string()))
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new("path, and a weight after `@`", "orders.sql@9", PathBuf::describe_form().schema)
    }
}

/// pgbench's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PgbenchTables {
    /// pgbench's scale factor: 100 000 accounts, about 15 MiB, each.
    pub scale: u32,
    /// Who makes them.
    pub data: Ownership,
}

record! {
    /// A script of sysbench with its options.
    pub struct Sysbench = "sysbench", check = Self::takes_its_options {
        /// The script.
        key script: SysbenchScript,
        /// Its options.
        keys options: SysbenchOptions,
    }
}

impl Sysbench {
    /// Whether its tables have no rows at first: ids that the clients make up might collide with those that are there.
    #[must_use]
    pub fn starts_empty(&self) -> bool {
        let inserts = self.script == SysbenchScript::Insert && !self.options.tables.auto_inc;
        inserts || self.script == SysbenchScript::BulkInsert
    }

    fn takes_its_options(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        if self.script.divides_one_table() && self.options.tables.tables > 1 {
            let why = format!("is 1 for `script: {}`, which reads only one table", self.script.as_word());
            fields.report_misplaced(findings, "tables", &why, "remove it");
        }
        if self.script == SysbenchScript::BulkInsert {
            let why = "does not apply to `script: bulk_insert`, which has no options and one empty table per client";
            for name in fields.given_keys().filter(|name| *name != "script") {
                fields.report_misplaced(findings, name, why, "remove it");
            }
        }
    }
}

record! {
    /// sysbench's tables.
    of SysbenchTables = "sysbench's tables" {
        /// Number of tables (`sbtest1`, `sbtest2`, …). All workloads on sysbench tables share them.
        key tables: u32 as Whole<1, 10_000> = Default("1"),
        /// Rows per table, about 220 bytes each with their index entries. Each element of a list such as `[100000,
        /// 10000000]` becomes a separate workload, `NAME/rows-100000`, in its own database.
        key table_size: u32 as Sizes<1, ROWS_MAX> = Default("10000"),
        /// Use an auto-increment column for the row numbers. Without it, `oltp_insert` generates them, on tables that
        /// are initially empty. All workloads on sysbench tables share this key.
        key auto_inc: bool = Default("true"),
        /// Create an index on the column `k`. All workloads on sysbench tables share this key.
        key create_secondary: bool = Default("true"),
    }
}

record! {
    /// The options of sysbench's scripts.
    of SysbenchOptions = "sysbench's options" {
        /// Its data.
        keys tables: SysbenchTables,
        /// Distribution of the rows, as `--rand-type` of sysbench: a name, or a name with parameters, such as `{
        /// pareto: { h: 0.1 } }`. Results with different distributions are not comparable. The values of `k` follow the
        /// distribution of the first workload on these tables.
        key distribution: Distribution = Default("special"),
        /// Rows per range.
        key range_size: u32 as Whole<1, ROWS_MAX> = Default("100"),
        /// SELECTs by primary key per transaction.
        key point_selects: u32 as StatementCountForm = Default("10"),
        /// Whether the transaction contains range statements (the next four keys).
        key range_selects: bool = Default("true"),
        /// SELECTs of a range per transaction.
        key simple_ranges: u32 as StatementCountForm = Default("1"),
        /// Sums over a range per transaction.
        key sum_ranges: u32 as StatementCountForm = Default("1"),
        /// Ordered SELECTs of a range per transaction.
        key order_ranges: u32 as StatementCountForm = Default("1"),
        /// SELECT DISTINCTs of a range per transaction.
        key distinct_ranges: u32 as StatementCountForm = Default("1"),
        /// UPDATEs of the indexed column per transaction.
        key index_updates: u32 as StatementCountForm = Default("1"),
        /// UPDATEs of a column without an index per transaction.
        key non_index_updates: u32 as StatementCountForm = Default("1"),
        /// Pairs of a DELETE and an INSERT of the same row per transaction.
        key delete_inserts: u32 as StatementCountForm = Default("1"),
        /// Number of values in the statement of `select_random_points`.
        key random_points: u32 as AtOnce = Default("10"),
        /// Number of ranges in the statement of `select_random_ranges`.
        key number_of_ranges: u32 as AtOnce = Default("10"),
        /// Difference between the last and the first value of such a range.
        key delta: u32 as Whole<0, { ROWS_MAX / 2 }> = Default("5"),
        /// Omit BEGIN and COMMIT.
        key skip_trx: bool = Default("false"),
    }
}

record! {
    /// Statements of sysbench, mixed by a share of reads.
    pub struct ReadIntensive = "read-intensive" {
        /// Percentage of reads among the 100 statements of a transaction. Reads are point selects and the four kinds of
        /// ranges, 10:1:1:1:1. Writes are index updates, non-index updates and pairs of DELETE and INSERT, in equal
        /// parts.
        key read_percent: u32 as Whole<0, 100> = Default("80"),
        /// Its data.
        keys tables: SysbenchTables,
        /// Distribution of the rows, as `--rand-type` of sysbench: a name, or a name with parameters, such as `{
        /// pareto: { h: 0.1 } }`. Results with different distributions are not comparable. The values of `k` follow the
        /// distribution of the first workload on these tables.
        key distribution: Distribution = Default("special"),
    }
}

record! {
    /// Writes of one kind of business object.
    pub struct Erp = "erp", check = Self::has_what_it_takes {
        /// Kind of business object that a transaction writes.
        key object: ErpObject,
        /// Scale factor: 100 000 catalogue items and 1 000 000 movements per unit. Each element of a list such as `[1,
        /// 10]` becomes a separate workload, `NAME/scale-1`, in its own database.
        key scale: u32 as Sizes<1, 1_000> = Default("1"),
        /// Number of totals rows per key of a register. With 1, writers of the same key wait for each other.
        key splitter: u32 as Whole<1, 1_024> = Default("1"),
        /// With `temp-table`: truncate and reuse the temporary table instead of dropping it.
        key reuse: bool = Default("false"),
        /// With `catalog`: percentage of transactions that insert an item. The others update one.
        key inserts_percent: Option<u32> as Option<Whole<0, 100>> = Absent("50"),
        /// Parameter of `random_zipfian` of pgbench, by which items are drawn.
        key zipfian: Option<Decimal> as Option<Number<1_001, 1_000_000>> = Absent("all items are equally likely"),
    }
}

impl Erp {
    fn has_what_it_takes(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        let has_totals = matches!(self.object, ErpObject::AccumulationRegister | ErpObject::AccountingRegister);
        if self.splitter > 1 && !has_totals {
            let why = "is for `accumulation-register` and `accounting-register`";
            fields.report_misplaced(findings, "splitter", why, "remove it");
        }
        if self.reuse && self.object != ErpObject::TempTable {
            fields.report_misplaced(findings, "reuse", "is for `object: temp-table`", "remove it");
        }
        if self.inserts_percent.is_some() && self.object != ErpObject::Catalog {
            fields.report_misplaced(findings, "inserts_percent", "is for `object: catalog`", "remove it");
        }
    }
}

/// When transactions begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkloadPace {
    /// Each client begins one when its last one has ended and it has thought about it.
    Closed {
        /// The pause between two transactions of a client.
        think: Option<Think>,
    },
    /// They arrive at a rate that does not depend on the server.
    Open {
        /// How many arrive.
        rate: PlannedRate,
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
    /// Those of a capture begin when they did, each session on a connection of its own.
    Timed {
        /// How much faster than they were captured.
        speed: Decimal,
    },
}

words! {
    /// When the transactions of a capture begin.
    CaptureReplay {
        Sampled = "sampled", "by whichever client is free, in the order of the capture: any number of clients, rate or think time";
        Timed = "timed", "at the times of the capture, each session on a connection of its own, with the pauses of its client";
    }
}

/// The speed of a timed replay if the plan does not say it.
const SPEED_BY_DEFAULT: Decimal = Decimal::from_thousandths(1_000);

record! {
    /// The keys of a pace.
    #[derive(Default)]
    struct PaceKeys = "a pace" {
        /// Think time: pause of a client between two transactions of a closed loop.
        key think: Option<Think> = Absent("none"),
        /// Offered rate of an open loop, in transactions per second, independent of the server. Latency counts from the
        /// scheduled start of a transaction. With `from` and `to`, the rate changes linearly from the start of the
        /// warm-up to the end of the measurement. With a list, each rate has an equal part of the measurement.
        key rate: Option<PlannedRate> = Absent("none; the loop is closed"),
        /// Distribution of the arrivals of an open loop.
        key arrivals: Option<Arrivals> = Absent("`poisson`"),
        /// Search for the capacity: the highest rate of an open loop that satisfies a latency limit. Each rate is a
        /// trial. The capacities are compared block by block.
        key capacity: Option<CapacitySearch> = Absent("none"),
        /// When the transactions of a capture begin. With `timed`, `clients` is the highest number of connections that
        /// the sessions may use at the same time.
        key replay: Option<CaptureReplay> = Absent("`sampled`"),
        /// Speed of a timed replay: with 2, all times and pauses are half as long as in the capture.
        key speed: Option<Decimal> as Option<Number<10, 100_000>> = Absent("1"),
    }
}

impl MappingKeys for WorkloadPace {
    fn list_keys() -> Vec<Key> {
        PaceKeys::list_keys()
    }

    fn read_keys(findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) -> Option<Self> {
        let PaceKeys { think, rate, arrivals, capacity, replay, speed } = PaceKeys::read_keys(findings, fields)?;
        let given = |name: &str| fields.entry_of_key(name).is_some();
        if !given("captured") {
            fields.report_misplaced(findings, "replay", "is for `captured`", "remove it");
        }
        if replay == Some(CaptureReplay::Timed) {
            for name in ["think", "rate", "arrivals", "capacity"] {
                let why = "does not apply to `replay: timed`, whose times and sessions are those of the capture";
                fields.report_misplaced(findings, name, why, "remove it, or use `replay: sampled`");
            }
            return Some(Self::Timed { speed: speed.unwrap_or(SPEED_BY_DEFAULT) });
        }
        fields.report_misplaced(findings, "speed", "is for `replay: timed`", "add `replay: timed`, or remove it");
        if given("capacity") {
            let hint = "remove it: the search chooses the rates";
            fields.report_misplaced(findings, "rate", "and `capacity` exclude each other", hint);
        }
        if given("rate") || given("capacity") {
            let hint = "remove it: the rate determines when transactions start";
            fields.report_misplaced(findings, "think", "is for a closed loop", hint);
        } else {
            fields.report_misplaced(findings, "arrivals", "is for an open loop", "add `rate: 500/s`, or remove it");
        }
        let arrivals = arrivals.unwrap_or(Arrivals::Poisson);
        Some(match (rate, capacity) {
            (None, None) => Self::Closed { think },
            (Some(rate), _) => Self::Open { rate, arrivals },
            (None, Some(search)) => Self::Capacity { search, arrivals },
        })
    }

    fn write_keys(&self, to: &mut MappingEntries) {
        let mut keys = PaceKeys::default();
        match self.clone() {
            Self::Closed { think } => keys.think = think,
            Self::Open { rate, arrivals } => (keys.rate, keys.arrivals) = (Some(rate), Some(arrivals)),
            Self::Capacity { search, arrivals } => (keys.capacity, keys.arrivals) = (Some(search), Some(arrivals)),
            Self::Timed { speed } => (keys.replay, keys.speed) = (Some(CaptureReplay::Timed), Some(speed)),
        }
        keys.write_keys(to);
    }
}

record! {
    /// A random pause.
    struct RandomPause = "think" {
        /// Mean of an exponential distribution.
        key exponential: Duration as AtLeastMs<1>,
    }
}

impl Form for Think {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match at.node.value {
            YamlValue::Plain(_) | YamlValue::Quoted(_) => AtLeastMs::<1>::read_value(findings, at).map(Self::Fixed),
            YamlValue::Map(_) => {
                RandomPause::read_value(findings, at).map(|pause| Self::Exponential(pause.exponential))
            }
            YamlValue::List(_) => {
                at.report_wrong_value(findings, "which is not possible here", Self::replacement_hint())
            }
        }
    }

    fn write_value(value: &Self) -> Yaml {
        match *value {
            Self::Fixed(pause) => AtLeastMs::<1>::write_value(&pause),
            Self::Exponential(exponential) => RandomPause::write_value(&RandomPause { exponential }),
        }
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::any_of([AtLeastMs::<1>::describe_form(), RandomPause::describe_form()])
    }
}

/// Transactions per second that are offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlannedRate {
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

impl PlannedRate {
    /// Always the same; none when out of a plan's range.
    #[must_use]
    pub fn constant_per_s(per_s: f64) -> Option<Self> {
        PerSecond::from_rounded_per_s(per_s).map(Self::Constant)
    }
}

record! {
    /// A rate that changes linearly.
    struct Ramp = "a ramp" {
        /// Rate at the start of the warm-up.
        key from: PerSecond as RateLike<100>,
        /// Rate at the end of the measurement.
        key to: PerSecond as RateLike<10_000>,
    }
}

/// A rate, of which the example is another than of others.
struct RateLike<const EXAMPLE: u32>;

impl<const EXAMPLE: u32> Form for RateLike<EXAMPLE> {
    type Value = PerSecond;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<PerSecond> {
        PerSecond::read_value(findings, at)
    }

    fn write_value(value: &PerSecond) -> Yaml {
        PerSecond::write_value(value)
    }

    fn describe_form() -> ValueDescription {
        ValueDescription { example: format!("{EXAMPLE}/s"), ..PerSecond::describe_form() }
    }
}

impl Form for PlannedRate {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        match at.node.value {
            YamlValue::Plain(_) | YamlValue::Quoted(_) => PerSecond::read_value(findings, at).map(Self::Constant),
            YamlValue::Map(_) => Ramp::read_value(findings, at).map(|Ramp { from, to }| Self::Ramp { from, to }),
            YamlValue::List(_) => ValueSequence::<PerSecond>::read_value(findings, at).map(Self::Steps),
        }
    }

    fn write_value(value: &Self) -> Yaml {
        match value {
            Self::Constant(rate) => PerSecond::write_value(rate),
            Self::Ramp { from, to } => Ramp::write_value(&Ramp { from: *from, to: *to }),
            Self::Steps(steps) => ValueSequence::<PerSecond>::write_value(steps),
        }
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::any_of([
            PerSecond::describe_form(),
            Ramp::describe_form(),
            ValueSequence::<PerSecond>::describe_form(),
        ])
    }
}

record! {
    /// A search for the highest rate that satisfies a latency limit.
    #[derive(Copy)]
    pub struct CapacitySearch = "capacity", check = Self::is_a_bracket {
        /// Limit of the 99th percentile of the latency, counted from the scheduled start.
        key p99: Duration as AtLeastMs<1>,
        /// Lowest rate of the search; it should certainly satisfy the limit.
        key from: PerSecond as RateLike<100>,
        /// Highest rate of the search; it should certainly violate the limit.
        key to: PerSecond as RateLike<10_000>,
        /// Largest difference between the lowest rate that failed and the highest that succeeded.
        key precision: Percent = Default("2%"),
    }
}

impl CapacitySearch {
    /// The search itself; `dither` as [`stats::capacity::Search::new`] has it.
    #[must_use]
    pub fn with_dither(&self, dither: f64) -> stats::capacity::Search {
        stats::capacity::Search::new(self.from.per_s(), self.to.per_s(), self.precision.as_fraction(), dither)
            .expect("a plan's searches are checked when it is read")
    }

    fn is_a_bracket(&self, findings: &mut PlanReadingFindings, fields: &MappingFields<'_>) {
        if self.from >= self.to {
            let why = format!("is not above `from` ({})", self.from);
            let hint = "search from a rate that certainly satisfies the limit to one that certainly violates it";
            fields.report_refused(findings, "to", &why, hint);
        }
    }
}

impl Form for Tries {
    type Value = Self;

    fn read_value(findings: &mut PlanReadingFindings, at: &At<'_>) -> Option<Self> {
        let tries = match &at.node.value {
            YamlValue::Plain(text) | YamlValue::Quoted(text) if text == "unlimited" => Some(Self::Unlimited),
            YamlValue::Plain(text) => text.parse().ok().map(Self::AtMost),
            YamlValue::Quoted(_) | YamlValue::List(_) | YamlValue::Map(_) => None,
        };
        tries.or_else(|| {
            at.report_wrong_value(findings, "not a valid number of tries", "write a whole number from 1, or unlimited")
        })
    }

    fn write_value(value: &Self) -> Yaml {
        Yaml::Scalar(value.to_string())
    }

    fn describe_form() -> ValueDescription {
        ValueDescription::new(
            "whole number from 1, or `unlimited`",
            "10",
            json!({ "anyOf": [{ "type": "integer", "minimum": 1, "maximum": u32::MAX }, { "const": "unlimited" }] }),
        )
    }
}

spelled!(Arrivals, Builtin, Connections, ErpObject, Ownership, QueryMode, SysbenchScript);

words! {
    /// What sends the load.
    Generator {
        Pgdyno = "pgdyno", "the load engine of pgdyno";
        Pgbench = "pgbench", "pgbench, as found on PATH";
        Sysbench = "sysbench", "sysbench, as found on PATH";
    }
}
