//! `sequence-cache`: sessions take the numbers of a sequence from its page far more often than on another side.

use results::tables::{SequenceUsage, TrialTables};

use crate::budget::BudgetPart;
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::diagnose::case::DiagnosisCase;
use crate::diagnose::confirm::Confirm;
use crate::diagnose::finding::{
    CaseFinding, Confidence, EvidenceFigure, FigureAmount, FindingKind, SHARE_OF_CHANGE, figure,
};
use crate::diagnose::missing::NOT_IN_FILES;
use crate::diagnose::quantity::{Measure, QuantityUnit};
use crate::diagnose::rule::{Looked, MissingObservation, Rule};
use crate::diagnose::spent::{EXECUTES_LONGER, is_executing, is_lightweight_lock_wait};
use crate::diagnose::tables::transactions_counted;

/// The rule.
pub(super) const RULE: Rule = Rule {
    code: &Code {
        name: "sequence-cache",
        group: CodeGroup::Schema,
        detects: "A sequence has a smaller CACHE than on the other side: sessions access its page far more often, and execution takes longer.",
        reported_if: "CACHE of the sequence is smaller than on the other side, its page is accessed more often, and execution \
                takes longer beyond chance.",
        thresholds: &[
            RuleThreshold::at_least(
                "page accesses per transaction, relative to the other side",
                TIMES,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("additional page accesses per transaction", MORE, ThresholdUnit::Count),
            EXECUTES_LONGER,
        ],
        effects: IssueEffect::OF_FINDINGS,
        why: "nextval() locks the sequence's single page exclusively once per CACHE values, and writes WAL for it from time to time. \
              Cached values that a session does not use are skipped.",
        evidence: "nextval() calls that access the sequence page per transaction, and CACHE of the sequence on both sides.",
        fix: "Set a larger CACHE (ALTER SEQUENCE ... CACHE).",
        confirm: "Set CACHE as on the other side and run the plan again.",
        formerly: &[],
    },
    measure: Measure::Figure {
        name: "sequence page accesses per transaction",
        unit: QuantityUnit::Count,
        of: page_accesses_per_transaction,
    },
    look: look_for_sequence_cache,
};

/// How often a transaction asks any sequence for numbers.
fn page_accesses_per_transaction(case: &DiagnosisCase<'_>) -> Result<f64, MissingObservation> {
    Ok(case.sequences_by_use()?.iter().map(|one| SequenceRequests::from_sequence(case, one).per_transaction).sum())
}

/// So many times as often as the other side.
const TIMES: f64 = 4.0;

/// So often more in a transaction: below that it is beside the transaction's other work.
const MORE: f64 = 0.5;

fn look_for_sequence_cache(case: &DiagnosisCase<'_>) -> Looked {
    case.beside_others(|other| {
        let (here, there) = (case.sequences_by_use()?, other.sequences_by_use()?);
        let both = here.iter().find_map(|one| {
            // One that the other side never asks is of another workload.
            let same = there.iter().find(|same| same.name == one.name && same.cache > one.cache)?;
            let both = [SequenceRequests::from_sequence(case, one), SequenceRequests::from_sequence(other, same)];
            both[0].is_far_more_than(&both[1]).then_some(both)
        });
        let Some(both) = both else { return Ok(None) };
        Ok(case.executes_longer_than(other)?.then(|| finding_of_sequence(case, other, &both)))
    })
}

/// How a side asks a sequence for numbers.
struct SequenceRequests<'a> {
    sequence: &'a SequenceUsage,
    per_transaction: f64,
}

impl<'a> SequenceRequests<'a> {
    fn from_sequence(case: &DiagnosisCase<'_>, sequence: &'a SequenceUsage) -> Self {
        let transactions: f64 = case.trials().iter().map(transactions_counted).sum();
        Self { sequence, per_transaction: sequence.pages_read as f64 / transactions.max(1.0) }
    }

    fn is_far_more_than(&self, other: &Self) -> bool {
        self.per_transaction >= TIMES * other.per_transaction && self.per_transaction >= other.per_transaction + MORE
    }

    fn figures_of_sequence(&self, asked: String, cache: String) -> [EvidenceFigure; 2] {
        let count = FigureAmount::Count(self.sequence.cache as f64);
        [figure(asked, FigureAmount::Count(self.per_transaction)), figure(cache, count)]
    }
}

