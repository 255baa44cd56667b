//! What does not decide, judged all the same: what a transaction costs and how long its statements take. A server that
//! gets as much done may need five times the CPU for it, and one statement of fifty may be lost in a mix.
//!
//! Costs are one family over all candidates and places of a run (Holm: 5 % of unchanged runs have any false alarm),
//! statements are another (Benjamini and Hochberg: of those that are named 5 % may be unchanged). `docs/method.md` has
//! the rules. Judges from observations only: no files, no clock.

mod costs;
mod plan_change;
mod pool;
mod statements;
mod tally;

use stats::Estimate;
use stats::beside::{Adjust, InFamily, SingleComparison, judge_family};
use stats::positive::is_known_change;
use stats::stopping::FEWEST_BLOCKS;
use stats::verdict::{BetterDirection, Verdict};

pub use costs::{ComparedCost, JudgedCost};
pub use plan_change::PlanComparison;
pub use pool::StatementClass;
pub(crate) use pool::without_comments;
pub use statements::{CapturedWeight, JudgedStatement, StatementId};
pub use tally::StatementTally;

use crate::compare::{Comparison, ComparisonPlace, MetricJudgement, Observations, PairJudgement};
use crate::observed::Observed;

/// Every verdict beside those of the deciding metrics.
#[derive(Debug, Clone, Default)]
pub struct SecondaryVerdicts {
    /// Costs and the latencies that do not decide, pair by pair.
    pub costs: Vec<JudgedCost>,
    /// Statements, pair by pair.
    pub statements: Vec<JudgedStatement>,
    /// The statements of captured loads by their verdicts, pair by pair.
    pub tallies: Vec<StatementTally>,
}

/// What one comparison beside the deciding one says.
#[derive(Debug, Clone, PartialEq)]
pub struct SecondaryRuling {
    /// Geometric means of both sides' figures over the blocks, baseline first: their ratio is the change. Nothing of
    /// either side is 0, and then the change is by the least that counts.
    pub sides: [f64; 2],
    /// candidate / baseline − 1; none where not even its order of magnitude is known.
    pub change: Option<Estimate>,
    /// The direction that is good.
    pub better: BetterDirection,
    /// The verdict in the family.
    pub verdict: Verdict,
    /// Whether the change is larger than the threshold for sure.
    pub is_beyond: bool,
}

impl SecondaryRuling {
    /// Whether it is a loss that fails the run.
    pub fn is_loss(&self) -> bool {
        self.verdict == Verdict::Regressed && self.is_beyond
    }

    /// Whether it is a gain that is larger than the threshold for sure.
    pub fn is_gain(&self) -> bool {
        self.verdict == Verdict::Improved && self.is_beyond
    }

    /// How far both sides are apart, whichever is larger: the logarithm of their ratio.
    pub fn log_ratio_size(&self) -> f64 {
        self.change.map_or(0.0, |change| change.point.ln_1p().abs())
    }
}

impl SecondaryVerdicts {
    /// The verdict on a metric of a pair. A metric that does not decide has the verdict of the family of costs; it has
    /// none where the costs of the pair are judged, and it is not one of them.
    pub fn verdict_on(&self, pair: &PairJudgement, judged: &MetricJudgement) -> Option<Verdict> {
        if judged.metric == pair.deciding_metric() {
            return Some(judged.verdict);
        }
        let mut costs =
            self.costs.iter().filter(|cost| cost.candidate == pair.candidate && cost.place == pair.place).peekable();
        if costs.peek().is_none() {
            return Some(judged.verdict);
        }
        costs.find(|cost| cost.cost == ComparedCost::Metric(judged.metric)).map(|cost| cost.ruling.verdict)
    }

    /// Whether a cost or a statement is worse by more than its threshold for sure.
    pub fn is_any_loss(&self) -> bool {
        self.costs
            .iter()
            .map(|cost| &cost.ruling)
            .chain(self.statements.iter().map(|of| &of.ruling))
            .any(SecondaryRuling::is_loss)
    }
}

