//! The time on a CPU of both sides by subsystem and function, pair by pair, with the difference.

use std::collections::{BTreeMap, BTreeSet};

use results::trial::Trial;
use stats::ConfidenceLevel;

use super::flame::{FlameNode, FlameTrial, add_trial_to_flame};
use super::function::FunctionOnCpu;
use super::of_trial::{NOT_SAMPLED, TrialOnCpu, has_own_connections};
use crate::budget::{BudgetRow, OnCpuByBlock, PairBudget};
use crate::compare::{ComparedSide, Comparison, ComparisonPlace, Observations};
use crate::observed::Observed;

/// Functions of a subsystem that are kept.
const FUNCTIONS: usize = 5;

/// What the CPU time of a pair went into.
#[derive(Debug, Clone)]
pub struct PairProfile {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// The part of the time budget that is divided.
    pub part: String,
    /// Its row, which the subsystems sum to.
    pub total: BudgetRow,
    /// The subsystems, those first whose time differs most. The last may be what was not sampled.
    pub subsystems: Vec<SubsystemRow>,
    /// Samples of each side.
    pub samples: [u64; 2],
    /// Share of each side's samples that the table of subsystems does not have, 0 to 1.
    pub unknown: [f64; 2],
    /// ProfiledBlocks of which a side has no samples; their time is not sampled.
    pub without: Vec<WithoutProfile>,
    /// Both sides' stacks in one tree; in milliseconds per transaction.
    pub flame: FlameNode,
}

/// One subsystem.
#[derive(Debug, Clone)]
pub struct SubsystemRow {
    /// Its name.
    pub subsystem: String,
    /// Milliseconds per transaction.
    pub row: BudgetRow,
    /// Its functions whose time differs most.
    pub functions: Vec<FunctionRow>,
}

/// One function.
#[derive(Debug, Clone)]
pub struct FunctionRow {
    /// Its name, or what is known in its place.
    pub function: String,
    /// Milliseconds per transaction.
    pub row: BudgetRow,
}

/// A trial without samples.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithoutProfile {
    /// Its block.
    pub block: u32,
    /// Its target.
    pub target: String,
    /// Why.
    pub reason: String,
}

/// The profiles of every pair with a time budget of which both sides have samples of one block at least.
pub(crate) fn of_pairs(
    observed: &Observed,
    comparison: &Comparison,
    observations: &Observations<'_>,
    budgets: &[PairBudget],
) -> Vec<PairProfile> {
    let baseline = ComparedSide::main(&comparison.question.baseline);
    let mut all = Vec::new();
    for budget in budgets {
        if let Some(on_cpu) = &budget.on_cpu {
            let sides = [&baseline, &ComparedSide::main(&budget.candidate)];
            all.extend(of_pair(observed, observations, budget, on_cpu, sides));
        }
    }
    all
}

fn of_pair(
    observed: &Observed,
    observations: &Observations<'_>,
    budget: &PairBudget,
    on_cpu: &OnCpuByBlock,
    sides: [&ComparedSide; 2],
) -> Option<PairProfile> {
    let mut without = Vec::new();
    let mut root = FlameNode::empty_root();
    let (ms, part) = cpu_time(observed, observations, budget, on_cpu, sides);
    let mut blocks = ProfiledBlocks { ms, level: on_cpu.level, divided: [BTreeMap::new(), BTreeMap::new()] };
    for (which, side) in sides.into_iter().enumerate() {
        let usable = observations.usable_trials(&budget.place, side);
        for (block, both_ms) in &blocks.ms {
            let Some(trial) = usable.get(block) else { continue };
            let profile = observed.watched.get(&trial.number).and_then(|watched| watched.profile.as_ref());
            let divided = profile.and_then(|profile| TrialOnCpu::divided_time(profile, trial, both_ms[which]));
            match (profile, divided) {
                (Some(profile), Some(divided)) => {
                    let of_tree = FlameTrial { trial, side: which, blocks: blocks.ms.len() };
                    add_trial_to_flame(&mut root, profile, of_tree, &divided);
                    blocks.divided[which].insert(*block, divided);
                }
                (profile, _) => {
                    let gap = profile.and_then(|profile| profile.observed.gap.clone());
                    let reason = gap.unwrap_or_else(|| "no sample of the load's sessions".to_owned());
                    without.push(WithoutProfile { block: *block, target: side.target.clone(), reason });
                }
            }
        }
    }
    if blocks.divided.iter().any(BTreeMap::is_empty) {
        return None;
    }
    Some(PairProfile {
        candidate: budget.candidate.clone(),
        place: budget.place.clone(),
        part,
        total: blocks.row_of_blocks(|side, block| blocks.ms[&block][side])?,
        subsystems: blocks.subsystem_rows()?,
        samples: [0, 1].map(|side| blocks.divided[side].values().map(|divided| divided.samples).sum()),
        unknown: [0, 1].map(|side| blocks.unknown_share(side)),
        without,
        flame: root.without_short().with_certainty(on_cpu.level),
    })
}

