//! One side of a load, which is one trial: what is done before the load and after it, and what is written down of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use dataset::Readied;
use jiff::Timestamp;
use load::ListedResults;
use plan::{Cache, Plan, Workload};
use probe::{LogReader, Unexplained};
use results::run::ScheduledTrial;
use results::store::TrialWriter;
use results::trial::{
    BesideTotals, EventRecord, FORMAT, Incident, KernelValue, LedgerTotals, LoadTotals, Preparation, ProviderTotals,
    SearchStep, Tallied, Trial, TrialOutcome, TrialPhase, TurnTotals,
};
use results::workload::SentStatement;

use super::asked::TrialRequest;
use super::cache;
use super::load_result::{FinishedLoad, NoFigures};
use super::machine::TrialMachineChanges;
use super::phases::EnteredTrialPhases;
use super::restored;
use super::run_request::Experiment;
use super::watch::Watchers;
use super::{data, events, fates, ledger, observe};
use crate::experiment::fleet::Fleet;
use crate::experiment::member::Member;
use crate::interrupt::unless_stopped;
use problem::Problem;

/// The results of a captured load are kept of so many blocks: of fewer than two a side cannot be compared with itself.
const RESULTS_OF_BLOCKS: u32 = 3;

/// A trial whose server stands ready for its load.
pub(super) struct TrialSide<'a> {
    pub(super) scheduled: &'a ScheduledTrial,
    pub(super) workload: &'a Workload,
    /// What a search asks of it.
    pub(super) step: Option<SearchStep>,
    pub(super) phases: EnteredTrialPhases,
    pub(super) watchers: Watchers,
    /// Statements of whose plans the server is to be asked.
    pub(super) unexplained: Vec<Unexplained>,
    /// Those that pgdyno's own engine sends, by number.
    pub(super) statements: Vec<SentStatement>,
    /// What the transactions of a list come to.
    pub(super) results: Option<Arc<ListedResults>>,
    set_up: SetUp,
}

impl<'a> TrialSide<'a> {
    /// What its load is asked to do, at this place among the sides that take turns.
    pub(super) fn trial_request(&self, place: usize) -> TrialRequest<'_> {
        TrialRequest {
            clients: self.scheduled.planned_clients(),
            seed: self.scheduled.seed,
            rate_per_s: self.step.map(|step| step.rate_per_s),
            target: &self.scheduled.cell.target,
            place,
        }
    }

    /// Brings the server of a trial to where it begins; nobody watches it yet.
    pub(super) async fn set_up(
        experiment: &Experiment<'a>,
        fleet: &mut Fleet,
        scheduled: &'a ScheduledTrial,
        step: Option<SearchStep>,
    ) -> Result<Self, Problem> {
        let plan = experiment.plan;
        let workload = plan.workload_by_name(&scheduled.cell.workload).expect("the schedule is made from the plan");
        let planned = plan.target_by_name(&scheduled.cell.target).expect("the schedule is made from the plan");
        let mut phases = EnteredTrialPhases::default();
        phases.enter_phase(TrialPhase::SetUp);
        fleet.member_mut(&planned.name).target.turn_to(plan.database_on(&planned.name, workload));
        let cache = plan.cache_of_trial(planned, workload);
        let setting_up = set_up(experiment, fleet, planned, workload, scheduled.planned_clients(), cache);
        let set_up = unless_stopped(experiment.stop, setting_up).await?;
        let (watchers, unexplained, statements) = (Watchers::without_probes(), Vec::new(), Vec::new());
        Ok(Self { scheduled, workload, step, phases, watchers, unexplained, statements, results: None, set_up })
    }

    /// Attaches those who watch it, when all servers are where they begin. `place`: its own among the sides that take
    /// turns; `here`: the servers of all sides that are on this machine.
    pub(super) async fn attach_watchers(
        &mut self,
        plan: &Plan,
        fleet: &Fleet,
        place: usize,
        here: &[u32],
    ) -> Result<(), Problem> {
        let member = fleet.member_by_name(&self.scheduled.cell.target);
        self.watchers =
            Box::pin(Watchers::attach_to_member(member, (plan, self.workload), self.scheduled.seed, place, here))
                .await?;
        Ok(())
    }

    /// Begins to write the trial; instant zero is `load_start`.
    pub(super) async fn begin_trial(
        self,
        experiment: &Experiment<'_>,
        fleet: &Fleet,
        load_start: Timestamp,
    ) -> Result<SideAtWork<'a>, Problem> {
        let log = fleet.member_by_name(&self.scheduled.cell.target).follow_log().await;
        let writer = experiment.dir.begin_trial(self.scheduled.number, load_start)?;
        Ok(SideAtWork { side: self, writer, log, load_start })
    }
}

