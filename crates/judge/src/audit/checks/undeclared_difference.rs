//! The sides differ in what is compared and in nothing else.

use plan::Aspect;

use super::{Check, RuleSubject, routes};
use crate::audit::material::{Material, SideDifference, lowercase_words};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;

pub(super) const CHECK: Check = Check {
    code: &codes::UNDECLARED_DIFFERENCE,
    about: RuleSubject::Sides,
    rule: "the sides differ only in the compared property, and otherwise agree in version, settings, hardware, kernel, \
           route, platform and locale",
    judge: check_undeclared_difference,
};

fn check_undeclared_difference(material: &Material) -> CheckResult {
    let unknown = || {
        material.unknown.iter().map(|(side, what)| VerdictFigure::within_rule(side.clone(), format!("unknown: {what}")))
    };
    let (compared, confounding): (Vec<&SideDifference>, Vec<&SideDifference>) =
        material.differences.iter().partition(|unlike| is_what_is_compared(material, unlike));
    let compared = compared.into_iter().map(|unlike| VerdictFigure { breaks: false, ..difference_figure(unlike) });
    if !confounding.is_empty() {
        let figures = confounding.into_iter().map(difference_figure).chain(compared).chain(unknown()).collect();
        let consequence = "each of these may cause or hide a difference between the sides, so a measured change cannot \
                           be attributed to one of them";
        return CheckResult::rule_broken(Weight::Comparison, figures, consequence);
    }
    if material.sides.len() < 2 {
        return CheckResult::cannot_tell("two sides", vec![]);
    }
    if !material.unknown.is_empty() {
        let needs = "CPUs, memory, kernel, disk and the settings in force of every side";
        return CheckResult::cannot_tell(needs, compared.chain(unknown()).collect());
    }
    let none = VerdictFigure::within_rule(material.extent_of_sides(), "no undeclared difference");
    CheckResult::rule_holds(std::iter::once(none).chain(compared).collect())
}

/// Where nobody states what may differ, the only difference of a candidate is what is compared, unless the sides are
/// named for something else; of several, none can be told from the others.
fn is_what_is_compared(material: &Material, unlike: &SideDifference) -> bool {
    let of_candidate = material.differences.iter().filter(|other| other.candidate == unlike.candidate).count();
    !material.design.may_differ_is_stated && of_candidate == 1 && !is_beside_the_names(material, unlike)
}

/// Words of what servers run on.
const PLATFORMS: [&str; 18] = [
    "vm",
    "vms",
    "k8s",
    "kubernetes",
    "cnpg",
    "cloudnative",
    "cloudnativepg",
    "openshift",
    "docker",
    "container",
    "pod",
    "metal",
    "baremetal",
    "rds",
    "aurora",
    "cloudsql",
    "eks",
    "gke",
];

/// The values of settings that are switched.
const OF_SWITCHES: [&str; 4] = ["on", "off", "yes", "no"];

/// Settings by which a server forgets what it has acknowledged: who compares them says so, in one of these words.
const DURABILITY: [&str; 3] = ["fsync", "full_page_writes", "synchronous_commit"];
const OF_DURABILITY: [&str; 3] = ["sync", "durab", "safe"];

/// Whether a version, a setting or a route differs between sides whose names tell of what they run on and not of it;
/// of a setting that gives up durability, whose names do not tell of it.
fn is_beside_the_names(material: &Material, unlike: &SideDifference) -> bool {
    let Some(baseline) = material.sides.first() else { return false };
    let names = [&baseline.name, &unlike.candidate].map(|name| lowercase_words(name));
    // `pg16` is named for 16.
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_named = |word: &String| {
        names.iter().flatten().any(|named| named == word || is_number(word) && named.ends_with(word.as_str()))
    };
    let values =
        [&unlike.baseline, &unlike.value].map(|value| value.replace("(declared)", "").replace("PostgreSQL", ""));
    // Of a version its first number, of a setting its value or a word of its name.
    let mut told: Vec<String> = match unlike.aspect {
        Aspect::Version => values.iter().filter_map(|value| lowercase_words(value).into_iter().next()).collect(),
        Aspect::Settings => values.iter().chain([&unlike.what]).flat_map(|text| lowercase_words(text)).collect(),
        Aspect::Route => routes::OF_ROUTES.iter().map(|word| (*word).to_owned()).collect(),
        _ => return false,
    };
    // Such a word stands in any name: `a volume on the same disk`.
    told.retain(|word| !OF_SWITCHES.contains(&word.as_str()));
    let are_platforms = names.iter().all(|name| name.iter().any(|word| PLATFORMS.contains(&word.as_str())));
    let is_of_durability = |word: &String| OF_DURABILITY.iter().any(|part| word.contains(part));
    let gives_up_unsaid = DURABILITY.contains(&unlike.what.as_str()) && !names.iter().flatten().any(is_of_durability);
    !told.iter().any(is_named) && (are_platforms || gives_up_unsaid)
}

fn difference_figure(unlike: &SideDifference) -> VerdictFigure {
    VerdictFigure::against_rule(
        unlike.candidate.clone(),
        format!("{}: {} / {}", unlike.what, unlike.baseline, unlike.value),
    )
}
