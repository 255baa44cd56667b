//! A capture directory round trip, torn ends, and what is refused.

use std::fs::{self, OpenOptions};
use std::path::Path;

use proptest::prelude::*;

use super::*;

fn example_summary() -> CaptureSummary {
    let files = vec![CaptureSourceFile { name: "postgresql.csv".to_owned(), bytes: 12 }];
    let sources = vec![CaptureSource { kind: "csvlog".to_owned(), files }];
    CaptureSummary::new_incomplete(sources, CaptureMask::Text)
}

fn example_statement(text: &str) -> CapturedStatement {
    CapturedStatement {
        id: 0,
        fingerprint: "00ff".to_owned(),
        text: text.to_owned(),
        parameters: 1,
        literals: 2,
        kind: "SELECT".to_owned(),
        writes: false,
        beyond: None,
        protocol: StatementProtocol::Extended,
    }
}

fn execution_event(number: u64) -> CapturedEvent {
    let execution = Execution {
        duration_us: Some(number),
        transaction: number,
        parameters: vec![None, Some("x\u{0}\n".to_owned())],
        ..Execution::default()
    };
    CapturedEvent { session: number % 7, at_us: -3, action: EventAction::Execute(execution) }
}

fn read_all_events(directory: &Path) -> (Vec<CapturedEvent>, Option<TornEnd>) {
    let mut stream = CaptureReader::open_capture(directory).unwrap().event_stream();
    let mut events = Vec::new();
    for event in stream.by_ref() {
        events.push(event.unwrap());
    }
    (events, stream.torn_end().cloned())
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[a-z'\"\\\\\n$0-9]{0,20}"]
}

fn any_origin() -> impl Strategy<Value = ValueOrigin> {
    (any::<u32>(), any::<u64>(), any::<u32>(), any::<u64>()).prop_map(ValueOrigin::from)
}

fn any_event() -> impl Strategy<Value = CapturedEvent> {
    let execution = (
        any::<Option<u64>>(),
        0_u64..2,
        any::<u64>(),
        prop::collection::vec(prop::option::of(any_text()), 0..4),
        prop::collection::vec(any_text(), 0..4),
        prop::option::of("[0-9A-Z]{5}"),
        (any::<Option<u64>>(), any::<Option<u64>>(), prop::collection::vec(any_origin(), 0..3)),
    );
    let execution = execution.prop_map(|(duration_us, statement, transaction, parameters, literals, error, result)| {
        let (rows, rows_hash, origins) = result;
        EventAction::Execute(Execution {
            duration_us,
            statement,
            transaction,
            parameters,
            literals,
            error,
            rows,
            rows_hash,
            origins,
        })
    });
    let connect = (any_text(), any_text(), any_text());
    let connect =
        connect.prop_map(|(user, database, application)| EventAction::Connect { user, database, application });
    let action = prop_oneof![4 => execution, 1 => connect, 1 => Just(EventAction::Disconnect)];
    (any::<u64>(), any::<i64>(), action).prop_map(|(session, at_us, action)| CapturedEvent { session, at_us, action })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(events in prop::collection::vec(any_event(), 0..40)) {
        let directory = tempfile::tempdir().unwrap();
        let mut writer = CaptureWriter::create_capture(directory.path(), &example_summary()).unwrap();
        for text in ["SELECT $1", "SELECT $1, $2"] {
            writer.write_statement(example_statement(text)).unwrap();
        }
        for event in &events {
            writer.write_event(event.clone()).unwrap();
        }
        let written = writer.finish_capture(&example_summary()).unwrap();
        let reader = CaptureReader::open_capture(directory.path()).unwrap();
        prop_assert_eq!(reader.summary(), &written);
        prop_assert_eq!(reader.summary().events, events.len() as u64);
        prop_assert_eq!(reader.statement_by_id(1).unwrap().text.as_str(), "SELECT $1, $2");
        prop_assert_eq!(reader.statement_by_id(2), None);
        let (read, torn) = read_all_events(directory.path());
        prop_assert_eq!(read, events);
        prop_assert_eq!(torn, None);
    }

    #[test]
    fn literals_return_to_their_places(literals in prop::collection::vec("[a-z0-9'$]{1,6}", 2..=2)) {
        let statement = example_statement("SELECT $1, $2, \"$3\", a$3, $3");
        let expected = format!("SELECT $1, {}, \"$3\", a$3, {}", literals[0], literals[1]);
        prop_assert_eq!(statement.text_with_literals(&literals), Some(expected));
    }
}

#[test]
fn another_number_of_literals_gives_no_text() {
    assert_eq!(example_statement("SELECT $1, $2, $3").text_with_literals(&["1".to_owned()]), None);
    assert_eq!(example_statement("SELECT $1, $2").text_with_literals(&["1".to_owned(), "2".to_owned()]), None);
}

#[test]
fn an_event_is_one_short_line() {
    let mut event = execution_event(1);
    assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"s":1,"t":-3,"d":1,"q":0,"x":1,"p":[null,"x\u0000\n"]}"#);
    event.action = EventAction::Disconnect;
    assert_eq!(serde_json::to_string(&event).unwrap(), r#"{"s":1,"t":-3,"disconnect":true}"#);
}

/// A killed capture with events that were flushed, and some that were not.
fn killed_capture(directory: &Path) {
    let mut writer = CaptureWriter::create_capture(directory, &example_summary()).unwrap();
    writer.write_statement(example_statement("SELECT $1")).unwrap();
    for number in 0..1000 {
        writer.write_event(execution_event(number)).unwrap();
    }
    writer.flush_all().unwrap();
    for number in 1000..1200 {
        writer.write_event(execution_event(number)).unwrap();
    }
    // No `finish`, and nothing that ends the stream: as a kill leaves it.
    std::mem::forget(writer);
}

#[test]
fn a_killed_capture_is_readable_up_to_what_was_flushed() {
    let directory = tempfile::tempdir().unwrap();
    killed_capture(directory.path());
    let reader = CaptureReader::open_capture(directory.path()).unwrap();
    assert!(!reader.summary().complete);
    let (events, torn) = read_all_events(directory.path());
    assert_eq!(events.len(), 1000);
    assert_eq!(events[999], execution_event(999));
    assert_eq!(torn.unwrap().line, 1001);
}

#[test]
fn a_file_cut_at_any_byte_gives_whole_events_only() {
    let directory = tempfile::tempdir().unwrap();
    killed_capture(directory.path());
    let path = directory.path().join(EVENTS_DIRECTORY).join(event_file_name(0));
    let length = fs::metadata(&path).unwrap().len();
    for cut in (0..length).rev().step_by(97) {
        OpenOptions::new().write(true).open(&path).unwrap().set_len(cut).unwrap();
        let (events, _) = read_all_events(directory.path());
        for (number, event) in (0..).zip(&events) {
            assert_eq!(*event, execution_event(number), "cut at {cut}");
        }
    }
}

#[test]
fn a_complete_capture_with_a_cut_file_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = CaptureWriter::create_capture(directory.path(), &example_summary()).unwrap();
    writer.write_statement(example_statement("SELECT $1")).unwrap();
    for number in 0..100 {
        writer.write_event(execution_event(number)).unwrap();
    }
    writer.finish_capture(&example_summary()).unwrap();
    let path = directory.path().join(EVENTS_DIRECTORY).join(event_file_name(0));
    let length = fs::metadata(&path).unwrap().len();
    OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 9).unwrap();
    let last = CaptureReader::open_capture(directory.path()).unwrap().event_stream().last().unwrap();
    let message = last.unwrap_err().to_string();
    assert!(message.contains("000000.jsonl.zst is not readable as events of a capture"), "{message}");
}

