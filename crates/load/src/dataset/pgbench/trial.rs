//! What pgbench does to its tables before a run: history emptied, tellers and branches vacuumed; they are the tables that
//! bloat within seconds.

use super::Table;
use crate::dataset::DatasetError;
use crate::dataset::trial::Readying;

/// Brings the tables to the state in which a trial that writes starts.
pub(in crate::dataset) async fn restore(readying: &mut Readying<'_>) -> Result<(), DatasetError> {
    readying.execute(&format!("TRUNCATE {}", Table::History.name())).await?;
    for table in [Table::Tellers, Table::Branches] {
        readying.vacuum(table.name()).await?;
    }
    Ok(())
}
