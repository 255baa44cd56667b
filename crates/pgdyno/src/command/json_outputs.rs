//! What commands print with `--json` in place of a table, as types: `pgdyno schema outputs` is made of them. The JSON
//! of a report has a schema of its own.

use problem::{ErrorEntry, FailureOutput};
use results::run::ScheduledTrial;
use results::trial::Role;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde_json::{Value, json};

/// `plan check --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PlanCheckOutput {
    /// Whether the plan can be run, as far as it was checked.
    pub(crate) ok: bool,
    /// What is allowed but probably not meant.
    pub(crate) notes: Vec<String>,
    /// What the servers said (`--connect`), a line each.
    pub(crate) connected: Vec<String>,
    /// Why the plan cannot be run; empty if `ok`.
    pub(crate) errors: Vec<ErrorEntry>,
}

/// `plan explain --json`.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PlanExplainOutput {
    /// The question of the plan.
    pub(crate) name: String,
    /// The fewest blocks.
    pub(crate) blocks_at_least: u32,
    /// The most blocks.
    pub(crate) blocks_at_most: u32,
    /// Trials of one block, at most.
    pub(crate) trials_per_block: u32,
    /// Comparisons of one block.
    pub(crate) comparisons_per_block: u32,
    /// Estimated duration with the fewest blocks, in seconds.
    pub(crate) duration_at_least_s: f64,
    /// Estimated duration with the most blocks, in seconds.
    pub(crate) duration_at_most_s: f64,
    /// What each workload sends, and the phases of a trial.
    pub(crate) measured: Vec<String>,
    /// How the sides of each workload alternate.
    pub(crate) interleaving: Vec<String>,
    /// What the duration rests on.
    pub(crate) assumptions: Vec<String>,
    /// Everything that the run touches.
    pub(crate) touches: Vec<TouchOutput>,
    /// What is allowed but probably not meant.
    pub(crate) notes: Vec<String>,
    /// The trials of the first block, in their order.
    pub(crate) first_block: Vec<PlannedTrialOutput>,
}

/// One thing that a run touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct TouchOutput {
    /// The target; null for this machine.
    pub(crate) target: Option<String>,
    /// What is done, as a sentence without its subject.
    pub(crate) what: String,
}

/// A trial of the schedule.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct PlannedTrialOutput {
    /// Its number in the run, from 1.
    pub(crate) number: u32,
    /// What it measures.
    pub(crate) cell: PlannedCellOutput,
    /// `main`, or `noise-floor` for the second measurement of the baseline.
    pub(crate) role: String,
}

/// The cell of a trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct PlannedCellOutput {
    /// Its target.
    pub(crate) target: String,
    /// Its workload.
    pub(crate) workload: String,
    /// Its number of clients.
    pub(crate) clients: Option<u32>,
}

impl From<&ScheduledTrial> for PlannedTrialOutput {
    fn from(trial: &ScheduledTrial) -> Self {
        let role = match trial.role {
            Role::Main => "main",
            Role::NoiseFloor => "noise-floor",
        };
        let (target, workload) = (trial.cell.target.clone(), trial.cell.workload.clone());
        let cell = PlannedCellOutput { target, workload, clients: trial.cell.clients.known_count() };
        Self { number: trial.number, cell, role: role.to_owned() }
    }
}

/// One run of `list --json`, which prints an array of them, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ListedRunOutput {
    /// Run directory.
    pub(crate) run: String,
    /// The question of its plan.
    pub(crate) name: String,
    /// When it began, in UTC.
    pub(crate) started_at: String,
    /// Trials that have ended.
    pub(crate) trials: usize,
    /// `complete`, `interrupted`, `running`, `failed` or `unreadable`.
    pub(crate) state: String,
    /// What it says, or why it failed; lines.
    pub(crate) result: String,
}

/// `rights --json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RightsOutput {
    /// The servers, in the order of the plan; one without a plan.
    pub(crate) servers: Vec<ServerRightsOutput>,
}

/// The rights on one server.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ServerRightsOutput {
    /// The targets of the plan that are this server; empty without a plan.
    pub(crate) targets: Vec<String>,
    /// Whether the run makes the server, with a superuser; then nothing else is known.
    pub(crate) made_by_run: bool,
    /// Version of the server.
    pub(crate) version: Option<String>,
    /// The role that was logged in.
    pub(crate) role: Option<String>,
    /// Its database.
    pub(crate) database: Option<String>,
    /// The managed service that the server belongs to, if it is a known one.
    pub(crate) service: Option<ManagedServiceOutput>,
    /// The rights.
    pub(crate) rights: Vec<RightOutput>,
    /// Why the server could not be asked; empty if it was.
    pub(crate) errors: Vec<ErrorEntry>,
}

/// A managed service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct ManagedServiceOutput {
    /// Its name.
    pub(crate) name: String,
    /// The role of its administrators, by which it was recognized.
    pub(crate) administrators_role: String,
    /// Whether the role that was logged in is a member of it.
    pub(crate) is_member: bool,
    /// What it does not give.
    pub(crate) limits: Vec<String>,
}

/// One right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub(crate) struct RightOutput {
    /// The right.
    pub(crate) right: String,
    /// Whether the role has it; null where there is nothing to have it on.
    pub(crate) have: Option<bool>,
    /// How much of it, or why not.
    pub(crate) detail: Option<String>,
    /// What it buys in the report.
    pub(crate) buys: String,
    /// The statements that give it; null where it is there, or cannot be granted.
    pub(crate) grant: Option<String>,
}

/// The schema (draft 2020-12) of all of them: an output is one of `oneOf`, and `$defs` has each by its name.
pub(crate) fn json_schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let check = generator.subschema_for::<PlanCheckOutput>();
    let explain = generator.subschema_for::<PlanExplainOutput>();
    let listed = generator.subschema_for::<Vec<ListedRunOutput>>();
    let rights = generator.subschema_for::<RightsOutput>();
    let failure = generator.subschema_for::<FailureOutput>();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Outputs of pgdyno with --json: plan check, plan explain, list, rights, and any command that fails",
        "oneOf": [check, explain, listed, rights, failure],
        "$defs": generator.take_definitions(true),
    })
}
