//! Workloads other than plain scripts: families of scripts with the data that they run on.

pub mod erp;
pub mod sysbench;

/// What a workload does to the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Reads,
    /// Writes, too.
    Writes,
}
