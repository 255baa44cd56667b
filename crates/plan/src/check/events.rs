//! Events that cannot be made to happen, or of which nothing could be told.

use super::super::document::Span;
use super::super::error::PlanFinding;
use super::super::event::{APART, Event};
use super::super::language::PlanReadingFindings;
use super::super::model::Plan;
use super::super::possible_events::refused_by_workload;
use super::super::units::format_duration;
use super::{Checked, entry_at_path};

pub(super) fn check_events(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for (place, event) in of.plan.events.iter().enumerate() {
        found.extend(too_late(of, event));
        found.extend(without_ledger(of, event));
        found.extend(of.plan.events[..place].iter().find_map(|earlier| too_near(of, earlier, event)));
        for target in &of.plan.targets {
            if let Some((why, hint)) = event.what.refused_by(of.plan, target) {
                let message = format!("event \"{}\" is not possible on target \"{}\": {why}", event.name, target.name);
                found.push(PlanFinding::new(span_of_event_value(of, event, event.what.plan_key()), message).hint(hint));
            }
        }
    }
    if of.plan.events.is_empty() {
        return;
    }
    let span = of.root.get("events").map_or(of.root.span, |entry| entry.key_span);
    for workload in &of.plan.workloads {
        if let Some((why, hint)) = refused_by_workload(workload) {
            let message = format!("events: not possible with workload \"{}\": {why}", workload.name);
            found.push(PlanFinding::new(span, message).hint(hint));
        }
    }
}

/// The place of a value of an event.
fn span_of_event_value(of: &Checked<'_>, event: &Event, key: &str) -> Span {
    entry_at_path(of.root, &["events", &event.name, key]).map_or(of.root.span, |entry| entry.node.span)
}

fn too_late(of: &Checked<'_>, event: &Event) -> Option<PlanFinding> {
    let measures = of.plan.workloads.iter().map(|workload| of.plan.phases_of_workload(workload).measure);
    let measure = measures.min().unwrap_or(of.plan.trial.measure);
    (event.at + APART > measure).then(|| {
        let message = format!(
            "event \"{}\" is at {}, and the measurement ends after {}",
            event.name,
            format_duration(event.at),
            format_duration(measure)
        );
        let hint = format!(
            "`at` + {} must be within `trial: {{ measure: … }}`; a server that recovers needs much more time",
            format_duration(APART)
        );
        PlanFinding::new(span_of_event_value(of, event, "at"), message).hint(hint)
    })
}

/// A limit of lost commits where nobody counts them.
fn without_ledger(of: &Checked<'_>, event: &Event) -> Option<PlanFinding> {
    event.require.lost?;
    (!of.plan.workloads.iter().any(Plan::can_keep_ledger)).then(|| {
        let message = format!("event \"{}\": no workload has a ledger that counts lost commits", event.name);
        let span = entry_at_path(of.root, &["events", &event.name, "require", "lost"])
            .map_or(of.root.span, |key| key.key_span);
        PlanFinding::new(span, message).hint("add one with `builtin: tpcb-like` or `simple-update`, or remove `lost`")
    })
}

/// Two events at once: what follows could be of either.
fn too_near(of: &Checked<'_>, earlier: &Event, event: &Event) -> Option<PlanFinding> {
    (earlier.at.abs_diff(event.at) < APART).then(|| {
        let message = format!(
            "events \"{}\" and \"{}\" are at {} and {}: their effects could not be distinguished",
            earlier.name,
            event.name,
            format_duration(earlier.at),
            format_duration(event.at)
        );
        let hint =
            format!("leave at least {} between them, or better the time of a full recovery", format_duration(APART));
        PlanFinding::new(span_of_event_value(of, event, "at"), message).hint(hint)
    })
}
