//! What one trial counted, per transaction: every counter of every probe, of its tables, indexes and statements, and of
//! the load. Nothing is left out for want of a rule that knows it. Where the time went is the budget's.

use std::collections::{BTreeMap, BTreeSet};

use results::catalog::Catalog;
use results::probe_fields::{
    FieldKind, FieldUnit, ProbeField, ProbeName, host_disk, host_disk_wal, host_processes, host_server, host_tcp,
    host_vm, pg_bgwriter, pg_checkpointer, pg_database, pg_io, pg_slots, pg_tables, pg_wal,
};
use results::process_figures::ProcessFigure;
use results::trial::{LoadTotals, Trial};
use results::workload::WorkloadStatements;

use crate::observed::{WatchedPhase, kind_in_words};
use crate::off_cpu::SleepsOfTrial;
use crate::statements::in_one_line;
use crate::units::{format_bytes, format_count, format_milliseconds};

/// Where a figure was counted. The order is that of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedBy {
    /// The looks at where processes sleep in the kernel.
    KernelSleeps,
    /// The load engine.
    LoadEngine,
    /// The clients, statement by statement.
    StatementTimes,
    /// `pg_stat_statements`.
    StatementCounters,
    /// The server's views of tables and indexes.
    TableCounters,
    /// A probe of the server or its host.
    Probe(ProbeName),
    /// The server's log.
    ServerLog,
}

/// One thing that is counted.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CountedQuantity {
    /// By whom.
    pub by: CountedBy,
    /// The table, index or statement that it is of; absent of the whole.
    pub of: Option<String>,
    /// What it is, in words.
    pub name: String,
    /// Its unit.
    pub unit: CountedUnit,
}

/// The unit of a counted quantity, always per transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CountedUnit {
    /// Milliseconds.
    Ms,
    /// Bytes.
    Bytes,
    /// A number of things.
    Count,
}

impl CountedQuantity {
    /// A figure of it with its unit.
    pub fn in_words(&self, figure: f64) -> String {
        match self.unit {
            CountedUnit::Ms => format_milliseconds(figure),
            CountedUnit::Bytes => format_bytes(figure),
            CountedUnit::Count => format_count(figure),
        }
    }

    /// Whether more of it is no cost: an update that leaves the indexes alone is one that is cheap.
    pub(super) fn is_saving(&self) -> bool {
        self.by == CountedBy::Probe(pg_tables::PROBE)
            && self.name == figure_in_words(pg_tables::PROBE, pg_tables::HOT_UPDATES.name)
    }

    /// What it is called with what it is of: `rows read by index of public.job`.
    pub fn full_name(&self) -> String {
        match &self.of {
            Some(of) => format!("{} of {of}", self.name),
            None => self.name.clone(),
        }
    }
}

/// What one trial counted, by completed transaction.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CountsOfTrial {
    /// The figures; none of them below 0.
    pub figures: BTreeMap<CountedQuantity, f64>,
    /// Who counted: what they have no figure of is 0, if it is a thing of which there may be none.
    pub counted_by: BTreeSet<CountedBy>,
}

/// A trial with what was watched in it.
#[derive(Debug, Clone, Copy)]
pub struct WatchedTrial<'a> {
    /// The trial.
    pub trial: &'a Trial,
    /// Its figures.
    pub load: &'a LoadTotals,
    /// Its seconds and readings.
    pub watched: &'a WatchedPhase,
    /// The statements of its workload; absent where they were not kept.
    pub statements: Option<&'a WorkloadStatements>,
}

/// Probes of the server, of which each side has its own.
const OF_SERVER: [ProbeName; 7] = [
    pg_database::PROBE,
    pg_wal::PROBE,
    pg_bgwriter::PROBE,
    pg_checkpointer::PROBE,
    pg_tables::PROBE,
    pg_slots::PROBE,
    host_server::PROBE,
];

/// Probes of the server's host, which sides that take turns share.
const OF_HOST: [ProbeName; 4] = [host_disk::PROBE, host_disk_wal::PROBE, host_vm::PROBE, host_tcp::PROBE];

/// Counters that grow with the time that passes, whatever is done in it.
const OF_TIME_ALONE: [ProbeField; 1] = [pg_database::SESSION_TIME_US];

