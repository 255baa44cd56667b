//! From what the rules found cell by cell to a list that a person reads: the same finding in several cells is one, what
//! explains the difference comes first, then what is to be mended, then what costs most.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use results::trial::Cell;

use super::bearing::BearingSides;
use super::case::DiagnosisCase;
use super::explained::Explaining;
use super::finding::CaseFinding;
use super::quantity::{PlaceQuantity, QuantityComparison};
use super::ranked_finding::{Bearing, Overlap, RankedFinding};
use super::rule::Rule;
use super::rules;

/// Something that one rule found in one cell.
pub(super) struct InCell {
    pub(super) rule: &'static Rule,
    pub(super) cell: Cell,
    pub(super) found: CaseFinding,
    /// How much of its cause every side has; none of a fact.
    pub(super) quantity: Option<PlaceQuantity>,
    /// How long each side waits for a CPU for each millisecond on one, where the finding is about that wait alone.
    pub(super) stretch: Option<PlaceQuantity>,
}

impl InCell {
    /// What a rule found, with what all sides there have of its cause.
    pub(super) fn from_found(rule: &'static Rule, case: &DiagnosisCase<'_>, found: CaseFinding) -> Self {
        Self {
            rule,
            cell: case.cell().clone(),
            quantity: PlaceQuantity::from_measure(rule.measure, case, &found),
            stretch: PlaceQuantity::of_cpu_wait_stretch(case, &found),
            found,
        }
    }
}

/// The names of rules with the cells in which they found nothing.
pub(super) type Clean = BTreeSet<(&'static str, Cell)>;

/// The list.
pub(super) fn rank_findings(all: &[InCell], sides: &BearingSides<'_>, explaining: &Explaining) -> Vec<RankedFinding> {
    let mut groups: Vec<Vec<&InCell>> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|group| group[0].rule.code.name == one.rule.code.name) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let mut findings: Vec<RankedFinding> =
        groups.into_iter().flat_map(|group| merge_by_bearing(group, sides)).collect();
    findings.sort_by(|one, other| in_order(one, other, explaining));
    for number in 0..findings.len() {
        findings[number].overlaps = overlaps_with_earlier(&findings[number], &findings[..number], sides);
        findings[number].share_of_change = share_of_first_cell(&findings[number], explaining);
    }
    findings
}

/// What a difference explains of the change of its first cell, 0 to 1.
fn share_of_first_cell(finding: &RankedFinding, explaining: &Explaining) -> Option<f64> {
    match finding.bearing {
        Bearing::Difference { .. } => Some(explaining.share_in(finding, finding.cells.first()?)?.min(1.0)),
        Bearing::OtherSideUnknown { .. }
        | Bearing::EverySide
        | Bearing::MoreOnFaster { .. }
        | Bearing::NoComparison => None,
    }
}

/// From this share of a finding's time on it is said which other finding counts it, too.
const WORTH_SAYING: f64 = 0.1;

/// The findings before one that are about some of the same time of the same target at the same place.
fn overlaps_with_earlier(finding: &RankedFinding, before: &[RankedFinding], sides: &BearingSides<'_>) -> Vec<Overlap> {
    let Some(cell) = finding.cells.first() else { return Vec::new() };
    let of_place = before.iter().filter(|other| other.cells.contains(cell));
    let mut overlaps = Vec::new();
    for other in of_place {
        if let Some(share) = sides.share_of_time_in_common(cell, &finding.found, &other.found)
            && share >= WORTH_SAYING
        {
            overlaps.push(Overlap { rule: other.rule.code.name, share });
        }
    }
    overlaps
}

/// What explains the most of a difference is the first, whichever side has it and whatever kind it is; then what the
/// sides differ in without its explaining any; then all else. What may be a difference is not taken for one.
fn in_order(one: &RankedFinding, other: &RankedFinding, explaining: &Explaining) -> Ordering {
    // What it explains as a cause, and its rank among those that explain as much.
    let [(share, rank), (other_share, other_rank)] = [one, other].map(|finding| match finding.bearing {
        Bearing::Difference { .. } => {
            (explaining.most_of(finding).map_or(0.0, |share| share * of_a_cause(finding.rule)), 0)
        }
        Bearing::OtherSideUnknown { .. }
        | Bearing::EverySide
        | Bearing::MoreOnFaster { .. }
        | Bearing::NoComparison => (0.0, 1),
    });
    other_share
        .total_cmp(&share)
        .then(rank.cmp(&other_rank))
        .then_with(|| by_weight((one.rule, &one.found), (other.rule, &other.found)))
}

