//! The size of the tables that pgdyno makes for a workload, and the database in which each size lies.

use work::{Ownership, SysbenchScript};

use super::model::Plan;
use super::workload::{TransactionWork, Workload};

/// Tables that pgdyno makes: of which kind, and of which size of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sized {
    Pgbench { scale: u32 },
    Sysbench { rows: u32 },
    Erp { scale: u32 },
}

impl Sized {
    /// Those that pgdyno makes for a workload; none where it makes none, or where they have no size.
    pub(super) fn from_workload(workload: &Workload) -> Option<Self> {
        if let Some(tables) = workload.pgbench_tables() {
            return (tables.data == Ownership::Managed).then_some(Self::Pgbench { scale: tables.scale });
        }
        match &workload.work {
            TransactionWork::Sysbench(sysbench) if sysbench.script == SysbenchScript::BulkInsert => None,
            TransactionWork::Sysbench(_) | TransactionWork::ReadIntensive(_) => {
                workload.sysbench_tables().map(|tables| Self::Sysbench { rows: tables.table_size })
            }
            TransactionWork::Erp(erp) => Some(Self::Erp { scale: erp.scale }),
            TransactionWork::Builtin { .. } | TransactionWork::Scripts(_) | TransactionWork::Mix(_) => None,
        }
    }

    /// Whether the same tables would have another size.
    fn is_another_size(self, other: Self) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other) && self != other
    }

    fn database_name(self) -> String {
        match self {
            Self::Pgbench { scale } => format!("pgdyno_pgbench_{scale}"),
            Self::Sysbench { rows } => format!("pgdyno_sysbench_{rows}"),
            Self::Erp { scale } => format!("pgdyno_erp_{scale}"),
        }
    }
}

/// The database with the data of a dump in which trials work.
pub const RESTORED_DATABASE: &str = "pgdyno_restored";

/// The database from which that one is copied, and in which nobody works.
pub const TEMPLATE_DATABASE: &str = "pgdyno_restored_template";

impl Plan {
    /// The database that is made for the data of a workload (of a mix: of all of its members), since others of the plan
    /// have the same tables in another size; none: that of the target.
    #[must_use]
    pub fn database_for_workload(&self, workload: &Workload) -> Option<String> {
        if !workload.mix_members().is_empty() {
            return workload.single_workloads().iter().find_map(|single| self.database_for_workload(single));
        }
        let own = Sized::from_workload(workload)?;
        let another = |other: &Workload| Sized::from_workload(other).is_some_and(|other| other.is_another_size(own));
        self.single_workloads().iter().any(another).then(|| own.database_name())
    }

    /// The database that holds the data of a workload on a target; none: the one that the target leads to.
    #[must_use]
    pub fn database_on(&self, target: &str, workload: &Workload) -> Option<String> {
        if !workload.mix_members().is_empty() {
            return workload.single_workloads().iter().find_map(|single| self.database_on(target, single));
        }
        let is_restored = self.target_by_name(target).is_some_and(|target| target.data.is_some());
        let has_own_tables = workload.own_scripts().is_some_and(|own| own.tables.is_none());
        if is_restored && has_own_tables {
            return Some(RESTORED_DATABASE.to_owned());
        }
        self.database_for_workload(workload)
    }
}
