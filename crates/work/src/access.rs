//! Whether transactions change data.

/// What a workload does to its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableAccess {
    /// Reads only.
    Reads,
    /// Writes, too.
    Writes,
}
