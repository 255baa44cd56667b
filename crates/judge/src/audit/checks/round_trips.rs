//! A transaction of n statements, each waited for, takes at least n round trips of the path; one statement takes one.
//!
//! Says nothing where a disk or a CPU is what a statement waits for: at their limit latency is clients / throughput
//! (Little), whatever the path, and of several statements perhaps only one reads the disk.

use super::{Check, RuleSubject};
use crate::audit::ladder::{SideLadder, ladders_of_closed_loops};
use crate::audit::material::{Material, Residency};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::thresholds::OUTSIDE_DECIDES;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "round-trips",
        group: CodeGroup::Method,
        detects: "A transaction of n statements takes less than n times the time of one statement on the same route.",
        reported_if: "A transaction of n statements takes less than n times as long as a single statement of another workload \
                on the same data. Only numbers of clients count at which the route is most of the latency.",
        thresholds: &[
            RuleThreshold::less_than(
                "latency per statement, relative to a single statement",
                AT_LEAST,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_least(
                "latency outside the server, if known (it then reduces the bound above)",
                OUTSIDE_DECIDES,
                ThresholdUnit::Share,
            ),
            RuleThreshold::at_most(
                "growth of the latency with the clients, as an exponent",
                HARDLY_GROWS,
                ThresholdUnit::Count,
            ),
        ],
        effects: &[IssueEffect::Weakens],
        why: "The two workloads did not use the same route, or the script is not the described one.",
        evidence: "Mean latencies of the workloads of one and of several statements, by side and clients.",
        fix: "Measure all workloads over one route, with scripts that are shown.",
        confirm: "Repeat both workloads over one route.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "where the route is most of the latency, a transaction of n statements has at least n times the mean latency \
           of one statement on the same route, less 30 % for BEGIN and END",
    judge: check_round_trips,
};

/// BEGIN and END cost the server less than a select, but each takes a round trip all the same.
const AT_LEAST: f64 = 0.7;

/// Latency ∝ clients^a with an exponent up to this does hardly grow: by a tenth where the clients are doubled.
const HARDLY_GROWS: f64 = 0.15;

/// Ratios this many times apart are unlike.
const APART: f64 = 1.5;

/// A workload of several statements beside one of a single statement, on the same data of the same side.
struct RoundTripPair<'a> {
    many: SideLadder<'a>,
    statements: u32,
    ratios: Vec<Ratio>,
}

/// How many times longer the several statements take at one number of clients.
struct Ratio {
    clients: u32,
    times: f64,
    /// What it should be at least; absent where something else than the path may be most of the latency.
    at_least: Option<f64>,
}

fn check_round_trips(material: &Material) -> CheckResult {
    let all = ladders_beside_single_statement(material);
    if all.is_empty() {
        let needs = "a workload of one statement and one of several, at the same number of clients on the same data";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    let figures = all.iter().map(RoundTripPair::latency_ratio_figure).collect();
    if all.iter().all(|one| one.ratios.iter().all(|ratio| ratio.at_least.is_none())) {
        let needs = "numbers of clients between which the throughput of one statement rises in proportion, with data \
                     in memory or a known share of the latency outside the server: elsewhere the wait may be for a \
                     disk or a CPU";
        return CheckResult::cannot_tell(needs, figures);
    }
    if all.iter().all(|one| one.too_small_ratios().next().is_none()) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = if sides_differ(&all) {
        "where the ratio is too small, a statement of the transaction takes less time than a statement alone: the two \
         workloads did not use the same route, or the script is not the described one. The ratios differ between the \
         sides, so the sides did not run the same work over the same route, and their throughputs are not comparable"
    } else {
        "a statement of the transaction takes less time than a statement alone: the two workloads did not use the same \
         route, or the script is not the described one"
    };
    CheckResult::rule_broken(Weight::Comparison, figures, consequence)
}

impl Ratio {
    fn is_too_small(&self) -> bool {
        self.at_least.is_some_and(|least| self.times < least)
    }
}

impl RoundTripPair<'_> {
    /// The places at which the ratio is too small.
    fn too_small_ratios(&self) -> impl Iterator<Item = &Ratio> {
        self.ratios.iter().filter(|ratio| ratio.is_too_small())
    }

    fn latency_ratio_figure(&self) -> VerdictFigure {
        let list = |text: fn(&Ratio) -> String| self.ratios.iter().map(text).collect::<Vec<_>>().join(", ");
        let untold: Vec<String> = self
            .ratios
            .iter()
            .filter(|ratio| ratio.at_least.is_none())
            .map(|ratio| ratio.clients.to_string())
            .collect();
        let untold = if untold.is_empty() {
            String::new()
        } else {
            format!("; at {} the route may not be most of the latency", untold.join(", "))
        };
        VerdictFigure {
            of: format!("{}, {}", self.many.any.workload, self.many.any.side),
            text: format!(
                "{} statements take {} times as long as one, at {} clients{untold}",
                self.statements,
                list(|ratio| format!("{:.1}", ratio.times)),
                list(|ratio| ratio.clients.to_string()),
            ),
            breaks: self.too_small_ratios().next().is_some(),
        }
    }
}

