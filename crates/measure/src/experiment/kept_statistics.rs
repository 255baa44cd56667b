//! The states of the planner statistics that an upgrade may leave: none, or those of the old server. The database is a
//! copy that no trial uses.

use tokio_postgres::{Client, Error};

/// The first version that takes statistics: `pg_restore_relation_stats` and `pg_restore_attribute_stats`.
pub(super) const KEEPS_STATISTICS_SINCE: u32 = 180_000;

/// The first version whose `pg_stats` has statistics of ranges.
const RANGES_SINCE: u32 = 170_000;

/// What a server without statistics has in its catalogs; objects of the system keep theirs.
const CLEAR: &str = "
    DELETE FROM pg_catalog.pg_statistic WHERE starelid >= 16384;
    DELETE FROM pg_catalog.pg_statistic_ext_data;
    UPDATE pg_catalog.pg_class SET relpages = 0, reltuples = -1, relallvisible = 0
     WHERE oid >= 16384 AND relkind IN ('r', 'm', 'p', 'i', 'I', 't')";

/// The calls that enter what `pg_class` has of tables and indexes, a row each.
const RELATION_CALLS: &str = "
    SELECT format('SELECT pg_catalog.pg_restore_relation_stats(''version'', %s::integer, ''schemaname'', %L, '
                  '''relname'', %L, ''relpages'', %s::integer, ''reltuples'', ''%s''::real, '
                  '''relallvisible'', %s::integer)',
                  current_setting('server_version_num'), n.nspname, c.relname, c.relpages, c.reltuples,
                  c.relallvisible)
      FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'm', 'p', 'i', 'I') AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
     ORDER BY n.nspname, c.relname";

/// The columns of `pg_stats` that are entered, with the types of the arguments.
const ATTRIBUTE_ARGUMENTS: [(&str, &str); 10] = [
    ("null_frac", "real"),
    ("avg_width", "integer"),
    ("n_distinct", "real"),
    ("most_common_vals", "text"),
    ("most_common_freqs", "real[]"),
    ("histogram_bounds", "text"),
    ("correlation", "real"),
    ("most_common_elems", "text"),
    ("most_common_elem_freqs", "real[]"),
    ("elem_count_histogram", "real[]"),
];

/// Those of ranges.
const RANGE_ARGUMENTS: [(&str, &str); 3] =
    [("range_length_histogram", "text"), ("range_empty_frac", "real"), ("range_bounds_histogram", "text")];

/// Statistics that were entered, and those that the server did not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct EnteredStatistics {
    /// Tables, indexes and columns whose statistics were entered.
    pub(super) entered: u32,
    /// Those that were refused.
    pub(super) refused: u32,
}

/// Removes the statistics of a database.
///
/// # Errors
/// What the server says.
pub(super) async fn clear_statistics(client: &Client) -> Result<(), Error> {
    client.batch_execute(CLEAR).await
}

/// The statistics of a database as calls that enter them elsewhere. `version_num`: the server's version.
///
/// # Errors
/// What the server says.
pub(super) async fn read_statistics_calls(client: &Client, version_num: u32) -> Result<Vec<String>, Error> {
    let mut calls = Vec::new();
    for sql in [RELATION_CALLS.to_owned(), attribute_calls_query(version_num)] {
        for row in client.query(&sql, &[]).await? {
            calls.push(row.get(0));
        }
    }
    Ok(calls)
}

/// Enters statistics into a database; a refused one is counted.
///
/// # Errors
/// The connection is lost.
pub(super) async fn enter_statistics(client: &Client, calls: &[String]) -> Result<EnteredStatistics, Error> {
    // Each refusal would be a warning.
    client.batch_execute("SET client_min_messages = error").await?;
    let mut entered = EnteredStatistics::default();
    for call in calls {
        match client.query_one(call, &[]).await {
            Ok(row) if row.get(0) => entered.entered += 1,
            Ok(_) => entered.refused += 1,
            Err(error) if error.as_db_error().is_some() => entered.refused += 1,
            Err(error) => return Err(error),
        }
    }
    Ok(entered)
}

/// The query that makes a call of each column's statistics.
fn attribute_calls_query(version_num: u32) -> String {
    let mut arguments = String::new();
    let ranges: &[(&str, &str)] = if version_num >= RANGES_SINCE { &RANGE_ARGUMENTS } else { &[] };
    for (name, of_type) in ATTRIBUTE_ARGUMENTS.iter().chain(ranges) {
        arguments
            .push_str(&format!("\n|| coalesce(', ''{name}'', ' || quote_literal({name}::text) || '::{of_type}', '')"));
    }
    format!(
        "SELECT format('SELECT pg_catalog.pg_restore_attribute_stats(''version'', %s::integer, ''schemaname'', %L, '
                       '''relname'', %L, ''attname'', %L, ''inherited'', %L::boolean',
                       current_setting('server_version_num'), schemaname, tablename, attname, inherited){arguments}
             || ')'
           FROM pg_catalog.pg_stats
          WHERE schemaname !~ '^pg_' AND schemaname <> 'information_schema'
          ORDER BY schemaname, tablename, attname"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_of_ranges_are_read_where_the_server_shows_them() {
        for (version, expected) in [(140_019, false), (160_010, false), (170_000, true), (180_001, true)] {
            let query = attribute_calls_query(version);
            assert_eq!(query.contains("range_bounds_histogram"), expected, "{version}");
            assert!(query.contains("quote_literal(null_frac::text) || '::real'"), "{query}");
        }
    }
}
