//! From what the rules found cell by cell to a list that a person reads: the same finding in several cells is one, what
//! explains the difference comes first, then what is to be mended, then what costs most.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use results::trial::Cell;

use super::finding::{Bearing, Cost, Finding, Found};
use super::rule::Rule;
use super::rules;
use crate::compare::Question;

/// Something that one rule found in one cell.
pub(super) struct InCell {
    pub(super) rule: &'static Rule,
    pub(super) cell: Cell,
    pub(super) found: Found,
}

/// The names of rules with the cells in which they found nothing.
pub(super) type Clean = BTreeSet<(&'static str, Cell)>;

/// The list.
pub(super) fn ranked(question: &Question, all: Vec<InCell>, clean: &Clean) -> Vec<Finding> {
    let mut groups: Vec<Vec<InCell>> = Vec::new();
    for one in all {
        match groups.iter_mut().find(|group| group[0].rule.name == one.rule.name) {
            Some(group) => group.push(one),
            None => groups.push(vec![one]),
        }
    }
    let mut findings: Vec<Finding> = groups.into_iter().flat_map(|group| merged(question, group, clean)).collect();
    findings.sort_by(in_order);
    findings
}

fn in_order(one: &Finding, other: &Finding) -> Ordering {
    // A difference that costs most is the first, whichever side has it. What may be one is not taken for one.
    let rank = |finding: &Finding| match finding.bearing {
        Bearing::Difference { .. } => 0,
        Bearing::OtherSideUnknown { .. } | Bearing::EverySide | Bearing::NoComparison => 1,
    };
    rank(one).cmp(&rank(other)).then(by_weight((one.rule, &one.found), (other.rule, &other.found)))
}

/// What is to be mended first, and of that what costs most.
pub(super) fn by_weight((rule, one): (&Rule, &Found), (other_rule, other): (&Rule, &Found)) -> Ordering {
    // The same waits seen by several rules cost the same; then the cause is before what it causes.
    let place = |rule: &Rule| rules::ALL.iter().position(|known| known.name == rule.name);
    let by_weight = weight(other_rule, other).total_cmp(&weight(rule, one));
    one.kind.cmp(&other.kind).then(by_weight).then(place(rule).cmp(&place(other_rule)))
}

/// A standstill is what is seen of a cause: one that costs half as much tells more.
const OF_A_SYMPTOM: f64 = 0.5;

/// Its share of the cost, as far as it is a cause.
fn weight(rule: &Rule, found: &Found) -> f64 {
    let symptom = if rule.name == rules::SYMPTOM.name { OF_A_SYMPTOM } else { 1.0 };
    share(found) * symptom
}

/// Ascending; what cannot be attributed is before the smallest.
fn by_cost(one: &Found, other: &Found) -> Ordering {
    share(one).total_cmp(&share(other))
}

fn share(found: &Found) -> f64 {
    found.cost.share().unwrap_or(-1.0)
}

/// One rule's findings as one. Where some places have it on one side only and others on every side, these are two.
fn merged(question: &Question, group: Vec<InCell>, clean: &Clean) -> Vec<Finding> {
    let cells: BTreeSet<Cell> = group.iter().map(|one| one.cell.clone()).collect();
    let mut findings: Vec<(Bearing, Vec<InCell>)> = Vec::new();
    for one in group {
        let bearing = bearing(question, &one, &cells, clean);
        match findings.iter_mut().find(|(known, _)| *known == bearing) {
            Some((_, with)) => with.push(one),
            None => findings.push((bearing, vec![one])),
        }
    }
    findings.into_iter().filter_map(|(bearing, group)| one_of(bearing, group)).collect()
}

fn one_of(bearing: Bearing, mut group: Vec<InCell>) -> Option<Finding> {
    group.sort_by(|one, other| by_cost(&other.found, &one.found));
    let cells = group.iter().map(|one| one.cell.clone()).collect();
    let first = group.into_iter().next()?;
    Some(Finding { rule: first.rule, cells, bearing, found: first.found })
}

/// What a finding in one cell says about the comparison, given all the cells that have it, and those that do not.
fn bearing(question: &Question, one: &InCell, cells: &BTreeSet<Cell>, clean: &Clean) -> Bearing {
    if question.candidates.is_empty() {
        return Bearing::NoComparison;
    }
    let others = || {
        let targets = std::iter::once(&question.baseline).chain(&question.candidates);
        targets.filter(|target| **target != one.cell.target)
    };
    let there = |target: &String| Cell { target: target.clone(), ..one.cell.clone() };
    let is_free = |target: &String| clean.contains(&(one.rule.name, there(target)));
    let costs_more = match &one.found.cost {
        Cost::Latency(spent) => spent
            .change_ms
            .is_some_and(|change| change.interval.low > 0.0 && change.point >= COSTS_MORE * spent.ms.point),
        Cost::Throughput { .. } | Cost::NotAttributable => false,
    };
    if costs_more || others().any(is_free) {
        return Bearing::Difference { target: one.cell.target.clone() };
    }
    let unknown: Vec<String> = others().filter(|target| !cells.contains(&there(target))).cloned().collect();
    if unknown.is_empty() { Bearing::EverySide } else { Bearing::OtherSideUnknown { of: unknown } }
}

/// From this share of its cost on that the baseline does not have, what both sides have explains a difference too.
pub(super) const COSTS_MORE: f64 = 0.25;
