//! What the plan of a query says of it: what it changes, or what it calls. Pure.

use std::collections::BTreeSet;

use serde_json::Value;

use super::tokens::{CalledFunction, calls_in_text};

/// What a plan shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StatementEffect {
    /// It changes rows, or locks them, which writes as well: in words.
    Writes(String),
    /// It only reads, as far as the functions do that it may call.
    Calls(BTreeSet<CalledFunction>),
}

/// What `EXPLAIN (VERBOSE, FORMAT JSON)` of a statement shows.
pub(super) fn shown_by_plan(plan: &Value, text: &str) -> StatementEffect {
    let mut found = PlanEffects { writes: None, calls: calls_in_text(text).into_iter().collect() };
    found.search_plan_node(plan);
    match found.writes {
        Some(what) => StatementEffect::Writes(what),
        None => StatementEffect::Calls(found.calls),
    }
}

/// A use of a sequence, for which the role needs a right that the server does not look at before.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SequenceUse {
    /// The sequence, as it is written.
    pub(super) name: String,
    /// The rights of which one is enough, as `has_sequence_privilege` takes them.
    pub(super) rights: &'static str,
}

/// The functions of sequences that ask for rights, with those.
const OF_SEQUENCES: [(&str, &str); 3] =
    [("nextval('", "USAGE, UPDATE"), ("currval('", "USAGE, SELECT"), ("setval('", "UPDATE")];

/// The sequences that the expressions of a plan use by their names. Those of identity columns need no right: there the
/// name stands without its type.
pub(super) fn sequences_used(plan: &Value) -> BTreeSet<SequenceUse> {
    match plan {
        Value::Object(fields) => fields.values().flat_map(sequences_used).collect(),
        Value::Array(values) => values.iter().flat_map(sequences_used).collect(),
        Value::String(text) => sequences_in(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => BTreeSet::new(),
    }
}

fn sequences_in(text: &str) -> BTreeSet<SequenceUse> {
    let mut used = BTreeSet::new();
    for (function, rights) in OF_SEQUENCES {
        for (at, _) in text.match_indices(function) {
            let argument = &text[at + function.len()..];
            let Some((name, _)) = argument.split_once("'::regclass") else { continue };
            // What has a quote before is no name but within a text.
            if !name.replace("''", "").contains('\'') && !name.starts_with('\'') {
                used.insert(SequenceUse { name: name.replace("''", "'"), rights });
            }
        }
    }
    used
}

struct PlanEffects {
    writes: Option<String>,
    calls: BTreeSet<CalledFunction>,
}

impl PlanEffects {
    fn search_plan_node(&mut self, value: &Value) {
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
                fields.values().for_each(|value| self.search_plan_node(value));
            }
            Value::Array(values) => values.iter().for_each(|value| self.search_plan_node(value)),
            Value::String(text) => self.calls.extend(calls_in_text(text)),
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
        assert_eq!(shown_by_plan(&update, ""), StatementEffect::Writes("UPDATE of t".to_owned()));
        let below = json!([{ "Plan": { "Node Type": "Limit", "Plans": [{ "Node Type": "LockRows" }] } }]);
        assert_eq!(shown_by_plan(&below, ""), StatementEffect::Writes("locks the rows that it reads".to_owned()));
    }

    #[test]
    fn sequences_are_told_by_the_expressions_of_a_plan_but_not_those_of_identity_columns() {
        let plan = json!([{ "Plan": { "Node Type": "ModifyTable", "Plans": [{ "Output": [
            "nextval('public.\"My ''Seq\"'::regclass)", "nextval('t_id_seq')", "'nextval(''x''::regclass)'::text",
            "setval('s'::regclass, 1)", "1"
        ] }] } }]);
        let used: Vec<(String, &str)> = sequences_used(&plan).into_iter().map(|of| (of.name, of.rights)).collect();
        let wanted = [("public.\"My 'Seq\"".to_owned(), "USAGE, UPDATE"), ("s".to_owned(), "UPDATE")];
        assert_eq!(used, wanted);
    }

    #[test]
    fn functions_of_the_plan_and_of_the_text_are_told() {
        let plan = json!([{ "Plan": { "Node Type": "Result", "Output": ["hidden(1)", "'no(1)'::text"] } }]);
        let StatementEffect::Calls(calls) = shown_by_plan(&plan, "SELECT * FROM a_view LIMIT nextval('s')") else {
            panic!("it reads")
        };
        let names: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["hidden", "nextval"]);
    }
}