/// What was made to happen in a trial, how far the load had come ten times a second meanwhile, what happened to its
/// pod, and what ran beside it.
#[derive(Debug, Clone, Default)]
pub(super) struct Happened {
    pub(super) events: Vec<EventRecord>,
    pub(super) tally: Vec<Tallied>,
    pub(super) noted: Option<Incident>,
    /// What the loads beside did.
    pub(super) beside: Vec<BesideTotals>,
    /// What the provider said.
    pub(super) provider: Option<ProviderTotals>,
}

/// A trial under load.
pub(super) struct SideAtWork<'a> {
    pub(super) side: TrialSide<'a>,
    pub(super) writer: TrialWriter,
    log: LogReader,
    load_start: Timestamp,
}

impl<'a> SideAtWork<'a> {
    /// Writes down what those saw who watched the load, and closes their sessions, for which a server that is shut down
    /// would wait.
    pub(super) async fn let_go(self) -> Result<SideAtRest<'a>, Problem> {
        let Self { mut side, mut writer, log, load_start } = self;
        writer.write_log(&log.read_since_attached(load_start).await)?;
        if let Some(counted) = side.watchers.end_counts().await {
            writer.write_statements(&counted.statements)?;
            writer.write_tables(&counted.tables)?;
            if let Some(profile) = counted.profile {
                writer.write_profile(&profile)?;
            }
            if let Some(off_cpu) = counted.off_cpu {
                writer.write_off_cpu(&off_cpu)?;
            }
        }
        Ok(SideAtRest { side, writer })
    }
}

/// A trial whose load has ended and which nobody watches any more.
pub(super) struct SideAtRest<'a> {
    side: TrialSide<'a>,
    writer: TrialWriter,
}

