//! The data of the workloads: made before the first trial, brought to the same start before each, written out after.

use std::num::NonZeroU32;

use dataset::erp::ErpData;
use dataset::{Data, DatasetError, Omission, PgbenchData, Readied};
use load::StopRequest;
use plan::{Ownership, Plan, TransactionWork, Workload};
use results::trial::Incident;
use tokio_postgres::Client;
use work::TableAccess;

use super::dumped::DumpedSources;
use super::fleet::Fleet;
use super::member::Member;
use super::restored;
use super::restored_rows;
use super::sysbench_work;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use crate::scripts::OwnScripts;
use problem::Problem;

/// Sees to the data of every workload on every target; workloads on the same tables share them.
pub(super) async fn set_up(
    plan: &Plan,
    scripts: &OwnScripts,
    fleet: &mut Fleet,
    dumps: &DumpedSources,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    dumps.dump_sources(plan, fleet.process_environment(), stop, progress).await?;
    for member in fleet.members_mut() {
        restored::restore_data(plan, member, dumps, stop, progress).await?;
        let mut seen: Vec<(Data, Ownership)> = Vec::new();
        for workload in &plan.single_workloads() {
            let clients = plan.most_clients_of_workload(workload);
            if let Some(wanted) = tables_of_workload(plan, member, workload, clients)?
                && !seen.contains(&wanted)
            {
                make_database(plan, member, workload, stop).await?;
                ensure_tables(member, &wanted.0, wanted.1, stop, progress).await?;
                seen.push(wanted);
            }
            make_by_reset(plan, scripts, member, workload, stop).await?;
        }
    }
    restored_rows::compare_restored_rows(plan, fleet, progress).await
}

/// Executes the reset of a workload once before the servers are asked of its statements: it may make their tables.
async fn make_by_reset(
    plan: &Plan,
    scripts: &OwnScripts,
    member: &mut Member,
    workload: &Workload,
    stop: &StopRequest,
) -> Result<(), Problem> {
    let Some(reset) = scripts.reset_of_workload(&workload.name) else { return Ok(()) };
    member.target.turn_to(plan.database_on(&member.name, workload));
    let made = async {
        let client = member.connect_control().await?;
        reset.execute_in_session(&member.name, &client).await
    };
    let made = unless_stopped(stop, made).await;
    member.target.turn_to(None);
    made
}

/// Whether the tables that are used as they are (`data: existing`) are there and fit, as [`set_up`] checks them: all
/// workloads of a plan have the same.
pub(super) async fn check_existing(plan: &Plan, member: &Member, stop: &StopRequest) -> Result<(), Problem> {
    for workload in &plan.single_workloads() {
        let clients = plan.most_clients_of_workload(workload);
        let Some((data, Ownership::Existing)) = tables_of_workload(plan, member, workload, clients)? else { continue };
        let ensured =
            dataset::ensure_dataset(&member.target.control_config(), &data, Ownership::Existing, stop, &mut |_| ())
                .await;
        return ensured.map(drop).map_err(|error| dataset_problem(member, &error));
    }
    Ok(())
}

/// Turns to the database in which the data of a workload lie, which is made if need be.
async fn make_database(
    plan: &Plan,
    member: &mut Member,
    workload: &Workload,
    stop: &StopRequest,
) -> Result<(), Problem> {
    member.target.turn_to(None);
    let Some(name) = plan.database_for_workload(workload) else { return Ok(()) };
    let made = dataset::ensure_database(&member.target.control_config(), &name, stop).await;
    made.map_err(|error| dataset_problem(member, &error))?;
    member.target.turn_to(Some(name));
    Ok(())
}

async fn ensure_tables(
    member: &Member,
    data: &Data,
    ownership: Ownership,
    stop: &StopRequest,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    let mut show = |step: dataset::DatasetProgress| {
        let text = format!("{}: data at {data}: {}", member.name, in_words(&step));
        let (done, of) = match step {
            dataset::DatasetProgress::Copying { rows_done, rows_total, .. } => (rows_done, rows_total),
            dataset::DatasetProgress::Done => (1, 1),
            _ => (0, 1),
        };
        progress.show_stage(&text, done, of);
    };
    let outcome = dataset::ensure_dataset(&member.target.control_config(), data, ownership, stop, &mut show)
        .await
        .map_err(|error| dataset_problem(member, &error))?;
    progress.print_line(&format!("{}: data at {data}: {}", member.name, outcome_in_words(&outcome)));
    Ok(())
}

/// The tables of a workload of so many clients and whose they are; none for scripts with tables of their own.
fn tables_of_workload(
    plan: &Plan,
    member: &Member,
    workload: &Workload,
    clients: u32,
) -> Result<Option<(Data, Ownership)>, Problem> {
    let positive = |number: u32| NonZeroU32::new(number).expect("a plan's counts are checked when it is read");
    if let Some(tables) = workload.pgbench_tables() {
        let data = PgbenchData::new(positive(tables.scale)).map_err(|error| dataset_problem(member, &error))?;
        return Ok(Some((data.into(), tables.data)));
    }
    Ok(match &workload.work {
        TransactionWork::Erp(erp) => Some((ErpData::new(erp.object, positive(erp.scale)).into(), Ownership::Managed)),
        TransactionWork::Sysbench(_) | TransactionWork::ReadIntensive(_) => {
            sysbench_work::sysbench_tables(plan, workload, clients)?.map(|data| (data.into(), Ownership::Managed))
        }
        TransactionWork::Builtin { .. } | TransactionWork::Scripts(_) | TransactionWork::Mix(_) => None,
    })
}