/// What a probe looks at, where the names of its figures do not tell it.
const LOOKED_AT: [(ProbeName, &str); 9] = [
    (pg_database::PROBE, "database"),
    (pg_wal::PROBE, "write-ahead log"),
    (pg_bgwriter::PROBE, "background writer"),
    (pg_checkpointer::PROBE, "checkpointer"),
    (pg_slots::PROBE, "logical decoding for replication slots"),
    (host_disk::PROBE, "disk of the data directory"),
    (host_disk_wal::PROBE, "disk of the WAL"),
    (host_vm::PROBE, "memory of the host"),
    (host_tcp::PROBE, "TCP of the host"),
];

/// Whose the figures of the server's processes are, by the beginning of their names.
const PROCESSES_OF_SERVER: [(&str, &str); 4] = [
    ("load_", "the load's sessions"),
    ("backends_", "all sessions"),
    ("others_", "other server processes"),
    ("ended_", "sessions that ended"),
];

/// What these figures are, by the rest of their names.
const FIGURES_OF_SERVER: [(&str, &str); 4] = [
    ("cpu_us", "CPU time of"),
    ("run_delay_us", "CPU wait of"),
    ("timeslices", "time slices on a CPU of"),
    ("block_io_delay_us", "wait for block devices of"),
];

/// Updates whose new version of the row has an entry in every index of the table.
const UPDATES_OF_INDEXES: &str = "updates that are not HOT";

/// Characters of a statement's text that name it.
const TEXT: usize = 61;

impl CountedBy {
    /// Whether it is counted of the whole host, whoever works there, or is time that the budget has, too.
    pub(super) fn is_of_host_or_time(self) -> bool {
        match self {
            Self::KernelSleeps => true,
            Self::Probe(probe) => {
                OF_HOST.contains(&probe) || probe == host_server::PROBE || probe == host_processes::PROBE
            }
            Self::LoadEngine
            | Self::StatementTimes
            | Self::StatementCounters
            | Self::TableCounters
            | Self::ServerLog => false,
        }
    }

    /// Whether what it has no figure of did not happen. A field of a view that another version lacks is unknown; a kind
    /// of process that there is none of has used nothing.
    fn lists_all(self) -> bool {
        match self {
            Self::KernelSleeps
            | Self::LoadEngine
            | Self::StatementTimes
            | Self::StatementCounters
            | Self::TableCounters
            | Self::ServerLog => true,
            Self::Probe(probe) => probe == host_processes::PROBE,
        }
    }
}

impl CountsOfTrial {
    /// Of a trial that has completed something; empty else.
    pub fn of_trial(trial: WatchedTrial<'_>) -> Self {
        let mut counts = Self::default();
        if trial.load.transactions == 0 {
            return counts;
        }
        counts.add_kernel_sleeps(trial);
        counts.add_load(trial);
        counts.add_statement_times(trial);
        counts.add_statement_counters(trial);
        counts.add_tables(trial);
        if !trial.watched.has_others_at_work() {
            counts.add_probes(trial);
        }
        counts.add_processes(trial);
        counts.add_log(trial);
        counts
    }

    /// A figure; none where it was not counted.
    pub(super) fn figure_of(&self, quantity: &CountedQuantity) -> Option<f64> {
        let is_none = quantity.by.lists_all() && self.counted_by.contains(&quantity.by) && self.may_count(quantity);
        self.figures.get(quantity).copied().or(is_none.then_some(0.0))
    }

    /// Whether a quantity would be here if there were any of it. Bytes of processes may not be had on one side: who has
    /// them of no kind does not have them.
    fn may_count(&self, quantity: &CountedQuantity) -> bool {
        let of_processes = quantity.by == CountedBy::Probe(host_processes::PROBE);
        !of_processes || self.figures.keys().any(|known| known.by == quantity.by && known.unit == quantity.unit)
    }

    fn add_figure(
        &mut self,
        by: CountedBy,
        of: Option<String>,
        name: impl Into<String>,
        (unit, figure): (CountedUnit, f64),
    ) {
        self.counted_by.insert(by);
        if figure.is_finite() {
            *self.figures.entry(CountedQuantity { by, of, name: name.into(), unit }).or_default() += figure.max(0.0);
        }
    }

