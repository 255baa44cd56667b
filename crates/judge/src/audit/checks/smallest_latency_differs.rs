//! The smallest latency of a read by key is its way there and back: sides on which it differs are not reached alike.

use std::collections::BTreeMap;

use stats::centre::median_of_figures;

use super::{Check, RuleSubject, routes};
use crate::audit::material::{Material, TrialAccount, lowercase_words};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect, RuleThreshold, ThresholdUnit};
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "smallest-latency-differs",
        group: CodeGroup::Network,
        detects: "The smallest latency of a read by key differs between the sides as by another route.",
        reported_if: "At the fewest clients of both sides, the smallest latency of a read by key differs by more than both \
                bounds. Not reported if the study or the names of the sides say that the route is compared.",
        thresholds: &[
            RuleThreshold::at_least("ratio of the smallest latencies", TIMES, ThresholdUnit::Times),
            RuleThreshold::more_than("difference of the smallest latencies", BEYOND_MS, ThresholdUnit::Milliseconds),
        ],
        effects: &[IssueEffect::Weakens],
        why: "No server is slower at its quickest: the quickest transaction waited for nothing but the route.",
        evidence: "The smallest latency of each trial.",
        fix: "Reach both sides by the same route: the same zone, the same kind of address, no balancer in between.",
        confirm: "Measure the round trip to each side, as `pgdyno` does.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "the smallest latency of a read by key differs between the sides by less than a factor of two or 0.2 ms, \
           unless the route is what is compared",
    judge: check_smallest_latency,
};

const TIMES: f64 = 2.0;

/// A read by key takes the server some hundredths of a millisecond; a process that wakes up late adds a tenth.
const BEYOND_MS: f64 = 0.2;

fn check_smallest_latency(material: &Material) -> CheckResult {
    let mut smallest: BTreeMap<(&str, u32), BTreeMap<&str, Vec<f64>>> = BTreeMap::new();
    for trial in material.trials.iter().filter(|trial| reads_by_key(trial)) {
        let (Some(clients), Some(ms)) = (trial.clients.known_count(), smallest_latency_ms(trial)) else { continue };
        smallest.entry((&trial.workload, clients)).or_default().entry(&trial.side).or_default().push(ms);
    }
    let mut figures: Vec<VerdictFigure> = Vec::new();
    let mut judged: Vec<&str> = Vec::new();
    // In the order of the clients: the fewest of each workload are judged.
    for ((workload, clients), by_side) in &smallest {
        if by_side.len() < 2 || judged.contains(workload) {
            continue;
        }
        judged.push(workload);
        figures.extend(smallest_latency_figure(workload, *clients, by_side));
    }
    if judged.is_empty() {
        let needs = "the smallest latency of a read by key on two sides at the same number of clients";
        return CheckResult::cannot_tell(needs, vec![]);
    }
    if figures.iter().any(|figure| figure.breaks) && routes::are_compared(material) {
        let extent = Material::extent_of_trials(material.trials.iter().filter(|trial| reads_by_key(trial)));
        return CheckResult::rule_holds(vec![VerdictFigure::within_rule(extent, "the route is what is compared")]);
    }
    if figures.iter().all(|figure| !figure.breaks) {
        return CheckResult::rule_holds(figures);
    }
    let consequence = "the sides were reached by different routes, such as another zone, a proxy or a balancer: what is \
                       reported of the servers is time on the route. Measure from a client that is as near to both";
    CheckResult::rule_broken(Weight::Comparison, figures, consequence)
}

fn smallest_latency_ms(trial: &TrialAccount) -> Option<f64> {
    trial.percentiles_ms.first().filter(|(percent, ms)| *percent == 0.0 && *ms > 0.0).map(|(_, ms)| *ms)
}

