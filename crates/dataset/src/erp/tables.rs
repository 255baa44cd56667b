//! What each object is written into: the tables' SQL, how much there is of them, and what a survey must find.
//!
//! Everything is in the SQL files; names, columns and indexes are read from them, so that they cannot disagree. Keys
//! are the first 16 bytes of the SHA-256 of a number: the set-up, the scripts and the checks compute them alike, on the
//! server, where also FIPS allows it.

use std::num::NonZeroU32;

use super::ErpObject;

/// The tables of one or more objects and how they are made.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ErpTables {
    /// What the mark calls them.
    pub(super) name: &'static str,
    /// `CREATE TABLE` for all of them.
    create: &'static str,
    /// Inserts the rows of a range of units.
    fill: &'static str,
    /// One statement per index.
    index: &'static str,
    /// Counts some rows of the start state that no workload takes out.
    probe: &'static str,
    /// Takes back what workloads have written, if that is more than new values in the same rows.
    restore: Option<&'static str>,
    /// Items or documents per unit of scale.
    units_per_scale: u64,
    /// Rows of the first table per unit.
    pub(super) rows_per_unit: u64,
    mib_per_scale: u64,
}

const CATALOG: ErpTables = ErpTables {
    name: "catalog",
    create: include_str!("sql/catalog_create.sql"),
    fill: include_str!("sql/catalog_fill.sql"),
    index: include_str!("sql/catalog_index.sql"),
    probe: include_str!("sql/catalog_probe.sql"),
    restore: Some(include_str!("sql/catalog_restore.sql")),
    units_per_scale: 100_000,
    rows_per_unit: 1,
    mib_per_scale: 45,
};

const INFORMATION: ErpTables = ErpTables {
    name: "information-register",
    create: include_str!("sql/information_create.sql"),
    fill: include_str!("sql/information_fill.sql"),
    index: include_str!("sql/information_index.sql"),
    probe: include_str!("sql/information_probe.sql"),
    restore: None,
    units_per_scale: 100_000,
    rows_per_unit: 10,
    mib_per_scale: 265,
};

const ACCUMULATION: ErpTables = ErpTables {
    name: "accumulation-register",
    create: include_str!("sql/accumulation_create.sql"),
    fill: include_str!("sql/accumulation_fill.sql"),
    index: include_str!("sql/accumulation_index.sql"),
    probe: include_str!("sql/accumulation_probe.sql"),
    restore: Some(include_str!("sql/accumulation_restore.sql")),
    units_per_scale: 100_000,
    rows_per_unit: 10,
    mib_per_scale: 425,
};

const ACCOUNTING: ErpTables = ErpTables {
    name: "accounting-register",
    create: include_str!("sql/accounting_create.sql"),
    fill: include_str!("sql/accounting_fill.sql"),
    index: include_str!("sql/accounting_index.sql"),
    probe: include_str!("sql/accounting_probe.sql"),
    restore: Some(include_str!("sql/accounting_restore.sql")),
    units_per_scale: 20_000,
    rows_per_unit: 10,
    mib_per_scale: 365,
};