    fn add_kernel_sleeps(&mut self, WatchedTrial { trial, watched, .. }: WatchedTrial<'_>) {
        let sleeps = watched.off_cpu.as_ref().and_then(|off_cpu| SleepsOfTrial::of_trial(off_cpu, trial));
        let Some(sleeps) = sleeps else { return };
        let by = CountedBy::KernelSleeps;
        self.counted_by.insert(by);
        for (place, ms) in sleeps.of_load {
            self.add_figure(by, None, format!("asleep in {place}"), (CountedUnit::Ms, ms));
        }
        for ((process, place), ms) in sleeps.of_others {
            self.add_figure(by, Some(process), format!("asleep in {place}"), (CountedUnit::Ms, ms));
        }
    }

    fn add_load(&mut self, WatchedTrial { load, .. }: WatchedTrial<'_>) {
        let by = CountedBy::LoadEngine;
        self.add_figure(by, None, "failed transactions", count_per_transaction(load, load.failed));
        self.add_figure(by, None, "further tries after a failure", count_per_transaction(load, load.retries));
        if let Some(made) = &load.connecting {
            self.add_figure(by, None, "connections made", count_per_transaction(load, made.count));
            if let Some(iterations) = made.scram_iterations {
                let hashed = count_per_transaction(load, made.count * u64::from(iterations));
                self.add_figure(by, None, "password hash iterations of clients (SCRAM)", hashed);
            }
        }
        if let Some(path) = &load.path {
            self.add_figure(by, None, "round trips", count_per_transaction(load, path.round_trips));
            if let Some(bytes) = path.received_bytes {
                let (_, bytes) = count_per_transaction(load, bytes);
                self.add_figure(by, None, "bytes received by the clients", (CountedUnit::Bytes, bytes));
            }
        }
        for (sqlstate, count) in &load.errors {
            self.add_figure(
                by,
                None,
                format!("failures with SQLSTATE {sqlstate}"),
                count_per_transaction(load, *count),
            );
        }
    }

    fn add_statement_times(&mut self, trial: WatchedTrial<'_>) {
        let (Some(timed), Some(sent)) = (&trial.watched.statement_latency, trial.statements) else { return };
        let transactions = trial.load.transactions as f64;
        for (statement, sent) in timed.statements.iter().zip(&sent.statements) {
            let of = Some(format!("{} line {}", sent.script, sent.line));
            let by = CountedBy::StatementTimes;
            self.add_figure(by, of.clone(), "time", (CountedUnit::Ms, statement.all_ns() / 1e6 / transactions));
            self.add_figure(
                by,
                of.clone(),
                "executions",
                (CountedUnit::Count, statement.executions as f64 / transactions),
            );
            let again = (CountedUnit::Count, statement.retried as f64 / transactions);
            self.add_figure(by, of, "tries that failed and were repeated", again);
        }
    }

    fn add_statement_counters(&mut self, WatchedTrial { watched, load, .. }: WatchedTrial<'_>) {
        let Some(counted) = watched.statements.as_ref().filter(|counted| counted.gap.is_none() && counted.over_us > 0)
        else {
            return;
        };
        self.counted_by.insert(CountedBy::StatementCounters);
        // The two snapshots are a little farther apart than the measurement is long.
        let transactions = load.transactions as f64 * counted.over_us as f64 / 1e6 / watched.length_s();
        for statement in &counted.statements {
            let Some(text) = &statement.text else { continue };
            let counts = [
                ("executions counted by the server", CountedUnit::Count, statement.calls as f64),
                ("execution time on the server", CountedUnit::Ms, statement.total_us / 1e3),
                ("rows returned or affected", CountedUnit::Count, statement.rows as f64),
                ("blocks found in shared_buffers", CountedUnit::Count, statement.blocks_hit as f64),
                ("blocks read", CountedUnit::Count, statement.blocks_read as f64),
                ("blocks dirtied", CountedUnit::Count, statement.blocks_dirtied as f64),
                ("blocks written to temporary files", CountedUnit::Count, statement.temp_blocks_written as f64),
                ("WAL", CountedUnit::Bytes, statement.wal_bytes as f64),
            ];
            for (name, unit, count) in counts {
                let of = Some(in_one_line(text, TEXT));
                self.add_figure(CountedBy::StatementCounters, of, name, (unit, count / transactions));
            }
        }
    }

