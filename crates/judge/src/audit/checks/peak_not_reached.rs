//! Peaks can be compared only where the ladders reach them.

use super::{Check, RuleSubject};
use crate::audit::ladder::{SideLadder, ladders_of_closed_loops};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "peak-not-reached",
        group: CodeGroup::Method,
        detects: "The highest throughput over the clients is compared although throughput still rises at the last number of clients.",
        reported_if: "A study compares the highest throughputs over the clients, as it declares or as the title of its page \
                says (peak throughput, maximum TPS), and throughput still rises at the last number of clients.",
        thresholds: &[RuleThreshold::at_least(
            "gain at the last number of clients",
            stats::ladder::PEAK_GAIN,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens],
        why: "The highest figure depends on where the ladder ends and not on the server.",
        evidence: "Throughput at the last two numbers of clients.",
        fix: "Add clients until throughput stops rising.",
        confirm: "Repeat with more clients.",
        formerly: &["peaks"],
    },
    about: RuleSubject::Transactions,
    rule: "where peak throughputs are compared, the last rung of each ladder gains less than 5 % over the one before \
           it",
    judge: check_peak_not_reached,
};

fn check_peak_not_reached(material: &Material) -> CheckResult {
    let told: Vec<SideLadder<'_>> =
        ladders_of_closed_loops(material).into_iter().filter(|ladder| ladder.rungs.len() >= 2).collect();
    match material.design.compares_peaks {
        None => {
            // What a claim of a peak would rest on.
            let figures = told.iter().map(|ladder| VerdictFigure { breaks: false, ..peak_figure(ladder) }).collect();
            CheckResult::cannot_tell("what is compared: peaks, or figures at the same number of clients", figures)
        }
        Some(false) => material.holds_for_all_trials("no peaks are compared"),
        Some(true) if told.is_empty() => CheckResult::cannot_tell("figures at two or more numbers of clients", vec![]),
        Some(true) => {
            let figures: Vec<VerdictFigure> = told.iter().map(peak_figure).collect();
            if figures.iter().all(|figure| !figure.breaks) {
                return CheckResult::rule_holds(figures);
            }
            let consequence = "the highest figure of a ladder that still rises depends on where the ladder ends and \
                               not on the server, so the ratio of these figures does not compare the servers";
            CheckResult::rule_broken(Weight::Conclusion, figures, consequence)
        }
    }
}

fn peak_figure(ladder: &SideLadder<'_>) -> VerdictFigure {
    let highest = ladder.rungs.iter().max_by(|a, b| a.throughput_per_s.total_cmp(&b.throughput_per_s));
    let (Some(highest), Some(gain)) = (highest, ladder.last_gain()) else {
        return VerdictFigure::within_rule(ladder.place_in_words(), "one rung");
    };
    let place =
        format!("{} at {}", units::format_tps(highest.throughput_per_s), units::format_clients(highest.clients));
    if gain >= stats::ladder::PEAK_GAIN {
        let text = format!("{place}, still {} on the last rung: not reached", units::format_change(gain));
        VerdictFigure::against_rule(ladder.place_in_words(), text)
    } else {
        VerdictFigure::within_rule(
            ladder.place_in_words(),
            format!("{place}, {} on the last rung: reached", units::format_change(gain)),
        )
    }
}
