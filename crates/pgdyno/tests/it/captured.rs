//! The load of a real application, captured from the log of its server and replayed. On a server with the same data it
//! ends in the same rows, and on servers that are made it is a workload as any other.

use std::fs;

use testbed::{Postgres, Setup};
use tokio_postgres::{Client, NoTls};

use crate::capture::read_whole_log;
use crate::lab::Lab;

/// The data of the shop, with which the captured server and those of the replay begin.
pub const DATA: &str = "
    CREATE TABLE stock (id int PRIMARY KEY, sku uuid NOT NULL DEFAULT gen_random_uuid(), n int NOT NULL CHECK (n >= 0));
    CREATE TABLE orders (id bigserial PRIMARY KEY, customer text NOT NULL, total int NOT NULL DEFAULT 0);
    CREATE TABLE lines (order_id bigint NOT NULL REFERENCES orders, stock_id int NOT NULL REFERENCES stock, n int);
    CREATE INDEX ON lines (order_id);
    INSERT INTO stock (id, n) SELECT i, 1000 FROM generate_series(1, 50) i;
    INSERT INTO orders (customer) SELECT 'customer ' || i FROM generate_series(1, 500) i;
    INSERT INTO lines SELECT i, i % 50 + 1, 1 FROM generate_series(1, 500) i;";

const SUMS: &str = "
    SELECT (SELECT concat_ws(' ', count(*), sum(id), sum(total), max(id)) FROM orders) || ', ' ||
           (SELECT concat_ws(' ', count(*), sum(order_id), sum(n)) FROM lines) || ', ' ||
           (SELECT concat_ws(' ', count(*), sum(n)) FROM stock)";

/// Orders of each session; and as many looks at orders.
const ORDERS: i32 = 30;

/// A session of the shop: half of its orders by statements with parameters, half by texts.
async fn sell(client: &Client, session: i32) {
    let insert = client.prepare("INSERT INTO orders (customer) VALUES ($1) RETURNING id").await.expect("prepared");
    let line = client.prepare("INSERT INTO lines VALUES ($1, $2, 2)").await.expect("prepared");
    let customer = format!("it's \"{session}\", :x");
    for number in 0..ORDERS {
        let item = (number * 7 + session) % 50 + 1;
        client.batch_execute("BEGIN").await.expect("begun");
        if number % 2 == 0 {
            let id: i64 = client.query_one(&insert, &[&customer]).await.expect("an order").get(0);
            client.execute(&line, &[&id, &item]).await.expect("a line");
            client.execute("UPDATE orders SET total = total + 5 WHERE id = $1", &[&id]).await.expect("a total");
        } else {
            let id: i64 = client.query_one(&insert, &[&customer]).await.expect("an order").get(0);
            client.batch_execute(&format!("INSERT INTO lines VALUES ({id}, {item}, 3)")).await.expect("a line");
            client
                .batch_execute(&format!("UPDATE stock SET n = n - 3 WHERE id = {item} AND '{{:x}}'::text IS NOT NULL"))
                .await
                .expect("less of it");
        }
        client.batch_execute("COMMIT").await.expect("committed");
        client.query("SELECT * FROM orders WHERE customer = $1 LIMIT 3", &[&customer]).await.expect("orders");
    }
}

/// The log of a server on which three sessions sold, in the lab as `shop.csv`; what its tables had then, and how many
/// transactions there were.
pub fn captured_shop(lab: &Lab) -> (String, u64) {
    let settings = "logging_collector = on\nlog_directory = 'logs'\nlog_filename = 'server.log'\n\
                    log_destination = 'csvlog'\nlog_connections = on\nlog_disconnections = on\n";
    let server = Setup { settings: settings.to_owned(), ..Setup::default() }.start_server();
    server.query_postgres(DATA);
    // What was logged until now is not of the load.
    server.append_configuration("log_min_duration_statement = 0\nlog_filename = 'load.log'\n");
    server.query_postgres("SELECT pg_reload_conf(); SELECT pg_rotate_logfile()");
    server.await_that("SELECT pg_current_logfile('csvlog') = 'logs/load.csv'");
    let conninfo = format!("{} application_name=shop", server.socket_conninfo());
    tokio::runtime::Runtime::new().expect("a runtime").block_on(async {
        let mut sessions = Vec::new();
        for session in 0..3 {
            let (client, connection) = tokio_postgres::connect(&conninfo, NoTls).await.expect("a session");
            tokio::spawn(connection);
            sessions.push(tokio::spawn(async move { sell(&client, session).await }));
        }
        for session in sessions {
            session.await.expect("it sold");
        }
    });
    let rows = server.query_postgres(SUMS);
    server.stop_in_order();
    let log = read_whole_log(&server.data_directory().join("logs/load.csv"));
    let of_shop: Vec<&str> = log.split_inclusive('\n').filter(|line| line.contains(",\"shop\",")).collect();
    lab.write("shop.csv", of_shop.concat());
    (rows, 3 * 2 * u64::try_from(ORDERS).expect("few"))
}

