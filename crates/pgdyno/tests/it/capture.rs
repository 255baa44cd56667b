//! `pgdyno capture` as a person types it: a load on a real PostgreSQL, captured from each form of its log, described,
//! masked; and what is refused.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use testbed::{Postgres, Setup};
use tokio_postgres::NoTls;

use crate::lab::Lab;

const SETTINGS: &str = "
logging_collector = on
log_directory = 'logs'
log_filename = 'server.log'
log_connections = on
log_disconnections = on
log_min_duration_statement = 0
log_line_prefix = '%m [%p] %c %l %v %e %q%u@%d %a '
log_parameter_max_length_on_error = -1
";

async fn run_load(server: &Postgres) {
    for application in ["orders", "reports"] {
        let conninfo = format!("{} application_name={application}", server.socket_conninfo());
        let (client, connection) = tokio_postgres::connect(&conninfo, NoTls).await.expect("a session");
        tokio::spawn(connection);
        client.batch_execute("CREATE TEMP TABLE t (a int, b text)").await.expect("a table");
        let insert = client.prepare("INSERT INTO t VALUES ($1, $2)").await.expect("prepared");
        client.batch_execute("BEGIN").await.expect("begun");
        for number in 0..5 {
            client.execute(&insert, &[&number, &Some("Ada Lovelace")]).await.expect("a row");
        }
        client.batch_execute("COMMIT").await.expect("committed");
        client.batch_execute("SELECT count(*) FROM t WHERE b = 'Ada Lovelace'").await.expect("counted");
        client.batch_execute("SELECT 1/0").await.expect_err("an error");
        client.batch_execute("ALTER ROLE postgres PASSWORD 'Tr0ub4dor'").await.expect("altered");
    }
}

/// The text of a log whose server was stopped. The process that writes it ends after the server.
pub fn read_whole_log(path: &Path) -> String {
    for _ in 0..200 {
        let text = fs::read_to_string(path).unwrap_or_default();
        if text.contains("database system is shut down") {
            return text;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("{} does not end with the end of its server", path.display());
}

/// The logs of a load: the lab has `server.csv`, `server.log` and, from PostgreSQL 15 on, `server.json`.
fn lab_with_logs() -> (Lab, Vec<&'static str>) {
    let lab = Lab::new();
    let server = Setup { settings: format!("{SETTINGS}log_destination = 'stderr,csvlog'\n"), ..Setup::default() };
    let server = server.make_server();
    let has_json = server.major_version() >= 15;
    if has_json {
        server.append_configuration("log_destination = 'stderr,csvlog,jsonlog'\n");
    }
    server.start_again();
    tokio::runtime::Runtime::new().expect("a runtime").block_on(run_load(&server));
    server.stop_in_order();
    let names =
        if has_json { vec!["server.csv", "server.log", "server.json"] } else { vec!["server.csv", "server.log"] };
    for name in &names {
        lab.write(name, read_whole_log(&server.data_directory().join("logs").join(name)));
    }
    (lab, names)
}

fn described(lab: &Lab, directory: &str) -> Value {
    let ended = lab.pgdyno(&format!("capture describe {directory} --json"));
    ended.exits(0);
    let mut description: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    // What the forms say differently: sizes, and instants of the first and last line.
    for key in ["sources", "begin", "end"] {
        description["summary"].as_object_mut().expect("an object").remove(key);
    }
    description
}

#[test]
fn a_load_is_captured_alike_from_every_form_of_the_log() {
    let (lab, names) = lab_with_logs();
    let mut descriptions = Vec::new();
    for name in &names {
        let out = format!("out-{name}");
        let mut program = lab.program(&format!("capture --log {name} --out {out} --user postgres --mask-key key"));
        program = program.arguments(["--log-line-prefix", "%m [%p] %c %l %v %e %q%u@%d %a "]);
        program.start().end().exits(0);
        descriptions.push(described(&lab, &out));
    }
    let first = &descriptions[0];
    assert_eq!(first["summary"]["sessions"], 2);
    assert_eq!(first["summary"]["transactions"], 10);
    assert_eq!(first["summary"]["losses"], Value::Array(Vec::new()));
    for description in &descriptions {
        assert_eq!(description, first);
    }
    let mode = fs::metadata(lab.path().join("key")).expect("a key").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = fs::read_to_string(lab.path().join("out-server.csv/statements.jsonl")).expect("statements");
    assert!(!text.contains("Tr0ub4dor") && !text.contains("Lovelace"), "{text}");
    let samples = lab.pgdyno("capture describe out-server.csv --redaction");
    samples.exits(0);
    assert!(samples.stdout.contains("removed") && !samples.stdout.contains("Lovelace"), "{}", samples.stdout);
    let functions = lab.pgdyno("capture mask-sql out-server.csv --mask-key key");
    functions.exits(0);
    assert!(functions.stdout.contains("CREATE OR REPLACE FUNCTION pgdyno_mask(value text)"));
}

#[test]
fn what_cannot_be_captured_is_refused_by_name() {
    let lab = Lab::new();
    lab.write("empty.log", "");
    lab.write("binary.log", [0_u8, 159, 146, 150].repeat(100));
    lab.write("bare.log", "2026-11-29 12:00:00.123 UTC LOG:  statement: SELECT 1\n");
    lab.write("india.log", "2026-11-29 12:00:00.123 IST [42] LOG:  statement: SELECT 1\n");
    lab.write("good.log", "2026-11-29 12:00:00.123 UTC [42] LOG:  statement: SELECT 1\n");
    fs::create_dir(lab.path().join("full")).expect("a directory");
    lab.write("full/file", "");
    let refusals = [
        ("capture --log empty.log --out a", "empty.log does not begin as a log of PostgreSQL"),
        ("capture --log binary.log --out b", "binary.log does not begin as a log of PostgreSQL"),
        ("capture --log missing.log --out c", "could not read missing.log"),
        ("capture --log bare.log --out d", "does not say which session wrote a line and when"),
        ("capture --log india.log --out e", "the abbreviation IST of a time zone is not known"),
        ("capture --log good.log --out full", "full is not empty"),
        ("capture --log good.log --out f --mask-key f/key", "the key f/key is within the capture directory"),
        ("capture --log good.log --out g --database shop", "does not have the database of a session"),
        ("capture --log good.log --out h --timezone Mars/Base", "the time zone \"Mars/Base\" is not known"),
        ("capture --log good.log --out i --log-line-prefix %p|", "no line of good.log has the log_line_prefix \"%p|\""),
        ("capture describe full", "full is not a capture directory"),
    ];
    for (line, expected) in refusals {
        let ended = lab.pgdyno(line);
        ended.exits(2);
        assert!(ended.stderr.contains(expected), "{line}: {}", ended.stderr);
    }
    assert!(!lab.path().join("h.key").exists(), "no key is created for a time zone that is none");
    lab.pgdyno("capture --log india.log --out j --timezone Asia/Kolkata").exits(0);
}
