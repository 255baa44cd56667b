//! What PostgreSQL's catalogs say differently of two sides, object by object: indexes, columns, statistics, policies,
//! triggers, options and settings that decide how a statement is planned and executed, whatever rule asks.
//!
//! Pure and symmetric: with the sides swapped the same facts come, with `here` and `there` swapped. What one side could
//! not read is never a difference. Names are compared only where they are the object: two indexes that are made in the
//! same way are the same index. Nothing here says what a difference costs.

mod advice;
mod fact_meaning;
mod fact_values;
mod figures;
mod listing;
mod object_pairs;
mod relevance;
mod setting_meaning;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use results::catalog::{Catalog, CatalogObject, CatalogPart};

use fact_meaning::meaning_of;
use fact_values::{default_in_words, is_different, value_in_words};
use figures::{demote_statistics_of_other_rows, figures_of_tables};
use object_pairs::{ObjectPair, pairs_of_part};

pub use fact_meaning::{ALL_VISIBLE_APART, BearsOn, FIGURE_TIMES};
pub use figures::ALL_VISIBLE_PAGES;
pub use listing::{UnlikeLine, lines_of};
pub use relevance::{Relevance, ranked_by_relevance};

/// A fact that is not the same on both sides.
#[derive(Debug, Clone, PartialEq)]
pub struct UnlikeTableFact {
    /// What kind of object it is of.
    pub part: CatalogPart,
    /// The table that the object belongs to, or is, with its schema; absent of what belongs to none.
    pub table: Option<String>,
    /// The object in words: `index t_a_idx on public.t`, `public.t`, `setting work_mem`.
    pub object: String,
    /// Its name, quoted where SQL wants it.
    pub name: String,
    /// The name of the fact: one of [`results::catalog::FACTS`], or [`EXISTENCE`] or [`DEFINITION`].
    pub fact: String,
    /// On this side; absent where the object or the value is missing.
    pub here: Option<String>,
    /// On the other side.
    pub there: Option<String>,
    /// The columns that it is about, quoted where SQL wants it; none of a table as a whole.
    pub columns: Vec<String>,
    /// The kinds of cost that it can change.
    pub bears_on: BTreeSet<BearsOn>,
    /// How directly it decides them: 0 by itself, 1 by what the planner estimates, 2 as a consequence of others.
    pub rank: u8,
    /// What makes this side as the other one is, as statements or in words; absent where nothing short does.
    pub advice: Option<String>,
}

/// The fact that only one side has an object.
pub const EXISTENCE: &str = "existence";

/// The fact that an object of one name is made differently.
pub const DEFINITION: &str = "definition";

impl UnlikeTableFact {
    /// What differs, for a list: `index t_a_idx on public.t`, `statistics target of column a of public.t`.
    pub fn difference_in_words(&self) -> String {
        if self.fact == EXISTENCE || self.part == CatalogPart::Settings {
            self.object.clone()
        } else {
            format!("{} of {}", self.fact, self.object)
        }
    }

    /// Both values, for a list: `missing (other side: btree (a))`.
    pub fn values_in_words(&self) -> String {
        // Of a source there is a hash.
        if matches!(self.fact.as_str(), "source" | "function") || self.is_view_definition() {
            return "is different".to_owned();
        }
        let missing = if self.part == CatalogPart::Settings { "not set" } else { "missing" };
        let [here, there] = [&self.here, &self.there].map(|value| value.as_deref().unwrap_or(missing));
        format!("{here} (other side: {there})")
    }
}

impl UnlikeTableFact {
    fn is_view_definition(&self) -> bool {
        self.part == CatalogPart::Views && self.fact == DEFINITION
    }
}

/// All that is not the same, in the order of parts, tables and objects. `same_version` says whether both servers are of
/// one major version: others may write down the same expression in other words.
pub fn unlike_table_facts(here: &Catalog, there: &Catalog, same_version: bool) -> Vec<UnlikeTableFact> {
    let mut facts = figures_of_tables(here, there);
    for part in CatalogPart::ALL {
        let (Ok(ours), Ok(theirs)) = (here.objects_of(part), there.objects_of(part)) else { continue };
        let ours = objects_that_count(part, ours, there);
        let theirs = objects_that_count(part, theirs, here);
        for pair in pairs_of_part(part, &ours, &theirs, same_version) {
            if is_without_effect(part, &pair, here, there) {
                continue;
            }
            facts.extend(facts_of_pair(part, &pair, same_version));
        }
    }
    demote_statistics_of_other_rows(&mut facts);
    facts.sort_by(|one, other| {
        let [one, other] = [one, other].map(|fact| (fact.part, &fact.table, &fact.object, &fact.fact));
        one.cmp(&other)
    });
    facts
}

/// Objects of tables that the other side's catalog has as well: of others it is not known whether they are there. Of
/// the settings, those that another one does not replace.
fn objects_that_count<'a>(
    part: CatalogPart,
    objects: &'a [CatalogObject],
    other_side: &Catalog,
) -> Vec<&'a CatalogObject> {
    let mut counting = Vec::new();
    for object in objects {
        let is_known_there = match (part, &object.table) {
            (CatalogPart::Tables, _) => other_side.table_named(&object.name).is_some(),
            (_, Some(table)) => other_side.table_named(table).is_some(),
            (_, None) => true,
        };
        if is_known_there && !object.has_flag("overridden") {
            counting.push(object);
        }
    }
    counting
}

