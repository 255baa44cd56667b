//! How much of the change between two sides the findings account for. Every millisecond is counted once: where several
//! findings are about the same time, for the first of them. What is left over is named by its parts.
//!
//! Leaves out changes that are not beyond chance or too small to act on, and findings that both sides have alike.

use std::collections::{BTreeMap, BTreeSet};

use results::trial::{Cell, Trial};
use stats::Estimate;
use stats::divisia::logarithmic_mean;
use stats::estimate::{mean_estimate, mean_estimate_at};
use stats::paired::change_of_log_ratios;
use stats::positive::{difference_from_change, geometric_mean};

use super::bearing::{BearingSides, CauseRelation};
use super::case::{Cells, DiagnosisCase, MeasuredTrial};
use super::finding::{CaseFinding, FindingCost, SpentOn, TrialWindow};
use super::pieces::{LatencyPiece, engine_time_goes_with_the_rest, is_of, pieces_of_difference, wait_goes_with_demand};
use super::quantity::{Compared, waits_only};
use super::rank::{InCell, by_weight, of_a_cause};
use super::ranked_finding::{Bearing, RankedFinding};
use super::rule::Rule;
use super::rules::DESCRIPTION;
use super::spent::may_be_in;
use crate::budget::{Budget, BudgetPart};
use crate::compare::FactValue;
use crate::compare::sides::{FactRow, KnownTarget, fact_rows};
use crate::compare::{ComparisonPlace, Metric, RunQuestion, is_usable};

/// Parts that are left are named from this share of the change on.
const NAMED: f64 = 0.05;

/// What the findings explain of one change.
#[derive(Debug, Clone)]
pub struct ExplainedChange {
    /// The target that is compared with the baseline.
    pub candidate: String,
    /// Where.
    pub place: ComparisonPlace,
    /// The one of the two whose mean transaction takes longer.
    pub slower: String,
    /// How much longer, as a share of the faster side's: the mean over the blocks of the logarithm of the ratio.
    pub change: Estimate,
    /// The same in milliseconds of the faster side's geometric mean.
    pub change_ms: Estimate,
    /// The share of that logarithm that the findings account for, 0 to 1.
    pub share: Estimate,
    /// What each finding adds to that, in their order.
    pub by: Vec<ExplainedBy>,
    /// Where the rest of the change lies, the largest first.
    pub left: Vec<Left>,
    /// The last thing known on the slower side's way that may hold back what passes it: what is left of the way is in
    /// it or before it.
    pub hop: Option<String>,
    /// What is known to be unlike on the two sides: what no finding accounts for may be of any of it. What the plan
    /// does not name as a difference stands first.
    pub unlike: Vec<UnlikeFact>,
}

/// A fact that is not the same on the two sides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnlikeFact {
    /// Its name, such as that of a setting.
    pub name: String,
    /// The baseline's value.
    pub baseline: String,
    /// The candidate's.
    pub candidate: String,
}

/// What one finding adds.
#[derive(Debug, Clone)]
pub struct ExplainedBy {
    /// The rule that found it.
    pub rule: &'static Rule,
    /// The share of the change that no finding before it accounts for, 0 to 1.
    pub share: f64,
}

/// A part of the change that no finding accounts for.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// The part of the time budget, or a piece of one.
    pub part: LatencyPiece,
    /// Its share of the change; below 0 where the slower side spends less on it.
    pub share: f64,
}

