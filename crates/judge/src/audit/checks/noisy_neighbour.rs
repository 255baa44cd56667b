//! No neighbour takes CPU time that the server wants.
//!
//! A neighbour takes unlike amounts at unlike times, so less of it is allowed than of a generator.

use stats::centre::arithmetic_mean;

use super::cpu_of_host::{cells_of, judge_each_side, most_of_cells};
use super::{Check, RuleSubject};
use crate::audit::material::{AuditedSide, Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure};
use crate::codes;
use crate::thresholds::is_taken_by_neighbour;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::NOISY_NEIGHBOUR,
    about: RuleSubject::Transactions,
    rule: "over the trials of a cell, other processes take less than 20 % of the CPUs where these are contended",
    judge: check_noisy_neighbour,
};

fn check_noisy_neighbour(material: &Material) -> CheckResult {
    let unknown = "the CPU time of other processes is not known";
    let consequence = "a neighbour used CPU time that the server needed: the server's figures are too low, and the \
                       comparison holds only as far as the sides were affected equally. Look for the neighbour, and \
                       stop it";
    judge_each_side(material, foreign_of_side, unknown, "CPU time of other processes on each host", consequence)
}

fn foreign_of_side(material: &Material, side: &AuditedSide) -> Option<VerdictFigure> {
    let foreign = most_of_cells(material, side, |trial| trial.foreign)?;
    let text = format!("other processes used up to {} of its CPU time", units::format_percent(foreign));
    let breaks = cells_of(material, side).iter().any(|trials| has_neighbour(trials));
    Some(VerdictFigure { of: side.name.clone(), text, breaks })
}

/// Whether other processes took CPU time that was wanted, over the trials of a cell.
fn has_neighbour(trials: &[&TrialAccount]) -> bool {
    let busy = arithmetic_mean(trials.iter().filter_map(|trial| trial.host_busy));
    let foreign = arithmetic_mean(trials.iter().filter_map(|trial| trial.foreign));
    foreign.is_some_and(|foreign| is_taken_by_neighbour(foreign, busy))
}
