//! The rows of a table as they lie there: dead, spread, many, in partitions, on another table.

use super::{Kind, READS};
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "dead rows", shapes: &[Shape::Aggregate, Shape::Range, Shape::ByReference], draw: dead, weight: 3 },
    Kind { name: "bloat", shapes: &[Shape::Aggregate, Shape::Sort], draw: bloat, weight: 2 },
    Kind { name: "visibility map", shapes: &[Shape::CountOnly], draw: visibility, weight: 3 },
    Kind {
        name: "order of rows",
        shapes: &[Shape::Range, Shape::ByReference, Shape::BigResult],
        draw: order,
        weight: 2,
    },
    Kind {
        name: "more rows",
        shapes: &[Shape::Aggregate, Shape::ByReference, Shape::FunctionCall],
        draw: more,
        weight: 2,
    },
    Kind { name: "fillfactor", shapes: &[Shape::Update, Shape::Aggregate], draw: fillfactor, weight: 2 },
    Kind { name: "logged", shapes: &[Shape::Insert, Shape::InsertMany, Shape::Update], draw: logged, weight: 1 },
    Kind { name: "sequence", shapes: &[Shape::Insert, Shape::InsertMany], draw: sequence, weight: 1 },
    Kind { name: "partitions", shapes: &[Shape::ByReference, Shape::Range, Shape::Point], draw: partitions, weight: 3 },
    Kind { name: "children", shapes: READS, draw: children, weight: 1 },
    Kind { name: "foreign, not local", shapes: &[Shape::ByReference, Shape::Aggregate], draw: not_local, weight: 1 },
    Kind { name: "queue's dead rows", shapes: &[Shape::Queue], draw: dead_queue, weight: 1 },
];

const ABOUT: &[Matter] = &[Matter::Plan, Matter::Vacuum, Matter::Memory];

fn dead(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, note, .. } = base.names.clone();
    let times = random.choose(&[1, 3, 6]);
    let update = format!("UPDATE {t} SET {note} = {note} || '.'; ");
    Injection::new(
        "dead rows",
        format!("{times} dead versions of each row of {t}"),
        &[&[t, "dead"], &[t, "bloat"], &[t, "vacuum"]],
        ABOUT,
    )
    .with_sql_of_both(&format!("ALTER TABLE {t} SET (autovacuum_enabled = off)"))
    .with_late_sql(&update.repeat(times))
}

fn bloat(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (times, rows) = (random.choose(&[3, 10]), base.rows);
    let columns = all_columns(&base.names);
    Injection::new(
        "bloat",
        format!("{t} has the space of {times} times its rows"),
        &[&[t, "bloat"], &[t, "pages"], &[t, "free space"], &[t, "larger"], &[t, "MB"]],
        ABOUT,
    )
    .with_sql(&format!(
        "INSERT INTO {t} (id, {columns}) SELECT id + {rows} * n + 1000000, {columns} FROM {t}, generate_series(1, {times}) n; \
         DELETE FROM {t} WHERE id > 1000000 AND id % {rows} <> 7; UPDATE {t} SET part = part WHERE id < {rows} / 2; \
         DELETE FROM {t} WHERE id > 1000000 AND id % 5 <> 0"
    ))
}

fn all_columns(names: &Names) -> String {
    let Names { reference, state, amount, instant, label, note, .. } = names.clone();
    format!("{reference}, {state}, part, {amount}, {instant}, {label}, {note}")
}

fn visibility(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let share = random.choose(&[1, 3, 10]);
    Injection::new(
        "visibility map",
        format!("pages of {t} are not all-visible (one row in {share} was updated)"),
        &[&[t, "visib"], &[t, "vacuum"], &[t, "heap fetch"]],
        ABOUT,
    )
    .with_sql_of_both(&format!("ALTER TABLE {t} SET (autovacuum_enabled = off)"))
    .with_late_sql(&format!("UPDATE {t} SET part = part WHERE id % {share} = 0"))
}

fn order(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, instant, .. } = base.names.clone();
    let by = match base.shape {
        Shape::ByReference => reference,
        Shape::Range => instant,
        _ => "id",
    };
    let columns = format!("id, {}", all_columns(&base.names));
    Injection::new(
        "order of rows",
        format!("rows of {t} do not lie in the order of {by}"),
        &[&[t, "physical order"], &[t, "in the order"], &[t, "correlat"], &[t, "cluster"]],
        ABOUT,
    )
    .with_sound_sql(&rewritten_in_order(t, &columns, by))
    .with_sql(&rewritten_in_order(t, &columns, "md5(id::text)"))
}

fn rewritten_in_order(t: &str, columns: &str, by: &str) -> String {
    format!(
        "CREATE TABLE kept_rows AS SELECT {columns} FROM {t}; TRUNCATE {t}; \
         INSERT INTO {t} ({columns}) SELECT {columns} FROM kept_rows ORDER BY {by}; DROP TABLE kept_rows"
    )
}

