//! Sessions written by hand, byte by byte as drivers and servers write them.

use super::*;
use crate::directory::{CaptureReader, CaptureSummary, StatementProtocol, ValueOrigin};

fn message(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    let mut bytes = vec![tag];
    bytes.extend(u32::try_from(body.len() + 4).unwrap().to_be_bytes());
    bytes.extend(body);
    bytes
}

fn query(text: &str) -> Vec<u8> {
    message(b'Q', &[text.as_bytes(), b"\0"])
}

fn parse(name: &str, text: &str) -> Vec<u8> {
    message(b'P', &[name.as_bytes(), b"\0", text.as_bytes(), b"\0\0\0"])
}

/// Values in text format for the unnamed portal.
fn bind(statement: &str, values: &[&str]) -> Vec<u8> {
    let mut body = Vec::new();
    body.extend(u16::try_from(values.len()).unwrap().to_be_bytes());
    for value in values {
        body.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
        body.extend(value.as_bytes());
    }
    message(b'B', &[b"\0", statement.as_bytes(), b"\0\0\0", &body, b"\0\0"])
}

const DESCRIBE_PORTAL: &[u8] = b"D\0\0\0\x06P\0";
const EXECUTE: &[u8] = b"E\0\0\0\x09\0\0\0\0\0";
const SYNC: &[u8] = b"S\0\0\0\x04";
const PARSED: &[u8] = b"1\0\0\0\x04";
const BOUND: &[u8] = b"2\0\0\0\x04";
const NO_DATA: &[u8] = b"n\0\0\0\x04";

fn ready(status: u8) -> Vec<u8> {
    message(b'Z', &[&[status]])
}

fn complete(tag: &str) -> Vec<u8> {
    message(b'C', &[tag.as_bytes(), b"\0"])
}

fn row(values: &[&str]) -> Vec<u8> {
    let mut body = u16::try_from(values.len()).unwrap().to_be_bytes().to_vec();
    for value in values {
        body.extend(u32::try_from(value.len()).unwrap().to_be_bytes());
        body.extend(value.as_bytes());
    }
    message(b'D', &[&body])
}

fn error(sqlstate: &str) -> Vec<u8> {
    message(b'E', &[b"SERROR\0C", sqlstate.as_bytes(), b"\0Mwrong\0\0"])
}

enum Sent<'a> {
    Client(u64, i64, &'a [&'a [u8]]),
    Server(u64, i64, &'a [&'a [u8]]),
    End(u64, i64),
}

struct Recorded {
    lines: Vec<String>,
    executions: Vec<Execution>,
    summary: CaptureSummary,
}

