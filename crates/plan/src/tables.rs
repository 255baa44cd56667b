//! The tables that pgdyno makes for a plan: in which database, about how large, and where that fits.

use super::data_sizes::Sized;
use super::model::Plan;
use super::quantity::setting_bytes;
use super::target::Target;
use super::workload::{Sysbench, Workload};
use work::{ErpObject, Ownership, SysbenchScript};

/// The size of one scale unit on the disk, with its index, in MiB.
const MIB_PER_SCALE: u64 = 15;

/// The size of a row of sysbench's tables with its index entries, in bytes.
const SYSBENCH_ROW_BYTES: u64 = 240;

/// The tables of business objects: which objects are written into them, and the size of one scale unit on the disk,
/// with its indexes, in MiB.
const ERP_TABLES: [(&[ErpObject], u64); 4] = [
    (&[ErpObject::Catalog, ErpObject::TempTable], 45),
    (&[ErpObject::InformationRegister], 265),
    (&[ErpObject::AccumulationRegister], 425),
    (&[ErpObject::AccountingRegister], 365),
];

/// What PostgreSQL has where nobody says otherwise.
const SHARED_BUFFERS_BYTES: u64 = 128 << 20;

/// Tables that pgdyno makes in one database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct DatabaseTables {
    /// What they are, in words.
    what: String,
    /// Their scale, if they are pgbench's.
    scale: Option<u32>,
    /// About how large they are with their indexes, in MiB.
    pub(super) mib: u64,
    /// What they consist of.
    pub(super) data_sets: Vec<DataSet>,
    /// The database that is made for them; none: that of the target.
    database: Option<String>,
    /// The workloads that run on them.
    workloads: Vec<String>,
}

/// Data that are created in one go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DataSet {
    /// Of which kind.
    pub(super) kind: DataKind,
    /// About how large, with indexes, in MiB.
    pub(super) mib: u64,
}

/// A kind of data, which is created in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DataKind {
    /// pgbench's.
    Pgbench,
    /// sysbench's.
    Sysbench,
    /// Business objects: the tables at this place of [`ERP_TABLES`].
    Erp(usize),
}

impl DataKind {
    /// What it is called.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Self::Pgbench => "pgbench",
            Self::Sysbench => "sysbench",
            Self::Erp(_) => "business objects",
        }
    }

    /// What is created per second on an idle machine, in MiB, indexes included.
    pub(super) fn mib_per_s(self) -> u64 {
        match self {
            Self::Pgbench => PGBENCH_MIB_PER_S,
            Self::Sysbench => SYSBENCH_MIB_PER_S,
            Self::Erp(_) => ERP_MIB_PER_S,
        }
    }
}

/// A scale unit of pgbench takes 0.2 s on an idle machine. The others were created beside 20 units of it on a machine
/// with seven runnable processes for each CPU, where all took 4.1 times as long: 1 000 000 rows of sysbench, the
/// catalogue and the information register at scale 1.
const PGBENCH_MIB_PER_S: u64 = 75;
const SYSBENCH_MIB_PER_S: u64 = 46;
const ERP_MIB_PER_S: u64 = 16;

impl DatabaseTables {
    /// Takes in those of another workload on tables of the same names.
    fn join_workloads_of(&mut self, other: Self) {
        self.workloads.extend(other.workloads);
        for data in other.data_sets {
            if !self.data_sets.contains(&data) {
                self.data_sets.push(data);
                self.mib += data.mib;
            }
        }
    }

    /// That they are made, in words; `target_database` is what that of the target is called.
    pub(super) fn creation_in_words(&self, target_database: &str) -> String {
        let Self { what, scale, mib, database, .. } = self;
        let scale = scale.map_or_else(String::new, |scale| format!("scale {scale}, "));
        let place = match database {
            None => target_database.to_owned(),
            Some(name) => format!("the database {name}, which it creates if necessary and keeps"),
        };
        format!("creates the {what} in {place} ({scale}about {})", size_in_words(*mib))
    }

    /// Whether they fit into the memories that are known of a target.
    fn memory_fit_in_words(&self, target: &Target, memory_bytes: Option<u64>) -> Option<String> {
        let known = [("shared_buffers", target.shared_buffers_bytes()), ("memory", memory_bytes)];
        let fits = known.into_iter().filter_map(|(name, bytes)| {
            let mib = bytes? >> 20;
            let verb = if self.mib <= mib { "fit" } else { "do not fit" };
            Some(format!("{verb} into {name} ({})", size_in_words(mib)))
        });
        let fits: Vec<String> = fits.collect();
        let about = format!("{} (about {})", self.workloads.join(", "), size_in_words(self.mib));
        (!fits.is_empty()).then(|| format!("{}: data of {about} {}", target.name, fits.join(", ")))
    }
}

impl Plan {
    /// About how many bytes all data take that pgdyno makes on one server.
    #[must_use]
    pub fn data_bytes(&self) -> u64 {
        self.managed_tables().iter().map(|tables| tables.mib << 20).sum()
    }

    /// Whether pgdyno may make a table of this name on each server: one of pgbench's or sysbench's where a workload
    /// needs them, and any where business objects are written.
    #[must_use]
    pub fn makes_table(&self, name: &str) -> bool {
        self.single_workloads().iter().any(|workload| {
            let of_pgbench = workload.pgbench_tables().is_some() && name.starts_with("pgbench_");
            let of_sysbench = workload.sysbench_tables().is_some() && name.starts_with("sbtest");
            of_pgbench || of_sysbench || workload.as_erp().is_some()
        })
    }

