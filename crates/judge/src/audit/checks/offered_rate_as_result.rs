//! The throughput of a load that arrives at a rate is that rate: it says that a side keeps up, and not what it can do.

use std::collections::BTreeSet;

use results::imported::FigureToldTwice;

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "offered-rate-as-result",
        group: CodeGroup::Load,
        detects: "The throughput of sides that were offered the same rate is compared, and no latency.",
        reported_if: "Every trial of a workload was offered a rate and kept up with it, and the tables of the study have its \
                throughput on two sides or more and none of its latencies.",
        thresholds: &[
            RuleThreshold::at_most("difference of the throughput from the rate", KEPT_UP, ThresholdUnit::Share),
            RuleThreshold::at_most("schedule lag, relative to the latency", LAG, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens],
        why: "Sides that keep up with a rate have the same throughput, whatever they are capable of.",
        evidence: "The rate that was offered, the throughput and the schedule lag of each trial.",
        fix: "Compare the latencies at this rate, or measure without a rate.",
        confirm: "Measure a closed loop, or raise the rate until a side falls behind.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "where the load arrives at a rate that the sides keep up with, latencies are compared and not the throughput",
    judge: check_offered_rate_as_result,
};

/// How far the throughput of a trial that keeps up is from its rate: arrivals are random.
const KEPT_UP: f64 = 0.02;

/// Transactions that begin later than this share of the latency wait for the server.
const LAG: f64 = 0.5;

fn check_offered_rate_as_result(material: &Material) -> CheckResult {
    let offered: Vec<&TrialAccount> = material.trials.iter().filter(|trial| trial.offered_per_s.is_some()).collect();
    if offered.is_empty() {
        let are_closed = material.trials.iter().all(|trial| trial.closed);
        let text = if are_closed { "no rate was offered" } else { "loads with a rate are compared by their latencies" };
        return material.holds_for_all_trials(text);
    }
    let behind: Vec<&&TrialAccount> = offered.iter().filter(|trial| !keeps_up(trial)).collect();
    if let Some(trial) = behind.first() {
        let text = "the throughput is below the rate that was offered";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(trial.place_in_words(), text)]);
    }
    let has_latency = offered.iter().any(|trial| is_row(trial) && tells_latency(trial))
        || material.told_twice.iter().any(|twice| twice.has_latency_in_table);
    if has_latency {
        let text = "the tables have latencies";
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(Material::extent_of_trials(offered), text)]);
    }
    let compared: Vec<&&TrialAccount> =
        offered.iter().filter(|trial| is_row(trial) || has_throughput_in_table(material, trial)).collect();
    let sides: BTreeSet<&str> = compared.iter().map(|trial| trial.side.as_str()).collect();
    if sides.len() < 2 {
        let needs = "what is compared of the loads with a rate: their throughput or their latencies";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let mut figures = Vec::new();
    for trial in compared {
        let (Some(rate), Some(throughput)) = (trial.offered_per_s, trial.throughput_per_s) else { continue };
        let text =
            format!("{} of {} per second that were offered", units::format_tps(throughput), units::format_tps(rate));
        figures.push(VerdictFigure::against_rule(trial.place_in_words(), text));
    }
    let consequence = "the throughput of these trials is the rate that they were given: it is the same on every side \
                       that keeps up, and shows neither what a side can do nor whether one is slower";
    CheckResult::rule_broken(Weight::Conclusion, figures, consequence)
}

fn keeps_up(trial: &TrialAccount) -> bool {
    let (Some(rate), Some(throughput)) = (trial.offered_per_s, trial.throughput_per_s) else { return false };
    let is_late = trial.lag_ms_mean.zip(trial.latency_ms_mean).is_some_and(|(lag, latency)| lag > LAG * latency);
    (throughput / rate - 1.0).abs() <= KEPT_UP && !is_late
}

/// Whether a person wrote it into a table.
fn is_row(trial: &TrialAccount) -> bool {
    trial.tool.is_none()
}

fn tells_latency(trial: &TrialAccount) -> bool {
    trial.latency_ms_mean.is_some() || !trial.percentiles_ms.is_empty()
}

fn has_throughput_in_table(material: &Material, trial: &TrialAccount) -> bool {
    material.told_twice.iter().any(|twice| {
        twice.figure == FigureToldTwice::Throughput
            && (&twice.cell.target, &twice.cell.workload, twice.cell.clients)
                == (&trial.side, &trial.workload, trial.clients)
    })
}