/// Whether a transaction is one read, by key as far as the names of its test say what it reads by, and makes no
/// connection of its own.
fn reads_by_key(trial: &TrialAccount) -> bool {
    let words = lowercase_words(&format!("{} {}", trial.workload, trial.work.as_deref().unwrap_or_default()));
    let is_of_sysbench = words.windows(2).any(|pair| pair == ["point", "select"]);
    let is_of_pgbench = trial.script.is_some_and(|script| !script.writes && script.statements == Some(1));
    let is_counted = trial.only_reads == Some(true) && trial.queries_per_transaction == Some(1.0);
    (is_of_sysbench || is_of_pgbench || is_counted) && trial.reconnects != Some(true)
}

fn smallest_latency_figure(workload: &str, clients: u32, by_side: &BTreeMap<&str, Vec<f64>>) -> Option<VerdictFigure> {
    let mut sides: Vec<(&str, f64)> =
        by_side.iter().filter_map(|(side, each)| Some((*side, median_of_figures(each)?))).collect();
    sides.sort_by(|a, b| a.1.total_cmp(&b.1));
    let [(nearest, least), .., (farthest, most)] = *sides.as_slice() else { return None };
    let [least_in_words, most_in_words] = [least, most].map(units::format_milliseconds);
    let text = format!("the quickest transaction takes {least_in_words} on {nearest}, {most_in_words} on {farthest}");
    let breaks = most >= TIMES * least && most - least > BEYOND_MS;
    Some(VerdictFigure { of: format!("{workload}, {}", units::format_clients(clients)), text, breaks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::CheckRuling;
    use crate::audit::material::{AuditedSide, TrialCommon, TrialDetail};

    fn verdict_of(names: [&str; 2], smallest_ms: [f64; 2], workload: &str, may_differ: &[&str]) -> CheckRuling {
        let mut material = Material::default();
        material.design.may_differ = may_differ.iter().map(|aspect| (*aspect).to_owned()).collect();
        for (name, ms) in names.into_iter().zip(smallest_ms) {
            material.sides.push(AuditedSide { name: name.to_owned(), ..AuditedSide::default() });
            // At more clients nothing is judged.
            for (clients, smallest) in [(4, ms), (64, 5.0 * ms * ms)] {
                let common = TrialCommon {
                    side: name.to_owned(),
                    workload: workload.to_owned(),
                    clients: clients.into(),
                    ..TrialCommon::default()
                };
                let percentiles_ms = vec![(0.0, smallest), (99.0, 20.0)];
                let detail = TrialDetail { common: common.into(), percentiles_ms, ..TrialDetail::default() };
                material.trials.push(TrialAccount { detail: detail.into(), ..TrialAccount::default() });
            }
        }
        check_smallest_latency(&material).verdict
    }

    #[test]
    fn a_route_that_adds_to_the_quickest_read_is_found_where_it_is_not_what_is_compared() {
        let point = "oltp_point_select";
        let broken = CheckRuling::Broken(Weight::Comparison);
        assert_eq!(verdict_of(["vm", "k8s"], [0.25, 1.3], point, &[]), broken);
        assert_eq!(verdict_of(["vm", "k8s"], [0.25, 1.3], point, &["platform"]), broken);
        assert_eq!(verdict_of(["vm", "k8s"], [0.25, 1.3], point, &["route"]), CheckRuling::Holds);
        assert_eq!(verdict_of(["direct", "haproxy"], [0.25, 1.3], point, &[]), CheckRuling::Holds);
        assert_eq!(verdict_of(["vm", "k8s"], [0.05, 0.2], point, &[]), CheckRuling::Holds, "little");
        assert_eq!(verdict_of(["vm", "k8s"], [1.0, 1.5], point, &[]), CheckRuling::Holds, "less than a factor of two");
        let of_writes = verdict_of(["vm", "k8s"], [0.25, 1.3], "oltp_read_write", &[]);
        assert!(matches!(of_writes, CheckRuling::CannotTell { .. }), "a commit waits for the disk");
    }
}
