//! Tests of what catalogs say differently.

use results::catalog::{Catalog, CatalogAnswer, CatalogObject, CatalogPart, FACTS};
use serde_json::{Value, json};

use super::fact_meaning::meaning_of;
use super::*;

/// A catalog with the table `public.t`, its facts, and objects of other parts.
fn catalog_with(table: &Value, objects: &[(CatalogPart, Value)]) -> Catalog {
    let mut catalog = Catalog::default();
    for part in CatalogPart::ALL {
        catalog.parts.insert(part, CatalogAnswer::Objects(Vec::new()));
    }
    let table = json!({ "name": "public.t", "facts": table });
    let whole = [(CatalogPart::Tables, table)];
    for (part, object) in whole.iter().chain(objects) {
        let object: CatalogObject = serde_json::from_value(object.clone()).unwrap();
        let Some(CatalogAnswer::Objects(all)) = catalog.parts.get_mut(part) else { unreachable!() };
        all.push(object);
    }
    catalog
}

fn index_on_t(name: &str, definition: &str, facts: &Value) -> (CatalogPart, Value) {
    let index = json!({ "table": "public.t", "name": name, "definition": definition, "facts": facts });
    (CatalogPart::Indexes, index)
}

fn column_of_t(name: &str, facts: &Value) -> (CatalogPart, Value) {
    (CatalogPart::Columns, json!({ "table": "public.t", "name": name, "facts": facts }))
}

/// What differs, after the same with the sides swapped.
#[track_caller]
fn compared(here: &Catalog, there: &Catalog) -> Vec<UnlikeTableFact> {
    let facts = unlike_table_facts(here, there, true);
    let swapped = unlike_table_facts(there, here, true);
    let of = |facts: &[UnlikeTableFact], is_swapped: bool| -> Vec<_> {
        let mut all = Vec::new();
        for fact in facts {
            let values = (fact.here.clone(), fact.there.clone());
            let values = if is_swapped { (values.1, values.0) } else { values };
            all.push((fact.object.clone(), fact.fact.clone(), values, fact.bears_on.clone(), fact.rank));
        }
        all
    };
    assert_eq!(of(&facts, false), of(&swapped, true));
    facts
}

#[test]
fn every_fact_of_the_catalogs_has_a_meaning() {
    for (part, facts) in FACTS {
        for fact in *facts {
            let name = if fact.ends_with(' ') { format!("{fact}x") } else { (*fact).to_owned() };
            assert!(meaning_of(*part, &name).is_some(), "{part:?} {fact}");
        }
        let needs_existence = meaning_of(*part, EXISTENCE);
        assert!(needs_existence.is_some(), "{part:?}");
    }
}

#[test]
fn sides_that_are_alike_differ_in_nothing() {
    let column = column_of_t("a", &json!({ "type": "integer", "distinct values": -1.0, "correlation": 0.9 }));
    let other_sample = column_of_t("a", &json!({ "type": "integer", "distinct values": 9_800.0, "correlation": 0.8 }));
    let size =
        |visible: u32| json!({ "rows": 10_000, "pages": 100, "all-visible pages": visible, "frozen age": visible });
    let here = catalog_with(&size(100), &[index_on_t("a_idx", "btree (a)", &json!({ "pages": 30 })), column]);
    let there =
        catalog_with(&size(95), &[index_on_t("other_name", "btree (a)", &json!({ "pages": 31 })), other_sample]);
    assert_eq!(compared(&here, &there), []);
}

#[test]
fn index_of_one_side_is_created_there_or_dropped_here() {
    let with = catalog_with(&json!({}), &[index_on_t("a_idx", "UNIQUE btree (a)", &json!({ "columns": "a" }))]);
    let without = catalog_with(&json!({}), &[]);
    let [only_here] = &compared(&with, &without)[..] else { panic!() };
    assert_eq!(
        (only_here.difference_in_words().as_str(), only_here.values_in_words().as_str()),
        ("index a_idx on public.t", "UNIQUE btree (a) (other side: missing)")
    );
    assert_eq!(only_here.advice.as_deref(), Some("DROP INDEX public.a_idx"));
    let [only_there] = &compared(&without, &with)[..] else { panic!() };
    assert_eq!(only_there.advice.as_deref(), Some("CREATE UNIQUE INDEX ON public.t USING btree (a)"));
}

