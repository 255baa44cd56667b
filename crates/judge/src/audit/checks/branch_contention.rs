//! tpcb-like with fewer branches than clients measures the wait for a branch's row.

use super::{Check, RuleSubject};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::BRANCH_CONTENTION,
    about: RuleSubject::Transactions,
    rule: "a workload that updates a branch in every transaction has at least as many branches (its scale) as clients",
    judge: check_branch_contention,
};

fn check_branch_contention(material: &Material) -> CheckResult {
    let updating: Vec<&TrialAccount> =
        material.trials.iter().filter(|trial| trial.script.is_some_and(|script| script.updates_branch)).collect();
    if updating.is_empty() {
        return match material.trials.iter().find(|trial| trial.script.is_none()) {
            Some(_) => CheckResult::cannot_tell("the statements of each workload's transactions", vec![]),
            None => material.holds_for_all_trials("no branch is updated"),
        };
    }
    let told: Vec<(&TrialAccount, u32, u32)> =
        updating.iter().filter_map(|trial| Some((*trial, trial.scale?, trial.clients.known_count()?))).collect();
    let figure = |(trial, scale, clients): &(&TrialAccount, u32, u32)| VerdictFigure {
        of: trial.place_in_words(),
        text: format!(
            "{scale} {} for {}",
            if *scale == 1 { "branch" } else { "branches" },
            units::format_clients(*clients)
        ),
        breaks: scale < clients,
    };
    let mut broken: Vec<VerdictFigure> = told.iter().map(figure).filter(|figure| figure.breaks).collect();
    broken.dedup();
    if !broken.is_empty() {
        let consequence = "the clients queue for the same row locks by construction: the trials measure how fast a row \
                           lock is handed over, which hides the capacity of the sides. Use a scale of at least the \
                           number of clients, or simple-update";
        return CheckResult::rule_broken(Weight::Comparison, broken, consequence);
    }
    match told.iter().max_by_key(|(_, scale, clients)| clients.saturating_sub(*scale)) {
        Some(tightest) if told.len() == updating.len() => CheckResult::rule_holds(vec![figure(tightest)]),
        Some(_) | None => CheckResult::cannot_tell("the scale and the clients of each workload", vec![]),
    }
}