impl ErpTables {
    /// What an object is written into.
    pub(super) fn of_object(object: ErpObject) -> &'static ErpTables {
        match object {
            ErpObject::TempTable | ErpObject::Catalog => &CATALOG,
            ErpObject::InformationRegister => &INFORMATION,
            ErpObject::AccumulationRegister => &ACCUMULATION,
            ErpObject::AccountingRegister => &ACCOUNTING,
        }
    }

    /// The tables' names, in the order in which they are made.
    pub(super) fn table_names(&self) -> Vec<&'static str> {
        self.create.lines().filter_map(created_table_name).collect()
    }

    /// The statements that make the empty tables.
    pub(super) fn create_statements(&self) -> &'static str {
        self.create
    }

    /// Items or documents.
    pub(super) fn unit_count(&self, scale: NonZeroU32) -> u64 {
        self.units_per_scale * u64::from(scale.get())
    }

    /// The statements that insert the rows of units `from` to `to`, the last one excluded.
    pub(super) fn insert_statements(&self, scale: NonZeroU32, from: u64, to: u64) -> String {
        let text = self.fill.replace("{from}", &from.to_string()).replace("{to}", &to.to_string());
        self.at_scale(&text, scale)
    }

    /// Each index with its table and the statement that makes it.
    pub(super) fn indexes_with_statements(&self) -> impl Iterator<Item = IndexDefinition> {
        self.index.lines().filter_map(IndexDefinition::parse_statement)
    }

    /// The query that counts some rows; its rows are a table's name, how many were found, how many there must be.
    pub(super) fn row_count_query(&self, scale: NonZeroU32) -> String {
        self.at_scale(self.probe, scale).replace("{units}", &self.unit_count(scale).to_string())
    }

    /// The statement that takes back what workloads have written.
    pub(super) fn restore_statement(&self, scale: NonZeroU32) -> Option<String> {
        self.restore.map(|sql| self.at_scale(sql, scale))
    }

    /// Roughly what they take on disk, in MiB.
    pub(super) fn size_mib(&self, scale: NonZeroU32) -> u64 {
        self.mib_per_scale * u64::from(scale.get())
    }

    /// `name type [not null]` of each column of a table, in order.
    pub(super) fn column_definitions(&self, table: &str) -> Vec<String> {
        let lines = self.create.lines().skip_while(|line| created_table_name(line) != Some(table)).skip(1);
        let columns = lines.take_while(|line| !line.starts_with(')'));
        columns.map(|line| line.trim().trim_end_matches(',').replace("NOT NULL", "not null")).collect()
    }

    fn at_scale(&self, sql: &str, scale: NonZeroU32) -> String {
        let scale = u64::from(scale.get());
        sql.replace("{scale}", &scale.to_string())
            .replace("{tenth}", &(10_000 * scale).to_string())
            .replace("{partners}", &(1_000 * scale).to_string())
    }
}

/// One index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IndexDefinition {
    pub(super) table: &'static str,
    /// `None` for a primary key, which the server names after the table.
    name: Option<&'static str>,
    pub(super) statement: &'static str,
}

impl IndexDefinition {
    fn parse_statement(statement: &'static str) -> Option<IndexDefinition> {
        let mut words = statement.split_whitespace().skip_while(|word| !matches!(*word, "TABLE" | "INDEX"));
        let (kind, name) = (words.next()?, words.next()?);
        let (table, name) = if kind == "TABLE" { (name, None) } else { (words.nth(1)?, Some(name)) };
        Some(IndexDefinition { table, name, statement })
    }

    /// What the server calls it.
    pub(super) fn index_name(&self) -> String {
        self.name.map_or_else(|| format!("{}_pkey", self.table), str::to_owned)
    }
}

/// The name of the table that a line begins to create.
fn created_table_name(line: &'static str) -> Option<&'static str> {
    line.strip_prefix("CREATE TABLE ")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use work::WordChoice as _;

    use super::*;

    #[test]
    fn names_columns_and_indexes_are_read_from_the_statements() {
        assert_eq!(ACCUMULATION.table_names(), ["erp_movement", "erp_movement_total"]);
        let expected = [
            "_period timestamp without time zone not null",
            "item bytea not null",
            "warehouse bytea not null",
            "_splitter integer not null",
            "quantity numeric(20,3) not null",
            "amount numeric(20,2) not null",
        ];
        assert_eq!(ACCUMULATION.column_definitions("erp_movement_total"), expected);
        let indexes: Vec<(&str, String)> =
            CATALOG.indexes_with_statements().map(|index| (index.table, index.index_name())).collect();
        let expected = ["erp_item_pkey", "erp_item_by_code", "erp_item_by_description", "erp_item_by_parent"];
        assert_eq!(indexes, expected.map(|name| ("erp_item", name.to_owned())));
    }

    #[test]
    fn no_placeholder_is_left_in_a_statement() {
        let scale = NonZeroU32::new(3).expect("not zero");
        for tables in ErpObject::ALL.iter().copied().map(ErpTables::of_object) {
            let statements = [
                Some(tables.insert_statements(scale, 0, 5)),
                Some(tables.row_count_query(scale)),
                tables.restore_statement(scale),
            ];
            for statement in statements.into_iter().flatten() {
                assert!(!statement.contains(['{', '}']), "{statement}");
            }
        }
    }
}
