//! An upgrade rehearsed: the query plans of all captured statements on each target before anything is timed, in each
//! state that the planner statistics may have after an upgrade. Nothing is executed; what is there is written down.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use jiff::Timestamp;
use plan::{Plan, RESTORED_DATABASE, Workload};
use probe::Unexplained;
use results::plans::{ExplainOutcome, Plans};
use results::rehearsal::{
    FORMAT, PlannedState, Rehearsal, RehearsedTarget, StatisticsState, UpgradeStep, UpgradeStepKind,
};
use server::Environment;

use super::asked::TrialRequest;
use super::dumped::DumpedSources;
use super::fleet::Fleet;
use super::kept_statistics::{
    EnteredStatistics, KEEPS_STATISTICS_SINCE, clear_statistics, enter_statistics, read_statistics_calls,
};
use super::load_login::login_of_member;
use super::member::Member;
use super::observe::unexplained_statements;
use super::pg_upgrade::rehearse_pg_upgrade;
use super::restored::{copy_template, execute_on_server};
use super::run_request::Experiment;
use super::work::job_of_workload;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use crate::server_message::message_of_error;
use crate::statements::functions_called;
use problem::Problem;

/// The copy of the restored data whose statistics are changed.
const REHEARSED_DATABASE: &str = "pgdyno_rehearsed";

/// What the catalog says of functions of PostgreSQL with these names.
const FUNCTIONS: &str = "
    SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
           concat_ws(', ', 'returns ' || pg_get_function_result(p.oid),
                     CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
                     CASE WHEN p.proisstrict THEN 'strict' END,
                     CASE p.proparallel WHEN 's' THEN 'parallel safe' WHEN 'r' THEN 'parallel restricted'
                                        ELSE 'parallel unsafe' END)
      FROM pg_catalog.pg_proc p
     WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind IN ('f', 'a', 'w') AND p.proname = ANY($1)";

const EXTENSIONS: &str = "SELECT extname::text, extversion FROM pg_catalog.pg_extension";

/// The statements of a workload that are planned.
struct PlannedWorkload<'a> {
    workload: &'a Workload,
    statements: Vec<Unexplained>,
}

/// Asks every server for the plans of the captured statements, and writes them down. A run that has them goes on.
///
/// # Errors
/// The candidate is not newer than the baseline, no statement can be explained, or what a server says.
pub(super) async fn rehearse_upgrade(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    let Experiment { plan, dir, stop, .. } = *experiment;
    if !plan.rehearse_upgrade || dir.read_rehearsal()?.is_some() {
        return Ok(());
    }
    refuse_older_candidates(plan, fleet)?;
    let from = fleet.member_by_name(&plan.baseline).facts.server.version_num / 10_000;
    let kept = unless_stopped(stop, statistics_of_baseline(plan, fleet)).await?;
    let mut targets = Vec::new();
    for member in fleet.members_mut() {
        progress.show_stage(&format!("{}: planning the captured statements", member.name), 0, 1);
        let asked = statements_of_target(experiment, member)?;
        let kept = if member.name == plan.baseline { None } else { Some(kept.as_slice()) };
        let rehearsed = unless_stopped(stop, rehearse_target(member, &asked, kept)).await;
        member.target.turn_to(None);
        let mut rehearsed = rehearsed?;
        if kept.is_some() {
            unless_stopped(stop, add_pg_upgrade(experiment, member, from, &mut rehearsed, progress)).await?;
        }
        progress.print_line(&target_in_words(&rehearsed));
        targets.push(rehearsed);
    }
    refuse_without_plans(plan, &targets)?;
    dir.write_rehearsal(&Rehearsal { format: FORMAT, rehearsed_at: Timestamp::now(), targets })?;
    Ok(())
}

/// Versions that the plan does not say are those of installed binaries.
fn refuse_older_candidates(plan: &Plan, fleet: &Fleet) -> Result<(), Problem> {
    let from = fleet.member_by_name(&plan.baseline).facts.server.version_num / 10_000;
    for member in fleet.all_members().iter().filter(|member| member.name != plan.baseline) {
        let to = member.facts.server.version_num / 10_000;
        if to <= from {
            return Err(Problem::could_not_measure(format!(
                "an upgrade from PostgreSQL {from} to {to} cannot be rehearsed"
            ))
            .detail(format!("target {:?} is not of a newer major version than {:?}", member.name, plan.baseline))
            .hint("the baseline has the version of today, the candidate the one to upgrade to"));
        }
    }
    Ok(())
}

