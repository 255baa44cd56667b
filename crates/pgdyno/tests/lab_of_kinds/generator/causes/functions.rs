//! Functions, views, policies and foreign tables: what a statement calls beside its tables.

use super::Kind;
use crate::generator::condition::{Base, Injection, Matter, Names, Shape};
use crate::generator::random::Random;

/// The kinds of this family.
pub const KINDS: &[Kind] = &[
    Kind { name: "volatility", shapes: &[Shape::FunctionInCondition], draw: volatility, weight: 2 },
    Kind { name: "function not inlined", shapes: &[Shape::FunctionOfRow], draw: not_inlined, weight: 2 },
    Kind { name: "body of a function", shapes: &[Shape::FunctionCall], draw: body, weight: 2 },
    Kind { name: "setting of a function", shapes: &[Shape::FunctionCall], draw: setting, weight: 2 },
    Kind {
        name: "cost of a function",
        shapes: &[Shape::FunctionInCondition, Shape::FunctionOfRow],
        draw: cost,
        weight: 1,
    },
    Kind { name: "view", shapes: &[Shape::View], draw: view, weight: 2 },
    Kind { name: "policy", shapes: &[Shape::ByReference, Shape::Aggregate, Shape::Range], draw: policy, weight: 2 },
    Kind { name: "foreign table's option", shapes: &[Shape::Foreign], draw: foreign_option, weight: 3 },
    Kind { name: "foreign table's server", shapes: &[Shape::Foreign], draw: foreign_server, weight: 1 },
];

const ABOUT: &[Matter] = &[Matter::Execution, Matter::Plan, Matter::Cpu];

fn volatility(_: &mut Random, base: &Base) -> Injection {
    let name = format!("{}_chosen", base.names.table);
    Injection::new("volatility", format!("function {name} is VOLATILE, not STABLE"), &[&[&name], &["volatile"]], ABOUT)
        .with_sql(&format!("ALTER FUNCTION {name}(int) VOLATILE"))
}

fn not_inlined(random: &mut Random, base: &Base) -> Injection {
    let name = format!("{}_net", base.names.table);
    let how = random.choose(&["plpgsql", "STRICT", "SECURITY DEFINER", "SET search_path = public"]);
    let injection = Injection::new("function not inlined", format!("function {name} is {how}"), &[&[&name]], ABOUT);
    if how == "plpgsql" {
        injection.with_sql(&format!(
            "CREATE OR REPLACE FUNCTION {name}(v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS 'BEGIN RETURN v * 0.81; END'"
        ))
    } else {
        injection.with_sql(&format!("ALTER FUNCTION {name}(numeric) {how}"))
    }
}

fn body(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, amount, .. } = base.names.clone();
    let name = format!("{t}_balance");
    let more = random.choose(&["exception", "loop", "nothing"]);
    let inner = format!("(SELECT sum({amount}) FROM {t} WHERE {reference} = v)");
    let body = match more {
        "exception" => format!("BEGIN RETURN {inner}; EXCEPTION WHEN others THEN RETURN 0; END"),
        "loop" => format!("DECLARE s numeric; BEGIN FOR i IN 1..4 LOOP s := {inner}; END LOOP; RETURN s; END"),
        _ => format!("BEGIN RETURN 0 + {inner}; END"),
    };
    Injection::new("body of a function", format!("function {name} has another body ({more})"), &[&[&name]], ABOUT)
        .with_sql(&format!(
            "CREATE OR REPLACE FUNCTION {name}(v int) RETURNS numeric LANGUAGE plpgsql STABLE AS '{body}'"
        ))
}

fn setting(random: &mut Random, base: &Base) -> Injection {
    let name = format!("{}_balance", base.names.table);
    let (setting, value) = random.choose(&[
        ("enable_indexscan", "off"),
        ("enable_bitmapscan", "off"),
        ("work_mem", "'64kB'"),
        ("random_page_cost", "1000"),
        ("plan_cache_mode", "force_custom_plan"),
        ("search_path", "public, pg_temp"),
        ("log_min_duration_statement", "0"),
        ("statement_timeout", "'5s'"),
        ("jit", "off"),
    ]);
    Injection::new(
        "setting of a function",
        format!("function {name} has SET {setting} = {value}"),
        &[&[&name, setting], &[&name]],
        ABOUT,
    )
    .with_sql(&format!("ALTER FUNCTION {name}(int) SET {setting} = {value}"))
}

