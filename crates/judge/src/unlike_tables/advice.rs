//! What makes an object of this side as it is on the other: statements of SQL as far as there are some.

use results::catalog::{CatalogObject, CatalogPart};

use super::object_pairs::ObjectPair;
use super::{DEFINITION, EXISTENCE};

/// What to do here. None where nothing short does, or the other side is the one to be changed.
pub(super) fn advice_for_fact(
    pair: &ObjectPair<'_>,
    part: CatalogPart,
    fact: &str,
    [here, there]: [Option<&str>; 2],
) -> Option<String> {
    let object = pair.here.unwrap_or(pair.object);
    let table = object.table.as_deref().unwrap_or(&object.name);
    let name = &object.name;
    match part {
        CatalogPart::Tables => of_table(table, fact, here, there),
        CatalogPart::Columns => of_column(table, name, fact, there),
        CatalogPart::Indexes => of_index(pair, table, fact),
        CatalogPart::ExtendedStatistics => of_extended_statistics(pair, table, fact),
        CatalogPart::Policies => {
            let row_security =
                format!("compare with a role that has BYPASSRLS, and make the policies of {table} cheap");
            Some(format!("{row_security} (indexed columns, STABLE and LEAKPROOF functions)"))
        }
        CatalogPart::Triggers => match (fact, here) {
            (EXISTENCE, Some(_)) => Some(format!("ALTER TABLE {table} DISABLE TRIGGER {name} on a copy")),
            _ => None,
        },
        CatalogPart::Constraints => of_constraint(object, table, fact, here),
        CatalogPart::Views => None,
        CatalogPart::Functions => of_function(name, fact, there),
        CatalogPart::ForeignServers => {
            let option = fact.strip_prefix("option ")?;
            Some(foreign_options("SERVER", name, option, here, there))
        }
        CatalogPart::Settings => of_setting(pair, name, there),
        CatalogPart::EventTriggers => match (fact, here) {
            (EXISTENCE, Some(_)) => Some(format!("ALTER EVENT TRIGGER {name} DISABLE on a copy")),
            _ => None,
        },
    }
}

fn of_table(table: &str, fact: &str, here: Option<&str>, there: Option<&str>) -> Option<String> {
    if let Some(option) = fact.strip_prefix("foreign option ") {
        return Some(foreign_options("FOREIGN TABLE", table, option, here, there));
    }
    if let Some(option) = fact.strip_prefix("toast option ") {
        return Some(storage_parameter(table, &format!("toast.{option}"), there));
    }
    if let Some(option) = fact.strip_prefix("option ") {
        let statement = storage_parameter(table, option, there);
        // Pages keep the rows that they have.
        return Some(if option == "fillfactor" { format!("{statement}; VACUUM FULL {table}") } else { statement });
    }
    match (fact, here, there) {
        ("persistence", None, Some("unlogged")) => {
            Some(format!("ALTER TABLE {table} SET UNLOGGED (risk: the table is empty after a crash)"))
        }
        ("persistence", Some("unlogged"), None) => Some(format!("ALTER TABLE {table} SET LOGGED")),
        ("row security active", Some(_), None) => Some(format!(
            "compare with a role that has BYPASSRLS, and make the policies of {table} cheap (indexed columns, STABLE and \
             LEAKPROOF functions)"
        )),
        ("replica identity", _, _) => match there {
            None => Some(format!("ALTER TABLE {table} REPLICA IDENTITY DEFAULT")),
            Some("index") => Some(format!("ALTER TABLE {table} REPLICA IDENTITY USING INDEX, as on the other side")),
            Some(identity) => Some(format!("ALTER TABLE {table} REPLICA IDENTITY {}", identity.to_uppercase())),
        },
        ("partition key", _, Some(key)) => Some(format!("partition {table} BY {key}, as on the other side")),
        ("partition key", Some(_), None) => Some(format!("do not partition {table}, as on the other side")),
        _ => None,
    }
}

fn storage_parameter(table: &str, option: &str, value: Option<&str>) -> String {
    match value {
        Some(value) => format!("ALTER TABLE {table} SET ({option} = {value})"),
        None => format!("ALTER TABLE {table} RESET ({option})"),
    }
}

fn foreign_options(kind: &str, name: &str, option: &str, here: Option<&str>, there: Option<&str>) -> String {
    let change = match (here, there) {
        (_, None) => format!("DROP {option}"),
        (None, Some(value)) => format!("ADD {option} '{value}'"),
        (Some(_), Some(value)) => format!("SET {option} '{value}'"),
    };
    format!("ALTER {kind} {name} OPTIONS ({change})")
}

fn of_column(table: &str, column: &str, fact: &str, there: Option<&str>) -> Option<String> {
    let alter = format!("ALTER TABLE {table} ALTER {column}");
    if let Some(option) = fact.strip_prefix("option ") {
        let set = match there {
            Some(value) => format!("SET ({option} = {value})"),
            None => format!("RESET ({option})"),
        };
        return Some(format!("{alter} {set}; ANALYZE {table}"));
    }
    match (fact, there) {
        ("statistics target", target) => {
            Some(format!("{alter} SET STATISTICS {}; ANALYZE {table}", target.unwrap_or("-1")))
        }
        ("statistics", Some("present")) => Some(format!("ANALYZE {table}")),
        ("most common values" | "histogram bounds", _) => Some(format!(
            "give both sides the same statistics target for {column} (default_statistics_target), ANALYZE {table}"
        )),
        ("storage", Some(storage)) => {
            Some(format!("{alter} SET STORAGE {}, and rewrite the rows", storage.to_uppercase()))
        }
        ("compression", Some(method)) => Some(format!("{alter} SET COMPRESSION {method}, and rewrite the rows")),
        ("type", Some(kind)) => Some(format!("{alter} TYPE {kind}")),
        ("not null", Some(_)) => Some(format!("{alter} SET NOT NULL")),
        _ => None,
    }
}

