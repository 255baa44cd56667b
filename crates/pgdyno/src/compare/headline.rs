//! The sentence at the top: what the candidate gains or loses, in words, per workload.
//!
//! A loss or a gain is claimed only where the pair's own verdict and the family of all pairs (Holm) agree; the largest
//! one of a workload is named with its interval.

use stats::Estimate;
use stats::holm;
use stats::verdict::Verdict;

use super::metric::Metric;
use super::pair::PairJudgement;
use crate::report::units;

/// What one candidate does to one workload.
#[derive(Debug, Clone, PartialEq)]
enum Claim {
    Worse(Estimate, u32, Metric),
    Better(Estimate, u32, Metric),
    Equivalent,
    /// Some of its places are equivalent and the others cannot tell.
    PartlyEquivalent,
    NotEnough,
}

/// The headline over all pairs; `threshold` is the practical threshold as a share.
pub fn headline(baseline: &str, pairs: &[PairJudgement], threshold: f64) -> String {
    if pairs.is_empty() {
        return "Nothing was compared: the plan has no candidate.".to_owned();
    }
    let family: Vec<(Verdict, f64)> = pairs.iter().map(|pair| (pair.verdict(), pair.p_value.unwrap_or(1.0))).collect();
    let losing = holm::regressions(&family);
    let gaining = holm::improvements(&family);
    let mut sentences = Vec::new();
    for candidate in in_order(pairs.iter().map(|pair| pair.candidate.as_str())) {
        let of_candidate = |index: &usize| pairs[*index].candidate == candidate;
        let mut clauses = Vec::new();
        for workload in in_order(pairs.iter().map(|pair| pair.place.workload.as_str())) {
            let here: Vec<usize> = (0..pairs.len())
                .filter(|index| of_candidate(index) && pairs[*index].place.workload == workload)
                .collect();
            let claim = claim(pairs, &here, &losing, &gaining);
            clauses.push(format!("{workload} {}", in_words(&claim, threshold)));
        }
        sentences.push(format!("{candidate} against {baseline}: {}.", clauses.join(", ")));
    }
    sentences.join(" ")
}

fn claim(pairs: &[PairJudgement], here: &[usize], losing: &[usize], gaining: &[usize]) -> Claim {
    let largest = |among: &[usize]| {
        let changes = here.iter().filter(|index| among.contains(index));
        let changes = changes.filter_map(|index| {
            let pair = &pairs[*index];
            Some((pair.change()?, pair.place.clients, pair.deciding()))
        });
        changes.max_by(|(a, ..), (b, ..)| a.point.abs().total_cmp(&b.point.abs()))
    };
    if let Some((change, clients, metric)) = largest(losing) {
        return Claim::Worse(change, clients, metric);
    }
    if let Some((change, clients, metric)) = largest(gaining) {
        return Claim::Better(change, clients, metric);
    }
    let equivalent = here.iter().filter(|index| pairs[**index].verdict() == Verdict::Equivalent).count();
    match equivalent {
        0 => Claim::NotEnough,
        all if all == here.len() => Claim::Equivalent,
        _ => Claim::PartlyEquivalent,
    }
}

fn in_words(claim: &Claim, threshold: f64) -> String {
    let by = |change: &Estimate, clients: &u32| {
        let interval = units::change_interval(change.interval.low, change.interval.high);
        let clients = units::clients(*clients);
        format!("{} [{interval}] at {clients}", units::percent(change.point.abs()))
    };
    let band = units::percent(threshold);
    match claim {
        Claim::Worse(change, clients, metric) => format!("{} {}", verb(*metric, false), by(change, clients)),
        Claim::Better(change, clients, metric) => format!("{} {}", verb(*metric, true), by(change, clients)),
        Claim::Equivalent => format!("is equivalent (within ±{band})"),
        Claim::PartlyEquivalent => {
            format!("is equivalent (within ±{band}) where there was enough data, and shows no sure change elsewhere")
        }
        Claim::NotEnough => "has not enough data for a verdict".to_owned(),
    }
}

/// What a figure did, to stand before by how much.
fn verb(metric: Metric, improved: bool) -> &'static str {
    match (metric, improved) {
        (Metric::Throughput, true) => "gains",
        (Metric::Throughput, false) => "loses",
        (Metric::Capacity, true) => "gains in capacity",
        (Metric::Capacity, false) => "loses in capacity",
        (_, true) => "is faster by",
        (_, false) => "is slower by",
    }
}

/// Each name once, in the order of first appearance.
fn in_order<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut seen = Vec::new();
    for name in names {
        if !seen.contains(&name) {
            seen.push(name);
        }
    }
    seen
}
