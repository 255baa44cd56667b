//! One trial: set-up, connection, warm-up, measurement, cool-down, all of it written down as it happens.

use std::collections::BTreeMap;
use std::time::Instant;

use dataset::Readied;
use jiff::Timestamp;
use plan::{Cache, Workload};
use results::run::ScheduledTrial;
use results::trial::{
    FORMAT, Incident, LedgerTotals, LoadTotals, Outcome, Phase, PhaseRecord, Preparation, SearchStep, Trial,
};

use super::cache;
use super::drive::{Done, Load, Undone};
use super::machine::Changed;
use super::watch::Watchers;
use super::work::{self, Asked};
use super::{Experiment, data, ledger};
use crate::experiment::fleet::{Fleet, Member};
use crate::interrupt::unless_stopped;
use crate::problem::Problem;
use crate::progress::Progress;

/// Executes one trial and commits it; `step` is what a search asks of it. `remaining` trials, this one among them,
/// are still to come at most.
///
/// # Errors
/// When the trial could not be set up or written. A load that could not be finished is a committed trial with
/// [`Outcome::Failed`].
pub(super) async fn execute(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    scheduled: &ScheduledTrial,
    step: Option<SearchStep>,
    progress: &Progress,
    remaining: usize,
) -> Result<Trial, Problem> {
    let plan = experiment.plan;
    let workload = plan.workload(&scheduled.cell.workload).expect("the schedule is made from the plan");
    let planned = plan.target(&scheduled.cell.target).expect("the schedule is made from the plan");
    let cache = plan.cache(planned, workload);
    let mut phases = Phases::default();

    phases.enter(Phase::SetUp);
    let SetUp { knobs, readied, preparation, changed } =
        unless_stopped(experiment.stop, set_up(plan, fleet, planned, workload, scheduled.cell.clients, cache)).await?;
    let member = fleet.member(&scheduled.cell.target);
    let mut watchers = Watchers::attach(member, plan, scheduled.seed).await?;

    phases.enter(Phase::Connect);
    let rate_per_s = step.map(|step| step.rate_per_s);
    let asked = Asked { clients: scheduled.cell.clients, seed: scheduled.seed, rate_per_s };
    let driver = work::driver(plan, experiment.scripts, workload, asked, member)?;
    let log = member.follow_log().await;
    let load_start = Timestamp::now();
    let mut writer = experiment.dir.begin_trial(scheduled.number, load_start)?;
    let mut load = Load::start(driver.counting(watchers.tally()), (plan.trial.warm_up + plan.trial.measure).as_secs());
    let mut show = |second| progress.second(second, remaining);
    let watched = load.watch(experiment.stop, &mut watchers, &mut writer, &mut phases, &mut show).await;
    let summary = load.finish().await;
    watched?;

    phases.enter(Phase::CoolDown);
    writer.write_log(&log.read(load_start).await)?;
    watchers.end_statements().await.map_or(Ok(()), |statements| writer.write_statements(&statements))?;
    let (outcome, mut totals) = ended(experiment, member, workload, &summary).await;
    let audited = match &summary {
        Ok(done) => ledger::check(member, &done.summary).await,
        Err(_) => None,
    };
    let finished = finished(experiment, member, workload, &outcome).await;
    let mut incidents: Vec<Incident> = [&readied, &finished].into_iter().flat_map(data::omissions).collect();
    incidents.extend(enter(audited, totals.as_mut()));
    incidents.extend(summary.iter().filter_map(Done::cancelled));
    incidents.extend(fleet.machine.reset(changed));
    let trial = Trial {
        format: FORMAT,
        number: scheduled.number,
        block: scheduled.block,
        cell: scheduled.cell.clone(),
        role: scheduled.role,
        step,
        outcome,
        phases: phases.end(),
        preparation,
        finishing: finished.executed,
        knobs,
        turns: None,
        load: totals,
        told: None,
        observer: watchers.cost(),
        incidents,
    };
    writer.commit(&trial)?;
    Ok(trial)
}

/// What was done before the load.
struct SetUp {
    /// As the server confirmed them.
    knobs: BTreeMap<String, String>,
    readied: Readied,
    /// All of it, in the order in which it was done.
    preparation: Vec<Preparation>,
    /// Of this machine, to be undone after the trial.
    changed: Changed,
}

/// Brings machine, tables and caches to where every trial of a cell begins.
async fn set_up(
    plan: &plan::Plan,
    fleet: &mut Fleet,
    planned: &plan::Target,
    workload: &Workload,
    clients: u32,
    cache: Cache,
) -> Result<SetUp, Problem> {
    let changed = fleet.machine.before_trial(planned)?;
    let member = fleet.member_mut(&planned.name);
    let readied = data::prepare(plan, member, workload, clients).await?;
    let cached = cache::bring(member, cache).await?;
    member.take_turn()?;
    let knobs = member.confirm_knobs().await?;
    let preparation = changed
        .values
        .iter()
        .cloned()
        .map(Preparation::KernelValue)
        .chain(readied.executed.iter().cloned().map(Preparation::Statement))
        .chain(cached)
        .collect();
    Ok(SetUp { knobs, readied, preparation, changed })
}

/// How the trial ended, and what its load measured.
async fn ended(
    experiment: &Experiment<'_>,
    member: &Member,
    workload: &Workload,
    summary: &Result<Done, Undone>,
) -> (Outcome, Option<LoadTotals>) {
    match summary {
        Ok(done) if done.summary.interrupted => (Outcome::Interrupted, done.totals(workload)),
        Ok(done) => (member.outcome_if_alive().await, done.totals(workload)),
        Err(Undone::Stopped) if experiment.stop.is_requested() => (Outcome::Interrupted, None),
        Err(undone) => (Outcome::Failed { error: undone.to_string() }, None),
    }
}

/// Writes out what a whole trial's workload left behind.
async fn finished(experiment: &Experiment<'_>, member: &Member, workload: &Workload, outcome: &Outcome) -> Readied {
    match outcome {
        Outcome::Completed => data::finish(member, workload, experiment.stop).await,
        Outcome::Interrupted | Outcome::Failed { .. } => Readied::default(),
    }
}

/// Enters what the check of the ledger found; returns why it could not be checked.
fn enter(audited: Option<Result<LedgerTotals, Incident>>, totals: Option<&mut LoadTotals>) -> Option<Incident> {
    match (audited?, totals) {
        (Ok(found), Some(load)) => load.ledger = Some(found),
        (Ok(_), None) => {}
        (Err(unchecked), _) => return Some(unchecked),
    }
    None
}

/// The phases of a trial as they are entered.
#[derive(Debug, Default)]
pub(super) struct Phases {
    ended: Vec<PhaseRecord>,
    current: Option<(Phase, Timestamp, Instant)>,
}

impl Phases {
    pub(super) fn enter(&mut self, phase: Phase) {
        self.leave();
        self.current = Some((phase, Timestamp::now(), Instant::now()));
    }

    fn leave(&mut self) {
        if let Some((phase, started_at, began)) = self.current.take() {
            let duration_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
            self.ended.push(PhaseRecord { phase, started_at, duration_us });
        }
    }

    fn end(mut self) -> Vec<PhaseRecord> {
        self.leave();
        self.ended
    }
}
