//! What pgbench does to its tables before a run: history emptied, tellers and branches vacuumed; they are the tables
//! that bloat within seconds. Rows of tables that are not ours are left as they are.

use super::PgbenchTable;
use crate::readying::Readying;
use crate::{DatasetError, Ownership};

/// Brings the tables to the state in which a trial that writes starts.
pub(crate) async fn restore_pgbench_tables(
    readying: &mut Readying<'_>,
    ownership: Ownership,
) -> Result<(), DatasetError> {
    let history = PgbenchTable::History.table_name();
    let empty = format!("TRUNCATE {history}");
    match ownership {
        Ownership::Managed => readying.execute_recorded(&empty).await?,
        Ownership::Existing => {
            readying.record_omission(empty, format!("pgdyno did not create table {history} and does not empty it"));
        }
    }
    for table in [PgbenchTable::Tellers, PgbenchTable::Branches] {
        readying.vacuum_table(table.table_name()).await?;
    }
    Ok(())
}
