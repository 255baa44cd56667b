//! What a run says against the figure of one of its cells, in the form in which a history keeps it: rules of the audit
//! that are broken, caveats of the cell's trials, trials that do not count. And what such doubts say of a change of
//! level.

use std::collections::BTreeSet;

use results::history::{Point, RunDoubt};
use results::trial::Trial;

use crate::audit::{BenchmarkAudit, CHECKS, CheckRuling, INCOMPLETE_CELLS, Weight};
use crate::caveats::{Caveat, CaveatsOfTrials, by_kind, in_words, of_all};
use crate::codes;
use crate::registry::current_name;

/// The kind of doubt that trials were left out.
const LEFT_OUT: &str = codes::TRIALS_LEFT_OUT.name;

/// The doubts about a figure over `trials`; `left_out`: why others of the cell do not count.
pub(super) fn of_cell(
    audit: Option<&BenchmarkAudit>,
    caveats: &CaveatsOfTrials,
    trials: &[&Trial],
    left_out: &[String],
) -> Vec<RunDoubt> {
    let mut doubts: Vec<RunDoubt> = Vec::new();
    for (check, found) in audit.into_iter().flat_map(|audit| &audit.findings) {
        let CheckRuling::Broken(weight) = &found.verdict else { continue };
        match weight {
            Weight::Measurement | Weight::Comparison | Weight::Figures => {
                let figure = found.figures.first();
                let text =
                    figure.map_or_else(|| check.rule.to_owned(), |figure| format!("{}: {}", figure.of, figure.text));
                let is_outcome = check.code.name == INCOMPLETE_CELLS;
                doubts.push(RunDoubt { kind: check.code.name.to_owned(), text, is_outcome });
            }
            // The figure itself may be right.
            Weight::Conclusion | Weight::Description => {}
        }
    }
    for found in by_kind(trials.iter().copied(), caveats) {
        let alike: Vec<&Caveat> = found.iter().map(|(_, caveat)| *caveat).collect();
        let code = alike[0].code();
        // A check of the audit knows more of the same question, and answers it.
        let is_of_check = audit.is_some() && CHECKS.iter().any(|check| check.code == code);
        if !is_of_check && !doubts.iter().any(|doubt| doubt.kind == code.name) {
            let is_outcome = is_outcome(alike[0]);
            doubts.push(RunDoubt { kind: code.name.to_owned(), text: in_words(&of_all(&alike)).0, is_outcome });
        }
    }
    if let Some(why) = left_out.first() {
        let all = trials.len() + left_out.len();
        let text = format!("{} of {all} trials are excluded: {why}", left_out.len());
        doubts.push(RunDoubt { kind: LEFT_OUT.to_owned(), text, is_outcome: true });
    }
    doubts
}

/// Whether it is something that the server did. A worse level with more failures is worse, not doubtful.
fn is_outcome(caveat: &Caveat) -> bool {
    matches!(caveat, Caveat::Ledger { .. } | Caveat::Outages { .. } | Caveat::Failures(_))
}

/// What the runs before and after a change of level say against their own figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeDoubts {
    /// Each kind of doubt of the runs after the change; those of most runs come first.
    pub kinds: Vec<DoubtOfRuns>,
    /// Runs of the old level and of the new one.
    pub runs: [usize; 2],
    /// Of how many of them the doubts are not known: an older pgdyno added them.
    pub unknown: [usize; 2],
    /// Every run of the new level doubts how its figure was measured in a way in which no run of the old level does:
    /// what they doubt may be the change.
    pub may_be_the_change: bool,
}

/// A kind of doubt, and how many runs have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubtOfRuns {
    /// Its code.
    pub kind: String,
    /// What the newest run found.
    pub text: String,
    /// How many runs of the old level and of the new one have it.
    pub runs: [usize; 2],
}

impl ChangeDoubts {
    /// Of the runs of the old level and of the new one.
    pub(super) fn from_points(before: &[&Point], after: &[&Point]) -> Self {
        let unknown = [before, after].map(|points| points.iter().filter(|point| point.doubts.is_none()).count());
        let kinds_before: BTreeSet<String> = before.iter().flat_map(|point| kinds_of_doubts(point)).collect();
        let may_be_the_change = unknown == [0, 0]
            && !after.is_empty()
            && after.iter().all(|point| {
                point
                    .doubts
                    .iter()
                    .flatten()
                    .any(|doubt| !doubt.is_outcome && !kinds_before.contains(current_name(&doubt.kind)))
            });
        let mut kinds: Vec<DoubtOfRuns> = Vec::new();
        for doubt in after.iter().rev().flat_map(|point| point.doubts.iter().flatten()) {
            let kind = current_name(&doubt.kind);
            if kinds.iter().any(|known| known.kind == kind) {
                continue;
            }
            let runs = [before, after]
                .map(|points| points.iter().filter(|point| kinds_of_doubts(point).contains(kind)).count());
            kinds.push(DoubtOfRuns { kind: kind.to_owned(), text: doubt.text.clone(), runs });
        }
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.runs[1]));
        Self { kinds, runs: [before.len(), after.len()], unknown, may_be_the_change }
    }
}

fn kinds_of_doubts(point: &Point) -> BTreeSet<String> {
    point.doubts.iter().flatten().map(|doubt| current_name(&doubt.kind).to_owned()).collect()
}
