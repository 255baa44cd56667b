//! The kinds of causes. Each is drawn for a base situation of one of its shapes.

pub mod clients;
pub mod columns;
pub mod functions;
pub mod indexes;
pub mod neighbours;
pub mod network;
pub mod resources;
pub mod rows;
pub mod settings;
pub mod statistics;
pub mod writes;

use super::condition::{Base, Injection, Shape};
use super::random::Random;

/// A kind of cause.
pub struct Kind {
    /// What it is called in the results.
    pub name: &'static str,
    /// The shapes of load that it is drawn with.
    pub shapes: &'static [Shape],
    /// Draws one for a situation of such a shape.
    pub draw: fn(&mut Random, &Base) -> Injection,
    /// How often it is drawn, beside the others of its family.
    pub weight: u64,
}

/// A family of kinds.
pub struct Family {
    /// Its kinds.
    pub kinds: &'static [Kind],
    /// How often it is drawn, beside the others.
    pub weight: u64,
}

/// Every family.
pub const FAMILIES: &[Family] = &[
    Family { kinds: settings::KINDS, weight: 30 },
    Family { kinds: indexes::KINDS, weight: 10 },
    Family { kinds: statistics::KINDS, weight: 6 },
    Family { kinds: columns::KINDS, weight: 8 },
    Family { kinds: writes::KINDS, weight: 9 },
    Family { kinds: functions::KINDS, weight: 7 },
    Family { kinds: rows::KINDS, weight: 10 },
    Family { kinds: resources::KINDS, weight: 8 },
    Family { kinds: neighbours::KINDS, weight: 9 },
    Family { kinds: network::KINDS, weight: 6 },
    Family { kinds: clients::KINDS, weight: 7 },
];

/// Shapes that only read.
pub const READS: &[Shape] = &[
    Shape::Point,
    Shape::ByReference,
    Shape::CountOnly,
    Shape::Range,
    Shape::Newest,
    Shape::Aggregate,
    Shape::Join,
    Shape::Prefix,
    Shape::Correlated,
    Shape::Sort,
    Shape::BigResult,
    Shape::ManyColumns,
    Shape::View,
    Shape::FunctionOfRow,
    Shape::FunctionCall,
    Shape::Cursor,
    Shape::Foreign,
];

/// Shapes that write into the main table.
pub const WRITES: &[Shape] =
    &[Shape::Insert, Shape::InsertMany, Shape::Update, Shape::Upsert, Shape::DeleteInsert, Shape::Savepoint];

/// Every shape but those that need something of their own.
pub const ANY: &[Shape] = &[
    Shape::Point,
    Shape::ByReference,
    Shape::Range,
    Shape::Newest,
    Shape::Aggregate,
    Shape::Join,
    Shape::Correlated,
    Shape::Sort,
    Shape::BigResult,
    Shape::ManyColumns,
    Shape::FunctionCall,
    Shape::Cursor,
    Shape::Foreign,
    Shape::Insert,
    Shape::InsertMany,
    Shape::Update,
    Shape::Upsert,
    Shape::DeleteInsert,
    Shape::Queue,
    Shape::Savepoint,
    Shape::TemporaryTable,
    Shape::Notify,
];
