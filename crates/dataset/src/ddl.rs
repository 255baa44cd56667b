//! Statements that every kind of data needs, schema-qualified. Text only; nothing is executed here.

/// `name` as an SQL identifier.
pub(super) fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The table's name with its schema, as SQL. Our tables' names need no quotes.
pub(super) fn qualified_table_name(schema: &str, table: &str) -> String {
    format!("{}.{table}", quote_identifier(schema))
}

/// One `DROP TABLE` for all of `tables`, each with its schema, so that foreign keys between them are no obstacle.
pub(super) fn drop<'a>(tables: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let names: Vec<String> = tables.into_iter().map(|(schema, table)| qualified_table_name(schema, table)).collect();
    format!("DROP TABLE {}", names.join(", "))
}

/// Writes `text` as the table's comment.
pub(super) fn comment_on_table(schema: &str, table: &str, text: &str) -> String {
    format!("COMMENT ON TABLE {} IS '{}'", qualified_table_name(schema, table), text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_with_an_odd_name_is_quoted() {
        assert_eq!(
            qualified_table_name("my \"odd\" schema", "pgbench_tellers"),
            "\"my \"\"odd\"\" schema\".pgbench_tellers"
        );
    }
}
