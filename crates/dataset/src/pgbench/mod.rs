//! The data of pgbench: the tables, rows, keys, storage options and statistics that `pgbench -i` leaves.
//!
//! A real pgbench runs on them, and the tables of a real pgbench serve here. Left out: partitions, foreign keys,
//! tablespaces (the database's default holds).

mod counts;
mod data;
mod ddl;
mod fill;
mod fit;
mod rows;
mod table;
mod trial;

pub use data::PgbenchData;
pub use table::PgbenchTable;

pub(super) use fill::fill_pgbench_tables;
pub(super) use trial::restore_pgbench_tables;

use super::relation::ResolvedRelation;
use super::session::FillSession;
use super::{DatasetError, Defect, Ownership};

/// Structure first: rows are only counted in tables that have the columns and keys for it.
pub(super) async fn find_pgbench_defects(
    session: &FillSession<'_>,
    relations: &[ResolvedRelation],
    data: &PgbenchData,
    ownership: Ownership,
) -> Result<Vec<Defect>, DatasetError> {
    let defects = fit::structure_defects(relations, data, ownership);
    if !defects.is_empty() {
        return Ok(defects);
    }
    let counts = counts::row_counts(session, relations, PgbenchTable::Accounts.row_count(data)).await?;
    Ok(fit::row_defects(&counts, data))
}