impl SideAtRest<'_> {
    /// Writes down what came of the load, and commits the trial. `turns`: that it was not alone.
    pub(super) async fn end_trial(
        self,
        experiment: &Experiment<'_>,
        fleet: &mut Fleet,
        done: Result<&FinishedLoad, &NoFigures>,
        turns: Option<TurnTotals>,
        Happened { events, tally, noted, beside, provider }: Happened,
    ) -> Result<Trial, Problem> {
        let Self { side, mut writer } = self;
        let TrialSide { scheduled, workload, step, phases, watchers, unexplained, statements, results, set_up } = side;
        let SetUp { target_settings, readied, preparation, changed, elsewhere, other_runs } = set_up;
        let planned =
            experiment.plan.target_by_name(&scheduled.cell.target).expect("the schedule is made from the plan");
        let member = fleet.member_by_name(&scheduled.cell.target);
        if done.is_ok() && !unexplained.is_empty() {
            // As the load logs in: its role, its settings, its way through a pooler.
            let config = control::Config::from(&member.target.load_conninfo());
            writer.write_plans(&probe::explain_statements(&config, &unexplained).await)?;
        }
        if let Some(latencies) = done.ok().and_then(|done| observe::statement_latency(&done.summary)) {
            writer.write_statement_latency(&latencies)?;
        }
        write_noted_results(&mut writer, scheduled, results)?;
        let (outcome, mut totals) = outcome_and_totals(experiment, member, (workload, &statements), done).await;
        let outcome = fates::outcome_with_fate(as_asked(outcome, &events), noted.as_ref());
        if !tally.is_empty() {
            writer.write_tally(&tally)?;
        }
        let events = events_with_gaps(events, done);
        let audited = match done {
            Ok(done) => ledger::check_ledger(member, &done.summary).await,
            Err(_) => None,
        };
        let finished = finish_completed_trial(experiment, member, workload, &outcome).await;
        let mut incidents: Vec<Incident> = [&readied, &finished].into_iter().flat_map(data::omitted_steps).collect();
        incidents.extend(noted);
        let other_runs_now = fleet.find_other_runs(&scheduled.cell.target).await;
        incidents.extend(other_runs.or(other_runs_now));
        incidents.extend(done.ok().into_iter().flat_map(|done| done.lost.iter().cloned()));
        incidents.extend(enter_ledger_totals(audited, totals.as_mut()));
        incidents.extend(done.ok().and_then(FinishedLoad::cancelled_incident));
        incidents.extend(fleet.machine.undo_trial_changes(changed));
        incidents.extend(fleet.reset_kernel(planned, elsewhere).await);
        let trial = Trial {
            format: FORMAT,
            number: scheduled.number,
            block: scheduled.block,
            cell: scheduled.cell.clone(),
            role: scheduled.role,
            step,
            outcome,
            phases: phases.end_phases(),
            preparation,
            finishing: finished.executed,
            settings: target_settings,
            turns,
            load: totals,
            told: None,
            observer: watchers.observer_totals(),
            events,
            beside,
            provider,
            incidents,
        };
        writer.commit(&trial)?;
        Ok(trial)
    }
}

/// What a plan made happen, each with the gap that followed it, where the load has figures.
fn events_with_gaps(events: Vec<EventRecord>, done: Result<&FinishedLoad, &NoFigures>) -> Vec<EventRecord> {
    match done {
        Ok(FinishedLoad { summary, .. }) => {
            let end_us = (summary.measure_start_ns + summary.measure_ns) / 1_000;
            events::with_gaps(events, &summary.silences, end_us)
        }
        Err(_) => events,
    }
}

/// What was done before the load.
struct SetUp {
    /// As the server confirmed them.
    target_settings: BTreeMap<String, String>,
    readied: Readied,
    /// All of it, in the order in which it was done.
    preparation: Vec<Preparation>,
    /// Of this machine, to be undone after the trial.
    changed: TrialMachineChanges,
    /// Of the kernel of another machine, the same.
    elsewhere: Vec<KernelValue>,
    /// Other runs on the server when it was done.
    other_runs: Option<Incident>,
}

/// Brings machine, tables and caches to where every trial of a cell begins.
async fn set_up(
    experiment: &Experiment<'_>,
    fleet: &mut Fleet,
    planned: &plan::Target,
    workload: &Workload,
    clients: u32,
    cache: Cache,
) -> Result<SetUp, Problem> {
    let plan = experiment.plan;
    let changed = fleet.machine.before_trial(planned)?;
    let given = fleet.give_settings(planned).await?;
    let elsewhere = fleet.set_kernel(planned).await?;
    let member = fleet.member_mut(&planned.name);
    if member.target.must_restart() {
        member.target.restart_as_it_is().await?;
        member.restarted = true;
    }
    let rolled_out = member.target.take_settings().await?.then_some(Preparation::Settings);
    restored::renew_copy(plan, member, workload).await?;
    let readied = data::prepare_tables(plan, experiment.scripts, member, workload, clients).await?;
    let restarted = std::mem::take(&mut member.restarted).then_some(Preparation::Restart);
    let cooled = if cache == Cache::Cold { fleet.cool_server_caches(planned).await? } else { None };
    let member = fleet.member_mut(&planned.name);
    let cached = if cooled.is_some() { cooled } else { cache::prepare_caches(member, cache).await? };
    member.take_turn()?;
    let target_settings = member.confirm_settings().await?;
    let other_runs = fleet.find_other_runs(&planned.name).await;
    let preparation = changed
        .values
        .iter()
        .chain(&elsewhere)
        .cloned()
        .map(Preparation::KernelValue)
        .chain(given)
        .chain(rolled_out)
        .chain(restarted)
        .chain(readied.executed.iter().cloned().map(Preparation::Statement))
        .chain(cached)
        .collect();
    Ok(SetUp { target_settings, readied, preparation, changed, elsewhere, other_runs })
}

