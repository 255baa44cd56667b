//! The tables that the statements of a script name, and those that it makes, by their text alone. Pure.
//!
//! For two questions: does a script work on tables that nothing makes on a server which is empty at first, and whose
//! rows does it change? So what is not surely a table is left out.

use std::collections::BTreeSet;

use super::tokens::{SqlToken, tokens_of_text};

/// The tables that a statement reads or changes, by their names as PostgreSQL folds them, without those that it makes
/// itself (`WITH`) and the system's own.
pub(crate) fn tables_named(statement: &str) -> BTreeSet<String> {
    tables_that(statement, NamedFor::Anything)
}

/// Those of them whose rows the statement changes itself: what functions and triggers change, its text does not tell.
pub(crate) fn tables_changed(statement: &str) -> BTreeSet<String> {
    tables_that(statement, NamedFor::Change)
}

/// What a table is named for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedFor {
    Anything,
    Change,
}

fn tables_that(statement: &str, wanted: NamedFor) -> BTreeSet<String> {
    let tokens = tokens_of_text(statement);
    let word = |place: usize| match tokens.get(place) {
        Some(SqlToken::Word(word)) => word.as_str(),
        Some(SqlToken::Symbol(_)) | None => "",
    };
    if word(0) == "truncate" && wanted == NamedFor::Change {
        return truncated_tables(&tokens);
    }
    if !["select", "with", "insert", "update", "delete", "merge"].contains(&word(0)) {
        return BTreeSet::new();
    }
    let reads_too = wanted == NamedFor::Anything;
    let mut named = BTreeSet::new();
    // What each open parenthesis follows.
    let mut open: Vec<&str> = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        match token {
            SqlToken::Symbol('(') => open.push(place.checked_sub(1).map_or("", word)),
            SqlToken::Symbol(')') => drop(open.pop()),
            SqlToken::Word(keyword) => {
                let before = place.checked_sub(1).map_or("", word);
                let within = open.last().copied().unwrap_or_default();
                let begins = match keyword.as_str() {
                    // extract(year FROM x), IS DISTINCT FROM x
                    "from" if before == "delete" => true,
                    "from" if reads_too => {
                        !["extract", "substring", "trim", "overlay"].contains(&within) && before != "distinct"
                    }
                    "join" => reads_too,
                    "into" => ["insert", "merge"].contains(&before),
                    // FOR UPDATE, ON CONFLICT DO UPDATE, WHEN MATCHED THEN UPDATE
                    "update" => place == 0 || within == "as",
                    _ => false,
                };
                if begins {
                    named.extend(table_at(&tokens, place + 1));
                }
            }
            SqlToken::Symbol(_) => {}
        }
    }
    for name in made_within(&tokens) {
        named.remove(&name);
    }
    named
}

/// The tables of `TRUNCATE TABLE a, b CASCADE`.
fn truncated_tables(tokens: &[SqlToken]) -> BTreeSet<String> {
    let first = if matches!(tokens.get(1), Some(SqlToken::Word(word)) if word == "table") { 2 } else { 1 };
    let after_commas = (first..tokens.len()).filter(|place| tokens[*place] == SqlToken::Symbol(',')).map(|at| at + 1);
    std::iter::once(first).chain(after_commas).filter_map(|place| table_at(tokens, place)).collect()
}

/// The name of the table that stands at a place; none of a function, a query, or what is the system's.
fn table_at(tokens: &[SqlToken], place: usize) -> Option<String> {
    let mut place = place;
    while matches!(tokens.get(place), Some(SqlToken::Word(word)) if word == "only") {
        place += 1;
    }
    let Some(SqlToken::Word(first)) = tokens.get(place) else { return None };
    let not_tables = ["lateral", "rows", "unnest", "values", "select", "stdin", "program"];
    if not_tables.contains(&first.as_str()) {
        return None;
    }
    let (mut name, mut end) = (first.clone(), place + 1);
    while let (Some(SqlToken::Symbol('.')), Some(SqlToken::Word(next))) = (tokens.get(end), tokens.get(end + 1)) {
        if ["pg_catalog", "information_schema", "pg_temp"].contains(&name.as_str()) {
            return None;
        }
        name = next.clone();
        end += 2;
    }
    let is_called = tokens.get(end) == Some(&SqlToken::Symbol('('));
    // INSERT INTO t (a, b)
    let is_inserted =
        matches!(place.checked_sub(1).map(|before| &tokens[before]), Some(SqlToken::Word(word)) if word == "into");
    let is_variable = place.checked_sub(1).is_some_and(|before| tokens[before] == SqlToken::Symbol('$'));
    ((!is_called || is_inserted) && !is_variable && !name.starts_with("pg_")).then_some(name)
}

