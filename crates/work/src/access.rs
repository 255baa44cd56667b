//! Whether transactions change data.

/// What a workload does to its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads only.
    Reads,
    /// Writes, too.
    Writes,
}
