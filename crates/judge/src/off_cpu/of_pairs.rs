//! The sleeps of both sides' sessions, pair by pair, with the difference.

use std::collections::{BTreeMap, BTreeSet};

use stats::ConfidenceLevel;

use super::of_trial::{KernelPlace, SleepsOfTrial, ms_at};
use crate::budget::{Budget, BudgetPart, BudgetRow, PairBudget, budget_of_trial, in_part};
use crate::compare::{ComparedSide, Comparison, ComparisonPlace, Observations};
use crate::observed::Observed;

/// A pair is told from this share of the mean transaction on, on either side, that is slept uninterruptibly or is
/// unexplained.
const TOLD_FROM: f64 = 0.01;
/// Places below this share of the longer mean transaction are left out.
const SMALL: f64 = 0.001;

/// Where the sessions of a pair sleep in the kernel.
#[derive(Debug, Clone)]
pub struct PairSleeps {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The places, the longest sleeps first.
    pub rows: Vec<SleepRow>,
    /// Places that are left out because they are small.
    pub small: usize,
    /// Milliseconds per transaction that baseline and candidate sleep uninterruptibly.
    pub uninterruptible_ms: [f64; 2],
    /// Blocks in which both sides were looked at.
    pub blocks: usize,
}

/// One place.
#[derive(Debug, Clone)]
pub struct SleepRow {
    /// Which.
    pub at: KernelPlace,
    /// Milliseconds per transaction.
    pub row: BudgetRow,
}

/// One block of a side.
struct Slept {
    sleeps: SleepsOfTrial,
    budget: Budget,
}

/// Of every pair with a time budget in which it matters and at least two blocks were looked at on both sides.
pub(crate) fn of_pairs(
    observed: &Observed,
    comparison: &Comparison,
    observations: &Observations<'_>,
    budgets: &[PairBudget],
) -> Vec<PairSleeps> {
    let question = &comparison.question;
    let baseline = ComparedSide::main(&question.baseline);
    let mut all = Vec::new();
    for pair in budgets {
        let sides = [&baseline, &ComparedSide::main(&pair.candidate)];
        let [one, mut other] = sides.map(|side| slept_by_block(observed, observations, &pair.place, side));
        let mut blocks = Vec::new();
        for (block, slept) in one {
            blocks.extend(other.remove(&block).map(|there| [slept, there]));
        }
        all.extend(of_pair(pair, &blocks, question.blocks.stopping_rule().level_at(blocks.len())));
    }
    all
}

fn slept_by_block(
    observed: &Observed,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    side: &ComparedSide,
) -> BTreeMap<u32, Slept> {
    let mut blocks = BTreeMap::new();
    for (block, trial) in observations.usable_trials(place, side) {
        let off_cpu = observed.watched.get(&trial.number).and_then(|watched| watched.off_cpu.as_ref());
        let sleeps = off_cpu.and_then(|off_cpu| SleepsOfTrial::of_trial(off_cpu, trial));
        if let (Some(sleeps), Some(budget)) = (sleeps, budget_of_trial(observed, trial)) {
            blocks.insert(block, Slept { sleeps, budget });
        }
    }
    blocks
}

fn of_pair(pair: &PairBudget, blocks: &[[Slept; 2]], level: ConfidenceLevel) -> Option<PairSleeps> {
    let latency_ms = means_of_sides(blocks, |slept| slept.budget.values().sum());
    let uninterruptible_ms = means_of_sides(blocks, |slept| slept.sleeps.uninterruptible_ms);
    let unexplained_ms = means_of_sides(blocks, |slept| in_part(&slept.budget, &BudgetPart::Unexplained));
    let mut is_told = false;
    for side in 0..2 {
        is_told |= uninterruptible_ms[side].max(unexplained_ms[side]) >= TOLD_FROM * latency_ms[side];
    }
    if blocks.len() < 2 || !is_told {
        return None;
    }
    let places: BTreeSet<&KernelPlace> =
        blocks.iter().flatten().flat_map(|slept| slept.sleeps.of_load.keys()).collect();
    let least_ms = SMALL * latency_ms[0].max(latency_ms[1]);
    let (mut rows, mut small) = (Vec::new(), 0);
    for at in places {
        let row = row_of_place(blocks, at, level)?;
        if row.baseline_ms.point.max(row.candidate_ms.point) < least_ms {
            small += 1;
        } else {
            rows.push(SleepRow { at: at.clone(), row });
        }
    }
    rows.sort_by(|one, other| longest_ms(other).total_cmp(&longest_ms(one)));
    if rows.is_empty() {
        return None;
    }
    let (candidate, place) = (pair.candidate.clone(), pair.place.clone());
    Some(PairSleeps { candidate, place, rows, small, uninterruptible_ms, blocks: blocks.len() })
}

fn means_of_sides(blocks: &[[Slept; 2]], ms: fn(&Slept) -> f64) -> [f64; 2] {
    [0, 1].map(|side: usize| blocks.iter().map(|block| ms(&block[side])).sum::<f64>() / blocks.len() as f64)
}

fn longest_ms(row: &SleepRow) -> f64 {
    row.row.baseline_ms.point.max(row.row.candidate_ms.point)
}

fn row_of_place(blocks: &[[Slept; 2]], at: &KernelPlace, level: ConfidenceLevel) -> Option<BudgetRow> {
    BudgetRow::of_blocks(
        blocks.iter().map(|block| block.each_ref().map(|slept| ms_at(&slept.sleeps.of_load, at))),
        level,
    )
}
