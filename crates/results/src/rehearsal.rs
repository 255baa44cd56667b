//! `rehearsal.json`: what an upgrade would change, as the servers said before the first trial. It has the query plans
//! of the captured statements on each target, in each state of the planner statistics, and how long each step took.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::plans::Plans;

/// The newest format of `rehearsal.json`.
pub const FORMAT: u32 = 1;

/// The file of a run directory that holds it.
pub const FILE_NAME: &str = "rehearsal.json";

/// The rehearsal of an upgrade.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rehearsal {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// When the servers were asked.
    pub rehearsed_at: Timestamp,
    /// The targets in the order of the plan.
    pub targets: Vec<RehearsedTarget>,
}

/// What one target said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RehearsedTarget {
    /// Its name in the plan.
    pub target: String,
    /// `server_version_num`, for example 180006.
    pub version_num: u32,
    /// The steps from the dump to the server of the trials, in their order, and those of `pg_upgrade`.
    pub steps: Vec<UpgradeStep>,
    /// The extensions of the restored database, with their versions.
    pub extensions: BTreeMap<String, String>,
    /// The functions of PostgreSQL that the captured statements name: signature, then result, volatility, strictness
    /// and parallel safety.
    pub functions: BTreeMap<String, String>,
    /// Why `pg_upgrade` was not executed, or not in each of its ways.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pg_upgrade_gap: Option<String>,
    /// What `pg_upgrade --check` objects to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pg_upgrade_objections: Vec<String>,
    /// The plans, by state of the statistics and workload.
    pub states: Vec<PlannedState>,
}

/// A step of the upgrade.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct UpgradeStep {
    /// Which.
    pub step: UpgradeStepKind,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UpgradeStepKind {
    /// `pg_restore` or `psql` of the dump.
    Restore,
    /// `VACUUM (FREEZE, ANALYZE)` of the restored database.
    VacuumAnalyze,
    /// The statistics of the baseline, entered by `pg_restore_attribute_stats` and `pg_restore_relation_stats`.
    KeepStatistics,
    /// `pg_upgrade --check`, with the old server stopped.
    PgUpgradeCheck,
    /// `pg_upgrade` that copies the files of tables.
    PgUpgradeCopy,
    /// `pg_upgrade --clone`.
    PgUpgradeClone,
    /// `pg_upgrade --link`.
    PgUpgradeLink,
    /// `pg_upgrade --swap`.
    PgUpgradeSwap,
}

/// The plans of a workload in one state of the statistics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlannedState {
    /// The state.
    pub statistics: StatisticsState,
    /// The workload.
    pub workload: String,
    /// Why the state is not quite what it should be; absent where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
    /// The plans; nothing was executed for them.
    pub plans: Plans,
}

/// What the planner knows of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StatisticsState {
    /// Nothing: as after `pg_upgrade` before 18, and after the restore of a dump.
    Missing,
    /// The statistics of the baseline: as after `pg_upgrade` to 18 or newer. Extended statistics are never kept.
    Kept,
    /// As after `ANALYZE`.
    Analyzed,
}
