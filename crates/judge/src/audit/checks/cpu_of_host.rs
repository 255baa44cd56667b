//! What the checks share that ask who had the CPUs of a side's host: figures of each side over the trials of its cells,
//! and what follows from them.

use stats::centre::arithmetic_mean;

use crate::audit::groups::in_groups;
use crate::audit::material::{AuditedSide, Material, TrialAccount};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};

/// Judges a figure of each side that says whether it is against the side; `unknown` is said of a side without one.
pub(super) fn judge_each_side(
    material: &Material,
    figure_of: fn(&Material, &AuditedSide) -> Option<VerdictFigure>,
    unknown: &'static str,
    needs: &'static str,
    consequence: &'static str,
) -> CheckResult {
    let mut figures = Vec::new();
    let mut untold = Vec::new();
    for side in &material.sides {
        match figure_of(material, side) {
            Some(figure) => figures.push(figure),
            None => untold.push(VerdictFigure::within_rule(side.name.clone(), unknown)),
        }
    }
    of_all_sides(material, figures, untold, needs, consequence)
}

/// What follows of figures of each side that are against it, or not known: alike on all sides they are too low, and
/// otherwise no comparison.
pub(super) fn of_all_sides(
    material: &Material,
    figures: Vec<VerdictFigure>,
    untold: Vec<VerdictFigure>,
    needs: &'static str,
    consequence: &'static str,
) -> CheckResult {
    if figures.iter().any(|figure| figure.breaks) {
        let alike =
            material.sides.iter().all(|side| figures.iter().any(|figure| figure.breaks && figure.of == side.name));
        CheckResult::rule_broken(if alike { Weight::Figures } else { Weight::Comparison }, figures, consequence)
    } else if !untold.is_empty() || figures.is_empty() {
        CheckResult::cannot_tell(needs, figures.into_iter().chain(untold).collect())
    } else {
        CheckResult::rule_holds(figures)
    }
}

/// The largest over the cells of a side of the mean over a cell's trials.
pub(super) fn most_of_cells(
    material: &Material,
    side: &AuditedSide,
    figure: fn(&TrialAccount) -> Option<f64>,
) -> Option<f64> {
    let cells = cells_of(material, side);
    cells.iter().filter_map(|trials| arithmetic_mean(trials.iter().filter_map(|trial| figure(trial)))).reduce(f64::max)
}

/// The trials of a side, those of one workload at one number of clients together.
pub(super) fn cells_of<'a>(material: &'a Material, side: &AuditedSide) -> Vec<Vec<&'a TrialAccount>> {
    let of_side = material.trials.iter().filter(|trial| trial.side == side.name);
    in_groups(of_side, |trial| (trial.workload.as_str(), trial.clients))
}
