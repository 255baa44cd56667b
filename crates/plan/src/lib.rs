//! The plan of an experiment: a YAML file → what is to be measured, checked as far as no server is needed.
//!
//! Pure: bytes in, a [`Plan`] or all its errors out. Nothing here opens a file or a socket, or reads a clock. The
//! keys are declared once, in `grammar`; the reader, the JSON Schema and the reference in `docs/plan.md` follow it.

mod check;
mod conditions;
mod disk;
mod distribution;
mod document;
mod error;
mod explain;
mod grammar;
mod model;
mod nearest;
mod read;
pub mod schedule;
mod schema;
mod secret;
#[cfg(test)]
mod tests;
mod units;
mod variants;
mod workload;
mod write;

pub use conditions::{Condition, conditions};
pub use disk::{DiskJob, DiskPlan, Stated};
pub use distribution::Distribution;
pub use error::PlanErrors;
pub use explain::explain;
pub use model::{
    Agent, Aspect, Binaries, Cache, Difference, Filesystem, FilesystemKind, Local, Plan, Reach, Shared, Target, Via,
    Way, Word,
};
pub use nearest::nearest;
pub use schema::json_schema;
pub use units::{Bandwidth, Cpus, FileSize, parse_bandwidth, parse_duration, parse_file_size};
pub use workload::{
    Arrivals, Builtin, CapacitySearch, Connections, Data, Erp, Generator, Mode, Pace, PgbenchTables, Rate, Scripts,
    Sysbench, SysbenchScript, SysbenchTables, Think, Tries, Work, Workload,
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
pub fn parse(file: &str, bytes: &[u8]) -> Result<Plan, PlanErrors> {
    let text = document::text_of(bytes).map_err(|finding| {
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(document::BYTES_MAX)]);
        PlanErrors::new(file, &start, vec![finding])
    })?;
    let mut findings = Vec::new();
    if let Some(plan) = read_text(text, &mut findings)
        && findings.is_empty()
    {
        findings.extend(unreadable_when_resolved(&plan));
        if findings.is_empty() {
            return Ok(plan);
        }
    }
    Err(PlanErrors::new(file, text, findings))
}

/// What a plan has against it that its variants meet only as targets:
/// a run directory holds it in this form, and is read again.
fn unreadable_when_resolved(plan: &Plan) -> Vec<error::Finding> {
    let mut findings = Vec::new();
    read_text(&plan.to_yaml(), &mut findings);
    for finding in &mut findings {
        finding.span = document::Span::at(1, 1);
        finding.detail.get_or_insert_with(|| "it shows when each variant has become a target".to_owned());
    }
    findings
}

/// Reads and checks a plan; when it gives none, `findings` says why, and it may say more when it gives one.
fn read_text(text: &str, findings: &mut Vec<error::Finding>) -> Option<Plan> {
    let root = document::read(text, findings).map_err(|finding| findings.push(finding)).ok()?;
    let plan = read::plan(&root, findings);
    check::plan(&root, findings);
    findings.extend(plan.as_ref().and_then(|plan| check::size(&root, plan)));
    plan
}
