//! `tables.json`: what the server counted of the load's tables and their indexes during the load of a trial, for the
//! tables of which the most rows were read. Only of the database that the load runs in.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::catalog::Catalog;

/// The newest format of `tables.json`.
pub const FORMAT: u32 = 1;

/// The tables of one trial, those of which the most rows were read first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TrialTables {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// Time between the two snapshots in microseconds.
    pub over_us: u64,
    /// Transactions that ended between them, in the warm-up or later. Absent in older runs, whose snapshots have the
    /// measurement phase between them, and some of what was done just before: a session reports with up to a second's
    /// delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transactions: Option<u64>,
    /// Pages of the database's tables and indexes that were looked for in the buffers between the two snapshots, found
    /// there or read, without those of the system catalogs. Absent in older runs, and where it was not counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_accessed: Option<u64>,
    /// Bytes of the database's temporary files that were written between them. Absent as above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temporary_bytes: Option<u64>,
    /// Why the sizes of tables and indexes are not known, if they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sizes_gap: Option<String>,
    /// Why it is not known what is attached to the tables and how they are made, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached_gap: Option<String>,
    /// The tables that were read or written.
    pub tables: Vec<TableUsage>,
    /// The sequences whose pages were looked at; absent in runs of before they were counted, and where there are no
    /// tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sequences: Option<Vec<SequenceUsage>>,
    /// The functions and procedures that somebody made in the database, at the end; absent in runs of before they were
    /// read, and where they could not be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub functions: Option<Vec<DatabaseFunction>>,
    /// What the system catalogs say of these tables, and of those that are read or written with them; absent in runs of
    /// before it was read, and where there are no tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub catalog: Option<Catalog>,
}

/// A function or a procedure, by which it is told from one of the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseFunction {
    /// Schema, name and types of its arguments: `public.total(integer)`.
    pub name: String,
    /// Its name alone, as statements call it; quoted where SQL wants it.
    pub called: String,
    /// A hash of its source and of what it is declared to be.
    pub source: String,
    /// A hash of a body that is parsed when it is made (`BEGIN ATOMIC`), as the server's version writes it down; absent
    /// for all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// Whether it is what triggers execute, and no statement calls it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_trigger: bool,
    /// The names alone of the functions that its source calls, and that somebody made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
    /// The names alone of the views that call it, and of the tables that have a policy (row security) which does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behind: Vec<String>,
}

/// What was done to one sequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SequenceUsage {
    /// Schema and name, quoted where SQL wants it.
    pub name: String,
    /// Numbers that a session takes at a time (`CACHE`), at the end.
    pub cache: u64,
    /// How often its page was looked at between the two snapshots: once each time that a session takes numbers.
    pub pages_read: u64,
}

/// What was done to one table. Counts are increases between the two snapshots.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TableUsage {
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
    /// Versions of rows at the end that no transaction needs any more, as the server estimates. This and what follows
    /// is absent in runs of before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dead_rows: Option<u64>,
    /// Rows inserted, updated and deleted since its statistics were taken last, or since ever, at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed_since_analyze: Option<u64>,
    /// When its statistics were taken last, by the server's clock; absent also where they never were, or that was
    /// before the counters began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analyzed_at: Option<Timestamp>,
    /// Pages of it that were looked at, found in shared_buffers or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_read: Option<u64>,
    /// Its size at the end in bytes, without its indexes and TOAST; absent also where it could not be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Its indexes, those that were used most first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indexes: Vec<IndexUsage>,
    /// What the server does besides when its rows are written; absent in runs of before it was read, and where it could
    /// not be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attached: Option<Vec<Attached>>,
    /// How it is made at the end: its columns in their order, then how its rows are kept; absent as `attached` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made: Option<Vec<TableProperty>>,
}

impl TableUsage {
    /// Rows read, however they were found.
    #[must_use]
    pub fn rows_read(&self) -> u64 {
        self.sequential_rows + self.index_rows
    }
}

/// What the server does besides when rows of a table are written: a trigger, a rule, a check, a default, a foreign key
/// of it or to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attached {
    /// Its name, or that of its column; quoted where SQL wants it.
    pub name: String,
    /// How it was made: `CREATE TRIGGER …`, `FOREIGN KEY …`, `DEFAULT …`.
    pub definition: String,
    /// A hash of the source of the function that a trigger calls; absent for all else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// How one column of a table is made, or how the table's rows are kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableProperty {
    /// The column, quoted where SQL wants it; absent of the table as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// Of a column its type, its collation where that is not the type's, and how values of any length are stored. If
    /// values of a sample are compressed, also by which methods: `text STORAGE EXTENDED COMPRESSION pglz`. Where no
    /// sample was taken, and in runs of before there were any, by which method a new value would be. Of a table whether
    /// its changes are logged, its access method and what it was made with: `LOGGED USING heap WITH (fillfactor=50)`.
    pub definition: String,
}

/// What one index was used for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IndexUsage {
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
    /// Pages of it that were looked at, found in shared_buffers or not; absent in runs of before it was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pages_read: Option<u64>,
    /// Its size at the end in bytes; absent also where it could not be had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
}
