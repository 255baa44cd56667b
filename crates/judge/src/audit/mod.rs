//! What must hold, or a comparison is not one: every check on one account of a benchmark,
//! pgdyno's own or somebody else's.
//!
//! Pure: reads nothing beyond the [`Material`]. No check knows a file, a product or a row; each states a rule that any
//! benchmark has to obey, and prints the figures.

mod checks;
mod data_sizes;
mod groups;
mod ladder;
mod material;
mod of_disks;
mod of_import;
mod of_run;
mod of_tables;
mod outcome;
mod rounding;
mod stated;

#[cfg(test)]
mod tests;

use results::run::Run;
use results::trial::Trial;

use crate::codes::Code;
use crate::compare::{Comparison, RunQuestion};
use crate::disks::DisksJudged;
use crate::observed::Observed;

pub use checks::{CHECKS, Check, INCOMPLETE_CELLS};
pub use material::Material;
pub use of_run::of_run;
pub use outcome::{CheckResult, CheckRuling, VerdictFigure, Weight};

/// What all checks say about one benchmark.
#[derive(Debug)]
pub struct BenchmarkAudit {
    /// Each check that applies, with what it found: broken rules first, the one that undermines most at the top, then
    /// what cannot be told, then what holds.
    pub findings: Vec<(&'static Check, CheckResult)>,
    /// What is to be known before the rules, in words: sides that have nothing in common, or were measured at once.
    pub remarks: Vec<String>,
}

/// Runs every check that applies: no rule about disks, for example, where no disk was measured.
pub fn audit_material(material: &Material) -> BenchmarkAudit {
    let applying = CHECKS.iter().filter(|check| check.applies_to(material));
    let mut findings: Vec<_> = applying.map(|check| (check, check.judge_material(material))).collect();
    findings.sort_by_key(|(_, outcome)| ruling_sort_key(&outcome.verdict));
    let mut remarks = material.sides_without_common_cell();
    remarks.extend(checks::overlaps_of_unknown_hosts(material));
    BenchmarkAudit { findings, remarks }
}

/// Audits figures that another tool measured, without seconds, logs and disks, a trial at a time: none is kept but as
/// an account. Gives the run back.
pub fn audit_imported_figures(
    run: Run,
    study: String,
    trials: impl Iterator<Item = Trial>,
) -> (Run, Option<BenchmarkAudit>) {
    let Some(imported) = &run.imported else { return (run, None) };
    let mut accounts = of_import::ImportedAccounts::of_imported(imported);
    accounts.reserve_trials(trials.size_hint().0);
    let mut first_of_cells = Vec::new();
    for trial in trials {
        if accounts.add_trial(imported, &trial, &[]) {
            first_of_cells.push(trial);
        }
    }
    let mut material = accounts.into_material(imported);
    let observed = Observed::of_figures(run, study, first_of_cells);
    let comparison = Comparison::of_facts(&observed, RunQuestion::of_run(&observed));
    material.differences = of_run::differences_by_candidate(&comparison);
    of_disks::add_disks(&mut material, &observed, &DisksJudged::default());
    (observed.run, Some(audit_material(&material)))
}

/// The sort is stable: among equals the order of the table of checks decides.
fn ruling_sort_key(verdict: &CheckRuling) -> (u8, Option<Weight>) {
    match verdict {
        CheckRuling::Broken(weight) => (0, Some(*weight)),
        CheckRuling::CannotTell { .. } => (1, None),
        CheckRuling::Holds => (2, None),
    }
}

impl BenchmarkAudit {
    /// Leaves out the checks of these codes.
    pub fn leave_out(&mut self, codes: &[&'static Code]) {
        self.findings.retain(|(check, _)| !codes.contains(&check.code));
    }

    /// How many rules hold, are broken, and cannot be told.
    pub fn counts_by_ruling(&self) -> [usize; 3] {
        let count = |wanted: fn(&CheckRuling) -> bool| self.findings.iter().filter(|(_, o)| wanted(&o.verdict)).count();
        [
            count(|verdict| matches!(verdict, CheckRuling::Holds)),
            count(|verdict| matches!(verdict, CheckRuling::Broken(_))),
            count(|verdict| matches!(verdict, CheckRuling::CannotTell { .. })),
        ]
    }
}