const BRIEF: &str = "clients: 3\ntrial: { warm_up: 0s, measure: 30s }\nblocks: { at_least: 1, at_most: 1 }\n";

#[test]
fn a_replay_of_a_captured_load_ends_in_the_rows_of_the_captured_server() {
    let lab = Lab::new();
    let (rows, transactions) = captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    let server = Postgres::start_default();
    server.query_postgres(DATA);
    let plan = |workload: &str| {
        let url = server.socket_conninfo();
        format!(
            "name: Shop\ntargets:\n  a: {{ url: \"{url}\" }}\nbaseline: a\nworkloads:\n  peak: {{ {workload} }}\nthreads: 1\n{BRIEF}"
        )
    };
    lab.write("plan.yaml", plan("captured: peak"));
    lab.pgdyno("run plan.yaml").measured().says(&[&format!("{transactions} of {transactions} captured transactions")]);
    let run = lab.run();
    let trials = run.trials();
    let load = trials[0].load.as_ref().expect("it was measured");
    assert_eq!((load.transactions, load.failed, load.unknown), (transactions, 0, 0), "those begun last count, too");
    assert_eq!(server.query_postgres(SUMS), rows);
    let scripts = run.path().join("scripts/peak");
    assert!(scripts.join("replay.json").is_file() && scripts.join("order.txt").is_file());
    // The run needs the capture no more.
    fs::remove_dir_all(lab.path().join("peak")).expect("removed");
    lab.write("again.yaml", plan(&format!("captured: \"{}\"", scripts.display())));
    lab.pgdyno("plan check again.yaml").exits(0);
}

#[test]
fn servers_that_are_made_begin_each_trial_with_the_data_of_a_dump() {
    let lab = Lab::new();
    captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    lab.write("shop.sql", DATA);
    let target = "{ local: { version: 17 }, data: { restore: shop.sql } }";
    let plan = format!(
        "name: Shop\ntargets:\n  a: {target}\n  b: {target}\nbaseline: a\nworkloads:\n  peak: {{ captured: peak }}\n\
         clients: 3\ntrial: {{ warm_up: 0s, measure: 30s }}\nblocks: {{ at_least: 2, at_most: 2 }}\n"
    );
    lab.write("plan.yaml", &plan);
    lab.pgdyno("run plan.yaml").measured().says(&["shop.sql restored"]);
    for trial in lab.run().trials() {
        let load = trial.load.as_ref().expect("it was measured");
        assert_eq!(load.failed, 0, "no order of the trial before is there: {:?}", load.first_errors);
    }
    lab.write("long.yaml", plan.replace("warm_up: 0s", "warm_up: 30s"));
    lab.pgdyno("run long.yaml").exits(3).says(&["all transactions of the capture were executed in the warm-up"]);
}

#[test]
fn a_statement_that_changes_no_row_on_the_candidate_is_named_before_any_time() {
    let lab = Lab::new();
    captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    lab.write("shop.sql", DATA);
    let suppressed = "
        CREATE FUNCTION suppress() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER suppressed BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION suppress();";
    lab.write("other.sql", format!("{DATA}{suppressed}"));
    let target = |dump: &str| format!("{{ local: {{ version: 17 }}, data: {{ restore: {dump} }} }}");
    let plan = |dump: &str| {
        let (a, b) = (target("shop.sql"), target(dump));
        format!(
            "name: Shop\ntargets:\n  a: {a}\n  b: {b}\nbaseline: a\nworkloads:\n  peak: {{ captured: peak }}\n\
             clients: 2\ntrial: {{ warm_up: 0s, measure: 30s }}\nblocks: {{ at_least: 2, at_most: 2 }}\n"
        )
    };
    lab.write("plan.yaml", plan("other.sql"));
    lab.pgdyno("run plan.yaml").exits(1).prints(&[
        // A read of what was not changed may differ, too.
        " of 7 statements return",
        "other results",
        "UPDATE orders SET total = total +",
        "1 row → 0 rows",
        "[results-differ]",
    ]);
    lab.write("alike.yaml", plan("shop.sql"));
    let alike = lab.pgdyno("run alike.yaml");
    assert!(!alike.measured().stdout.contains("other results"), "{}", alike.stdout);
}

