//! Two runs made separately as one account: the baseline of each, with everything that was seen of it, as if one run
//! had measured both. What was measured stays as it is; numbers and names that both use are told apart.

use std::collections::BTreeMap;

use plan::Plan;
use results::imported::{Imported, StatedTarget};
use results::trial::{Role, Trial};

use crate::caveats::{self, CaveatsOfTrials};
use crate::compare::RunQuestion;
use crate::observed::Observed;

/// The target of the baseline run that stands beside the baseline of the other: the one of that name if the other run
/// has no further target, as a run that measures one target again, else the baseline.
pub(super) fn target_of_baseline(baseline: &Observed, candidate: &Observed) -> String {
    let wanted = RunQuestion::of_run(candidate).baseline;
    let is_only_one = candidate.trials.iter().all(|trial| trial.cell.target == wanted);
    if is_only_one && baseline.trials.iter().any(|trial| trial.cell.target == wanted) {
        wanted
    } else {
        RunQuestion::of_run(baseline).baseline
    }
}

/// The baseline of `baseline` beside that of `candidate`, with the caveats of both, each by its own plan, and the
/// latter's name.
pub(super) fn combine_baselines(baseline: Observed, candidate: Observed) -> (Observed, CaveatsOfTrials, String) {
    let of_baseline = target_of_baseline(&baseline, &candidate);
    let of_candidate = RunQuestion::of_run(&candidate).baseline;
    let name = if of_candidate == of_baseline {
        format!("{of_candidate}-of-{}", candidate.run.id)
    } else {
        of_candidate.clone()
    };
    // Beyond every number of the first run, so that a trial that this one lacks is not taken for the other's.
    let offset = baseline.trials.iter().map(|trial| trial.number).max().unwrap_or(0);
    let mut caveats = caveats::of_run(&baseline);
    caveats.extend(renumber_trials(caveats::of_run(&candidate), offset));
    let mut one = restrict_to_target(baseline, &of_baseline, &of_baseline, 0);
    let other = restrict_to_target(candidate, &of_candidate, &name, offset);
    one.plan = one.plan.take().zip(other.plan).map(both_planned);
    one.run.imported = both_imported(one.run.imported.take(), other.run.imported);
    one.facts.extend(other.facts);
    one.trials.extend(other.trials);
    one.series.extend(other.series);
    one.turns.extend(other.turns);
    one.tallies.extend(other.tallies);
    one.seen.extend(other.seen);
    one.watched.extend(other.watched);
    // Numbers of statements mean the same on both sides only where all of a workload's statements do.
    one.workloads.retain(|name, statements| other.workloads.get(name) == Some(&*statements));
    one.asked.extend(other.asked);
    one.disks.extend(other.disks);
    (one, caveats, name)
}

/// What a run tells of one target, under another name and with numbers further on.
fn restrict_to_target(of_all: Observed, target: &str, name: &str, offset: u32) -> Observed {
    let Observed { mut run, mut plan, plan_yaml, mut facts, mut trials, series, turns, tallies, load_place, .. } =
        of_all;
    let Observed { seen, watched, workloads, mut asked, mut disks, .. } = of_all;
    trials.retain(|trial| trial.cell.target == target && trial.role == Role::Main);
    trials.iter_mut().for_each(|trial| rename_trial(trial, name, offset));
    let mut facts: BTreeMap<_, _> = facts.remove(target).map(|facts| (name.to_owned(), facts)).into_iter().collect();
    facts.values_mut().for_each(|facts| facts.name = name.to_owned());
    for asked in &mut asked {
        asked.statements.retain(|statement| statement.target == target);
        asked.statements.iter_mut().for_each(|statement| name.clone_into(&mut statement.target));
    }
    disks.retain(|disk| disk.stage.target == target);
    disks.iter_mut().for_each(|disk| disk.stage.target = name.to_owned());
    if let Some(plan) = &mut plan {
        plan.targets.retain(|planned| planned.name == target);
        plan.targets.iter_mut().for_each(|planned| planned.name = name.to_owned());
        plan.compare.clear();
        plan.ladder.clear();
        plan.noise_floor = false;
    }
    if let Some(imported) = &mut run.imported {
        imported.targets.retain(|stated| stated.name == target);
        imported.targets.iter_mut().for_each(|stated: &mut StatedTarget| stated.name = name.to_owned());
        imported.storage.retain(|told| told.target == target);
        imported.storage.iter_mut().for_each(|told| told.target = name.to_owned());
        imported.sources.iter_mut().flat_map(|source| &mut source.trials).for_each(|number| *number += offset);
    }
    let (series, turns, tallies) =
        (renumber_trials(series, offset), renumber_trials(turns, offset), renumber_trials(tallies, offset));
    let (seen, watched) = (renumber_trials(seen, offset), renumber_trials(watched, offset));
    Observed {
        run,
        plan,
        plan_yaml,
        facts,
        trials,
        series,
        turns,
        tallies,
        seen,
        watched,
        workloads,
        asked,
        disks,
        tuning: None,
        // What follows from them stands among the caveats already.
        viewers: Vec::new(),
        load_place,
        rehearsal: None,
    }
}

fn rename_trial(trial: &mut Trial, target: &str, offset: u32) {
    trial.number += offset;
    target.clone_into(&mut trial.cell.target);
}

fn renumber_trials<T>(by_trial: BTreeMap<u32, T>, offset: u32) -> BTreeMap<u32, T> {
    by_trial.into_iter().map(|(number, of_trial)| (number + offset, of_trial)).collect()
}

/// The baseline's plan with both targets; what the candidate's asks otherwise is a doubt.
fn both_planned((mut plan, other): (Plan, Plan)) -> Plan {
    plan.targets.extend(other.targets);
    plan
}

/// Of what is stated of the whole, only what both state alike.
fn both_imported(one: Option<Imported>, other: Option<Imported>) -> Option<Imported> {
    let (mut one, other) = match (one, other) {
        (Some(one), Some(other)) => (one, other),
        (one, other) => return one.or(other),
    };
    one.stated.retain(|key, value| other.stated.get(key) == Some(value));
    one.sources.extend(other.sources);
    one.targets.extend(other.targets);
    one.storage.extend(other.storage);
    let missing_too: Vec<String> = other.missing.into_iter().filter(|missing| !one.missing.contains(missing)).collect();
    one.missing.extend(missing_too);
    Some(one)
}
