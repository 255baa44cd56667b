//! Every trial that was to be made was made, ran to its end, and failed next to nothing.

use std::collections::{BTreeMap, BTreeSet};

use results::imported::StatedAverage;
use results::trial::ClientCount;

use super::ended_early::trials_that_ended_early;
use super::{Check, RuleSubject};
use crate::audit::material::{Material, Residency, StatedTrialEnd, TrialAccount, lowercase_words};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::FAILED_AT_MOST;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "incomplete-cells",
        group: CodeGroup::Method,
        detects: "A cell is missing, ended early or lost clients, or more than 1 % of its transactions failed or were skipped.",
        reported_if: "A cell has no result at a planned number of clients, ended early or did fewer transactions than \
                requested. A trial that is shorter than declared ended early if most others lasted as declared and its \
                throughput and latency agree with the clients. Or too many of its transactions failed or were skipped. Or repetitions are missing between \
                others of a cell that another cell has. Or averages of one row of a table are over different rows.",
        thresholds: &[
            RuleThreshold::more_than("failed transactions", FAILED_AT_MOST, ThresholdUnit::Share),
            RuleThreshold::more_than("skipped transactions, alternatively", FAILED_AT_MOST, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens],
        why: "Cells that fail are often the informative ones: without them the remaining figures are biased.",
        evidence: "Cells without a result, errors, failed and skipped transactions.",
        fix: "Find out why the cell fails, and measure it again.",
        confirm: "Repeat the cell; it runs to its end.",
        formerly: &["aborted"],
    },
    about: RuleSubject::Transactions,
    rule: "every cell was measured to its end without lost clients, and at most 1 % of its transactions failed or were \
           skipped as too late; averages that are compared are over the same cells",
    judge: check_incomplete_cells,
};

fn check_incomplete_cells(material: &Material) -> CheckResult {
    let (mut figures, unlike): (Vec<VerdictFigure>, Vec<VerdictFigure>) =
        missing_client_figures(material).into_iter().partition(|missing| missing.breaks);
    figures.extend(material.trials.iter().filter_map(ended_badly));
    figures.extend(trials_that_ended_early(material).into_iter().filter_map(short_trial_figure));
    figures.extend(missing_repetition_figures(material));
    figures.extend(material.computed.averages.iter().filter_map(average_over_unlike_rows));
    if !figures.is_empty() {
        let consequence = "cells that are missing or ended early are often those in which something failed, so the \
                           remaining figures are biased towards good ones";
        return CheckResult::rule_broken(Weight::Conclusion, figures.into_iter().chain(unlike).collect(), consequence);
    }
    if !unlike.is_empty() {
        let needs = "the planned numbers of clients of each side: a ladder that differs from another may be complete";
        return CheckResult::cannot_tell(needs, unlike);
    }
    if material.trials.iter().any(|trial| trial.end == StatedTrialEnd::Unknown) || material.trials.is_empty() {
        return CheckResult::cannot_tell(
            "the number of failed transactions and the exit status of every trial",
            vec![],
        );
    }
    CheckResult::rule_holds(vec![VerdictFigure::within_rule(
        format!("{} trials", material.trials.len()),
        "ran to their end",
    )])
}

/// Averages of one row that are of one quantity, as their columns share a word, and over unlike rows.
fn average_over_unlike_rows(average: &StatedAverage) -> Option<VerdictFigure> {
    for (index, one) in average.columns.iter().enumerate() {
        for other in &average.columns[index + 1..] {
            let words = lowercase_words(&other.column);
            let is_one_quantity = lowercase_words(&one.column).iter().any(|word| words.contains(word));
            if !is_one_quantity || one.over == other.over {
                continue;
            }
            let text = format!(
                "the average of {} ({}) is over {}, that of {} ({}) over {}",
                one.column,
                one.average,
                one.over.join(", "),
                other.column,
                other.average,
                other.over.join(", ")
            );
            return Some(VerdictFigure::against_rule(average.source.clone(), text));
        }
    }
    None
}

fn ended_badly(trial: &TrialAccount) -> Option<VerdictFigure> {
    let failed = match &trial.end {
        StatedTrialEnd::Cut { reason } => {
            return Some(VerdictFigure::against_rule(trial.place_in_words(), reason.clone()));
        }
        StatedTrialEnd::Whole { failed } => Some(*failed),
        StatedTrialEnd::Unknown => None,
    };
    let others = failed.unwrap_or(0) + trial.skipped.unwrap_or(0);
    let short = trial.transactions.zip(trial.transactions_stated).filter(|(done, asked)| done + others < *asked);
    if let Some((done, asked)) = short {
        return Some(VerdictFigure::against_rule(
            trial.place_in_words(),
            format!("{done} of {asked} requested transactions"),
        ));
    }
    if let Some(skipped) = skipped_transactions_figure(trial) {
        return Some(skipped);
    }
    let failed = failed?;
    let of = trial.transactions? + failed;
    (failed as f64 > FAILED_AT_MOST * of as f64).then(|| {
        VerdictFigure::against_rule(
            trial.place_in_words(),
            format!("{failed} of {of} transactions failed{}", trial.failed_because),
        )
    })
}

