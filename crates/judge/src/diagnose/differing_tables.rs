//! What differs between two sides of the things that a plan depends on: the settings that EXPLAIN prints, the
//! definitions of the tables that it reads, the order of their columns, their indexes.

use std::collections::BTreeSet;
use std::fmt;

use results::plans::Plan;
use results::tables::{TableProperty, TableUsage};

use super::case::DiagnosisCase;
use super::finding::{EvidenceFigure, FigureAmount, figure};
use super::plans::{is_called, relations_of_plans, words_of};
use super::rules::{COLUMNS_LISTED, DefinitionDifference, definition_differences};

/// Differences of definitions that are listed.
const LISTED: usize = 4;

/// A planner setting that EXPLAIN prints differently for two plans; `default` where it prints none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct DifferingSetting {
    pub(super) name: String,
    here: String,
    there: String,
}

/// `name = value (other side: value)`.
impl fmt::Display for DifferingSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} (other side: {})", self.name, self.here, self.there)
    }
}

/// Settings as a list for people.
pub(super) fn settings_in_words(settings: &[DifferingSetting]) -> String {
    settings.iter().map(DifferingSetting::to_string).collect::<Vec<_>>().join(", ")
}

/// The settings that EXPLAIN prints for two plans and that are not the same.
pub(super) fn differing_settings(here: &Plan, there: &Plan) -> Vec<DifferingSetting> {
    let names: BTreeSet<&String> = here.settings.keys().chain(there.settings.keys()).collect();
    let mut differing = Vec::new();
    for name in names {
        let (ours, theirs) = (value_of_setting(here, name), value_of_setting(there, name));
        if ours != theirs {
            let [here, there] = [ours, theirs].map(str::to_owned);
            differing.push(DifferingSetting { name: name.clone(), here, there });
        }
    }
    differing
}

fn value_of_setting<'a>(plan: &'a Plan, name: &str) -> &'a str {
    plan.settings.get(name).map_or("default", String::as_str)
}

/// The same as a figure; none where they are the same.
pub(super) fn figure_of_settings(here: &Plan, there: &Plan) -> Option<EvidenceFigure> {
    let differing = differing_settings(here, there);
    if differing.is_empty() {
        return None;
    }
    Some(figure("planner settings that differ", FigureAmount::Text(settings_in_words(&differing))))
}

/// The tables that two plans read, as both sides counted them.
pub(super) fn tables_of_plans(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    plans: [&Plan; 2],
) -> Vec<[TableUsage; 2]> {
    let (Ok(here), Ok(there)) = (case.table_uses(), other.table_uses()) else { return Vec::new() };
    let read = relations_of_plans(plans);
    let mut tables = Vec::new();
    for table in here.iter().filter(|table| read.iter().any(|relation| is_called(&table.sums.name, relation))) {
        if let Some(same) = there.iter().find(|same| same.sums.name == table.sums.name) {
            tables.push([table.sums.clone(), same.sums.clone()]);
        }
    }
    tables
}

/// What is defined differently on both sides of the tables that two plans read: a planner plans by it. Where it was
/// not read there is none.
pub(super) fn differing_definitions(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    plans: [&Plan; 2],
) -> Vec<EvidenceFigure> {
    let mut figures = Vec::new();
    for [table, same] in tables_of_plans(case, other, plans) {
        let (Some(ours), Some(theirs)) = (table.made.as_deref(), same.made.as_deref()) else { continue };
        for difference in definition_differences(ours, theirs) {
            let DefinitionDifference { of, here, there } = difference;
            let name = format!("{of} of {} (other side: {there})", table.name);
            figures.push(figure(name, FigureAmount::Text(here)));
        }
    }
    figures.truncate(LISTED);
    figures
}

