//! The trials of one load: one alone, or those of the sides that take turns. Set-up, connection, warm-up, measurement,
//! cool-down, all of it written down as it happens.

use std::sync::Arc;

use load::{BetweenTurns, Tally, TurnTakingJobs};
use results::run::ScheduledTrial;
use results::trial::{SearchStep, Trial, TrialPhase, TurnTotals};
use server::HostAccess;

use super::beside::ReadyLoads;
use super::drive::{LoadDriver, RunningGenerator};
use super::events::{self, LoadClockReceiver};
use super::fates;
use super::from_several::Farm;
use super::frozen;
use super::load_login;
use super::managed::{self, ProviderWatch};
use super::observe;
use super::run_request::Experiment;
use super::side::{Happened, TrialSide};
use super::work;
use crate::experiment::fleet::Fleet;
use crate::generator::{Elsewhere, GeneratorSession, LoadOrder, SideOrder};
use crate::progress::ProgressReporter;
use problem::Problem;

/// Executes trials together and commits them, one after the other; `step` is what a search asks of one that is alone.
/// `remaining` trials, these among them, are still to come at most.
///
/// # Errors
/// When a trial could not be set up or written. A load that could not be finished is committed, each trial of it with
/// [`TrialOutcome::Failed`](results::trial::TrialOutcome::Failed).
pub(super) async fn execute_trials(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    scheduled: &[&ScheduledTrial],
    step: Option<SearchStep>,
    progress: &ProgressReporter,
    remaining: usize,
) -> Result<Vec<Trial>, Problem> {
    let plan = experiment.plan;
    let mut sides = Vec::new();
    for trial in scheduled {
        sides.push(TrialSide::set_up(experiment, fleet, trial, step).await?);
    }
    if let [trial] = scheduled {
        fleet.get_ready_to_disturb(experiment.plan, target_of(experiment, trial)).await?;
    }
    let here = servers_here(fleet, scheduled).await?;
    for (place, side) in sides.iter_mut().enumerate() {
        side.attach_watchers(plan, fleet, place, &here).await?;
    }
    sides.iter_mut().for_each(|side| side.phases.enter_phase(TrialPhase::Connect));
    let between = frozen::between_slices(plan, fleet, &sides).await?;
    let driver = driver_of_sides(experiment, fleet, &sides, between)?;
    let driver = match &fleet.generator {
        Some(generator) => from_elsewhere(experiment, fleet, generator, &sides, driver).await?,
        None => driver,
    };
    note_statements(experiment, &mut sides, &driver)?;
    let tally = sides[0].watchers.transaction_tally();
    let phases = plan.phases_of_workload(sides[0].workload).total_duration();
    let load_start = driver.load_start();
    let providers = watch_providers(experiment, scheduled).await;
    let beside = ReadyLoads::make_ready(experiment, fleet, scheduled).await?;
    let mut at_work = Vec::new();
    for side in sides {
        at_work.push(side.begin_trial(experiment, fleet, load_start).await?);
    }
    let length = phases * u32::try_from(scheduled.len()).unwrap_or(u32::MAX);
    let (mut load, clock) = RunningGenerator::start_load(driver, length.as_secs());
    let stage = load.load_stage();
    let mut show = |second: &_| progress.show_second(second, remaining);
    let watching = load.watch_until_end(experiment.stop, &mut at_work, &mut show);
    let happening = make_events_happen(experiment, fleet, scheduled, (clock, tally), progress);
    let (watched, happened, beside) = tokio::join!(watching, happening, beside.run_until_end(stage));
    let done = load.finish_load().await;
    watched?;

    at_work.iter_mut().for_each(|at_work| at_work.side.phases.enter_phase(TrialPhase::CoolDown));
    let mut at_rest = Vec::new();
    for at_work in at_work {
        at_rest.push(Box::pin(at_work.let_go()).await?);
    }
    let noted = fates::of_trials(experiment, fleet, scheduled, load_start, progress).await;
    let mut trials = Vec::new();
    for (((place, at_rest), noted), provider) in at_rest.into_iter().enumerate().zip(noted).zip(providers) {
        let provider = match provider {
            Some(watch) => Some(watch.end_watch(target_of(experiment, scheduled[place])).await),
            None => None,
        };
        let happened = Happened { noted, beside: beside.clone(), provider, ..happened.clone() };
        let done = done.as_ref().map(|done| &done[place]);
        let turns = turn_totals(plan, scheduled, place, done.ok().and_then(|done| done.slice_ns));
        trials.push(Box::pin(at_rest.end_trial(experiment, fleet, done, turns, happened)).await?);
    }
    Ok(trials)
}

