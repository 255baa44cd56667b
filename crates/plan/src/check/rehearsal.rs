//! What the rehearsal of an upgrade needs: captured statements, data from a dump, and candidates of newer versions.

use super::super::document::Span;
use super::super::error::PlanFinding;
use super::Checked;

pub(super) fn check_rehearsal(of: &Checked<'_>) -> Option<PlanFinding> {
    if !of.plan.rehearse_upgrade {
        return None;
    }
    let span = of.root.get("rehearse_upgrade")?.node.span;
    if let Some(target) = of.plan.targets.iter().find(|target| target.data.is_none()) {
        let message = format!("rehearse_upgrade: target \"{}\" has no `data`", target.name);
        return Some(
            PlanFinding::new(span, message)
                .hint("restore a dump into each target: `data: { restore: FILE }` or `data: { from: URL }`"),
        );
    }
    for workload in &of.plan.workloads {
        if workload.own_scripts().is_none_or(|scripts| scripts.captured.is_none()) {
            let message = format!("rehearse_upgrade: workload \"{}\" is not `captured`", workload.name);
            return Some(PlanFinding::new(span, message).hint("`pgdyno capture` makes a capture of your application"));
        }
    }
    if of.plan.candidate_targets().next().is_none() {
        let finding = PlanFinding::new(span, "rehearse_upgrade: there is no candidate");
        return Some(finding.hint("add a target of the version to upgrade to"));
    }
    check_versions(of, span)
}

/// Of versions that the plan says; others are looked at when the servers are there.
fn check_versions(of: &Checked<'_>, span: Span) -> Option<PlanFinding> {
    let baseline = of.plan.targets.iter().find(|target| target.name == of.plan.baseline)?;
    let from = baseline.reach.planned_major_version()?;
    for candidate in of.plan.candidate_targets() {
        let Some(to) = candidate.reach.planned_major_version() else { continue };
        if to > from {
            continue;
        }
        let relation = if to == from { "of the same major version as" } else { "older than" };
        let message = format!(
            "rehearse_upgrade: candidate \"{}\" (PostgreSQL {to}) is {relation} the baseline (PostgreSQL {from})",
            candidate.name
        );
        let hint = "the baseline has the version of today, the candidate the one to upgrade to";
        return Some(PlanFinding::new(span, message).hint(hint));
    }
    None
}
