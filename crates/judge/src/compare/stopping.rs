//! The stopping rule at work: which trials of the schedule are still to be executed.

use std::collections::BTreeMap;

use results::run::Run;
use results::trial::{Trial, TrialOutcome};
use stats::stopping::StoppingDecision;

use super::observations::{ComparedSide, ComparisonPlace, Observations};
use super::pair::decide_on_more_blocks;
use super::question::{BlockLimits, RunQuestion};
use super::search::Searches;
use crate::failures::{failed_in_every_block, gave_up_after};

/// Numbers of the scheduled trials that are still to be executed: those not completed, of comparisons that the stopping
/// rule has not ended before their block, of cells that were not given up since everything failed, of blocks that fit
/// into the time, and of searches that have not ended.
pub fn remaining_trials(run: &Run, question: &RunQuestion, trials: &[Trial]) -> Vec<u32> {
    let completed: Vec<u32> =
        trials.iter().filter(|trial| trial.outcome == TrialOutcome::Completed).map(|trial| trial.number).collect();
    let blocks = question.blocks.within_time(trials);
    let stops = stopped_after(question, blocks, trials);
    let searches = Searches::from_trials(trials);
    let gave_up = gave_up_after(question, trials);
    let wanted = run.schedule.trials.iter().filter(|scheduled| {
        let place = ComparisonPlace::from_cell(&scheduled.cell);
        !completed.contains(&scheduled.number)
            && scheduled.block <= blocks.at_most
            && gave_up.get(&scheduled.cell).is_none_or(|last| scheduled.block <= *last)
            && stops.get(&place).is_none_or(|last| scheduled.block <= *last)
            && searches.is_wanted(question, scheduled)
    });
    wanted.map(|scheduled| scheduled.number).collect()
}

/// The block after which the stopping rule ended each place: when what was asked for is reached for all candidates of
/// the place, or no figure of any block counts since too much failed in it, as it would in further ones.
fn stopped_after(question: &RunQuestion, blocks: BlockLimits, trials: &[Trial]) -> BTreeMap<ComparisonPlace, u32> {
    let observations = Observations::new(trials, question);
    let rule =
        blocks.stopping_rule().for_comparisons(observations.places_in_order().len() * question.pairs_per_place());
    let pairs = compared_sides(question);
    let baseline = ComparedSide::main(&question.baseline);
    let mut stops = BTreeMap::new();
    for place in observations.places_in_order() {
        let last = observations.executed_trials(&place, &baseline).map(|trial| trial.block).max().unwrap_or(0);
        if question.candidates.is_empty() {
            continue;
        }
        for block in blocks.at_least..=last {
            let earlier = observations.up_to(question, &place, block);
            let deciding = earlier.deciding_metric(question, &place);
            let is_reached = pairs.iter().all(|[baseline, candidate]| {
                let sides = [baseline, candidate];
                decide_on_more_blocks(deciding, &rule, &earlier, &place, sides) == StoppingDecision::Reached
                    || failed_in_every_block(&earlier, &place, sides, block)
            });
            if is_reached {
                stops.insert(place, block);
                break;
            }
        }
    }
    stops
}

/// The sides of every pair that is compared at each place, the baseline of the pair first.
fn compared_sides(question: &RunQuestion) -> Vec<[ComparedSide; 2]> {
    let mut sides = Vec::new();
    for candidate in &question.candidates {
        sides.push([&question.baseline, candidate].map(|target| ComparedSide::main(target)));
    }
    sides.extend(further_sides(question));
    sides
}

/// The sides of the pairs that are compared besides, the baseline of the pair first.
pub(super) fn further_sides(question: &RunQuestion) -> Vec<[ComparedSide; 2]> {
    let mut sides = Vec::new();
    for pair in &question.further {
        sides.push([&pair.baseline, &pair.candidate].map(|target| ComparedSide::main(target)));
    }
    sides
}
