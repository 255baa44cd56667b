//! tpcb-like with fewer branches than clients measures the wait for a branch's row.

use std::collections::{BTreeMap, BTreeSet};

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
    let broken = short_of_branches_figures(material, &told);
    if !broken.is_empty() {
        let consequence = "the clients queue for the same row locks by construction: the trials measure how fast a row \
                           lock is handed over, which hides the capacity of the sides. Use a scale of at least the \
                           number of clients, or simple-update";
        return CheckResult::rule_broken(Weight::Comparison, broken, consequence);
    }
    match told.iter().max_by_key(|(_, scale, clients)| clients.saturating_sub(*scale)) {
        Some((trial, scale, clients)) if told.len() == updating.len() => {
            let text = format!("{} for {}", branches_in_words(*scale), units::format_clients(*clients));
            CheckResult::rule_holds(vec![VerdictFigure::within_rule(trial.place_in_words(), text)])
        }
        Some(_) | None => CheckResult::cannot_tell("the scale and the clients of each workload", vec![]),
    }
}

/// Cells of one workload and scale that have more clients than branches.
#[derive(Default)]
struct ShortOfBranches<'a> {
    clients: BTreeSet<u32>,
    sides: BTreeSet<&'a str>,
}

/// One figure for each workload and scale at which more clients than branches were measured: the sides and the numbers
/// of clients are listed in it, since the cause is the same in all of these cells.
fn short_of_branches_figures(material: &Material, told: &[(&TrialAccount, u32, u32)]) -> Vec<VerdictFigure> {
    let mut short: BTreeMap<(&str, u32), ShortOfBranches<'_>> = BTreeMap::new();
    for (trial, scale, clients) in told.iter().filter(|(_, scale, clients)| scale < clients) {
        let cells = short.entry((&trial.workload, *scale)).or_default();
        cells.clients.insert(*clients);
        cells.sides.insert(&trial.side);
    }
    let mut figures = Vec::new();
    for ((workload, scale), ShortOfBranches { clients, sides }) in short {
        let sides = match sides.len() {
            all if all > 1 && all == material.sides.len() => format!("each of {all} sides"),
            several if several > LISTED_SIDES => format!("{several} of {} sides", material.sides.len()),
            _ => sides.into_iter().collect::<Vec<_>>().join(", "),
        };
        let clients = match clients.iter().map(u32::to_string).collect::<Vec<_>>().as_slice() {
            [one] => format!("{one} clients"),
            [several @ .., last] => format!("{} and {last} clients", several.join(", ")),
            [] => continue,
        };
        let text = format!("{} for {clients}", branches_in_words(scale));
        figures.push(VerdictFigure::against_rule(format!("{sides}, {workload}"), text));
    }
    figures
}

/// More sides than these are counted, and not listed.
const LISTED_SIDES: usize = 3;

fn branches_in_words(scale: u32) -> String {
    if scale == 1 { "1 branch".to_owned() } else { format!("{scale} branches") }
}