#[test]
fn index_of_one_name_with_another_method_differs_in_its_definition() {
    let here = catalog_with(&json!({}), &[index_on_t("a_idx", "brin (a)", &json!({}))]);
    let there = catalog_with(&json!({}), &[index_on_t("a_idx", "btree (a)", &json!({}))]);
    let [fact] = &compared(&here, &there)[..] else { panic!() };
    assert_eq!((fact.fact.as_str(), fact.values_in_words().as_str()), (DEFINITION, "brin (a) (other side: btree (a))"));
}

#[test]
fn invalid_index_is_rebuilt() {
    let here = catalog_with(&json!({}), &[index_on_t("a_idx", "btree (a)", &json!({ "invalid": true }))]);
    let there = catalog_with(&json!({}), &[index_on_t("a_idx", "btree (a)", &json!({}))]);
    let [fact] = &compared(&here, &there)[..] else { panic!() };
    assert_eq!(fact.advice.as_deref(), Some("REINDEX INDEX CONCURRENTLY public.a_idx"));
}

#[test]
fn visibility_map_that_lacks_most_pages_wants_vacuum_and_not_analyze() {
    let [none, most] = [0, 98].map(|visible| json!({ "rows": 10_000, "pages": 100, "all-visible pages": visible }));
    let facts = compared(&catalog_with(&none, &[]), &catalog_with(&most, &[]));
    let [fact] = &facts[..] else { panic!("{facts:?}") };
    assert_eq!(fact.values_in_words(), "0 % of its pages (other side: 98 % of its pages)");
    assert_eq!(fact.advice.as_deref(), Some("VACUUM public.t"));
}

#[test]
fn policies_count_only_where_row_security_is_active() {
    let policy =
        (CatalogPart::Policies, json!({ "table": "public.t", "name": "p", "definition": "FOR ALL TO PUBLIC" }));
    let owner = catalog_with(&json!({ "row security": "enabled" }), std::slice::from_ref(&policy));
    let none = catalog_with(&json!({}), &[]);
    assert_eq!(compared(&owner, &none), []);
    let active = catalog_with(&json!({ "row security": "enabled", "row security active": true }), &[policy]);
    let facts = compared(&active, &none);
    let objects: Vec<&str> = facts.iter().map(|fact| fact.object.as_str()).collect();
    assert_eq!(objects, ["public.t", "policy p on public.t"]);
    assert!(facts[0].advice.as_ref().is_some_and(|advice| advice.contains("BYPASSRLS")), "{facts:?}");
}

#[test]
fn setting_is_reset_where_it_was_made_and_one_that_is_replaced_is_none() {
    let of_role = json!({ "name": "work_mem", "definition": "role",
                          "facts": { "value": "64kB", "statement": "ALTER ROLE bench" } });
    let of_database = json!({ "name": "work_mem", "definition": "database",
                              "facts": { "value": "1MB", "statement": "ALTER DATABASE app", "overridden": true } });
    let [of_role, of_database] = [of_role, of_database].map(|setting| (CatalogPart::Settings, setting));
    let here = catalog_with(&json!({}), &[of_role.clone(), of_database]);
    let [fact] = &compared(&here, &catalog_with(&json!({}), &[]))[..] else { panic!() };
    assert_eq!(fact.difference_in_words(), "setting work_mem");
    assert_eq!(fact.advice.as_deref(), Some("ALTER ROLE bench RESET work_mem"));
    assert_eq!(compared(&here, &catalog_with(&json!({}), &[of_role])), []);
}

