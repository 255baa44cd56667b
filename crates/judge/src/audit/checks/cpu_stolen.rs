//! The hypervisor does not withhold CPU time.

use super::shared_host::{most_of_cells, of_all_sides};
use super::{About, Check};
use crate::audit::material::Material;
use crate::audit::outcome::{CheckResult, Figure};
use crate::codes;
use crate::thresholds::is_stolen;
use crate::units;

pub(super) const CHECK: Check = Check {
    code: &codes::CPU_STOLEN,
    about: About::Transactions,
    rule: "over the trials of a cell, steal is below 5 % of the CPU time that was wanted",
    judge,
};

fn judge(material: &Material) -> CheckResult {
    let mut figures = Vec::new();
    let mut untold = Vec::new();
    for side in &material.sides {
        match most_of_cells(material, side, |trial| trial.stolen) {
            Some(stolen) => figures.push(Figure {
                of: side.name.clone(),
                text: format!("steal was up to {} of the CPU time that was wanted", units::percent(stolen)),
                breaks: is_stolen(stolen),
            }),
            None => untold.push(Figure::fine(side.name.clone(), "steal is not known")),
        }
    }
    let consequence = "the hypervisor withheld CPU time that the server needed: the server's figures are too low, and \
                       the comparison holds only as far as the sides were affected equally. Use dedicated CPUs";
    of_all_sides(material, figures, untold, "steal on each host", consequence)
}
