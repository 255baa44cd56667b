//! The conditions under which the figures of a cell can be compared from run to run, and what they are figures of.
//!
//! The plan's words on target, workload and phases, the generator, the machine and the way to it are the contract: when
//! one of them changes, the figures are of something else. Version and settings as the server tells them are not: they
//! are what a history watches over, and told beside a change that they come with.

use std::collections::{BTreeMap, BTreeSet};

use plan::Aspect;
use results::trial::Trial;

use crate::compare::{Known, fact_rows};
use crate::fingerprint::fingerprint;
use crate::observed::Observed;

/// What a plan says; there, absent means "not given", and elsewhere "not known".
const OF_PLAN: &str = "plan: ";

/// Facts by name.
pub(super) type Facts = BTreeMap<String, String>;

/// The contract of a cell, and the facts of its server.
pub(super) fn of_cell(observed: &Observed, trials: &[&Trial]) -> [Facts; 2] {
    let (mut contract, mut server) = (Facts::new(), Facts::new());
    let Some(cell) = trials.first().map(|trial| &trial.cell) else { return [contract, server] };
    if let Some(facts) = observed.facts.get(&cell.target) {
        for row in fact_rows(&[Known::read_back(facts)], &BTreeSet::new()) {
            let Some(value) = row.values.into_iter().flatten().next() else { continue };
            let of = match row.aspect {
                Aspect::Version | Aspect::Settings => &mut server,
                Aspect::Platform | Aspect::Path | Aspect::Hardware | Aspect::Kernel | Aspect::Locale => &mut contract,
            };
            of.insert(row.name, value);
        }
    }
    if let Some(plan) = &observed.plan
        && let (Some(target), Some(workload)) = (plan.target(&cell.target), plan.workload(&cell.workload))
    {
        contract
            .extend(plan.said_of(target, workload).into_iter().map(|(key, value)| (format!("{OF_PLAN}{key}"), value)));
    }
    if let Some(generator) = &observed.run.generator {
        contract.insert("generator's CPUs".to_owned(), generator.cpus.to_string());
        contract.insert("generator's kernel".to_owned(), generator.kernel.clone());
    }
    let engines: BTreeSet<String> = trials.iter().filter_map(|trial| trial.load.as_ref()).map(engine).collect();
    contract.insert("load engine".to_owned(), engines.into_iter().collect::<Vec<_>>().join(" and "));
    if let Some(sent) = observed.workloads.get(&cell.workload) {
        let texts = sent.statements.iter().flat_map(|statement| statement.text.bytes().chain([0]));
        contract.insert("statements".to_owned(), format!("{:016x}", fingerprint(texts)));
    }
    [contract, server]
}

fn engine(load: &results::trial::LoadTotals) -> String {
    match &load.generator {
        Some(other) => format!("{} {}", other.program, other.version),
        None => format!("{}, {} threads", load.engine.backend, load.engine.threads),
    }
}