fn cost(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let cost = random.choose(&[1, 100_000]);
    let name =
        if base.shape == Shape::FunctionOfRow { format!("{t}_net(numeric)") } else { format!("{t}_chosen(int)") };
    let bare = name.split('(').next().unwrap_or(&name).to_owned();
    Injection::new("cost of a function", format!("function {bare} has COST {cost}"), &[&[&bare]], ABOUT)
        .with_sql(&format!("ALTER FUNCTION {name} COST {cost}"))
}

fn view(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, reference, amount, note, .. } = base.names.clone();
    let name = format!("{t}_view");
    let (columns, how) =
        (format!("id, {reference}, {amount}, {note}"), random.choose(&["distinct", "window", "barrier", "offset"]));
    let query = match how {
        "distinct" => format!("AS SELECT DISTINCT ON (id) {columns} FROM {t} ORDER BY id"),
        "window" => format!("AS SELECT {columns}, row_number() OVER (ORDER BY id) AS place FROM {t}"),
        "barrier" => format!("WITH (security_barrier) AS SELECT {columns} FROM {t} WHERE {note} <> ''"),
        _ => format!("AS SELECT {columns} FROM {t} OFFSET 0"),
    };
    Injection::new("view", format!("view {name} is made with {how}"), &[&[&name]], ABOUT)
        .with_sql(&format!("CREATE OR REPLACE VIEW {name} {query}"))
}

fn policy(random: &mut Random, base: &Base) -> Injection {
    let Names { table: t, state, label, .. } = base.names.clone();
    let name = format!("{t}_tenant");
    let using = match random.choose(&["function", "subquery", "simple"]) {
        "function" => format!("left(md5({label}), 1) <> 'zz'"),
        "subquery" => format!("{state} IN (SELECT grade FROM allowed_grades)"),
        _ => format!("{state} < 1000"),
    };
    Injection::new(
        "policy",
        format!("row security policy {name} on {t}"),
        &[&[&name], &[t, "policy"], &[t, "row-level security"], &[t, "row security"]],
        ABOUT,
    )
    .with_sql_of_both(
        "CREATE TABLE allowed_grades (grade int); INSERT INTO allowed_grades SELECT generate_series(0, 200)",
    )
    .with_sql(&format!("ALTER TABLE {t} ENABLE ROW LEVEL SECURITY; CREATE POLICY {name} ON {t} USING ({using})"))
}

fn foreign_option(random: &mut Random, base: &Base) -> Injection {
    let t = base.names.table;
    let (option, value) = random.choose(&[
        ("fetch_size", "'1'"),
        ("fetch_size", "'5'"),
        ("use_remote_estimate", "'true'"),
        ("async_capable", "'true'"),
        ("batch_size", "'100'"),
    ]);
    Injection::new(
        "foreign table's option",
        format!("foreign table far_{t} has {option} {value}"),
        &[&[option]],
        &[Matter::Execution, Matter::Plan, Matter::Cpu, Matter::Network],
    )
    .with_sql(&format!("ALTER FOREIGN TABLE far_{t} OPTIONS (ADD {option} {value})"))
}

fn foreign_server(random: &mut Random, _: &Base) -> Injection {
    let (option, value) = random.choose(&[
        ("keep_connections", "'off'"),
        ("fdw_startup_cost", "'90000'"),
        ("extensions", "'postgres_fdw'"),
    ]);
    Injection::new(
        "foreign table's server",
        format!("server far has {option} {value}"),
        &[&[option]],
        &[Matter::Execution, Matter::Plan, Matter::Cpu, Matter::Client],
    )
    .with_sql(&format!("ALTER SERVER far OPTIONS (ADD {option} {value})"))
}