/// What is to be mended first, and of that what costs most.
pub(super) fn by_weight((rule, one): (&Rule, &CaseFinding), (other_rule, other): (&Rule, &CaseFinding)) -> Ordering {
    // The same waits seen by several rules cost the same; then the cause is before what it causes.
    let [place, other_place] =
        [rule, other_rule].map(|rule| rules::ALL.iter().position(|known| known.code.name == rule.code.name));
    let by_weight = weight_of_finding(other_rule, other).total_cmp(&weight_of_finding(rule, one));
    one.kind.cmp(&other.kind).then(by_weight).then(place.cmp(&other_place))
}

/// A standstill is what is seen of a cause, so are the functions that are executed, and time that no rule explains is
/// where one acts: a cause that costs half as much tells more.
const OF_A_SYMPTOM: f64 = 0.5;

/// How much of what a finding costs counts for its place.
pub(super) fn of_a_cause(rule: &Rule) -> f64 {
    let symptoms = [rules::SYMPTOM, rules::DESCRIPTION, &rules::UNEXPLAINED_DIFFERENCE];
    let is_symptom = symptoms.iter().any(|symptom| rule.code.name == symptom.code.name);
    if is_symptom { OF_A_SYMPTOM } else { 1.0 }
}

/// Its share of the cost, as far as it is a cause.
fn weight_of_finding(rule: &Rule, found: &CaseFinding) -> f64 {
    share_of_cost(found) * of_a_cause(rule)
}

/// Ascending; what cannot be attributed is before the smallest.
fn by_cost(one: &CaseFinding, other: &CaseFinding) -> Ordering {
    share_of_cost(one).total_cmp(&share_of_cost(other))
}

fn share_of_cost(found: &CaseFinding) -> f64 {
    found.cost.attributed_share().unwrap_or(-1.0)
}

/// One rule's findings as one. Where some places have it on one side only and others on every side, these are two.
fn merge_by_bearing(group: Vec<&InCell>, sides: &BearingSides<'_>) -> Vec<RankedFinding> {
    type WithBeside<'a> = Vec<(&'a InCell, Option<QuantityComparison>)>;
    let mut findings: Vec<(Bearing, WithBeside<'_>)> = Vec::new();
    for one in group {
        let (bearing, beside) = sides.bearing_of_finding(one);
        match findings.iter_mut().find(|(known, _)| *known == bearing) {
            Some((_, with)) => with.push((one, beside)),
            None => findings.push((bearing, vec![(one, beside)])),
        }
    }
    findings.into_iter().filter_map(|(bearing, group)| one_of(bearing, group)).collect()
}

/// The side that has more of it speaks for all; of cells of one side, the one where it costs most.
fn one_of(bearing: Bearing, mut group: Vec<(&InCell, Option<QuantityComparison>)>) -> Option<RankedFinding> {
    let speaker = match &bearing {
        Bearing::Difference { target } | Bearing::MoreOnFaster { target } => Some(target),
        Bearing::OtherSideUnknown { .. } | Bearing::EverySide | Bearing::NoComparison => None,
    };
    group.sort_by(|(one, _), (other, _)| {
        let [of_another, other_of_another] =
            [one, other].map(|one| speaker.is_some_and(|target| one.cell.target != *target));
        of_another.cmp(&other_of_another).then_with(|| by_cost(&other.found, &one.found))
    });
    let cells = group.iter().map(|(one, _)| one.cell.clone()).collect();
    let (first, beside) = group.into_iter().next()?;
    Some(RankedFinding {
        rule: first.rule,
        cells,
        bearing,
        beside,
        share_of_change: None,
        overlaps: Vec::new(),
        found: first.found.clone(),
    })
}
