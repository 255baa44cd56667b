//! What is done to the tables before a trial, so that each trial starts alike: what the one before inserted is taken
//! back, with its part of the totals; what it updated in place keeps its new values. Then the tables are vacuumed, for
//! temporary tables the catalogs of the server that they bloat.

use super::tables::ErpTables;
use super::{ErpData, ErpObject};
use crate::DatasetError;
use crate::readying::Readying;

/// The catalogs into which making and dropping a table writes.
const CATALOGS: [&str; 7] = [
    "pg_catalog.pg_class",
    "pg_catalog.pg_attribute",
    "pg_catalog.pg_type",
    "pg_catalog.pg_depend",
    "pg_catalog.pg_index",
    "pg_catalog.pg_constraint",
    "pg_catalog.pg_statistic",
];

/// Brings the tables to the state in which a trial that writes starts.
pub(crate) async fn restore_erp_tables(readying: &mut Readying<'_>, data: &ErpData) -> Result<(), DatasetError> {
    let tables = ErpTables::of_object(data.object);
    if let Some(sql) = tables.restore_statement(data.scale) {
        readying.execute_recorded(&one_line(&sql)).await?;
    }
    let catalogs: &[&str] = if data.object == ErpObject::TempTable { &CATALOGS } else { &[] };
    for name in tables.table_names().iter().chain(catalogs) {
        readying.vacuum_table(name).await?;
    }
    Ok(())
}

/// A statement without its comments and line breaks, as it is recorded with a trial.
fn one_line(sql: &str) -> String {
    let lines = sql.lines().filter(|line| !line.starts_with("--"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_recorded_in_one_line_and_without_comments() {
        assert_eq!(one_line("-- Why.\nDELETE FROM t\n WHERE a > 1;\n"), "DELETE FROM t WHERE a > 1;");
    }
}
