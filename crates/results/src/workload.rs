//! `workloads/<name>.json`: the statements of a workload, as the load engine sends them. What trials tell of a
//! statement names it by its number here.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The newest format of `workloads/<name>.json`.
pub const FORMAT: u32 = 1;

/// The statements of one workload, each in the place of its number, which is the same for all targets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadStatements {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// The workload's name in the plan.
    pub workload: String,
    /// The statements, script after script, in the order in which they stand there.
    pub statements: Vec<SentStatement>,
    /// What the capture has whose transactions these are; absent of other workloads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<CapturedLoad>,
}

/// A captured load, and how much of it the workload executes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedLoad {
    /// From its first instant to its last one, in microseconds; absent where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_us: Option<u64>,
    /// What the capture has.
    pub captured: CapturedAmount,
    /// What of it the workload executes.
    pub replayed: CapturedAmount,
    /// Statements that failed when they were captured, by SQLSTATE.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub failures: BTreeMap<String, u64>,
    /// Whether the transactions write, so that a trial executes each once.
    pub writes: bool,
}

/// How much of a captured load.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedAmount {
    /// Transactions.
    pub transactions: u64,
    /// Statements that were executed.
    pub calls: u64,
    /// The time that the server took for them, in microseconds, as far as the source says it.
    pub busy_us: u64,
}

/// What a capture has of a statement of one script.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapturedCalls {
    /// Which statement of the capture it is. Statements of several scripts with the same fingerprint are one.
    pub fingerprint: String,
    /// How often the transactions of this script executed it.
    pub calls: u64,
    /// The time that the server took for these, in microseconds; 0 where the source does not say it.
    pub busy_us: u64,
}

/// The place of a statement in [`WorkloadStatements::statements`], from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StatementNumber(pub u32);

/// What a script waits for at one of its places.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentStatement {
    /// The name of its script.
    pub script: String,
    /// Its line there, from 1.
    pub line: u32,
    /// What it is.
    pub kind: StatementKind,
    /// As it is sent, but for the values of variables: `$1`, `$2`, ... stand for parameters, `:name` for a value that
    /// is written into the text. Whole, however long it is.
    pub text: String,
    /// The names of the variables that are its parameters, `$1` first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// How many texts there are of it, of which one is sent: as many as tables that it may go to. `text` is the first.
    pub variants: usize,
    /// How often the capture has it; absent of a workload that is not captured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub captured: Option<CapturedCalls>,
}

/// What a script waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatementKind {
    /// SQL, which the server answers.
    Sql,
    /// `\sleep`.
    Sleep,
    /// `\shell` or `\setshell`.
    Shell,
}
