//! Every statement of every pair as a comparison: the mean time of one execution, block by block.

use std::collections::BTreeMap;

use results::statement_latency::StatementLatency;
use results::workload::{SentStatement, StatementKind, StatementNumber};
use stats::false_discovery;
use stats::verdict::BetterDirection;

use super::pool::StatementClass;
use super::{FamilyCandidate, SecondaryRuling, rulings_of_family};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, PairJudgement, RunQuestion};
use crate::observed::Observed;

/// With fewer executions in a block, on either side, the mean of one is chance: the statement is judged with its class.
const RARE_BELOW: u64 = 30;

/// Which statement, or which of them together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StatementId {
    /// One.
    One {
        /// Its number in the workload.
        number: StatementNumber,
        /// The name of its script.
        script: String,
        /// Its line there.
        line: u32,
    },
    /// All rare ones of a class.
    Rare(StatementClass),
}

/// The verdict on one statement of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedStatement {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// Which.
    pub statement: StatementId,
    /// Candidate less baseline of the time that it takes of a mean transaction, in milliseconds.
    pub more_ms: f64,
    /// Whether it takes enough of its script's time for its change to be noticed.
    pub is_felt: bool,
    /// The verdict on the mean time of one execution, in milliseconds.
    pub ruling: SecondaryRuling,
}

impl StatementId {
    /// What it is called in a sentence.
    pub fn name(&self) -> String {
        match self {
            Self::One { script, line, .. } => format!("{script}:{line}"),
            Self::Rare(class) => class.name().to_owned(),
        }
    }
}

/// Every statement of every pair, one family.
pub(super) fn judge_statements(
    observed: &Observed,
    question: &RunQuestion,
    observations: &Observations<'_>,
    pairs: &[&PairJudgement],
    threshold: f64,
) -> Vec<JudgedStatement> {
    let rule = question.blocks.stopping_rule();
    let (mut named, mut candidates) = (Vec::new(), Vec::new());
    for pair in pairs {
        let Some(workload) = observed.workloads.get(&pair.place.workload) else { continue };
        let sent = &workload.statements;
        let sides = [&question.baseline, &pair.candidate].map(|target| {
            timed_blocks_of_side(observed, observations, &pair.place, &ComparedSide::main(target), sent.len())
        });
        let blocks: Vec<[StatementBlock<'_>; 2]> =
            sides[0].iter().filter_map(|(block, one)| Some([*one, *sides[1].get(block)?])).collect();
        for (statement, numbers) in group_statements(sent, &blocks) {
            let Some(figures) = mean_ms_by_block(&blocks, &numbers) else { continue };
            let level = rule.level_at(figures.len());
            let Some(candidate) = FamilyCandidate::from_pairs(&figures, level, threshold, BetterDirection::Lower)
            else {
                continue;
            };
            let more_ms = more_ms(&blocks, &numbers);
            let is_felt = is_felt(sent, &blocks, (&statement, &figures), question.threshold.as_share());
            named.push((*pair, statement, more_ms, is_felt));
            candidates.push(candidate);
        }
    }
    let judged = named.into_iter().zip(rulings_of_family(candidates, false_discovery::adjust_benjamini_hochberg));
    judged
        .map(|((pair, statement, more_ms, is_felt), ruling)| JudgedStatement {
            candidate: pair.candidate.clone(),
            place: pair.place.clone(),
            statement,
            more_ms,
            is_felt,
            ruling: SecondaryRuling { is_beyond: ruling.is_beyond && is_felt, ..ruling },
        })
        .collect()
}

/// Whether a transaction that executes a statement notices its change: of one execution it is at least the practical
/// threshold of the time that the faster side takes for all statements of that script. A BEGIN of twice its 0.04 ms is
/// none to act on beside an UPDATE of 10 ms; a statement that is rare is, where it is executed.
fn is_felt(
    sent: &[SentStatement],
    blocks: &[[StatementBlock<'_>; 2]],
    (statement, one_ms): (&StatementId, &[[f64; 2]]),
    threshold: f64,
) -> bool {
    let StatementId::One { script, .. } = statement else { return true };
    let mut of_script = Vec::new();
    for (number, other) in sent.iter().enumerate() {
        if other.script == *script && other.kind == StatementKind::Sql {
            of_script.push(number);
        }
    }
    let more_ms: f64 =
        one_ms.iter().map(|[baseline, candidate]| candidate - baseline).sum::<f64>() / one_ms.len() as f64;
    let [baseline_ms, candidate_ms] = script_ms(blocks, &of_script);
    more_ms.abs() >= threshold * baseline_ms.min(candidate_ms)
}

/// The statements of one trial.
#[derive(Clone, Copy)]
struct StatementBlock<'a> {
    transactions: u64,
    statements: &'a [StatementLatency],
}

impl StatementBlock<'_> {
    fn total_executions(&self, numbers: &[usize]) -> u64 {
        numbers.iter().map(|number| self.statements[*number].executions).sum()
    }

    fn all_ms(&self, numbers: &[usize]) -> f64 {
        numbers.iter().map(|number| self.statements[*number].all_ns()).sum::<f64>() / 1e6
    }
}

/// The trials of a side whose statements were timed, by block.
fn timed_blocks_of_side<'a>(
    observed: &'a Observed,
    observations: &Observations<'a>,
    place: &ComparisonPlace,
    side: &ComparedSide,
    statements: usize,
) -> BTreeMap<u32, StatementBlock<'a>> {
    let mut by_block = BTreeMap::new();
    for (block, trial) in observations.usable_trials(place, side) {
        let timed = observed.watched.get(&trial.number).and_then(|watched| watched.statement_latency.as_ref());
        if let (Some(load), Some(timed)) = (&trial.load, timed)
            && timed.statements.len() == statements
            && load.transactions > 0
        {
            let transactions = load.transactions;
            by_block.insert(block, StatementBlock { transactions, statements: &timed.statements });
        }
    }
    by_block
}

