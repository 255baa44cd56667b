//! What was completed, divided by the throughput, is how long it took: it should be as long as stated. The throughput
//! of a trial is the mean of that of its intervals.

use stats::estimate::mean_estimate;

use super::ended_early::trials_that_ended_early;
use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "duration-mismatch",
        group: CodeGroup::Method,
        detects: "Transactions divided by throughput is not the declared duration, or the throughput is not the mean of its intervals.",
        reported_if: "The mean over the intervals of a trial differs from its throughput, which weakens the figures. Or \
                transactions / throughput differs from the declared duration by more than the bound and the ends of the \
                trial, which informs. A trial that ended early while most lasted as declared is incomplete-cells.",
        thresholds: &[
            RuleThreshold::more_than("difference of the mean over the intervals", OF_INTERVALS, ThresholdUnit::Share),
            RuleThreshold::at_least("intervals of the trial", INTERVALS as f64, ThresholdUnit::Count),
            RuleThreshold::more_than("difference from the declared duration", TOLERANCE, ThresholdUnit::Share),
        ],
        effects: &[IssueEffect::Weakens, IssueEffect::Informs],
        why: "The trials were not run as described.",
        evidence: "Transactions, throughput, intervals and declared duration of each trial.",
        fix: "Describe the trials as they were run.",
        confirm: "Repeat with the declared duration.",
        formerly: &["duration"],
    },
    about: RuleSubject::Transactions,
    rule: "transactions / throughput is the declared duration within 5 % plus connection time, one transaction of each \
           client and one slice; the throughput of a trial is the mean over its intervals, within 10 % or their noise",
    judge: check_duration_mismatch,
};

const TOLERANCE: f64 = 0.05;

/// Intervals may leave out the begin or the end of a trial, which moves their mean by a few percent.
const OF_INTERVALS: f64 = 0.1;

/// Fewer intervals may be a piece of the trial.
const INTERVALS: usize = 10;

/// The noise of intervals has a memory, for which their mean is further off than its interval says.
const WITH_MEMORY: f64 = 3.0;

fn check_duration_mismatch(material: &Material) -> CheckResult {
    let contradicted: Vec<VerdictFigure> = material.trials.iter().filter_map(unlike_its_intervals).collect();
    if !contradicted.is_empty() {
        let consequence = "the intervals and the summary are of different trials, or one of the two was changed";
        return CheckResult::rule_broken(Weight::Figures, contradicted, consequence);
    }
    let told: Vec<(&TrialAccount, f64, f64)> = material
        .trials
        .iter()
        .filter(|trial| lacks_s(material, trial).is_some())
        .filter_map(|trial| Some((trial, trial.stated_s?, trial.lasted_s()?)))
        .collect();
    if told.is_empty() {
        return CheckResult::cannot_tell(
            "the declared duration, and transactions and throughput of the trials",
            vec![],
        );
    }
    // One that was aborted is described by what it was to be, and is a case of `incomplete-cells`.
    let early = trials_that_ended_early(material);
    let mut off: Vec<&(&TrialAccount, f64, f64)> = told.iter().collect();
    off.retain(|(trial, ..)| {
        lacks_s(material, trial) != Some(0.0) && !early.iter().any(|other| std::ptr::eq(*other, *trial))
    });
    if off.is_empty() {
        let text = "the trials lasted as long as declared";
        let whole = told.len() - early.len();
        let mut figures = vec![VerdictFigure::within_rule(format!("{whole} of {} trials", told.len()), text)];
        figures
            .extend(early.into_iter().map(|trial| VerdictFigure::within_rule(trial.place_in_words(), "ended early")));
        return CheckResult::rule_holds(figures);
    }
    let mut figures = Vec::new();
    for side in &material.sides {
        let here: Vec<_> = off.iter().filter(|(trial, ..)| trial.side == side.name).collect();
        let (least, most) =
            here.iter().fold((f64::INFINITY, 0.0_f64), |(least, most), (.., s)| (least.min(*s), most.max(*s)));
        if let Some((_, stated, _)) = here.first() {
            let text = format!("{least:.0} to {most:.0} s instead of {stated:.0} s");
            figures.push(VerdictFigure::against_rule(format!("{}, {} trials", side.name, here.len()), text));
        }
    }
    let consequence = "the trials were not run as described: other parts of the description may be wrong as well, and \
                       a repetition by the description repeats something else";
    CheckResult::rule_broken(Weight::Description, figures, consequence)
}

/// By how much a trial was shorter than declared, in seconds: negative where it was longer, and zero within what the
/// ends of a trial and its turns explain; absent where one of the two is not known.
pub(super) fn lacks_s(material: &Material, trial: &TrialAccount) -> Option<f64> {
    let (stated, lasted) = (trial.stated_s?, trial.lasted_s()?);
    let ends_s = trial.connecting_s.unwrap_or_default() + last_transactions_s(trial)?;
    // Sides that take turns have whole ones, and each lasts until its last transactions have ended: one whose
    // transactions are long has more than its share of the time, and the other one less.
    let of_turns_s = trial.turns.map_or(0.0, |turns| turns.length_s + longest_ending(material, trial) * lasted);
    let is_as_declared = (lasted - stated).abs() <= TOLERANCE * stated + ends_s + of_turns_s;
    Some(if is_as_declared { 0.0 } else { stated - lasted })
}

/// A trial whose intervals have another throughput than itself.
fn unlike_its_intervals(trial: &TrialAccount) -> Option<VerdictFigure> {
    let each = &trial.each_per_s;
    // Those who count time to connect in one of the two do so where each transaction connects.
    if each.len() < INTERVALS || trial.reconnects == Some(true) {
        return None;
    }
    let (throughput, mean) = (trial.throughput_per_s?, mean_estimate(each)?);
    let off = (mean.point - throughput).abs();
    let noise = WITH_MEMORY * (mean.interval.high - mean.point);
    (off > OF_INTERVALS * throughput && off > noise).then(|| {
        let text =
            format!("{throughput:.0} tps, but {:.0} tps on average over its {} intervals", mean.point, each.len());
        VerdictFigure::against_rule(format!("{}, {}", trial.side, trial.workload), text)
    })
}

/// The largest share of a turn's time that its ends take of the sides that took turns there.
fn longest_ending(material: &Material, trial: &TrialAccount) -> f64 {
    let there =
        material.trials.iter().filter(|other| (&other.workload, other.clients) == (&trial.workload, trial.clients));
    there.filter_map(|other| Some(other.turns?.ending)).fold(0.0, f64::max)
}

/// Each client's last transaction ends after the time is up, or is left out: clients / throughput is one latency.
/// Absent where neither is known.
fn last_transactions_s(trial: &TrialAccount) -> Option<f64> {
    match (trial.throughput_per_s.filter(|tps| *tps > 0.0), trial.clients.known_count()) {
        (None, _) => Some(0.0),
        (Some(tps), Some(clients)) => Some(f64::from(clients) / tps),
        (Some(_), None) => trial.latency_ms_mean.map(|ms| ms / 1e3),
    }
}
