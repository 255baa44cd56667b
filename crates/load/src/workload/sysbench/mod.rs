//! sysbench's workloads on PostgreSQL (version 1.0.20): its `oltp_*` family, `bulk_insert`, `select_random_*`, and a
//! mix with a given share of reads that sysbench does not have.
//!
//! The statements, their number and order, what is prepared and what is sent as text, and the distributions of keys are
//! sysbench's; the tables are those of `sysbench prepare`. Differences: an event of `bulk_insert` is
//! a whole statement here and a row of it there; with `auto_inc` off, `oltp_insert` has other numbers in another order.
//! Left out: `secondary`, which sysbench cannot do on PostgreSQL either, and Redshift.

pub mod digits;
mod distribution;
mod error;
mod generators;
mod groups;
mod options;
mod script;

pub use distribution::{Distribution, Sampler};
pub use error::OptionError;
pub use options::Options;

use crate::script::Script;
use work::Access;

/// One of the workloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Workload {
    /// One row by its key.
    PointSelect,
    /// Reads in a transaction.
    ReadOnly,
    /// Reads and writes in a transaction.
    ReadWrite,
    /// Writes in a transaction.
    WriteOnly,
    /// One update of an indexed column.
    UpdateIndex,
    /// One update of a column without an index.
    UpdateNonIndex,
    /// One new row.
    Insert,
    /// One row less.
    Delete,
    /// Many new rows at once, each client into a table of its own.
    BulkInsert,
    /// Rows by several values of an indexed column.
    RandomPoints,
    /// Rows by several ranges of an indexed column.
    RandomRanges,
    /// 100 statements in a transaction, a given percentage of which reads.
    ReadWritePercent,
}

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 12] = [
        Workload::PointSelect,
        Workload::ReadOnly,
        Workload::ReadWrite,
        Workload::WriteOnly,
        Workload::UpdateIndex,
        Workload::UpdateNonIndex,
        Workload::Insert,
        Workload::Delete,
        Workload::BulkInsert,
        Workload::RandomPoints,
        Workload::RandomRanges,
        Workload::ReadWritePercent,
    ];

    /// What sysbench calls it.
    pub const fn name(self) -> &'static str {
        match self {
            Workload::PointSelect => "oltp_point_select",
            Workload::ReadOnly => "oltp_read_only",
            Workload::ReadWrite => "oltp_read_write",
            Workload::WriteOnly => "oltp_write_only",
            Workload::UpdateIndex => "oltp_update_index",
            Workload::UpdateNonIndex => "oltp_update_non_index",
            Workload::Insert => "oltp_insert",
            Workload::Delete => "oltp_delete",
            Workload::BulkInsert => "bulk_insert",
            Workload::RandomPoints => "select_random_points",
            Workload::RandomRanges => "select_random_ranges",
            Workload::ReadWritePercent => "oltp-read-write-pct",
        }
    }

    /// The workload of that name.
    pub fn named(name: &str) -> Option<Workload> {
        Workload::ALL.into_iter().find(|workload| workload.name() == name)
    }

    /// What it does to its tables.
    pub const fn access(self) -> Access {
        match self {
            Workload::PointSelect | Workload::ReadOnly | Workload::RandomPoints | Workload::RandomRanges => {
                Access::Reads
            }
            Workload::ReadWrite
            | Workload::WriteOnly
            | Workload::UpdateIndex
            | Workload::UpdateNonIndex
            | Workload::Insert
            | Workload::Delete
            | Workload::BulkInsert
            | Workload::ReadWritePercent => Access::Writes,
        }
    }

    const fn has_one_table(self) -> bool {
        self.partitions_keys()
    }

    /// Whether every client has a part of the keys of its own.
    const fn partitions_keys(self) -> bool {
        matches!(self, Workload::RandomPoints | Workload::RandomRanges)
    }
}

/// A workload with its options, which fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sysbench {
    workload: Workload,
    options: Options,
}

impl Sysbench {
    /// Checks the options.
    ///
    /// # Errors
    /// The first option that cannot be, or not with this workload.
    pub fn new(workload: Workload, options: Options) -> Result<Sysbench, OptionError> {
        options.check(workload)?;
        Ok(Sysbench { workload, options })
    }

    /// Which workload.
    pub fn workload(&self) -> Workload {
        self.workload
    }

    /// With which options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// What a transaction consists of. `options.threads` has to be the job's number of clients.
    pub fn script(&self) -> Script {
        script::script(self.workload, &self.options)
    }
}

#[cfg(test)]
mod distribution_theory;
#[cfg(test)]
mod tests;
