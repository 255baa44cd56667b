//! Sides that are measured at the same time share nothing: neither a machine, nor a disk, nor a generator.

use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "concurrent-sides",
        group: CodeGroup::Method,
        detects: "Sides were measured at the same time on one machine.",
        reported_if: "The trials of two sides overlap in time, and the study declares the same host for both. If it does not \
                say where the sides were, the audit names the overlap and the rule is undecided.",
        thresholds: &[RuleThreshold::at_least(
            "overlap, relative to the time of a side's trials",
            OVERLAP,
            ThresholdUnit::Share,
        )],
        effects: &[IssueEffect::Weakens],
        why: "Each side has what the other leaves of the CPUs, the disk and the generator: the difference is hidden or made \
              by that.",
        evidence: "Start and end of the trials.",
        fix: "Measure the sides one after the other, in interleaved blocks.",
        confirm: "Repeat a trial of each side alone.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "trials of different sides overlap for less than 10 % of their time, unless the sides share no host",
    judge: check_concurrent_sides,
};

/// Trials that follow each other closely may overlap while clients connect.
const OVERLAP: f64 = 0.1;

/// Two sides whose trials overlap.
struct OverlappingSides<'a> {
    sides: [&'a AuditedSide; 2],
    /// Of the time of the trials of the one that was measured for less.
    share: f64,
}

impl OverlappingSides<'_> {
    fn in_words(&self) -> String {
        let [one, other] = self.sides.map(|side| side.name.as_str());
        format!("{one} and {other} were measured at the same time for {}", units::format_percent(self.share))
    }

    /// Whether both were on one host; absent where it is not said of both.
    fn share_host(&self) -> Option<bool> {
        let [one, other] = self.sides.map(|side| side.host.as_ref());
        Some(one? == other?)
    }
}

fn check_concurrent_sides(material: &Material) -> CheckResult {
    if material.design.interleaved {
        return material.holds_for_all_trials("the sides were interleaved");
    }
    if material.sides.iter().filter(|side| !times_of(material, &side.name).is_empty()).count() < 2 {
        return CheckResult::cannot_tell("start and length of the trials of two sides", vec![]);
    }
    let overlapping = overlapping_sides(material);
    let mut figures: Vec<VerdictFigure> = Vec::new();
    for pair in &overlapping {
        let breaks = pair.share_host() == Some(true);
        figures.push(VerdictFigure { of: material.extent_of_sides(), text: pair.in_words(), breaks });
    }
    if figures.iter().any(|figure| figure.breaks) {
        let consequence = "each side had what the other one left of the CPUs, the memory and the disk of their host, so \
                           the figures are of neither alone";
        return CheckResult::rule_broken(Weight::Comparison, figures, consequence);
    }
    if overlapping.iter().any(|pair| pair.share_host().is_none()) {
        return CheckResult::cannot_tell("the host of each side (hardware.host)", figures);
    }
    if figures.is_empty() {
        return material.holds_for_all_trials("the sides were measured one after the other");
    }
    CheckResult::rule_holds(figures)
}

/// What is to be known of sides that were measured at the same time, of which nobody says where: one sentence each.
pub(in crate::audit) fn overlaps_of_unknown_hosts(material: &Material) -> Vec<String> {
    if material.design.interleaved {
        return Vec::new();
    }
    let mut sentences = Vec::new();
    for pair in overlapping_sides(material).iter().filter(|pair| pair.share_host().is_none()) {
        sentences.push(format!(
            "{} of the time: if they share a host, a disk or a generator, each had what the other one left",
            pair.in_words()
        ));
    }
    sentences
}

fn times_of(material: &Material, side: &str) -> Vec<[f64; 2]> {
    material.trials.iter().filter(|trial| trial.side == side).filter_map(|trial| trial.measured_at_s).collect()
}

fn overlapping_sides(material: &Material) -> Vec<OverlappingSides<'_>> {
    let mut found = Vec::new();
    for (index, one) in material.sides.iter().enumerate() {
        for other in &material.sides[index + 1..] {
            let times = [one, other].map(|side| times_of(material, &side.name));
            let share = overlap_share(times);
            if share >= OVERLAP {
                found.push(OverlappingSides { sides: [one, other], share });
            }
        }
    }
    found
}

/// The time that the trials of two sides have in common, as a share of the shorter of their times.
fn overlap_share([one, other]: [Vec<[f64; 2]>; 2]) -> f64 {
    let [one_s, other_s] = [&one, &other].map(|times| times.iter().map(|[start, end]| end - start).sum::<f64>());
    let shorter = one_s.min(other_s);
    if shorter <= 0.0 {
        return 0.0;
    }
    let mut common = 0.0;
    for [start, end] in &one {
        for [other_start, other_end] in &other {
            common += (end.min(*other_end) - start.max(*other_start)).max(0.0);
        }
    }
    common / shorter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlap_is_a_share_of_the_shorter_time() {
        for (one, other, expected) in [
            (vec![[0.0, 100.0]], vec![[100.0, 200.0]], 0.0),
            (vec![[0.0, 100.0]], vec![[2.0, 102.0]], 0.98),
            (vec![[0.0, 100.0], [200.0, 300.0]], vec![[100.0, 200.0], [290.0, 390.0]], 0.05),
            (vec![[0.0, 100.0]], vec![], 0.0),
        ] {
            assert!((overlap_share([one.clone(), other.clone()]) - expected).abs() < 1e-9, "{one:?} {other:?}");
        }
    }
}
