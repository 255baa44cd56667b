//! The sides differ in what is compared and in nothing else.

use super::{About, Check};
use crate::audit::material::{Material, Unlike};
use crate::audit::outcome::{CheckResult, Figure, Weight};

pub(super) const CHECK: Check = Check {
    id: "unlike-sides",
    about: About::Sides,
    rule: "the sides differ in nothing but what is compared: version, settings, hardware, kernel, path, platform, locale",
    judge,
};

fn judge(material: &Material) -> CheckResult {
    let unknown =
        || material.unknown.iter().map(|(side, what)| Figure::fine(side.clone(), format!("not known: {what}")));
    let (compared, confounding): (Vec<&Unlike>, Vec<&Unlike>) =
        material.differences.iter().partition(|unlike| is_what_is_compared(material, unlike));
    let compared = compared.into_iter().map(|unlike| Figure { breaks: false, ..figure(unlike) });
    if !confounding.is_empty() {
        let figures = confounding.into_iter().map(figure).chain(compared).chain(unknown()).collect();
        let consequence = "each of these could cause, or hide, a difference between the sides: what is found cannot be put down to one of \
                           them";
        return CheckResult::broken(Weight::Comparison, figures, consequence);
    }
    if material.sides.len() < 2 {
        return CheckResult::cannot_tell("two sides", vec![]);
    }
    if !material.unknown.is_empty() {
        let needs = "CPUs, memory, kernel, disk and the settings in force of every side";
        return CheckResult::cannot_tell(needs, compared.chain(unknown()).collect());
    }
    let none = Figure::fine("all sides", "no difference that was not allowed");
    CheckResult::holds(std::iter::once(none).chain(compared).collect())
}

/// Where nobody states what may differ, the only difference of a candidate is what is compared; of several, none can be
/// told from the others.
fn is_what_is_compared(material: &Material, unlike: &Unlike) -> bool {
    let of_candidate = material.differences.iter().filter(|other| other.candidate == unlike.candidate).count();
    !material.design.may_differ_is_stated && of_candidate == 1
}

fn figure(unlike: &Unlike) -> Figure {
    Figure::against(unlike.candidate.clone(), format!("{}: {} / {}", unlike.what, unlike.baseline, unlike.value))
}
