//! A percentile is not below a lower one, nor a mean outside of what it is the mean of.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "latency-order",
        group: CodeGroup::Method,
        detects: "A higher percentile of latency is below a lower one, or the mean lies outside the minimum and the \
                  maximum.",
        reported_if: "A higher percentile is lower than a smaller one, the mean is above the maximum, or it is below the \
                minimum, by more than rounding and the bound.",
        thresholds: &[RuleThreshold::more_than("difference", OF_BUCKETS, ThresholdUnit::Share)],
        effects: &[IssueEffect::Weakens],
        why: "The latencies are not of one trial, or are mistyped.",
        evidence: "Percentiles, mean, minimum and maximum of each trial's latency.",
        fix: "Report the latencies of one trial, as measured.",
        confirm: "Repeat the trial.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "a higher percentile of a trial's latency is not below a lower one, and the mean lies between the minimum \
           and the maximum",
    judge: check_latency_order,
};

/// Percentiles of a histogram are its buckets'.
const OF_BUCKETS: f64 = 0.05;

fn check_latency_order(material: &Material) -> CheckResult {
    let told: Vec<&TrialAccount> = material.trials.iter().filter(|trial| trial.percentiles_ms.len() > 1).collect();
    if told.is_empty() {
        return CheckResult::cannot_tell(
            "two or more percentiles of a trial's latency, or its minimum and maximum",
            vec![],
        );
    }
    let figures: Vec<VerdictFigure> = told.iter().filter_map(|trial| out_of_order(trial)).collect();
    if figures.is_empty() {
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(
            format!("{} trials", told.len()),
            "the percentiles are in order",
        )]);
    }
    let consequence = "the latencies are not of one trial, or columns or units were confused; other figures of the \
                       same row may be wrong as well";
    CheckResult::rule_broken(Weight::Figures, figures, consequence)
}

fn out_of_order(trial: &TrialAccount) -> Option<VerdictFigure> {
    let allowed = |ms: f64| trial.latency_ms_rounding + OF_BUCKETS * ms;
    let falls = trial.percentiles_ms.windows(2).find(|pair| pair[1].1 < pair[0].1 - allowed(pair[0].1));
    if let Some(pair) = falls {
        let [low, high] =
            [pair[0], pair[1]].map(|(percent, ms)| (percentile_name(percent), units::format_milliseconds(ms)));
        let text = format!("{} is {}, {} only {}", low.0, low.1, high.0, high.1);
        return Some(VerdictFigure::against_rule(trial.place_in_words(), text));
    }
    let mean = trial.latency_ms_mean?;
    let beyond = percentile_ms(trial, 100.0).filter(|largest| mean > largest + allowed(*largest));
    let below = percentile_ms(trial, 0.0).filter(|smallest| mean < smallest - allowed(*smallest));
    let (limit, what) = beyond.map(|ms| (ms, "maximum")).or(below.map(|ms| (ms, "minimum")))?;
    let [mean, limit] = [mean, limit].map(units::format_milliseconds);
    Some(VerdictFigure::against_rule(trial.place_in_words(), format!("the mean is {mean}, the {what} {limit}")))
}

fn percentile_ms(trial: &TrialAccount, wanted: f64) -> Option<f64> {
    trial.percentiles_ms.iter().find(|(percent, _)| *percent == wanted).map(|(_, ms)| *ms)
}

fn percentile_name(percent: f64) -> String {
    match percent {
        0.0 => "the minimum".to_owned(),
        100.0 => "the maximum".to_owned(),
        percent => format!("p{percent}"),
    }
}