/// The columns that a statement names and that stand in another place of their table, here and on the other side.
pub(super) fn moved_columns(
    case: &DiagnosisCase<'_>,
    other: &DiagnosisCase<'_>,
    plans: [&Plan; 2],
    text: &str,
) -> Vec<EvidenceFigure> {
    let mut figures = Vec::new();
    for [table, same] in tables_of_plans(case, other, plans) {
        let (Some(ours), Some(theirs)) = (table.made.as_deref(), same.made.as_deref()) else { continue };
        for column in ours.iter().chain(theirs).filter_map(|made| made.column.as_deref()) {
            let [here, there] = [ours, theirs].map(|made| place_of_column(made, column));
            let is_known = figures
                .iter()
                .any(|known: &EvidenceFigure| known.name.starts_with(&format!("place of column {column} ")));
            if here == there || is_known || !names_as_word(text, column) {
                continue;
            }
            let name = format!("place of column {column} in {}", table.name);
            figures.push(figure(name, FigureAmount::Text(format!("{here} (other side: {there})"))));
        }
    }
    figures.truncate(LISTED);
    figures
}

/// The place of a column among those of its table, from 1.
fn place_of_column(made: &[TableProperty], column: &str) -> String {
    let columns: Vec<&str> = made.iter().filter_map(|made| made.column.as_deref()).collect();
    match columns.iter().position(|name| *name == column) {
        Some(place) => (place + 1).to_string(),
        None if columns.len() + 1 >= COLUMNS_LISTED => format!("after the first {}", columns.len()),
        None => "missing".to_owned(),
    }
}

/// Whether a text has a name as a word of its own.
fn names_as_word(text: &str, name: &str) -> bool {
    words_of(text).iter().any(|word| word.eq_ignore_ascii_case(name.trim_matches('"')))
}

/// Tables whose numbers of indexes differ, as `name: 25 indexes (other side: 1)`.
pub(super) fn differing_indexes(case: &DiagnosisCase<'_>, other: &DiagnosisCase<'_>, plans: [&Plan; 2]) -> Vec<String> {
    let mut differing = Vec::new();
    for [table, same] in tables_of_plans(case, other, plans) {
        let [here, there] = [&table, &same].map(|table| table.indexes.len());
        if here != there {
            differing.push(format!("{}: {here} indexes (other side: {there})", table.name));
        }
    }
    differing
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan_with_settings(settings: &[(&str, &str)]) -> Plan {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Plan { settings, ..Plan::default() }
    }

    fn integer_columns(names: &[String]) -> Vec<TableProperty> {
        names
            .iter()
            .map(|name| TableProperty { column: Some(name.clone()), definition: "integer".to_owned() })
            .collect()
    }

    #[test]
    fn settings_that_only_one_side_has_or_that_have_other_values_differ() {
        let here = plan_with_settings(&[("join_collapse_limit", "1"), ("work_mem", "1MB"), ("jit", "off")]);
        let there = plan_with_settings(&[("work_mem", "4MB"), ("jit", "off")]);
        let expected = ["join_collapse_limit = 1 (other side: default)", "work_mem = 1MB (other side: 4MB)"];
        let said: Vec<String> = differing_settings(&here, &there).iter().map(DifferingSetting::to_string).collect();
        assert_eq!(said, expected);
        assert!(figure_of_settings(&here, &here).is_none());
    }

    #[test]
    fn the_place_of_a_column_is_counted_and_beyond_the_list_it_is_behind() {
        let few = integer_columns(&["id".to_owned(), "qty".to_owned()]);
        assert_eq!(place_of_column(&few, "qty"), "2");
        assert_eq!(place_of_column(&few, "other"), "missing");
        let many: Vec<String> = (0..COLUMNS_LISTED).map(|number| format!("a{number}")).collect();
        assert_eq!(place_of_column(&integer_columns(&many), "qty"), "after the first 100");
        assert!(names_as_word("SELECT sum(qty) FROM w", "qty") && !names_as_word("SELECT sum(qty2) FROM w", "qty"));
    }
}