/// A measurement that is shorter has only begun: the load had ended in the warm-up.
const MEASURED_AT_LEAST_NS: u64 = 1_000_000;

/// What is said of such a trial.
const USED_UP: &str = "all transactions of the capture were executed in the warm-up: shorten `trial.warm_up`, or capture \
                       a longer period";

/// How the trial ended, and what its load measured.
async fn outcome_and_totals(
    experiment: &Experiment<'_>,
    member: &Member,
    (workload, statements): (&Workload, &[SentStatement]),
    done: Result<&FinishedLoad, &NoFigures>,
) -> (TrialOutcome, Option<LoadTotals>) {
    match done {
        Ok(done) if done.summary.interrupted => (TrialOutcome::Interrupted, done.measured_totals(workload, statements)),
        Ok(done) if workload.ends_with_its_transactions() && done.summary.measure_ns < MEASURED_AT_LEAST_NS => {
            (TrialOutcome::Failed { error: USED_UP.to_owned() }, None)
        }
        Ok(done) => (member.outcome_if_alive().await, done.measured_totals(workload, statements)),
        Err(NoFigures::Stopped) if experiment.stop.is_requested() => (TrialOutcome::Interrupted, None),
        Err(why) => (TrialOutcome::Failed { error: why.to_string() }, None),
    }
}

/// A trial in which not everything happened that was to is not what was asked for.
fn as_asked(outcome: TrialOutcome, made: &[EventRecord]) -> TrialOutcome {
    match (outcome, events::first_failed_event(made)) {
        (TrialOutcome::Completed | TrialOutcome::Failed { .. }, Some(error)) => TrialOutcome::Failed { error },
        (outcome, _) => outcome,
    }
}

/// Writes out what a whole trial's workload left behind.
async fn finish_completed_trial(
    experiment: &Experiment<'_>,
    member: &Member,
    workload: &Workload,
    outcome: &TrialOutcome,
) -> Readied {
    match outcome {
        TrialOutcome::Completed => data::write_out_dirtied(experiment.plan, member, workload, experiment.stop).await,
        TrialOutcome::Interrupted | TrialOutcome::Failed { .. } => Readied::default(),
    }
}

/// Enters what the check of the ledger found; returns why it could not be checked.
fn enter_ledger_totals(
    audited: Option<Result<LedgerTotals, Incident>>,
    totals: Option<&mut LoadTotals>,
) -> Option<Incident> {
    match (audited?, totals) {
        (Ok(found), Some(load)) => load.ledger = Some(found),
        (Ok(_), None) => {}
        (Err(unchecked), _) => return Some(unchecked),
    }
    None
}

/// Writes what the transactions of a list came to, if it is noted and wanted of the block.
fn write_noted_results(
    writer: &mut TrialWriter,
    scheduled: &ScheduledTrial,
    noted: Option<Arc<ListedResults>>,
) -> Result<(), Problem> {
    if let Some(noted) = noted.filter(|_| scheduled.block <= RESULTS_OF_BLOCKS) {
        let results = observe::trial_results(&noted);
        if results.has_any() {
            writer.write_results(&results)?;
        }
    }
    Ok(())
}
