//! `run.json`: the identity of a run and its schedule.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::imported::Imported;
use crate::trial::{Cell, Role};

/// The newest format of `run.json`. Format 2 added the steps of searches.
pub const FORMAT: u32 = 2;

/// The identity of a run and everything that was decided before its first trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Format version, [`FORMAT`] when written by this build.
    pub format: u32,
    /// Directory name, `<UTC time>-<name>`.
    pub id: String,
    /// The plan's name.
    pub name: String,
    /// Version of pgdyno that made the run.
    pub pgdyno_version: String,
    /// When the run was created.
    pub started_at: Timestamp,
    /// Where the load engine ran; absent when another tool measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generator: Option<GeneratorMachine>,
    /// The whole schedule up to the last block that could be needed; empty when another tool measured.
    pub schedule: Schedule,
    /// Where the figures come from when another tool measured; such a run has no plan and no facts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub imported: Option<Imported>,
}

/// The machine of the load engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneratorMachine {
    /// Online logical CPUs.
    pub cpus: u32,
    /// Kernel release.
    pub kernel: String,
}

/// Every trial in the order in which it would run; a stopping rule may leave out later ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// Seed of the order and of the workloads' random numbers.
    pub seed: u64,
    /// The trials, numbered from 1 in this order.
    pub trials: Vec<ScheduledTrial>,
}

/// One place in the schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledTrial {
    /// Number, from 1.
    pub number: u32,
    /// Block, from 1.
    pub block: u32,
    /// What to execute.
    pub cell: Cell,
    /// Why.
    pub role: Role,
    /// Its number within the search for a capacity, from 1; absent when it is no step of a search. The search decides
    /// how many of the steps are executed, and at which rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Seed of this trial's random numbers: the same for the sides of a pair, so that both do the same operations.
    pub seed: u64,
}

impl ScheduledTrial {
    /// How many clients it is to have.
    ///
    /// # Panics
    /// When it is no trial of a schedule: those are drawn from a plan, which says how many.
    #[must_use]
    pub fn planned_clients(&self) -> u32 {
        self.cell.clients.known_count().expect("the schedule is drawn from a plan")
    }
}