async fn statistics_of_baseline(plan: &Plan, fleet: &mut Fleet) -> Result<Vec<String>, Problem> {
    let takes_some = fleet.all_members().iter().any(takes_statistics);
    if !takes_some {
        return Ok(Vec::new());
    }
    let member = fleet.member_mut(&plan.baseline);
    member.target.turn_to(Some(RESTORED_DATABASE.to_owned()));
    let client = member.connect_control().await;
    member.target.turn_to(None);
    let calls = read_statistics_calls(&client?, member.facts.server.version_num).await;
    calls.map_err(|error| statistics_problem(member, &error))
}

fn takes_statistics(member: &Member) -> bool {
    member.facts.server.version_num >= KEEPS_STATISTICS_SINCE
}

fn statistics_problem(member: &Member, error: &tokio_postgres::Error) -> Problem {
    Problem::could_not_measure(format!("target {:?}: could not rehearse the upgrade", member.name))
        .detail(message_of_error(error))
}

/// The statements of all workloads with the values of captured executions: the same on every target.
fn statements_of_target<'a>(experiment: &Experiment<'a>, member: &Member) -> Result<Vec<PlannedWorkload<'a>>, Problem> {
    let Experiment { plan, scripts, run, .. } = *experiment;
    let mut asked = Vec::new();
    for workload in &plan.workloads {
        let request = TrialRequest {
            clients: plan.most_clients_of_workload(workload),
            seed: run.schedule.seed,
            rate_per_s: None,
            target: &member.name,
            place: 0,
        };
        let job = job_of_workload(plan, scripts, workload, request, login_of_member(member))?;
        let mut statements = unexplained_statements(&job, scripts, workload, &member.name);
        for statement in &mut statements {
            // The plan for any values is what there is where another statement returns one of them.
            statement.prepared |= statement.values.iter().any(Option::is_none);
        }
        asked.push(PlannedWorkload { workload, statements });
    }
    Ok(asked)
}