fn finding_of_sequence(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    [here, there]: &[SequenceRequests<'_>; 2],
) -> CaseFinding {
    let (name, target) = (&here.sequence.name, &other.cell().target);
    let accesses = format!("page accesses of {name} per transaction");
    let [asked_there, cache_there] =
        there.figures_of_sequence(format!("{accesses} on {target}"), format!("CACHE on {target}"));
    let [asked, cache] = here.figures_of_sequence(accesses, "CACHE".to_owned());
    let mut figures = vec![asked, asked_there, cache, cache_there];
    figures.extend(
        case.share_of_change(other, is_sequence_cost).map(|share| figure(SHARE_OF_CHANGE, FigureAmount::Share(share))),
    );
    CaseFinding {
        title: format!("sequence {name} has CACHE {} (other side: {})", here.sequence.cache, there.sequence.cache),
        kind: FindingKind::Problem,
        // How often it was asked was counted, and not how long that took.
        confidence: Confidence::Medium,
        cost: case.cost_in(is_sequence_cost),
        figures,
        windows: case.all_the_time(),
        chart: None,
        would_disprove: "the same difference in latency with the same CACHE on both sides".to_owned(),
        confirm: Confirm::repeat_unchanged(
            case,
            &format!(
                "run ALTER SEQUENCE {name} CACHE {} (values that a session does not use are skipped), run this plan, and \
                 compare: execution takes as long as on the other side",
                there.sequence.cache
            ),
        ),
        mend: None,
    }
}

/// Where the time of taking a number goes: the page, the lock on it, the WAL.
fn is_sequence_cost(part: &BudgetPart) -> bool {
    is_executing(part) || is_lightweight_lock_wait(part)
}

impl DiagnosisCase<'_> {
    /// The sequences that were asked for numbers, summed over its trials, those that were asked most first.
    fn sequences_by_use(&self) -> Result<Vec<SequenceUsage>, MissingObservation> {
        let mut sums: Vec<SequenceUsage> = Vec::new();
        for measured in self.trials() {
            let sequences = match &measured.watched.tables {
                Some(TrialTables { gap: None, sequences: Some(sequences), .. }) => sequences,
                tables => {
                    let gap = tables.as_ref().map(|tables| tables.gap.as_deref().unwrap_or(NOT_IN_FILES));
                    let gap = gap.unwrap_or("the server was not queried");
                    return Err(MissingObservation::new("the page accesses of each sequence", gap));
                }
            };
            for sequence in sequences {
                match sums.iter_mut().find(|sum| sum.name == sequence.name) {
                    Some(sum) => sum.pages_read += sequence.pages_read,
                    None => sums.push(sequence.clone()),
                }
            }
        }
        sums.sort_by_key(|sequence| std::cmp::Reverse(sequence.pages_read));
        Ok(sums)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::diagnose::built::{Built, Measurement};

    /// Transactions of a trial of a healthy cell, about.
    const TRANSACTIONS: u64 = 48_000;

    fn asks(cell: Measurement, pages_read: u64, cache: u64) -> Measurement {
        cell.sequences(&json!([{ "name": "public.journal_id_seq", "cache": cache, "pages_read": pages_read }]))
    }

    /// Half the throughput, all of whose time is spent executing.
    fn slow(cell: Measurement) -> Measurement {
        cell.throughput(2000.0).sees_nothing().sees("active", None, 40)
    }

    #[test]
    fn a_sequence_without_a_cache_is_found_with_what_the_other_side_takes_at_a_time() {
        let uncached = |cell| asks(slow(cell), TRANSACTIONS, 1);
        let found = Built::pair().with_first(|cell| asks(cell, TRANSACTIONS / 1000, 1000)).with(uncached).finds(&RULE);
        assert!(found.confirm.expect.contains("ALTER SEQUENCE public.journal_id_seq CACHE 1000"), "{found:?}");
        let FigureAmount::Count(asked) = found.figures[0].amount else { panic!("{found:?}") };
        assert!((asked - 2.0).abs() < 0.05, "half the transactions, asked as often as all: {found:?}");
    }

    #[test]
    fn the_same_cache_on_both_sides_one_that_is_hardly_asked_and_no_longer_execution_are_fine() {
        let built = Built::pair().with_first(|cell| asks(cell, TRANSACTIONS / 1000, 1000));
        built.clone().with(|cell| asks(slow(cell), TRANSACTIONS / 500, 500)).is_fine_for(&RULE);
        built.with(|cell| asks(cell, TRANSACTIONS, 1)).is_fine_for(&RULE);
        let uncached = |cell| asks(slow(cell), TRANSACTIONS, 1);
        Built::pair().with_first(|cell| asks(cell, TRANSACTIONS, 1)).with(uncached).is_fine_for(&RULE);
    }

    #[test]
    fn without_the_counts_of_sequences_it_stays_open() {
        let built = Built::pair().with(|cell| cell.sequences(&Value::Null));
        assert_eq!(built.lacks(&RULE), "the page accesses of each sequence: the files of the run do not contain it");
    }
}
