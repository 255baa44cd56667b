//! Every statement of every pair as a comparison: the mean time of one execution, block by block.

use std::collections::{BTreeMap, BTreeSet};

use results::statement_latency::StatementLatency;
use results::workload::{SentStatement, StatementKind, StatementNumber, WorkloadStatements};
use stats::false_discovery;
use stats::verdict::BetterDirection;

use super::plan_change::{PlanComparison, PlansOfSides};
use super::pool::StatementClass;
use super::{FamilyCandidate, SecondaryRuling, rulings_of_family};
use crate::captured::captured_statements;
use crate::compare::{ComparedSide, ComparisonPlace, Observations, PairJudgement, RunQuestion};
use crate::observed::Observed;
use crate::statements::in_one_line;

/// Characters of a text that are kept; the run directory has it whole.
const TEXT_MAX: usize = 400;

/// Characters of a text that stand for a statement in a sentence.
const NAME_MAX: usize = 60;

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
    /// One of a captured load, wherever it stands in scripts.
    Captured {
        /// Its fingerprint.
        fingerprint: String,
        /// Its number in the workload, in the script that has most calls of it.
        number: StatementNumber,
        /// Its text there, in one line.
        text: String,
    },
    /// All rare ones of a class.
    Rare(StatementClass),
}

/// What a capture says of a statement, or of the rare ones of a class together.
#[derive(Debug, Clone, PartialEq)]
pub struct CapturedWeight {
    /// How many statements these are.
    pub statements: usize,
    /// Their calls in the capture.
    pub calls: u64,
    /// Their calls a second in the capture; absent where its length is not known.
    pub calls_per_s: Option<f64>,
    /// The share of the baseline's database time that they take, 0 to 1.
    pub share: f64,
    /// What they add to the baseline's database time, as a share of it; less than 0 if they are faster.
    pub added_share: f64,
    /// Their query plans on both sides.
    pub plans: PlanComparison,
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
    /// What the capture says of it; absent of a workload that is not captured.
    pub captured: Option<CapturedWeight>,
}

impl StatementId {
    /// What it is called in a sentence.
    pub fn name(&self) -> String {
        match self {
            Self::One { script, line, .. } => format!("{script}:{line}"),
            Self::Captured { text, .. } => in_one_line(text, NAME_MAX),
            Self::Rare(class) => class.name().to_owned(),
        }
    }
}

/// A statement before its family is known.
struct UnjudgedStatement<'a> {
    pair: &'a PairJudgement,
    statement: StatementId,
    more_ms: f64,
    is_felt: bool,
    captured: Option<CapturedWeight>,
}

