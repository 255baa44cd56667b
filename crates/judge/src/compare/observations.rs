//! The trials of a run, arranged for comparison: which ones count, and why the others do not.

use std::collections::BTreeMap;

use plan::CapacitySearch;
use results::trial::{Cell, ClientCount, Incident, Outage, Role, Trial, TrialOutcome, TrialPhase};
use stats::Estimate;
use stats::batch_means::within_trial;
use stats::positive::{estimate_around, geometric_mean_estimate};

use super::metric::Metric;
use super::pauses::{Pausing, where_clients_pause};
use super::question::{LoadLoop, RunQuestion};
use super::search::{self, Searches};
use crate::beside_trouble::missing_load;
use crate::captured::{DatabaseTimes, database_times};
use crate::failures::{self, TransactionAccount};
use crate::observed::{Observed, SecondFigures};
use crate::provider_trouble::exhausted_balance;
use crate::thresholds::FAILED_AT_MOST;
use crate::units::lost_connections;

/// A comparison's place: the same workload and clients on every side.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparisonPlace {
    /// Workload name.
    pub workload: String,
    /// Number of clients.
    pub clients: ClientCount,
}

impl ComparisonPlace {
    /// The place of a cell.
    pub fn from_cell(cell: &Cell) -> Self {
        Self { workload: cell.workload.clone(), clients: cell.clients }
    }
}

/// One side of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComparedSide {
    /// Target name.
    pub target: String,
    /// Whether it is the baseline's second execution.
    pub role: Role,
}

impl ComparedSide {
    /// A target's ordinary trials.
    pub fn main(target: &str) -> Self {
        Self { target: target.to_owned(), role: Role::Main }
    }
}

/// A trial whose figures are not comparable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excluded {
    /// Trial number.
    pub trial: u32,
    /// Block.
    pub block: u32,
    /// Target.
    pub target: String,
    /// Why.
    pub reason: String,
}

/// One observation: a trial, or a search with the trial that stands for it.
#[derive(Debug, Clone)]
struct Observation<'a> {
    trial: &'a Trial,
    /// Why its figures do not count.
    unusable: Option<String>,
}

impl<'a> Observation<'a> {
    fn of_trial(trial: &'a Trial) -> Self {
        Self { trial, unusable: unusable_reason(trial) }
    }

    /// The result of a search from its completed steps; one that did not measure what it says spoils it.
    fn of_search(search: &CapacitySearch, steps: &[&'a Trial]) -> Option<Self> {
        let last = steps.last()?;
        let spoiled = steps.iter().find_map(|step| Some(Self { trial: step, unusable: Some(outage_reason(step)?) }));
        Some(spoiled.unwrap_or_else(|| match search::result_of_search(search, steps) {
            Ok(trial) => Self::of_trial(trial),
            Err(reason) => Self { trial: last, unusable: Some(reason) },
        }))
    }
}

/// Every observation of a run by place, side and block.
#[derive(Debug, Default)]
pub struct Observations<'a> {
    trials: BTreeMap<(ComparisonPlace, ComparedSide), BTreeMap<u32, Observation<'a>>>,
    /// The places whose clients pause so long that the throughput cannot move as the time does.
    pausing: BTreeMap<ComparisonPlace, Pausing>,
    /// Every trial, whether or not its figures count, also each step of a search.
    executed: BTreeMap<(ComparisonPlace, ComparedSide), Vec<&'a Trial>>,
    /// The database times of the places whose load is captured.
    database_times: BTreeMap<ComparisonPlace, DatabaseTimes>,
    /// The seconds of the trials, by trial number, for cells with a single trial.
    seconds: Option<&'a BTreeMap<u32, Vec<SecondFigures>>>,
}

impl<'a> Observations<'a> {
    /// Those of a whole run, with its seconds.
    pub fn of_run(observed: &'a Observed, question: &RunQuestion) -> Self {
        let mut all = Self { seconds: Some(&observed.series), ..Self::new(&observed.trials, question) };
        for place in all.places_in_order() {
            if question.captured.contains(&place.workload) {
                let times = all.database_times_at_place(observed, &place);
                all.database_times.insert(place, times);
            }
        }
        all
    }

    fn database_times_at_place(&self, observed: &Observed, place: &ComparisonPlace) -> DatabaseTimes {
        let Some(workload) = observed.workloads.get(&place.workload) else { return DatabaseTimes::default() };
        let mut timed = Vec::new();
        for trial in self.usable_trials_of_all_sides(place) {
            let watched = observed.watched.get(&trial.number);
            if let Some(latencies) = watched.and_then(|watched| watched.statement_latency.as_ref()) {
                timed.push((trial.number, latencies));
            }
        }
        database_times(workload, &timed)
    }

