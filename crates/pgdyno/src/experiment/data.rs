//! The data of the workloads: made before the first trial, brought to the same start before each, written out after.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use load::Stop;
use load::dataset::{self, Access, DatasetError, Omission, Ownership, PgbenchData, Readied};
use results::trial::Caveat;

use super::fleet::{Fleet, Member};
use crate::interrupt::unless_stopped;
use crate::plan::{Data, Plan, Workload};
use crate::problem::Problem;
use crate::progress::Progress;

/// Sees to the data of every workload on every target.
pub(super) async fn set_up(plan: &Plan, fleet: &Fleet, stop: &Stop, progress: &Progress) -> Result<(), Problem> {
    let mut wanted: BTreeMap<u32, Ownership> = BTreeMap::new();
    for workload in &plan.workloads {
        wanted.insert(workload.scale, ownership(workload));
    }
    for member in fleet.members() {
        for (scale, ownership) in &wanted {
            ensure(member, *scale, *ownership, stop, progress).await?;
        }
    }
    Ok(())
}

async fn ensure(
    member: &Member,
    scale: u32,
    ownership: Ownership,
    stop: &Stop,
    progress: &Progress,
) -> Result<(), Problem> {
    let scale = NonZeroU32::new(scale).expect("a plan's scales are checked when it is read");
    let data = PgbenchData::new(scale).map_err(|error| problem(member, &error))?;
    let mut show = |step: dataset::Progress| {
        let text = format!("{}: data at scale {scale}: {}", member.name, in_words(step));
        let (done, of) = match step {
            dataset::Progress::Copying { rows_done, rows_total, .. } => (rows_done, rows_total),
            dataset::Progress::Done => (1, 1),
            _ => (0, 1),
        };
        progress.stage(&text, done, of);
    };
    let outcome = dataset::ensure(&member.target.control(), &data, ownership, stop, &mut show)
        .await
        .map_err(|error| problem(member, &error))?;
    progress.line(&format!("{}: data at scale {scale}: {}", member.name, outcome_in_words(&outcome)));
    Ok(())
}

fn ownership(workload: &Workload) -> Ownership {
    match workload.data {
        Data::Managed => Ownership::Managed,
        Data::Existing => Ownership::Existing,
    }
}

fn access(workload: &Workload) -> Access {
    if workload.builtin.writes() { Access::Writes } else { Access::Reads }
}

/// Brings the tables to the state in which every trial of the workload starts.
pub(super) async fn prepare(member: &Member, workload: &Workload) -> Result<Readied, Problem> {
    let client = member.connect().await?;
    dataset::prepare_trial(&client, ownership(workload), access(workload))
        .await
        .map_err(|error| problem(member, &error))
}

/// Writes out what the workload dirtied. The trial has been measured: if this fails, that is noted and not an error.
pub(super) async fn finish(member: &Member, workload: &Workload, stop: &Stop) -> Readied {
    let finish = async {
        let client = member.connect().await?;
        dataset::finish_trial(&client, access(workload)).await.map_err(|error| problem(member, &error))
    };
    unless_stopped(stop, finish).await.unwrap_or_else(|problem| {
        let omission = Omission { statement: "CHECKPOINT".to_owned(), why: problem.primary().to_owned() };
        Readied { omitted: vec![omission], ..Readied::default() }
    })
}

/// Whether the target takes the writes of the plan's workloads.
pub(super) async fn require_writable(member: &Member) -> Result<(), Problem> {
    let client = member.connect().await?;
    dataset::require_writable(&client).await.map_err(|error| problem(member, &error))
}

/// The caveats of steps that were left out.
pub(super) fn omissions(readied: &Readied) -> Vec<Caveat> {
    let caveat = |omission: &dataset::Omission| Caveat::StepOmitted {
        statement: omission.statement.clone(),
        why: omission.why.clone(),
    };
    readied.omitted.iter().map(caveat).collect()
}

fn problem(member: &Member, error: &DatasetError) -> Problem {
    Problem::could_not_measure(format!("target {:?}: {error}", member.name))
        .detail(error.detail().unwrap_or_default())
        .hint(error.hint().unwrap_or_default())
}

fn in_words(step: dataset::Progress) -> String {
    match step {
        dataset::Progress::Checking => "checking".to_owned(),
        dataset::Progress::Dropping => "dropping what is not intact".to_owned(),
        dataset::Progress::Creating => "creating tables".to_owned(),
        dataset::Progress::Copying { table, .. } => format!("copying {}", table.name()),
        dataset::Progress::Indexing { table } => format!("indexing {}", table.name()),
        dataset::Progress::Analyzing { table } => format!("analyzing {}", table.name()),
        dataset::Progress::Done => "done".to_owned(),
    }
}

fn outcome_in_words(outcome: &dataset::Outcome) -> String {
    match outcome {
        dataset::Outcome::Created { took } => format!("created in {:.1} s", took.as_secs_f64()),
        dataset::Outcome::Recreated { took, defects } => {
            let why: Vec<String> = defects.iter().map(ToString::to_string).collect();
            format!("made anew in {:.1} s ({})", took.as_secs_f64(), why.join("; "))
        }
        dataset::Outcome::Reused => "found intact, reused".to_owned(),
    }
}
