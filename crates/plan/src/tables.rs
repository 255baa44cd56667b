//! The tables that pgdyno makes for a plan: in which database, and about how large.

use super::model::Plan;
use super::sizes::Sized;
use super::workload::{Sysbench, Workload};
use work::SysbenchScript;

/// The size of one scale unit on the disk, with its index, in MiB.
const MIB_PER_SCALE: u64 = 15;

/// The size of a row of sysbench's tables with its index entries, in bytes.
const SYSBENCH_ROW_BYTES: u64 = 240;

/// The size of one scale unit of the business objects on the disk, with its indexes, in MiB.
const MIB_PER_ERP_SCALE: u64 = 300;

/// Tables that pgdyno makes in one database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tables {
    /// What they are, in words.
    what: String,
    /// Their scale, if they are pgbench's.
    pub(super) scale: Option<u32>,
    /// About how large they are with their indexes, in MiB.
    mib: u64,
    /// The database that is made for them; none: that of the target.
    database: Option<String>,
}

impl Tables {
    /// That they are made, in words; `target_database` is what that of the target is called.
    pub(super) fn making(&self, target_database: &str) -> String {
        let Self { what, scale, mib, database, .. } = self;
        let scale = scale.map_or_else(String::new, |scale| format!("scale {scale}, "));
        let place = match database {
            None => target_database.to_owned(),
            Some(name) => format!("the database {name}, which it makes if it is not there and leaves there"),
        };
        format!("makes the {what} in {place} ({scale}about {mib} MiB)")
    }
}

impl Plan {
    /// The tables that pgdyno makes on each server, in the order of the workloads.
    pub(super) fn tables(&self) -> Vec<Tables> {
        let mut all: Vec<Tables> = Vec::new();
        for workload in &self.workloads {
            let Some(made) = self.tables_for(workload) else { continue };
            let is_same = |other: &Tables| other.database == made.database && other.what == made.what;
            if !all.iter().any(is_same) {
                all.push(made);
            }
        }
        all
    }

    fn tables_for(&self, workload: &Workload) -> Option<Tables> {
        let (what, scale, mib) = match Sized::of(workload) {
            Some(Sized::Pgbench { scale }) => {
                let what = "tables pgbench_accounts, pgbench_branches, pgbench_history and pgbench_tellers";
                (what.to_owned(), Some(scale), u64::from(scale) * MIB_PER_SCALE)
            }
            Some(Sized::Erp { scale }) => {
                ("tables of the business objects".to_owned(), None, u64::from(scale) * MIB_PER_ERP_SCALE)
            }
            Some(Sized::Sysbench { .. }) | None => self.sysbench_tables(workload)?,
        };
        Some(Tables { what, scale, mib, database: self.database(workload) })
    }

    fn sysbench_tables(&self, workload: &Workload) -> Option<(String, Option<u32>, u64)> {
        let tables = workload.sysbench_tables()?;
        let is = |is: fn(&Sysbench) -> bool| workload.sysbench().is_some_and(is);
        let one_per_client = is(|of| of.script == SysbenchScript::BulkInsert);
        let number = if one_per_client { self.clients.iter().copied().max()? } else { tables.tables };
        let rows = if is(Sysbench::starts_empty) { 0 } else { tables.table_size };
        let what = if number == 1 { "table sbtest1".to_owned() } else { format!("tables sbtest1 to sbtest{number}") };
        let mib = (u64::from(number) * u64::from(rows) * SYSBENCH_ROW_BYTES) >> 20;
        Some((what, None, mib.max(1)))
    }
}
