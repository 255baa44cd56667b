//! The data of business-object writes: a catalogue and three registers in the shapes of the 1C:Enterprise platform.
//!
//! Each object has tables of its own (temporary tables share the catalogue's), so that only what a workload needs is
//! made. As with the other data: what pgdyno makes it marks, only what carries the mark is dropped or changed, an
//! interrupted set-up leaves nothing in the way of the next, and intact tables are reused. Left out: tables that others
//! made.

mod fill;
mod survey;
mod tables;
mod trial;

use std::num::NonZeroU32;

use work::ErpObject;

use tables::ErpTables;

pub(super) use fill::fill_erp_tables;
pub(super) use survey::find_erp_defects;
pub(super) use trial::restore_erp_tables;

/// The data set of an object. Objects that share tables share them only at the same scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErpData {
    object: ErpObject,
    scale: NonZeroU32,
}

impl ErpData {
    /// Per unit of `scale` 100 000 items of the catalogue (45 MiB with its indexes), 1 000 000 rows of the information
    /// register (265 MiB), 1 000 000 movements of the accumulation register (425 MiB), 200 000 entries of the
    /// accounting register with 1 000 000 analytics (365 MiB); of these the tables that `object` is written into.
    pub fn new(object: ErpObject, scale: NonZeroU32) -> ErpData {
        ErpData { object, scale }
    }

    /// What is written into the tables.
    pub fn erp_object(&self) -> ErpObject {
        self.object
    }

    /// How large they are; also the value of the script variable `scale`.
    pub fn scale_factor(&self) -> NonZeroU32 {
        self.scale
    }

    /// The names of the tables.
    pub fn table_names(&self) -> Vec<&'static str> {
        ErpTables::of_object(self.object).table_names()
    }

    /// Roughly what they take on disk, in MiB.
    pub(super) fn size_mib(&self) -> u64 {
        ErpTables::of_object(self.object).size_mib(self.scale)
    }

    /// What the mark says of it.
    pub(super) fn marker_identity(&self) -> String {
        format!("schema=erp-{} scale={}", ErpTables::of_object(self.object).name, self.scale)
    }
}
