//! The statements that make, number and index the tables, schema-qualified. Text only. The result is what sysbench's
//! make; keys and indexes come after the rows, so that they need not be kept while rows arrive.

use super::layout::{Oltp, SysbenchShape, table_name};
use crate::ddl::qualified_table_name;

/// `CREATE TABLE`, without its key.
pub(super) fn create_table_statement(schema: &str, number: u32, shape: SysbenchShape) -> String {
    let table = qualified_table_name(schema, &table_name(number));
    match shape {
        SysbenchShape::Oltp(oltp) => {
            let id = if oltp.serial { "serial" } else { "integer NOT NULL" };
            format!(
                "CREATE TABLE {table} (id {id}, k integer DEFAULT '0' NOT NULL, c character(120) DEFAULT '' NOT NULL, \
                 pad character(60) DEFAULT '' NOT NULL)"
            )
        }
        SysbenchShape::Bulk => format!("CREATE TABLE {table} (id integer NOT NULL, k integer DEFAULT '0' NOT NULL)"),
    }
}

/// What [`super::rows`] encodes.
pub(super) fn copy_statement(schema: &str, number: u32) -> String {
    let table = qualified_table_name(schema, &table_name(number));
    format!("COPY {table} (id, k, c, pad) FROM STDIN WITH (FORMAT binary, FREEZE on)")
}

/// The primary key, as `PRIMARY KEY (id)` names it.
pub(super) fn add_key(schema: &str, number: u32) -> String {
    format!("ALTER TABLE {} ADD PRIMARY KEY (id)", qualified_table_name(schema, &table_name(number)))
}

/// The index of `k`.
pub(super) fn add_index(schema: &str, number: u32) -> String {
    format!("CREATE INDEX {} ON {} (k)", index(number), qualified_table_name(schema, &table_name(number)))
}

/// The name of the index of `k`.
pub(super) fn index(number: u32) -> String {
    format!("k_{number}")
}

/// Sets the sequence as if the rows had been numbered by it. `table` is the table's name in SQL, with a schema or
/// without.
pub(super) fn set_sequence(table: &str, oltp: &Oltp) -> Option<String> {
    let (last, is_called) = if oltp.rows == 0 { (1, false) } else { (oltp.rows, true) };
    let text = table.replace('\'', "''");
    oltp.serial.then(|| format!("SELECT setval(pg_get_serial_sequence('{text}', 'id'), {last}, {is_called})"))
}
