//! Indexes that are missing, additional, or other than on the sound side.

use super::{Kind, WRITES};
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "index missing",
        shapes: &[
            Shape::Point,
            Shape::ByReference,
            Shape::Range,
            Shape::Join,
            Shape::Update,
            Shape::FunctionCall,
            Shape::View,
        ],
        draw: missing,
        weight: 4,
    },
    Kind { name: "indexes additional", shapes: WRITES, draw: additional, weight: 3 },
    Kind { name: "index of other order", shapes: &[Shape::Newest], draw: other_order, weight: 2 },
    Kind { name: "index of other class", shapes: &[Shape::Prefix], draw: other_class, weight: 1 },
    Kind { name: "index partial", shapes: &[Shape::ByReference, Shape::Newest, Shape::View], draw: partial, weight: 2 },
    Kind { name: "index of other type", shapes: &[Shape::ByReference, Shape::Range], draw: other_type, weight: 2 },
    Kind { name: "index not covering", shapes: &[Shape::ByReference], draw: not_covering, weight: 1 },
    Kind { name: "index on expression missing", shapes: &[Shape::Lower], draw: expression, weight: 1 },
    Kind {
        name: "index invalid",
        shapes: &[Shape::ByReference, Shape::View, Shape::FunctionCall],
        draw: invalid,
        weight: 2,
    },
    Kind { name: "index for trigrams", shapes: &[Shape::Insert, Shape::InsertMany], draw: trigrams, weight: 1 },
];

const READ: &[Matter] = &[Matter::Plan];
const WRITE: &[Matter] = &[Matter::Execution, Matter::Wal, Matter::Plan];

fn missing(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, instant, .. } = base.names.clone();
    let (index, column) = match base.shape {
        Shape::Range => (format!("{t}_{instant}_idx"), instant),
        Shape::ByReference | Shape::FunctionCall | Shape::View => (format!("{t}_{reference}_idx"), reference),
        _ => (format!("{t}_pkey"), "id"),
    };
    let facts: &[&[&str]] = &[&[&index], &[t, "index", column]];
    let drop =
        if column == "id" { format!("ALTER TABLE {t} DROP CONSTRAINT {index}") } else { format!("DROP INDEX {index}") };
    Injection::new("index missing", format!("index {index} is missing"), facts, READ).with_sql(&drop)
}

fn additional(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, state, amount, instant, label, note, .. } = base.names.clone();
    let number = random.choose(&[1, 3, 6, 12]);
    let mut injection = Injection::new(
        "indexes additional",
        format!("{number} additional indexes {t}_more_N on {t}"),
        &[&[&format!("{t}_more")], &[t, "index"]],
        WRITE,
    );
    for n in 1..=number {
        let column = random.choose(&[reference, state, amount, instant, label, "part"]);
        let second = random.choose(&[amount, label, note]);
        injection =
            injection.with_sql(&format!("CREATE INDEX {t}_more_{n} ON {t} ({column}, left({second}::text, 20))"));
    }
    injection
}

fn other_order(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, instant, .. } = base.names.clone();
    let index = format!("{t}_latest_idx");
    Injection::new(
        "index of other order",
        format!("index {index} is on ({instant}, {reference}), not ({reference}, {instant})"),
        &[&[&index]],
        READ,
    )
    .with_sql_of_both(&format!("DROP INDEX {t}_{reference}_idx; DROP INDEX {t}_{instant}_idx"))
    .with_sound_sql(&format!("CREATE INDEX {index} ON {t} ({reference}, {instant})"))
    .with_sql(&format!("CREATE INDEX {index} ON {t} ({instant}, {reference})"))
}

fn other_class(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let index = format!("{t}_pattern_idx");
    Injection::new(
        "index of other class",
        format!("index {index} has no text_pattern_ops"),
        &[&[&index], &["text_pattern_ops"]],
        READ,
    )
    .with_sql_of_both(&format!(
        "DROP INDEX {t}_{label}_idx; ALTER TABLE {t} ALTER {label} TYPE text COLLATE \"en-x-icu\""
    ))
    .with_sound_sql(&format!("CREATE INDEX {index} ON {t} ({label} text_pattern_ops)"))
    .with_sql(&format!("CREATE INDEX {index} ON {t} ({label})"))
}

fn partial(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, state, .. } = base.names.clone();
    let index = format!("{t}_{reference}_idx");
    Injection::new("index partial", format!("index {index} has WHERE {state} <> 3"), &[&[&index]], READ)
        .with_sql(&format!("DROP INDEX {index}; CREATE INDEX {index} ON {t} ({reference}) WHERE {state} <> 3"))
}

fn other_type(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, instant, .. } = base.names.clone();
    let column = if base.shape == Shape::Range { instant } else { reference };
    let kind = if base.shape == Shape::Range { "brin" } else { random.choose(&["hash", "brin"]) };
    let index = format!("{t}_{column}_idx");
    Injection::new("index of other type", format!("index {index} is of type {kind}"), &[&[&index]], READ)
        .with_sql(&format!("DROP INDEX {index}; CREATE INDEX {index} ON {t} USING {kind} ({column})"))
}

fn not_covering(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, amount, .. } = base.names.clone();
    let index = format!("{t}_covering_idx");
    Injection::new(
        "index not covering",
        format!("index {index} does not include {amount}"),
        &[&[&index], &[t, "index", amount]],
        READ,
    )
    .with_sql_of_both(&format!("DROP INDEX {t}_{reference}_idx"))
    .with_sound_sql(&format!("CREATE INDEX {index} ON {t} ({reference}) INCLUDE ({amount})"))
    .with_sql(&format!("CREATE INDEX {index} ON {t} ({reference})"))
}

fn expression(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let index = format!("{t}_lower_idx");
    Injection::new(
        "index on expression missing",
        format!("index {index} on lower({label}) is missing"),
        &[&[&index], &[t, "index", "lower"]],
        READ,
    )
    .with_sound_sql(&format!("CREATE INDEX {index} ON {t} (lower({label}))"))
}

fn invalid(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, .. } = base.names.clone();
    let index = format!("{t}_{reference}_idx");
    Injection::new("index invalid", format!("index {index} is invalid"), &[&[&index]], READ)
        .with_late_sql(&format!("UPDATE pg_index SET indisvalid = false WHERE indexrelid = '{index}'::regclass"))
}

fn trigrams(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let index = format!("{t}_words_idx");
    Injection::new("index for trigrams", format!("additional GIN index {index}"), &[&[&index]], WRITE)
        .with_sql(&format!("CREATE EXTENSION pg_trgm; CREATE INDEX {index} ON {t} USING gin ({label} gin_trgm_ops)"))
}
