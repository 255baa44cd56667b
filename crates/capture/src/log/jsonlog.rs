//! `jsonlog`, from PostgreSQL 15 on, and texts of stderr that a cloud has wrapped in JSON.

use std::borrow::Cow;

use serde::Deserialize;

use super::timestamp::ZoneReader;
use super::{EntryProblem, LogEntry, LogLevel, LogSessionId};

#[derive(Deserialize)]
struct JsonLine<'a> {
    #[serde(borrow)]
    timestamp: Cow<'a, str>,
    #[serde(borrow, default)]
    user: Cow<'a, str>,
    #[serde(borrow, default)]
    dbname: Cow<'a, str>,
    #[serde(borrow)]
    session_id: Cow<'a, str>,
    #[serde(default)]
    line_num: Option<u64>,
    #[serde(borrow, default)]
    vxid: Cow<'a, str>,
    #[serde(borrow)]
    error_severity: Cow<'a, str>,
    #[serde(borrow, default)]
    state_code: Cow<'a, str>,
    #[serde(borrow, default)]
    message: Cow<'a, str>,
    #[serde(borrow, default)]
    detail: Cow<'a, str>,
    #[serde(borrow, default)]
    context: Cow<'a, str>,
    #[serde(borrow, default)]
    statement: Cow<'a, str>,
    #[serde(borrow, default)]
    application_name: Cow<'a, str>,
}

/// Reads one line.
pub(crate) fn read_json_entry<'a>(line: &'a [u8], zones: &ZoneReader) -> Result<LogEntry<'a>, EntryProblem> {
    let line: JsonLine<'a> = serde_json::from_slice(line).map_err(|_| EntryProblem::Malformed)?;
    let at_us = zones.parse_instant(line.timestamp.as_bytes())?;
    let session = LogSessionId::parse_hex(line.session_id.as_bytes()).ok_or(EntryProblem::Malformed)?;
    Ok(LogEntry {
        at_us,
        session,
        session_line: line.line_num,
        last_line: None,
        level: LogLevel::parse_word(line.error_severity.as_bytes()),
        user: bytes_of(line.user),
        database: bytes_of(line.dbname),
        application: bytes_of(line.application_name),
        transaction: bytes_of(line.vxid),
        sqlstate: bytes_of(line.state_code),
        message: bytes_of(line.message),
        detail: bytes_of(line.detail),
        context: bytes_of(line.context),
        query: bytes_of(line.statement),
    })
}

fn bytes_of(text: Cow<'_, str>) -> Cow<'_, [u8]> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.as_bytes()),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

#[derive(Deserialize)]
struct WrappedLine {
    /// Cloud SQL and AlloyDB, as Cloud Logging exports them.
    #[serde(rename = "textPayload")]
    text_payload: Option<String>,
    /// Azure Database for PostgreSQL, as its diagnostic settings export it.
    properties: Option<WrappedProperties>,
}

#[derive(Deserialize)]
struct WrappedProperties {
    message: Option<String>,
}

/// The text of stderr within a line of JSON.
pub(crate) fn read_wrapped_text(line: &[u8]) -> Option<String> {
    let line: WrappedLine = serde_json::from_slice(line).ok()?;
    line.text_payload.or_else(|| line.properties?.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_postgresql_18_is_read() {
        let line = r#"{"timestamp":"2026-11-29 12:00:00.123 UTC","user":"bob","dbname":"shop","pid":42,"session_id":"692ae2a0.1092","line_num":3,"ps":"SELECT","vxid":"4/17","txid":0,"error_severity":"LOG","message":"statement: SELECT \"a\"","application_name":"app","backend_type":"client backend","query_id":0}"#;
        let entry = read_json_entry(line.as_bytes(), &ZoneReader::default()).unwrap();
        assert_eq!(&*entry.message, b"statement: SELECT \"a\"");
        assert_eq!((&*entry.user, &*entry.transaction, entry.session_line), (&b"bob"[..], &b"4/17"[..], Some(3)));
    }

    #[test]
    fn texts_that_a_cloud_wraps_are_unwrapped() {
        let cases = [
            (r#"{"insertId":"x","textPayload":"2026 LOG:  a"}"#, Some("2026 LOG:  a")),
            (
                r#"{"category":"PostgreSQLLogs","properties":{"errorLevel":"LOG","message":"2026-LOG:  a"}}"#,
                Some("2026-LOG:  a"),
            ),
            (r#"{"timestamp":"x"}"#, None),
        ];
        for (line, text) in cases {
            assert_eq!(read_wrapped_text(line.as_bytes()).as_deref(), text);
        }
    }
}
