//! Loads beside that a target names and the plan does not have, or that are not possible on it.

use super::super::beside::{BesideLoad, BesideWork};
use super::super::document::Span;
use super::super::error::{PlanFinding, value_for_message};
use super::super::language::PlanReadingFindings;
use super::super::target::Target;
use super::{Checked, entry_at_path};
use work::nearest_candidate;

const KEY: &str = "beside";

pub(super) fn check_loads_beside(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for target in &of.plan.targets {
        for name in target.beside.iter().flatten() {
            if !of.plan.beside.iter().any(|load| load.name == *name) {
                found.push(unknown_load(of, target, name));
            }
        }
        for load in of.plan.beside_target(target) {
            found.extend(index_without_consent(of, target, load));
        }
    }
    let entry = of.root.get(KEY).filter(|_| of.plan.has_loads_beside());
    if let (Some(entry), Some(generator)) = (entry, of.plan.generators.first()) {
        let message = format!("beside: not possible with generator \"{}\"", generator.name);
        let finding = PlanFinding::new(entry.key_span, message);
        found.push(
            finding
                .detail("loads beside are sent from the machine on which pgdyno runs")
                .hint("remove `generators`, or run pgdyno where the load is to come from"),
        );
    }
}

fn unknown_load(of: &Checked<'_>, target: &Target, name: &str) -> PlanFinding {
    let names: Vec<&str> = of.plan.beside.iter().map(|load| load.name.as_str()).collect();
    let message = format!(
        "target \"{}\": beside: found {}, which is no load of the plan's `beside`",
        target.name,
        value_for_message(name)
    );
    let hint = match nearest_candidate(name, names.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None if names.is_empty() => "add `beside: { report: { script: [report.sql] } }` to the plan".to_owned(),
        None => format!("the loads beside are: {}", names.join(", ")),
    };
    PlanFinding::new(of.target_value_span(&target.name, &[KEY]), message).hint(hint)
}

/// An index on a table of a server that somebody else owns.
fn index_without_consent(of: &Checked<'_>, target: &Target, load: &BesideLoad) -> Option<PlanFinding> {
    let BesideWork::IndexBuild(_) = load.work else { return None };
    let is_made = of.plan.owner_of_server(target).reach.is_made();
    if is_made || target.may_disturb {
        return None;
    }
    let message = format!(
        "beside: load \"{}\" creates an index on the server of target \"{}\", which pgdyno did not create",
        load.name, target.name
    );
    let hint = "set `may_disturb: true` for the target if its owner permits it";
    Some(PlanFinding::new(span_of_load(of, &load.name), message).hint(hint))
}

fn span_of_load(of: &Checked<'_>, load: &str) -> Span {
    entry_at_path(of.root, &[KEY, load]).map_or(of.root.span, |entry| entry.key_span)
}