#[test]
fn what_cannot_be_restored_or_replayed_is_refused_by_its_name() {
    let lab = Lab::new();
    lab.write("bad.sql", "CREATE TABLE t (id int);\nSELEC 1;\n");
    lab.write("s.sql", "SELECT 1 FROM t;\n");
    let plan = |target: &str, work: &str| {
        format!("name: Bad\ntargets:\n  a: {target}\nbaseline: a\nworkloads:\n  w: {{ {work} }}\n{BRIEF}")
    };
    let local = "{ local: { version: 17 }, data: { restore: bad.sql } }";
    let cases = [
        (plan(local, "captured: nowhere"), 2, "nowhere is not a capture"),
        (plan("{ local: { version: 17 }, data: { restore: no.dump } }", "script: s.sql"), 2, "could not read the dump"),
        (plan(local, "script: s.sql"), 3, "syntax error at or near \"SELEC\""),
        (
            plan("{ url: \"host=localhost\", data: { restore: bad.sql } }", "script: s.sql"),
            2,
            "has `data`, which is for `local` servers",
        ),
        (plan(local, "captured: nowhere, define: { x: 1 }"), 2, "is for `script`"),
    ];
    for (text, status, expected) in cases {
        lab.write("plan.yaml", &text);
        lab.pgdyno("run plan.yaml").exits(status).says(&[expected]);
    }
    lab.assert_no_temporary_data();
}

#[test]
fn a_timed_replay_has_the_sessions_of_the_capture_and_ends_in_its_rows() {
    let lab = Lab::new();
    let (rows, transactions) = captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    let server = Postgres::start_default();
    server.query_postgres(DATA);
    let plan = |captured: &str, clients: &str| {
        let url = server.socket_conninfo();
        let brief = BRIEF.replace("clients: 3", &format!("clients: {clients}"));
        format!(
            "name: Shop\ntargets:\n  a: {{ url: \"{url}\" }}\nbaseline: a\n\
             workloads:\n  peak: {{ captured: {captured} }}\n{brief}"
        )
    };
    lab.write("plan.yaml", plan("peak, replay: timed, speed: 2", "3"));
    lab.pgdyno("run plan.yaml").measured().says(&["; 3 sessions on ", " at speed 2"]);
    let run = lab.run();
    let trials = run.trials();
    let load = trials[0].load.as_ref().expect("it was measured");
    assert_eq!((load.transactions, load.failed, load.unknown), (transactions, 0, 0), "each of them, and to its end");
    let open = load.open.as_ref().expect("its times do not depend on the server");
    assert_eq!((open.offered, open.skipped), (transactions, 0));
    assert_eq!(server.query_postgres(SUMS), rows);
    let scripts = run.path().join("scripts/peak").display().to_string();
    for (captured, clients, expected) in [
        (format!("\"{scripts}\", replay: timed, speed: 1"), "3", "was made for `replay: timed` at speed 2"),
        (format!("\"{scripts}\""), "3", "is not for `replay: sampled`"),
        ("peak, replay: timed, speed: 100".to_owned(), "1", "and `clients` is 1"),
        ("peak, replay: timed".to_owned(), "[3, 4]", "`clients` has 2 values"),
        ("peak, replay: timed, rate: 5/s".to_owned(), "3", "does not apply to `replay: timed`"),
    ] {
        lab.write("other.yaml", plan(&captured, clients));
        lab.pgdyno("plan check other.yaml").exits(2).says(&[expected]);
    }
}

