//! What the plan of a query says of it: what it changes, or what it calls. Pure.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tokens::{Call, calls};

/// What a plan shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shown {
    /// It changes rows, or locks them, which writes as well: in words.
    Writes(String),
    /// It only reads, as far as the functions do that it may call.
    Calls(BTreeSet<Call>),
}

/// What `EXPLAIN (VERBOSE, FORMAT JSON)` of a statement shows.
pub(super) fn shown(plan: &Value, text: &str) -> Shown {
    let mut found = Found { writes: None, calls: calls(text).into_iter().collect() };
    found.look(plan);
    match found.writes {
        Some(what) => Shown::Writes(what),
        None => Shown::Calls(found.calls),
    }
}

struct Found {
    writes: Option<String>,
    calls: BTreeSet<Call>,
}

impl Found {
    fn look(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                let word = |key: &str| fields.get(key).and_then(Value::as_str);
                match word("Node Type") {
                    Some("ModifyTable") => {
                        let what = word("Operation").unwrap_or("change").to_uppercase();
                        let table = word("Relation Name").unwrap_or("a table");
                        self.writes.get_or_insert_with(|| format!("{what} of {table}"));
                    }
                    Some("LockRows") => {
                        self.writes.get_or_insert_with(|| "locks the rows that it reads".to_owned());
                    }
                    Some(_) | None => {}
                }
                fields.values().for_each(|value| self.look(value));
            }
            Value::Array(values) => values.iter().for_each(|value| self.look(value)),
            Value::String(text) => self.calls.extend(calls(text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_that_changes_or_locks_rows_is_one_that_writes() {
        let update = json!([{ "Plan": { "Node Type": "ModifyTable", "Operation": "Update", "Relation Name": "t" } }]);
        assert_eq!(shown(&update, ""), Shown::Writes("UPDATE of t".to_owned()));
        let below = json!([{ "Plan": { "Node Type": "Limit", "Plans": [{ "Node Type": "LockRows" }] } }]);
        assert_eq!(shown(&below, ""), Shown::Writes("locks the rows that it reads".to_owned()));
    }

    #[test]
    fn functions_of_the_plan_and_of_the_text_are_told() {
        let plan = json!([{ "Plan": { "Node Type": "Result", "Output": ["hidden(1)", "'no(1)'::text"] } }]);
        let Shown::Calls(calls) = shown(&plan, "SELECT * FROM a_view LIMIT nextval('s')") else { panic!("it reads") };
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["hidden", "nextval"]);
    }
}
