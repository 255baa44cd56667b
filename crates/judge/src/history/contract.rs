//! The conditions under which the figures of a cell can be compared from run to run, and what they are figures of.
//!
//! The plan's words on target, workload and phases, the generator, the machine and the way to it are the contract: when
//! one of them changes, the figures are of something else. Version and settings as the server tells them are not: they
//! are what a history watches over, and told beside a change that they come with.

use std::collections::{BTreeMap, BTreeSet};

use plan::Aspect;
use results::trial::Trial;

use crate::compare::{KnownTarget, fact_rows};
use crate::fingerprint::fingerprint_of_bytes;
use crate::observed::Observed;

/// What a plan says; there, absent means "not given", and elsewhere "not known".
const OF_PLAN: &str = "plan: ";

/// One fact, before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactChange {
    /// Its name.
    pub name: String,
    /// What it was; absent where it was not given.
    pub from: Option<String>,
    /// What it is; absent where it is not given any more.
    pub to: Option<String>,
}

/// Facts by name.
pub(super) type FactsByName = BTreeMap<String, String>;

/// The contract of a cell, and the facts of its server.
pub(super) fn of_cell(observed: &Observed, trials: &[&Trial]) -> [FactsByName; 2] {
    let (mut contract, mut server) = (FactsByName::new(), FactsByName::new());
    let Some(cell) = trials.first().map(|trial| &trial.cell) else { return [contract, server] };
    if let Some(facts) = observed.facts.get(&cell.target) {
        for row in fact_rows(&[KnownTarget::read_back(facts)], &BTreeSet::new()).into_iter().filter(|row| row.compared)
        {
            let Some(value) = row.values.into_iter().flatten().next() else { continue };
            let of = match row.aspect {
                Aspect::Version | Aspect::Build | Aspect::Settings => &mut server,
                Aspect::Platform | Aspect::Route | Aspect::Hardware | Aspect::Kernel | Aspect::Locale => &mut contract,
            };
            of.insert(row.name, value.to_string());
        }
    }
    if let Some(plan) = &observed.plan
        && let (Some(target), Some(workload)) =
            (plan.target_by_name(&cell.target), plan.workload_by_name(&cell.workload))
    {
        contract
            .extend(plan.said_of(target, workload).into_iter().map(|(key, value)| (format!("{OF_PLAN}{key}"), value)));
    }
    if let Some(generator) = &observed.run.generator {
        contract.insert("generator's CPUs".to_owned(), generator.cpus.to_string());
        contract.insert("generator's kernel".to_owned(), generator.kernel.clone());
    }
    let engines: BTreeSet<String> =
        trials.iter().filter_map(|trial| trial.load.as_ref()).map(engine_in_words).collect();
    contract.insert("load engine".to_owned(), engines.into_iter().collect::<Vec<_>>().join(" and "));
    if let Some(sent) = observed.workloads.get(&cell.workload) {
        let texts = sent.statements.iter().flat_map(|statement| statement.text.bytes().chain([0]));
        contract.insert("statements".to_owned(), format!("{:016x}", fingerprint_of_bytes(texts)));
    }
    [contract, server]
}

fn engine_in_words(load: &results::trial::LoadTotals) -> String {
    match &load.generator {
        Some(other) => format!("{} {}", other.program, other.version),
        None => format!("{}, {} threads", load.engine.backend, load.engine.threads),
    }
}

/// Names of facts as earlier versions wrote them into a history, each with that of today.
const RENAMED_FACTS: [[&str; 2]; 2] = [["way", "route"], ["disk of the WAL", "WAL disk"]];

/// How the names of a target's settings began in earlier versions.
const SETTINGS_BEFORE: &str = "plan: target.knobs.";

/// Values of facts, likewise.
const RENAMED_VALUES: [[&str; 2]; 3] = [
    ["a server that was there", "existing server"],
    ["nothing known in between", "no known hops"],
    ["that of the data", "same as the data disk"],
];

/// The contract of a line of a history in the words of today, whichever version wrote it.
pub(super) fn in_words_of_today(contract: &FactsByName) -> FactsByName {
    contract.iter().map(|(name, value)| (name_of_today(name), word_of_today(&RENAMED_VALUES, value))).collect()
}

fn name_of_today(name: &str) -> String {
    match name.strip_prefix(SETTINGS_BEFORE) {
        Some(setting) => format!("{OF_PLAN}target.settings.{setting}"),
        None => word_of_today(&RENAMED_FACTS, name),
    }
}

fn word_of_today(renamed: &[[&str; 2]], text: &str) -> String {
    let found = renamed.iter().find(|[before, _]| *before == text);
    found.map_or(text, |[_, today]| *today).to_owned()
}

/// What differs from one set of facts to the next. What is not known is no difference.
pub(super) fn fact_changes(from: &FactsByName, to: &FactsByName) -> Vec<FactChange> {
    let names: BTreeSet<&String> = from.keys().chain(to.keys()).collect();
    names
        .into_iter()
        .filter_map(|name| {
            let (before, after) = (from.get(name), to.get(name));
            let is_told = (before.is_some() && after.is_some()) || name.starts_with(OF_PLAN);
            (is_told && before != after).then(|| FactChange {
                name: name.clone(),
                from: before.cloned(),
                to: after.cloned(),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(of: &[(&str, &str)]) -> FactsByName {
        of.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn what_is_not_known_is_no_difference_and_what_a_plan_leaves_out_is_one() {
        let before = facts(&[("kernel", "6.1"), ("CPUs", "4"), ("plan: target.settings.work_mem", "4MB")]);
        let after = facts(&[("kernel", "6.8"), ("memory", "8 MiB")]);
        let found = fact_changes(&before, &after);
        let names: Vec<&str> = found.iter().map(|change| change.name.as_str()).collect();
        assert_eq!(names, ["kernel", "plan: target.settings.work_mem"]);
        assert_eq!((found[1].from.as_deref(), found[1].to.as_deref()), (Some("4MB"), None));
    }

    #[test]
    fn line_of_an_earlier_version_has_the_facts_of_today() {
        let earlier = [("kernel", "6.1"), ("way", "nothing known in between"), ("plan: target.knobs.work_mem", "4MB")];
        let today = [("kernel", "6.1"), ("route", "no known hops"), ("plan: target.settings.work_mem", "4MB")];
        assert_eq!(in_words_of_today(&facts(&earlier)), facts(&today));
    }
}
