//! Logs that a real PostgreSQL writes in all its forms at once: every form gives the same capture. And the substitution
//! in SQL, on a real PostgreSQL.

use std::fs;
use std::path::{Path, PathBuf};

use capture::directory::{CaptureReader, EventAction};
use capture::mask::{MaskKey, ValueMask, write_mask_functions};
use capture::{LogOptions, capture_logs};
use testbed::{Postgres, Setup};
use tokio_postgres::NoTls;

const SETTINGS: &str = "
logging_collector = on
log_directory = 'logs'
log_filename = 'server.log'
log_connections = on
log_disconnections = on
log_line_prefix = '%m [%p] %c %l %v %e %q%u@%d %a '
log_parameter_max_length_on_error = -1
log_timezone = 'Europe/Berlin'
";

/// What an application does: both protocols, transactions, failures, texts with quotes and newlines.
async fn run_load(server: &Postgres) {
    let conninfo = server.socket_conninfo();
    let (client, connection) =
        tokio_postgres::connect(&format!("{conninfo} dbname=postgres application_name=shop"), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("CREATE TABLE customers (id int PRIMARY KEY, name text)").await.unwrap();
    let insert = client.prepare("INSERT INTO customers VALUES ($1, $2)").await.unwrap();
    client.batch_execute("BEGIN").await.unwrap();
    for (id, name) in
        [(1, Some("Ada\tLovelace")), (2, None), (3, Some("O'Neil, \"x\"\nthe 2nd")), (4, Some("Zoë 中文"))]
    {
        client.execute(&insert, &[&id, &name]).await.unwrap();
    }
    client.batch_execute("COMMIT").await.unwrap();
    client.execute(&insert, &[&1, &Some("twice")]).await.unwrap_err();
    client.batch_execute("SELECT name\n\tFROM customers -- a comment\nWHERE name = 'Ada''s'").await.unwrap();
    client.batch_execute("SELECT 1/0").await.unwrap_err();
    client.batch_execute("SELEC 1").await.unwrap_err();
    client.query("SELECT * FROM customers WHERE id = ANY($1)", &[&vec![1, 2, 3]]).await.unwrap();
    client.batch_execute("BEGIN; UPDATE customers SET name = 'x' WHERE id = 1; ROLLBACK").await.unwrap();
    drop(client);
}

/// Every event without what a form may say otherwise: durations and instants.
fn captured_lines(files: &[PathBuf], out: &Path) -> Vec<String> {
    let options = LogOptions {
        files: files.to_vec(),
        database: Some("postgres".to_owned()),
        user: Some("postgres".to_owned()),
        line_prefix: Some("%m [%p] %c %l %v %e %q%u@%d %a ".to_owned()),
        zone: Some(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()),
    };
    capture_logs(&options, ValueMask::new_open(), out).unwrap();
    let reader = CaptureReader::open_capture(out).unwrap();
    assert_eq!(reader.summary().losses, []);
    let mut lines = Vec::new();
    for event in reader.event_stream() {
        let event = event.unwrap();
        lines.push(match event.action {
            EventAction::Execute(execution) => {
                let statement = reader.statement_by_id(execution.statement).unwrap();
                format!(
                    "{} x{} {:?} {} {:?} {:?} {:?}",
                    event.session,
                    execution.transaction,
                    statement.protocol,
                    statement.text,
                    execution.parameters,
                    execution.literals,
                    execution.error
                )
            }
            EventAction::Connect { user, database, application } => {
                format!("{} connect {user} {database} {application}", event.session)
            }
            EventAction::Disconnect => format!("{} disconnect", event.session),
        });
    }
    lines
}

async fn load_of_settings(settings: &str) -> Vec<String> {
    let bin = testbed::newest_version();
    let has_json =
        !testbed::run_command(std::process::Command::new(bin.join("postgres")).arg("--version")).contains(" 14");
    let destinations = if has_json { "stderr,csvlog,jsonlog" } else { "stderr,csvlog" };
    let settings = format!("{SETTINGS}log_destination = '{destinations}'\n{settings}");
    let server = Setup { settings, ..Setup::default() }.start_server();
    run_load(&server).await;
    server.stop_in_order();
    let logs = server.data_directory().join("logs");
    let directory = tempfile::tempdir().unwrap();
    let expected = captured_lines(&[logs.join("server.csv")], &directory.path().join("csv"));
    for name in ["server.log", "server.json"] {
        if has_json || name != "server.json" {
            let lines = captured_lines(&[logs.join(name)], &directory.path().join(name));
            assert_eq!(lines, expected, "{name}");
        }
    }
    expected
}

fn assert_load(lines: &[String]) {
    let expected = [
        "0 connect postgres postgres shop",
        r#"0 x0 Simple CREATE TABLE customers (id int PRIMARY KEY, name text) [] [] None"#,
        r#"0 x1 Simple BEGIN [] [] None"#,
        r#"0 x1 Extended INSERT INTO customers VALUES ($1, $2) [Some("1"), Some("Ada\tLovelace")] [] None"#,
        r#"0 x1 Extended INSERT INTO customers VALUES ($1, $2) [Some("2"), None] [] None"#,
        r#"0 x1 Extended INSERT INTO customers VALUES ($1, $2) [Some("3"), Some("O'Neil, \"x\"\nthe 2nd")] [] None"#,
        r#"0 x1 Extended INSERT INTO customers VALUES ($1, $2) [Some("4"), Some("Zoë 中文")] [] None"#,
        r#"0 x1 Simple COMMIT [] [] None"#,
        r#"0 x2 Extended INSERT INTO customers VALUES ($1, $2) [Some("1"), Some("twice")] [] Some("23505")"#,
        "0 x3 Simple SELECT name\n\tFROM customers  \nWHERE name = $1 [] [\"'Ada''s'\"] None",
        r#"0 x4 Simple SELECT $1/$2 [] ["1", "0"] Some("22012")"#,
        r#"0 x5 Simple SELEC $1 [] ["1"] Some("42601")"#,
        r#"0 x6 Extended SELECT * FROM customers WHERE id = ANY($1) [Some("{1,2,3}")] [] None"#,
        r#"0 x7 Simple BEGIN; UPDATE customers SET name = $1 WHERE id = $2; ROLLBACK [] ["'x'", "1"] None"#,
        "0 disconnect",
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn all_forms_of_a_log_give_the_same_capture_by_statements() {
    assert_load(&load_of_settings("log_statement = all\nlog_duration = on\n").await);
}

#[tokio::test]
async fn all_forms_of_a_log_give_the_same_capture_by_durations() {
    assert_load(&load_of_settings("log_min_duration_statement = 0\n").await);
}

/// Values of every form, and such as look like one.
const VALUES: &[&str] = &[
    "Ada Lovelace",
    "a",
    "",
    "ada@example.com",
    "Zoë Müller-Ångström",
    "Жуков",
    "中文字符",
    "😀 x",
    "42",
    "-1.50e3",
    "0",
    "007",
    "2026-11-29",
    "2026-11-29 12:00:00.5+01",
    "12:30",
    "2026-02-31",
    "1 year 2 mons -3 days 04:05:06.7",
    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
    "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
    "t",
    "\\x00ff17",
    "\\x0",
    "{\"name\": \"Ada\", \"tags\": [\"x y\", 12, -1.5e3, true, null], \"a\\\"b\" : \"c\\u00e9\\n\"}",
    "[1,2]",
    "{Ada,\"O'Neil, x\",NULL,7}",
    "{a,b",
    "{{a,b},{c,d}}",
    "line\none\ttwo",
    "it's",
    "4111 1111 1111 1111",
    "123-45-6789",
    "SW1A 1AA",
    "a very long text of more than thirty-two letters, which needs a second block of the stream of numbers 0123456789",
];

#[test]
fn the_substitution_in_sql_is_that_of_the_capture() {
    let server = Postgres::start_default();
    let key = MaskKey::from_bytes(*b"a key of thirty-two bytes, no le");
    for masks_all in [false, true] {
        let functions = server.write_file("mask.sql", &write_mask_functions(&key, masks_all));
        let text = fs::read_to_string(functions).unwrap();
        server.query_postgres(&text);
        let mask = ValueMask::new_keyed(masks_all, &key);
        for value in VALUES {
            let quoted = value.replace('\'', "''");
            let in_sql = server.query_postgres(&format!("SELECT '<' || pgdyno_mask('{quoted}'::text) || '>'"));
            assert_eq!(in_sql.trim_end_matches('\n'), format!("<{}>", mask.mask_value(value)), "{value} {masks_all}");
        }
    }
    let mask = ValueMask::new_keyed(true, &key);
    let typed =
        [("'\\x00ff'::bytea", "\\x00ff"), ("'{Ada,7}'::text[]", "{Ada,7}"), ("'2026-11-29'::date", "2026-11-29")];
    for (expression, value) in typed {
        let in_sql = server.query_postgres(&format!("SELECT pgdyno_mask({expression})::text"));
        assert_eq!(in_sql.trim(), mask.mask_value(value), "{expression}");
    }
}
