//! The base situations: tables whose names and sizes are drawn, and a load of one shape on them.

use super::condition::{Base, Names, Shape};
use super::random::Random;

/// Tables that are joined besides the main ones, at most.
const DIMENSIONS_AT_MOST: u64 = 6;

/// Draws the tables and the load of a seed for a shape.
pub fn draw_base(seed: u64, shape: Shape) -> Base {
    let mut random = Random::for_matter(seed, "situation");
    let names = draw_names(&mut random);
    let rows = random.choose(&[4000, 8000, 12_000, 20_000, 40_000]);
    let other_rows = random.choose(&[100, 300, 1000, 2000]);
    let width = match shape {
        Shape::BigResult => random.choose(&[3000, 8000, 20_000]),
        _ => random.choose(&[20, 60, 200, 500]),
    };
    let rows = if shape == Shape::BigResult { 1000 } else { rows };
    let mut base = Base {
        shape,
        names,
        rows,
        other_rows,
        width,
        sql: Vec::new(),
        script: String::new(),
        clients: random.choose(&[1, 2, 2, 3, 4]),
        mode: random.choose(&["prepared", "prepared", "extended", "simple"]),
        reconnects: false,
    };
    base.sql = tables(&base);
    let dimensions = random.number_between(0, DIMENSIONS_AT_MOST);
    base.sql.extend(tables_of_shape(&base, dimensions));
    base.script = script(&base, &mut random, dimensions);
    base
}

fn draw_names(random: &mut Random) -> Names {
    Names {
        table: random
            .choose(&["orders", "parcels", "invoices", "readings", "tickets", "bookings", "claims", "ballots"]),
        other: random.choose(&["depots", "customers", "devices", "stations", "districts", "carriers"]),
        reference: random.choose(&["owner_id", "origin_id", "holder_id", "source_id"]),
        state: random.choose(&["stage", "grade", "tier", "bucket"]),
        amount: random.choose(&["amount", "total", "weight", "price"]),
        instant: random.choose(&["placed_at", "seen_at", "due_at", "logged_at"]),
        label: random.choose(&["serial", "barcode", "ticket_no", "signature"]),
        note: random.choose(&["remark", "details", "description", "body"]),
    }
}

/// The two tables that all situations have.
fn tables(base: &Base) -> Vec<String> {
    let Names { table: t, other, reference, state, amount, instant, label, note } = base.names.clone();
    let (rows, other_rows, width) = (base.rows, base.other_rows, base.width);
    vec![
        format!("CREATE TABLE {other} (id int PRIMARY KEY, region int NOT NULL, name text NOT NULL)"),
        format!("INSERT INTO {other} SELECT n, n % 20, md5(n::text) FROM generate_series(1, {other_rows}) n"),
        format!("CREATE SEQUENCE {t}_id_seq START {}", rows + 1),
        format!(
            "CREATE TABLE {t} (id bigint DEFAULT nextval('{t}_id_seq') PRIMARY KEY, {reference} int NOT NULL, {state} int NOT NULL, \
             part int NOT NULL, {amount} numeric(12,2) NOT NULL, {instant} timestamp NOT NULL, {label} text NOT NULL, {note} text NOT NULL)"
        ),
        format!(
            "INSERT INTO {t} SELECT n, (n * 7919) % {other_rows} + 1, n % 100, n % 100 / 10, n % 9973, \
             timestamp '2024-01-01' + n * interval '1 minute', 'L' || md5(n::text), repeat('note ', {}) FROM generate_series(1, {rows}) n",
            width / 5
        ),
        format!("CREATE INDEX {t}_{reference}_idx ON {t} ({reference})"),
        format!("CREATE INDEX {t}_{instant}_idx ON {t} ({instant})"),
        format!("CREATE INDEX {t}_{label}_idx ON {t} ({label})"),
    ]
}

