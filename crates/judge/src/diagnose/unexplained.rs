//! What the account of differences says beyond the rules: after all of them have looked at all cells, what is left of
//! each change, and what one side does a multiple of.

use std::collections::BTreeMap;

use catalog::setting_group;

use super::bearing::{BearingSides, CauseRelation};
use super::case::{Cells, DiagnosisCase};
use super::catalog::figures_of_facts;
use super::explained::{ExplainedChange, LeftOver, unlike_rows};
use super::finding::{EvidenceFigure, FigureAmount, FindingCost, figure};
use super::idle_sessions::figure_of_idle_sessions;
use super::rank::InCell;
use super::rules::{
    COST_PER_TRANSACTION, SHARE_THAT_EXPLAINS_COSTS, UNEXPLAINED_DIFFERENCE, finding_of_costs, finding_of_left_over,
};
use crate::account::{CountsOfTrial, PairAccount, WatchedTrial};
use crate::compare::{ComparisonPlace, RunQuestion};
use crate::unlike_tables::{UnlikeLine, lines_of};

/// Figures of each kind that a finding lists.
const LISTED: usize = 6;

/// The account of a candidate beside the baseline, and where it was measured.
#[derive(Debug, Clone)]
pub struct PlacedAccount {
    /// The candidate's target.
    pub candidate: String,
    /// Workload and clients.
    pub place: ComparisonPlace,
    /// What differs.
    pub account: PairAccount,
    /// What the catalogs say differently of what the load uses and can by itself decide what a statement costs, seen
    /// from the candidate; none where they were not read.
    pub catalog_differences: Vec<UnlikeLine>,
}