/// The time that is divided, block by block, and what it is: the budget's time on a CPU, or, where each transaction has
/// a connection of its own, that of its session from its beginning.
fn cpu_time(
    observed: &Observed,
    observations: &Observations<'_>,
    budget: &PairBudget,
    on_cpu: &OnCpuByBlock,
    sides: [&ComparedSide; 2],
) -> (BTreeMap<u32, [f64; 2]>, String) {
    let usable = sides.map(|side| observations.usable_trials(&budget.place, side));
    if !usable.iter().flat_map(BTreeMap::values).any(|trial| has_own_connections(trial)) {
        return (on_cpu.ms.clone(), on_cpu.part.to_string());
    }
    let mut ms = BTreeMap::new();
    for block in on_cpu.ms.keys() {
        let [Some(baseline), Some(candidate)] = [0, 1].map(|side| usable[side].get(block)) else { continue };
        let both_ms = [baseline, candidate].map(|trial| sampled_ms_of_trial(observed, trial));
        if let [Some(baseline_ms), Some(candidate_ms)] = both_ms {
            ms.insert(*block, [baseline_ms, candidate_ms]);
        }
    }
    (ms, "CPU time, connecting included".to_owned())
}

fn sampled_ms_of_trial(observed: &Observed, trial: &Trial) -> Option<f64> {
    observed.watched.get(&trial.number)?.profile.as_ref()?.sampled_ms(trial)
}

/// The blocks of a pair.
struct ProfiledBlocks {
    /// The time that is divided, in milliseconds of baseline and candidate.
    ms: BTreeMap<u32, [f64; 2]>,
    /// Of the intervals of changes.
    level: ConfidenceLevel,
    /// By side and block, as far as there are samples.
    divided: [BTreeMap<u32, TrialOnCpu>; 2],
}

impl ProfiledBlocks {
    /// A figure of both sides over the blocks.
    fn row_of_blocks(&self, ms: impl Fn(usize, u32) -> f64) -> Option<BudgetRow> {
        BudgetRow::of_blocks(self.ms.keys().map(|block| [ms(0, *block), ms(1, *block)]), self.level)
    }

    /// The time that a side's block has in a function.
    fn in_function(&self, side: usize, block: u32, function: &FunctionOnCpu) -> f64 {
        let divided = self.divided[side].get(&block);
        divided.and_then(|divided| divided.functions.get(function)).copied().unwrap_or_default()
    }

    fn not_sampled(&self, side: usize, block: u32) -> f64 {
        match self.divided[side].get(&block) {
            Some(divided) => divided.not_sampled_ms,
            None => self.ms[&block][side],
        }
    }

    fn subsystem_rows(&self) -> Option<Vec<SubsystemRow>> {
        let functions: BTreeSet<&FunctionOnCpu> =
            self.divided.iter().flat_map(BTreeMap::values).flat_map(|divided| divided.functions.keys()).collect();
        let mut by_subsystem: BTreeMap<&str, Vec<&FunctionOnCpu>> = BTreeMap::new();
        for function in functions {
            by_subsystem.entry(&function.subsystem).or_default().push(function);
        }
        let mut rows = Vec::new();
        for (name, functions) in by_subsystem {
            let mut of_functions = Vec::new();
            for function in &functions {
                let row = self.row_of_blocks(|side, block| self.in_function(side, block, function))?;
                of_functions.push(FunctionRow { function: function.function.clone(), row });
            }
            of_functions.sort_by(|one, other| by_difference(&one.row, &other.row));
            of_functions.truncate(FUNCTIONS);
            let row =
                self.row_of_blocks(|side, block| functions.iter().map(|one| self.in_function(side, block, one)).sum())?;
            rows.push(SubsystemRow { subsystem: name.to_owned(), row, functions: of_functions });
        }
        rows.sort_by(|one, other| by_difference(&one.row, &other.row));
        let row = self.row_of_blocks(|side, block| self.not_sampled(side, block))?;
        if [&row.baseline_ms, &row.candidate_ms].iter().any(|side| side.point > 0.0) {
            rows.push(SubsystemRow { subsystem: NOT_SAMPLED.to_owned(), row, functions: Vec::new() });
        }
        Some(rows)
    }

    fn unknown_share(&self, side: usize) -> f64 {
        let (mut all, mut unknown) = (0.0, 0.0);
        for (function, ms) in self.divided[side].values().flat_map(|divided| &divided.functions) {
            all += ms;
            if function.is_unknown() {
                unknown += ms;
            }
        }
        if all > 0.0 { unknown / all } else { 0.0 }
    }
}

/// The larger difference first.
fn by_difference(one: &BudgetRow, other: &BudgetRow) -> std::cmp::Ordering {
    other.change_ms.point.abs().total_cmp(&one.change_ms.point.abs())
}
