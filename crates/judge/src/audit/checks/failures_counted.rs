//! Throughput is of transactions that succeeded: those that failed or were aborted are no work done.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, StatedTrialEnd, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::FAILED_AT_MOST;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "failures-counted",
        group: CodeGroup::Method,
        detects: "The throughput counts transactions that failed or were aborted.",
        reported_if: "The throughput of a trial exceeds the goodput that is reported beside it by more than the bound. Or \
                throughput × duration is the number of all transactions within the second bound, and not that of those \
                that succeeded.",
        thresholds: &[
            RuleThreshold::more_than("throughput that failed", FAILED_AT_MOST, ThresholdUnit::Share),
            RuleThreshold::at_most("difference from the number of all transactions", COUNTED, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens],
        why: "A server that refuses or aborts transactions seems faster the more of them it refuses.",
        evidence: "Throughput and goodput of each trial, or its transactions, failures and duration.",
        fix: "Compare the goodput: transactions that succeeded per second.",
        confirm: "Repeat with retries of failed transactions, and compare the transactions that succeeded.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "throughput counts transactions that succeeded: at most 1 % of it failed or was aborted",
    judge: check_failures_counted,
};

/// A duration leaves out the begin or the end of a trial, which moves a product with it by a percent or two.
const COUNTED: f64 = 0.02;

fn check_failures_counted(material: &Material) -> CheckResult {
    let told: Vec<(&TrialAccount, f64)> =
        material.trials.iter().filter_map(|trial| Some((trial, failed_share_of_throughput(trial)?))).collect();
    if told.is_empty() {
        let needs = "the goodput beside the throughput, or the failed transactions of each trial, with its transactions \
                     and its duration";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let counting: Vec<&(&TrialAccount, f64)> = told.iter().filter(|(_, share)| *share > FAILED_AT_MOST).collect();
    let most = told.iter().map(|(_, share)| *share).fold(0.0, f64::max);
    if counting.is_empty() {
        let extent = Material::extent_of_trials(told.iter().map(|(trial, _)| *trial));
        let text = format!("at most {} of the throughput failed", units::format_percent(most));
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(extent, text)]);
    }
    let figures = counting.iter().filter_map(|(trial, share)| {
        let throughput = trial.throughput_per_s?;
        let text = format!(
            "{}, of which {} succeeded: {} of the throughput failed",
            units::format_tps(throughput),
            units::format_tps(throughput * (1.0 - share)),
            units::format_percent(*share)
        );
        Some(VerdictFigure::against_rule(trial.place_in_words(), text))
    });
    let least = told.iter().map(|(_, share)| *share).fold(f64::INFINITY, f64::min);
    // Where all trials count as many, the figures are too high and may still be compared.
    let weight = if most - least > FAILED_AT_MOST { Weight::Comparison } else { Weight::Figures };
    let consequence = "the throughput of these trials is partly of transactions that did nothing: compare those that \
                       succeeded";
    CheckResult::rule_broken(weight, figures.collect(), consequence)
}

/// The share of a trial's throughput that failed; absent where nothing tells.
fn failed_share_of_throughput(trial: &TrialAccount) -> Option<f64> {
    let throughput = trial.throughput_per_s.filter(|per_s| *per_s > 0.0)?;
    if let Some(goodput) = trial.goodput_per_s {
        return Some((1.0 - goodput / throughput).max(0.0));
    }
    let StatedTrialEnd::Whole { failed } = trial.end else { return None };
    if failed == 0 {
        return Some(0.0);
    }
    let counted = throughput * trial.measured_s.or(trial.stated_s)?;
    let succeeded = trial.transactions? as f64;
    let all = succeeded + failed as f64;
    match (is_count_of(counted, succeeded), is_count_of(counted, all)) {
        (true, _) => Some(0.0),
        (false, true) => Some(failed as f64 / all),
        (false, false) => None,
    }
}

/// Whether a throughput over its time counts so many transactions.
fn is_count_of(counted: f64, transactions: f64) -> bool {
    (counted - transactions).abs() <= COUNTED * transactions
}
