//! Brings the tables to the rows with which every trial starts: those beyond the start state are deleted, those that
//! lack are inserted with the same ids, and the sequence is set back. New values that rows have got in `k` and `c`
//! stay, which are as random as the old ones. Rows of tables that are not ours are left as they are.

use super::ddl;
use super::layout::{Oltp, SysbenchData, SysbenchShape, table_name};
use crate::readying::Readying;
use crate::{DatasetError, Ownership};
use work::TableAccess;
use work::digits::{C_GROUPS, PAD_GROUPS};

/// Restores all tables. Before a trial that writes all are vacuumed, before one that reads those that were not intact.
pub(crate) async fn restore_sysbench_tables(
    readying: &mut Readying<'_>,
    data: &SysbenchData,
    ownership: Ownership,
    access: TableAccess,
) -> Result<(), DatasetError> {
    for number in 1..=data.table_count() {
        let table = table_name(number);
        let changed = match (ownership, data.table_shape()) {
            (Ownership::Existing, _) => false,
            (Ownership::Managed, SysbenchShape::Bulk) => truncate_table(readying, &table).await?,
            (Ownership::Managed, SysbenchShape::Oltp(Oltp { rows: 0, .. })) => truncate_table(readying, &table).await?,
            (Ownership::Managed, SysbenchShape::Oltp(oltp)) => restore_rows(readying, &table, &oltp).await?,
        };
        if changed || access == TableAccess::Writes {
            readying.vacuum_table(&table).await?;
        }
    }
    Ok(())
}

async fn truncate_table(readying: &mut Readying<'_>, table: &str) -> Result<bool, DatasetError> {
    readying.execute_recorded(&format!("TRUNCATE {table}")).await?;
    Ok(true)
}

/// Returns whether rows were other ones.
async fn restore_rows(readying: &mut Readying<'_>, table: &str, oltp: &Oltp) -> Result<bool, DatasetError> {
    let Oltp { rows, largest_k, .. } = oltp;
    let step = format!("count the rows of table {table}");
    let sql = format!("SELECT count(*) FILTER (WHERE id BETWEEN 1 AND {rows}), count(*) FROM {table}");
    let found = readying.query_row(&step, &sql).await?;
    let (kept, all): (i64, i64) = (found.get(0), found.get(1));
    if all > kept {
        readying.execute_recorded(&format!("DELETE FROM {table} WHERE id < 1 OR id > {rows}")).await?;
    }
    if kept < i64::from(*rows) {
        // The same texts in every such row: to make them random would take longer than the rest, and nothing looks at
        // them.
        let (c, pad) = (digit_groups_text(C_GROUPS), digit_groups_text(PAD_GROUPS));
        let lacking = format!("SELECT generate_series(1, {rows}) EXCEPT SELECT id FROM {table}");
        let columns = format!("id, 1 + id % {largest_k}, '{c}', '{pad}'");
        let insert = format!("INSERT INTO {table} (id, k, c, pad) SELECT {columns} FROM ({lacking}) AS lacking (id)");
        readying.execute_recorded(&insert).await?;
    }
    let changed = all > kept || kept < i64::from(*rows);
    match ddl::set_sequence(table, oltp) {
        Some(sql) if changed => readying.execute_recorded(&sql).await?,
        Some(_) | None => {}
    }
    Ok(changed)
}

fn digit_groups_text(groups: u32) -> String {
    vec!["01234567890"; groups as usize].join("-")
}