/// What else a shape needs.
fn tables_of_shape(base: &Base, dimensions: u64) -> Vec<String> {
    let Names { table: t, reference, amount, note, .. } = base.names.clone();
    match base.shape {
        Shape::Join => (1..=dimensions)
            .flat_map(|n| {
                [
                    format!("CREATE TABLE dimension_{n} (id int PRIMARY KEY, value_{n} text NOT NULL)"),
                    format!("INSERT INTO dimension_{n} SELECT n, 'v' || n FROM generate_series(0, 99) n"),
                ]
            })
            .collect(),
        Shape::ManyColumns => {
            let columns: Vec<String> =
                (1..=40).map(|n| format!("ADD COLUMN extra_{n} int NOT NULL DEFAULT {n}")).collect();
            vec![
                format!("ALTER TABLE {t} {}", columns.join(", ")),
                format!("UPDATE {t} SET extra_1 = id"),
                format!("VACUUM FULL {t}"),
            ]
        }
        Shape::View => vec![format!("CREATE VIEW {t}_view AS SELECT id, {reference}, {amount}, {note} FROM {t}")],
        Shape::FunctionOfRow => vec![format!(
            "CREATE FUNCTION {t}_net(v numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS 'SELECT v * 0.81'"
        )],
        Shape::FunctionInCondition => vec![format!(
            "CREATE FUNCTION {t}_chosen(v int) RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN RETURN v; END'"
        )],
        Shape::FunctionCall => vec![format!(
            "CREATE FUNCTION {t}_balance(v int) RETURNS numeric LANGUAGE plpgsql STABLE AS \
             'BEGIN RETURN (SELECT sum({amount}) FROM {t} WHERE {reference} = v); END'"
        )],
        Shape::Foreign => foreign_table(base),
        Shape::Queue => vec![
            format!(
                "CREATE TABLE {t}_queue (id bigint PRIMARY KEY, taken int NOT NULL DEFAULT 0, payload text NOT NULL)"
            ),
            format!("INSERT INTO {t}_queue SELECT n, 0, 'job ' || n FROM generate_series(1, 500) n"),
        ],
        _ => Vec::new(),
    }
}

/// The main table again, as a foreign one of the server itself.
fn foreign_table(base: &Base) -> Vec<String> {
    let Names { table: t, reference, amount, .. } = base.names.clone();
    vec![
        "CREATE EXTENSION postgres_fdw".to_owned(),
        "DO $$ BEGIN EXECUTE format('CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, port %L, dbname %L)', \
         current_setting('unix_socket_directories'), current_setting('port'), current_database()); END $$"
            .to_owned(),
        "CREATE USER MAPPING FOR PUBLIC SERVER far OPTIONS (user 'postgres', password_required 'false')".to_owned(),
        format!(
            "CREATE FOREIGN TABLE far_{t} (id bigint, {reference} int, {amount} numeric(12,2)) SERVER far \
             OPTIONS (schema_name 'public', table_name '{t}')"
        ),
    ]
}

/// The load's script, in the language of pgbench.
fn script(base: &Base, random: &mut Random, dimensions: u64) -> String {
    let head = format!(
        "\\set id random(1, {})\n\\set ref random(1, {})\n\\set n random(1, 1000000)\n",
        base.rows, base.other_rows
    );
    let statements = match base.shape {
        Shape::Insert
        | Shape::InsertMany
        | Shape::Update
        | Shape::Upsert
        | Shape::DeleteInsert
        | Shape::Queue
        | Shape::Savepoint
        | Shape::TemporaryTable
        | Shape::Notify => writing_statements(base, random),
        _ => reading_statements(base, random, dimensions),
    };
    head + &statements + "\n"
}

fn reading_statements(base: &Base, random: &mut Random, dimensions: u64) -> String {
    let Names { table: t, other, reference, state, amount, instant, label, note } = base.names.clone();
    let many = random.choose(&[50, 200, 600]).min(base.rows / 4);
    match base.shape {
        Shape::Point => format!("SELECT {amount}, {note} FROM {t} WHERE id = :id;"),
        Shape::ByReference => format!("SELECT count(*), sum({amount}) FROM {t} WHERE {reference} = :ref;"),
        Shape::CountOnly => format!("SELECT count(*) FROM {t} WHERE {reference} BETWEEN :ref AND :ref + 5;"),
        Shape::Range => format!(
            "SELECT sum({amount}), max({state}) FROM {t} WHERE {instant} >= timestamp '2024-01-01' + :id * interval '1 minute' \
             AND {instant} < timestamp '2024-01-01' + (:id + {many}) * interval '1 minute';"
        ),
        Shape::Newest => {
            format!("SELECT id, {amount} FROM {t} WHERE {reference} = :ref ORDER BY {instant} DESC LIMIT 5;")
        }
        Shape::Aggregate => format!("SELECT {state}, count(*), sum({amount}) FROM {t} GROUP BY {state};"),
        Shape::Join => join(base, dimensions, many),
        Shape::Prefix => format!("SELECT id, {amount} FROM {t} WHERE {label} LIKE 'Labc%' LIMIT 20;"),
        Shape::Lower => format!("SELECT id, {amount} FROM {t} WHERE lower({label}) = 'l' || md5((:id)::text);"),
        Shape::Correlated => format!(
            "SELECT count(*), max(o.name) FROM {t} m JOIN {other} o ON o.id = m.{reference} WHERE m.{state} = :id % 100 \
             AND m.part = :id % 100 / 10;"
        ),
        Shape::Sort => format!(
            "SELECT {label}, {state} FROM {t} WHERE id BETWEEN :id AND :id + 2000 ORDER BY {label} DESC, {state};"
        ),
        Shape::BigResult => format!("SELECT id, {note} FROM {t} WHERE id BETWEEN :id AND :id + 3;"),
        Shape::ManyColumns => format!("SELECT * FROM {t} WHERE id BETWEEN :id AND :id + 30;"),
        Shape::View => format!("SELECT id, {amount} FROM {t}_view WHERE {reference} = :ref;"),
        Shape::FunctionOfRow => {
            format!("SELECT sum({t}_net({amount})) FROM {t} WHERE id BETWEEN :id AND :id + {many};")
        }
        Shape::FunctionCall => format!("SELECT {t}_balance(:ref);"),
        Shape::FunctionInCondition => format!("SELECT count(*) FROM {t} WHERE {reference} = {t}_chosen(:ref);"),
        Shape::Cursor => format!(
            "BEGIN;\nDECLARE c CURSOR FOR SELECT id, {amount} FROM {t} WHERE id >= :id ORDER BY {instant};\nFETCH 50 FROM c;\n\
             FETCH 50 FROM c;\nCLOSE c;\nEND;"
        ),
        _ => format!("SELECT id, {amount} FROM far_{t} WHERE {reference} BETWEEN :ref AND :ref + 10;"),
    }
}

