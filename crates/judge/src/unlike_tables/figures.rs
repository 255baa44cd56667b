//! Facts that are worked out of several figures of the catalogs: the share of all-visible pages, and values per row.

use results::catalog::{Catalog, CatalogObject, CatalogPart};

use super::UnlikeTableFact;
use super::fact_meaning::{ALL_VISIBLE_APART, BearsOn};
use super::fact_values::are_times_apart;

/// The fact of a table that says how many rows it has.
const ROWS: &str = "rows";

/// What the statistics say of a column's values, which are others where the rows are.
const STATISTICS_OF_VALUES: [&str; 6] =
    ["distinct values", "null share", "correlation", "average width", "most common values", "histogram bounds"];

/// Makes consequences of what follows from other rows: of a table that holds twice as much, the statistics differ, too.
pub(super) fn demote_statistics_of_other_rows(facts: &mut [UnlikeTableFact]) {
    let mut tables = Vec::new();
    for fact in facts.iter().filter(|fact| fact.part == CatalogPart::Tables && fact.fact == ROWS) {
        tables.push(fact.table.clone());
    }
    for fact in facts.iter_mut().filter(|fact| fact.part == CatalogPart::Columns && tables.contains(&fact.table)) {
        if STATISTICS_OF_VALUES.contains(&fact.fact.as_str()) {
            fact.rank = 2;
            fact.advice = None;
        }
    }
}

/// The fact of a table that says how many of its pages are all-visible.
pub const ALL_VISIBLE_PAGES: &str = "all-visible pages";

/// A table of fewer pages is read as fast whatever its visibility map says.
const PAGES: f64 = 10.0;

/// So many distinct values are few enough to be told apart by any sample.
const DISTINCT_VALUES: f64 = 20.0;

/// Tables whose numbers of rows differ by more hold other data: a sample tells the number to some percent, and what a
/// load adds while it is measured is less.
const ROWS_ALIKE: f64 = 1.5;

/// What differs of the tables that both catalogs have, and of their columns.
pub(super) fn figures_of_tables(here: &Catalog, there: &Catalog) -> Vec<UnlikeTableFact> {
    let mut facts = Vec::new();
    for ours in here.objects_of(CatalogPart::Tables).unwrap_or_default() {
        let Some(theirs) = there.table_named(&ours.name) else { continue };
        facts.extend(all_visible_pages(ours, theirs));
        facts.extend(rows_of_data(ours, theirs));
    }
    let columns = there.objects_of(CatalogPart::Columns).unwrap_or_default();
    for ours in here.objects_of(CatalogPart::Columns).unwrap_or_default() {
        let theirs = columns.iter().find(|theirs| theirs.table == ours.table && theirs.name == ours.name);
        let rows = [here, there].map(|catalog| rows_of_table(catalog, ours.table.as_deref()));
        if let (Some(theirs), [Some(rows), Some(rows_there)]) = (theirs, rows) {
            facts.extend(distinct_values(ours, rows, theirs, rows_there));
        }
    }
    facts
}

fn rows_of_table(catalog: &Catalog, table: Option<&str>) -> Option<f64> {
    catalog.table_named(table?)?.number_fact("rows").filter(|rows| *rows >= 0.0)
}

/// The share of its pages that the visibility map says are visible to all, 0 to 1; none of a table of few pages, and of
/// one whose pages were never counted.
fn all_visible_share(table: &CatalogObject) -> Option<f64> {
    let (visible, pages) = (table.number_fact(ALL_VISIBLE_PAGES)?, table.number_fact("pages")?);
    if pages >= PAGES { Some((visible / pages).min(1.0)) } else { None }
}

fn all_visible_pages(here: &CatalogObject, there: &CatalogObject) -> Option<UnlikeTableFact> {
    let (ours, theirs) = (all_visible_share(here)?, all_visible_share(there)?);
    if (ours - theirs).abs() < ALL_VISIBLE_APART {
        return None;
    }
    let advice = if ours < theirs { Some(format!("VACUUM {}", here.name)) } else { None };
    let [ours, theirs] = [ours, theirs].map(|share| format!("{:.0} % of its pages", share * 100.0));
    Some(of_table(here, ALL_VISIBLE_PAGES, ours, theirs, 0, advice))
}

/// That a table was never analyzed, or holds other data.
fn rows_of_data(here: &CatalogObject, there: &CatalogObject) -> Option<UnlikeTableFact> {
    let (ours, theirs) = (here.number_fact("rows")?, there.number_fact("rows")?);
    let is_unknown = (ours < 0.0) != (theirs < 0.0);
    let is_other_data = ours.min(theirs) >= 0.0
        && ours.max(theirs) >= DISTINCT_VALUES
        && ours.max(theirs) > ROWS_ALIKE * ours.min(theirs);
    if !is_unknown && !is_other_data {
        return None;
    }
    let advice = match (is_unknown, ours < 0.0) {
        (true, true) => Some(format!("ANALYZE {}", here.name)),
        (true, false) => None,
        (false, _) => Some(format!("load as many rows into {}", here.name)),
    };
    let [ours, theirs] =
        [ours, theirs].map(|rows| if rows < 0.0 { "unknown: never analyzed".to_owned() } else { format!("{rows:.0}") });
    Some(of_table(here, ROWS, ours, theirs, if is_unknown { 0 } else { 1 }, advice))
}

fn of_table(
    table: &CatalogObject,
    fact: &str,
    here: String,
    there: String,
    rank: u8,
    advice: Option<String>,
) -> UnlikeTableFact {
    UnlikeTableFact {
        part: CatalogPart::Tables,
        table: Some(table.name.clone()),
        object: table.name.clone(),
        name: table.name.clone(),
        fact: fact.to_owned(),
        here: Some(here),
        there: Some(there),
        columns: Vec::new(),
        bears_on: [BearsOn::Plans, BearsOn::Reads].into(),
        rank,
        advice,
    }
}

fn count_of_distinct(column: &CatalogObject, rows: f64) -> Option<f64> {
    let distinct = column.number_fact("distinct values")?;
    Some(if distinct < 0.0 { -distinct * rows } else { distinct })
}

/// The planner's number of distinct values of a column; below 0 it is a share of the rows.
fn distinct_values(
    here: &CatalogObject,
    rows_here: f64,
    there: &CatalogObject,
    rows_there: f64,
) -> Option<UnlikeTableFact> {
    let (ours, theirs) = (count_of_distinct(here, rows_here)?, count_of_distinct(there, rows_there)?);
    if !are_times_apart(ours, theirs, DISTINCT_VALUES) {
        return None;
    }
    let table = here.table.clone()?;
    Some(UnlikeTableFact {
        part: CatalogPart::Columns,
        object: format!("column {} of {table}", here.name),
        name: here.name.clone(),
        fact: "distinct values".to_owned(),
        here: Some(format!("{ours:.0}")),
        there: Some(format!("{theirs:.0}")),
        columns: vec![here.name.clone()],
        bears_on: [BearsOn::Plans].into(),
        rank: 1,
        advice: None,
        table: Some(table),
    })
}