/// What is judged: statements one by one, and the rare ones by class. A pause of the script is none.
fn group_statements(sent: &[SentStatement], blocks: &[[StatementBlock<'_>; 2]]) -> Vec<(StatementId, Vec<usize>)> {
    let mut groups = Vec::new();
    let mut rare: BTreeMap<StatementClass, Vec<usize>> = BTreeMap::new();
    for (number, statement) in sent.iter().enumerate().filter(|(_, statement)| statement.kind == StatementKind::Sql) {
        if is_rare(blocks, &[number]) {
            rare.entry(StatementClass::from_statement(&statement.text)).or_default().push(number);
            continue;
        }
        let (script, line) = (statement.script.clone(), statement.line);
        groups.push((StatementId::One { number: StatementNumber(number as u32), script, line }, vec![number]));
    }
    let pooled = rare.into_iter().filter(|(_, numbers)| !is_rare(blocks, numbers));
    groups.extend(pooled.map(|(class, numbers)| (StatementId::Rare(class), numbers)));
    groups
}

/// Whether some block has too few executions of these on either side.
fn is_rare(blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> bool {
    blocks.iter().flatten().any(|block| block.total_executions(numbers) < RARE_BELOW)
}

/// Milliseconds of one execution on both sides, block by block.
fn mean_ms_by_block(blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> Option<Vec<[f64; 2]>> {
    let mean = |block: &StatementBlock<'_>| {
        let all_ms = block.all_ms(numbers);
        (all_ms > 0.0).then(|| all_ms / block.total_executions(numbers) as f64)
    };
    blocks.iter().map(|[baseline, candidate]| Some([mean(baseline)?, mean(candidate)?])).collect()
}

/// How much more of a mean transaction's time these take of the candidate.
fn more_ms(blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> f64 {
    let [baseline, candidate] = mean_ms(blocks, numbers);
    candidate - baseline
}

/// What all statements of a script take in one run of it on both sides: a run has at least one that is always executed,
/// and none is executed more often than the script runs unless it is in a loop.
fn script_ms(blocks: &[[StatementBlock<'_>; 2]], of_script: &[usize]) -> [f64; 2] {
    [0, 1].map(|side| {
        let all_ms: f64 = blocks.iter().map(|pair| pair[side].all_ms(of_script)).sum();
        let executions =
            |number: &usize| blocks.iter().map(|pair| pair[side].total_executions(&[*number])).sum::<u64>();
        let runs = of_script.iter().map(executions).max().unwrap_or(0);
        all_ms / runs.max(1) as f64
    })
}

/// What these take of a mean transaction's time on both sides.
fn mean_ms(blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> [f64; 2] {
    [0, 1].map(|side| {
        let per_transaction = blocks.iter().map(|pair| pair[side].all_ms(numbers) / pair[side].transactions as f64);
        per_transaction.sum::<f64>() / blocks.len() as f64
    })
}
