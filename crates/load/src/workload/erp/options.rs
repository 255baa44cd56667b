//! What can be chosen about business-object writes. Plain data; checking it needs no server.

use std::num::NonZeroU32;

use thiserror::Error;

use work::{ErpObject, WordChoice as _};

/// What a plan says about the workload beside object and scale. What is not said has its default.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// Rows that the writers of one total share; a client always writes to the same one of them. Of accumulation and
    /// accounting registers. Default 1: all writers of a total wait for each other.
    pub splitter: Option<NonZeroU32>,
    /// What becomes of the temporary table. Of temporary tables. Default: dropped.
    pub temp_table: Option<TempTable>,
    /// How many in a hundred transactions insert an item, the others update one; 0 to 100. Of the catalogue. Default
    /// [`Options::INSERTS_PERCENT`].
    pub inserts_percent: Option<u8>,
    /// How the items that are read or written are chosen. Of all objects.
    pub keys: KeyDistribution,
}

/// What becomes of a temporary table at the end of its transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TempTable {
    /// It is dropped; the next transaction makes a new one.
    #[default]
    Dropped,
    /// It stays on the connection with its index; the next transaction empties it (`reuse: true`).
    Reused,
}

/// How keys are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum KeyDistribution {
    /// Each as likely as any other.
    #[default]
    Uniform,
    /// Some much more often than others: pgbench's `random_zipfian` with this parameter, 1.001 to 1000.
    Zipfian(f64),
}

/// An option that cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum OptionsError {
    /// The object has nothing that the option could change.
    #[error("{option} does not apply to object {}", object.as_word())]
    Meaningless {
        /// The option, as plans call it.
        option: &'static str,
        object: ErpObject,
    },
    /// A percentage above 100.
    #[error("inserts_percent {percent} is out of range")]
    Percent {
        /// What was asked for.
        percent: u8,
    },
    /// The parameter of the distribution.
    #[error("zipfian {parameter} is out of range")]
    Zipfian {
        /// What was asked for.
        parameter: f64,
    },
}

impl OptionsError {
    /// What to try.
    pub fn hint(&self) -> &'static str {
        match self {
            OptionsError::Meaningless { option: "splitter", .. } => {
                "remove it; it applies to accumulation-register and accounting-register"
            }
            OptionsError::Meaningless { option: "reuse", .. } => "remove it; it applies to temp-table",
            OptionsError::Meaningless { .. } => "remove it; it applies to catalog",
            OptionsError::Percent { .. } => "use 0 to 100",
            OptionsError::Zipfian { .. } => {
                "use 1.001 to 1000; with a higher value, fewer items receive most of the writes"
            }
        }
    }
}

impl Options {
    /// Half of the written items are new.
    pub const INSERTS_PERCENT: u8 = 50;

    /// What pgbench accepts as the parameter of `random_zipfian`.
    const ZIPFIAN: std::ops::RangeInclusive<f64> = 1.001..=1000.0;

    pub(super) fn check_for_object(&self, object: ErpObject) -> Result<(), OptionsError> {
        let has_totals = matches!(object, ErpObject::AccumulationRegister | ErpObject::AccountingRegister);
        for (option, set, fits) in [
            ("splitter", self.splitter.is_some(), has_totals),
            ("reuse", self.temp_table.is_some(), object == ErpObject::TempTable),
            ("inserts_percent", self.inserts_percent.is_some(), object == ErpObject::Catalog),
        ] {
            if set && !fits {
                return Err(OptionsError::Meaningless { option, object });
            }
        }
        match (self.inserts_percent, self.keys) {
            (Some(percent), _) if percent > 100 => Err(OptionsError::Percent { percent }),
            (_, KeyDistribution::Zipfian(parameter)) if !Options::ZIPFIAN.contains(&parameter) => {
                Err(OptionsError::Zipfian { parameter })
            }
            _ => Ok(()),
        }
    }
}
