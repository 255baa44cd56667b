//! `plan check --connect`: what the servers of a plan that are there say of it, before anything is measured. Nothing is
//! executed or changed.

use std::path::Path;

use load::StopRequest;
use plan::{Ownership, Plan, Workload};
use server::Environment;

use super::fleet::find_member;
use super::member::Member;
use super::{data, preflight};
use crate::interrupt::unless_stopped;
use crate::reset_scripts::ResetScript;
use crate::scripts::OwnScripts;
use crate::statements::{self, Said, StatementsOfServer};
use problem::Problem;

/// What all servers said.
#[derive(Debug, Default)]
pub struct Connected {
    /// What is so, a line each.
    pub lines: Vec<String>,
    /// Why the plan cannot be run.
    pub problems: Vec<Problem>,
}

/// Asks every server that is there, one after the other, whatever the others say.
pub async fn ask_servers(plan: &Plan, scripts: &OwnScripts, executable: &Path, stop: &StopRequest) -> Connected {
    let environment = Environment::of_this_process(executable.to_owned());
    let mut all = Connected::default();
    let workloads = plan.single_workloads();
    let mut said: Vec<(&Workload, Vec<StatementsOfServer>)> =
        workloads.iter().map(|workload| (workload, vec![])).collect();
    let mut all_answered = true;
    for planned in &plan.targets {
        let found = Box::pin(find_member(plan, planned, &environment, stop)).await;
        let mut member = match found {
            Ok(Some(member)) => member,
            Ok(None) => {
                all.lines
                    .push(format!("{}: the run creates its server, so only `pgdyno run` can check it", planned.name));
                continue;
            }
            Err(problem) => {
                all.problems.push(problem);
                all_answered = false;
                continue;
            }
        };
        let version = results::facts::short_version(&member.facts.server.version);
        all.lines.push(format!("{}: {version}, logged in, every setting confirmed", planned.name));
        let asking = of_member(plan, scripts, &mut member, stop, &mut all, &mut said);
        if let Err(problem) = unless_stopped(stop, Box::pin(asking)).await {
            all.problems.push(problem);
            all_answered = false;
        }
        if let Err(error) = member.target.release_target().await {
            all.problems.push(error.into());
        }
    }
    for (workload, of) in &said {
        conclude_workload(workload, of, all_answered, &mut all);
    }
    all
}

async fn of_member(
    plan: &Plan,
    scripts: &OwnScripts,
    member: &mut Member,
    stop: &StopRequest,
    all: &mut Connected,
    said: &mut [(&Workload, Vec<StatementsOfServer>)],
) -> Result<(), Problem> {
    if let Err(problem) = preflight::with_server(plan, member).await {
        all.problems.push(problem);
    }
    all.problems.extend(lacking_rights(plan, member).await?);
    all.problems.extend(data::check_existing(plan, member, stop).await.err());
    for (workload, of) in said {
        let Some(own) = workload.own_scripts() else { continue };
        // Its tables are made by the run, maybe in a database of their own.
        let are_made = own.tables.is_some_and(|tables| tables.data == Ownership::Managed);
        let by_reset = scripts.reset_of_workload(&workload.name).is_some_and(ResetScript::may_define);
        if by_reset || (are_made && !has_tables(member).await?) {
            all.lines.push(format!("{}: the run creates the tables of workload {}", member.name, workload.name));
            continue;
        }
        let texts = scripts.scripts_on_target(&workload.name, &member.name);
        let of_server = statements::ask_target(&member.target, workload, own, texts, false).await?;
        all.problems
            .extend(statements::refused_statements(workload, &of_server).into_iter().map(|refused| refused.problem));
        of.push(of_server);
    }
    Ok(())
}

async fn has_tables(member: &Member) -> Result<bool, Problem> {
    let client = member.connect_control().await?;
    let row = client.query_one("SELECT to_regclass('pgbench_accounts') IS NOT NULL", &[]).await;
    Ok(row.is_ok_and(|row| row.get(0)))
}

/// Whether the role may make the tables that the plan has it make.
async fn lacking_rights(plan: &Plan, member: &Member) -> Result<Option<Problem>, Problem> {
    const SQL: &str = "
        SELECT current_user::text, current_schema()::text,
               coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AND NOT pg_is_in_recovery(),
               to_regclass('pgbench_accounts') IS NOT NULL OR to_regclass('sbtest1') IS NOT NULL";
    let makes = |workload: &Workload| match workload.pgbench_tables() {
        Some(tables) => tables.data == Ownership::Managed,
        None => workload.own_scripts().is_none(),
    };
    if !plan.single_workloads().iter().any(makes) {
        return Ok(None);
    }
    let client = member.connect_control().await?;
    let row = client.query_one(SQL, &[]).await.map_err(|error| {
        Problem::could_not_measure(format!("target {:?}: could not read the rights of its role", member.name))
            .detail(error.to_string())
    })?;
    let (role, schema): (String, Option<String>) = (row.get(0), row.get(1));
    let (may, are_there): (bool, bool) = (row.get(2), row.get(3));
    if may || are_there {
        return Ok(None);
    }
    let schema = schema.unwrap_or_else(|| "public".to_owned());
    Ok(Some(
        Problem::could_not_measure(format!(
            "target {:?}: role {role:?} cannot create tables in schema {schema:?}",
            member.name
        ))
        .hint(format!("GRANT CREATE ON SCHEMA {schema} TO {role}; a standby receives its tables from its primary")),
    ))
}

/// What the answers of the servers come to for one workload; unless all have answered, what it does is not known.
fn conclude_workload(workload: &Workload, of: &[StatementsOfServer], all_answered: bool, all: &mut Connected) {
    let Some(own) = workload.own_scripts().filter(|_| !of.is_empty()) else { return };
    for server in of {
        let accepted = server.answers.iter().filter(|answer| matches!(answer.said, Said::Access(..))).count();
        all.lines.push(format!(
            "{}: workload {}: {accepted} of {} statements prepared",
            server.target,
            workload.name,
            server.answers.len()
        ));
    }
    match statements::conclude_access(workload, of, own.reads) {
        Err(problem) => all.problems.push(problem),
        Ok(asked) => {
            let words = statements::access_in_words(workload, of, &asked).filter(|_| all_answered);
            all.lines.extend(words.map(|words| format!("workload {}: {words}", workload.name)));
        }
    }
}
