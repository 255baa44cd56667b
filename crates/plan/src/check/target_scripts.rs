//! Scripts that targets execute in place of those of all: the targets are there, and each script has one that it is
//! compared with.

use std::num::NonZeroU32;

use super::super::error::PlanFinding;
use super::super::language::PlanReadingFindings;
use super::super::workload::{ScriptFile, TargetScripts, Workload};
use super::{Checked, entry_at_path};

const KEY: &str = "target_scripts";

pub(super) fn check_target_scripts(of: &Checked<'_>, found: &mut PlanReadingFindings) {
    for workload in &of.plan.workloads {
        let Some(own) = workload.own_scripts() else { continue };
        for scripts in &own.target_scripts {
            found.extend(unknown_target(of, workload, scripts));
            found.extend(unlike_weights(of, workload, &own.files, scripts));
        }
    }
}

fn unknown_target(of: &Checked<'_>, workload: &Workload, scripts: &TargetScripts) -> Option<PlanFinding> {
    if of.plan.target_by_name(&scripts.target).is_some() {
        return None;
    }
    let entry = entry_at_path(&of.workload_entry(&workload.name)?.node, &[KEY, &scripts.target])?;
    let names: Vec<&str> = of.plan.targets.iter().map(|target| target.name.as_str()).collect();
    Some(of.unknown_target(KEY, entry.key_span, &scripts.target, &names))
}

fn unlike_weights(
    of: &Checked<'_>,
    workload: &Workload,
    of_all: &[ScriptFile],
    scripts: &TargetScripts,
) -> Option<PlanFinding> {
    if script_weights(of_all) == script_weights(&scripts.files) {
        return None;
    }
    let message = format!(
        "{KEY}: target \"{}\" executes {}, which cannot be compared with {} script by script",
        scripts.target,
        files_in_words(&scripts.files),
        files_in_words(of_all)
    );
    let span = of.workload_value(&workload.name, &[KEY, &scripts.target]);
    Some(PlanFinding::new(span, message).hint("name as many scripts, in the same order and with the same weights"))
}

fn script_weights(files: &[ScriptFile]) -> Vec<NonZeroU32> {
    files.iter().map(|file| file.weight).collect()
}

fn files_in_words(files: &[ScriptFile]) -> String {
    files.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
