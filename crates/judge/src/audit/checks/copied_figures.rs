//! Two measurements are never equal to the last of many digits: where they are, one is a copy of the other.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "copied-figures",
        group: CodeGroup::Method,
        detects: "Trials of different sides or numbers of clients have the same figures to the last digit.",
        reported_if: "In a closed loop, throughput, latencies and transactions of two trials are all equal, and their \
                independent significant digits are together at least as many as the bound. Throughput, transactions and \
                mean latency follow from each other and count once, by the one with most digits; a percentile counts two \
                digits at most, since histograms round it.",
        thresholds: &[RuleThreshold::at_least("equal significant digits", DIGITS as f64, ThresholdUnit::Count)],
        effects: &[IssueEffect::Weakens],
        why: "One of the two was not measured.",
        evidence: "Throughput, latencies and transactions of each trial.",
        fix: "Measure the cell whose figures are a copy, or leave it out.",
        confirm: "Compare the figures with the outputs of the tool.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "no two trials of different sides or numbers of clients have figures that are equal in seven or more \
           independent significant digits",
    judge: check_copied_figures,
};

/// Throughput varies by a percent or so between trials: of seven digits that leaves a hundred thousand possible values.
const DIGITS: usize = 7;

/// What a percentile counts at most: buckets of histograms are a percent or two wide.
const OF_PERCENTILE: usize = 2;

/// Figures are compared to so many places.
const PLACES: usize = 6;

fn check_copied_figures(material: &Material) -> CheckResult {
    let told: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| trial.closed && trial.throughput_per_s.is_some()).collect();
    if !have_different_cells(&told) {
        return CheckResult::cannot_tell(
            "throughput of closed loops on two sides or at two numbers of clients",
            vec![],
        );
    }
    let mut by_figures: BTreeMap<(&str, String), Vec<&TrialAccount>> = BTreeMap::new();
    for trial in trials_with_equal_figures(&told) {
        by_figures.entry((&trial.workload, figures_as_printed(trial))).or_default().push(trial);
    }
    let mut figures = Vec::new();
    for equal in by_figures.values() {
        let Some((first, others)) = equal.split_first() else { continue };
        for other in others {
            if are_different_cells(first, other) {
                figures.extend(copied_figure(first, other));
            }
        }
    }
    if figures.is_empty() {
        let text = "no two trials have equal figures of many digits";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(format!("{} trials", told.len()), text)]);
    }
    let consequence =
        "one of the two trials was not measured: its figures were copied, or one output was read for both";
    CheckResult::rule_broken(Weight::Figures, figures, consequence)
}

/// Whether a workload was measured on two sides, or on one at two numbers of clients.
fn have_different_cells(trials: &[&TrialAccount]) -> bool {
    let mut first_of_workload: BTreeMap<&str, &TrialAccount> = BTreeMap::new();
    for trial in trials {
        if are_different_cells(first_of_workload.entry(&trial.workload).or_insert(trial), trial) {
            return true;
        }
    }
    false
}

/// Whether two trials of one workload are of two sides, or of two numbers of clients. The same cell may be told twice:
/// in a table and by its output.
fn are_different_cells(one: &TrialAccount, other: &TrialAccount) -> bool {
    one.side != other.side || one.clients != other.clients
}

/// Trials of whose figures another one of the workload probably has the same: of a million rows these are few, and only
/// theirs are kept as text.
fn trials_with_equal_figures<'a>(told: &[&'a TrialAccount]) -> Vec<&'a TrialAccount> {
    let hasher = RandomState::new();
    let mut hashes: Vec<(u64, u32)> = Vec::with_capacity(told.len());
    for (at, trial) in told.iter().enumerate() {
        hashes.push((hasher.hash_one((&trial.workload, figures_as_printed(trial))), at as u32));
    }
    hashes.sort_unstable();
    let mut equal: Vec<u32> = Vec::new();
    for alike in hashes.chunk_by(|one, other| one.0 == other.0).filter(|alike| alike.len() > 1) {
        equal.extend(alike.iter().map(|(_, at)| *at));
    }
    equal.sort_unstable();
    equal.into_iter().map(|at| told[at as usize]).collect()
}