fn of_index(pair: &ObjectPair<'_>, table: &str, fact: &str) -> Option<String> {
    let (unique, made) = parts_of_index(pair.there.and_then(|object| object.definition.as_deref()));
    let create = format!("CREATE {unique}INDEX ON {table} USING {made}");
    match (fact, pair.here, pair.there) {
        (EXISTENCE, None, Some(_)) => Some(create),
        (EXISTENCE, Some(index), None) => Some(format!("DROP INDEX {}", with_schema(table, &index.name))),
        (DEFINITION, Some(index), Some(_)) => Some(format!("{create}; DROP INDEX {}", with_schema(table, &index.name))),
        ("invalid" | "not ready", Some(index), Some(_)) if index.has_flag(fact) => {
            Some(format!("REINDEX INDEX CONCURRENTLY {}", with_schema(table, &index.name)))
        }
        _ => None,
    }
}

/// `UNIQUE ` or nothing, and what follows USING.
fn parts_of_index(definition: Option<&str>) -> (&'static str, &str) {
    let definition = definition.unwrap_or("");
    for kind in ["PRIMARY KEY ", "UNIQUE "] {
        if let Some(made) = definition.strip_prefix(kind) {
            return ("UNIQUE ", made);
        }
    }
    ("", definition)
}

/// An index lies in the schema of its table.
fn with_schema(table: &str, name: &str) -> String {
    match table.strip_suffix('"').map_or_else(|| table.rsplit_once('.'), |quoted| quoted.rsplit_once(".\"")) {
        Some((schema, _)) => format!("{schema}.{name}"),
        None => name.to_owned(),
    }
}

fn of_extended_statistics(pair: &ObjectPair<'_>, table: &str, fact: &str) -> Option<String> {
    match (fact, pair.here, pair.there) {
        (EXISTENCE | DEFINITION, _, Some(there)) => {
            let (kinds, columns) = there.definition.as_deref()?.split_once(" ON ")?;
            Some(format!("CREATE STATISTICS ({kinds}) ON {columns} FROM {table}; ANALYZE {table}"))
        }
        (EXISTENCE, Some(here), None) => Some(format!("DROP STATISTICS {}", here.name)),
        ("built", Some(here), Some(_)) if !here.has_flag("built") => Some(format!("ANALYZE {table}")),
        _ => None,
    }
}

fn of_constraint(object: &CatalogObject, table: &str, fact: &str, here: Option<&str>) -> Option<String> {
    let name = &object.name;
    match (fact, here) {
        (EXISTENCE, Some(_)) => Some(format!("ALTER TABLE {table} DROP CONSTRAINT {name} on a copy")),
        ("without index", Some(_)) => {
            let referencing = object.definition.as_deref()?.rsplit_once(" of ")?.1;
            Some(format!("CREATE INDEX ON {referencing} ({})", object.text_fact("columns")?))
        }
        ("deferred", Some(_)) => Some(format!("ALTER TABLE {table} ALTER CONSTRAINT {name} INITIALLY IMMEDIATE")),
        ("not valid", Some(_)) => Some(format!("ALTER TABLE {table} VALIDATE CONSTRAINT {name}")),
        _ => None,
    }
}

fn of_function(name: &str, fact: &str, there: Option<&str>) -> Option<String> {
    let alter = format!("ALTER FUNCTION {name}");
    if let Some(setting) = fact.strip_prefix("setting ") {
        return Some(match there {
            Some(value) => format!("{alter} SET {setting} = '{value}'"),
            None => format!("{alter} RESET {setting}"),
        });
    }
    match (fact, there) {
        ("volatility", Some(volatility)) => {
            Some(format!("{alter} {}, if that is what it is", volatility.to_uppercase()))
        }
        ("parallel", Some(parallel)) => Some(format!("{alter} PARALLEL {}", parallel.to_uppercase())),
        ("cost" | "rows", Some(number)) => Some(format!("{alter} {} {number}", fact.to_uppercase())),
        ("leakproof", _) => Some(format!("{alter} {}LEAKPROOF", if there.is_some() { "" } else { "NOT " })),
        ("strict", _) => Some(format!("{alter} {}", if there.is_some() { "STRICT" } else { "CALLED ON NULL INPUT" })),
        ("security definer", _) => {
            Some(format!("{alter} SECURITY {}", if there.is_some() { "DEFINER" } else { "INVOKER" }))
        }
        _ => None,
    }
}

/// A setting is taken back where it was made; one that only the other side has is made as there.
fn of_setting(pair: &ObjectPair<'_>, name: &str, there: Option<&str>) -> Option<String> {
    let statement = pair.here.or(pair.there)?.text_fact("statement")?;
    Some(match (pair.here, there) {
        (Some(_), None) => format!("{statement} RESET {name}"),
        (_, Some(value)) => format!("{statement} SET {name} = '{value}'"),
        (None, None) => return None,
    })
}
