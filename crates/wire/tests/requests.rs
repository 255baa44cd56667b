//! Requests against the bytes that libpq sends for the same thing.

use wire::{BindTemplate, SessionLogin, WireConnection, frontend};

#[test]
fn the_start_up_message_names_the_user_as_database_when_none_is_given() {
    let mut connection =
        WireConnection::start(&SessionLogin { user: "bench", application_name: "pgdyno", ..SessionLogin::default() });
    let expected = b"\0\0\0\x3b\0\x03\0\0user\0bench\0database\0bench\0application_name\0pgdyno\0\0";
    assert_eq!(connection.outgoing_bytes().escape_ascii().to_string(), expected.escape_ascii().to_string());
}

#[test]
fn a_prepared_execution_is_bind_describe_execute_sync() {
    let mut out = Vec::new();
    let template = BindTemplate::for_prepared_statement("P0_1", 2);
    let mut bind = template.begin_exchange(&mut out);
    bind.write_parameter(b"-7");
    bind.write_parameter(b"123");
    bind.finish();
    let expected = b"B\0\0\0\x1d\0P0_1\0\0\0\0\x02\0\0\0\x02-7\0\0\0\x03123\0\0\
        D\0\0\0\x06P\0E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04";
    assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

#[test]
fn an_extended_execution_parses_the_unnamed_statement_first() {
    let mut out = b"before".to_vec();
    BindTemplate::for_unnamed_statement("SELECT 1", 0).begin_exchange(&mut out).finish();
    let expected = b"beforeP\0\0\0\x10\0SELECT 1\0\0\0B\0\0\0\x0c\0\0\0\0\0\0\0\0\
        D\0\0\0\x06P\0E\0\0\0\x09\0\0\0\0\0S\0\0\0\x04";
    assert_eq!(out.escape_ascii().to_string(), expected.escape_ascii().to_string());
}

#[test]
fn a_simple_query_is_one_message() {
    let mut out = Vec::new();
    frontend::write_query_message(&mut out, |sql| sql.extend_from_slice(b"BEGIN"));
    assert_eq!(out, b"Q\0\0\0\x0aBEGIN\0");
}

#[test]
fn a_cancel_request_quotes_the_key_of_the_session() {
    let mut out = Vec::new();
    frontend::cancel_request(&mut out, 4711, 0x0102_0304);
    assert_eq!(out, b"\0\0\0\x10\x04\xd2\x16\x2e\0\0\x12\x67\x01\x02\x03\x04");
}