/// Writes down which statements each side sends, and notes those of whose plans the server is to be asked.
fn note_statements(
    experiment: &Experiment<'_>,
    sides: &mut [TrialSide<'_>],
    driver: &LoadDriver,
) -> Result<(), Problem> {
    let plan = experiment.plan;
    for (side, job) in sides.iter_mut().zip(driver.engine_jobs()) {
        let mut sent = observe::statements_of_workload(&side.workload.name, job);
        experiment.scripts.note_captured_calls(&mut sent, side.workload.can_write());
        experiment.dir.write_workload(&sent)?;
        side.statements = sent.statements;
        side.results.clone_from(&job.results);
        side.unexplained = if plan.probes {
            observe::unexplained_statements(job, experiment.scripts, side.workload, &side.scheduled.cell.target)
        } else {
            Vec::new()
        };
    }
    Ok(())
}

/// What the providers of the sides say before the load; none of a side that has none.
async fn watch_providers(experiment: &Experiment<'_>, scheduled: &[&ScheduledTrial]) -> Vec<Option<ProviderWatch>> {
    let mut watches = Vec::new();
    for trial in scheduled {
        watches.push(managed::watch_provider(target_of(experiment, trial)).await);
    }
    watches
}

/// Makes happen what the plan wants to; where there are events, there are no turns.
async fn make_events_happen(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    scheduled: &[&ScheduledTrial],
    (clock, tally): (LoadClockReceiver, Tally),
    progress: &ProgressReporter,
) -> Happened {
    let planned = &experiment.plan.events;
    let [trial] = scheduled else { return Happened::default() };
    if planned.is_empty() {
        return Happened::default();
    }
    let tell = |event: &plan::Event| {
        progress.print_line(&format!("trial {}: event {}: {}", trial.number, event.name, event.what.word_in_plan()));
    };
    let scene = fleet.scene_of_target(target_of(experiment, trial));
    let making = events::make_happen(planned, scene, clock.clone(), experiment.stop, &tell);
    let (events, tally) = tokio::join!(making, events::count_until_end(tally, clock));
    Happened { events, tally, ..Happened::default() }
}

fn target_of<'p>(experiment: &Experiment<'p>, trial: &ScheduledTrial) -> &'p plan::Target {
    experiment.plan.target_by_name(&trial.cell.target).expect("the schedule names targets of the plan")
}

/// The first processes of the servers of these trials that are on this machine.
async fn servers_here(fleet: &Fleet, scheduled: &[&ScheduledTrial]) -> Result<Vec<u32>, Problem> {
    let mut here = Vec::new();
    for trial in scheduled {
        if let HostAccess::Here(found) = fleet.member_by_name(&trial.cell.target).host_access().await? {
            here.push(found.postmaster_pid);
        }
    }
    Ok(here)
}

/// What sends the load of the sides.
fn driver_of_sides(
    experiment: &Experiment<'_>,
    fleet: &Fleet,
    sides: &[TrialSide<'_>],
    between: Option<Arc<dyn BetweenTurns>>,
) -> Result<LoadDriver, Problem> {
    let Experiment { plan, scripts, .. } = *experiment;
    let member = |side: &TrialSide<'_>| fleet.member_by_name(&side.scheduled.cell.target);
    if let [side] = sides {
        let driver = work::driver_of_workload(plan, scripts, side.workload, side.trial_request(0), member(side))?;
        return Ok(driver.counting_into(side.watchers.transaction_tally()));
    }
    let job = |(place, side): (usize, &TrialSide<'_>)| {
        let login = load_login::login_of_member(member(side));
        let job = work::job_of_workload(plan, scripts, side.workload, side.trial_request(place), login)?;
        Ok(load::EngineJob { tally: side.watchers.transaction_tally(), ..job })
    };
    let jobs = sides.iter().enumerate().map(job).collect::<Result<Vec<_>, Problem>>()?;
    let samples = sides.iter().map(|side| side.watchers.samples_pause()).collect();
    let turns = TurnTakingJobs { between, ..work::turns_of_jobs(plan, jobs, sides[0].scheduled.seed) };
    Ok(LoadDriver::Turns { turns, samples })
}

/// The same load, sent by a generator on another machine, or by several as one.
async fn from_elsewhere(
    experiment: &Experiment<'_>,
    fleet: &Fleet,
    generator: &Elsewhere,
    sides: &[TrialSide<'_>],
    driver: LoadDriver,
) -> Result<LoadDriver, Problem> {
    let Experiment { plan, scripts, .. } = *experiment;
    let order = |(place, side): (usize, &TrialSide<'_>)| {
        let member = fleet.member_by_name(&side.scheduled.cell.target);
        Ok(SideOrder {
            target: member.name.clone(),
            workload: side.workload.name.clone(),
            clients: side.scheduled.planned_clients(),
            seed: side.scheduled.seed,
            rate_per_s: side.step.map(|step| step.rate_per_s),
            place,
            server: generator.server_order(&member.name, &member.target.load_conninfo())?,
        })
    };
    let of_sides = sides.iter().enumerate().map(order).collect::<Result<Vec<_>, Problem>>()?;
    let mut sessions = generator.open_sessions().await?;
    let start = GeneratorSession::earliest_load_start();
    let order = LoadOrder {
        plan: plan.to_yaml(),
        scripts: scripts.run_directory_files().into_iter().map(|(path, text)| (path, text.to_owned())).collect(),
        sides: of_sides,
        start_at_ns: 0,
        io_uring: generator.may_use_io_uring(),
        part: None,
    };
    let name = generator.name_in_plan();
    if sessions.len() == 1 {
        let session = sessions.remove(0);
        let order = LoadOrder { start_at_ns: session.clock_offset().there_ns(start), ..order };
        return Ok(driver.sent_from_generator(session, order, start, name));
    }
    let members = generator.member_names().map(str::to_owned).zip(sessions).collect();
    // What an event costs is told by those that are left.
    let goes_on_without = !plan.events.is_empty();
    Ok(driver.sent_from_several(Farm { name: name.to_owned(), members, order, start, goes_on_without }))
}

/// With whom the trial at this place took turns. `slice_ns`: how long a measured one was to be.
fn turn_totals(
    plan: &plan::Plan,
    scheduled: &[&ScheduledTrial],
    place: usize,
    slice_ns: Option<u64>,
) -> Option<TurnTotals> {
    let others = scheduled.iter().enumerate().filter(|(other, _)| *other != place);
    let with: Vec<u32> = others.map(|(_, trial)| trial.number).collect();
    let planned_us = u64::try_from(plan.slice.as_micros()).unwrap_or(u64::MAX);
    let length_us = slice_ns.map_or(planned_us, |length| length / 1_000);
    (!with.is_empty()).then_some(TurnTotals { with, length_us })
}
