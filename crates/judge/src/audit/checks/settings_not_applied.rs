//! Every setting is in force as it was asked for, and the generator talks to the kernel in one way on all sides.

use std::collections::BTreeMap;

use super::{Check, RuleSubject};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;

pub(super) const CHECK: Check = Check {
    code: &codes::SETTINGS_NOT_APPLIED,
    about: RuleSubject::Transactions,
    rule: "settings are in force as requested: huge pages are in use, no setting waits for a restart, \
           and the load uses one interface (epoll or io_uring) on all sides",
    judge: check_settings_not_applied,
};

fn check_settings_not_applied(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    figures.extend(unlike_backends(material));
    let mut unread = Vec::new();
    for side in &material.sides {
        match &side.not_in_force {
            Some(settings) => {
                figures
                    .extend(settings.iter().map(|text| VerdictFigure::against_rule(side.name.clone(), text.clone())));
            }
            None => unread.push(VerdictFigure::within_rule(side.name.clone(), "nothing was read back from the server")),
        }
    }
    if !figures.is_empty() {
        let consequence = "the measured configuration is not the requested one: put it in force (restart the server, \
                           reserve huge pages) and measure again";
        CheckResult::rule_broken(Weight::Comparison, figures, consequence)
    } else if !unread.is_empty() || material.sides.is_empty() {
        CheckResult::cannot_tell("the settings in force (pg_settings) of every side", unread)
    } else {
        let text = "settings are in force as requested";
        CheckResult::rule_holds(vec![VerdictFigure::within_rule(material.extent_of_sides(), text)])
    }
}

/// What the generator used on each side, where one number of clients had unlike ones: io_uring is forbidden to many
/// containers, and the engine then falls back to epoll.
fn unlike_backends(material: &Material) -> Vec<VerdictFigure> {
    let mut used: BTreeMap<(&str, String), BTreeMap<&str, &str>> = BTreeMap::new();
    for trial in &material.trials {
        let Some(backend) = &trial.backend else { continue };
        let cell = (trial.workload.as_str(), trial.clients.to_string());
        used.entry(cell).or_default().insert(&trial.side, backend);
    }
    let unlike = used.into_iter().filter(|(_, sides)| are_values_different(sides));
    unlike
        .flat_map(|((workload, clients), sides)| {
            sides
                .into_iter()
                .map(move |(side, backend)| {
                    VerdictFigure::against_rule(
                        side,
                        format!("the load used {backend} ({workload}, {clients} clients)"),
                    )
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

fn are_values_different(sides: &BTreeMap<&str, &str>) -> bool {
    let first = sides.values().next();
    sides.values().any(|backend| Some(backend) != first)
}