    /// Arranges trials; there is at most one per cell, role and block, or the steps of one search.
    pub fn new(trials: &'a [Trial], question: &RunQuestion) -> Self {
        let mut arranged: BTreeMap<(ComparisonPlace, ComparedSide), BTreeMap<u32, Observation<'a>>> = BTreeMap::new();
        let mut insert = |observation: Observation<'a>| {
            let trial = observation.trial;
            let side = ComparedSide { target: trial.cell.target.clone(), role: trial.role };
            arranged
                .entry((ComparisonPlace::from_cell(&trial.cell), side))
                .or_default()
                .insert(trial.block, observation);
        };
        let mut executed: BTreeMap<(ComparisonPlace, ComparedSide), Vec<&'a Trial>> = BTreeMap::new();
        for trial in trials {
            let side = ComparedSide { target: trial.cell.target.clone(), role: trial.role };
            executed.entry((ComparisonPlace::from_cell(&trial.cell), side)).or_default().push(trial);
        }
        let capacity = |trial: &Trial| question.load_loop(&trial.cell.workload).capacity_search();
        for trial in trials {
            // A step that was not completed stands for its search only until one that was comes, below.
            if trial.step.is_none() || (trial.outcome != TrialOutcome::Completed && capacity(trial).is_some()) {
                insert(Observation::of_trial(trial));
            }
        }
        for steps in Searches::from_trials(trials).into_steps() {
            let Some(search) = steps.first().and_then(|trial| capacity(trial)) else { continue };
            if let Some(observation) = Observation::of_search(search, &steps) {
                insert(observation);
            }
        }
        let mut all = Self { trials: arranged, executed, ..Self::default() };
        for place in all.places_in_order() {
            all.note_pauses(&place, question);
        }
        all
    }

    /// Sees whether the clients of a place pause. An open loop's arrivals, and a search's, do not wait for them.
    fn note_pauses(&mut self, place: &ComparisonPlace, question: &RunQuestion) {
        if *question.load_loop(&place.workload) != LoadLoop::Closed || question.gaps.contains_key(&place.workload) {
            return;
        }
        let think = question.think.get(&place.workload).copied();
        let here = self.trials.iter().filter(|((other, _), _)| other == place);
        let observations = here.flat_map(|(_, by_block)| by_block.values());
        let usable = observations.filter(|observation| observation.unusable.is_none());
        if let Some(found) = where_clients_pause(usable.map(|observation| observation.trial), think) {
            self.pausing.insert(place.clone(), found);
        }
    }

    /// The metrics of a place, the one that decides first.
    pub fn metrics_at_place(&self, question: &RunQuestion, place: &ComparisonPlace) -> &'static [Metric] {
        if question.captured.contains(&place.workload) {
            let times = self.database_times.get(place);
            return Metric::of_captured_load(times.is_some_and(|times| !times.ms_by_trial.is_empty()));
        }
        match self.pausing.get(place) {
            Some(pausing) => Metric::with_pauses(*pausing),
            None => question.metrics_of_workload(&place.workload),
        }
    }

    /// The metric that decides at a place.
    pub fn deciding_metric(&self, question: &RunQuestion, place: &ComparisonPlace) -> Metric {
        self.metrics_at_place(question, place)[0]
    }

    /// The figure of one trial. In transactions per second or milliseconds; absent when nothing was completed.
    pub fn figure_of_trial(&self, metric: Metric, trial: &Trial) -> Option<f64> {
        match metric {
            Metric::DatabaseTime => {
                let times = self.database_times.get(&ComparisonPlace::from_cell(&trial.cell))?;
                times.ms_by_trial.get(&trial.number).copied()
            }
            _ => metric.figure_of_trial(trial),
        }
    }

    /// The share of a capture's calls that the database time at a place covers, 0 to 1; absent of other workloads.
    pub fn covered_calls(&self, place: &ComparisonPlace) -> Option<f64> {
        self.database_times.get(place).filter(|times| !times.ms_by_trial.is_empty()).map(|times| times.covered_calls)
    }

    /// Every candidate at every place where the load is given, not searched.
    pub fn pairs_of_given_load(&self, question: &RunQuestion) -> Vec<(String, ComparisonPlace)> {
        let given = self.places_in_order().into_iter().filter(|place| !question.is_search(&place.workload));
        let places: Vec<ComparisonPlace> = given.collect();
        let mut all = Vec::new();
        for candidate in &question.candidates {
            for place in &places {
                all.push((candidate.clone(), place.clone()));
            }
        }
        all
    }

    /// The level of a figure of one side at one place over its trials: their geometric mean. Of a single trial only
    /// throughput can have an interval: from the seconds of that trial, so it says nothing of how much another trial
    /// would differ; its n is 1.
    pub fn estimate_at_place(&self, place: &ComparisonPlace, side: &ComparedSide, metric: Metric) -> Option<Estimate> {
        let trials = self.usable_trials(place, side);
        let figures: Vec<f64> = trials.values().filter_map(|trial| self.figure_of_trial(metric, trial)).collect();
        match (figures.as_slice(), trials.values().next()) {
            ([figure], Some(trial)) if metric == Metric::Throughput => self.within_trial(trial, *figure),
            (figures, _) => geometric_mean_estimate(figures),
        }
    }

    /// A figure of the one trial of a side at a place, where there is one alone: it stands where no level over trials
    /// can.
    pub fn figure_of_only_trial(&self, place: &ComparisonPlace, side: &ComparedSide, metric: Metric) -> Option<f64> {
        let trials = self.usable_trials(place, side);
        let only = trials.values().next().filter(|_| trials.len() == 1)?;
        self.figure_of_trial(metric, only)
    }

    /// The throughput of a trial, as uncertain as the mean of its seconds.
    fn within_trial(&self, trial: &Trial, throughput_per_s: f64) -> Option<Estimate> {
        let seconds = self.seconds?.get(&trial.number)?.iter().filter(|second| second.phase == TrialPhase::Measure);
        let each_per_s: Vec<f64> = seconds.filter_map(SecondFigures::throughput_per_s).collect();
        let mean = within_trial(&each_per_s)?.mean;
        Some(estimate_around(throughput_per_s, mean.interval.half_width() / mean.point, 1))
    }

    /// Whether some cell has a single trial that counts.
    pub fn has_single_trial(&self) -> bool {
        self.trials.keys().any(|(place, side)| self.usable_trials(place, side).len() == 1)
    }

    /// Every place, in order.
    pub fn places_in_order(&self) -> Vec<ComparisonPlace> {
        let mut places: Vec<ComparisonPlace> = self.trials.keys().map(|(place, _)| place.clone()).collect();
        places.dedup();
        places
    }

    /// Whether a side has trials at a place, whether or not they count.
    pub fn is_measured(&self, place: &ComparisonPlace, side: &ComparedSide) -> bool {
        self.observations_by_block(place, side).next().is_some()
    }

    /// One place as it was after a block, by what was known then.
    pub fn up_to(&self, question: &RunQuestion, place: &ComparisonPlace, block: u32) -> Self {
        let mut trials = BTreeMap::new();
        for (key, of_side) in self.trials.iter().filter(|((p, _), _)| p == place) {
            let so_far = of_side.range(..=block).map(|(block, observation)| (*block, observation.clone()));
            trials.insert(key.clone(), so_far.collect());
        }
        let mut executed = BTreeMap::new();
        for (key, of_side) in self.executed.iter().filter(|((p, _), _)| p == place) {
            let so_far: Vec<&Trial> = of_side.iter().copied().filter(|trial| trial.block <= block).collect();
            executed.insert(key.clone(), so_far);
        }
        let database_times = self.database_times.clone();
        let mut then = Self { trials, executed, pausing: BTreeMap::new(), database_times, seconds: self.seconds };
        then.note_pauses(place, question);
        then
    }

    /// The trials of one side at one place, by block, as far as their figures count.
    pub fn usable_trials(&self, place: &ComparisonPlace, side: &ComparedSide) -> BTreeMap<u32, &'a Trial> {
        let counting =
            self.observations_by_block(place, side).filter(|(_, observation)| observation.unusable.is_none());
        counting.map(|(block, observation)| (block, observation.trial)).collect()
    }

    /// The trials of all sides at one place, as far as their figures count.
    pub(crate) fn usable_trials_of_all_sides(&self, place: &ComparisonPlace) -> Vec<&'a Trial> {
        let here = self.trials.iter().filter(|((other, _), _)| other == place);
        let observations = here.flat_map(|(_, by_block)| by_block.values());
        observations.filter(|observation| observation.unusable.is_none()).map(|observation| observation.trial).collect()
    }

    /// The trials of one side at one place whose figures do not count.
    pub fn excluded_trials(&self, place: &ComparisonPlace, side: &ComparedSide) -> Vec<Excluded> {
        self.observations_by_block(place, side)
            .filter_map(|(block, observation)| {
                let reason = observation.unusable.clone()?;
                let target = observation.trial.cell.target.clone();
                Some(Excluded { trial: observation.trial.number, block, target, reason })
            })
            .collect()
    }

    /// Every trial of one side at one place, whether or not its figures count, also each step of a search.
    pub fn executed_trials(&self, place: &ComparisonPlace, side: &ComparedSide) -> impl Iterator<Item = &'a Trial> {
        self.executed.get(&(place.clone(), side.clone())).into_iter().flatten().copied()
    }

    fn observations_by_block(
        &self,
        place: &ComparisonPlace,
        side: &ComparedSide,
    ) -> impl Iterator<Item = (u32, &Observation<'a>)> {
        let trials = self.trials.get(&(place.clone(), side.clone()));
        trials.into_iter().flatten().map(|(block, observation)| (*block, observation))
    }
}