    fn add_tables(&mut self, WatchedTrial { watched, load, .. }: WatchedTrial<'_>) {
        let Some(tables) = watched.tables.as_ref().filter(|tables| tables.gap.is_none()) else { return };
        self.counted_by.insert(CountedBy::TableCounters);
        let transactions = tables.transactions.filter(|count| *count > 0).unwrap_or(load.transactions) as f64;
        // Statements name the partitioned table: what is done to its partitions is one figure.
        for table in &tables.tables {
            let root = tables.catalog.as_ref().and_then(|catalog| partitioned_table_of(catalog, &table.name));
            let of_table = root.map_or_else(|| table.name.clone(), |root| format!("{root} and its partitions"));
            let counts = [
                ("sequential scans", table.sequential_scans),
                ("rows read by sequential scans", table.sequential_rows),
                ("rows read by index", table.index_rows),
                ("rows written", table.rows_changed),
                ("pages accessed", table.pages_read.unwrap_or_default()),
            ];
            for (name, count) in counts {
                let figure = (CountedUnit::Count, count as f64 / transactions);
                self.add_figure(CountedBy::TableCounters, Some(of_table.clone()), name, figure);
            }
            for index in &table.indexes {
                let of_index = match root {
                    Some(root) => format!("indexes on {root} and its partitions"),
                    None => format!("index {} on {}", index.name, table.name),
                };
                let counts = [
                    ("scans", index.scans),
                    ("entries read", index.entries),
                    ("pages accessed", index.pages_read.unwrap_or_default()),
                ];
                for (name, count) in counts {
                    let figure = (CountedUnit::Count, count as f64 / transactions);
                    self.add_figure(CountedBy::TableCounters, Some(of_index.clone()), name, figure);
                }
            }
        }
    }

    fn add_probes(&mut self, WatchedTrial { trial, watched, .. }: WatchedTrial<'_>) {
        let of_host: &[ProbeName] = if trial.turns.is_some() { &[] } else { &OF_HOST };
        for probe in OF_SERVER.iter().chain(of_host) {
            for field in probe.fields() {
                if field.kind == FieldKind::Counter
                    && !OF_TIME_ALONE.contains(field)
                    && let Some(figure) = watched.per_transaction(*field)
                {
                    let name = figure_in_words(*probe, field.name);
                    self.add_figure(CountedBy::Probe(*probe), None, name, in_unit(field.unit, figure));
                }
            }
        }
        if let (Some(updates), Some(hot)) =
            (watched.per_transaction(pg_tables::UPDATES), watched.per_transaction(pg_tables::HOT_UPDATES))
        {
            let figure = (CountedUnit::Count, updates - hot);
            self.add_figure(CountedBy::Probe(pg_tables::PROBE), None, UPDATES_OF_INDEXES, figure);
        }
        for (name, figure) in watched.counters_per_transaction(pg_io::PROBE) {
            let unit = if name.ends_with("_us") { FieldUnit::Us } else { FieldUnit::Count };
            let name = figure_in_words(pg_io::PROBE, &name);
            self.add_figure(CountedBy::Probe(pg_io::PROBE), None, name, in_unit(unit, figure));
        }
    }

    /// Kind by kind, so that others at work are a kind of their own.
    fn add_processes(&mut self, WatchedTrial { watched, load, .. }: WatchedTrial<'_>) {
        let per_transaction = watched.whole_length_s() / load.transactions as f64;
        for (kind, figures) in watched.process_kinds().into_iter().flatten() {
            let of = kind_in_words(&kind);
            for (figure, per_s) in figures {
                let (name, unit) = match figure {
                    ProcessFigure::Processes => continue,
                    ProcessFigure::CpuUs => (format!("CPU time of {of}"), FieldUnit::CpuUs),
                    ProcessFigure::RunDelayUs => (format!("CPU wait of {of}"), FieldUnit::CpuUs),
                    ProcessFigure::ReadBytes => (format!("bytes read from storage by {of}"), FieldUnit::Bytes),
                    ProcessFigure::WrittenBytes => (format!("bytes written to storage by {of}"), FieldUnit::Bytes),
                };
                let by = CountedBy::Probe(host_processes::PROBE);
                self.add_figure(by, None, name, in_unit(unit, per_s * per_transaction));
            }
        }
    }