/// Whether the trials of a workload on a target write, what runs beside them included.
fn access_of_trial(plan: &Plan, member: &Member, workload: &Workload) -> TableAccess {
    let target = plan.target_by_name(&member.name).expect("a member is a target of the plan");
    if plan.trial_changes_data(target, workload) { TableAccess::Writes } else { TableAccess::Reads }
}

/// Brings the tables to the state in which every trial of the workload with so many clients starts.
pub(super) async fn prepare_tables(
    plan: &Plan,
    scripts: &OwnScripts,
    member: &Member,
    workload: &Workload,
    clients: u32,
) -> Result<Readied, Problem> {
    let client = member.connect_control().await?;
    let mut readied = Readied::default();
    let mut seen: Vec<(Data, TableAccess)> = Vec::new();
    for single in workload.single_workloads() {
        if let Some(reset) = scripts.reset_of_workload(&single.name) {
            reset.execute_in_session(&member.name, &client).await?;
            readied.executed.push(reset.in_words());
        }
        let access = access_of_trial(plan, member, &single);
        let prepared = match tables_of_workload(plan, member, &single, clients)? {
            Some((data, ownership)) => {
                if seen.contains(&(data.clone(), access)) {
                    continue;
                }
                let prepared = dataset::prepare_trial(&client, &data, ownership, access).await;
                seen.push((data, access));
                prepared
            }
            // Other tables of the scripts' own are left as they are, but no trial pays for the pages that the one
            // before dirtied.
            None => dataset::finish_trial(&client, access).await,
        };
        let prepared = prepared.map_err(|error| dataset_problem(member, &error))?;
        readied.executed.extend(prepared.executed);
        readied.omitted.extend(prepared.omitted);
    }
    Ok(readied)
}

/// Writes out what the workload dirtied. The trial has been measured: if this fails, that is noted and not an error.
pub(super) async fn write_out_dirtied(
    plan: &Plan,
    member: &Member,
    workload: &Workload,
    stop: &StopRequest,
) -> Readied {
    let finish = async {
        let client = member.connect_control().await?;
        dataset::finish_trial(&client, access_of_trial(plan, member, workload))
            .await
            .map_err(|error| dataset_problem(member, &error))
    };
    unless_stopped(stop, finish).await.unwrap_or_else(|problem| {
        let omission = Omission { statement: "CHECKPOINT".to_owned(), why: problem.primary_message().to_owned() };
        Readied { omitted: vec![omission], ..Readied::default() }
    })
}

/// Whether the target takes the writes of the plan's workloads.
pub(super) async fn require_writable(member: &Member, client: &Client) -> Result<(), Problem> {
    dataset::require_writable(client).await.map_err(|error| dataset_problem(member, &error))
}

/// The steps that were left out.
pub(super) fn omitted_steps(readied: &Readied) -> Vec<Incident> {
    let incident = |omission: &dataset::Omission| Incident::StepOmitted {
        statement: omission.statement.clone(),
        why: omission.why.clone(),
    };
    readied.omitted.iter().map(incident).collect()
}

fn dataset_problem(member: &Member, error: &DatasetError) -> Problem {
    if matches!(error, DatasetError::Interrupted) {
        return Problem::interrupted_by_user();
    }
    Problem::could_not_measure(format!("target {:?}: {error}", member.name))
        .detail(error.detail().unwrap_or_default())
        .hint(error.hint().unwrap_or_default())
}

fn in_words(step: &dataset::DatasetProgress) -> String {
    match step {
        dataset::DatasetProgress::Checking => "checking".to_owned(),
        dataset::DatasetProgress::Dropping => "dropping damaged data".to_owned(),
        dataset::DatasetProgress::Creating => "creating tables".to_owned(),
        dataset::DatasetProgress::Copying { table, .. } => format!("copying {table}"),
        dataset::DatasetProgress::Indexing { table } => format!("indexing {table}"),
        dataset::DatasetProgress::Analyzing { table } => format!("analyzing {table}"),
        dataset::DatasetProgress::Done => "done".to_owned(),
    }
}

fn outcome_in_words(outcome: &dataset::Ensured) -> String {
    match outcome {
        dataset::Ensured::Created { took } => format!("created in {:.1} s", took.as_secs_f64()),
        dataset::Ensured::Recreated { took, defects } => {
            let why: Vec<String> = defects.iter().map(ToString::to_string).collect();
            format!("recreated in {:.1} s ({})", took.as_secs_f64(), why.join("; "))
        }
        dataset::Ensured::Reused => "found intact, reused".to_owned(),
    }
}