/// Whether a trial's figures can be compared.
pub(crate) fn is_usable(trial: &Trial) -> bool {
    unusable_reason(trial).is_none()
}

/// Why a trial's figures cannot be compared. An outlying trial is never among these: only one that did not measure what
/// its cell says.
fn unusable_reason(trial: &Trial) -> Option<String> {
    if let Some(said) = pod_lost(trial) {
        return Some(said.to_owned());
    }
    match &trial.outcome {
        TrialOutcome::Interrupted => return Some("interrupted".to_owned()),
        TrialOutcome::Failed { error } => return Some(error.clone()),
        TrialOutcome::Completed => {}
    }
    let Some(load) = &trial.load else { return unusable_told(trial) };
    if let Some(reason) = outage_reason(trial) {
        return Some(reason);
    }
    if let Some(reason) = missing_load(trial).or_else(|| exhausted_balance(trial)) {
        return Some(reason);
    }
    if Metric::Throughput.figure_of_trial(trial).is_none() {
        let failed = TransactionAccount::of_trial(trial).filter(|account| account.ended_transactions().all > 0);
        let failed = failed.map_or_else(String::new, |account| format!(": {}", failures::failed_of(&account)));
        return Some(format!("no transaction was completed{failed}"));
    }
    if !trial.events.is_empty() {
        // What failed then is what the trial is about.
        return None;
    }
    let ended = load.failed + load.transactions;
    if load.failed as f64 > FAILED_AT_MOST * ended as f64 {
        return TransactionAccount::of_trial(trial).as_ref().map(failures::failed_of);
    }
    None
}

