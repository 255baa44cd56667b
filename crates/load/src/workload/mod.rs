//! Workloads other than plain scripts: families of scripts with the data that they run on.

pub mod erp;
pub mod sysbench;
