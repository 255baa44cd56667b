//! `plans.json`: how the server would execute the statements of a trial's workload, asked with EXPLAIN when its load
//! had ended. What only reads was executed for it, so that the rows, the time and the pages of each node stand beside
//! what the server expects. Each is asked for several times, and the fastest is kept.

use std::collections::BTreeMap;

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
    pub custom: ExplainOutcome,
    /// Whatever the values of its parameters; absent where it is not prepared or has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generic: Option<ExplainOutcome>,
    /// Whether the load prepares it; absent in runs of before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prepared: Option<bool>,
}

impl StatementPlans {
    /// Its plan with values that the load draws, or where the server showed none, the one for any values.
    #[must_use]
    pub fn known_plan(&self) -> Option<&Plan> {
        self.custom.known_plan().or_else(|| self.generic.as_ref().and_then(ExplainOutcome::known_plan))
    }
}

/// What EXPLAIN said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ExplainOutcome {
    /// A plan.
    Plan(Box<Plan>),
    /// Nothing.
    Gap {
        /// Why.
        gap: String,
    },
}

impl ExplainOutcome {
    /// The plan; none where the server showed none.
    #[must_use]
    pub fn known_plan(&self) -> Option<&Plan> {
        match self {
            Self::Plan(plan) => Some(plan),
            Self::Gap { .. } => None,
        }
    }
}

/// One plan.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// A hash of what each node of it does, on which table and by which index, and where in the plan; costs and values
    /// are not in it. 16 hexadecimal digits.
    pub shape: String,
    /// Whether parts of it would be compiled before they are executed (JIT).
    pub jit: bool,
    /// Its topmost node.
    pub root: PlanNode,
    /// How long the server took to plan it, as the fastest of all times that it was asked; absent in runs of before it
    /// was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planning: Option<PlanningFigures>,
    /// The fastest of all times that it was executed for this; absent where it was not, and in runs of before this was
    /// kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<PlanExecution>,
    /// The settings that the planner goes by and that do not have their built-in values, as EXPLAIN prints them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
}

/// How a statement was planned.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanningFigures {
    /// Time in microseconds, without parsing. Of a plan for any values that is kept from execution to execution, the
    /// time to look at whether it still holds.
    pub us: f64,
    /// How often it was asked for.
    pub asked: u32,
    /// Pages of the system catalogs that were looked at in the fastest of these: few, where the session has read them
    /// before.
    #[serde(default, skip_serializing_if = "PageCounts::is_none")]
    pub blocks: PageCounts,
    /// The same, of the first time that the session planned it.
    #[serde(default, skip_serializing_if = "PageCounts::is_none")]
    pub first_blocks: PageCounts,
    /// Memory that the planner used, in bytes; absent before PostgreSQL 17.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// How a statement was executed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlanExecution {
    /// Time in microseconds, without planning; the measurement of each node included.
    pub us: f64,
    /// How often it was executed.
    pub executed: u32,
    /// Time that compiling parts of it took (JIT), in microseconds; absent where nothing was compiled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jit_us: Option<f64>,
    /// Time that its rows took to be converted to what is sent, in microseconds; absent before PostgreSQL 17.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serialization_us: Option<f64>,
    /// Bytes of these rows; absent before PostgreSQL 17.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub serialized_bytes: Option<u64>,
    /// Bytes of WAL that reading wrote: hint bits where pages have checksums, and pages that were pruned.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wal_bytes: u64,
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
    /// What executing it took; absent as `actual_rows` is, and in runs of before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Box<NodeExecution>>,
    /// The nodes that it takes rows from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub children: Vec<PlanNode>,
}

/// What a node took without the nodes below it, over all the times that the statement executed it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeExecution {
    /// Time in microseconds; where several processes share its work, the mean of a process.
    pub own_us: f64,
    /// How often it was executed, in all processes.
    pub loops: f64,
    /// Pages that it looked at.
    #[serde(default, skip_serializing_if = "PageCounts::is_none")]
    pub blocks: PageCounts,
    /// Time that it waited for pages to be read, in microseconds; absent without `track_io_timing`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_us: Option<f64>,
    /// Rows that its filter removed, about: the server rounds the mean over its loops.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub removed_by_filter: f64,
    /// Rows that its join filter removed.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub removed_by_join_filter: f64,
    /// Rows that were tested against the condition of its index once more, in vain.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub removed_by_recheck: f64,
    /// Rows that a scan of an index alone had to look at in the table, as their pages were not marked as visible to
    /// all; absent for all other nodes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap_fetches: Option<u64>,
    /// Searches of its index; absent before PostgreSQL 18.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_searches: Option<f64>,
    /// Requests to read pages from files that its scan made, of one or several pages each; absent before PostgreSQL 19.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_requests: Option<f64>,
    /// How many of these it waited for; absent as `io_requests` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub io_waits: Option<f64>,
    /// How many pages its scan was ahead in asking for them, on average; absent as `io_requests` is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefetch_distance: Option<f64>,
    /// Pages of which a bitmap did not keep the rows, for lack of memory.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lossy_blocks: u64,
    /// Parallel workers that were launched, beside those that were planned (`workers`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers_launched: Option<u32>,
    /// How it sorted, in the server's words: `quicksort`, `external merge`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort_method: Option<String>,
    /// Batches of its hash table: more than one where it does not fit the memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash_batches: Option<u64>,
    /// Memory that it used, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// Disk space that it used, in bytes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub disk_bytes: u64,
}

/// Pages, by what was done with them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageCounts {
    /// Found in shared_buffers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hit: u64,
    /// Read into shared_buffers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub read: u64,
    /// Changed that had not been before.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dirtied: u64,
    /// Of temporary files, read.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub temp_read: u64,
    /// Of temporary files, written.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub temp_written: u64,
}

impl PageCounts {
    /// Whether there are none at all.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Pages of tables and indexes that were looked at, found in shared_buffers or not.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.hit + self.read
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_nothing(figure: &f64) -> bool {
    *figure == 0.0
}