/// One target in all states that it can have. `kept`: the statistics of the baseline, unless it is that itself.
async fn rehearse_target(
    member: &mut Member,
    asked: &[PlannedWorkload<'_>],
    kept: Option<&[String]>,
) -> Result<RehearsedTarget, Problem> {
    let mut steps = Vec::new();
    if let Some(durations) = member.facts.server.restore_durations {
        steps.push(UpgradeStep { step: UpgradeStepKind::Restore, seconds: durations.restore_s });
        steps.push(UpgradeStep { step: UpgradeStepKind::VacuumAnalyze, seconds: durations.vacuum_analyze_s });
    }
    let mut states = Vec::new();
    if let Some(kept) = kept {
        copy_template(member, REHEARSED_DATABASE).await?;
        member.target.turn_to(Some(REHEARSED_DATABASE.to_owned()));
        let client = member.connect_control().await?;
        clear_statistics(&client).await.map_err(|error| statistics_problem(member, &error))?;
        states.extend(plans_in_state(member, asked, StatisticsState::Missing, None).await);
        if takes_statistics(member) {
            let begun = Instant::now();
            let entered = enter_statistics(&client, kept).await;
            let entered = entered.map_err(|error| statistics_problem(member, &error))?;
            let seconds = begun.elapsed().as_secs_f64();
            steps.push(UpgradeStep { step: UpgradeStepKind::KeepStatistics, seconds });
            states.extend(plans_in_state(member, asked, StatisticsState::Kept, refused_in_words(entered)).await);
        }
        drop(client);
        member.target.turn_to(None);
        execute_on_server(member, &[&format!("DROP DATABASE IF EXISTS {REHEARSED_DATABASE} WITH (FORCE)")]).await?;
    }
    member.target.turn_to(Some(RESTORED_DATABASE.to_owned()));
    states.extend(plans_in_state(member, asked, StatisticsState::Analyzed, None).await);
    let client = member.connect_control().await?;
    let extensions = names_with_values(&client, EXTENSIONS, None).await;
    let called: BTreeSet<String> =
        asked.iter().flat_map(|of| &of.statements).flat_map(|one| functions_called(&one.text)).collect();
    let called: Vec<String> = called.into_iter().collect();
    let functions = names_with_values(&client, FUNCTIONS, Some(&called)).await;
    Ok(RehearsedTarget {
        target: member.name.clone(),
        version_num: member.facts.server.version_num,
        steps,
        extensions: extensions.map_err(|error| statistics_problem(member, &error))?,
        functions: functions.map_err(|error| statistics_problem(member, &error))?,
        pg_upgrade_gap: None,
        pg_upgrade_objections: Vec::new(),
        states,
    })
}

/// Executes pg_upgrade from the major version of the baseline on data of their own.
async fn add_pg_upgrade(
    experiment: &Experiment<'_>,
    candidate: &Member,
    from: u32,
    rehearsed: &mut RehearsedTarget,
    progress: &ProgressReporter,
) -> Result<(), Problem> {
    let Experiment { plan, dir, executable, .. } = *experiment;
    let data = plan.target_by_name(&plan.baseline).and_then(|target| target.data.as_ref());
    let Some(data) = data else { return Ok(()) };
    progress.show_stage(&format!("{}: rehearsing pg_upgrade", candidate.name), 0, 1);
    let dump = DumpedSources::in_run(dir.path()).file_of_source(plan, &data.source);
    let environment = Environment::of_this_process(executable.to_owned());
    let upgraded = rehearse_pg_upgrade(plan, (plan.baseline.as_str(), from), candidate, &dump, &environment).await?;
    progress.print_line(&upgraded.in_words(&candidate.name));
    rehearsed.steps.extend(upgraded.steps);
    rehearsed.pg_upgrade_gap = upgraded.gap;
    rehearsed.pg_upgrade_objections = upgraded.objections;
    Ok(())
}

fn refused_in_words(entered: EnteredStatistics) -> Option<String> {
    let EnteredStatistics { entered, refused } = entered;
    if refused == 0 {
        return None;
    }
    Some(format!("the server did not take {refused} of {} statistics of the baseline", entered + refused))
}

/// The plans in the database that the target is turned to, as the load logs in there.
async fn plans_in_state(
    member: &Member,
    asked: &[PlannedWorkload<'_>],
    statistics: StatisticsState,
    remark: Option<String>,
) -> Vec<PlannedState> {
    let config = control::Config::from(&member.target.load_conninfo());
    let mut states = Vec::new();
    for PlannedWorkload { workload, statements } in asked {
        let plans = probe::plan_statements(&config, statements).await;
        states.push(PlannedState { statistics, workload: workload.name.clone(), remark: remark.clone(), plans });
    }
    states
}

/// Rows of two texts.
async fn names_with_values(
    client: &tokio_postgres::Client,
    sql: &str,
    names: Option<&Vec<String>>,
) -> Result<BTreeMap<String, String>, tokio_postgres::Error> {
    let rows = match names {
        Some(names) => client.query(sql, &[names]).await?,
        None => client.query(sql, &[]).await?,
    };
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn target_in_words(rehearsed: &RehearsedTarget) -> String {
    let mut states = Vec::new();
    for state in &rehearsed.states {
        let name = match state.statistics {
            StatisticsState::Missing => "missing",
            StatisticsState::Kept => "kept",
            StatisticsState::Analyzed => "analyzed",
        };
        let planned = planned_statements(&state.plans);
        states.push(format!("{planned} of {} with statistics {name}", state.plans.statements.len()));
    }
    format!("{}: statements planned: {}", rehearsed.target, states.join(", "))
}

/// How many statements have a plan.
fn planned_statements(plans: &Plans) -> usize {
    plans.statements.iter().filter(|statement| statement.known_plan().is_some()).count()
}

fn refuse_without_plans(plan: &Plan, targets: &[RehearsedTarget]) -> Result<(), Problem> {
    let Some(baseline) = targets.iter().find(|target| target.target == plan.baseline) else { return Ok(()) };
    if baseline.states.iter().any(|state| planned_statements(&state.plans) > 0) {
        return Ok(());
    }
    let gap = baseline.states.iter().find_map(|state| {
        state.plans.gap.clone().or_else(|| match &state.plans.statements.first()?.custom {
            ExplainOutcome::Gap { gap } => Some(gap.clone()),
            ExplainOutcome::Plan(_) => None,
        })
    });
    Err(Problem::could_not_measure(format!("target {:?} explains no statement of the captured load", plan.baseline))
        .detail(gap.unwrap_or_else(|| "the capture has none that is planned".to_owned()))
        .hint("`pgdyno capture describe` shows the statements; SELECT, INSERT, UPDATE, DELETE and MERGE are planned"))
}
