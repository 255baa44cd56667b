//! The sides differ in what is compared and in nothing else.

use plan::Aspect;

use super::{Check, RuleSubject, routes};
use crate::audit::material::{Material, SideDifference, lowercase_words};
use crate::audit::outcome::{CheckResult, VerdictFigure, Weight};
use crate::codes;
use crate::compare::FactDifference;

pub(super) const CHECK: Check = Check {
    code: &codes::UNDECLARED_DIFFERENCE,
    about: RuleSubject::Sides,
    rule: "the sides differ only in the compared property, and otherwise agree in version, settings, hardware, kernel, \
           route, platform and locale",
    judge: check_undeclared_difference,
};

/// What a difference is for the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DifferenceMeaning {
    /// What is compared.
    Compared,
    /// It stands beside what is compared.
    Confounding,
    /// The only one that is known, of which no name says that it is what is compared.
    Unclear,
}

fn check_undeclared_difference(material: &Material) -> CheckResult {
    let (mut confounding, mut beside, mut is_any_unclear) = (Vec::new(), Vec::new(), false);
    for unlike in &material.differences {
        match meaning_of_difference(material, unlike) {
            DifferenceMeaning::Confounding => confounding.push(difference_figure(unlike, "")),
            DifferenceMeaning::Compared => beside.push(difference_figure(unlike, "")),
            DifferenceMeaning::Unclear => {
                is_any_unclear = true;
                let remark = " (the only known difference; no side is named for it)";
                beside.push(difference_figure(unlike, remark));
            }
        }
    }
    let unknown = material.unknown.iter();
    let unknown =
        unknown.map(|(side, what)| VerdictFigure::within_rule(side.clone(), format!("unknown: {what}"))).collect();
    let beside: Vec<VerdictFigure> =
        beside.into_iter().map(|figure| VerdictFigure { breaks: false, ..figure }).collect();
    if !confounding.is_empty() {
        let figures = [confounding, beside, unknown].concat();
        let consequence = "each of these may cause or hide a difference between the sides, so a measured change cannot \
                           be attributed to one of them";
        return CheckResult::rule_broken(Weight::Comparison, figures, consequence);
    }
    if material.sides.len() < 2 {
        return CheckResult::cannot_tell("two sides", vec![]);
    }
    if is_any_unclear {
        let needs = "what is compared: may_differ, or sides that are named for it";
        return CheckResult::cannot_tell(needs, [beside, unknown].concat());
    }
    if !material.unknown.is_empty() {
        let needs = "CPUs, memory, kernel, disk and the settings in force of every side";
        return CheckResult::cannot_tell(needs, [beside, unknown].concat());
    }
    let none = VerdictFigure::within_rule(material.extent_of_sides(), "no undeclared difference");
    CheckResult::rule_holds(std::iter::once(none).chain(beside).collect())
}

/// Where nobody states what may differ, the names of the sides tell what is compared: the one difference of which both
/// tell. Without such, the only difference of a candidate is taken for it where a name tells of it, or tells nothing.
fn meaning_of_difference(material: &Material, unlike: &SideDifference) -> DifferenceMeaning {
    if material.design.may_differ_is_stated {
        return DifferenceMeaning::Confounding;
    }
    let of_candidate: Vec<&SideDifference> =
        material.differences.iter().filter(|other| other.candidate == unlike.candidate).collect();
    let named: Vec<&&SideDifference> =
        of_candidate.iter().filter(|other| are_both_sides_named_for(material, other)).collect();
    match named.as_slice() {
        [only] if **only == unlike => return DifferenceMeaning::Compared,
        _ if of_candidate.len() > 1 => return DifferenceMeaning::Confounding,
        _ => {}
    }
    if is_beside_the_names(material, unlike) {
        DifferenceMeaning::Confounding
    } else if do_names_allow_for(material, unlike) {
        DifferenceMeaning::Compared
    } else {
        DifferenceMeaning::Unclear
    }
}

/// Whether what the rule compares differs by the sides' memory, or by anything else of this name, and nobody declares
/// it or names a side for it.
pub(super) fn is_confounding(material: &Material, is_it: fn(&FactDifference) -> bool, candidate: &str) -> bool {
    let of_candidate = material.differences.iter().filter(|unlike| unlike.candidate == candidate);
    let mut found = of_candidate.filter(|unlike| is_it(&unlike.difference));
    found.any(|unlike| meaning_of_difference(material, unlike) != DifferenceMeaning::Compared)
}

