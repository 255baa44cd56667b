//! Which of the facts that differ matter to one finding.

use std::collections::BTreeSet;

use results::catalog::CatalogPart;

use super::{BearsOn, UnlikeTableFact};

/// What a finding is about.
#[derive(Debug, Clone, Default)]
pub struct Relevance {
    /// The tables that its plans or statements touch, with their schemas.
    pub tables: BTreeSet<String>,
    /// The columns that its conditions name, without quotes.
    pub columns: BTreeSet<String>,
    /// Texts that name functions, views and foreign servers: statements, filters, definitions.
    pub texts: Vec<String>,
    /// The kinds of cost that it is about.
    pub bears_on: BTreeSet<BearsOn>,
}

/// The facts that can change what a finding is about, the most decisive first: those of a rank before those of the next
/// one, and of these what is about a column of its conditions.
pub fn ranked_by_relevance(facts: Vec<UnlikeTableFact>, of: &Relevance) -> Vec<UnlikeTableFact> {
    let mut ranked: Vec<UnlikeTableFact> = facts.into_iter().filter(|fact| is_relevant(fact, of)).collect();
    ranked.sort_by_key(|fact| {
        let is_of_columns = fact.columns.iter().any(|column| of.columns.contains(column.trim_matches('"')));
        let is_of_other_columns = !fact.columns.is_empty() && !is_of_columns;
        // How well the statistics describe what no condition names decides nothing.
        let describes_others = match fact.part {
            CatalogPart::Columns => is_of_other_columns,
            CatalogPart::ExtendedStatistics => !are_named_together(fact, of),
            _ => false,
        };
        (fact.rank + u8::from(describes_others), is_of_other_columns, !forbids_a_way(fact))
    });
    ranked
}

/// Whether a setting forbids the planner one way to execute a statement: others only price the ways.
fn forbids_a_way(fact: &UnlikeTableFact) -> bool {
    let is_off = [&fact.here, &fact.there].into_iter().any(|value| value.as_deref() == Some("off"));
    fact.part == CatalogPart::Settings && fact.name.starts_with("enable_") && is_off
}

/// Whether two of the columns of extended statistics are named, which describe what columns have to do with each other;
/// of an expression, which has no columns, it is not known.
fn are_named_together(fact: &UnlikeTableFact, of: &Relevance) -> bool {
    let mut named = 0;
    for column in &fact.columns {
        let is_of_condition = of.columns.contains(column.trim_matches('"'));
        named += usize::from(is_of_condition || of.texts.iter().any(|text| names_word(text, column)));
    }
    fact.columns.len() < 2 || named >= 2
}

fn is_relevant(fact: &UnlikeTableFact, of: &Relevance) -> bool {
    if fact.bears_on.is_disjoint(&of.bears_on) {
        return false;
    }
    match (&fact.table, fact.part) {
        (Some(table), _) => of.tables.contains(table),
        (None, CatalogPart::Settings | CatalogPart::EventTriggers) => true,
        (None, _) => of.texts.iter().any(|text| names_word(text, name_alone(&fact.name))),
    }
}

/// `total` of `public.total(integer)`.
fn name_alone(name: &str) -> &str {
    let called = name.split_once('(').map_or(name, |(called, _)| called);
    called.rsplit_once('.').map_or(called, |(_, alone)| alone)
}

fn is_letter_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '$')
}

/// Whether a name stands in a text as a word, whatever its case.
fn names_word(text: &str, name: &str) -> bool {
    let (text, name) = (text.to_lowercase(), name.trim_matches('"').to_lowercase());
    if name.is_empty() {
        return false;
    }
    for (place, found) in text.match_indices(&name) {
        let before = text[..place].chars().next_back();
        let after = text[place + found.len()..].chars().next();
        if !before.is_some_and(is_letter_of_word) && !after.is_some_and(is_letter_of_word) {
            return true;
        }
    }
    false
}