/// Every statement of every pair, one family.
pub(super) fn judge_statements(
    observed: &Observed,
    question: &RunQuestion,
    observations: &Observations<'_>,
    pairs: &[&PairJudgement],
) -> Vec<JudgedStatement> {
    let rule = question.blocks.stopping_rule();
    let (mut named, mut candidates) = (Vec::new(), Vec::new());
    for pair in pairs {
        let Some(threshold) = question.statement_margin(&pair.place.workload) else { continue };
        let Some(workload) = observed.workloads.get(&pair.place.workload) else { continue };
        let sent = &workload.statements;
        let targets = [&question.baseline, &pair.candidate].map(|target| ComparedSide::main(target));
        let sides =
            targets.each_ref().map(|side| timed_blocks_of_side(observed, observations, &pair.place, side, sent.len()));
        let blocks: Vec<[StatementBlock<'_>; 2]> =
            sides[0].iter().filter_map(|(block, one)| Some([*one, *sides[1].get(block)?])).collect();
        let plans = PlansOfSides::at_place(observed, observations, &pair.place, targets.each_ref());
        let total_ms = captured_ms(sent, &blocks, &(0..sent.len()).collect::<Vec<_>>())[0];
        for (statement, numbers) in group_statements(workload, &blocks) {
            let Some(figures) = mean_ms_by_block(sent, &blocks, &numbers) else { continue };
            let level = rule.level_at(figures.len());
            let Some(candidate) = FamilyCandidate::from_pairs(&figures, level, threshold, BetterDirection::Lower)
            else {
                continue;
            };
            let more_ms = more_ms(&blocks, &numbers);
            let is_felt = match statement {
                StatementId::Rare(_) => true,
                StatementId::One { .. } | StatementId::Captured { .. } => {
                    is_felt(sent, &blocks, (&numbers, &figures), question.threshold.as_share())
                }
            };
            let captured = captured_weight(workload, &blocks, &numbers, total_ms)
                .map(|weight| CapturedWeight { plans: plans.compare_plans(&numbers), ..weight });
            named.push(UnjudgedStatement { pair, statement, more_ms, is_felt, captured });
            candidates.push(candidate);
        }
    }
    let rulings = rulings_of_family(candidates, false_discovery::adjust_benjamini_hochberg);
    let mut judged = Vec::with_capacity(named.len());
    for (UnjudgedStatement { pair, statement, more_ms, is_felt, captured }, ruling) in named.into_iter().zip(rulings) {
        judged.push(JudgedStatement {
            candidate: pair.candidate.clone(),
            place: pair.place.clone(),
            statement,
            more_ms,
            is_felt,
            ruling: SecondaryRuling { is_beyond: ruling.is_beyond && is_felt, ..ruling },
            captured,
        });
    }
    judged
}

/// What a capture says of these statements; none of a workload that is not captured. `total_ms` is the baseline's
/// database time.
fn captured_weight(
    workload: &WorkloadStatements,
    blocks: &[[StatementBlock<'_>; 2]],
    numbers: &[usize],
    total_ms: f64,
) -> Option<CapturedWeight> {
    let load = workload.captured.as_ref()?;
    let sent = &workload.statements;
    let mut calls = 0;
    let mut fingerprints = BTreeSet::new();
    for captured in numbers.iter().filter_map(|number| sent[*number].captured.as_ref()) {
        calls += captured.calls;
        fingerprints.insert(captured.fingerprint.as_str());
    }
    let [baseline_ms, candidate_ms] = captured_ms(sent, blocks, numbers);
    let seconds = load.duration_us.map(|us| us as f64 / 1e6).filter(|seconds| *seconds > 0.0);
    Some(CapturedWeight {
        statements: fingerprints.len(),
        calls,
        calls_per_s: seconds.map(|seconds| calls as f64 / seconds),
        share: share_of_time(baseline_ms, total_ms),
        added_share: share_of_time(candidate_ms - baseline_ms, total_ms),
        plans: PlanComparison::NotKnown,
    })
}

fn share_of_time(ms: f64, total_ms: f64) -> f64 {
    if total_ms > 0.0 { ms / total_ms } else { 0.0 }
}

/// The time of the captured calls of these statements on both sides, as far as both have executed them.
fn captured_ms(sent: &[SentStatement], blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> [f64; 2] {
    let mut all_ms = [0.0, 0.0];
    for number in numbers {
        let Some(captured) = &sent[*number].captured else { continue };
        let mut mean_ms = [0.0, 0.0];
        for (side, mean_ms) in mean_ms.iter_mut().enumerate() {
            let executed: u64 = blocks.iter().map(|pair| pair[side].statements[*number].executions).sum();
            let spent_ms: f64 = blocks.iter().map(|pair| pair[side].all_ms(&[*number])).sum();
            *mean_ms = spent_ms / executed as f64;
        }
        if mean_ms.iter().all(|ms| ms.is_finite()) {
            all_ms[0] += captured.calls as f64 * mean_ms[0];
            all_ms[1] += captured.calls as f64 * mean_ms[1];
        }
    }
    all_ms
}

/// Whether a transaction that executes a statement notices its change: of one execution it is at least the practical
/// threshold of the time that the faster side takes for all statements of its scripts. A BEGIN of twice its 0.04 ms is
/// none to act on beside an UPDATE of 10 ms; a statement that is rare is, where it is executed.
fn is_felt(
    sent: &[SentStatement],
    blocks: &[[StatementBlock<'_>; 2]],
    (numbers, one_ms): (&[usize], &[[f64; 2]]),
    threshold: f64,
) -> bool {
    let scripts: BTreeSet<&str> = numbers.iter().map(|number| sent[*number].script.as_str()).collect();
    let (mut baseline_ms, mut candidate_ms, mut weight) = (0.0, 0.0, 0.0);
    for script in scripts {
        let mut of_script = Vec::new();
        for (number, other) in sent.iter().enumerate() {
            if other.script == script && other.kind == StatementKind::Sql {
                of_script.push(number);
            }
        }
        let here = numbers.iter().filter(|number| sent[**number].script == script);
        let executed: u64 =
            here.map(|number| blocks.iter().map(|pair| pair[0].total_executions(&[*number])).sum::<u64>()).sum();
        let [baseline, candidate] = script_ms(blocks, &of_script);
        baseline_ms += executed as f64 * baseline;
        candidate_ms += executed as f64 * candidate;
        weight += executed as f64;
    }
    let more_ms: f64 =
        one_ms.iter().map(|[baseline, candidate]| candidate - baseline).sum::<f64>() / one_ms.len() as f64;
    more_ms.abs() * weight >= threshold * f64::min(baseline_ms, candidate_ms)
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

/// What is judged: statements one by one, and the rare ones by class. Those of a captured load are one where they have
/// one fingerprint. A pause of the script is none.
fn group_statements(
    workload: &WorkloadStatements,
    blocks: &[[StatementBlock<'_>; 2]],
) -> Vec<(StatementId, Vec<usize>)> {
    let (mut groups, mut all) = (Vec::new(), single_statements(&workload.statements));
    if workload.captured.is_some() {
        all = statements_by_fingerprint(workload);
    }
    let mut rare: BTreeMap<StatementClass, Vec<usize>> = BTreeMap::new();
    for (id, numbers) in all {
        if is_rare(blocks, &numbers) {
            let text = &workload.statements[numbers[0]].text;
            rare.entry(StatementClass::from_statement(text)).or_default().extend(numbers);
        } else {
            groups.push((id, numbers));
        }
    }
    let pooled = rare.into_iter().filter(|(_, numbers)| !is_rare(blocks, numbers));
    groups.extend(pooled.map(|(class, numbers)| (StatementId::Rare(class), numbers)));
    groups
}

fn single_statements(sent: &[SentStatement]) -> Vec<(StatementId, Vec<usize>)> {
    let mut all = Vec::new();
    for (number, statement) in sent.iter().enumerate().filter(|(_, statement)| statement.kind == StatementKind::Sql) {
        let (script, line) = (statement.script.clone(), statement.line);
        all.push((StatementId::One { number: StatementNumber(number as u32), script, line }, vec![number]));
    }
    all
}

fn statements_by_fingerprint(workload: &WorkloadStatements) -> Vec<(StatementId, Vec<usize>)> {
    let mut all = Vec::new();
    for statement in captured_statements(workload) {
        let numbers = statement.statement_numbers();
        let id = StatementId::Captured {
            fingerprint: statement.fingerprint.to_owned(),
            number: StatementNumber(numbers[0] as u32),
            text: in_one_line(&workload.statements[numbers[0]].text, TEXT_MAX),
        };
        all.push((id, numbers));
    }
    all
}

/// Whether some block has too few executions of these on either side.
fn is_rare(blocks: &[[StatementBlock<'_>; 2]], numbers: &[usize]) -> bool {
    blocks.iter().flatten().any(|block| block.total_executions(numbers) < RARE_BELOW)
}

/// Milliseconds of one execution on both sides, block by block.
fn mean_ms_by_block(
    sent: &[SentStatement],
    blocks: &[[StatementBlock<'_>; 2]],
    numbers: &[usize],
) -> Option<Vec<[f64; 2]>> {
    blocks.iter().map(|pair| mean_ms_of_pair(sent, pair, numbers)).collect()
}

/// The same of one block. Several statements are weighed by what the capture has of each, as far as both sides have
/// executed it, so that both are about the same mix.
fn mean_ms_of_pair(sent: &[SentStatement], pair: &[StatementBlock<'_>; 2], numbers: &[usize]) -> Option<[f64; 2]> {
    let (mut all_ms, mut weights) = ([0.0, 0.0], [0.0, 0.0]);
    for number in numbers {
        let executed = pair.each_ref().map(|block| block.total_executions(&[*number]) as f64);
        let spent_ms = pair.each_ref().map(|block| block.all_ms(&[*number]));
        match &sent[*number].captured {
            Some(captured) if executed.iter().all(|executed| *executed > 0.0) => {
                for side in [0, 1] {
                    all_ms[side] += captured.calls as f64 * spent_ms[side] / executed[side];
                    weights[side] += captured.calls as f64;
                }
            }
            Some(_) => {}
            None => {
                for side in [0, 1] {
                    all_ms[side] += spent_ms[side];
                    weights[side] += executed[side];
                }
            }
        }
    }
    if all_ms.iter().any(|ms| *ms <= 0.0) {
        return None;
    }
    Some([all_ms[0] / weights[0], all_ms[1] / weights[1]])
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
        let runs = of_script
            .iter()
            .map(|number| blocks.iter().map(|pair| pair[side].total_executions(&[*number])).sum::<u64>())
            .max()
            .unwrap_or(0);
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