/// All that was measured, by which trials are compared in one pass, also those of a table of a million rows.
fn figures_as_printed(trial: &TrialAccount) -> String {
    let places = [trial.throughput_per_s, trial.latency_ms_mean].map(|figure| {
        let printed = figure.map(|figure| format!("{figure:.PLACES$}"));
        printed.unwrap_or_default()
    });
    format!("{places:?} {:?} {:?}", trial.transactions, trial.percentiles_ms)
}

fn copied_figure(one: &TrialAccount, other: &TrialAccount) -> Option<VerdictFigure> {
    let digits = independent_digits(one);
    let text = format!(
        "{} as {}: equal in {digits} significant digits",
        one.throughput_per_s.map_or(String::new(), units::format_tps),
        other.place_in_words()
    );
    (digits >= DIGITS).then(|| VerdictFigure::against_rule(one.place_in_words(), text))
}

/// Digits of a trial's figures that do not follow from each other.
fn independent_digits(trial: &TrialAccount) -> usize {
    let counted = trial.transactions.filter(|_| trial.transactions_stated.is_none()).map(|count| count as f64);
    let of_work = [trial.throughput_per_s, trial.latency_ms_mean, counted];
    let most = of_work.into_iter().flatten().map(significant_digits).max().unwrap_or(0);
    most + trial.percentiles_ms.iter().map(|(_, ms)| significant_digits(*ms).min(OF_PERCENTILE)).sum::<usize>()
}

/// Significant digits of a figure without zeros at its end; of one that was told per minute, those of that.
fn significant_digits(figure: f64) -> usize {
    digits_as_printed(figure).min(digits_as_printed(figure * 60.0))
}

fn digits_as_printed(figure: f64) -> usize {
    let text = format!("{figure:.PLACES$}").replace('.', "");
    text.trim_matches('0').len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::material::{TrialCommon, TrialDetail};

    #[test]
    fn digits_are_those_that_were_told() {
        for (figure, expected) in
            [(1398.780875, 9), (2000.0, 1), (170_200.0, 4), (20_000.0 / 60.0, 1), (0.05, 1), (32.261, 5), (0.0, 0)]
        {
            assert_eq!(significant_digits(figure), expected, "{figure}");
        }
    }

    fn trial(side: &str, clients: u32, tps: f64) -> TrialAccount {
        let common =
            TrialCommon { side: side.to_owned(), clients: clients.into(), closed: true, ..TrialCommon::default() };
        TrialAccount {
            detail: TrialDetail { common: common.into(), ..TrialDetail::default() }.into(),
            throughput_per_s: Some(tps),
            latency_ms_mean: Some(f64::from(clients) / tps * 1e3),
            ..TrialAccount::default()
        }
    }

    #[test]
    fn equal_figures_are_a_copy_where_they_have_many_digits_and_are_of_other_cells() {
        let is_copied = |one: &TrialAccount, other: &TrialAccount| {
            let material = Material { trials: vec![one.clone(), other.clone()], ..Material::default() };
            matches!(check_copied_figures(&material).verdict, crate::audit::CheckRuling::Broken(_))
        };
        let measured = trial("a", 32, 1398.780875);
        assert!(is_copied(&measured, &trial("b", 32, 1398.780875)));
        assert!(!is_copied(&measured, &trial("b", 32, 1398.780876)));
        assert!(!is_copied(&measured, &measured), "one cell told twice");
        let rounded = |side| TrialAccount { latency_ms_mean: Some(23.0), ..trial(side, 32, 1398.8) };
        assert!(!is_copied(&rounded("a"), &rounded("b")), "few digits");
        let at_rate = |side| {
            let mut trial = trial(side, 32, 1398.780875);
            trial.closed = false;
            trial
        };
        assert!(!is_copied(&at_rate("a"), &at_rate("b")), "a rate was asked for");
    }
}
