//! The plan of an experiment: a YAML file → what is to be measured, checked as far as no server is needed.
//!
//! Pure: bytes in, a [`Plan`] or all its errors out. Nothing here opens a file or a socket, or reads a clock. The
//! keys are declared once, with the structs of the model; the reader, the writer, the JSON Schema and the reference in
//! `docs/plan-reference.md` come from there (`language.rs`).

mod affinity;
mod beside;
mod blocks;
mod cache;
mod check;
mod comparisons;
mod completion;
mod conditions;
mod consent;
mod consented_changes;
mod cost;
mod cross_check;
mod data_duration;
mod data_sizes;
mod difference;
mod disk;
mod distribution;
mod document;
mod error;
mod event;
mod event_forms;
mod event_limits;
mod explain;
mod former;
mod interleave;
mod interleaving;
mod kubernetes;
mod language;
mod limits;
mod limits_in_machine;
mod load_place;
mod load_pod;
mod made;
mod managed;
mod manifests;
mod margin;
mod measured_volume;
mod mix;
mod mixed_plan;
mod model;
mod object_name;
mod possible_events;
mod profile;
pub mod quantity;
mod reads_from;
mod run_inside;
pub mod schedule;
mod secret;
mod server_limits;
mod sized_workloads;
mod sizes;
mod steps;
mod tables;
mod target;
#[cfg(test)]
mod tests;
mod unit_forms;
mod units;
mod variants;
mod version;
mod workload;
mod workload_words;

use std::collections::BTreeMap;

use language::{At, Form as _, PlanReadingFindings};

pub use beside::{BesideLoad, BesideScripts, BesideWork, CopiedFile, ProgramOptions, SqlText};
pub use blocks::{BlockRepetition, ComparisonEnd};
pub use cache::Cache;
pub use comparisons::ComparedTargets;
pub use conditions::{Condition, parse_conditions};
pub use consent::Consent;
pub use cost::{Cost, Currency, MoneyAmount};
pub use data_duration::DurationRange;
pub use data_sizes::{RESTORED_DATABASE, TEMPLATE_DATABASE};
pub use difference::{AllowedDifference, Aspect};
pub use disk::{DeclaredRates, DiskJob, DiskPlan, Volume};
pub use error::PlanErrors;
pub use event::{Deed, Event, Happening};
pub use event_forms::{ImageName, NodeCommands, RollingUpdate, ShellCommand, StandStill, UpdateTo};
pub use event_limits::EventLimits;
pub use explain::{ChangedTables, Explanation, TRIAL_OVERHEAD, explain_plan, explain_with};
pub use interleave::Interleave;
pub use interleaving::{Because, Interleaving, NoTurns};
pub use kubernetes::{CaFrom, ClusterVia, DatabaseName, InKubernetes, Kubernetes, OfTarget, Selector};
pub use limits::WorkloadLimits;
pub use load_place::{LoadAt, LoadPlace, LoadPod, PodSpread};
pub use load_pod::{PasswordFrom, SecretKeyReference, password_variable};
pub use made::{KubernetesQuantity, Made, MadeCluster, MadePod, MadeServer, PoolMode};
pub use managed::ProviderFacts;
pub use manifests::{DRAWN, MadeObjects, Manifest, SERVER};
pub use margin::{Margin, Threshold};
pub use measured_volume::{FIO, ServerPlace, VOLUME_DIRECTORY, WORK_DIRECTORY, volume_objects};
pub use mix::MixMember;
pub use model::{Plan, Risk, STANDBYS, TrialPhases};
pub use object_name::ObjectName;
pub use profile::ProfileFrequency;
pub use reads_from::ReadsFrom;
pub use run_inside::{FromSecret, PGDYNO, RUN, RUNS_DIRECTORY, RunInside, reader_objects};
pub use secret::ServerUrl;
pub use server_limits::{CpuList, ServerLimits};
pub use steps::{MachineStep, ServerStep};
pub use target::{
    AgentLaunch, Binaries, DataSource, Filesystem, FilesystemKind, Local, Pooler, Pooling, Reach, Shared, Standby,
    Target, Via, Way,
};
pub use units::{Bandwidth, Cpus, Decimal, FileSize, Percent, parse_duration};
pub use work::{
    Arrivals, Builtin, Connections, Distribution, Ownership, QueryMode, SysbenchOptions, SysbenchScript,
    SysbenchTables, Think, Tries, WordChoice,
};
pub use workload::{
    CapacitySearch, Erp, Generator, PgbenchTables, PlanScripts, PlannedRate, ReadIntensive, ScriptFile, Sysbench,
    TargetScripts, TransactionWork, Workload, WorkloadPace,
};

