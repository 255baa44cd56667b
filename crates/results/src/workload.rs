//! `workloads/<name>.json`: the statements of a workload, as the load engine sends them. What trials tell of a
//! statement names it by its number here.

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