fn more(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (times, rows, columns) = (random.choose(&[1, 3]), base.rows, all_columns(&base.names));
    Injection::new(
        "more rows",
        format!("{t} has {} times as many rows", times + 1),
        &[&[t, "more rows"], &[t, "number of rows"], &[t, "times as many"], &[t, "larger"], &[t, "MB"]],
        ABOUT,
    )
    .with_sql(&format!(
        "INSERT INTO {t} (id, {columns}) SELECT id + {rows} * n, {columns} FROM {t}, generate_series(1, {times}) n"
    ))
}

fn fillfactor(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (here, there) = if base.shape == Shape::Update { (100, 50) } else { (random.choose(&[10, 30]), 100) };
    Injection::new(
        "fillfactor",
        format!("fillfactor of {t} is {here}, not {there}"),
        &[&["fillfactor"], &[t, "HOT"]],
        &[Matter::Plan, Matter::Vacuum, Matter::Memory, Matter::Wal],
    )
    .with_sound_sql(&filled(t, there))
    .with_sql(&filled(t, here))
}

fn filled(t: &str, factor: u64) -> String {
    format!("ALTER TABLE {t} SET (fillfactor = {factor}); VACUUM FULL {t}")
}

fn logged(_: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    Injection::new(
        "logged",
        format!("{t} is logged, not unlogged"),
        &[&[t, "UNLOGGED"], &[t, "persistence"]],
        &[Matter::Wal, Matter::Disk],
    )
    .with_sound_sql(&format!("ALTER TABLE {t} SET UNLOGGED"))
}

fn sequence(random: &mut Random, base: &Base) -> Injection {
    let name = format!("{}_id_seq", base.names.table);
    let cache = random.choose(&[50, 1000]);
    Injection::new(
        "sequence",
        format!("sequence {name} has CACHE 1, not {cache}"),
        &[&[&name]],
        &[Matter::Wal, Matter::Lock],
    )
    .with_sound_sql(&format!("ALTER SEQUENCE {name} CACHE {cache}"))
}

fn partitions(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, instant, .. } = base.names.clone();
    let number = random.choose(&[4, 30, 200]);
    let columns = format!("id, {}", all_columns(&base.names));
    Injection::new(
        "partitions",
        format!("{t} has {number} partitions by hash of {reference}"),
        &[&[t, "partition"]],
        &[Matter::Plan, Matter::Cpu, Matter::Lock],
    )
    .with_sql(&format!(
        "ALTER TABLE {t} RENAME TO kept_rows; CREATE TABLE {t} (LIKE kept_rows INCLUDING DEFAULTS) PARTITION BY HASH ({reference}); \
         DO $$ BEGIN FOR i IN 0..{number} - 1 LOOP EXECUTE format('CREATE TABLE {t}_p%s PARTITION OF {t} FOR VALUES WITH \
         (MODULUS {number}, REMAINDER %s)', i, i); END LOOP; END $$; INSERT INTO {t} ({columns}) SELECT {columns} FROM kept_rows; \
         DROP TABLE kept_rows CASCADE; CREATE INDEX ON {t} (id); CREATE INDEX ON {t} ({reference}); CREATE INDEX ON {t} ({instant})"
    ))
}

fn children(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let number = random.choose(&[1, 10, 100]);
    Injection::new(
        "children",
        format!("{t} has {number} children by inheritance"),
        &[&[&format!("{t}_before")], &[t, "inherit"], &[t, "child"]],
        &[Matter::Plan, Matter::Cpu, Matter::Lock],
    )
    .with_sql(&format!(
        "DO $$ BEGIN FOR i IN 1..{number} LOOP EXECUTE format('CREATE TABLE {t}_before_%s () INHERITS ({t})', i); END LOOP; END $$"
    ))
}

fn not_local(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, state, amount, .. } = base.names.clone();
    Injection::new(
        "foreign, not local",
        format!("{t} is a foreign table"),
        &[&[t, "foreign"], &["postgres_fdw"]],
        &[Matter::Plan, Matter::Execution, Matter::Cpu, Matter::Network],
    )
    .with_sql(&format!(
        "CREATE EXTENSION postgres_fdw; DO $$ BEGIN EXECUTE format('CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS \
         (host %L, port %L, dbname %L)', current_setting('unix_socket_directories'), current_setting('port'), current_database()); END $$; \
         CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'postgres', password_required 'false'); \
         ALTER TABLE {t} RENAME TO {t}_far; CREATE FOREIGN TABLE {t} (id bigint, {reference} int, {state} int, {amount} numeric(12,2)) \
         SERVER far OPTIONS (table_name '{t}_far'); GRANT ALL ON {t} TO PUBLIC"
    ))
}

fn dead_queue(random: &mut Random, base: &Base) -> Injection {
    let queue = format!("{}_queue", base.names.table);
    let times = random.choose(&[10, 60]);
    Injection::new(
        "queue's dead rows",
        format!("{queue} has {times} dead versions of each row"),
        &[&[&queue, "dead"], &[&queue, "bloat"], &[&queue, "vacuum"]],
        ABOUT,
    )
    .with_sql_of_both(&format!("ALTER TABLE {queue} SET (autovacuum_enabled = off)"))
    .with_late_sql(&format!("UPDATE {queue} SET taken = taken; ").repeat(times))
}