/// A commented plan to start from: what `pgdyno plan new` prints.
pub const TEMPLATE: &str = include_str!("../../../plans/template.yaml");

/// The plan of `pgdyno run` without one: PostgreSQL 17 against 18 on embedded servers.
pub const QUICKSTART: &str = include_str!("../../../plans/quickstart.yaml");

/// Reads a plan. `file` is its name, for the errors only.
///
/// # Errors
///
/// Every error that can be found without a server, in the order of the file. A file that is not YAML has one.
pub fn parse_plan(file: &str, bytes: &[u8]) -> Result<Plan, PlanErrors> {
    read_plan(file, bytes, PlanPurpose::ToBeRun, &|_| None)
}

/// What a code of `ignore` has against it, and what to write in its place.
pub type RefuseCode<'a> = dyn Fn(&str) -> Option<(String, String)> + 'a;

/// The same, with what `refuse_code` has against the codes of `ignore`, at their places.
///
/// # Errors
/// As of [`parse_plan`], and every code that is refused.
pub fn parse_with_codes(file: &str, bytes: &[u8], refuse_code: &RefuseCode<'_>) -> Result<Plan, PlanErrors> {
    read_plan(file, bytes, PlanPurpose::ToBeRun, refuse_code)
}

/// Reads the plan of a run: what servers had to admit and to take, they did.
///
/// # Errors
/// As of [`parse_plan`], but for what a server could not be.
pub fn parse_of_run(file: &str, bytes: &[u8]) -> Result<Plan, PlanErrors> {
    read_plan(file, bytes, PlanPurpose::OfARun, &|_| None)
}

/// What a plan is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlanPurpose {
    /// It is to be run.
    ToBeRun,
    /// It was run.
    OfARun,
}

fn read_plan(
    file: &str,
    bytes: &[u8],
    what_for: PlanPurpose,
    refuse_code: &RefuseCode<'_>,
) -> Result<Plan, PlanErrors> {
    let text = document::text_of(bytes).map_err(|finding| {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(document::BYTES_MAX)]);
        PlanErrors::new(file, &start, vec![finding])
    })?;
    let mut findings = Vec::new();
    let plan = read_text(text, what_for, refuse_code, &mut findings);
    plan.filter(|_| findings.is_empty()).ok_or_else(|| PlanErrors::new(file, text, findings))
}

/// Reads and checks a plan; unless `findings` stays empty, it is not to be used.
fn read_text(
    text: &str,
    what_for: PlanPurpose,
    refuse_code: &RefuseCode<'_>,
    findings: &mut PlanReadingFindings,
) -> Option<Plan> {
    let mut root = document::read_document(text, findings).map_err(|finding| findings.push(finding)).ok()?;
    check::ignored_codes(&root, refuse_code, findings);
    former::rename_former_keys(&mut root);
    let homes = language::key_homes::<Plan>();
    let plan = Plan::read_value(findings, &At { node: &root, path: "", name: "", homes: &homes })?;
    check::check_plan(&root, &plan, what_for, findings);
    Some(plan)
}

/// The JSON Schema of a plan, so that editors complete exactly what the reader takes.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    language::json_schema::<Plan>("pgdyno plan")
}

/// The reference of the keys, as it stands in `docs/plan-reference.md`: Markdown with a section for each record.
#[must_use]
pub fn reference_of_keys() -> String {
    language::record_reference::<Plan>("The plan")
}

impl Plan {
    /// The plan as YAML with every default written out and every password left out.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        Self::write_value(self).into_text()
    }

    /// What the plan says of a target, of a workload and of the phases of its trials, key by key
    /// (`target.settings.work_mem`), with every default and without passwords: what a figure of the two is a figure of.
    #[must_use]
    pub fn said_of(&self, target: &Target, workload: &Workload) -> BTreeMap<String, String> {
        let mut said = BTreeMap::new();
        Target::write_value(target).flatten_values("target", &mut said);
        Workload::write_value(workload).flatten_values("workload", &mut said);
        TrialPhases::write_value(&self.trial).flatten_values("trial", &mut said);
        // What is asked of the figures, and what a server costs, change nothing of them.
        said.retain(|key, _| !["workload.require", "target.cost"].iter().any(|idle| key.starts_with(idle)));
        said
    }
}