fn join(base: &Base, dimensions: u64, many: u64) -> String {
    let Names { table: t, other, reference, state, amount, .. } = base.names.clone();
    let joins: String =
        (1..=dimensions).map(|n| format!(" JOIN dimension_{n} d{n} ON d{n}.id = (m.{state} + {n}) % 100")).collect();
    format!(
        "SELECT o.region, sum(m.{amount}) FROM {t} m JOIN {other} o ON o.id = m.{reference}{joins} \
         WHERE m.id BETWEEN :id AND :id + {many} GROUP BY o.region;"
    )
}

fn writing_statements(base: &Base, random: &mut Random) -> String {
    let Names { table: t, reference, state, amount, instant, label, note, .. } = base.names.clone();
    let columns = format!("{reference}, {state}, part, {amount}, {instant}, {label}, {note}");
    let values = "(:ref, :n % 100, :n % 10, :n % 9973, now()::timestamp, 'L' || md5((:n)::text), 'a note')";
    match base.shape {
        Shape::Insert => format!("INSERT INTO {t} ({columns}) VALUES {values};"),
        Shape::InsertMany => {
            let rows = random.choose(&[5, 20]);
            format!("INSERT INTO {t} ({columns}) VALUES {};", vec![values; rows].join(", "))
        }
        Shape::Update => format!("UPDATE {t} SET {amount} = {amount} + 1 WHERE id = :id;"),
        Shape::Upsert => format!(
            "INSERT INTO {t} (id, {columns}) VALUES (:id, {} ON CONFLICT (id) DO UPDATE SET {amount} = {t}.{amount} + 1;",
            &values[1..]
        ),
        Shape::DeleteInsert => format!(
            "BEGIN;\nDELETE FROM {t} WHERE id = :id;\nINSERT INTO {t} (id, {columns}) VALUES (:id, {} ON CONFLICT (id) DO NOTHING;\nEND;",
            &values[1..]
        ),
        Shape::Queue => format!(
            "UPDATE {t}_queue SET taken = taken + 1 WHERE id = (SELECT id FROM {t}_queue ORDER BY taken LIMIT 1 FOR UPDATE SKIP LOCKED);"
        ),
        Shape::Savepoint => format!(
            "BEGIN;\nSELECT {amount} FROM {t} WHERE id = :id;\nSAVEPOINT s;\nUPDATE {t} SET {note} = 'changed' WHERE id = :id;\n\
             RELEASE SAVEPOINT s;\nSELECT count(*) FROM {t} WHERE {reference} = :ref;\nEND;"
        ),
        Shape::TemporaryTable => format!(
            "BEGIN;\nCREATE TEMP TABLE work_list ON COMMIT DROP AS SELECT id, {amount} FROM {t} WHERE {reference} = :ref;\n\
             SELECT sum({amount}) FROM work_list;\nEND;"
        ),
        _ => {
            format!("BEGIN;\nUPDATE {t} SET {amount} = {amount} + 1 WHERE id = :id;\nNOTIFY {t}_changed, 'one';\nEND;")
        }
    }
}
