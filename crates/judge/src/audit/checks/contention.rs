//! tpcb-like with fewer branches than clients measures the wait for a branch's row.

use super::{About, Check};
use crate::audit::material::{Material, Trial};
use crate::audit::outcome::{Figure, Outcome, Weight};
use crate::units;

pub(super) const CHECK: Check = Check {
    id: "contention",
    about: About::Transactions,
    rule: "a workload that updates a branch in every transaction has at least as many branches (its scale) as clients",
    judge,
};

fn judge(material: &Material) -> Outcome {
    let updating: Vec<&Trial> =
        material.trials.iter().filter(|trial| trial.script.is_some_and(|script| script.updates_branch)).collect();
    if updating.is_empty() {
        return Outcome::holds(vec![Figure::fine("all workloads", "none is known to update a branch")]);
    }
    let told: Vec<(&Trial, u32, u32)> =
        updating.iter().filter_map(|trial| Some((*trial, trial.scale?, trial.clients.known()?))).collect();
    let figure = |(trial, scale, clients): &(&Trial, u32, u32)| Figure {
        of: trial.place(),
        text: format!("{scale} branches for {}", units::clients(*clients)),
        breaks: scale < clients,
    };
    let mut broken: Vec<Figure> = told.iter().map(figure).filter(|figure| figure.breaks).collect();
    broken.dedup();
    if !broken.is_empty() {
        let consequence = "the clients stand in line for the same rows, by construction: what is measured is how fast a row's lock is handed on, \
 which hides what the sides can do: use a scale of at least the number of clients, or simple-update";
        return Outcome::broken(Weight::Comparison, broken, consequence);
    }
    match told.iter().max_by_key(|(_, scale, clients)| clients.saturating_sub(*scale)) {
        Some(tightest) if told.len() == updating.len() => Outcome::holds(vec![figure(tightest)]),
        Some(_) | None => Outcome::cannot_tell("the scale and the clients of each workload", vec![]),
    }
}
