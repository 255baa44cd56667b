//! Workloads that write run on servers that survive a crash with the settings under which they were measured.

use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes::{Code, CodeGroup, IssueEffect};

/// Settings without which a crash of the operating system may leave a database that cannot be repaired.
const DURABILITY: [&str; 2] = ["fsync", "full_page_writes"];

pub(super) const CHECK: Check = Check {
    code: &Code {
        name: "durability-off",
        group: CodeGroup::Wal,
        detects: "A workload that writes was measured with fsync or full_page_writes switched off on all sides.",
        reported_if: "A workload writes, and every side has the setting off. If only some sides have it off, it is a difference \
                between them.",
        thresholds: &[],
        effects: &[IssueEffect::Weakens],
        why: "Without these settings, a crash may leave a corrupt database. Commits do not wait for the disk, so the figures do not \
              apply to a server in production.",
        evidence: "The settings of each side.",
        fix: "Set fsync = on and full_page_writes = on, and measure again.",
        confirm: "Run the plan again with both settings on.",
        formerly: &[],
    },
    about: RuleSubject::Transactions,
    rule: "workloads that write are measured with fsync and full_page_writes on, as servers in production have them",
    judge: check_durability_off,
};

fn check_durability_off(material: &Material) -> CheckResult {
    let writes = material.trials.iter().any(|trial| trial.writes_data() != Some(false));
    if !writes {
        return material.holds_for_all_trials("no workload writes");
    }
    let mut off = Vec::new();
    let mut unknown = Vec::new();
    for setting in DURABILITY {
        let values: Vec<Option<bool>> = material.sides.iter().map(|side| is_on(side, setting)).collect();
        if !values.is_empty() && values.iter().all(|value| *value == Some(false)) {
            off.extend(
                material
                    .sides
                    .iter()
                    .map(|side| VerdictFigure::against_rule(side.name.clone(), format!("{setting} = off"))),
            );
        }
        for (side, value) in material.sides.iter().zip(&values) {
            if value.is_none() {
                unknown.push(VerdictFigure::within_rule(side.name.clone(), format!("{setting} is unknown")));
            }
        }
    }
    if !off.is_empty() {
        let consequence = "the figures are those of servers that a crash may corrupt: set both on and measure again";
        CheckResult::rule_broken(Weight::Conclusion, off, consequence)
    } else if !unknown.is_empty() || material.sides.is_empty() {
        CheckResult::cannot_tell("fsync and full_page_writes of every side", unknown)
    } else {
        let text = "at least one side has both settings on";
        CheckResult::rule_holds(vec![VerdictFigure::within_rule(material.extent_of_sides(), text)])
    }
}

/// Whether a side has a setting on that is on by default; unknown if nothing was read or declared.
fn is_on(side: &AuditedSide, setting: &str) -> Option<bool> {
    match side.settings.get(setting) {
        Some(value) => plan::quantity::setting_truth(value),
        None => side.not_in_force.is_some().then_some(true),
    }
}
