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
        // How well the statistics describe a column that no condition names decides nothing.
        let rank = if fact.part == CatalogPart::Columns && is_of_other_columns { fact.rank + 1 } else { fact.rank };
        (rank, is_of_other_columns)
    });
    ranked
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
