//! `tables.json`: what the server counted of the load's tables and their indexes during the measurement phase of a
//! trial, for the tables of which the most rows were read. Only of the database that the load runs in.

use serde::{Deserialize, Serialize};

/// The newest format of `tables.json`.
pub const FORMAT: u32 = 1;

/// The tables of one trial, those of which the most rows were read first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tables {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Time between the two snapshots in microseconds. A session reports what it did with up to a second's delay, so
    /// that they hold some of what was done just before.
    pub over_us: u64,
    /// The tables that were read or written.
    pub tables: Vec<Table>,
}

/// What was done to one table. Counts are increases over the measurement phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Schema and name, quoted where SQL wants it.
    pub name: String,
    /// Rows in it at the end, as the server estimates.
    pub live_rows: u64,
    /// Scans from its first page to its last.
    pub sequential_scans: u64,
    /// Rows that these read.
    pub sequential_rows: u64,
    /// Entries that scans of its indexes returned, whether its rows were then looked at or not.
    pub index_rows: u64,
    /// Rows inserted, updated and deleted.
    pub rows_changed: u64,
    /// Its indexes, those that were used most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<Index>,
}

impl Table {
    /// Rows read, however they were found.
    #[must_use]
    pub fn rows_read(&self) -> u64 {
        self.sequential_rows + self.index_rows
    }
}

/// What one index was used for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// Its name without the schema, which is the table's; quoted where SQL wants it.
    pub name: String,
    /// The statement that would make it.
    pub definition: String,
    /// Whether queries may use it: a build that failed leaves one that they may not.
    pub valid: bool,
    /// Scans of it.
    pub scans: u64,
    /// Entries that these returned.
    pub entries: u64,
}
