//! What the planner knows of tables and columns.

use super::Kind;
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "statistics target",
        shapes: &[Shape::Join, Shape::Correlated, Shape::ByReference],
        draw: target,
        weight: 3,
    },
    Kind { name: "statistics object missing", shapes: &[Shape::Correlated], draw: object, weight: 2 },
    Kind {
        name: "n_distinct set",
        shapes: &[Shape::ByReference, Shape::Join, Shape::Newest],
        draw: distinct,
        weight: 2,
    },
    Kind {
        name: "never analysed",
        shapes: &[Shape::Join, Shape::Correlated, Shape::ByReference, Shape::Range],
        draw: never,
        weight: 2,
    },
    Kind { name: "statistics stale", shapes: &[Shape::Join, Shape::Correlated, Shape::Range], draw: stale, weight: 2 },
];

const ABOUT: &[Matter] = &[Matter::Plan, Matter::Cpu];

fn target(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, label, .. } = base.names.clone();
    let target = random.choose(&[0, 1, 3000, 10_000]);
    let number = target.to_string();
    Injection::new(
        "statistics target",
        format!("SET STATISTICS {target} on {t}.{reference}"),
        &[&["statistics", reference], &["statistics target", t], &["statistics", &number]],
        ABOUT,
    )
    .with_sql(&format!(
        "ALTER TABLE {t} ALTER {reference} SET STATISTICS {target}, ALTER {label} SET STATISTICS {target}"
    ))
}

fn object(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, state, .. } = base.names.clone();
    let name = format!("{t}_depend_stats");
    Injection::new("statistics object missing", format!("statistics object {name} is missing"), &[&[&name]], ABOUT)
        .with_sound_sql(&format!("CREATE STATISTICS {name} (dependencies, mcv) ON {state}, part FROM {t}"))
}

fn distinct(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, .. } = base.names.clone();
    let number = random.choose(&["1", "2", "-1"]);
    Injection::new(
        "n_distinct set",
        format!("n_distinct = {number} on {t}.{reference}"),
        &[&["n_distinct"], &["distinct", reference]],
        ABOUT,
    )
    .with_sql(&format!("ALTER TABLE {t} ALTER {reference} SET (n_distinct = {number})"))
}

fn never(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, .. } = base.names.clone();
    Injection::new("never analysed", format!("{t} has no statistics"), &[&[t, "statistics"], &[t, "analy"]], ABOUT)
        .with_sql_of_both(&format!("ALTER TABLE {t} SET (autovacuum_enabled = off)"))
        .with_late_sql(&format!("DELETE FROM pg_statistic WHERE starelid = '{t}'::regclass"))
}

fn stale(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, state, .. } = base.names.clone();
    Injection::new(
        "statistics stale",
        format!("statistics of {t} are of other values"),
        &[&[t, "statistics"], &[t, "analy"], &[t, "estimate"]],
        ABOUT,
    )
    .with_sql_of_both(&format!("ALTER TABLE {t} SET (autovacuum_enabled = off)"))
    .with_sql(&format!(
        "CREATE TABLE kept_values AS SELECT id, {state}, {reference} FROM {t}; UPDATE {t} SET {state} = id + 1000, {reference} = 1"
    ))
    .with_late_sql(&format!(
        "UPDATE {t} SET {state} = k.{state}, {reference} = k.{reference} FROM kept_values k WHERE k.id = {t}.id; \
         DROP TABLE kept_values; SET default_statistics_target = 1; VACUUM (FULL) {t}; VACUUM {t}"
    ))
}
