//! The product on one screen: for each trial of the schedule, or all those at once whose sides take turns, take the
//! target, confirm its settings, bring its data to the start, attach the probes, warm up, measure, write the trial,
//! cool down.
//!
//! Draws no conclusion but two: the stopping rule says which comparisons need no further blocks, and the search for a
//! capacity which rate is tried next.

mod access;
mod asked;
mod beside;
mod by_consent;
mod cache;
pub mod connected;
mod data;
mod disks;
mod drive;
mod dumped;
mod ending;
mod events;
mod fates;
mod fleet;
mod from_elsewhere;
mod from_several;
mod frozen;
pub mod in_kubernetes;
mod kept_statistics;
mod ledger;
mod limits;
mod load_login;
mod load_messages;
mod load_result;
mod machine;
mod managed;
mod masked_data;
mod member;
mod mixed_scripts;
mod observe;
mod other_runs;
mod pauses;
mod pg_upgrade;
mod phases;
mod pilot;
mod preflight;
mod rehearsal;
mod restored;
mod restored_rows;
pub mod rights;
mod room;
mod round_trip;
mod routes;
mod run_request;
mod side;
mod standby;
mod standstills;
mod sysbench_work;
mod trial;
mod watch;
mod work;

use std::collections::BTreeSet;

use judge::stopping::{RunQuestion, Searches, given_up, remaining_trials};
use plan::schedule::trials_executed_together;
use results::run::ScheduledTrial;
use results::trial::{Trial, TrialOutcome};

use crate::generator;
use crate::interrupt::unless_stopped;
use crate::progress::ProgressReporter;
use dumped::DumpedSources;
use fleet::Fleet;
use problem::Problem;

pub use asked::TrialRequest;
pub use ending::ExperimentEnding;
pub use observe::{first_error, latency_summary, login_for_load, statements_of_workload};
pub use pilot::{PILOT_BLOCKS, PILOT_SECONDS, PilotCell, PilotObservation, run_pilot};
pub use room::lack_of_room as lacking_room;
pub use round_trip::round_trip_us;
pub use run_request::Experiment;
pub use work::{job_of_workload, turns_of_jobs};

/// Executes what is still to be executed of the schedule. Whatever happens, every server that was started is stopped
/// and every trial that was finished stays.
///
/// # Errors
/// What kept the measurement from being made or finished.
pub async fn conduct_experiment(
    experiment: &Experiment<'_>,
    progress: &mut ProgressReporter,
) -> Result<ExperimentEnding, Problem> {
    unless_stopped(experiment.stop, disks::require_rights(experiment.plan)).await?;
    unless_stopped(experiment.stop, generator::check_load_pod(experiment.plan)).await?;
    let mut fleet = Box::pin(Fleet::acquire_all(experiment, progress)).await?;
    let result = conduct_on(experiment, &mut fleet, progress).await;
    if matches!(result, Ok(ExperimentEnding::Finished)) {
        DumpedSources::in_run(experiment.dir.path()).remove_dumps();
    }
    progress.clear_live_line();
    fleet.release_after(result).await
}

async fn conduct_on(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    progress: &mut ProgressReporter,
) -> Result<ExperimentEnding, Problem> {
    let Experiment { plan, run, dir, stop, scripts, .. } = *experiment;
    unless_stopped(stop, preflight::with_servers(plan, fleet)).await?;
    beside::require_programs(plan, fleet)?;
    for line in unless_stopped(stop, fleet.say_other_runs()).await? {
        progress.print_line(&line);
    }
    fleet.record_facts(dir)?;
    // Boxed: most plans have none.
    if Box::pin(disks::survey_disks(experiment, fleet, progress)).await? == ExperimentEnding::Interrupted {
        return Ok(ExperimentEnding::Interrupted);
    }
    data::set_up(plan, scripts, fleet, &DumpedSources::in_run(dir.path()), stop, progress).await?;
    unless_stopped(stop, fleet.set_lifted_limits(plan, progress)).await?;
    unless_stopped(stop, fleet.record_sizes(plan, dir)).await?;
    // Boxed: most plans have no scripts of their own.
    let (plan, scripts) =
        &unless_stopped(stop, Box::pin(access::settle_access(plan, scripts, fleet, dir, progress))).await?;
    let experiment = &Experiment { plan, scripts, ..*experiment };
    // Boxed: most plans rehearse nothing.
    Box::pin(rehearsal::rehearse_upgrade(experiment, fleet, progress)).await?;
    let question = RunQuestion::from_plan(plan, run.schedule.seed);
    let mut trials = dir.finished_trials()?;
    progress.set_schedule(u32::try_from(run.schedule.trials.len()).unwrap_or(u32::MAX), plan.blocks);
    let mut last_block = None;
    let mut said: BTreeSet<String> = BTreeSet::new();
    loop {
        for line in given_up(&question, &trials) {
            if said.insert(line.clone()) {
                progress.print_line(&line);
            }
        }
        let remaining = remaining_trials(run, &question, &trials);
        let Some(next) = remaining.first() else { return Ok(ExperimentEnding::Finished) };
        if stop.is_requested() {
            return Ok(ExperimentEnding::Interrupted);
        }
        let scheduled = next_load(experiment, *next, &remaining, &trials);
        let (block, lot) = (scheduled[0].block, scheduled[0].seed);
        if last_block.replace(block) != Some(block) {
            unless_stopped(stop, fleet.restart_servers(plan, lot)).await?;
        }
        progress.load_began(&scheduled);
        let step = Searches::from_trials(&trials).next_step(&question, scheduled[0]);
        // Boxed: a trial holds much state, and everything that awaits one would hold it, too.
        let executing = Box::pin(trial::execute_trials(experiment, fleet, &scheduled, step, progress, remaining.len()));
        let executed = executing.await?;
        let left = remaining.iter().filter(|number| executed.iter().all(|trial| trial.number != **number)).count();
        executed.iter().zip(&scheduled).for_each(|(trial, scheduled)| progress.trial_ended(scheduled, trial, left));
        for trial in &executed {
            let others =
                trial.incidents.iter().filter_map(|found| other_runs::say_other_runs(&trial.cell.target, found));
            for line in others.filter(|line| said.insert(line.clone())) {
                progress.print_line(&line);
            }
            if let Some(ending) = ending_after_trial(trial)? {
                return Ok(ending);
            }
        }
        trials.retain(|earlier: &Trial| executed.iter().all(|trial| trial.number != earlier.number));
        trials.extend(executed);
    }
}

/// The trials that are executed with trial `next`: those that are still to be executed of the sides that take turns
/// with it, and those that were executed with others than they would be compared with.
fn next_load<'e>(
    experiment: &Experiment<'e>,
    next: u32,
    remaining: &[u32],
    trials: &[Trial],
) -> Vec<&'e ScheduledTrial> {
    let group = trials_executed_together(experiment.plan, &experiment.run.schedule, next);
    let was_executed = |number: u32| trials.iter().any(|trial| trial.number == number);
    group.iter().filter(|trial| remaining.contains(&trial.number) || was_executed(trial.number)).collect()
}

/// Whether the experiment can go on after a trial.
fn ending_after_trial(trial: &Trial) -> Result<Option<ExperimentEnding>, Problem> {
    match &trial.outcome {
        TrialOutcome::Completed => Ok(None),
        TrialOutcome::Interrupted => Ok(Some(ExperimentEnding::Interrupted)),
        TrialOutcome::Failed { error } => {
            Err(Problem::could_not_measure(format!("trial {} ({}) could not be measured", trial.number, trial.cell))
                .detail(error.clone()))
        }
    }
}
