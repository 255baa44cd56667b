//! Types, collations, storage and width of columns.

use super::Kind;
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "type of a key",
        shapes: &[Shape::Join, Shape::ByReference, Shape::Correlated],
        draw: type_of_key,
        weight: 3,
    },
    Kind {
        name: "type of a sum",
        shapes: &[Shape::Aggregate, Shape::ByReference, Shape::Range],
        draw: type_of_sum,
        weight: 2,
    },
    Kind { name: "padded text", shapes: &[Shape::Sort, Shape::Aggregate, Shape::Insert], draw: padded, weight: 2 },
    Kind { name: "collation", shapes: &[Shape::Sort, Shape::Prefix, Shape::Insert], draw: collation, weight: 3 },
    Kind { name: "wide rows", shapes: &[Shape::Aggregate, Shape::Range, Shape::ManyColumns], draw: wide, weight: 3 },
    Kind { name: "storage", shapes: &[Shape::BigResult, Shape::Point], draw: storage, weight: 3 },
    Kind { name: "compression", shapes: &[Shape::BigResult], draw: compression, weight: 1 },
];

const ABOUT: &[Matter] = &[Matter::Plan, Matter::Cpu, Matter::Memory, Matter::Execution];

fn type_of_key(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, .. } = base.names.clone();
    let kind = random.choose(&["numeric", "double precision", "bigint"]);
    Injection::new(
        "type of a key",
        format!("{t}.{reference} is {kind}, not integer"),
        &[&[reference, kind], &[reference, "type"]],
        ABOUT,
    )
    .with_sql(&format!("ALTER TABLE {t} ALTER {reference} TYPE {kind}"))
}

fn type_of_sum(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, amount, .. } = base.names.clone();
    let kind = random.choose(&["bigint", "double precision"]);
    Injection::new(
        "type of a sum",
        format!("{t}.{amount} is numeric, not {kind}"),
        &[&[amount, "numeric"], &[amount, "type"]],
        ABOUT,
    )
    .with_sound_sql(&format!("ALTER TABLE {t} ALTER {amount} TYPE {kind}"))
}

fn padded(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let length = random.choose(&[50, 400, 1500]);
    Injection::new(
        "padded text",
        format!("{t}.{label} is character({length}), not text"),
        &[&[label, "char"], &[label, "type"], &[label, "bpchar"]],
        ABOUT,
    )
    .with_sql(&format!("ALTER TABLE {t} ALTER {label} TYPE char({length})"))
}

fn collation(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let collation = random.choose(&["en-x-icu", "de-x-icu", "und-x-icu", "POSIX"]);
    Injection::new(
        "collation",
        format!("{t}.{label} has collation {collation}"),
        &[&[collation], &[label, "collat"]],
        ABOUT,
    )
    .with_sql(&format!("ALTER TABLE {t} ALTER {label} TYPE text COLLATE \"{collation}\""))
}

fn wide(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, .. } = base.names.clone();
    let (column, characters) =
        (random.choose(&["attachment", "raw_source", "history_text"]), random.choose(&[30, 300, 1200]));
    Injection::new(
        "wide rows",
        format!("{t} has a column {column} of {characters} characters"),
        &[&[column], &[t, "width"], &[t, "wide"], &[t, "larger"], &[t, "bytes"]],
        ABOUT,
    )
    .with_sql(&format!(
        "ALTER TABLE {t} ADD {column} text; ALTER TABLE {t} ALTER {column} SET STORAGE PLAIN; \
         UPDATE {t} SET {column} = repeat('y', {characters}); VACUUM FULL {t}"
    ))
}

fn storage(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, note, .. } = base.names.clone();
    let storage = random.choose(&["EXTERNAL", "MAIN", "EXTENDED"]);
    let sound = if storage == "EXTENDED" { "EXTERNAL" } else { "EXTENDED" };
    Injection::new(
        "storage",
        format!("{t}.{note} has storage {storage}, not {sound}"),
        &[&[note, storage], &[note, "storage"], &[note, "compress"], &[t, "TOAST"]],
        ABOUT,
    )
    .with_sound_sql(&rewritten(t, note, sound))
    .with_sql(&rewritten(t, note, storage))
}

fn rewritten(t: &str, note: &str, storage: &str) -> String {
    format!(
        "ALTER TABLE {t} ALTER {note} SET STORAGE {storage}; UPDATE {t} SET {note} = repeat({note}, 2); VACUUM FULL {t}"
    )
}

fn compression(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, note, .. } = base.names.clone();
    let (here, there) = random.choose(&[("pglz", "lz4"), ("lz4", "pglz")]);
    Injection::new(
        "compression",
        format!("{t}.{note} is compressed by {here}, not {there}"),
        &[&[note, "compress"], &[here]],
        ABOUT,
    )
    .with_sound_sql(&compressed(t, note, there))
    .with_sql(&compressed(t, note, here))
}

fn compressed(t: &str, note: &str, method: &str) -> String {
    format!(
        "ALTER TABLE {t} ALTER {note} SET COMPRESSION {method}; UPDATE {t} SET {note} = {note} || ' .'; VACUUM FULL {t}"
    )
}
