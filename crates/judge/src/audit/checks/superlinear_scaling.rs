//! A client does not get more done because there are more clients, unless something else changed between the trials.

use super::{Check, RuleSubject};
use crate::audit::ladder::{MedianRung, first_differs, ladders_of_closed_loops};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "superlinear-scaling",
        group: CodeGroup::Method,
        detects: "Throughput per client rises with the number of clients, in trials that were not interleaved.",
        reported_if: "Trials were not interleaved in a random order, and throughput per client rises from one number of \
                clients to the next, by the medians and in most repetitions. It is not reported if the lower number was \
                measured again after the higher one with the same result: then nothing changed with time, and the rise \
                is one of the clients.",
        thresholds: &[RuleThreshold::more_than("rise of the throughput per client", TOLERANCE, ThresholdUnit::Share)],
        effects: &[IssueEffect::Weakens],
        why: "Something other than the clients changed between the trials, and may differ between the sides as well.",
        evidence: "Throughput per client at neighbouring numbers of clients.",
        fix: "Interleave the trials in a random order, as a plan of pgdyno does.",
        confirm: "Repeat the ladder in a random order.",
        formerly: &["more-per-client"],
    },
    about: RuleSubject::Transactions,
    rule: "throughput per client does not rise with the number of clients, where trials were not interleaved in a random order",
    judge: check_superlinear_scaling,
};

/// A rise by less is noise of single trials.
const TOLERANCE: f64 = 0.10;

fn check_superlinear_scaling(material: &Material) -> CheckResult {
    if material.design.interleaved {
        let text = "trials were interleaved in a random order, so that drift affects all cells equally";
        return material.holds_for_all_trials(text);
    }
    let ladders = ladders_of_closed_loops(material);
    if ladders.iter().all(|ladder| ladder.rungs.len() < 2) {
        return CheckResult::cannot_tell(
            "two or more numbers of clients, or trials interleaved in a random order",
            vec![],
        );
    }
    let mut figures = Vec::new();
    for ladder in &ladders {
        for pair in ladder.rungs.windows(2).filter(|pair| has_higher_rate_per_client(&pair[0], &pair[1])) {
            let ([low, at_low], [high, at_high]) = (throughput_per_client(&pair[0]), throughput_per_client(&pair[1]));
            figures.push(VerdictFigure::against_rule(
                ladder.place_in_words(),
                format!("{low} per client at {at_low}, {high} at {at_high}"),
            ));
        }
    }
    let first = first_differs(&ladders);
    if figures.is_empty() {
        let nowhere =
            VerdictFigure::within_rule(format!("{} ladders", ladders.len()), "throughput per client does not rise");
        return CheckResult::rule_holds([nowhere].into_iter().chain(first).collect());
    }
    let consequence = "something other than the clients changed between these trials, such as a cache that became \
                       warm, a neighbour that left, or the frequency of the CPUs. It may differ between the sides as \
                       well, and the figures cannot separate the two";
    CheckResult::rule_broken(Weight::Comparison, figures.into_iter().chain(first).collect(), consequence)
}

fn throughput_per_client(rung: &MedianRung) -> [String; 2] {
    let per_client = units::format_tps(rung.throughput_per_s / f64::from(rung.clients));
    [per_client, units::format_clients(rung.clients)]
}

/// Whether a client gets more done at the higher rung: by the medians, and in most of the repetitions where both have
/// as many. A single cold one is not the rung's.
fn has_higher_rate_per_client(low: &MedianRung, high: &MedianRung) -> bool {
    let more = |[low_per_s, high_per_s]: [f64; 2]| {
        high_per_s / f64::from(high.clients) > (1.0 + TOLERANCE) * low_per_s / f64::from(low.clients)
    };
    let in_each: Vec<bool> =
        low.each_per_s.iter().zip(&high.each_per_s).map(|(low, high)| more([*low, *high])).collect();
    let comparable = low.each_per_s.len() == high.each_per_s.len();
    let in_most = 2 * in_each.iter().filter(|is_more| **is_more).count() > in_each.len();
    more([low.throughput_per_s, high.throughput_per_s]) && (in_most || !comparable) && !is_rise_of_clients(low, high)
}

/// Whether the rise comes back with the clients: where the lower rung was measured again after the higher one, and
/// again gave less per client than each trial of the higher one, no cache that became warm, no neighbour that left and
/// no other change with time explains it. (Cores that wake up slowly while there is little to do are one cause.)
fn is_rise_of_clients(low: &MedianRung, high: &MedianRung) -> bool {
    let Some(first_high) = high.places.first() else { return false };
    let again: Vec<f64> = low
        .places
        .iter()
        .zip(&low.each_per_s)
        .filter(|(place, _)| *place > first_high)
        .map(|(_, per_s)| *per_s)
        .collect();
    let least_high = high.each_per_s.iter().copied().fold(f64::INFINITY, f64::min) / f64::from(high.clients);
    !again.is_empty() && again.iter().all(|per_s| (1.0 + TOLERANCE) * per_s / f64::from(low.clients) < least_high)
}
