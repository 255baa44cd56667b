//! The kinds of data: which one is asked for, and what is known of it without a server.

use std::fmt;

use work::WordChoice as _;

use super::erp::ErpData;
use super::pgbench::PgbenchData;
use super::sysbench::SysbenchData;

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
            Data::Pgbench(data) => write!(f, "scale {}", data.scale_factor()),
            Data::Erp(data) => write!(f, "{} at scale {}", data.erp_object().as_word(), data.scale_factor()),
            Data::Sysbench(data) => {
                write!(f, "{} of {} rows", format_table_count(data.table_count()), data.rows_per_table())
            }
        }
    }
}

impl Data {
    /// What the data is called, as in "the pgbench tables".
    pub(super) fn kind_word(&self) -> &'static str {
        match self {
            Data::Pgbench(_) => "pgbench",
            Data::Erp(_) => "erp",
            Data::Sysbench(_) => "sysbench",
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

    /// Whether a workload that writes may leave other rows than one that reads expects.
    pub(super) fn may_lack_rows(&self) -> bool {
        match self {
            Data::Pgbench(_) | Data::Erp(_) => false,
            Data::Sysbench(_) => true,
        }
    }
}

fn format_table_count(number: u32) -> String {
    if number == 1 { "1 table".to_owned() } else { format!("{number} tables") }
}
