//! What the servers say of the statements of own scripts, before the first trial: whether they can be executed, and
//! whether they only read, from which follows how the sides alternate. It is written down, and holds when the run goes
//! on.

use jiff::Timestamp;
use plan::{Plan, PlanScripts, Workload};
use results::asked::{AskedStatements, AskedWorkload, FORMAT};
use results::store::RunDir;

use super::fleet::Fleet;
use super::masked_data;
use super::preflight;
use crate::progress::ProgressReporter;
use crate::scripts::OwnScripts;
use crate::statements::{self, StatementsOfServer};
use problem::Problem;

/// The plan and its scripts with what only the servers know. A run that has trials goes on as it began.
///
/// # Errors
/// A statement that no server executes, one that writes against the plan's word, or a server that cannot be asked.
pub(super) async fn settle_access(
    plan: &Plan,
    scripts: &OwnScripts,
    fleet: &mut Fleet,
    dir: &RunDir,
    progress: &ProgressReporter,
) -> Result<(Plan, OwnScripts), Problem> {
    if !dir.finished_trials()?.is_empty() {
        let asked = dir.asked_statements()?.map_or_else(Vec::new, |asked| asked.workloads);
        return Ok((plan.clone(), scripts.clone().prepared_as(&asked)));
    }
    scripts.replays_in_words().iter().for_each(|line| progress.print_line(line));
    let asked = ask_every_server(plan, scripts, fleet).await?;
    let prepared = scripts.clone().prepared_as(&asked);
    if asked.is_empty() {
        return Ok((plan.clone(), prepared));
    }
    let settled = with_answers(plan, &asked);
    print_access_findings(plan, &asked, progress);
    dir.write_asked(&AskedStatements { format: FORMAT, asked_at: Timestamp::now(), workloads: asked })?;
    dir.write_plan(&settled.to_yaml())?;
    Ok((settled, prepared))
}

/// The plan with what servers said of its workloads.
pub(super) fn with_answers(plan: &Plan, asked: &[AskedWorkload]) -> Plan {
    let reads = asked.iter().map(|asked| (asked.workload.clone(), asked.reads)).collect();
    plan.clone().with_access(&reads)
}

/// Asks every server of the fleet about every workload that has scripts of its own.
pub(super) async fn ask_every_server(
    plan: &Plan,
    scripts: &OwnScripts,
    fleet: &mut Fleet,
) -> Result<Vec<AskedWorkload>, Problem> {
    let mut asked = Vec::new();
    for workload in &plan.single_workloads() {
        if let Some(own) = workload.own_scripts() {
            asked.push(of_workload(plan, workload, own, scripts, fleet).await?);
        }
    }
    Ok(asked)
}

async fn of_workload(
    plan: &Plan,
    workload: &Workload,
    own: &PlanScripts,
    scripts: &OwnScripts,
    fleet: &mut Fleet,
) -> Result<AskedWorkload, Problem> {
    let mut said: Vec<StatementsOfServer> = Vec::new();
    for member in fleet.members_mut() {
        member.target.turn_to(plan.database_on(&member.name, workload));
        let way = plan.target_by_name(&member.name).and_then(|target| target.reach.way_to_server());
        let behind_pooler = way.is_some_and(|way| way.pgbouncer);
        let texts = scripts.scripts_on_target(&workload.name, &member.name);
        let of_server = statements::ask_target(&member.target, workload, own, texts, behind_pooler).await;
        member.target.turn_to(None);
        said.push(of_server?);
    }
    if let Some(replay) = scripts.replay_of_workload(&workload.name) {
        said.iter_mut().for_each(statements::accept_tables_of_load);
        // What only a candidate of a newer version rejects is what a rehearsal is to find.
        let fitting: &[StatementsOfServer] = match said.iter().position(|of| of.target == plan.baseline) {
            Some(baseline) if plan.rehearse_upgrade => std::slice::from_ref(&said[baseline]),
            Some(_) | None => &said,
        };
        if let Some(problem) = statements::schema_mismatch(workload, replay, fitting) {
            return Err(problem);
        }
        let masked = scripts.masked_columns(&workload.name);
        for member in fleet.members_mut() {
            masked_data::refuse_unmasked(plan, member, workload, &masked).await?;
        }
    }
    if let Some(problem) = statements::refused_by_all(workload, &said) {
        return Err(problem);
    }
    let concluded = statements::conclude_access(workload, &said, own.reads)?;
    if !concluded.reads {
        for member in fleet.all_members() {
            let client = member.connect_control().await?;
            preflight::takes_writes(member, &client, &concluded).await?;
        }
    }
    Ok(concluded)
}

fn print_access_findings(plan: &Plan, asked: &[AskedWorkload], progress: &ProgressReporter) {
    let workloads = plan.single_workloads();
    for of in asked {
        for script in &of.prepared_when_executed {
            progress.print_line(&format!(
                "{}: a server rejects a statement of {script}; its transactions will fail there \
                 (`pgdyno plan check --connect` names server, statement and reason)",
                of.workload
            ));
        }
        let workload = workloads.iter().find(|workload| workload.name == of.workload);
        if !workload.is_some_and(Workload::access_is_unknown) {
            continue;
        }
        match &of.because {
            None => {
                progress.print_line(&format!("{}: its statements only read, according to the servers", of.workload));
            }
            Some(why) if of.surely_writes() => progress.print_line(&format!("{}: writes: {why}", of.workload)),
            Some(why) => {
                progress.print_line(&format!("{}: may write: {why}; set `reads: true` if it does not", of.workload));
            }
        }
    }
}
