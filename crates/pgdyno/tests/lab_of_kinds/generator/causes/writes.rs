//! What a write entails: triggers, constraints, generated columns, defaults, rules, policies, publications.

use super::{Kind, WRITES};
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

const NEW_ROWS: &[Shape] = &[Shape::Insert, Shape::InsertMany];
const CHANGED_ROWS: &[Shape] = &[Shape::Update, Shape::Savepoint];

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "trigger", shapes: WRITES, draw: trigger, weight: 3 },
    Kind { name: "trigger deferred", shapes: WRITES, draw: deferred, weight: 2 },
    Kind { name: "trigger of statement", shapes: WRITES, draw: of_statement, weight: 1 },
    Kind { name: "foreign key", shapes: NEW_ROWS, draw: foreign_key, weight: 1 },
    Kind { name: "foreign key without index", shapes: &[Shape::DeleteInsert], draw: referenced, weight: 2 },
    Kind { name: "check constraint", shapes: WRITES, draw: check, weight: 2 },
    Kind { name: "generated column", shapes: WRITES, draw: generated, weight: 2 },
    Kind { name: "default", shapes: NEW_ROWS, draw: default, weight: 2 },
    Kind { name: "domain", shapes: NEW_ROWS, draw: domain, weight: 1 },
    Kind { name: "rule", shapes: NEW_ROWS, draw: rule, weight: 1 },
    Kind { name: "exclusion constraint", shapes: NEW_ROWS, draw: exclusion, weight: 1 },
    Kind { name: "replica identity", shapes: CHANGED_ROWS, draw: identity, weight: 2 },
    Kind { name: "event trigger", shapes: &[Shape::TemporaryTable], draw: event_trigger, weight: 2 },
];

const ABOUT: &[Matter] = &[Matter::Execution, Matter::Wal, Matter::Plan];

/// A function of PL/pgSQL for a trigger, which takes a while.
fn trigger_function(random: &mut Random, base: &Base, name: &str, result: &str) -> String {
    let (turns, t, amount) = (random.choose(&[50, 400, 2000]), base.names.table, base.names.amount);
    let body = random.choose(&["loop", "query", "table"]);
    let body = match body {
        "loop" => {
            format!("DECLARE s numeric := 0; BEGIN FOR i IN 1..{turns} LOOP s := s + i; END LOOP; RETURN {result}; END")
        }
        "query" => format!("BEGIN PERFORM sum({amount}) FROM {t} WHERE id BETWEEN 1 AND {turns}; RETURN {result}; END"),
        _ => format!(
            "BEGIN INSERT INTO {t}_audit SELECT now(), n FROM generate_series(1, {turns} / 20) n; RETURN {result}; END"
        ),
    };
    format!(
        "CREATE TABLE {t}_audit (at timestamptz, line int); GRANT ALL ON {t}_audit TO PUBLIC; \
         CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $f$ {body} $f$"
    )
}

fn trigger(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (name, when) = (format!("{t}_watch"), random.choose(&["BEFORE", "AFTER"]));
    let function = trigger_function(random, base, &format!("{name}_rows"), "NEW");
    Injection::new("trigger", format!("{when} trigger {name} on {t}"), &[&[&name]], ABOUT).with_sql(&function).with_sql(
        &format!("CREATE TRIGGER {name} {when} INSERT OR UPDATE ON {t} FOR EACH ROW EXECUTE FUNCTION {name}_rows()"),
    )
}

fn deferred(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let name = format!("{t}_balanced");
    let function = trigger_function(random, base, &format!("{name}_check"), "NULL");
    Injection::new("trigger deferred", format!("deferred constraint trigger {name} on {t}"), &[&[&name]], ABOUT)
        .with_sql(&function)
        .with_sql(&format!(
            "CREATE CONSTRAINT TRIGGER {name} AFTER INSERT OR UPDATE ON {t} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW \
             EXECUTE FUNCTION {name}_check()"
        ))
}

fn of_statement(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let name = format!("{t}_summary");
    let function = trigger_function(random, base, &format!("{name}_keep"), "NULL");
    Injection::new("trigger of statement", format!("statement trigger {name} on {t}"), &[&[&name]], ABOUT)
        .with_sql(&function)
        .with_sql(&format!(
            "CREATE TRIGGER {name} AFTER INSERT OR UPDATE ON {t} FOR EACH STATEMENT EXECUTE FUNCTION {name}_keep()"
        ))
}

fn foreign_key(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, other, reference, .. } = base.names.clone();
    let name = format!("{t}_to_{other}");
    Injection::new("foreign key", format!("foreign key {name}"), &[&[&name], &[t, "foreign key"]], ABOUT)
        .with_sql(&format!("ALTER TABLE {t} ADD CONSTRAINT {name} FOREIGN KEY ({reference}) REFERENCES {other}"))
}