/// A trial that was shorter than declared, of which nobody says why.
fn short_trial_figure(trial: &TrialAccount) -> Option<VerdictFigure> {
    if matches!(trial.end, StatedTrialEnd::Cut { .. }) {
        return None;
    }
    let text = format!("ended after {:.0} of {:.0} s: aborted, as it seems", trial.lasted_s()?, trial.stated_s?);
    Some(VerdictFigure::against_rule(trial.place_in_words(), text))
}

/// Transactions that arrived and were not begun, as they were late by more than a limit.
fn skipped_transactions_figure(trial: &TrialAccount) -> Option<VerdictFigure> {
    let skipped = trial.skipped?;
    let arrived = trial.transactions? + skipped;
    let text = format!("{skipped} of {arrived} transactions were skipped as too late; the latencies exclude them");
    (skipped as f64 > FAILED_AT_MOST * arrived as f64)
        .then(|| VerdictFigure::against_rule(trial.place_in_words(), text))
}

/// Repetitions that are missing between others of a cell. They are numbered within each cell where another cell has all
/// numbers of this one, and more; numbers that go on over all trials are no cell's own.
fn missing_repetition_figures(material: &Material) -> Vec<VerdictFigure> {
    let mut numbers: BTreeMap<(&str, &str, ClientCount), BTreeSet<u32>> = BTreeMap::new();
    for trial in &material.trials {
        let own = numbers.entry((&trial.side, &trial.workload, trial.clients)).or_default();
        own.extend(trial.repetition);
    }
    let distinct: BTreeSet<&BTreeSet<u32>> = numbers.values().collect();
    let mut figures = Vec::new();
    for ((side, workload, clients), own) in &numbers {
        let Some(last) = own.last() else { continue };
        let others = distinct.iter().filter(|other| own.is_subset(other));
        let Some(whole) = others.max_by_key(|other| other.len()) else { continue };
        let missing: Vec<String> =
            whole.difference(own).filter(|number| *number < last).map(ToString::to_string).collect();
        if !missing.is_empty() {
            let place = format!("{side}, {workload}, {}", units::format_clients(*clients));
            let text = format!("no result of the repetitions {} before repetition {last}", missing.join(", "));
            figures.push(VerdictFigure::against_rule(place, text));
        }
    }
    figures
}

/// The sides without a result, in quotes: one may be called `none`.
fn without_result_in_words(without: &[&str], sides: usize) -> String {
    if without.len() == sides {
        return "no result of any side".to_owned();
    }
    let names: Vec<String> = without.iter().map(|name| format!("{name:?}")).collect();
    format!("no result of {}", names.join(", "))
}

/// Numbers of clients that a side has no result at: against the rule those that are stated for the workload's data, or
/// for all sides alike; of others, which another side was measured at, nobody says that they were to be made.
fn missing_client_figures(material: &Material) -> Vec<VerdictFigure> {
    let mut workloads: Vec<(&str, Option<Residency>)> = Vec::new();
    for trial in &material.trials {
        let workload = (trial.workload.as_str(), trial.residency);
        if !workloads.contains(&workload) {
            workloads.push(workload);
        }
    }
    let mut figures = Vec::new();
    for (workload, residency) in workloads {
        let of_workload = || material.trials.iter().filter(move |t| t.workload == workload && t.residency == residency);
        // Of a trial at a number of clients that nobody tells, any may be the one that is missing.
        if of_workload().any(|trial| trial.clients.is_unknown()) {
            continue;
        }
        let stated = material.design.stated_clients.iter();
        let stated: Vec<u32> = stated
            .filter(|(of, _)| of.is_none() || *of == residency)
            .flat_map(|(_, clients)| clients.clone())
            .collect();
        let told = of_workload().filter_map(|trial| trial.clients.known_count());
        let mut wanted: Vec<u32> = told.chain(stated.iter().copied()).collect();
        wanted.sort_unstable();
        wanted.dedup();
        for clients in wanted {
            let without: Vec<&str> = material
                .sides
                .iter()
                .map(|side| side.name.as_str())
                .filter(|side| !of_workload().any(|trial| trial.side == *side && trial.clients == clients))
                .collect();
            if !without.is_empty() {
                let of = format!("{workload}, {}", units::format_clients(clients));
                let text = without_result_in_words(&without, material.sides.len());
                let breaks = material.design.same_clients || stated.contains(&clients);
                figures.push(VerdictFigure { of, text, breaks });
            }
        }
    }
    figures
}
