//! What the business-object writes are about.

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