/// The words of a value; that a server is a PostgreSQL says nothing.
fn words_of_value(value: &str) -> Vec<String> {
    lowercase_words(&value.replace("PostgreSQL", ""))
}

/// Whether the name of each side has a word of its own value that is not one of the other's.
fn are_both_sides_named_for(material: &Material, unlike: &SideDifference) -> bool {
    let Some(baseline) = material.sides.first() else { return false };
    let [here, there] = unlike.difference.texts_of_values().map(|value| words_of_value(&value));
    is_named_for(&baseline.name, &here, &there) && is_named_for(&unlike.candidate, &there, &here)
}

/// Whether a name has one of these words that is not one of the others.
fn is_named_for(name: &str, own: &[String], other: &[String]) -> bool {
    let words = lowercase_words(name);
    own.iter().any(|word| !other.contains(word) && !OF_SWITCHES.contains(&word.as_str()) && words.contains(word))
}

/// Names that tell nothing of what a side is.
const OF_ANY_SIDE: [&str; 36] = [
    "a",
    "b",
    "c",
    "after",
    "base",
    "baseline",
    "before",
    "candidate",
    "control",
    "current",
    "database",
    "db",
    "default",
    "first",
    "host",
    "left",
    "new",
    "newer",
    "next",
    "node",
    "old",
    "older",
    "original",
    "prod",
    "production",
    "right",
    "run",
    "second",
    "server",
    "side",
    "staging",
    "system",
    "target",
    "test",
    "tuned",
    "upgraded",
];

/// Whether a name of the two sides tells of a difference, or of nothing.
fn do_names_allow_for(material: &Material, unlike: &SideDifference) -> bool {
    let Some(baseline) = material.sides.first() else { return false };
    let [here, there] = unlike.difference.texts_of_values();
    let told: Vec<String> =
        [&here, &there, &unlike.difference.what].into_iter().flat_map(|text| words_of_value(text)).collect();
    [&baseline.name, &unlike.candidate].iter().any(|name| {
        let words = lowercase_words(name);
        let tells_of_it = words.iter().any(|word| told.iter().any(|of| have_common_stem(word, of)));
        let tells_nothing = words.iter().all(|word| {
            let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
            word.trim_start_matches(|c: char| c.is_ascii_digit()).is_empty() || OF_ANY_SIDE.contains(&stem)
        });
        tells_of_it || tells_nothing
    })
}

/// Whether two words are one, or one of them begins with the other or holds it as a number: `sync` and `synchronous`,
/// `pg16` and `16`. Short words begin many others.
fn have_common_stem(one: &str, other: &str) -> bool {
    one == other
        || begins_with_stem(one, other)
        || begins_with_stem(other, one)
        || has_all_digits(other) && one.ends_with(other)
}

fn begins_with_stem(long: &str, stem: &str) -> bool {
    stem.len() >= 4 && !has_all_digits(stem) && long.starts_with(stem)
}

fn has_all_digits(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_digit())
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
    let what = unlike.difference.what.as_str();
    let [here, there] = unlike.difference.texts_of_values().map(|value| words_of_value(&value));
    // Of a version its first number, of a setting its value or a word of its name.
    let mut told: Vec<String> = match unlike.difference.aspect {
        Aspect::Version => here.into_iter().take(1).chain(there.into_iter().take(1)).collect(),
        Aspect::Settings => [here, there, lowercase_words(what)].concat(),
        Aspect::Route => routes::OF_ROUTES.iter().map(|word| (*word).to_owned()).collect(),
        _ => return false,
    };
    // Such a word stands in any name: `a volume on the same disk`.
    told.retain(|word| !OF_SWITCHES.contains(&word.as_str()));
    let are_platforms = names.iter().all(|name| name.iter().any(|word| PLATFORMS.contains(&word.as_str())));
    let gives_up_unsaid = DURABILITY.contains(&what)
        && !names.iter().flatten().any(|word| OF_DURABILITY.iter().any(|part| word.contains(part)));
    // `pg16` is named for 16.
    let is_any_named = told.iter().any(|word| {
        names.iter().flatten().any(|name| name == word || has_all_digits(word) && name.ends_with(word.as_str()))
    });
    !is_any_named && (are_platforms || gives_up_unsaid)
}

fn difference_figure(unlike: &SideDifference, remark: &str) -> VerdictFigure {
    VerdictFigure::against_rule(unlike.candidate.clone(), format!("{}{remark}", unlike.difference))
}