#[test]
fn the_sides_of_a_timed_replay_execute_every_transaction_on_the_same_rows() {
    let lab = Lab::new();
    let (_, transactions) = captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    // Each server makes random values of its own.
    lab.write("shop.sql", DATA.replace("gen_random_uuid()", "'6ba7b810-9dad-11d1-80b4-00c04fd430c8'"));
    let target = "{ local: { version: 17 }, data: { restore: shop.sql } }";
    lab.write(
        "plan.yaml",
        format!(
            "name: Shop\ntargets:\n  a: {target}\n  b: {target}\nbaseline: a\n\
             workloads:\n  peak: {{ captured: peak, replay: timed }}\nclients: 3\ntrial: {{ warm_up: 0s, measure: 30s }}\n\
             blocks: {{ at_least: 2, at_most: 2 }}\n"
        ),
    );
    let same = "restored data: 3 tables with 1050 rows, the same checksums on all targets";
    lab.pgdyno("run plan.yaml").measured().says(&[same]);
    let trials = lab.run().trials();
    assert_eq!(trials.len(), 4);
    for trial in trials {
        let load = trial.load.as_ref().expect("it was measured");
        assert_eq!((load.transactions, load.failed), (transactions, 0), "{:?}", load.first_errors);
        assert!(trial.turns.is_none(), "a side replays the whole capture");
    }
}

#[test]
fn data_that_a_capture_does_not_fit_are_refused_before_the_first_trial() {
    let lab = Lab::new();
    captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak --mask none").exits(0);
    lab.write("shop.sql", DATA);
    lab.write("changed.sql", format!("{DATA}\nALTER TABLE orders DROP COLUMN total;\n"));
    lab.write("other.sql", "CREATE TABLE something_else (id int);\n");
    lab.write("newer.sql", format!("-- Dumped from database version 99.1\n{DATA}"));
    for (dump, expected) in [
        (
            "changed.sql",
            &[
                "the data do not fit the capture",
                "target \"b\" rejects",
                "(42703)",
                "calls",
                "made when the capture began",
            ][..],
        ),
        ("other.sql", &["(42P01)", "this may be one of another database"]),
        ("newer.sql", &["target \"b\" is PostgreSQL 17, and", "is a dump of PostgreSQL 99.1"]),
    ] {
        let target = |dump: &str| format!("{{ local: {{ version: 17 }}, data: {{ restore: {dump} }} }}");
        let (good, bad) = (target("shop.sql"), target(dump));
        lab.write(
            "plan.yaml",
            format!(
                "name: Shop\ntargets:\n  a: {good}\n  b: {bad}\nbaseline: a\nworkloads:\n  peak: {{ captured: peak }}\n{BRIEF}"
            ),
        );
        lab.pgdyno("run plan.yaml").exits(3).says(expected);
    }
    lab.assert_no_temporary_data();
}

#[test]
fn a_masked_capture_is_replayed_on_data_that_are_masked_alike() {
    let lab = Lab::new();
    let (rows, transactions) = captured_shop(&lab);
    lab.pgdyno("capture --log shop.csv --out peak").exits(0);
    let server = Postgres::start_default();
    server.query_postgres(DATA);
    server.query_postgres(&lab.pgdyno("capture mask-sql peak").exits(0).stdout);
    server.query_postgres("UPDATE orders SET customer = pgdyno_mask(customer)");
    let url = server.socket_conninfo();
    lab.write(
        "plan.yaml",
        format!(
            "name: Shop\ntargets:\n  a: {{ url: \"{url}\" }}\nbaseline: a\nworkloads:\n  peak: {{ captured: peak }}\n{BRIEF}"
        ),
    );
    lab.pgdyno("run plan.yaml").measured().says(&["its values are masked"]);
    let trials = lab.run().trials();
    let load = trials[0].load.as_ref().expect("it was measured");
    assert_eq!((load.transactions, load.failed, load.unknown), (transactions, 0, 0));
    assert_eq!(server.query_postgres(SUMS), rows);
    // The customers of the orders that were replayed are the masked ones of those that were captured.
    let masked = "SELECT count(DISTINCT customer) FROM orders WHERE id > 500 AND customer IN
                  (SELECT pgdyno_mask('it''s \"' || i || '\", :x') FROM generate_series(0, 2) i)";
    assert_eq!(server.query_postgres(masked).trim(), "3");
    fs::remove_file(lab.path().join("peak.key")).expect("removed");
    lab.pgdyno("capture mask-sql peak").exits(2).says(&["could not read the key", "--mask-key FILE"]);
}
