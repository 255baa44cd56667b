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
    pub(super) fn tables(&self) -> Vec<String> {
        match self {
            Data::Pgbench(_) => pgbench::PgbenchTable::ALL.map(|table| table.name().to_owned()).into(),
            Data::Erp(data) => data.table_names().into_iter().map(str::to_owned).collect(),
            Data::Sysbench(data) => data.names(),
        }
    }

    /// What is wrong with the tables that are there.
    pub(super) async fn defects(
        &self,
        session: &FillSession<'_>,
        relations: &[ResolvedRelation],
        ownership: Ownership,
    ) -> Result<Vec<Defect>, DatasetError> {
        match self {
            Data::Pgbench(data) => pgbench::defects(session, relations, data, ownership).await,
            Data::Erp(data) => erp::defects(session, relations, data, ownership).await,
            Data::Sysbench(data) => sysbench::defects(session, relations, data, ownership).await,
        }
    }

    /// Makes the tables in `schema`, where none of the names may be taken, and marks them; leaves nothing, or nothing
    /// but tables with the mark, when it fails or is stopped.
    pub(super) async fn make(
        &self,
        session: &FillSession<'_>,
        config: &Config,
        schema: &str,
        progress: &mut (dyn FnMut(DatasetProgress) + Send),
    ) -> Result<(), DatasetError> {
        let made = match self {
            Data::Pgbench(data) => pgbench::fill(session, config, schema, data, progress).await,
            Data::Erp(data) => erp::fill(session, schema, data, progress).await,
            Data::Sysbench(data) => sysbench::fill(session, config, schema, data, progress).await,
        };
        made.map_err(|error| error.while_making(self))
    }

    /// Brings the tables to the state in which every trial starts.
    pub(super) async fn restore(
        &self,
        readying: &mut Readying<'_>,
        ownership: Ownership,
        access: TableAccess,
    ) -> Result<(), DatasetError> {
        match self {
            Data::Pgbench(_) => pgbench::restore(readying, ownership).await,
            Data::Erp(data) => erp::restore(readying, data).await,
            Data::Sysbench(data) => sysbench::restore(readying, data, ownership, access).await,
        }
    }
}
