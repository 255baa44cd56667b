//! What a plan lets be changed of a server that was found, and what that takes.

use super::super::error::PlanFinding;
use super::super::language::PlanReadingFindings;
use super::super::target::{Reach, Target};
use super::Checked;

pub(super) fn check_consents(of: &Checked<'_>, target: &Target, found: &mut PlanReadingFindings) {
    found.extend(misplaced_consent(of, target));
    found.extend(without_agent(of, target));
    found.extend(for_another(of, target));
}

/// Consent for a server that needs none, or has a key of its own.
fn misplaced_consent(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    if target.may_change.is_empty() {
        return None;
    }
    let entry = of.first_target_entry(&target.name, &[&["may_change"]])?;
    let (why, hint) = match &target.reach {
        Reach::Url(_) => return None,
        Reach::Kubernetes(_) => ("it is in Kubernetes", "write it under `kubernetes`: `may_change: true`"),
        Reach::Local(_) | Reach::Shared(_) => (
            "pgdyno creates its server, and needs no permission",
            "remove it: `settings`, `sysctl` and `cache` need no permission",
        ),
    };
    let message = format!("target \"{}\": may_change is for a `url`: {why}", target.name);
    Some(PlanFinding::new(entry.key_span, message).hint(hint))
}

/// What is changed has to be put back by somebody who is there when this pgdyno is not any more.
fn without_agent(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    let needs = target.reach.is_url() && !target.may_change.is_empty() && target.agent.is_none();
    let message = format!("target \"{}\": may_change requires an `agent` on its host", target.name);
    needs.then(|| {
        PlanFinding::new(of.target_key_span(&target.name, &["may_change"]), message)
            .detail("the agent records what is changed, and restores it, also if this pgdyno is killed")
            .hint("add `agent: { ssh: HOST }`; for a server of this machine `agent: { command: pgdyno agent --stdio }`")
    })
}

/// A server whose settings are changed for another target is given back its own only where that may be done for this
/// one, too.
fn for_another(of: &Checked<'_>, target: &Target) -> Option<PlanFinding> {
    let other = of.plan.changes_url_of(target).filter(|_| !target.settings_are_the_servers())?;
    let message =
        format!("target \"{}\": the settings of its server are changed for target \"{}\"", target.name, other.name);
    let hint = "give both the same `may_change` and `agent`, so that each has its own settings during its trials";
    Some(PlanFinding::new(of.target_value_span(&target.name, &["url"]), message).hint(hint))
}