    fn add_log(&mut self, WatchedTrial { watched, load, .. }: WatchedTrial<'_>) {
        let Some(log) = &watched.log else { return };
        let (Some(bytes), Some(over_us)) = (log.origin.bytes, log.origin.over_us.filter(|us| *us > 0)) else { return };
        // Warm-up included, at whose rate it was written as in the measurement.
        let of_measurement = bytes as f64 / over_us as f64 * watched.length_s() * 1e6;
        let figure = (CountedUnit::Bytes, of_measurement / load.transactions as f64);
        self.add_figure(CountedBy::ServerLog, None, "server log", figure);
    }
}

fn count_per_transaction(load: &LoadTotals, count: u64) -> (CountedUnit, f64) {
    (CountedUnit::Count, count as f64 / load.transactions as f64)
}

fn in_unit(unit: FieldUnit, figure: f64) -> (CountedUnit, f64) {
    match unit {
        FieldUnit::Count => (CountedUnit::Count, figure),
        FieldUnit::Bytes => (CountedUnit::Bytes, figure),
        FieldUnit::Us | FieldUnit::CpuUs => (CountedUnit::Ms, figure / 1e3),
    }
}

/// `tuples_returned` as `tuples returned`, without the unit at its end; after what the probe looks at where the name
/// alone does not tell it, as `write-ahead log: syncs`.
fn figure_in_words(probe: ProbeName, field: &str) -> String {
    if probe == host_server::PROBE
        && let Some(name) = figure_of_processes_in_words(field)
    {
        return name;
    }
    let name = field.strip_suffix("_us").or_else(|| field.strip_suffix("_bytes")).unwrap_or(field).replace('_', " ");
    match LOOKED_AT.iter().find(|(of, _)| *of == probe) {
        Some((_, looked_at)) => format!("{looked_at}: {name}"),
        None => name,
    }
}

/// `load_run_delay_us` as `CPU wait of the load's sessions`.
fn figure_of_processes_in_words(field: &str) -> Option<String> {
    for (begin, whose) in PROCESSES_OF_SERVER {
        if let Some(figure) = field.strip_prefix(begin) {
            let known = FIGURES_OF_SERVER.iter().find(|(name, _)| *name == figure);
            return known.map(|(_, words)| format!("{words} {whose}"));
        }
    }
    None
}

/// The partitioned table at the top of which a table is a partition; none of other tables.
fn partitioned_table_of<'a>(catalog: &'a Catalog, name: &str) -> Option<&'a str> {
    let tables = catalog.table_with_parents(name);
    let top = tables.last()?;
    // The catalog may lack the entry of the table at the top.
    let unlisted = top.text_fact("partition of");
    if tables.len() == 1 { unlisted } else { Some(unlisted.unwrap_or(&top.name)) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_counter_of_the_servers_processes_has_words() {
        for field in host_server::PROBE.fields().iter().filter(|field| field.kind == FieldKind::Counter) {
            assert!(figure_of_processes_in_words(field.name).is_some(), "{}", field.name);
        }
        assert_eq!(figure_in_words(host_server::PROBE, "load_run_delay_us"), "CPU wait of the load's sessions");
        assert_eq!(figure_in_words(pg_database::PROBE, "tuples_returned"), "database: tuples returned");
    }

    #[test]
    fn partitions_are_counted_with_the_table_at_the_top() {
        let partition = |name: &str, of: &str| json!({ "name": name, "facts": { "partition of": of } });
        let catalog: Catalog = serde_json::from_value(json!({ "parts": { "tables": [
            { "name": "public.ev", "facts": { "kind": "partitioned table" } }, { "name": "public.t" },
            partition("public.ev_1", "public.ev"), partition("public.ev_1_a", "public.ev_1"),
        ] } }))
        .expect("a catalog");
        let of = |name: &str| partitioned_table_of(&catalog, name);
        assert_eq!([of("public.ev_1_a"), of("public.ev_1")], [Some("public.ev"); 2]);
        assert_eq!([of("public.ev"), of("public.t"), of("public.unknown")], [None; 3]);
        let circle: Catalog = serde_json::from_value(json!({ "parts": { "tables": [
            partition("public.a", "public.b"), partition("public.b", "public.a"), partition("public.c", "public.lost"),
        ] } }))
        .expect("a catalog");
        assert_eq!(partitioned_table_of(&circle, "public.a"), Some("public.a"), "it ends");
        assert_eq!(partitioned_table_of(&circle, "public.c"), Some("public.lost"));
    }
}
