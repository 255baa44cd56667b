//! The kinds of data, and what each kind does in its own way.

use std::fmt;
use work::Word as _;

use control::Config;
use work::Access;

use super::erp::{self, ErpData};
use super::pgbench::{self, PgbenchData, Table};
use super::readying::Readying;
use super::relation::Relation;
use super::session::Session;
use super::sysbench::{self, SysbenchData};
use super::{DatasetError, Defect, Ownership, Progress};

/// The data that a workload runs on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// That of `pgbench -i`.
    Pgbench(PgbenchData),
    /// That of business-object writes.
    Erp(ErpData),
    /// That of `sysbench prepare`.
    Sysbench(SysbenchData),
}

impl From<PgbenchData> for Data {
    fn from(data: PgbenchData) -> Data {
        Data::Pgbench(data)
    }
}

impl From<ErpData> for Data {
    fn from(data: ErpData) -> Data {
        Data::Erp(data)
    }
}

impl From<SysbenchData> for Data {
    fn from(data: SysbenchData) -> Data {
        Data::Sysbench(data)
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Data::Pgbench(data) => write!(f, "scale {}", data.scale()),
            Data::Erp(data) => write!(f, "{} at scale {}", data.object().word(), data.scale()),
            Data::Sysbench(data) => write!(f, "{} of {} rows", tables(data.tables()), data.rows()),
        }
    }
}

impl Data {
    /// What the data is called, as in "the pgbench tables".
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Data::Pgbench(_) => "pgbench",
            Data::Erp(_) => "erp",
            Data::Sysbench(_) => "sysbench",
        }
    }

    /// The names of its tables.
    pub(super) fn tables(&self) -> Vec<String> {
        match self {
            Data::Pgbench(_) => Table::ALL.map(|table| table.name().to_owned()).into(),
            Data::Erp(data) => data.table_names().into_iter().map(str::to_owned).collect(),
            Data::Sysbench(data) => data.names(),
        }
    }

    /// Roughly what it takes on disk, in MiB. The server writes about as much WAL besides.
    pub(super) fn size_mib(&self) -> u64 {
        match self {
            Data::Pgbench(data) => data.size_mib(),
            Data::Erp(data) => data.size_mib(),
            Data::Sysbench(data) => data.size_mib(),
        }
    }

    /// What is wrong with the tables that are there.
    pub(super) async fn defects(
        &self,
        session: &Session<'_>,
        relations: &[Relation],
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
        session: &Session<'_>,
        config: &Config,
        schema: &str,
        progress: &mut (dyn FnMut(Progress) + Send),
    ) -> Result<(), DatasetError> {
        let made = match self {
            Data::Pgbench(data) => pgbench::fill(session, config, schema, data, progress).await,
            Data::Erp(data) => erp::fill(session, schema, data, progress).await,
            Data::Sysbench(data) => sysbench::fill(session, config, schema, data, progress).await,
        };
        made.map_err(|error| error.while_making(self))
    }

    /// Whether a workload that writes may leave other rows than one that reads expects.
    pub(super) fn may_lack_rows(&self) -> bool {
        match self {
            Data::Pgbench(_) | Data::Erp(_) => false,
            Data::Sysbench(_) => true,
        }
    }

    /// Brings the tables to the state in which every trial starts.
    pub(super) async fn restore(
        &self,
        readying: &mut Readying<'_>,
        ownership: Ownership,
        access: Access,
    ) -> Result<(), DatasetError> {
        match self {
            Data::Pgbench(_) => pgbench::restore(readying, ownership).await,
            Data::Erp(data) => erp::restore(readying, data).await,
            Data::Sysbench(data) => sysbench::restore(readying, data, ownership, access).await,
        }
    }
}

fn tables(number: u32) -> String {
    if number == 1 { "1 table".to_owned() } else { format!("{number} tables") }
}