    /// Whether the data of the workloads fit into what is known of the memory of the targets, a sentence for each size
    /// on each server; `memory_bytes` is the memory of this machine.
    #[must_use]
    pub fn sizes_in_memory(&self, memory_bytes: u64) -> Vec<String> {
        let tables = self.managed_tables();
        let servers = self.targets.iter().filter(|target| target.reach.server_of().is_none());
        let of = |target: &Target| {
            let memory = target.reach.is_here().then_some(memory_bytes);
            tables.iter().filter_map(move |tables| tables.memory_fit_in_words(target, memory)).collect::<Vec<_>>()
        };
        servers.flat_map(of).collect()
    }

    /// The data of a workload: `scale 100, about 1.5 GiB`, or who makes it.
    #[must_use]
    pub fn data_in_words(&self, workload: &Workload) -> String {
        let members = workload.mix_members();
        if !members.is_empty() {
            let mut words = Vec::new();
            for (member, single) in members.iter().zip(workload.single_workloads()) {
                words.push(format!("{}: {}", member.name, self.data_in_words(&single)));
            }
            return words.join(", ");
        }
        let size = self.tables_for(workload).map(|tables| tables.mib);
        let about = size.map_or_else(String::new, |mib| format!(", about {}", size_in_words(mib)));
        if let Some(tables) = workload.pgbench_tables() {
            let whose = if tables.data == Ownership::Existing { ", existing tables" } else { "" };
            return format!("scale {}{about}{whose}", tables.scale);
        }
        if let Some(tables) = workload.sysbench_tables() {
            let plural = if tables.tables == 1 { "" } else { "s" };
            return format!("{} table{plural} of {} rows{about}", tables.tables, tables.table_size);
        }
        match workload.as_erp() {
            Some(erp) => format!("scale {}{about}", erp.scale),
            None => "existing tables".to_owned(),
        }
    }

    /// The tables that pgdyno makes on each server, in the order of the workloads.
    pub(super) fn managed_tables(&self) -> Vec<DatabaseTables> {
        let mut all: Vec<DatabaseTables> = Vec::new();
        for workload in &self.single_workloads() {
            let Some(made) = self.tables_for(workload) else { continue };
            match all.iter_mut().find(|other| other.database == made.database && other.what == made.what) {
                Some(same) => same.join_workloads_of(made),
                None => all.push(made),
            }
        }
        all
    }

    fn tables_for(&self, workload: &Workload) -> Option<DatabaseTables> {
        let (what, scale, data) = match Sized::from_workload(workload) {
            Some(Sized::Pgbench { scale }) => {
                let what = "tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers";
                let data = DataSet { kind: DataKind::Pgbench, mib: u64::from(scale) * MIB_PER_SCALE };
                (what.to_owned(), Some(scale), data)
            }
            Some(Sized::Erp { scale }) => {
                let object = workload.as_erp()?.object;
                let place = ERP_TABLES.iter().position(|(objects, _)| objects.contains(&object))?;
                let data = DataSet { kind: DataKind::Erp(place), mib: u64::from(scale) * ERP_TABLES[place].1 };
                ("tables of the business objects".to_owned(), None, data)
            }
            Some(Sized::Sysbench { .. }) | None => {
                let (what, mib) = self.sysbench_tables(workload)?;
                (what, None, DataSet { kind: DataKind::Sysbench, mib })
            }
        };
        Some(DatabaseTables {
            what,
            scale,
            mib: data.mib,
            data_sets: vec![data],
            database: self.database_for_workload(workload),
            workloads: vec![workload.name.clone()],
        })
    }

    fn sysbench_tables(&self, workload: &Workload) -> Option<(String, u64)> {
        let tables = workload.sysbench_tables()?;
        let is = |is: fn(&Sysbench) -> bool| workload.as_sysbench().is_some_and(is);
        let one_per_client = is(|of| of.script == SysbenchScript::BulkInsert);
        let number = if one_per_client { self.most_clients_of_workload(workload) } else { tables.tables };
        let rows = if is(Sysbench::starts_empty) { 0 } else { tables.table_size };
        let what = if number == 1 { "table sbtest1".to_owned() } else { format!("tables sbtest1 to sbtest{number}") };
        let mib = (u64::from(number) * u64::from(rows) * SYSBENCH_ROW_BYTES) >> 20;
        Some((what, mib.max(1)))
    }
}

impl Target {
    /// The shared buffers of a server that pgdyno makes, or that the plan gives to one.
    pub(super) fn shared_buffers_bytes(&self) -> Option<u64> {
        let given = self.given_settings();
        match given.get("shared_buffers") {
            Some(text) => setting_bytes(text).or_else(|| text.parse::<u64>().ok().map(|blocks| blocks * 8192)),
            None => self.reach.is_made().then_some(SHARED_BUFFERS_BYTES),
        }
    }
}

/// A size for people.
pub(super) fn size_in_words(mib: u64) -> String {
    if mib < 1024 { format!("{mib} MiB") } else { format!("{:.1} GiB", mib as f64 / 1024.0) }
}
