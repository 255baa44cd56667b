//! Statements that every kind of data needs, schema-qualified. Text only; nothing is executed here.

/// `name` as an SQL identifier.
pub(super) fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The table's name with its schema, as SQL. Our tables' names need no quotes.
pub(super) fn qualified(schema: &str, table: &str) -> String {
    format!("{}.{table}", quote(schema))
}

/// One `DROP TABLE` for all of `tables`, each with its schema, so that foreign keys between them are no obstacle.
pub(super) fn drop<'a>(tables: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let names: Vec<String> = tables.into_iter().map(|(schema, table)| qualified(schema, table)).collect();
    format!("DROP TABLE {}", names.join(", "))
}

/// Writes `text` as the table's comment.
pub(super) fn comment(schema: &str, table: &str, text: &str) -> String {
    format!("COMMENT ON TABLE {} IS '{}'", qualified(schema, table), text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_with_an_odd_name_is_quoted() {
        assert_eq!(qualified("my \"odd\" schema", "pgbench_tellers"), "\"my \"\"odd\"\" schema\".pgbench_tellers");
    }
}
