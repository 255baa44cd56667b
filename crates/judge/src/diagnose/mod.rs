//! Why is it so? Rules look over everything that was observed in a run and say what takes time or throughput, with the
//! evidence, what would disprove it, and the experiment that would confirm it.
//!
//! Pure: reads no file and no clock. A rule is one file below `rules/`, looks at one cell at a time (`DiagnosisCase`),
//! and answers with a finding, with nothing, or with what it would have needed (`MissingObservation`). `rules::ALL` is
//! the table of them.

mod accounted;
mod bearing;
#[cfg(test)]
mod built;
mod case;
mod catalog;
mod confirm;
mod defining_statements;
mod differing_tables;
mod dip;
mod elimination;
mod executed_plans;
mod explained;
mod finding;
mod idle_sessions;
mod kernel_sleeps;
mod logged;
mod mend;
mod missing;
mod missing_rights;
mod own_share;
mod path;
mod pieces;
mod plans;
mod quantity;
mod rank;
mod ranked_finding;
mod rule;
mod rules;
mod seconds;
#[cfg(test)]
mod situations;
mod slower_nodes;
mod spent;
mod still;
#[cfg(test)]
mod symmetry;
mod tables;
#[cfg(test)]
mod tests;
mod touched_columns;
mod unexplained;
mod wal;

use std::collections::BTreeMap;

use crate::compare::RunQuestion;
use crate::observed::Observed;
use bearing::BearingSides;
use case::Cells;
use explained::Explanations;
use missing_rights::RulesByGrant;
use rank::{Clean, InCell};

pub use confirm::Confirm;
pub use explained::{ExplainedBy, ExplainedChange, Left, UnlikeFact};
pub use finding::{
    CaseFinding, Chart, ChartLine, Confidence, EvidenceFigure, FigureAmount, FindingCost, FindingKind, PlanText,
    PlansBeside, SpentOn, SpentTime, TrialWindow,
};
pub use mend::{GivesUp, Mend};
pub use missing_rights::{MissingRights, grants_in};
pub use pieces::LatencyPiece;
pub(crate) use plans::{name_of_node, plans_side_by_side};
pub use quantity::{Measure, QuantityComparison, QuantityUnit};
pub use ranked_finding::{Bearing, Overlap, RankedFinding};
pub use rule::Rule;
pub use rules::ALL as RULES;
pub use unexplained::PlacedAccount;

/// What the rules say of a run.
#[derive(Debug, Default)]
pub struct Diagnosis {
    /// Their findings: what explains the difference first, then by what they cost.
    pub findings: Vec<RankedFinding>,
    /// How much of each change they account for.
    pub explained: Vec<ExplainedChange>,
    /// What differs between the sides of each pair, whatever the rules say.
    pub accounts: Vec<PlacedAccount>,
    /// Rules that could not tell in some cells, each with what it lacked first.
    pub unanswered: Vec<UnansweredRule>,
    /// What the roles may not read that rules needed; none where nothing of the sort was lacking.
    pub missing_rights: Option<MissingRights>,
    /// What every rule lacked, where there was no cell that any could look at.
    pub lacked: Option<&'static str>,
}

/// A rule that lacked observations.
#[derive(Debug, Clone)]
pub struct UnansweredRule {
    /// The rule.
    pub rule: &'static Rule,
    /// In how many cells it could not tell.
    pub cells: usize,
    /// What it lacked in the first of them.
    pub lacks: String,
}

/// Lets every rule look at every cell of a run.
pub fn diagnose_run(observed: &Observed, question: &RunQuestion) -> Diagnosis {
    let cells = Cells::from_observed(observed, question);
    let (mut found, mut clean, mut lacking) = (Vec::new(), Clean::new(), BTreeMap::new());
    let mut rights = RulesByGrant::default();
    for case in cells.all_cases() {
        let mut of_case: Vec<(&'static Rule, CaseFinding)> = Vec::new();
        for rule in rules::ALL {
            match (rule.look)(&case) {
                Ok(Some(one)) => of_case.push((*rule, one)),
                Ok(None) => {
                    clean.insert((rule.code.name, case.cell().clone()));
                }
                Err(missing) => {
                    rights.add(rule.code.name, &missing);
                    let lack = lacking.entry(rule.code.name).or_insert_with(|| (*rule, 0, missing.to_string()));
                    lack.1 += 1;
                }
            }
        }
        elimination::leave_out_what_others_name(&mut of_case);
        elimination::withhold_costs(&case, question, &mut of_case, &clean);
        for (rule, one) in of_case {
            found.push(InCell::from_found(rule, &case, one));
        }
    }
    let unanswered = lacking.into_values().map(|(rule, cells, lacks)| UnansweredRule { rule, cells, lacks }).collect();
    let lacked = cells.all_cases().next().is_none().then(|| {
        if observed.run.imported.is_some() {
            "imported figures contain no readings of servers and hosts (probes), no samples of sessions and no load engine"
        } else if observed.trials.iter().any(|trial| !trial.events.is_empty()) {
            "all trials have events, whose effects are reported separately; a plan without `events` can be diagnosed"
        } else {
            "no trial has figures"
        }
    });
    let accounts = unexplained::accounts_of_pairs(&cells, question);
    let sides = BearingSides::from_findings(&cells, question, &found, &clean);
    let Explanations { explained, left_over, mut explaining } =
        explained::explain_changes(&cells, question, &found, &sides);
    let beyond_rules =
        unexplained::findings_beyond_rules(question, (&found, &sides), (&explained, &left_over), &accounts);
    for (one, share) in beyond_rules {
        explaining.add_share(&one, share);
        clean.remove(&(one.rule.code.name, one.cell.clone()));
        found.push(one);
    }
    let accounts = accounts.into_iter().map(|(_, placed)| placed).collect();
    let findings =
        rank::rank_findings(&found, &BearingSides::from_findings(&cells, question, &found, &clean), &explaining);
    Diagnosis { findings, explained, accounts, unanswered, missing_rights: rights.into_missing_rights(), lacked }
}