fn ladders_beside_single_statement(material: &Material) -> Vec<RoundTripPair<'_>> {
    let ones: Vec<SideLadder<'_>> =
        ladders_of_closed_loops(material).into_iter().filter(|one| statements_of_ladder(one) == Some(1)).collect();
    let mut all = Vec::new();
    for many in ladders_of_closed_loops(material) {
        let Some(n) = statements_of_ladder(&many).filter(|n| *n > 1) else { continue };
        let Some(one) = ones.iter().find(|one| data_of_ladder(one) == data_of_ladder(&many)) else { continue };
        let in_memory = is_in_memory(material, one);
        let ratios: Vec<Ratio> = many
            .rungs
            .iter()
            .filter_map(|rung| {
                let at = one.rungs.iter().position(|alone| alone.clients == rung.clients)?;
                let at_least = share_of_path(one, at, in_memory).map(|share| share * f64::from(n));
                Some(Ratio { clients: rung.clients, times: rung.latency_ms / one.rungs[at].latency_ms, at_least })
            })
            .collect();
        if !ratios.is_empty() {
            all.push(RoundTripPair { many, statements: n, ratios });
        }
    }
    all
}

fn statements_of_ladder(ladder: &SideLadder<'_>) -> Option<u32> {
    ladder.any.script.and_then(|script| script.statements)
}

fn data_of_ladder(ladder: &SideLadder<'_>) -> (String, Option<u32>, Option<Residency>) {
    (ladder.any.side.clone(), ladder.any.scale, ladder.any.residency)
}

/// The share of the latency of one statement that each of several takes at least; absent where the path may be less
/// than most of it.
fn share_of_path(one: &SideLadder<'_>, at: usize, in_memory: bool) -> Option<f64> {
    let neighbours = [at.checked_sub(1).map(|before| [before, at]), Some([at, at + 1])];
    let mut pairs =
        neighbours.into_iter().flatten().filter_map(|[low, high]| Some([one.rungs.get(low)?, one.rungs.get(high)?]));
    let hardly_grows = pairs.any(|[low, high]| {
        let clients = (f64::from(high.clients) / f64::from(low.clients)).ln();
        ((high.latency_ms / low.latency_ms).ln() / clients).abs() <= HARDLY_GROWS
    });
    match one.rungs[at].outside_server {
        Some(outside) => (hardly_grows && outside >= OUTSIDE_DECIDES).then_some(AT_LEAST * outside),
        None => (hardly_grows && in_memory).then_some(AT_LEAST),
    }
}

/// Whether no disk is read: the data fit into the memory, or are said to where their size or the memory is not known.
fn is_in_memory(material: &Material, ladder: &SideLadder<'_>) -> bool {
    let side = material.side_by_name(&ladder.any.side);
    let memory = side.and_then(|side| side.shared_buffers_bytes().max(side.memory_bytes));
    match ladder.any.size_bytes().zip(memory) {
        Some((size, memory)) => size <= memory,
        None => ladder.any.residency == Some(Residency::Memory),
    }
}

/// Whether a ratio that is too small stands beside a much larger one of another side at the same place.
fn sides_differ(all: &[RoundTripPair<'_>]) -> bool {
    all.iter().any(|one| one.too_small_ratios().any(|broken| is_larger_elsewhere(one, broken, all)))
}

fn place_of_pair(one: &RoundTripPair<'_>) -> (String, Option<u32>, Option<Residency>) {
    (one.many.any.workload.clone(), one.many.any.scale, one.many.any.residency)
}

fn is_larger_elsewhere(one: &RoundTripPair<'_>, small: &Ratio, all: &[RoundTripPair<'_>]) -> bool {
    let others = all
        .iter()
        .filter(|other| place_of_pair(other) == place_of_pair(one) && other.many.any.side != one.many.any.side);
    let mut told = others.flat_map(|other| &other.ratios).filter(|ratio| ratio.at_least.is_some());
    told.any(|ratio| ratio.clients == small.clients && ratio.times > APART * small.times)
}