/// Policies do nothing to a role that row-level security is not active for, on both sides.
fn is_without_effect(part: CatalogPart, pair: &ObjectPair<'_>, here: &Catalog, there: &Catalog) -> bool {
    if part != CatalogPart::Policies {
        return false;
    }
    let Some(table) = pair.object.table.as_deref() else { return false };
    !is_row_security_active(here, table) && !is_row_security_active(there, table)
}

fn is_row_security_active(catalog: &Catalog, table: &str) -> bool {
    catalog.table_named(table).is_some_and(|table| table.has_flag("row security active"))
}

fn facts_of_pair(part: CatalogPart, pair: &ObjectPair<'_>, same_version: bool) -> Vec<UnlikeTableFact> {
    let (Some(here), Some(there)) = (pair.here, pair.there) else {
        return Vec::from_iter(existence_fact(part, pair));
    };
    let mut facts = Vec::new();
    if pair.is_made_differently {
        let [ours, theirs] = [here, there].map(|object| object.definition.clone());
        facts.extend(unlike_fact(part, pair, DEFINITION, ours, theirs));
    }
    let names: BTreeSet<&String> = here.facts.keys().chain(there.facts.keys()).collect();
    for name in names {
        let Some(meaning) = meaning_of(part, name) else { continue };
        let (ours, theirs) = (here.facts.get(name), there.facts.get(name));
        if is_different(&meaning, ours, theirs, same_version) {
            let default = default_in_words(name, [ours, theirs]);
            let [ours, theirs] = [ours, theirs].map(|value| value.map(value_in_words));
            let mut fact = unlike_fact(part, pair, name, ours, theirs);
            if let Some(fact) = &mut fact {
                for value in [&mut fact.here, &mut fact.there] {
                    value.get_or_insert_with(|| default.to_owned());
                }
            }
            facts.extend(fact);
        }
    }
    facts
}

/// That only one side has it.
fn existence_fact(part: CatalogPart, pair: &ObjectPair<'_>) -> Option<UnlikeTableFact> {
    let [here, there] = [pair.here, pair.there].map(|object| object.map(|object| existence_in_words(part, object)));
    unlike_fact(part, pair, EXISTENCE, here, there)
}

fn existence_in_words(part: CatalogPart, object: &CatalogObject) -> String {
    match part {
        CatalogPart::Settings => object.text_fact("value").unwrap_or("").to_owned(),
        CatalogPart::Columns => object.text_fact("type").unwrap_or("present").to_owned(),
        _ => object.definition.clone().unwrap_or_else(|| "present".to_owned()),
    }
}

fn unlike_fact(
    part: CatalogPart,
    pair: &ObjectPair<'_>,
    fact: &str,
    here: Option<String>,
    there: Option<String>,
) -> Option<UnlikeTableFact> {
    let object = pair.object;
    let meaning = meaning_of(part, fact)?;
    let (bears_on, rank) = match part {
        CatalogPart::Settings => setting_meaning::meaning_of_setting(&object.name),
        CatalogPart::EventTriggers => (bears_on_by_event(object), meaning.rank),
        _ => (meaning.bears_on, meaning.rank),
    };
    if bears_on.is_empty() {
        return None;
    }
    let table = if part == CatalogPart::Tables { Some(object.name.clone()) } else { object.table.clone() };
    Some(UnlikeTableFact {
        part,
        object: object_in_words(part, object),
        name: object.name.clone(),
        fact: fact.to_owned(),
        columns: columns_of(part, pair),
        bears_on: bears_on.iter().copied().collect(),
        rank,
        advice: advice::advice_for_fact(pair, part, fact, [here.as_deref(), there.as_deref()]),
        table,
        here,
        there,
    })
}

/// An event trigger is executed at each login, or for statements that define objects.
fn bears_on_by_event(event_trigger: &CatalogObject) -> &'static [BearsOn] {
    let event = event_trigger.definition.as_deref().unwrap_or("");
    if event.starts_with("login") { &[BearsOn::Connections] } else { &[BearsOn::Definitions] }
}

/// What an object is called in a sentence.
fn object_in_words(part: CatalogPart, object: &CatalogObject) -> String {
    let name = &object.name;
    match part {
        CatalogPart::Tables => name.clone(),
        CatalogPart::Columns => format!("column {name} of {}", object.table.as_deref().unwrap_or("")),
        CatalogPart::Indexes => kind_and_table(object, "index"),
        CatalogPart::ExtendedStatistics => kind_and_table(object, "extended statistics"),
        CatalogPart::Policies => kind_and_table(object, "policy"),
        CatalogPart::Triggers => kind_and_table(object, "trigger"),
        CatalogPart::Constraints => kind_and_table(object, "constraint"),
        CatalogPart::Views => kind_and_table(object, "view"),
        CatalogPart::Functions => kind_and_table(object, "function"),
        CatalogPart::ForeignServers => kind_and_table(object, "foreign server"),
        CatalogPart::Settings => kind_and_table(object, "setting"),
        CatalogPart::EventTriggers => kind_and_table(object, "event trigger"),
    }
}

fn kind_and_table(object: &CatalogObject, kind: &str) -> String {
    match &object.table {
        Some(table) => format!("{kind} {} on {table}", object.name),
        None => format!("{kind} {}", object.name),
    }
}

fn columns_of(part: CatalogPart, pair: &ObjectPair<'_>) -> Vec<String> {
    if part == CatalogPart::Columns {
        return vec![pair.object.name.clone()];
    }
    let mut columns = Vec::new();
    for object in [pair.here, pair.there].into_iter().flatten() {
        for column in object.text_fact("columns").unwrap_or("").split(", ") {
            if !column.is_empty() && !columns.iter().any(|known| known == column) {
                columns.push(column.to_owned());
            }
        }
    }
    columns.sort();
    columns
}