#[test]
fn a_torn_last_statement_is_left_out() {
    let directory = tempfile::tempdir().unwrap();
    killed_capture(directory.path());
    let path = directory.path().join(STATEMENTS_FILE);
    let mut text = fs::read_to_string(&path).unwrap();
    text.push_str("{\"id\":1,\"finger");
    fs::write(&path, text).unwrap();
    let reader = CaptureReader::open_capture(directory.path()).unwrap();
    assert_eq!(reader.statements().len(), 1);
    assert!(reader.are_statements_torn());
}

#[test]
fn an_event_of_a_statement_that_is_not_there_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let mut writer = CaptureWriter::create_capture(directory.path(), &example_summary()).unwrap();
    writer.write_event(execution_event(1)).unwrap();
    writer.finish_capture(&example_summary()).unwrap();
    let error = CaptureReader::open_capture(directory.path()).unwrap().event_stream().next().unwrap().unwrap_err();
    assert!(error.to_string().ends_with("line 1: no statement has the id 0"), "{error}");
}

fn refusal_of_summary(content: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(SUMMARY_FILE), content).unwrap();
    let message = CaptureReader::open_capture(directory.path()).unwrap_err().to_string();
    message.replace(&directory.path().display().to_string(), "DIR")
}

#[test]
fn what_is_not_a_capture_of_this_version_is_refused_by_name() {
    let refusals = [
        (
            r#"{"format":"pgdyno capture","version":7,"files":[]}"#,
            "DIR/capture.json has version 7 of the format; this pgdyno reads version 1",
        ),
        (
            r#"{"format":"tape","version":1}"#,
            "DIR/capture.json is not readable as the summary of a capture: its format is \"tape\", not \"pgdyno capture\"",
        ),
        (
            "{",
            "DIR/capture.json is not readable as the summary of a capture: EOF while parsing an object at line 1 column 1",
        ),
    ];
    for (content, expected) in refusals {
        assert_eq!(refusal_of_summary(content), expected);
    }
    let directory = tempfile::tempdir().unwrap();
    let error = CaptureReader::open_capture(directory.path()).unwrap_err();
    assert!(matches!(error, CaptureError::NotACapture { .. }));
    fs::write(directory.path().join("notes"), "").unwrap();
    let Err(error) = CaptureWriter::create_capture(directory.path(), &example_summary()) else { panic!("not refused") };
    assert!(matches!(error, CaptureError::NotEmpty { .. }));
}
