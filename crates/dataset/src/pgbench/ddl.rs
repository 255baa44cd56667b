//! The statements that make and key the tables, schema-qualified. Text only; nothing is executed here.
//!
//! The result is what `pgbench -i` makes. The way there differs in one thing: while the tables are filled, the columns
//! that are the same in every row have defaults, so that they need not be sent and parsed ([`constant_columns`]); the
//! defaults are dropped before anybody else sees the tables.

use super::PgbenchData;
use super::table::PgbenchTable;
use crate::ddl;

/// Columns that hold one value in every new row, with that value as SQL. The filler of accounts is blank, those of
/// branches and tellers are null, as `pgbench -i` leaves them.
fn constant_columns(table: PgbenchTable) -> &'static [(&'static str, &'static str)] {
    match table {
        PgbenchTable::Branches => &[("bbalance", "0")],
        PgbenchTable::Tellers => &[("tbalance", "0")],
        PgbenchTable::Accounts => &[("abalance", "0"), ("filler", "''")],
        PgbenchTable::History => &[],
    }
}

fn qualified_table_name(schema: &str, table: PgbenchTable) -> String {
    ddl::qualified_table_name(schema, table.table_name())
}

/// `CREATE TABLE`, with the defaults for filling.
pub(super) fn create_table_statement(schema: &str, table: PgbenchTable, data: &PgbenchData) -> String {
    let columns: Vec<String> = table
        .table_columns(data)
        .iter()
        .map(|column| {
            let not_null = if column.not_null { " NOT NULL" } else { "" };
            let default = constant_columns(table)
                .iter()
                .find(|(name, _)| *name == column.name)
                .map(|(_, value)| format!(" DEFAULT {value}"))
                .unwrap_or_default();
            format!("{} {}{default}{not_null}", column.name, column.sql_type)
        })
        .collect();
    let storage = match table {
        PgbenchTable::History => String::new(),
        PgbenchTable::Branches | PgbenchTable::Tellers | PgbenchTable::Accounts => {
            format!(" WITH (fillfactor = {})", data.fillfactor_percent())
        }
    };
    format!("CREATE TABLE {} ({}){storage}", qualified_table_name(schema, table), columns.join(", "))
}

/// `COPY` of the columns that differ between rows: what [`super::rows`] encodes.
pub(super) fn copy_statement(schema: &str, table: PgbenchTable) -> String {
    let columns = table.sent_columns().join(", ");
    format!("COPY {} ({columns}) FROM STDIN WITH (FORMAT binary, FREEZE on)", qualified_table_name(schema, table))
}

/// Takes back the defaults for filling; none for a table without them.
pub(super) fn drop_defaults(schema: &str, table: PgbenchTable) -> Option<String> {
    let actions: Vec<String> =
        constant_columns(table).iter().map(|(column, _)| format!("ALTER {column} DROP DEFAULT")).collect();
    (!actions.is_empty()).then(|| format!("ALTER TABLE {} {}", qualified_table_name(schema, table), actions.join(", ")))
}

/// Adds the primary key; none for history.
pub(super) fn add_key(schema: &str, table: PgbenchTable) -> Option<String> {
    table.key_column().map(|key| format!("ALTER TABLE {} ADD PRIMARY KEY ({key})", qualified_table_name(schema, table)))
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn create_at(scale: u32, table: PgbenchTable) -> String {
        let data = PgbenchData::new(NonZeroU32::new(scale).expect("not zero")).expect("a valid scale");
        create_table_statement("public", table, &data)
    }

    #[test]
    fn tables_are_created_as_pgbench_creates_them_plus_the_defaults_for_filling() {
        let expected = [
            "CREATE TABLE \"public\".pgbench_branches (bid integer NOT NULL, bbalance integer DEFAULT 0, \
             filler character(88)) WITH (fillfactor = 100)",
            "CREATE TABLE \"public\".pgbench_tellers (tid integer NOT NULL, bid integer, tbalance integer DEFAULT 0, \
             filler character(84)) WITH (fillfactor = 100)",
            "CREATE TABLE \"public\".pgbench_accounts (aid integer NOT NULL, bid integer, abalance integer DEFAULT 0, \
             filler character(84) DEFAULT '') WITH (fillfactor = 100)",
            "CREATE TABLE \"public\".pgbench_history (tid integer, bid integer, aid integer, delta integer, \
             mtime timestamp without time zone, filler character(22))",
        ];
        for (table, expected) in PgbenchTable::ALL.into_iter().zip(expected) {
            assert_eq!(create_at(19_999, table), expected);
        }
    }

    #[test]
    fn aid_is_a_bigint_in_accounts_and_history_from_scale_20000_on() {
        assert!(create_at(20_000, PgbenchTable::Accounts).contains("(aid bigint NOT NULL, bid integer,"));
        assert!(
            create_at(20_000, PgbenchTable::History).contains("(tid integer, bid integer, aid bigint, delta integer,")
        );
        assert!(!create_at(20_000, PgbenchTable::Tellers).contains("bigint"));
    }

    #[test]
    fn every_default_for_filling_is_taken_back() {
        for table in PgbenchTable::ALL {
            let made = create_at(1, table).matches("DEFAULT").count();
            let taken_back = drop_defaults("public", table).map_or(0, |sql| sql.matches("DROP DEFAULT").count());
            assert_eq!(made, taken_back, "{table:?}");
        }
    }
}
