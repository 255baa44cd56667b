//! No neighbour takes CPU time that the server wants.
//!
//! A neighbour takes unlike amounts at unlike times, so less of it is allowed than of a generator.

use super::shared_host::{cells_of, mean_of, most_of_cells, of_all_sides};
use super::{About, Check};
use crate::audit::material::{Material, TrialAccount};
use crate::audit::outcome::{CheckResult, Figure};
use crate::codes;
use crate::thresholds::is_taken_by_neighbour;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::NOISY_NEIGHBOUR,
    about: About::Transactions,
    rule: "over the trials of a cell, other processes take less than 20 % of the CPUs where these are contended",
    judge,
};

fn judge(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    let mut untold = Vec::new();
    for side in &material.sides {
        match most_of_cells(material, side, |trial| trial.foreign) {
            Some(foreign) => figures.push(Figure {
                of: side.name.clone(),
                text: format!("other processes used up to {} of its CPU time", units::percent(foreign)),
                breaks: cells_of(material, side).iter().any(|trials| has_neighbour(trials)),
            }),
            None => untold.push(Figure::fine(side.name.clone(), "the CPU time of other processes is not known")),
        }
    }
    let consequence = "a neighbour used CPU time that the server needed: the server's figures are too low, and the \
                       comparison holds only as far as the sides were affected equally. Look for the neighbour, and \
                       stop it";
    of_all_sides(material, figures, untold, "CPU time of other processes on each host", consequence)
}

/// Whether other processes took CPU time that was wanted, over the trials of a cell.
fn has_neighbour(trials: &[&TrialAccount]) -> bool {
    let busy = mean_of(trials.iter().filter_map(|trial| trial.host_busy));
    let foreign = mean_of(trials.iter().filter_map(|trial| trial.foreign));
    foreign.is_some_and(|foreign| is_taken_by_neighbour(foreign, busy))
}
