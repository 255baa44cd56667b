//! A percentile of the latency rests on transactions that are slower than it.

use std::collections::BTreeMap;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "percentile-support",
        group: CodeGroup::Method,
        detects: "A percentile of the latency is reported of so few transactions that fewer than 10 are slower than it.",
        reported_if: "Too few transactions of a cell are slower than its highest percentile. Repetitions in a random order are \
                exempt.",
        thresholds: &[
            RuleThreshold::less_than(
                "transactions that are slower than the percentile",
                SLOWER_AT_LEAST,
                ThresholdUnit::Count,
            ),
            RuleThreshold::at_least("percentile", TAIL_FROM, ThresholdUnit::Count),
        ],
        effects: &[IssueEffect::Informs],
        why: "A percentile is as uncertain as the number of slower transactions: with n of them its rank varies by the square root of n. \
              Of 200 transactions p99 is the second slowest.",
        evidence: "The transactions of each cell and the highest percentile that is reported.",
        fix: "Measure for longer, or report a lower percentile.",
        confirm: "Repeat with ten times as many transactions.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "at least 10 transactions of a cell are slower than each percentile of its latency that is reported, unless repetitions in a \
           random order show how far it varies",
    judge: judge_percentile_support,
};

/// Slower transactions, at least: their number varies by a third of itself then.
const SLOWER_AT_LEAST: f64 = 10.0;

/// Percentiles up to this one describe the usual latency, and higher ones its tail.
const TAIL_FROM: f64 = 90.0;

fn judge_percentile_support(material: &Material) -> CheckResult {
    let mut cells: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for trial in &material.trials {
        if let (Some(percent), Some(transactions)) = (highest_percentile(trial), transactions_of_trial(trial)) {
            let (of_cell, highest) = cells.entry(trial.place_in_words()).or_insert((0.0, percent));
            *of_cell += transactions;
            *highest = highest.max(percent);
        }
    }
    if cells.is_empty() {
        return CheckResult::cannot_tell("a percentile of the latency and the number of transactions", vec![]);
    }
    if material.design.interleaved && material.design.repetitions != Some(1) {
        let text = "repetitions in a random order show how far each percentile varies";
        return material.holds_for_all_trials(text);
    }
    let mut figures = Vec::new();
    for (cell, (transactions, percent)) in &cells {
        let slower = transactions * (1.0 - percent / 100.0);
        if slower < SLOWER_AT_LEAST {
            let text = format!("about {slower:.1} of {transactions:.0} transactions are slower than p{percent}");
            figures.push(VerdictFigure::against_rule(cell.clone(), text));
        }
    }
    if figures.is_empty() {
        let text = "10 or more transactions are slower than the highest percentile";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{} cells", cells.len()), text)]);
    }
    let consequence = "the highest percentile of these cells is the latency of single transactions, and another trial has another one";
    CheckResult::rule_broken(Weight::Description, figures, consequence)
}

/// The highest percentile of the tail that is reported; the longest latency is none.
fn highest_percentile(trial: &TrialAccount) -> Option<f64> {
    let percents = trial.percentiles_ms.iter().map(|(percent, _)| *percent);
    percents.filter(|percent| (TAIL_FROM..100.0).contains(percent)).reduce(f64::max)
}

/// Transactions of a trial: as counted, or from its rate and time.
fn transactions_of_trial(trial: &TrialAccount) -> Option<f64> {
    let counted = trial.transactions.map(|transactions| transactions as f64);
    counted.or_else(|| Some(trial.throughput_per_s? * trial.lasted_s().or(trial.stated_s)?))
}
