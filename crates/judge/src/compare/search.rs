//! The search for a capacity: which steps a trial of it has made, whether a step kept the limit, what comes next.
//!
//! A search belongs to one cell in one block: its steps are trials, its result is one observation. What it does next
//! follows from the steps that were completed, so that a run that was killed goes on with the same rate.

use std::collections::BTreeMap;

use plan::CapacitySearch;
use results::run::ScheduledTrial;
use results::trial::{Cell, Role, SearchStep, Trial, TrialOutcome};
use stats::capacity::{Capacity, CapacityStep, NextSearchAction};

use super::question::RunQuestion;
use crate::fingerprint::fingerprint_of_bytes;

/// Of the arrivals, how many may have been given up or be waiting at the end: with more the 99th percentile over all of
/// them is beyond the limit, whatever the completed ones say.
const UNSERVED_AT_MOST: f64 = 0.01;

/// One search: a cell, its role, a block.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SearchSlot {
    block: u32,
    cell: Cell,
    role: Role,
}

impl SearchSlot {
    /// The search that a trial is a step of.
    pub(super) fn of_trial(trial: &Trial) -> Self {
        Self { block: trial.block, cell: trial.cell.clone(), role: trial.role }
    }

    fn of_scheduled(scheduled: &ScheduledTrial) -> Self {
        Self { block: scheduled.block, cell: scheduled.cell.clone(), role: scheduled.role }
    }

    /// A number from 0 to 1 that is another one for each search of a run (by its name and the run's seed).
    fn dither_fraction(&self, seed: u64) -> f64 {
        let Self { block, cell, role } = self;
        let name = format!("{seed} {block} {} {} {} {role:?}", cell.target, cell.workload, cell.clients);
        let hash = fingerprint_of_bytes(name.bytes());
        (hash >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// The completed steps of every search of a run.
#[derive(Debug, Default)]
pub struct Searches<'a> {
    by_slot: BTreeMap<SearchSlot, Vec<&'a Trial>>,
}

impl<'a> Searches<'a> {
    /// The searches among the trials.
    pub fn from_trials(trials: &'a [Trial]) -> Self {
        let mut by_slot: BTreeMap<SearchSlot, Vec<&Trial>> = BTreeMap::new();
        let steps = trials.iter().filter(|trial| trial.step.is_some() && trial.outcome == TrialOutcome::Completed);
        for trial in steps {
            by_slot.entry(SearchSlot::of_trial(trial)).or_default().push(trial);
        }
        by_slot.values_mut().for_each(|steps| steps.sort_by_key(|trial| trial.step.map(|step| step.index)));
        Self { by_slot }
    }

    /// Whether a scheduled trial is wanted as far as its search goes: it is no step, or its search has not ended.
    pub fn is_wanted(&self, question: &RunQuestion, scheduled: &ScheduledTrial) -> bool {
        scheduled.step.is_none() || self.next_step(question, scheduled).is_some()
    }

    /// What a scheduled trial is to do as a step of its search; absent when it is none, or the search has ended.
    pub fn next_step(&self, question: &RunQuestion, scheduled: &ScheduledTrial) -> Option<SearchStep> {
        let index = scheduled.step?;
        let search = question.load_loop(&scheduled.cell.workload).capacity_search()?;
        let slot = SearchSlot::of_scheduled(scheduled);
        match next_search_action(search, slot.dither_fraction(question.seed), self.completed_steps(&slot)) {
            NextSearchAction::Try(rate_per_s) => Some(SearchStep { index, rate_per_s }),
            NextSearchAction::Found(_) => None,
        }
    }

    /// The steps of each search, in the order in which they were made.
    pub fn into_steps(self) -> impl Iterator<Item = Vec<&'a Trial>> {
        self.by_slot.into_values()
    }

    fn completed_steps(&self, slot: &SearchSlot) -> &[&'a Trial] {
        self.by_slot.get(slot).map_or(&[], Vec::as_slice)
    }
}

/// What the steps of one search have found, as the trial that stands for it, or why there is none.
pub(super) fn result_of_search<'a>(search: &CapacitySearch, steps: &[&'a Trial]) -> Result<&'a Trial, String> {
    match next_search_action(search, 0.0, steps) {
        NextSearchAction::Try(_) => Err("the search for its capacity has not ended".to_owned()),
        NextSearchAction::Found(Capacity::AtLeast(rate)) => {
            Err(format!("even {rate}/s kept the latency limit: the capacity is above the searched range; raise `to`"))
        }
        NextSearchAction::Found(Capacity::Below(rate)) => Err(format!(
            "even {rate}/s exceeded the latency limit: the capacity is below the searched range; lower `from`"
        )),
        NextSearchAction::Found(Capacity::Between { held, .. }) => {
            let trial = steps
                .iter()
                .rev()
                .find(|trial| trial.step.is_some_and(|step| (step.rate_per_s / held - 1.0).abs() < 1e-9))
                .expect("a search finds a rate that it tried");
            Ok(trial)
        }
    }
}

/// Whether a step kept the limit: 99 % of the arrivals were served within it.
pub(super) fn is_limit_kept(search: &CapacitySearch, trial: &Trial) -> bool {
    let Some(load) = &trial.load else { return false };
    let Some(latency) = load.latency else { return false };
    let unserved =
        load.failed + load.unknown + load.open.as_ref().map_or(0, |open| open.skipped + open.waiting.unwrap_or(0));
    let arrivals = load.transactions + unserved;
    u128::from(latency.p99_ns) <= search.p99.as_nanos() && unserved as f64 <= UNSERVED_AT_MOST * arrivals as f64
}

fn next_search_action(search: &CapacitySearch, dither: f64, made: &[&Trial]) -> NextSearchAction {
    let mut steps = Vec::new();
    for trial in made {
        let rate = trial.step.map_or(f64::NAN, |step| step.rate_per_s);
        steps.push(CapacityStep { rate, held: is_limit_kept(search, trial) });
    }
    search.with_dither(dither).next(&steps)
}
