//! Whether what a database holds is the data set that is asked for. Pure: a survey in, a decision out.

use super::PgbenchData;
use super::counts::{CountedKeys, PROBES, RowCounts};
use super::table::{ExpectedColumn, PgbenchTable};
use crate::defect::{nothing_found_text, or_none};
use crate::marker::{self, SetUpState};
use crate::relation::ResolvedRelation;
use crate::{Defect, Ownership};

/// What the catalogs say against the tables. Tables that are used as they are may be partitioned, unlogged or filled
/// otherwise and may have further columns; tables of ours are exactly as we make them.
pub(super) fn structure_defects(
    relations: &[ResolvedRelation],
    data: &PgbenchData,
    ownership: Ownership,
) -> Vec<Defect> {
    let mut defects = Vec::new();
    for table in PgbenchTable::ALL {
        match relations.iter().find(|relation| relation.name == table.table_name()) {
            None => defects.push(Defect::new(table.table_name(), "does not exist")),
            Some(relation) => match ownership {
                Ownership::Managed => managed_defects(table, relation, data, &mut defects),
                Ownership::Existing => existing_defects(table, relation, &mut defects),
            },
        }
    }
    if let Some(other) = relations.iter().find(|relation| relation.schema != relations[0].schema) {
        let what = format!("is in schema {}, {} in {}", other.schema, relations[0].name, relations[0].schema);
        defects.push(Defect::new(&other.name, what));
    }
    defects
}

fn managed_defects(table: PgbenchTable, relation: &ResolvedRelation, data: &PgbenchData, defects: &mut Vec<Defect>) {
    let mut must_be = |what: &str, found: String, expected: String| {
        if found != expected {
            defects.push(Defect::new(table.table_name(), format!("has {what} {found} instead of {expected}")));
        }
    };
    let mark = marker::marker_text(data.marker_identity(), SetUpState::Ready);
    must_be("the comment", relation.comment.clone().unwrap_or_else(nothing_found_text), mark);
    must_be("kind and persistence", format!("{}{}", relation.kind, relation.persistence), "rp".to_owned());
    must_be("columns", relation.columns.join(", "), columns_text(&table.table_columns(data)));
    let options = match table {
        PgbenchTable::History => String::new(),
        PgbenchTable::Branches | PgbenchTable::Tellers | PgbenchTable::Accounts => {
            format!("fillfactor={}", data.fillfactor_percent())
        }
    };
    must_be("storage options", or_none(relation.options.join(", ")), or_none(options));
    let key = table.key_column().map_or_else(nothing_found_text, str::to_owned);
    must_be("the primary key", relation.key.clone().unwrap_or_else(nothing_found_text), key);
}

fn existing_defects(table: PgbenchTable, relation: &ResolvedRelation, defects: &mut Vec<Defect>) {
    if !matches!(relation.kind.as_str(), "r" | "p") {
        defects.push(Defect::new(table.table_name(), "is not a table"));
        return;
    }
    for name in required_columns(table) {
        // A number of 32 or 64 bits will do: pgbench's own choice depends on the scale at which it was initialized.
        let fits = relation.columns.iter().any(|column| {
            let mut words = column.split(' ');
            words.next() == Some(name) && (*name == "mtime" || matches!(words.next(), Some("integer" | "bigint")))
        });
        if !fits {
            defects.push(Defect::new(table.table_name(), format!("has no column {name} of the type pgbench gives it")));
        }
    }
    if let Some(key) = table.key_column()
        && relation.key.as_deref() != Some(key)
    {
        defects.push(Defect::new(table.table_name(), format!("has no primary key ({key})")));
    }
}

/// The columns that the built-in scripts name.
fn required_columns(table: PgbenchTable) -> &'static [&'static str] {
    match table {
        PgbenchTable::Branches => &["bid", "bbalance"],
        PgbenchTable::Tellers => &["tid", "bid", "tbalance"],
        PgbenchTable::Accounts => &["aid", "bid", "abalance"],
        PgbenchTable::History => &["tid", "bid", "aid", "delta", "mtime"],
    }
}

/// What the counts say against the tables.
pub(super) fn row_defects(counts: &RowCounts, data: &PgbenchData) -> Vec<Defect> {
    let mut defects = Vec::new();
    for (table, keys) in [(PgbenchTable::Branches, counts.branches), (PgbenchTable::Tellers, counts.tellers)] {
        let expected = row_count_as_i64(table.row_count(data));
        if keys.count != expected {
            defects.push(Defect::new(table.table_name(), format!("has {} rows instead of {expected}", keys.count)));
        } else if keys != (CountedKeys { count: expected, ends: Some((1, expected)) }) {
            defects.push(Defect::new(table.table_name(), format!("has keys other than 1 to {expected}")));
        }
    }
    let accounts = row_count_as_i64(PgbenchTable::Accounts.row_count(data));
    match counts.accounts_ends {
        None => defects.push(Defect::new(PgbenchTable::Accounts.table_name(), "is empty")),
        Some(ends) if ends != (1, accounts) => {
            let (first, last) = ends;
            let what = format!("has keys from {first} to {last} instead of 1 to {accounts}");
            defects.push(Defect::new(PgbenchTable::Accounts.table_name(), what));
        }
        Some(_) if counts.probes_found != i64::from(PROBES) => {
            let lost = i64::from(PROBES) - counts.probes_found;
            let what =
                format!("lacks {lost} of {PROBES} accounts that were looked up, or they belong to another branch");
            defects.push(Defect::new(PgbenchTable::Accounts.table_name(), what));
        }
        Some(_) => {}
    }
    defects
}

fn columns_text(columns: &[ExpectedColumn]) -> String {
    let texts: Vec<String> = columns
        .iter()
        .map(|column| format!("{} {}{}", column.name, column.sql_type, if column.not_null { " not null" } else { "" }))
        .collect();
    texts.join(", ")
}

fn row_count_as_i64(rows: u64) -> i64 {
    i64::try_from(rows).expect("a number of rows within pgbench's limits")
}
