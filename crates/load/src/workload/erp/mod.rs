//! Business-object writes, as the 1C:Enterprise platform does them: one object per transaction, so that transactions
//! per second are objects per second.
//!
//! [`Erp`] turns an object and its [`Options`] into pgbench scripts, which the real pgbench runs, too.
//! What each transaction consists of is told in `docs/workloads.md`. Promises: concurrent writers lose no
//! update, do not deadlock, and leave totals that are the sums of what was written. Left out: the platform's reading.

mod options;
mod template;

use std::num::NonZeroU32;

pub use options::{KeyDistribution, Options, OptionsError, TempTable};

use crate::job::Weighted;
use crate::script::ParsedScript;
use template::PlaceholderValues;
use work::ErpObject;

/// A workload that writes business objects of one kind.
#[derive(Debug, Clone, PartialEq)]
pub struct Erp {
    object: ErpObject,
    family: ScriptFamily,
    values: PlaceholderValues,
}

/// What the scripts of an object depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ScriptFamily {
    TempTable(TempTable),
    /// Inserts in a hundred transactions; the others update.
    Catalog(u8),
    InformationRegister,
    AccumulationRegister,
    AccountingRegister,
}

impl Erp {
    /// The workload that writes `object`.
    ///
    /// # Errors
    /// When an option is out of its range, or set although it means nothing for the object.
    pub fn new(object: ErpObject, options: &Options) -> Result<Erp, OptionsError> {
        options.check_for_object(object)?;
        let family = match object {
            ErpObject::TempTable => ScriptFamily::TempTable(options.temp_table.unwrap_or_default()),
            ErpObject::Catalog => ScriptFamily::Catalog(options.inserts_percent.unwrap_or(Options::INSERTS_PERCENT)),
            ErpObject::InformationRegister => ScriptFamily::InformationRegister,
            ErpObject::AccumulationRegister => ScriptFamily::AccumulationRegister,
            ErpObject::AccountingRegister => ScriptFamily::AccountingRegister,
        };
        let splitter = options.splitter.unwrap_or(NonZeroU32::MIN);
        Ok(Erp { object, family, values: PlaceholderValues { splitter, keys: options.keys } })
    }

    /// What it writes. The scale of its data must be the job's scale.
    pub fn object(&self) -> ErpObject {
        self.object
    }

    /// The scripts with their weights.
    pub fn weighted_scripts(&self) -> Vec<Weighted> {
        self.script_texts().into_iter().map(|(name, text, weight)| parse_weighted_script(name, &text, weight)).collect()
    }

    /// Name, text and weight of each script.
    fn script_texts(&self) -> Vec<(&'static str, String, NonZeroU32)> {
        let one = |name, text| vec![(name, text, 1)];
        let templates = match self.family {
            ScriptFamily::TempTable(TempTable::Dropped) => one("erp-temp-table", include_str!("temp_table.sql")),
            ScriptFamily::TempTable(TempTable::Reused) => {
                one("erp-temp-table reuse", include_str!("temp_table_reused.sql"))
            }
            ScriptFamily::Catalog(inserts_percent) => vec![
                ("erp-catalog insert", include_str!("catalog_insert.sql"), inserts_percent),
                ("erp-catalog update", include_str!("catalog_update.sql"), 100 - inserts_percent),
            ],
            ScriptFamily::InformationRegister => {
                one("erp-information-register", include_str!("information_register.sql"))
            }
            ScriptFamily::AccumulationRegister => {
                one("erp-accumulation-register", include_str!("accumulation_register.sql"))
            }
            ScriptFamily::AccountingRegister => one("erp-accounting-register", include_str!("accounting_register.sql")),
        };
        templates
            .into_iter()
            .filter_map(|(name, text, weight)| {
                Some((name, template::expand_template(text, &self.values), NonZeroU32::new(u32::from(weight))?))
            })
            .collect()
    }
}

fn parse_weighted_script(name: &str, text: &str, weight: NonZeroU32) -> Weighted {
    let script = ParsedScript::parse(name, text).unwrap_or_else(|error| panic!("the embedded script parses: {error}"));
    Weighted { script, weight }
}

#[cfg(test)]
mod tests;
