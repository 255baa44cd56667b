//! `plans.json`: how the server would execute the statements of a trial's workload, asked with EXPLAIN when its load
//! had ended. What only reads was executed once more for it, so that the rows that came stand beside the expected ones.

use serde::{Deserialize, Serialize};

use crate::workload::StatementNumber;

/// The newest format of `plans.json`.
pub const FORMAT: u32 = 1;

/// The plans of one trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plans {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Why there are none, or not all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<String>,
    /// By the number of the statement in `workloads/<name>.json`.
    pub statements: Vec<StatementPlans>,
}

/// How one statement would be executed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatementPlans {
    /// Which.
    pub statement: StatementNumber,
    /// With values that the load draws.
    pub custom: Explained,
    /// Whatever the values of its parameters; absent where it is not prepared or has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic: Option<Explained>,
}

/// What EXPLAIN said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Explained {
    /// A plan.
    Plan(Plan),
    /// Nothing.
    Gap {
        /// Why.
        gap: String,
    },
}

/// One plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// A hash of what each node of it does, on which table and by which index, and where in the plan; costs and values
    /// are not in it. 16 hexadecimal digits.
    pub shape: String,
    /// Whether parts of it would be compiled before they are executed (JIT).
    pub jit: bool,
    /// Its topmost node.
    pub root: PlanNode,
}

/// One node of a plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanNode {
    /// What it does, in the server's words: `Seq Scan`, `Hash Join (Left)`, `Update`.
    pub node: String,
    /// The table that it reads or writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relation: Option<String>,
    /// The index that it reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<String>,
    /// What it finds or joins rows by, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// What it tests of each row that it has read, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Parallel workers that it would start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<u32>,
    /// Rows that the server expects of it.
    pub rows: f64,
    /// Rows that came of it each time that it was executed, of a mean time; absent where the statement was not executed
    /// for this, or the node was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual_rows: Option<f64>,
    /// What the server expects all of it to cost, in its own unit.
    pub cost: f64,
    /// The nodes that it takes rows from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<PlanNode>,
}
