//! Which of two sides fails more of its transactions at a place.

use stats::failures::{EndedTransactions, ShareDifference, exact_p_value, paired_difference, unpaired_difference};
use stats::holm;
use stats::stopping::FEWEST_BLOCKS;
use stats::{ClosedInterval, ConfidenceLevel};

use super::account::{TransactionAccount, accounts_by_block};
use crate::compare::{ComparedSide, ComparisonPlace, Observations, RunQuestion};

/// The smallest difference of two shares of failed transactions that is worth acting on: one transaction in a thousand.
pub const PRACTICAL_DIFFERENCE: f64 = 0.001;

/// The chance of a false alarm.
const ERROR: f64 = 0.05;

/// What became of the transactions of two sides at a place.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureComparison {
    /// The targets, the baseline first.
    pub names: [String; 2],
    /// The baseline's account.
    pub baseline: TransactionAccount,
    /// The candidate's.
    pub candidate: TransactionAccount,
    /// Share of the candidate's transactions that failed less that of the baseline's; absent where a side ended none.
    pub difference: Option<ShareDifference>,
    /// What follows for this pair by itself.
    pub verdict: FailureVerdict,
}

/// What two sides' failures say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureVerdict {
    /// The candidate completes practically nothing of what the baseline completes.
    Broken,
    /// The baseline completes practically nothing of what the candidate completes.
    BaselineBroken,
    /// Neither completes anything.
    NeitherWorks,
    /// The candidate fails more.
    More,
    /// The candidate fails less.
    Fewer,
    /// No difference is sure that is worth acting on.
    NoSureDifference,
}

impl FailureVerdict {
    /// Whether the candidate is worse by it.
    pub fn is_worse(self) -> bool {
        matches!(self, Self::Broken | Self::More)
    }

    /// Whether the candidate is better by it.
    pub fn is_better(self) -> bool {
        matches!(self, Self::BaselineBroken | Self::Fewer)
    }
}

impl FailureComparison {
    /// Whether anything failed on either side.
    pub fn has_failures(&self) -> bool {
        [&self.baseline, &self.candidate].iter().any(|account| account.ended_transactions().failed > 0)
    }

    /// The same while more blocks are coming: only what no further block can change is said.
    pub(crate) fn so_far(&mut self) {
        if matches!(self.verdict, FailureVerdict::More | FailureVerdict::Fewer) {
            self.verdict = FailureVerdict::NoSureDifference;
        }
    }
}

/// Compares the failures of two sides at a place; absent while a side has no trial that tells. `level`: that of the
/// interval, absent where sides were not measured in the same blocks.
pub(crate) fn compare_failures(
    question: &RunQuestion,
    observations: &Observations<'_>,
    place: &ComparisonPlace,
    sides: [&ComparedSide; 2],
    level: Option<ConfidenceLevel>,
) -> Option<FailureComparison> {
    let [of_baseline, of_candidate] = sides.map(|side| accounts_by_block(observations, place, side));
    if of_baseline.is_empty() || of_candidate.is_empty() {
        return None;
    }
    let difference = match level {
        Some(level) => {
            let both = of_baseline.iter().filter_map(|(block, one)| {
                Some([one.ended_transactions(), of_candidate.get(block)?.ended_transactions()])
            });
            paired_difference(&both.collect::<Vec<[EndedTransactions; 2]>>(), level)
        }
        None => {
            let [one, other] = [&of_baseline, &of_candidate].map(|side| {
                side.values().map(TransactionAccount::ended_transactions).collect::<Vec<EndedTransactions>>()
            });
            unpaired_difference(&one, &other, ConfidenceLevel::NINETY_FIVE)
        }
    };
    let baseline = TransactionAccount::from_accounts(of_baseline.into_values());
    let candidate = TransactionAccount::from_accounts(of_candidate.into_values());
    // Steps of a search are sent at rates of their own, and what follows an event is no property of a side's load.
    let is_share_of_a_load = !question.is_search(&place.workload) && !question.gaps.contains_key(&place.workload);
    let verdict = verdict_on_failures(&baseline, &candidate, difference.as_ref().filter(|_| is_share_of_a_load));
    let names = sides.map(|side| side.target.clone());
    Some(FailureComparison { names, baseline, candidate, difference, verdict })
}

fn verdict_on_failures(
    baseline: &TransactionAccount,
    candidate: &TransactionAccount,
    difference: Option<&ShareDifference>,
) -> FailureVerdict {
    match (baseline.completes_nothing(), candidate.completes_nothing()) {
        (true, true) => return FailureVerdict::NeitherWorks,
        (false, true) if is_sure(candidate, baseline) => return FailureVerdict::Broken,
        (true, false) if is_sure(baseline, candidate) => return FailureVerdict::BaselineBroken,
        _ => {}
    }
    let Some(ShareDifference { difference, p_value }) = difference else { return FailureVerdict::NoSureDifference };
    let band = ClosedInterval { low: -PRACTICAL_DIFFERENCE, high: PRACTICAL_DIFFERENCE };
    if difference.n < FEWEST_BLOCKS || *p_value >= ERROR || difference.interval.is_within(&band) {
        return FailureVerdict::NoSureDifference;
    }
    if difference.point > 0.0 { FailureVerdict::More } else { FailureVerdict::Fewer }
}

/// Whether it is no chance that the one side completes practically nothing and the other one something: of transactions
/// that ended, those that failed; where none ended, that all of those that were completed are the other side's.
fn is_sure(broken: &TransactionAccount, works: &TransactionAccount) -> bool {
    if broken.ended_transactions().all > 0 {
        return exact_p_value(works.ended_transactions(), broken.ended_transactions()) < ERROR;
    }
    2.0 * 0.5_f64.powf(works.completed as f64) < ERROR
}

/// The verdicts of all pairs beside each other: a difference that may be chance among so many pairs is not sure. Pairs
/// in which nothing failed cannot raise an alarm and are not counted (Tarone 1990, Biometrics 46:515).
pub(crate) fn firm_verdicts(pairs: &[Option<&FailureComparison>]) -> Vec<FailureVerdict> {
    let family: Vec<usize> =
        (0..pairs.len()).filter(|index| pairs[*index].is_some_and(FailureComparison::has_failures)).collect();
    let adjusted = holm::adjust_holm(
        &family
            .iter()
            .map(|index| pairs[*index].and_then(|pair| pair.difference).map_or(1.0, |it| it.p_value))
            .collect::<Vec<f64>>(),
    );
    let mut verdicts: Vec<FailureVerdict> =
        pairs.iter().map(|pair| pair.map_or(FailureVerdict::NoSureDifference, |pair| pair.verdict)).collect();
    for (index, adjusted) in family.into_iter().zip(adjusted) {
        let is_by_share = matches!(verdicts[index], FailureVerdict::More | FailureVerdict::Fewer);
        if is_by_share && adjusted >= holm::FAMILY_ERROR {
            verdicts[index] = FailureVerdict::NoSureDifference;
        }
    }
    verdicts
}
