//! What no further block can change: a workload that completes practically nothing on a target.

use std::collections::BTreeMap;

use results::trial::{Cell, Trial};
use stats::stopping::FEWEST_BLOCKS;

use super::account::{CellAccount, TransactionAccount};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};

/// A workload that completes nothing on any target that it was measured on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoesNotWork {
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The targets, the baseline first, each with what became of its transactions.
    pub targets: Vec<CellAccount>,
}

/// The places at which no target completes anything, once each was tried.
pub fn does_not_work(question: &RunQuestion, observations: &Observations<'_>) -> Vec<DoesNotWork> {
    let mut by_place: BTreeMap<ComparisonPlace, Vec<CellAccount>> = BTreeMap::new();
    for cell in super::accounts_of_cells(question, observations) {
        by_place.entry(cell.place.clone()).or_default().push(cell);
    }
    let mut found = Vec::new();
    for (place, cells) in by_place {
        let is_tried_everywhere = cells.len() == question.candidates.len() + 1;
        if is_tried_everywhere && cells.iter().all(|cell| cell.account.completes_nothing()) {
            found.push(DoesNotWork { place, targets: cells });
        }
    }
    found
}

/// The cells in which practically everything failed in every trial so far, each with the last block of these: what is
/// measured again there fails again. A search lowers its rate by itself until something is completed, or ends.
fn hopeless_cells(question: &RunQuestion, trials: &[Trial]) -> BTreeMap<Cell, (TransactionAccount, u32)> {
    let mut accounts: BTreeMap<&Cell, (Vec<TransactionAccount>, u32)> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.events.is_empty() && !question.is_search(&trial.cell.workload)) {
        if let Some(account) = TransactionAccount::of_trial(trial) {
            let (of_cell, block) = accounts.entry(&trial.cell).or_default();
            of_cell.push(account);
            *block = (*block).max(trial.block);
        }
    }
    let all = accounts.into_iter();
    // A server that was away may be back.
    let hopeless =
        all.filter(|(_, (accounts, _))| accounts.iter().all(|account| account.lost == 0 && account.fails_all()));
    hopeless
        .map(|(cell, (accounts, block))| (cell.clone(), (TransactionAccount::from_accounts(accounts), block)))
        .collect()
}

/// After which block each cell is given up: one that fails everything after the block in which it did, and with it
/// the cells that would be compared with it and nothing else. So every side is tried once.
pub(crate) fn gave_up_after(question: &RunQuestion, trials: &[Trial]) -> BTreeMap<Cell, u32> {
    let hopeless = hopeless_cells(question, trials);
    let mut given_up: BTreeMap<Cell, u32> = BTreeMap::new();
    for (cell, (_, block)) in &hopeless {
        given_up.insert(cell.clone(), *block);
    }
    for (cell, (_, block)) in &hopeless {
        let baseline = cell_on_target(&question.baseline, cell);
        let candidates: Vec<Cell> = question.candidates.iter().map(|target| cell_on_target(target, cell)).collect();
        let no_candidate_works = candidates.iter().all(|candidate| hopeless.contains_key(candidate));
        if hopeless.contains_key(&baseline) || no_candidate_works {
            for cell in candidates.into_iter().chain([baseline]) {
                given_up.entry(cell).or_insert(*block);
            }
        }
    }
    given_up
}

fn cell_on_target(target: &str, cell: &Cell) -> Cell {
    Cell { target: target.to_owned(), ..cell.clone() }
}

/// What is given up, and why: a line for each cell that fails everything.
pub fn given_up(question: &RunQuestion, trials: &[Trial]) -> Vec<String> {
    let hopeless = hopeless_cells(question, trials);
    hopeless
        .iter()
        .map(|(cell, (account, _))| {
            format!("{cell}: {}; the cell is not measured again", super::describe_failing_side(&cell.target, account))
        })
        .collect()
}

/// Whether both sides have a trial in so many blocks, and in each of these the figures of one do not count since too
/// many of its transactions failed.
pub(crate) fn failed_in_every_block(
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    sides: [&ComparedSide; 2],
    blocks: u32,
) -> bool {
    if (blocks as usize) < FEWEST_BLOCKS {
        return false;
    }
    let usable = sides.map(|side| observations.usable_trials(place, side));
    let failed = sides.map(|side| super::account::accounts_by_block(observations, place, side));
    (1..=blocks).all(|block| {
        let is_lost = [0, 1].iter().any(|side| {
            !usable[*side].contains_key(&block)
                && failed[*side].get(&block).is_some_and(|account| account.ended_transactions().failed > 0)
        });
        is_lost && failed.iter().all(|side| side.contains_key(&block))
    })
}