fn referenced(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (child, rows) = (format!("{t}_lines"), random.choose(&[500, 5000, 30_000]));
    Injection::new(
        "foreign key without index",
        format!("foreign key of {child} on {t} without an index"),
        &[&[&child]],
        ABOUT,
    )
    .with_sql_of_both(&format!(
        "CREATE TABLE {child} (line int, parent bigint REFERENCES {t} ON DELETE CASCADE); \
         INSERT INTO {child} SELECT n, NULL FROM generate_series(1, {rows}) n"
    ))
    .with_sound_sql(&format!("CREATE INDEX {child}_parent_idx ON {child} (parent)"))
}

/// A function that takes a while for a text.
fn slow_function(random: &mut Random, name: &str) -> String {
    let turns = random.choose(&[20, 200, 1500]);
    format!(
        "CREATE FUNCTION {name}(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $f$ BEGIN FOR i IN 1..{turns} LOOP v := left(md5(v), 20); \
         END LOOP; RETURN v; END $f$"
    )
}

fn check(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let (name, function) = (format!("{t}_plausible"), format!("{t}_is_plausible"));
    Injection::new("check constraint", format!("check constraint {name}"), &[&[&name], &[&function]], ABOUT)
        .with_sql(&slow_function(random, &function))
        .with_sql(&format!("ALTER TABLE {t} ADD CONSTRAINT {name} CHECK ({function}({label}) <> '') NOT VALID"))
}

fn generated(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let (column, function) = (random.choose(&["digest", "search_key"]), format!("{t}_digest_of"));
    let slow = slow_function(random, &function).replace("1500", "300");
    Injection::new("generated column", format!("generated column {t}.{column}"), &[&[column], &[&function]], ABOUT)
        .with_sql(&format!("DELETE FROM {t} WHERE id > 4000"))
        .with_sound_sql(&format!("DELETE FROM {t} WHERE id > 4000"))
        .with_sql(&slow)
        .with_sql(&format!("ALTER TABLE {t} ADD {column} text GENERATED ALWAYS AS ({function}({label})) STORED"))
}

fn default(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (column, function) = (random.choose(&["ticket", "trace"]), format!("{t}_next_ticket"));
    let slow = slow_function(random, &function).replace("IMMUTABLE", "VOLATILE");
    Injection::new("default", format!("default of {t}.{column} calls {function}"), &[&[column], &[&function]], ABOUT)
        .with_sql_of_both(&format!("ALTER TABLE {t} ADD {column} text"))
        .with_sql(&slow)
        .with_sql(&format!("ALTER TABLE {t} ALTER {column} SET DEFAULT {function}('x')"))
}

fn domain(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, label, .. } = base.names.clone();
    let (domain, function) = (format!("{t}_code"), format!("{t}_is_code"));
    let slow = slow_function(random, &function).replace("1500", "300");
    Injection::new("domain", format!("domain {domain} with a check"), &[&[&domain], &[&function]], ABOUT)
        .with_sql_of_both(&format!("DELETE FROM {t} WHERE id > 4000"))
        .with_sql(&slow)
        .with_sql(&format!(
            "CREATE DOMAIN {domain} AS text CHECK ({function}(VALUE) <> ''); ALTER TABLE {t} ALTER {label} TYPE {domain}"
        ))
}

fn rule(_: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let name = format!("{t}_copied");
    Injection::new("rule", format!("rule {name} on {t}"), &[&[&name], &[&format!("{t}_copies")]], ABOUT).with_sql(
        &format!(
            "CREATE TABLE {t}_copies (at timestamptz); GRANT ALL ON {t}_copies TO PUBLIC; \
         CREATE RULE {name} AS ON INSERT TO {t} DO ALSO INSERT INTO {t}_copies SELECT now() FROM generate_series(1, 20)"
        ),
    )
}

fn exclusion(_: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let name = format!("{t}_no_overlap");
    Injection::new("exclusion constraint", format!("exclusion constraint {name}"), &[&[&name]], ABOUT)
        .with_sql(&format!("ALTER TABLE {t} ADD CONSTRAINT {name} EXCLUDE USING gist (int8range(id, id + 1) WITH &&)"))
}

fn identity(_: &mut Random, base: &Base) -> Injection {
    let Names { table: t, .. } = base.names.clone();
    Injection::new(
        "replica identity",
        format!("REPLICA IDENTITY FULL on {t}"),
        &[&["replica identity"], &["identity", t]],
        ABOUT,
    )
    .with_setting_of_both("wal_level = logical")
    .with_sql_of_both(&format!("CREATE PUBLICATION feed FOR TABLE {t}"))
    .with_sql(&format!("ALTER TABLE {t} REPLICA IDENTITY FULL"))
}

fn event_trigger(random: &mut Random, _: &Base) -> Injection {
    let turns = random.choose(&[100, 2000]);
    let name = "watch_definitions";
    Injection::new("event trigger", format!("event trigger {name}"), &[&[name], &["event trigger"]], ABOUT).with_sql(&format!(
        "CREATE FUNCTION {name}_do() RETURNS event_trigger LANGUAGE plpgsql AS $f$ BEGIN PERFORM count(*) FROM \
         generate_series(1, {turns} * 10); END $f$; CREATE EVENT TRIGGER {name} ON ddl_command_end EXECUTE FUNCTION {name}_do()"
    ))
}
