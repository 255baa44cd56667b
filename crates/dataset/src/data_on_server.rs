//! What is done with data on a server, by each kind in its own way: its tables made, checked and restored.

use control::Config;
use work::{Ownership, TableAccess};

use super::data::Data;
use super::defect::Defect;
use super::error::DatasetError;
use super::readying::Readying;
use super::relation::ResolvedRelation;
use super::session::FillSession;
use super::{DatasetProgress, erp, pgbench, sysbench};

impl Data {
    /// The names of its tables.
    pub(super) fn table_names(&self) -> Vec<String> {
        match self {
            Data::Pgbench(_) => pgbench::PgbenchTable::ALL.map(|table| table.table_name().to_owned()).into(),
            Data::Erp(data) => data.table_names().into_iter().map(str::to_owned).collect(),
            Data::Sysbench(data) => data.table_names(),
        }
    }

    /// What is wrong with the tables that are there.
    pub(super) async fn find_defects(
        &self,
        session: &FillSession<'_>,
        relations: &[ResolvedRelation],
        ownership: Ownership,
    ) -> Result<Vec<Defect>, DatasetError> {
        match self {
            Data::Pgbench(data) => pgbench::find_pgbench_defects(session, relations, data, ownership).await,
            Data::Erp(data) => erp::find_erp_defects(session, relations, data, ownership).await,
            Data::Sysbench(data) => sysbench::find_sysbench_defects(session, relations, data, ownership).await,
        }
    }

    /// Makes the tables in `schema`, where none of the names may be taken, and marks them; leaves nothing, or nothing
    /// but tables with the mark, when it fails or is stopped.
    pub(super) async fn make_tables(
        &self,
        session: &FillSession<'_>,
        config: &Config,
        schema: &str,
        progress: &mut (dyn FnMut(DatasetProgress) + Send),
    ) -> Result<(), DatasetError> {
        let made = match self {
            Data::Pgbench(data) => pgbench::fill_pgbench_tables(session, config, schema, data, progress).await,
            Data::Erp(data) => erp::fill_erp_tables(session, schema, data, progress).await,
            Data::Sysbench(data) => sysbench::fill_sysbench_tables(session, config, schema, data, progress).await,
        };
        made.map_err(|error| error.while_making(self))
    }

    /// Brings the tables to the state in which every trial starts.
    pub(super) async fn restore_tables(
        &self,
        readying: &mut Readying<'_>,
        ownership: Ownership,
        access: TableAccess,
    ) -> Result<(), DatasetError> {
        match self {
            Data::Pgbench(_) => pgbench::restore_pgbench_tables(readying, ownership).await,
            Data::Erp(data) => erp::restore_erp_tables(readying, data).await,
            Data::Sysbench(data) => sysbench::restore_sysbench_tables(readying, data, ownership, access).await,
        }
    }
}
