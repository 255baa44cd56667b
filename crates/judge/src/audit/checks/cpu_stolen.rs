//! The hypervisor does not withhold CPU time.

use super::cpu_of_host::{judge_each_side, most_of_cells};
use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material};
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes;
use crate::thresholds::is_stolen;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::CPU_STOLEN,
    about: RuleSubject::Transactions,
    rule: "over the trials of a cell, steal is below 5 % of the CPU time that was wanted",
    judge: check_cpu_stolen,
};

fn check_cpu_stolen(material: &Material) -> CheckResult {
    let consequence = "the hypervisor withheld CPU time that the server needed: the server's figures are too low, and \
                       the comparison holds only as far as the sides were affected equally. Use dedicated CPUs";
    judge_each_side(material, steal_of_side, "steal is not known", "steal on each host", consequence)
}

fn steal_of_side(material: &Material, side: &AuditedSide) -> Option<VerdictFigure> {
    let stolen = most_of_cells(material, side, |trial| trial.stolen)?;
    let text = format!("steal was up to {} of the CPU time that was wanted", units::format_percent(stolen));
    Some(VerdictFigure { of: side.name.clone(), text, breaks: is_stolen(stolen) })
}