/// How much each finding explains by itself, whatever others explain of the same time, by rule and cell.
#[derive(Debug, Default)]
pub(super) struct Explaining(BTreeMap<(&'static str, Cell), f64>);

impl Explaining {
    /// The largest share of a change that a finding explains where its target has more of it; none where it explains
    /// none.
    pub(super) fn most_of(&self, finding: &RankedFinding) -> Option<f64> {
        let Bearing::Difference { target } = &finding.bearing else { return None };
        let cells = finding.cells.iter().filter(|cell| cell.target == *target);
        cells.filter_map(|cell| self.share_in(finding, cell)).max_by(f64::total_cmp)
    }

    /// The share of the change of one cell that a finding explains; none where it explains none.
    pub(super) fn share_in(&self, finding: &RankedFinding, cell: &Cell) -> Option<f64> {
        self.0.get(&(finding.rule.code.name, cell.clone())).copied()
    }

    /// Notes the share of a change that a finding is about.
    pub(super) fn add_share(&mut self, one: &InCell, share: f64) {
        let most = self.0.entry((one.rule.code.name, one.cell.clone())).or_default();
        *most = most.max(share);
    }
}

/// What no finding accounts for of one change, trial by trial of the slower side.
#[derive(Debug, Clone)]
pub(super) struct LeftOver {
    /// The slower side.
    pub(super) slower: Cell,
    /// The faster one.
    pub(super) faster: Cell,
    /// What the slower side spends more in each of its trials.
    pub(super) trials: Vec<LeftOfTrial>,
}

/// What no finding accounts for in one block.
#[derive(Debug, Clone)]
pub(super) struct LeftOfTrial {
    /// The number of the slower side's trial.
    pub(super) number: u32,
    /// Milliseconds of each piece that the slower side spends more.
    pub(super) ms: BTreeMap<LatencyPiece, f64>,
    /// Milliseconds over it are what they add to the logarithm of the ratio of the latencies.
    pub(super) mean_ms: f64,
}

/// What all findings explain of all changes.
#[derive(Default)]
pub(super) struct Explanations {
    /// Of each change that is beyond chance and large enough to act on.
    pub(super) explained: Vec<ExplainedChange>,
    /// What is left of each of them, in the same order.
    pub(super) left_over: Vec<LeftOver>,
    /// What each finding explains by itself.
    pub(super) explaining: Explaining,
}

/// The share of every change that is beyond chance and large enough to act on, and what each finding explains of it.
pub(super) fn explain_changes(
    cells: &Cells<'_>,
    question: &RunQuestion,
    found: &[InCell],
    sides: &BearingSides<'_>,
) -> Explanations {
    let mut all = Explanations::default();
    for pair in cells.pairs_with_baseline() {
        if let Some((explained, left_over)) = of_pair(&pair, question, found, sides, &mut all.explaining) {
            all.explained.push(explained);
            all.left_over.push(left_over);
        }
    }
    all
}

fn of_pair(
    pair: &[DiagnosisCase<'_>; 2],
    question: &RunQuestion,
    found: &[InCell],
    sides: &BearingSides<'_>,
    explaining: &mut Explaining,
) -> Option<(ExplainedChange, LeftOver)> {
    let [baseline, candidate] = pair;
    let is_slower = mean_log_ratio(candidate, baseline)? > 0.0;
    let (slower, faster) = if is_slower { (candidate, baseline) } else { (baseline, candidate) };
    let mut blocks: Vec<LatencyPairBlock<'_>> =
        slower.trials().iter().filter_map(|one| LatencyPairBlock::from_paired_trials(one, faster.trials())).collect();
    let logs: Vec<f64> = blocks.iter().map(|block| block.log_ratio).collect();
    let log_ratio = mean_estimate_at(&logs, sides.stopping_rule().level_at(logs.len()))?;
    if log_ratio.interval.low <= 0.0 || log_ratio.point < question.threshold.as_share().ln_1p() {
        return None;
    }
    let (change, faster_ms) = estimate_latency_change(slower, faster, sides)?;
    if change.interval.low <= 0.0 {
        return None;
    }
    let bearing: Vec<&InCell> = found
        .iter()
        .filter(|one| one.cell == *slower.cell() && is_more_on_slower_side(one, faster.cell(), sides))
        .collect();
    join_consequences(&mut blocks, (slower.cell(), faster.cell()), &bearing, sides);
    let mut told: Vec<(f64, &InCell)> = Vec::new();
    for one in bearing {
        let share = share_explained_alone(one, &blocks, slower, sum_of_values(&logs));
        if share > 0.0 {
            explaining.add_share(one, share);
            // Where the time on a CPU goes is no reason for it.
            if one.rule.code != DESCRIPTION.code {
                told.push((share * of_a_cause(one.rule), one));
            }
        }
    }
    // What is waited for is the cause of a standstill, not the other way round.
    told.sort_by(|(share, one), (other_share, other)| {
        let by_parts = is_lost(&one.found).cmp(&is_lost(&other.found));
        by_parts
            .then(other_share.total_cmp(share))
            .then_with(|| by_weight((one.rule, &one.found), (other.rule, &other.found)))
    });
    let told: Vec<&InCell> = told.into_iter().map(|(_, one)| one).collect();
    let by = shares_explained_in_order(&told, &mut blocks, slower, sum_of_values(&logs));
    let explained: Vec<f64> = blocks.iter().map(|block| block.explained_ms / block.mean_ms).collect();
    let share = share_of(&explained, &logs)?;
    let left_over = LeftOver {
        slower: slower.cell().clone(),
        faster: faster.cell().clone(),
        trials: blocks.iter().map(LatencyPairBlock::left_of_trial).collect(),
    };
    let explained = ExplainedChange {
        unlike: unlike_read_back_facts(baseline, candidate, question),
        candidate: candidate.cell().target.clone(),
        place: ComparisonPlace::from_cell(candidate.cell()),
        slower: slower.cell().target.clone(),
        change,
        change_ms: difference_from_change(faster_ms, &change),
        share,
        by,
        left: left_over_pieces(&blocks, sum_of_values(&logs)),
        hop: slower.last_hop_name(),
    };
    Some((explained, left_over))
}

/// Puts what follows from other pieces with them: waiting for a CPU with what takes it, the load engine's time with
/// what is longer, unless a finding is about either by itself.
fn join_consequences(
    blocks: &mut [LatencyPairBlock<'_>],
    (slower, faster): (&Cell, &Cell),
    bearing: &[&InCell],
    sides: &BearingSides<'_>,
) {
    if sides.demands_more_cpu(slower, faster, Compared::More) && !bearing.iter().any(|one| waits_only(&one.found)) {
        blocks.iter_mut().for_each(|block| wait_goes_with_demand(&mut block.left));
    }
    if !bearing.iter().any(|one| is_about_the_engine(&one.found)) {
        blocks.iter_mut().for_each(|block| engine_time_goes_with_the_rest(&mut block.left));
    }
}

/// The mean logarithm of one side's latency over another's, block by block; none without a block of both.
fn mean_log_ratio(one: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>) -> Option<f64> {
    let logs: Vec<f64> = one
        .trials()
        .iter()
        .filter_map(|trial| Some(LatencyPairBlock::from_paired_trials(trial, other.trials())?.log_ratio))
        .collect();
    (!logs.is_empty()).then(|| sum_of_values(&logs) / logs.len() as f64)
}

/// How much longer the slower side takes, as a share of the faster one's level, and that level in milliseconds: over
/// the blocks that the comparison is of, with a budget or without, so that these are its figures. Where it has none,
/// over all.
fn estimate_latency_change(
    slower: &DiagnosisCase<'_>,
    faster: &DiagnosisCase<'_>,
    sides: &BearingSides<'_>,
) -> Option<(Estimate, f64)> {
    change_over(slower, faster, sides, is_usable).or_else(|| change_over(slower, faster, sides, |_| true))
}

fn change_over(
    slower: &DiagnosisCase<'_>,
    faster: &DiagnosisCase<'_>,
    sides: &BearingSides<'_>,
    counts: impl Fn(&Trial) -> bool,
) -> Option<(Estimate, f64)> {
    let (mut logs, mut faster_ms) = (Vec::new(), Vec::new());
    for here in slower.trials().iter().filter(|here| counts(here.trial)) {
        let there = faster.trials().iter().find(|there| there.trial.block == here.trial.block && counts(there.trial));
        let Some(there) = there else { continue };
        let [Some(here_ms), Some(there_ms)] = [here, there].map(|side| Metric::LatencyMean.figure_of_trial(side.trial))
        else {
            continue;
        };
        logs.push((here_ms / there_ms).ln());
        faster_ms.push(there_ms);
    }
    Some((change_of_log_ratios(&logs, sides.stopping_rule().level_at(logs.len()))?, geometric_mean(&faster_ms)?))
}

/// The share of a change that a finding explains if nothing else is asked. Below 0 it is the faster side that has more
/// of its time.
fn share_explained_alone(
    one: &InCell,
    blocks: &[LatencyPairBlock<'_>],
    slower: &DiagnosisCase<'_>,
    log_ratio: f64,
) -> f64 {
    let counted = ExplainedTime::default();
    blocks
        .iter()
        .map(|block| counted.count_explained_ms(&mut block.clone(), slower, &one.found) / block.mean_ms)
        .sum::<f64>()
        / log_ratio
}

/// What each finding adds, in this order; together never more than the change.
fn shares_explained_in_order(
    told: &[&InCell],
    blocks: &mut [LatencyPairBlock<'_>],
    slower: &DiagnosisCase<'_>,
    log_ratio: f64,
) -> Vec<ExplainedBy> {
    let (mut counted, mut by, mut so_far) = (ExplainedTime::default(), Vec::new(), 0.0);
    for one in told {
        let mut more = 0.0;
        for block in &mut *blocks {
            more += counted.count_explained_ms(block, slower, &one.found) / block.mean_ms;
        }
        counted.remember_finding(&one.found);
        let [before, after] = [so_far, so_far + more].map(|log: f64| (log / log_ratio).clamp(0.0, 1.0));
        so_far += more;
        by.extend((after > before).then_some(ExplainedBy { rule: one.rule, share: after - before }));
    }
    by
}

/// Whether a finding is about the time that the load engine takes, and about nothing in the server.
fn is_about_the_engine(found: &CaseFinding) -> bool {
    let Some(parts) = found.cost.parts_of_budget() else { return false };
    parts.contains(&BudgetPart::Engine) && !parts.contains(&BudgetPart::Running)
}

fn is_lost(found: &CaseFinding) -> bool {
    matches!(found.cost, FindingCost::Throughput { .. })
}

/// One block of the pair.
#[derive(Clone)]
struct LatencyPairBlock<'a> {
    slower: &'a MeasuredTrial<'a>,
    faster: &'a MeasuredTrial<'a>,
    /// The logarithm of the ratio of their latencies.
    log_ratio: f64,
    /// The logarithmic mean of their latencies: milliseconds over it are what they add to the logarithm of the ratio,
    /// so that the pieces sum to it exactly.
    mean_ms: f64,
    /// What the slower side spends more, piece by piece, as far as nothing accounts for it yet.
    left: BTreeMap<LatencyPiece, f64>,
    explained_ms: f64,
}

impl<'a> LatencyPairBlock<'a> {
    fn from_paired_trials(slower: &'a MeasuredTrial<'a>, others: &'a [MeasuredTrial<'a>]) -> Option<Self> {
        let faster = others.iter().find(|other| other.trial.block == slower.trial.block)?;
        let (Some(here), Some(there)) = (&slower.budget, &faster.budget) else { return None };
        let [slower_ms, faster_ms] = [here, there].map(|budget| budget.values().sum::<f64>());
        let mean_ms = logarithmic_mean([faster_ms, slower_ms])?;
        let log_ratio = (slower_ms / faster_ms).ln();
        let left = pieces_of_difference(here, there);
        Some(Self { slower, faster, log_ratio, mean_ms, left, explained_ms: 0.0 })
    }

    fn left_of_trial(&self) -> LeftOfTrial {
        LeftOfTrial { number: self.slower.trial.number, ms: self.left.clone(), mean_ms: self.mean_ms }
    }

    fn left_in(&self, is: impl Fn(&LatencyPiece) -> bool) -> f64 {
        self.left.iter().filter(|(piece, _)| is(piece)).map(|(_, ms)| ms).sum()
    }

    /// Takes `ms` out of what is left in these pieces, from each as much as it has of it.
    fn take_out(&mut self, ms: f64, is: impl Fn(&LatencyPiece) -> bool) {
        let all_ms: f64 = self.left.iter().filter(|(piece, ms)| is(piece) && **ms > 0.0).map(|(_, ms)| ms).sum();
        if all_ms > 0.0 {
            self.left
                .iter_mut()
                .filter(|(piece, ms)| is(piece) && **ms > 0.0)
                .for_each(|(_, left_ms)| *left_ms *= 1.0 - (ms / all_ms).min(1.0));
        }
        self.explained_ms += ms;
    }
}

/// What is counted already.
#[derive(Default)]
struct ExplainedTime {
    parts: BTreeSet<BudgetPart>,
    windows: Vec<TrialWindow>,
}

impl ExplainedTime {
    /// Milliseconds of a block that a finding accounts for and none before it.
    fn count_explained_ms(
        &self,
        block: &mut LatencyPairBlock<'_>,
        slower: &DiagnosisCase<'_>,
        found: &CaseFinding,
    ) -> f64 {
        let ms = match &found.cost {
            FindingCost::Latency(spent) => match &spent.of {
                SpentOn::Parts(parts) => {
                    let ms = block.left_in(|piece| is_of(piece, parts));
                    block.left.iter_mut().filter(|(piece, _)| is_of(piece, parts)).for_each(|(_, left)| *left = 0.0);
                    block.explained_ms += ms;
                    return ms;
                }
                SpentOn::Within { parts, ms } => {
                    let [here, there] = [block.slower, block.faster].map(|side| ms.get(&side.trial.number));
                    let more_ms = here.map_or(0.0, |here| there.map_or(*here, |there| here - there));
                    let ms = more_ms.min(block.left_in(|piece| is_of(piece, parts))).max(0.0);
                    block.take_out(ms, |piece| is_of(piece, parts));
                    return ms;
                }
            },
            FindingCost::Throughput { share } => self.lost_ms(block, slower, *share, &found.windows),
            FindingCost::NotAttributable => 0.0,
        };
        let ms = ms.min(block.left.values().filter(|ms| **ms > 0.0).sum()).max(0.0);
        block.take_out(ms, |_| true);
        ms
    }

    /// What a loss of throughput is in the time of a mean transaction, less what of it may be counted already: the
    /// time that the sessions were seen in counted parts in the same seconds, and that of windows that were counted.
    fn lost_ms(
        &self,
        block: &LatencyPairBlock<'_>,
        slower: &DiagnosisCase<'_>,
        share: f64,
        windows: &[TrialWindow],
    ) -> f64 {
        let latency_ms: f64 = block.slower.budget.iter().flat_map(Budget::values).sum();
        let trials = slower.trials().len() as f64;
        let all_s: f64 = windows.iter().map(TrialWindow::span_s).sum();
        let here = windows.iter().filter(|window| window.trial == block.slower.trial.number);
        let here_s: f64 = here.map(TrialWindow::span_s).sum();
        // As much of the loss as of the windows.
        let of_trial = if all_s > 0.0 { share * here_s / all_s * trials } else { share };
        let uncounted = if here_s > 0.0 { 1.0 - self.counted_s(block, windows) / here_s } else { 1.0 };
        let lost_ms = of_trial.min(1.0) * latency_ms * uncounted.max(0.0);
        lost_ms - self.seen_ms(block, slower, windows, latency_ms).min(lost_ms)
    }

    /// Seconds of the windows of a block's trial that lie in windows which are counted already.
    fn counted_s(&self, block: &LatencyPairBlock<'_>, windows: &[TrialWindow]) -> f64 {
        let trial = block.slower.trial.number;
        let mut counted_s = 0.0;
        for one in windows.iter().filter(|window| window.trial == trial) {
            let known = self.windows.iter().filter(|known| known.trial == trial);
            let common_s = known.map(|other| (one.to_s.min(other.to_s) - one.from_s.max(other.from_s)).max(0.0));
            counted_s += common_s.sum::<f64>().min(one.span_s());
        }
        counted_s
    }

    /// Milliseconds of the mean transaction that sessions were seen in counted parts in the seconds of the windows.
    fn seen_ms(
        &self,
        block: &LatencyPairBlock<'_>,
        slower: &DiagnosisCase<'_>,
        windows: &[TrialWindow],
        latency_ms: f64,
    ) -> f64 {
        let (mut counted, mut all) = (0, 0);
        for second in slower.all_seconds().filter(|second| second.trial_number() == block.slower.trial.number) {
            let is_touched = windows.iter().any(|window| second.overlaps_window(window));
            for seen in second.seen_sessions() {
                all += seen.sessions;
                let is_counted = is_touched && may_be_in(seen, |part| self.parts.contains(part));
                counted += if is_counted { seen.sessions } else { 0 };
            }
        }
        if all > 0 { latency_ms * counted as f64 / all as f64 } else { 0.0 }
    }

    fn remember_finding(&mut self, found: &CaseFinding) {
        match &found.cost {
            FindingCost::Latency(spent) => match &spent.of {
                SpentOn::Parts(parts) | SpentOn::Within { parts, .. } => self.parts.extend(parts.iter().cloned()),
            },
            FindingCost::Throughput { .. } => self.windows.extend(found.windows.iter().copied()),
            FindingCost::NotAttributable => {}
        }
    }
}

/// Whether a finding of the slower side is one that the faster has not, or surely has less of. Of waiting for a CPU,
/// its stretch has to differ where that is known: the rest of the wait goes with whatever took the CPU.
fn is_more_on_slower_side(one: &InCell, faster: &Cell, sides: &BearingSides<'_>) -> bool {
    let is_felt =
        !waits_only(&one.found) || sides.compare_cpu_wait_stretch(one, faster).is_none_or(|it| it == Compared::More);
    is_felt && sides.relation_to_other(one, faster) == CauseRelation::More
}

/// The share of the sums with an interval over the blocks (a ratio estimator: Cochran, Sampling Techniques, 1977, 6.3),
/// within 0 and 1: what another part takes less is no explanation.
fn share_of(explained: &[f64], logs: &[f64]) -> Option<Estimate> {
    let (share, mean) = (sum_of_values(explained) / sum_of_values(logs), sum_of_values(logs) / logs.len() as f64);
    let around: Vec<f64> = explained.iter().zip(logs).map(|(part, log)| share + (part - share * log) / mean).collect();
    let mut estimate = mean_estimate(&around)?;
    for bound in [&mut estimate.point, &mut estimate.interval.low, &mut estimate.interval.high] {
        *bound = bound.clamp(0.0, 1.0);
    }
    Some(estimate)
}

/// What was read back of both and is not the same; first what may not differ.
fn unlike_read_back_facts(
    baseline: &DiagnosisCase<'_>,
    candidate: &DiagnosisCase<'_>,
    question: &RunQuestion,
) -> Vec<UnlikeFact> {
    let mut unlike = Vec::new();
    for row in unlike_rows(baseline, candidate, question) {
        let Ok([Some(baseline), Some(candidate)]) = <[Option<FactValue>; 2]>::try_from(row.values) else { continue };
        let [baseline, candidate] = [baseline, candidate].map(|value| value.to_string());
        unlike.push(UnlikeFact { name: row.name, baseline, candidate });
    }
    unlike
}

/// The facts that are not the same on two sides, those first that the plan does not name as a difference.
pub(super) fn unlike_rows(one: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, question: &RunQuestion) -> Vec<FactRow> {
    let (Ok(one), Ok(other)) = (one.target_facts(), other.target_facts()) else { return Vec::new() };
    let mut rows = fact_rows(&[KnownTarget::read_back(one), KnownTarget::read_back(other)], &question.may_differ);
    rows.retain(|row| row.differs && row.compared);
    rows.sort_by_key(|row| row.allowed);
    rows
}

fn left_over_pieces(blocks: &[LatencyPairBlock<'_>], log_ratio: f64) -> Vec<Left> {
    let mut pieces: BTreeMap<&LatencyPiece, f64> = BTreeMap::new();
    for block in blocks {
        for (piece, ms) in &block.left {
            *pieces.entry(piece).or_default() += ms / block.mean_ms;
        }
    }
    let named = pieces.into_iter().filter(|(_, log)| log.abs() >= NAMED * log_ratio);
    let mut left: Vec<Left> = named.map(|(piece, log)| Left { part: piece.clone(), share: log / log_ratio }).collect();
    left.sort_by(|one, other| other.share.total_cmp(&one.share));
    left
}

fn sum_of_values(all: &[f64]) -> f64 {
    all.iter().sum()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    fn of(built: &Built) -> ExplainedChange {
        let mut explained = built.diagnosis().explained;
        assert_eq!(explained.len(), 1, "{explained:?}");
        explained.remove(0)
    }

    fn is_about(share: f64, expected: f64) -> bool {
        (share - expected).abs() < 0.02
    }

    /// The sum of what each finding adds is the whole.
    fn checked(explained: ExplainedChange) -> ExplainedChange {
        let all: f64 = explained.by.iter().map(|by| by.share).sum();
        assert!(all <= 1.0 + 1e-9 && is_about(all, explained.share.point), "{explained:?}");
        explained
    }

    fn scan() -> Value {
        json!({ "node": "Seq Scan", "relation": "t", "filter": "(a = 1)", "rows": 1, "cost": 1790 })
    }

    fn by_index() -> Value {
        json!({ "node": "Index Scan", "relation": "t", "index": "t_pkey", "condition": "(a = 1)", "rows": 1, "cost": 8 })
    }

    /// A fifth of the throughput: 5 ms of a transaction in place of 1, all of it on a CPU.
    fn reads_by_scan(cell: Measurement) -> Measurement {
        let busy = [("backends_cpu_us", 3.9e6), ("backends_run_delay_us", 0.1e6)];
        let cell = cell.throughput(800.0).sees_nothing().sees("active", None, 40).probe("host.server", &busy);
        cell.plans(vec![scan()])
    }

    fn indexed(cell: Measurement) -> Measurement {
        cell.plans(vec![by_index()])
    }

    /// Nothing is completed from one instant to another, in milliseconds, in every trial.
    fn stands_still(standstills: &[[u64; 2]]) -> impl Fn(Measurement) -> Measurement {
        let noted = |[start, end]: &[u64; 2]| json!({ "start_us": start * 1000, "end_us": end * 1000 });
        let noted: Value = standstills.iter().map(noted).collect();
        move |cell| cell.load("stalls", noted.clone())
    }

    #[test]
    fn what_differs_between_the_sides_is_named_whatever_the_findings_explain() {
        let slower = |cell: Measurement| cell.throughput(2000.0);
        let delayed =
            json!({ "value": "5000", "default": "0", "source": "configuration file", "pending_restart": false });
        let pair = || Built::pair().fact("/settings/commit_delay", delayed.clone());
        for built in [pair().with(slower), pair().with_first(indexed).with(reads_by_scan)] {
            let found = of(&built);
            let named: Vec<(&str, &str)> =
                found.unlike.iter().map(|one| (one.name.as_str(), one.candidate.as_str())).collect();
            assert_eq!(named, [("commit_delay", "5000")], "{found:?}");
        }
    }

    #[test]
    fn a_change_whose_time_is_where_the_findings_are_is_explained() {
        let explained = checked(of(&Built::pair().with_first(indexed).with(reads_by_scan)));
        assert_eq!((explained.slower.as_str(), explained.by[0].rule.code.name), ("new", "plan-changed"));
        assert!(explained.share.point > 0.95, "{explained:?}");
        assert!((explained.change_ms.point - 4.0).abs() < 0.1, "{explained:?}");
    }

    #[test]
    fn the_baseline_may_be_the_slower_and_explains_the_gain() {
        let explained = checked(of(&Built::pair().with_first(reads_by_scan).with(indexed)));
        assert_eq!((explained.candidate.as_str(), explained.slower.as_str()), ("new", "db"));
        assert!(explained.share.point > 0.95, "{explained:?}");
    }

    #[test]
    fn the_time_of_standstills_is_lost_and_explains_as_much_as_it_was_long() {
        // 40 % of the time without a transaction: 1 / 0.6 of the latency.
        let frozen = |cell: Measurement| stands_still(&[[1_000, 3_400], [7_000, 9_400]])(cell.throughput(2400.0));
        let explained = checked(of(&Built::pair().with(frozen)));
        assert_eq!(explained.by[0].rule.code.name, "throughput-collapse");
        assert!(is_about(explained.share.point, 1.0), "{explained:?}");
        // Half as long, half as much: the rest is left and named.
        let half = |cell: Measurement| stands_still(&[[1_000, 3_400]])(cell.throughput(2400.0));
        let explained = checked(of(&Built::pair().with(half)));
        assert!(is_about(explained.share.point, 0.5) && !explained.left.is_empty(), "{explained:?}");
    }

    #[test]
    fn waits_in_standstills_count_once() {
        let holder = json!({ "pid": 77, "application": "report", "state": "active", "mode": "AccessExclusiveLock",
                             "statement": "SELECT pg_sleep(1)", "transaction_us": 900_000 });
        let lock = json!([{ "kind": "relation", "mode": "AccessShareLock", "relation": "public.t", "sessions": 16,
                            "longest_us": 900_000, "holder": holder }]);
        let locked = |cell: Measurement| {
            let cell = stands_still(&[[1_000, 3_400], [7_000, 9_400]])(cell.throughput(2400.0)).sees_nothing();
            let cell = cell.sees("idle", Some("Client:ClientRead"), 7).sees("active", None, 17);
            cell.sees("active", Some("Lock:relation"), 16).locks(lock)
        };
        let built = Built::pair().with(locked);
        let explained = checked(of(&built));
        assert_eq!(explained.by[0].rule.code.name, "blocked-by-session");
        let findings = built.diagnosis().findings;
        assert_eq!(findings[0].rule.code.name, "blocked-by-session", "the cause stands before what it causes");
        let lock_alone = explained.by[0].share;
        assert!(explained.share.point <= lock_alone + 0.02, "{explained:?}");
    }

    #[test]
    fn what_no_finding_accounts_for_is_left() {
        let slower = |cell: Measurement| cell.throughput(2000.0);
        let explained = of(&Built::pair().with(slower));
        assert_eq!((explained.share.point, explained.by.len()), (0.0, 0), "{explained:?}");
        assert!(!explained.left.is_empty());
    }

    #[test]
    fn sides_of_equal_worth_have_nothing_to_explain() {
        for built in [Built::pair(), Built::healthy(), Built::pair().with(|cell| cell.throughput(3950.0))] {
            assert!(built.diagnosis().explained.is_empty());
        }
    }
}
