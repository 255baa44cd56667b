//! Sessions that are connected to a server and idle, neither the load's nor pgdyno's. They use no CPU by themselves,
//! but each of them is woken by notifications and invalidations, and is looked at by every snapshot.

use std::collections::BTreeMap;

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};
use crate::units::format_count;

/// A monitoring agent or two keep as many sessions.
const FEW: f64 = 3.0;

/// From this ratio on a side has more of them, and not one that came or went.
const TIMES: f64 = 2.0;

/// The idle sessions of one name and command, as a mean over the samples.
struct IdleGroup<'a> {
    sessions: f64,
    statement: &'a str,
}

/// The groups by name and command; none where they were not sampled.
fn idle_groups<'a>(case: &DiagnosisCase<'a>) -> Option<BTreeMap<(&'a str, &'a str), IdleGroup<'a>>> {
    let samples: u32 = case.activity_windows().map(|window| window.others_samples).sum();
    if samples == 0 {
        return None;
    }
    let mut groups: BTreeMap<(&str, &str), IdleGroup<'_>> = BTreeMap::new();
    for one in case.activity_windows().flat_map(|window| &window.idle) {
        let command = one.statement.split_whitespace().next().unwrap_or_default();
        let group = groups
            .entry((one.application.as_str(), command))
            .or_insert(IdleGroup { sessions: 0.0, statement: &one.statement });
        group.sessions += one.sessions as f64 / f64::from(samples);
    }
    Some(groups)
}

/// The largest group of which one side has a multiple of the other's; none where there is no such group, or where
/// either side's sessions were not sampled.
pub(super) fn figure_of_idle_sessions(here: &DiagnosisCase<'_>, there: &DiagnosisCase<'_>) -> Option<EvidenceFigure> {
    let (ours, theirs) = (idle_groups(here)?, idle_groups(there)?);
    let mut largest: Option<(&IdleGroup<'_>, f64)> = None;
    for (key, group) in &ours {
        let beside = theirs.get(key).map_or(0.0, |group| group.sessions);
        let is_more = group.sessions - beside >= FEW && group.sessions >= TIMES * beside;
        if is_more && largest.is_none_or(|(known, _)| known.sessions < group.sessions) {
            largest = Some((group, beside));
        }
    }
    let (group, beside) = largest?;
    let text = format!(
        "{} (last statement: {}); {} on {}",
        format_count(group.sessions.round()),
        group.statement,
        format_count(beside.round()),
        there.cell().target
    );
    Some(figure("idle sessions of others", FigureAmount::Text(text)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::diagnose::built::{Built, Measurement};
    use crate::diagnose::finding::FigureAmount;

    /// Most of its time is a wait that no rule knows, beside idle sessions.
    fn waits_beside(cell: Measurement, idle: Value) -> Measurement {
        let cell = cell.throughput(1000.0).sees_nothing().sees("active", Some("Extension:Extension"), 30);
        cell.sees("active", None, 10).idle_sessions(idle)
    }

    fn listening_sessions(sessions: u32) -> Value {
        json!([{ "application": "app", "sessions": sessions, "statement": "LISTEN changed" }])
    }

    fn idle_sessions_in_findings(built: &Built) -> Option<FigureAmount> {
        let findings = built.diagnosis().findings;
        let figures = findings.into_iter().flat_map(|one| one.found.figures);
        figures.into_iter().find(|figure| figure.name == "idle sessions of others").map(|figure| figure.amount)
    }

    #[test]
    fn sessions_that_only_the_slower_side_has_stand_beside_what_no_rule_explains() {
        let built = Built::pair().with(|cell| waits_beside(cell, listening_sessions(40)));
        let text = "40 (last statement: LISTEN changed); 0 on db".to_owned();
        assert_eq!(idle_sessions_in_findings(&built), Some(FigureAmount::Text(text)));
    }

    #[test]
    fn as_many_on_both_sides_and_a_few_more_are_no_difference() {
        let built = Built::pair()
            .with(|cell| waits_beside(cell, listening_sessions(40)))
            .with_first(|cell| cell.idle_sessions(listening_sessions(30)));
        assert_eq!(idle_sessions_in_findings(&built), None);
        let built = Built::pair().with(|cell| waits_beside(cell, listening_sessions(2)));
        assert_eq!(idle_sessions_in_findings(&built), None);
    }
}
