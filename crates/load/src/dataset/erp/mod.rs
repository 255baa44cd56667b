//! The data of business-object writes: a catalogue and three registers in the shapes of the 1C:Enterprise platform.
//!
//! Each object has tables of its own (temporary tables share the catalogue's), so that only what a workload needs is made.
//! As with the other data: what pgdyno makes it marks, only what carries the mark is dropped or changed, an interrupted
//! set-up leaves nothing in the way of the next, and intact tables are reused. Left out: tables that others made.

mod fill;
mod survey;
mod tables;
mod trial;

use std::num::NonZeroU32;

pub(super) use fill::fill;
pub(super) use survey::defects;
pub(super) use trial::restore;

/// What one transaction of a workload writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Object {
    /// A temporary table of a document's lines, joined with the catalogue.
    TempTable,
    /// An item of the catalogue.
    Catalog,
    /// A record set of an information register.
    InformationRegister,
    /// A document's movements in an accumulation register, and its totals.
    AccumulationRegister,
    /// A document's double entries in an accounting register, its turnovers and balances.
    AccountingRegister,
}

impl Object {
    /// All objects.
    pub const ALL: [Object; 5] = [
        Object::TempTable,
        Object::Catalog,
        Object::InformationRegister,
        Object::AccumulationRegister,
        Object::AccountingRegister,
    ];

    /// The object's name in plans: `temp-table`, `catalog`, `information-register`, ...
    pub const fn name(self) -> &'static str {
        match self {
            Object::TempTable => "temp-table",
            Object::Catalog => "catalog",
            Object::InformationRegister => "information-register",
            Object::AccumulationRegister => "accumulation-register",
            Object::AccountingRegister => "accounting-register",
        }
    }

    /// The object of that name.
    pub fn named(name: &str) -> Option<Object> {
        Object::ALL.into_iter().find(|object| object.name() == name)
    }
}

/// The data set of an object. Objects that share tables share them only at the same scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErpData {
    object: Object,
    scale: NonZeroU32,
}

impl ErpData {
    /// Per unit of `scale` 100 000 items of the catalogue (45 MiB with its indexes), 1 000 000 rows of the information
    /// register (265 MiB), 1 000 000 movements of the accumulation register (425 MiB), 200 000 entries of the accounting
    /// register with 1 000 000 analytics (365 MiB); of these the tables that `object` is written into.
    pub fn new(object: Object, scale: NonZeroU32) -> ErpData {
        ErpData { object, scale }
    }

    /// What is written into the tables.
    pub fn object(&self) -> Object {
        self.object
    }

    /// How large they are; also the value of the script variable `scale`.
    pub fn scale(&self) -> NonZeroU32 {
        self.scale
    }

    /// The names of the tables.
    pub fn table_names(&self) -> Vec<&'static str> {
        self.object.tables().names()
    }

    /// Roughly what they take on disk, in MiB.
    pub(super) fn size_mib(&self) -> u64 {
        self.object.tables().size_mib(self.scale)
    }

    /// What the mark says of it.
    pub(super) fn identity(&self) -> String {
        format!("schema=erp-{} scale={}", self.object.tables().name, self.scale)
    }
}