#[test]
fn part_or_table_that_one_side_could_not_read_is_no_difference() {
    let here = catalog_with(&json!({}), &[index_on_t("a_idx", "btree (a)", &json!({}))]);
    let mut gap = catalog_with(&json!({}), &[]);
    gap.parts.insert(CatalogPart::Indexes, CatalogAnswer::Gap { gap: "permission denied".to_owned() });
    assert_eq!(compared(&here, &gap), []);
    let mut other_tables = catalog_with(&json!({}), &[]);
    other_tables.parts.insert(CatalogPart::Tables, CatalogAnswer::Objects(Vec::new()));
    assert_eq!(compared(&here, &other_tables), []);
    // Statistics that the role may not read.
    let [read, unread] = [json!({ "type": "text", "histogram bounds": 101 }), json!({ "type": "text" })]
        .map(|facts| catalog_with(&json!({}), &[column_of_t("a", &facts)]));
    assert_eq!(compared(&read, &unread), []);
}

#[test]
fn many_indexes_are_one_line() {
    let mut indexes = Vec::new();
    for number in 0..24 {
        indexes.push(index_on_t(&format!("i{number:02}"), &format!("btree (c{number})"), &json!({})));
    }
    let facts = compared(&catalog_with(&json!({}), &indexes), &catalog_with(&json!({}), &[]));
    let [line] = &lines_of(&facts)[..] else { panic!() };
    assert_eq!(line.what, "24 indexes on public.t");
    assert_eq!(line.values, "only on this side (i00, i01, i02, ...)");
}

#[test]
fn columns_without_statistics_are_one_line_where_both_sides_could_read_them() {
    let columns = |statistics: Option<&str>| {
        let mut facts = json!({ "type": "integer" });
        if let Some(statistics) = statistics {
            facts["statistics"] = json!(statistics);
        }
        catalog_with(&json!({}), &["a", "b", "c"].map(|name| column_of_t(name, &facts)))
    };
    let facts = compared(&columns(Some("none")), &columns(Some("present")));
    let [line] = &lines_of(&facts)[..] else { panic!("{facts:?}") };
    assert_eq!(line.what, "statistics of 3 columns of public.t");
    assert_eq!(line.values, "none (other side: present) (a, b, c)");
    assert_eq!(line.advice.as_deref(), Some("ANALYZE public.t"));
    assert_eq!(compared(&columns(Some("none")), &columns(None)), []);
}

#[test]
fn facts_of_other_tables_and_of_functions_that_nobody_names_are_not_relevant() {
    let function = |volatility: &str| {
        (CatalogPart::Functions, json!({ "name": "public.want(integer)", "facts": { "volatility": volatility } }))
    };
    let here = catalog_with(&json!({ "option parallel_workers": "0" }), &[function("volatile")]);
    let there = catalog_with(&json!({}), &[function("stable")]);
    let facts = compared(&here, &there);
    assert_eq!(facts.len(), 2);
    let of = |table: &str, text: &str| Relevance {
        tables: [table.to_owned()].into(),
        texts: vec![text.to_owned()],
        bears_on: [BearsOn::Plans].into(),
        ..Relevance::default()
    };
    let what = |of: &Relevance| -> Vec<String> {
        ranked_by_relevance(facts.clone(), of).iter().map(UnlikeTableFact::difference_in_words).collect()
    };
    assert_eq!(what(&of("public.u", "SELECT wanted(1)")), Vec::<String>::new());
    assert_eq!(what(&of("public.t", "SELECT 1")), ["option parallel_workers of public.t"]);
    assert_eq!(what(&of("public.u", "SELECT want (1)")), ["volatility of function public.want(integer)"]);
    let of_planning = Relevance { bears_on: [BearsOn::Wal].into(), ..of("public.t", "want(1)") };
    assert_eq!(what(&of_planning), Vec::<String>::new());
}

#[test]
fn setting_of_display_bears_on_no_cost() {
    let setting = |name: &str| {
        let facts = json!({ "value": "x", "statement": "ALTER DATABASE app" });
        (CatalogPart::Settings, json!({ "name": name, "definition": "database", "facts": facts }))
    };
    let with = |name: &str| compared(&catalog_with(&json!({}), &[setting(name)]), &catalog_with(&json!({}), &[]));
    assert_eq!(with("application_name"), []);
    assert_eq!(with("log_min_duration_statement"), []);
    assert_eq!(with("enable_indexscan")[0].rank, 0);
    assert!(!with("synchronous_commit")[0].bears_on.contains(&BearsOn::Plans));
}