/// The accounts of all pairs, each with its cases.
pub(super) fn accounts_of_pairs<'a>(
    cells: &'a Cells<'a>,
    question: &RunQuestion,
) -> Vec<([DiagnosisCase<'a>; 2], PlacedAccount)> {
    let mut all = Vec::new();
    for pair in cells.pairs_with_baseline() {
        let [baseline, candidate] = &pair;
        let placed = PlacedAccount {
            candidate: candidate.cell().target.clone(),
            place: ComparisonPlace::from_cell(candidate.cell()),
            account: account_of_pair(baseline, candidate, question),
            catalog_differences: deciding_differences(candidate, baseline),
        };
        all.push((pair, placed));
    }
    all
}

fn deciding_differences(here: &DiagnosisCase<'_>, there: &DiagnosisCase<'_>) -> Vec<UnlikeLine> {
    let mut facts = here.unlike_table_facts(there).unwrap_or_default();
    facts.retain(|fact| fact.rank == 0);
    lines_of(&facts)
}

fn account_of_pair(baseline: &DiagnosisCase<'_>, candidate: &DiagnosisCase<'_>, question: &RunQuestion) -> PairAccount {
    let sides = [counts_by_block(baseline), counts_by_block(candidate)];
    let latency_ms = baseline.latency_ms().unwrap_or_default();
    PairAccount::of_sides(&sides, latency_ms, &question.blocks.stopping_rule())
}

fn counts_by_block(case: &DiagnosisCase<'_>) -> BTreeMap<u32, CountsOfTrial> {
    let mut counts = BTreeMap::new();
    for measured in case.trials() {
        let trial = WatchedTrial {
            trial: measured.trial,
            load: measured.load,
            watched: measured.watched,
            statements: case.workload_statements(),
        };
        counts.insert(measured.trial.block, CountsOfTrial::of_trial(trial));
    }
    counts
}

/// What no rule explains, as findings of the two rules that say so, each with the share of the change that it is about.
/// None of them explains anything.
pub(super) fn findings_beyond_rules(
    question: &RunQuestion,
    (found, sides): (&[InCell], &BearingSides<'_>),
    (explained, left_over): (&[ExplainedChange], &[LeftOver]),
    accounts: &[([DiagnosisCase<'_>; 2], PlacedAccount)],
) -> Vec<(InCell, f64)> {
    let mut all = Vec::new();
    for (pair, placed) in accounts {
        let mut of_place = explained.iter().zip(left_over);
        let change =
            of_place.find(|(explained, _)| explained.candidate == placed.candidate && explained.place == placed.place);
        if let Some(change) = change
            && let Some(one) = not_explained(pair, change, &placed.account, question, (found, sides))
        {
            all.push(one);
            continue;
        }
        if change.is_none_or(|(explained, _)| explained.share.point < SHARE_THAT_EXPLAINS_COSTS) {
            let which = placed.account.side_with_largest_multiple();
            let costs = which.and_then(|which| costs_of_side(pair, which, &placed.account, question, (found, sides)));
            all.extend(costs.map(|one| (one, 0.0)));
        }
    }
    all
}

fn not_explained(
    pair: &[DiagnosisCase<'_>; 2],
    (explained, left_over): (&ExplainedChange, &LeftOver),
    account: &PairAccount,
    question: &RunQuestion,
    known: (&[InCell], &BearingSides<'_>),
) -> Option<(InCell, f64)> {
    let which = usize::from(pair[1].cell().target == left_over.slower.target);
    let (slower, faster) = (&pair[which], &pair[1 - which]);
    let (found, share) = finding_of_left_over(slower, (&explained.left, left_over), (account, which), |groups| {
        known_differences(slower, faster, groups, question, known)
    })?;
    Some((InCell::from_found(&UNEXPLAINED_DIFFERENCE, slower, found), share))
}

fn costs_of_side(
    pair: &[DiagnosisCase<'_>; 2],
    which: usize,
    account: &PairAccount,
    question: &RunQuestion,
    known: (&[InCell], &BearingSides<'_>),
) -> Option<InCell> {
    let other = &pair[1 - which];
    let found = finding_of_costs(&pair[which], (account, which), &other.cell().target, |groups| {
        known_differences(&pair[which], other, groups, question, known)
    })?;
    Some(InCell::from_found(&COST_PER_TRANSACTION, &pair[which], found))
}

/// The quantities of which a side has a multiple, with those of the other side.
pub(super) fn figures_of_multiples(account: &PairAccount, which: usize, other: &str) -> Vec<EvidenceFigure> {
    let mut figures = Vec::new();
    for one in account.multiples_of_side(which).into_iter().take(LISTED) {
        let [here, there] = [one.sides[which], one.sides[1 - which]].map(|figure| one.quantity.in_words(figure));
        let name = format!("{} per transaction", one.quantity.full_name());
        figures.push(figure(name, FigureAmount::Text(format!("{here}; {there} on {other}"))));
    }
    figures
}

/// What else is known to differ and may be the cause: findings of this side whose cost is not known, then what
/// the catalogs say of the load's tables, then idle sessions of others, then other facts, the settings of these groups
/// first.
fn known_differences(
    here: &DiagnosisCase<'_>,
    there: &DiagnosisCase<'_>,
    groups: &[&str],
    question: &RunQuestion,
    (found, sides): (&[InCell], &BearingSides<'_>),
) -> Vec<EvidenceFigure> {
    let mut figures = Vec::new();
    for one in found.iter().filter(|one| one.cell == *here.cell() && one.found.cost == FindingCost::NotAttributable) {
        if sides.relation_to_other(one, there.cell()) == CauseRelation::More {
            figures.push(figure("found on this side only", FigureAmount::Text(one.found.title.clone())));
        }
    }
    if let Ok(mut facts) = here.unlike_table_facts(there) {
        facts.sort_by_key(|fact| fact.rank);
        figures.extend(figures_of_facts(&facts));
    }
    figures.extend(figure_of_idle_sessions(here, there));
    let mut rows = unlike_rows(here, there, question);
    rows.sort_by_key(|row| {
        let group = setting_group(&row.name).unwrap_or_default();
        groups.iter().position(|begin| group.starts_with(begin)).unwrap_or(groups.len())
    });
    for row in rows.into_iter().take(LISTED) {
        if let [Some(value), Some(of_other)] = row.values.as_slice() {
            let text = format!("{value}; {of_other} on {}", there.cell().target);
            figures.push(figure(row.name, FigureAmount::Text(text)));
        }
    }
    figures
}