/// Judges all pairs of a comparison. Sides that are not paired, searches and trials with events have none; nor has what
/// the plan turns off.
pub fn judge_beside(
    observed: &Observed,
    comparison: &Comparison,
    observations: &Observations<'_>,
) -> SecondaryVerdicts {
    let question = &comparison.question;
    if comparison.outputs && !comparison.paired {
        return SecondaryVerdicts::default();
    }
    let pairs: Vec<&PairJudgement> = comparison
        .pairs
        .iter()
        .filter(|pair| !question.is_search(&pair.place.workload) && !question.gaps.contains_key(&pair.place.workload))
        .collect();
    let mut beside = SecondaryVerdicts::default();
    if let Some(threshold) = question.margins.costs {
        beside.costs = costs::judge_costs(observed, question, observations, &pairs, threshold);
    }
    beside.statements = statements::judge_statements(observed, question, observations, &pairs);
    for pair in &pairs {
        if let Some(margin) = question.statement_margin(&pair.place.workload) {
            beside.tallies.extend(StatementTally::of_pair(observed, pair, &beside.statements, margin));
        }
    }
    withhold_verdicts(&mut beside, &pairs);
    beside
}

/// No verdict where the pair has none yet: whoever looks after each block would find what is not there.
fn withhold_verdicts(beside: &mut SecondaryVerdicts, pairs: &[&PairJudgement]) {
    for cost in &mut beside.costs {
        if is_open_pair(pairs, &cost.candidate, &cost.place) {
            (cost.ruling.verdict, cost.ruling.is_beyond) = (Verdict::SoFar, false);
        }
    }
    beside.tallies.retain(|tally| !is_open_pair(pairs, &tally.candidate, &tally.place));
    for statement in &mut beside.statements {
        if is_open_pair(pairs, &statement.candidate, &statement.place) {
            (statement.ruling.verdict, statement.ruling.is_beyond) = (Verdict::SoFar, false);
        }
    }
}

fn is_open_pair(pairs: &[&PairJudgement], candidate: &str, place: &ComparisonPlace) -> bool {
    let mut open = pairs.iter().filter(|pair| pair.verdict() == Verdict::SoFar);
    open.any(|pair| pair.candidate == candidate && pair.place == *place)
}

/// One comparison before its family is known.
struct FamilyCandidate {
    sides: [f64; 2],
    better: BetterDirection,
    /// None where a figure is not finite.
    alone: Option<SingleComparison>,
}

impl FamilyCandidate {
    /// Of the figures of both sides in each block, all above zero. None of fewer blocks than give a verdict.
    fn from_pairs(
        pairs: &[[f64; 2]],
        level: stats::ConfidenceLevel,
        threshold: f64,
        better: BetterDirection,
    ) -> Option<Self> {
        if pairs.len() < FEWEST_BLOCKS {
            return None;
        }
        let log_ratios: Vec<f64> = pairs.iter().map(|[baseline, candidate]| (candidate / baseline).ln()).collect();
        let sides =
            [0, 1].map(|side| (pairs.iter().map(|pair| pair[side].ln()).sum::<f64>() / pairs.len() as f64).exp());
        Some(Self { sides, better, alone: SingleComparison::from_log_ratios(&log_ratios, level, threshold, better) })
    }
}

/// What each of a family says, in the order given.
fn rulings_of_family(candidates: Vec<FamilyCandidate>, adjust: Adjust) -> Vec<SecondaryRuling> {
    let with_interval: Vec<SingleComparison> =
        candidates.iter().filter_map(|candidate| candidate.alone.clone()).collect();
    let mut judged = judge_family(&with_interval, adjust).into_iter();
    let mut all = Vec::with_capacity(candidates.len());
    for FamilyCandidate { sides, better, alone } in candidates {
        let unknown = InFamily {
            verdict: Verdict::NotEnoughData { more_blocks: None, detectable_change: None },
            is_beyond: false,
        };
        let InFamily { verdict, is_beyond } = if alone.is_some() { judged.next().unwrap_or(unknown) } else { unknown };
        let change = alone.map(|alone| alone.change).filter(is_known_change);
        all.push(SecondaryRuling { sides, change, better, verdict, is_beyond });
    }
    all
}
