//! What servers said, before the first trial, of the statements of own scripts: whether they only read, and why.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The newest format of `asked.json`.
pub const FORMAT: u32 = 1;

/// The file of a run directory that holds it.
pub const FILE_NAME: &str = "asked.json";

/// What was asked of the servers of a run about the statements of its own scripts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedStatements {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// When they were asked.
    pub asked_at: Timestamp,
    /// The workloads whose statements they are.
    pub workloads: Vec<AskedWorkload>,
}

/// The statements of one workload.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedWorkload {
    /// Its name in the plan.
    pub workload: String,
    /// Whether it is measured as one that only reads: the plan says so, or every server said so of every statement.
    pub reads: bool,
    /// Why not, where the statements alone do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Scripts of which a server refuses a statement that others execute: their statements are prepared on every target
    /// once they are executed, so that it fails its own transactions only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub prepared_when_executed: Vec<String>,
    /// Each statement on each target, in the order of the targets and of the scripts.
    pub statements: Vec<AskedStatement>,
}

impl AskedWorkload {
    /// Whether a statement of it writes for certain, as a server said.
    #[must_use]
    pub fn surely_writes(&self) -> bool {
        self.statements.iter().any(|one| one.access == StatementAccess::Writes)
    }
}

/// One statement on one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskedStatement {
    /// The target's name.
    pub target: String,
    /// The script's name.
    pub script: String,
    /// The statement's line there, from 1.
    pub line: u32,
    /// What it does.
    pub access: StatementAccess,
    /// What the server said that it follows from.
    pub because: String,
}

/// What a statement does to the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementAccess {
    /// It only reads.
    Reads,
    /// It may write: the server does not tell without executing it.
    Unknown,
    /// It writes.
    Writes,
}
