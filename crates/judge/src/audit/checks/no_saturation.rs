//! Throughput in proportion to the clients at constant latency measures a fixed delay, such as the path's round trip,
//! and not the server.

use super::{Check, RuleSubject};
use crate::audit::ladder::{MedianRung, SideLadder, first_differs, ladders_of_closed_loops};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::OUTSIDE_DECIDES;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "no-saturation",
        group: CodeGroup::Method,
        detects: "Throughput rises in proportion to the clients over the whole ladder.",
        reported_if: "Over a whole ladder of clients, throughput rises in proportion to them, and a delay outside the server accounts for it. \
                      If that share is not known, there must be more clients than CPUs. If the CPUs are not known either, a statement \
                      must take longer than the bound below.",
        thresholds: &[
            RuleThreshold::at_least("exponent of throughput over clients", PROPORTIONAL, ThresholdUnit::Count),
            RuleThreshold::at_least("numbers of clients on the ladder", RUNGS_AT_LEAST as f64, ThresholdUnit::Count),
            RuleThreshold::at_least(
                "highest number of clients, relative to the lowest",
                CLIENTS_RATIO_AT_LEAST,
                ThresholdUnit::Times,
            ),
            RuleThreshold::at_least("latency outside the server, if known", OUTSIDE_DECIDES, ThresholdUnit::Share),
            RuleThreshold::at_least(
                "latency per statement, if neither it nor the CPUs are known",
                MOST_OF_A_STATEMENT_MS,
                ThresholdUnit::Milliseconds,
            ),
        ],
        effects: &[IssueEffect::Weakens],
        why: "The clients never load the server, so a difference is one of a fixed delay and not of the servers' \
              capacity.",
        evidence: "Throughput and latency at the lowest and highest number of clients.",
        fix: "Add clients until throughput stops rising.",
        confirm: "Repeat with more clients; the verdict may change.",
        formerly: &["saturation"],
    },
    about: RuleSubject::Transactions,
    rule: "at least one number of clients loads the server: throughput does not rise in proportion to the clients over \
           the whole ladder",
    judge: check_no_saturation,
};

/// Fewer rungs, or a narrower ladder, show nothing.
const RUNGS_AT_LEAST: usize = 3;
const CLIENTS_RATIO_AT_LEAST: f64 = 4.0;

/// From this exponent a of throughput ∝ clients^a on, the ladder is proportional: over four times the clients,
/// throughput rises 3.5 times.
const PROPORTIONAL: f64 = 0.9;

fn check_no_saturation(material: &Material) -> CheckResult {
    let told: Vec<SideLadder<'_>> = ladders_of_closed_loops(material).into_iter().filter(is_wide).collect();
    if told.is_empty() {
        let needs = "three or more numbers of clients of a closed loop, the highest at least four times the lowest";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let judged: Vec<(VerdictFigure, LadderDelay)> =
        told.iter().map(|ladder| saturation_figure(material, ladder)).collect();
    let [fixed, idle] =
        [LadderDelay::Fixed, LadderDelay::Idle].map(|wanted| judged.iter().any(|(_, delay)| *delay == wanted));
    let figures = judged.into_iter().map(|(figure, _)| figure).chain(first_differs(&told)).collect();
    if fixed {
        let consequence = "each transaction waited for a delay that does not depend on the load: the round trip of the \
                           route or, for writes, the flush of the commit. The clients did not load the server, so a \
                           difference is one of that delay and not of the servers' capacity: add clients until \
                           throughput stops rising";
        CheckResult::rule_broken(Weight::Comparison, figures, consequence)
    } else if idle {
        CheckResult::cannot_tell("the number of the server's CPUs, and more clients than CPUs", figures)
    } else {
        CheckResult::rule_holds(figures)
    }
}

/// A statement of pgbench's own scripts finds or changes one row by its key: a tenth of this on any CPU of today.
const MOST_OF_A_STATEMENT_MS: f64 = 1.0;

/// What a ladder shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LadderDelay {
    /// Proportional, for a reason outside the server or an unknown one.
    Fixed,
    /// Proportional, since every client has a CPU of its own, or may have.
    Idle,
    /// Not proportional, or for a reason inside the server.
    None,
}

/// Whether a statement takes longer than one of pgbench's keeps a CPU busy.
fn is_longer_than_work(ladder: &SideLadder<'_>, high: &MedianRung) -> bool {
    let statements = ladder.any.script.and_then(|script| script.statements);
    statements.is_some_and(|statements| high.latency_ms >= MOST_OF_A_STATEMENT_MS * f64::from(statements))
}

fn is_wide(ladder: &SideLadder<'_>) -> bool {
    ladder.rungs.len() >= RUNGS_AT_LEAST
        && ladder
            .lowest_and_highest_rung()
            .is_some_and(|[low, high]| f64::from(high.clients) >= CLIENTS_RATIO_AT_LEAST * f64::from(low.clients))
}

fn saturation_figure(material: &Material, ladder: &SideLadder<'_>) -> (VerdictFigure, LadderDelay) {
    let (Some([low, high]), Some(exponent)) = (ladder.lowest_and_highest_rung(), ladder.scaling_exponent()) else {
        return (VerdictFigure::within_rule(ladder.place_in_words(), "fewer than two rungs"), LadderDelay::None);
    };
    let delay = if exponent < PROPORTIONAL { LadderDelay::None } else { delay_of_ladder(material, ladder, high) };
    let text = format!(
        "{} at {}, {} at {}: throughput × {:.2} for clients × {:.0}",
        units::format_milliseconds(low.latency_ms),
        units::format_clients(low.clients),
        units::format_milliseconds(high.latency_ms),
        units::format_clients(high.clients),
        high.throughput_per_s / low.throughput_per_s,
        f64::from(high.clients) / f64::from(low.clients),
    );
    (VerdictFigure { of: ladder.place_in_words(), text, breaks: delay == LadderDelay::Fixed }, delay)
}

fn delay_of_ladder(material: &Material, ladder: &SideLadder<'_>, high: &MedianRung) -> LadderDelay {
    let cpus = material.side_by_name(&ladder.any.side).and_then(|side| side.cpus);
    match (high.outside_server, cpus) {
        (Some(outside), _) if outside >= OUTSIDE_DECIDES => LadderDelay::Fixed,
        (_, Some(cpus)) if f64::from(high.clients) <= cpus => LadderDelay::Idle,
        (Some(_), _) => LadderDelay::None,
        (None, None) if !is_longer_than_work(ladder, high) => LadderDelay::Idle,
        (None, _) => LadderDelay::Fixed,
    }
}