fn record(mask: ValueMask, sent: &[Sent<'_>]) -> Recorded {
    record_with(mask, sent, |recorder| recorder)
}

fn record_with(
    mask: ValueMask,
    sent: &[Sent<'_>],
    finally: impl FnOnce(TrafficRecorder) -> TrafficRecorder,
) -> Recorded {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("c");
    let capture = TrafficCapture::create_directory(&directory, mask, Timestamp::UNIX_EPOCH).unwrap();
    let mut recorder = capture.start_recorder();
    for key in 1..=2 {
        let names = TrafficSession { user: "bob".into(), database: "shop".into(), ..TrafficSession::default() };
        recorder.begin_session(key, names, 0);
    }
    for sent in sent {
        match sent {
            Sent::Client(key, at_us, bytes) => recorder.take_client_bytes(*key, &bytes.concat(), *at_us).unwrap(),
            Sent::Server(key, at_us, bytes) => recorder.take_server_bytes(*key, &bytes.concat(), *at_us).unwrap(),
            Sent::End(key, at_us) => recorder.end_session(*key, *at_us).unwrap(),
        }
    }
    let summary = finally(recorder).finish_recording(1000).unwrap();
    let reader = CaptureReader::open_capture(&directory).unwrap();
    let (mut lines, mut executions) = (Vec::new(), Vec::new());
    for event in reader.event_stream() {
        let event = event.unwrap();
        let EventAction::Execute(execution) = event.action else { continue };
        let statement = reader.statement_by_id(execution.statement).unwrap();
        let protocol = if statement.protocol == StatementProtocol::Simple { "Q" } else { "E" };
        let values: Vec<&str> = execution.parameters.iter().map(|value| value.as_deref().unwrap_or("NULL")).collect();
        lines.push(format!(
            "{} x{} {protocol} {} {values:?} at {} for {} rows {:?} {}",
            event.session,
            execution.transaction,
            statement.text,
            event.at_us,
            execution.duration_us.unwrap(),
            execution.rows,
            execution.error.as_deref().unwrap_or("-"),
        ));
        executions.push(execution);
    }
    Recorded { lines, executions, summary }
}

fn losses(recorded: &Recorded) -> Vec<(&str, u64)> {
    recorded.summary.losses.iter().map(|loss| (loss.reason.as_str(), loss.count)).collect()
}

#[test]
fn both_protocols_are_captured_with_times_rows_and_transactions() {
    let recorded = record(
        ValueMask::new_open(),
        &[
            Sent::Client(1, 10, &[&query("BEGIN")]),
            Sent::Server(1, 15, &[&complete("BEGIN"), &ready(b'T')]),
            Sent::Client(
                1,
                20,
                &[&parse("", "INSERT INTO t VALUES ($1)"), &bind("", &["a"]), DESCRIBE_PORTAL, EXECUTE, SYNC],
            ),
            Sent::Server(1, 27, &[PARSED, BOUND, NO_DATA, &complete("INSERT 0 1"), &ready(b'T')]),
            Sent::Client(1, 30, &[&query("COMMIT")]),
            Sent::Server(1, 39, &[&complete("COMMIT"), &ready(b'I')]),
            Sent::Client(1, 50, &[&query("SELECT 1")]),
            Sent::Server(1, 51, &[&row(&["1"]), &complete("SELECT 1"), &ready(b'I')]),
            Sent::Client(1, 60, &[&query("SELECT 1/0")]),
            Sent::Server(1, 62, &[&error("22012"), &ready(b'I')]),
            Sent::Client(1, 70, &[&query(" ")]),
            Sent::Server(1, 72, &[b"I\0\0\0\x04", &ready(b'I')]),
            Sent::End(1, 80),
        ],
    );
    let expected = [
        "0 x0 Q BEGIN [] at 10 for 5 rows None -",
        "0 x0 E INSERT INTO t VALUES ($1) [\"a\"] at 20 for 7 rows Some(1) -",
        "0 x0 Q COMMIT [] at 30 for 9 rows None -",
        "0 x1 Q SELECT $1 [] at 50 for 1 rows Some(1) -",
        "0 x2 Q SELECT $1/$2 [] at 60 for 2 rows None 22012",
    ];
    assert_eq!(recorded.lines, expected);
    assert_eq!((recorded.summary.transactions, recorded.summary.sessions), (3, 1));
    assert!(recorded.executions[3].rows_hash.is_some() && recorded.executions[1].rows_hash.is_none());
    assert_eq!(recorded.summary.losses, []);
}

#[test]
fn a_pipeline_is_as_many_statements_of_which_those_after_an_error_are_none() {
    let statement = "UPDATE t SET a = $1";
    let recorded = record(
        ValueMask::new_open(),
        &[
            Sent::Client(
                1,
                10,
                &[&parse("s", statement), &bind("s", &["1"]), EXECUTE, &bind("s", &["2"]), EXECUTE, SYNC],
            ),
            Sent::Client(
                1,
                11,
                &[&bind("s", &["3"]), EXECUTE, &bind("s", &["4"]), EXECUTE, &bind("s", &["5"]), EXECUTE, SYNC],
            ),
            Sent::Server(1, 20, &[PARSED, BOUND, &complete("UPDATE 1"), BOUND, &complete("UPDATE 2"), &ready(b'I')]),
            Sent::Server(1, 30, &[BOUND, &complete("UPDATE 3"), BOUND, &error("40001"), &ready(b'I')]),
            Sent::Client(1, 40, &[&parse("", "SELEC $1"), &bind("", &["7"]), EXECUTE, SYNC]),
            Sent::Server(1, 44, &[&error("42601"), &ready(b'I')]),
        ],
    );
    let expected = [
        "0 x0 E UPDATE t SET a = $1 [\"1\"] at 10 for 10 rows Some(1) -",
        "0 x0 E UPDATE t SET a = $1 [\"2\"] at 10 for 0 rows Some(2) -",
        "0 x1 E UPDATE t SET a = $1 [\"3\"] at 11 for 10 rows Some(3) -",
        "0 x1 E UPDATE t SET a = $1 [\"4\"] at 11 for 0 rows None 40001",
        "0 x2 E SELEC $1 [\"7\"] at 40 for 4 rows None 42601",
    ];
    assert_eq!(recorded.lines, expected);
    assert_eq!(recorded.summary.losses, []);
}

#[test]
fn copy_in_both_protocols_leaves_the_answers_in_step() {
    let copied = message(b'd', &[b"1\n2\n"]);
    let done = b"c\0\0\0\x04";
    let copy_in: &[u8] = b"G\0\0\0\x07\0\0\0";
    let recorded = record(
        ValueMask::new_open(),
        &[
            // As libpq does: the first Sync comes before the data, and the server passes it over.
            Sent::Client(1, 10, &[&parse("", "COPY t FROM STDIN"), &bind("", &[]), DESCRIBE_PORTAL, EXECUTE, SYNC]),
            Sent::Server(1, 12, &[PARSED, BOUND, NO_DATA, copy_in]),
            Sent::Client(1, 14, &[&copied, done, SYNC]),
            Sent::Server(1, 16, &[&complete("COPY 2"), &ready(b'I')]),
            Sent::Client(1, 20, &[&query("COPY t FROM STDIN")]),
            Sent::Server(1, 22, &[copy_in]),
            Sent::Client(1, 24, &[&copied, done]),
            Sent::Server(1, 26, &[&complete("COPY 2"), &ready(b'I')]),
            Sent::Client(1, 30, &[&query("COPY t TO STDOUT")]),
            Sent::Server(1, 31, &[b"H\0\0\0\x07\0\0\0", &copied, done, &complete("COPY 2"), &ready(b'I')]),
            Sent::Client(1, 40, &[&query("SELECT 1")]),
            Sent::Server(1, 41, &[&row(&["1"]), &complete("SELECT 1"), &ready(b'I')]),
        ],
    );
    let expected = [
        "0 x0 E COPY t FROM STDIN [] at 10 for 6 rows Some(2) -",
        "0 x1 Q COPY t FROM STDIN [] at 20 for 6 rows Some(2) -",
        "0 x2 Q COPY t TO STDOUT [] at 30 for 1 rows Some(2) -",
        "0 x3 Q SELECT $1 [] at 40 for 1 rows Some(1) -",
    ];
    assert_eq!(recorded.lines, expected);
}

#[test]
fn values_are_followed_to_the_parameters_of_any_session() {
    let insert = parse("", "INSERT INTO orders (customer) VALUES ($1) RETURNING *");
    let later = parse("", "INSERT INTO lines VALUES ($1, $2)");
    let recorded = record(
        ValueMask::new_open(),
        &[
            Sent::Client(1, 10, &[&insert, &bind("", &["7"]), DESCRIBE_PORTAL, EXECUTE, SYNC]),
            Sent::Server(
                1,
                11,
                &[PARSED, BOUND, NO_DATA, &row(&["7", "20001"]), &complete("INSERT 0 1"), &ready(b'I')],
            ),
            Sent::Client(1, 20, &[&later, &bind("", &["7", "20001"]), DESCRIBE_PORTAL, EXECUTE, SYNC]),
            Sent::Server(1, 21, &[PARSED, BOUND, NO_DATA, &complete("INSERT 0 1"), &ready(b'I')]),
            Sent::Client(2, 30, &[&query("UPDATE orders SET paid = true WHERE id = 20001")]),
            Sent::Server(2, 31, &[&complete("UPDATE 1"), &ready(b'I')]),
        ],
    );
    // The event before the first one is that of the connection.
    let origin = |place| vec![ValueOrigin { place, event: 1, column: 1, row: 0 }];
    assert_eq!(recorded.executions[1].origins, origin(1));
    assert_eq!(recorded.executions[2].origins, origin(0));
}

#[test]
fn passwords_are_removed_and_hashes_are_keyed() {
    let requests = [query("ALTER ROLE bob PASSWORD 'hunter2'"), query("SELECT 'hunter2'::text")];
    let answers = [
        [complete("ALTER ROLE"), ready(b'I')].concat(),
        [row(&["hunter2"]), complete("SELECT 1"), ready(b'I')].concat(),
    ];
    let (first, second) = ([&*requests[0]], [&*requests[1]]);
    let (first_answer, second_answer) = ([&*answers[0]], [&*answers[1]]);
    let sent = [
        Sent::Client(1, 10, &first),
        Sent::Server(1, 11, &first_answer),
        Sent::Client(1, 12, &second),
        Sent::Server(1, 13, &second_answer),
    ];
    let open = record(ValueMask::new_open(), &sent[..2]);
    assert_eq!(open.executions[0].literals, ["'removed'"]);
    let key = |byte| ValueMask::new_keyed(false, &crate::mask::MaskKey::from_bytes([byte; 32]));
    let (first, second) = (record(key(1), &sent), record(key(2), &sent));
    assert_ne!(first.executions[1].rows_hash, second.executions[1].rows_hash);
    assert!(!format!("{:?} {:?}", first.executions, first.lines).contains("hunter2"));
}

#[test]
fn what_is_not_captured_is_counted_by_reason() {
    let binary = message(b'B', &[b"\0s\0\0\x01\0\x01\0\x01\0\0\0\x02\x01\x02\0\0"]);
    let recorded = record_with(
        ValueMask::new_open(),
        &[
            Sent::Client(1, 10, &[&parse("s", "SELECT $1"), &binary, EXECUTE, SYNC]),
            Sent::Server(1, 11, &[PARSED, BOUND, &complete("SELECT 0"), &ready(b'I')]),
            Sent::Client(1, 12, &[&bind("unknown", &[]), EXECUTE, SYNC]),
            Sent::Server(1, 13, &[BOUND, &complete("SELECT 0"), &ready(b'I')]),
            Sent::Client(1, 14, &[&bind("s", &["x"]), EXECUTE, EXECUTE, SYNC]),
            Sent::Server(1, 15, &[BOUND, b"s\0\0\0\x04", &complete("SELECT 1"), &ready(b'I')]),
            Sent::Client(1, 16, &[&message(b'F', &[b"\0\0\0\x01"])]),
            Sent::Server(1, 17, &[b"V\0\0\0\x08\xff\xff\xff\xff", &ready(b'I')]),
            Sent::Client(1, 18, &[&query("SELECT pg_sleep(9)")]),
            Sent::End(1, 20),
        ],
        |mut recorder| {
            recorder.skip_messages(2, 5, 30).unwrap();
            recorder.count_replication(3);
            recorder
        },
    );
    let expected = [
        ("capture-behind", 5),
        ("function-call", 1),
        ("parameter-type-unknown", 1),
        ("portal-continued", 1),
        ("replication-session", 1),
        ("statement-unfinished", 1),
        ("statement-unknown", 1),
    ];
    assert_eq!(losses(&recorded), expected);
    assert_eq!(recorded.lines, ["0 x1 E SELECT $1 [\"x\"] at 14 for 1 rows None -"]);
    assert_eq!(recorded.summary.losses[0].first, "connection:2");
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_it_panic(pieces: Vec<(bool, Vec<u8>)>) {
        let place = tempfile::tempdir().unwrap();
        let capture =
            TrafficCapture::create_directory(&place.path().join("c"), ValueMask::new_open(), Timestamp::UNIX_EPOCH);
        let mut recorder = capture.unwrap().start_recorder();
        recorder.begin_session(1, TrafficSession::default(), 0);
        for (is_client, bytes) in pieces {
            let mut message = vec![*b"QPBDCEFSdcTZt12n".get(bytes.len() % 16).unwrap()];
            message.extend(u32::try_from(bytes.len() + 4).unwrap().to_be_bytes());
            message.extend(bytes);
            if is_client {
                recorder.take_client_bytes(1, &message, 1).unwrap();
            } else {
                recorder.take_server_bytes(1, &message, 1).unwrap();
            }
        }
        recorder.finish_recording(2).unwrap();
    }
}