/// The names that `WITH` gives to queries: `name AS (`, `name (a, b) AS MATERIALIZED (`.
fn made_within(tokens: &[SqlToken]) -> BTreeSet<String> {
    let mut made = BTreeSet::new();
    for (place, token) in tokens.iter().enumerate() {
        let SqlToken::Word(name) = token else { continue };
        let is_after = match place.checked_sub(1).map(|before| &tokens[before]) {
            Some(SqlToken::Word(word)) => word == "with" || word == "recursive",
            Some(SqlToken::Symbol(symbol)) => *symbol == ',',
            None => false,
        };
        if is_after {
            made.insert(name.clone());
        }
    }
    if tokens.iter().any(|token| matches!(token, SqlToken::Word(word) if word == "with")) {
        made
    } else {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_told_from_functions_queries_and_what_only_looks_like_them() {
        let cases: [(&str, &[&str]); 14] = [
            ("SELECT * FROM shop.Orders o JOIN \"Customer\" c ON true", &["Customer", "orders"]),
            ("INSERT INTO t (a) SELECT 1", &["t"]),
            ("UPDATE ONLY t SET a = 1", &["t"]),
            ("DELETE FROM t USING u", &["t"]),
            ("SELECT extract(year FROM d), substring(x from 2), a IS DISTINCT FROM b FROM t FOR UPDATE", &["t"]),
            ("SELECT * FROM generate_series(1, 2) g", &[]),
            ("SELECT * FROM (SELECT 1 FROM inner_one) x", &["inner_one"]),
            ("WITH a AS (SELECT 1 FROM b), c AS (SELECT 2) SELECT * FROM a, c", &["b"]),
            ("SELECT * FROM pg_class JOIN information_schema.tables ON true", &[]),
            ("SELECT 1 -- FROM t", &[]),
            ("INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2", &["t"]),
            ("CREATE TABLE t (a int)", &[]),
            ("FETCH NEXT FROM c", &[]),
            ("SELECT 1", &[]),
        ];
        for (statement, wanted) in cases {
            assert_eq!(tables_named(statement).iter().map(String::as_str).collect::<Vec<_>>(), wanted, "{statement}");
        }
    }

    #[test]
    fn tables_whose_rows_are_changed_are_told_from_those_that_are_read() {
        let cases: [(&str, &[&str]); 9] = [
            ("SELECT * FROM t JOIN u ON true FOR UPDATE", &[]),
            ("INSERT INTO t (a) SELECT b FROM u", &["t"]),
            ("UPDATE shop.t SET a = u.a FROM u", &["t"]),
            ("DELETE FROM ONLY t USING u WHERE t.a = (SELECT max(a) FROM v)", &["t"]),
            ("MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN UPDATE SET a = 1", &["t"]),
            ("WITH gone AS (DELETE FROM t RETURNING 1), x AS (UPDATE v SET a = 1) SELECT * FROM gone", &["t", "v"]),
            ("TRUNCATE TABLE ONLY t, shop.u CASCADE", &["t", "u"]),
            ("SELECT 'DELETE FROM t'", &[]),
            ("CREATE TABLE t (a int)", &[]),
        ];
        for (statement, wanted) in cases {
            assert_eq!(tables_changed(statement).iter().map(String::as_str).collect::<Vec<_>>(), wanted, "{statement}");
        }
    }
}
