//! Logs in CSV, made by hand, and what the capture has of them.

use std::fs;
use std::path::Path;

use capture::directory::{CaptureReader, CaptureSummary, CapturedEvent, EventAction, Execution};
use capture::mask::{MaskKey, ValueMask};
use capture::{LogOptions, capture_logs};

/// One line of a log of PostgreSQL 14 or newer.
struct CsvLine {
    second: u32,
    pid: u32,
    line: u32,
    transaction: &'static str,
    level: &'static str,
    sqlstate: &'static str,
    message: String,
    detail: &'static str,
    query: &'static str,
}

fn log_line(second: u32, pid: u32, line: u32, message: &str) -> CsvLine {
    CsvLine {
        second,
        pid,
        line,
        transaction: "",
        level: "LOG",
        sqlstate: "00000",
        message: message.to_owned(),
        detail: "",
        query: "",
    }
}

fn quoted(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

fn csv_text(lines: &[CsvLine]) -> String {
    let mut text = String::new();
    for line in lines {
        text.push_str(&format!(
            "2026-11-29 12:00:{:02}.000 UTC,\"bob\",\"shop\",{},\"[local]\",692ae2a0.{:x},{},\"SELECT\",2025-11-29 12:10:40 UTC,{},0,{},{},{},{},,,,,{},,,\"app\",\"client backend\",,0\n",
            line.second,
            line.pid,
            line.pid,
            line.line,
            line.transaction,
            line.level,
            line.sqlstate,
            quoted(&line.message),
            quoted(line.detail),
            quoted(line.query)
        ));
    }
    text
}

fn captured_with(text: &[u8], mask: ValueMask) -> (CaptureSummary, Vec<String>, Vec<CapturedEvent>) {
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("postgresql.csv");
    fs::write(&log, text).unwrap();
    let out = directory.path().join("out");
    capture_logs(&LogOptions { files: vec![log], ..LogOptions::default() }, mask, &out).unwrap();
    read_capture(&out)
}

fn read_capture(out: &Path) -> (CaptureSummary, Vec<String>, Vec<CapturedEvent>) {
    let reader = CaptureReader::open_capture(out).unwrap();
    let mut texts = Vec::new();
    for statement in reader.statements() {
        texts.push(statement.text.clone());
    }
    let mut events = Vec::new();
    for event in reader.event_stream() {
        events.push(event.unwrap());
    }
    (reader.summary().clone(), texts, events)
}

fn executions(events: &[CapturedEvent]) -> Vec<Execution> {
    let mut executions = Vec::new();
    for event in events {
        if let EventAction::Execute(execution) = &event.action {
            executions.push(execution.clone());
        }
    }
    executions
}

fn losses(summary: &CaptureSummary) -> Vec<(&str, u64)> {
    let mut losses = Vec::new();
    for loss in &summary.losses {
        losses.push((loss.reason.as_str(), loss.count));
    }
    losses
}

#[test]
fn a_literal_is_no_bind_parameter_where_texts_are_alike_without_their_values() {
    let lines = [
        log_line(1, 10, 1, "duration: 0.250 ms  statement: SELECT id FROM t WHERE a = 7 LIMIT 10"),
        CsvLine {
            detail: "Parameters: $1 = '7'",
            ..log_line(2, 10, 2, "duration: 0.250 ms  execute <unnamed>: SELECT id FROM t WHERE a = $1 LIMIT 10")
        },
    ];
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("postgresql.csv");
    fs::write(&log, csv_text(&lines)).unwrap();
    let out = directory.path().join("out");
    capture_logs(&LogOptions { files: vec![log], ..LogOptions::default() }, ValueMask::new_open(), &out).unwrap();
    let reader = CaptureReader::open_capture(&out).unwrap();
    let mut counts = Vec::new();
    for statement in reader.statements() {
        counts.push((statement.text.as_str(), statement.parameters, statement.literals));
    }
    let text = "SELECT id FROM t WHERE a = $1 LIMIT $2";
    assert_eq!(counts, [(text, 0, 2), (text, 1, 1)]);
}

#[test]
fn statements_with_durations_become_executions_of_transactions() {
    let lines = [
        log_line(1, 10, 1, "duration: 1000.000 ms  statement: BEGIN"),
        CsvLine {
            detail: "Parameters: $1 = '7', $2 = NULL",
            ..log_line(2, 10, 2, "duration: 0.500 ms  execute <unnamed>: INSERT INTO t VALUES ($1, $2, 'x')")
        },
        log_line(3, 11, 1, "duration: 0.250 ms  statement: SELECT 1"),
        log_line(4, 10, 3, "duration: 0.100 ms  statement: COMMIT"),
        log_line(5, 10, 4, "duration: 0.100 ms  statement: SELECT 2"),
        log_line(6, 10, 5, "disconnection: session time: 0:00:06.000 user=bob database=shop host=[local]"),
    ];
    let (summary, texts, events) = captured_with(csv_text(&lines).as_bytes(), ValueMask::new_open());
    assert_eq!(texts, ["BEGIN", "INSERT INTO t VALUES ($1, $2, $3)", "SELECT $1", "COMMIT"]);
    let executions = executions(&events);
    let transactions: Vec<u64> = executions.iter().map(|execution| execution.transaction).collect();
    assert_eq!(transactions, [0, 0, 0, 0, 1]);
    assert_eq!(executions[1].parameters, [Some("7".to_owned()), None]);
    assert_eq!(executions[1].literals, ["'x'"]);
    assert_eq!(executions[1].duration_us, Some(500));
    assert_eq!(executions[4].literals, ["2"]);
    assert_eq!((summary.sessions, summary.transactions, summary.events), (2, 3, 8));
    assert_eq!(summary.databases["shop"], 5);
    assert!(summary.complete && summary.losses.is_empty());
    // The BEGIN began with the first second of the log less its duration.
    assert_eq!(events[1].at_us, -1_000_000);
    assert_eq!((events[7].at_us, &events[7].action), (5_000_000, &EventAction::Disconnect));
}

#[test]
fn statements_with_durations_of_their_own_lines_are_one_execution() {
    let lines = [
        log_line(1, 10, 1, "statement: SELECT 'a'"),
        log_line(2, 10, 2, "duration: 900.000 ms"),
        log_line(3, 10, 3, "duration: 0.010 ms"),
        log_line(3, 10, 4, "duration: 0.020 ms"),
        CsvLine { detail: "Parameters: $1 = '1'", ..log_line(3, 10, 5, "execute s1: SELECT $1") },
        log_line(4, 10, 6, "duration: 1.000 ms"),
        log_line(5, 10, 7, "statement: SELECT 'b'"),
    ];
    let (_, _, events) = captured_with(csv_text(&lines).as_bytes(), ValueMask::new_open());
    let durations: Vec<Option<u64>> = executions(&events).iter().map(|execution| execution.duration_us).collect();
    assert_eq!(durations, [Some(900_000), Some(1000), None]);
    assert_eq!(events[1].at_us, 0);
}

#[test]
fn failures_have_their_sqlstate_with_and_without_a_line_of_the_statement() {
    let failure = |second, line, query| CsvLine {
        level: "ERROR",
        sqlstate: "23505",
        query,
        ..log_line(second, 10, line, "duplicate key value violates unique constraint \"t_pkey\"")
    };
    let lines = [
        log_line(1, 10, 1, "statement: INSERT INTO t VALUES (1)"),
        failure(1, 2, "INSERT INTO t VALUES (1)"),
        failure(2, 3, "INSERT INTO t VALUES (2)"),
        failure(3, 4, ""),
        failure(4, 5, "INSERT INTO t VALUES ($1)"),
    ];
    let (summary, texts, events) = captured_with(csv_text(&lines).as_bytes(), ValueMask::new_open());
    assert_eq!(texts, ["INSERT INTO t VALUES ($1)"]);
    let errors: Vec<Option<String>> = executions(&events).into_iter().map(|execution| execution.error).collect();
    assert_eq!(errors, [Some("23505".to_owned()), Some("23505".to_owned())]);
    assert_eq!(losses(&summary), [("error-without-statement", 1), ("parameters-missing", 1)]);
}

#[test]
fn statements_share_a_transaction_by_its_number_where_begin_was_not_logged() {
    let number = |transaction, line, text: &str| CsvLine { transaction, ..log_line(line, 10, line, text) };
    let lines = [
        number("4/7", 1, "duration: 9.0 ms  statement: SELECT 1"),
        number("4/7", 2, "duration: 9.0 ms  statement: SELECT 1"),
        number("4/0", 3, "duration: 9.0 ms  statement: SELECT 1"),
        number("4/0", 4, "duration: 9.0 ms  statement: SELECT 1"),
    ];
    let (summary, _, events) = captured_with(csv_text(&lines).as_bytes(), ValueMask::new_open());
    let transactions: Vec<u64> = executions(&events).iter().map(|execution| execution.transaction).collect();
    assert_eq!(transactions, [0, 0, 1, 2]);
    assert_eq!(summary.transactions, 3);
}

#[test]
fn what_cannot_be_kept_is_counted_by_reason() {
    let execute = "duration: 0.5 ms  execute a: SELECT $1";
    let lines = [
        CsvLine { detail: "Parameters: $1 = 'abcde...'", ..log_line(1, 10, 1, execute) },
        CsvLine { detail: "Parameters: $1 = 'abcdefghijkl'", ..log_line(1, 10, 2, execute) },
        CsvLine { detail: "Parameters: $1 = 'so...'", ..log_line(1, 10, 3, execute) },
        CsvLine { detail: "Parameters: $1 = 'a", ..log_line(1, 10, 4, execute) },
        log_line(1, 10, 5, execute),
        log_line(1, 10, 6, "duration: 0.5 ms  execute fetch from c: SELECT 1"),
        log_line(1, 10, 7, "duration: 0.5 ms  statement: SELECT 'a"),
        log_line(1, 10, 9, "duration: 0.5 ms  fastpath function call: \"f\" (OID 1)"),
        CsvLine { level: "FEHLER", ..log_line(1, 10, 10, "x") },
        log_line(1, 10, 11, "duration: 0.5 ms  plan:\nQuery Text: SELECT 1"),
    ];
    let mut text = csv_text(&lines).into_bytes();
    text.extend_from_slice(b"nonsense\n2026-11-29 12:00:02.000 UTC,\"bob\",\"sh");
    let (summary, _, events) = captured_with(&text, ValueMask::new_open());
    let parameters: Vec<Vec<Option<String>>> =
        executions(&events).into_iter().map(|execution| execution.parameters).collect();
    assert_eq!(parameters, [[Some("abcdefghijkl".to_owned())], [Some("so...".to_owned())]]);
    assert_eq!(
        losses(&summary),
        [
            ("function-call", 1),
            ("line-malformed", 1),
            ("lines-missing", 1),
            ("parameters-cut", 1),
            ("parameters-malformed", 1),
            ("parameters-missing", 1),
            ("portal-continued", 1),
            ("severity-unknown", 1),
            ("text-not-scanned", 1),
            ("torn-line", 1),
        ]
    );
    assert_eq!(summary.losses[0].first, "postgresql.csv:8");
}

#[test]
fn sessions_of_two_servers_overlap() {
    let of_one = csv_text(&[
        log_line(1, 10, 1, "duration: 0.5 ms  statement: SELECT 1"),
        log_line(3, 10, 2, "duration: 0.5 ms  statement: SELECT 1"),
    ]);
    // The same process number with a session that began earlier than the other's last message.
    let of_another = of_one.replace("692ae2a0.a,", "692ae2a1.a,");
    let (summary, _, _) = captured_with(format!("{of_one}{of_another}").as_bytes(), ValueMask::new_open());
    assert_eq!(losses(&summary), [("sessions-overlap", 1)]);
    assert_eq!(summary.sessions, 2);
}

#[test]
fn a_record_that_is_torn_in_the_middle_costs_one_statement() {
    let whole = csv_text(&[
        log_line(1, 10, 1, "duration: 0.5 ms  statement: SELECT 1"),
        log_line(2, 10, 2, "duration: 0.5 ms  statement: SELECT\n2"),
        log_line(3, 10, 3, "duration: 0.5 ms  statement: SELECT 3"),
    ]);
    let second = whole.match_indices("2026-11-29").nth(1).unwrap().0;
    let third = whole.match_indices("2026-11-29").nth(2).unwrap().0;
    // A crash within the text, after which the next server writes on.
    let torn = second + whole[second..].find("SELECT\n").unwrap() + 3;
    let text = format!("{}{}{}", &whole[..torn], "\n", &whole[third..]);
    let (summary, _, events) = captured_with(text.as_bytes(), ValueMask::new_open());
    let literals: Vec<Vec<String>> = executions(&events).into_iter().map(|execution| execution.literals).collect();
    assert_eq!(literals, [["1"], ["3"]]);
    assert_eq!(losses(&summary), [("line-malformed", 1), ("lines-missing", 1)]);
}

#[test]
fn no_secret_is_in_any_file() {
    const SECRETS: &[&str] = &["Tr0ub4dor", "hunter", "SCRAM"];
    let lines = [
        log_line(1, 10, 1, "duration: 0.5 ms  statement: ALTER ROLE bob PASSWORD 'Tr0ub4dor'"),
        log_line(1, 10, 2, "duration: 0.5 ms  statement: SELECT dblink_connect('x', 'host=a password=hunter2')"),
        log_line(1, 10, 3, "duration: 0.5 ms  statement: SELECT 1 /* hunter2 */"),
        log_line(1, 10, 4, "duration: 0.5 ms  statement: SELECT 'postgresql://bob:hunter2@a/b'"),
        log_line(1, 10, 5, "duration: 0.5 ms  statement: ALTER USER bob PASSWORD 'SCRAM-SHA-256$4096:x'"),
        log_line(1, 10, 6, "duration: 0.5 ms  statement: CREATE USER x PASSWORD 'Tr0ub4dor"),
        CsvLine {
            detail: "Parameters: $1 = 'host=a user=b password=hunter2'",
            ..log_line(1, 10, 7, "duration: 0.5 ms  execute a: INSERT INTO t VALUES ($1)")
        },
        CsvLine {
            level: "ERROR",
            sqlstate: "42601",
            query: "ALTR ROLE bob PASSWORD 'Tr0ub4dor'",
            ..log_line(1, 10, 8, "syntax error at or near \"ALTR\"")
        },
        log_line(1, 10, 9, "duration: 0.5 ms  statement: DO $$ BEGIN CREATE ROLE x PASSWORD 'hunter2'; END $$"),
    ];
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("postgresql.csv");
    fs::write(&log, csv_text(&lines)).unwrap();
    let key = MaskKey::from_bytes([1; 32]);
    for (number, mask) in [ValueMask::new_open(), ValueMask::new_keyed(false, &key), ValueMask::new_keyed(true, &key)]
        .into_iter()
        .enumerate()
    {
        let out = directory.path().join(number.to_string());
        capture_logs(&LogOptions { files: vec![log.clone()], ..LogOptions::default() }, mask, &out).unwrap();
        let (_, _, events) = read_capture(&out);
        assert!(executions(&events).len() >= 5);
        let mut written = fs::read_to_string(out.join("capture.json")).unwrap();
        written.push_str(&fs::read_to_string(out.join("statements.jsonl")).unwrap());
        for event in events {
            written.push_str(&serde_json::to_string(&event).unwrap());
        }
        for secret in SECRETS {
            assert!(!written.contains(secret), "{secret} in {written}");
        }
    }
}

#[test]
fn values_are_masked_and_numbers_stay() {
    let lines = [CsvLine {
        detail: "Parameters: $1 = 'Ada Lovelace', $2 = '42'",
        ..log_line(1, 10, 1, "duration: 0.5 ms  execute a: SELECT $1, $2, 'Ada Lovelace', 5, date_trunc('day', now())")
    }];
    let mask = ValueMask::new_keyed(false, &MaskKey::from_bytes([1; 32]));
    let (_, _, events) = captured_with(csv_text(&lines).as_bytes(), mask);
    let execution = &executions(&events)[0];
    let name = execution.parameters[0].clone().unwrap();
    assert_ne!(name, "Ada Lovelace");
    assert_eq!(name.find(' '), Some(3));
    assert_eq!(execution.parameters[1].as_deref(), Some("42"));
    assert_eq!(execution.literals, [format!("'{name}'"), "5".to_owned(), "'day'".to_owned()]);
}
