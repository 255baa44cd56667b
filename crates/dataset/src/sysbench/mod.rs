//! The data of sysbench: the tables that `sysbench prepare` (1.0.20) leaves, or for `bulk_insert` its empty ones.
//!
//! The real `sysbench run` works on them, and the tables of the real `sysbench prepare` serve here. Filled faster: rows
//! are copied, frozen, into several tables at once. Left out: `secondary` and Redshift.

mod ddl;
mod fill;
mod fit;
mod layout;
mod rows;
mod trial;

pub use layout::SysbenchData;

pub(super) use fill::fill_sysbench_tables;
pub(super) use fit::find_sysbench_defects;
pub(super) use trial::restore_sysbench_tables;