/// The same of a trial that another tool measured.
fn unusable_told(trial: &Trial) -> Option<String> {
    let Some(told) = &trial.told else { return Some("nothing was measured".to_owned()) };
    if Metric::Throughput.figure_of_trial(trial).is_none() {
        return Some("no throughput is reported".to_owned());
    }
    let (failed, completed) = (told.failed?, told.transactions?);
    let ended = failed + completed;
    (failed as f64 > FAILED_AT_MOST * ended as f64).then(|| format!("{failed} of {ended} transactions failed"))
}

fn outage_reason(trial: &Trial) -> Option<String> {
    let outages = lost_by_itself(trial);
    let first = outages.first()?;
    Some(lost_connections(outages.len(), &first.cause))
}

/// What happened to the pod of a trial's server, unless the trial is about what was made to happen in it.
pub(crate) fn pod_lost(trial: &Trial) -> Option<&str> {
    trial.incidents.iter().find_map(|incident| match incident {
        Incident::PodLost { said } if trial.events.is_empty() => Some(said.as_str()),
        Incident::PodLost { .. }
        | Incident::PodUnseen { .. }
        | Incident::GeneratorLost { .. }
        | Incident::ConcurrentRun { .. }
        | Incident::Cancelled { .. }
        | Incident::StepOmitted { .. }
        | Incident::LedgerUnchecked { .. }
        | Incident::NotRestored { .. } => None,
    })
}

/// The outages of a trial that were over before anything was made to happen in it.
pub(crate) fn lost_by_itself(trial: &Trial) -> Vec<&Outage> {
    let first_event_us = trial.events.iter().map(|event| event.requested_us).min().unwrap_or(u64::MAX);
    trial
        .load
        .iter()
        .flat_map(|load| &load.outages)
        .filter(|outage| trial.events.is_empty() || outage.end_us.is_some_and(|end| end < first_event_us))
        .collect()
}
