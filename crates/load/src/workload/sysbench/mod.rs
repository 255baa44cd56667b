//! sysbench's workloads on PostgreSQL (version 1.0.20): its `oltp_*` family, `bulk_insert`, `select_random_*`, and a
//! mix with a given share of reads that sysbench does not have.
//!
//! The statements, their number and order, what is prepared and what is sent as text, and the distributions of keys are
//! sysbench's; the tables are those of `sysbench prepare`. Differences: an event of `bulk_insert` is
//! a whole statement here and a row of it there; with `auto_inc` off, `oltp_insert` has other numbers in another order.
//! Left out: `secondary`, which sysbench cannot do on PostgreSQL either, and Redshift.

mod error;
mod generators;
mod groups;
mod options;
mod script;

pub use error::OptionError;

use crate::script::ParsedScript;
use work::{SysbenchOptions, SysbenchTransaction};

/// A workload with its options, which fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sysbench {
    transaction: SysbenchTransaction,
    options: SysbenchOptions,
    clients: u32,
}

impl Sysbench {
    /// Checks the options. `clients` has to be the job's number of clients: what some workloads divide among them.
    ///
    /// # Errors
    /// The first option that cannot be, or not with this transaction.
    pub fn new(
        transaction: impl Into<SysbenchTransaction>,
        options: SysbenchOptions,
        clients: u32,
    ) -> Result<Sysbench, OptionError> {
        let transaction = transaction.into();
        options::check_options(transaction, &options, clients)?;
        Ok(Sysbench { transaction, options, clients })
    }

    /// Which transaction.
    pub fn transaction(&self) -> SysbenchTransaction {
        self.transaction
    }

    /// With which options.
    pub fn options(&self) -> &SysbenchOptions {
        &self.options
    }

    /// How many clients there are.
    pub fn clients(&self) -> u32 {
        self.clients
    }

    /// What a transaction consists of.
    pub fn transaction_script(&self) -> ParsedScript {
        script::sysbench_script(self)
    }
}

#[cfg(test)]
mod tests;
