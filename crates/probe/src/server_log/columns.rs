//! A log as `csvlog` or `jsonlog`: one row a message, whose columns the server documents.

use jiff::tz::TimeZone;
use serde::Deserialize;

use super::record::{LogRecord, Records, parse_log_instant, severity_by_name};

/// Where in a row of `csvlog` these are, from 0; the same since version 9.0.
const TIME: usize = 0;
const SEVERITY: usize = 11;
const SQLSTATE: usize = 12;
const MESSAGE: usize = 13;

/// The messages of `csvlog`, or of a part that begins with a whole row.
pub(super) fn parse_csv_log(text: &str, zone: &TimeZone) -> Records {
    let mut found = Records::default();
    let rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    for row in rows.into_records() {
        let record = row.ok().and_then(|row| {
            build_record(row.get(TIME)?, row.get(SEVERITY)?, row.get(SQLSTATE), row.get(MESSAGE)?, zone)
        });
        found.take_record(record);
    }
    found
}

/// The keys of `jsonlog` that are used.
#[derive(Deserialize)]
struct JsonLogRow {
    timestamp: String,
    error_severity: String,
    state_code: Option<String>,
    #[serde(default)]
    message: String,
}

/// The messages of `jsonlog`, or of a part that begins with a whole line.
pub(super) fn parse_json_log(text: &str, zone: &TimeZone) -> Records {
    let mut found = Records::default();
    for line in text.lines().filter(|line| !line.is_empty()) {
        let row: Option<JsonLogRow> = serde_json::from_str(line).ok();
        found.take_record(row.and_then(|row| {
            build_record(&row.timestamp, &row.error_severity, row.state_code.as_deref(), &row.message, zone)
        }));
    }
    found
}

fn build_record(time: &str, name: &str, sqlstate: Option<&str>, message: &str, zone: &TimeZone) -> Option<LogRecord> {
    let sqlstate = sqlstate.filter(|state| state.len() == 5 && *state != "00000").map(str::to_owned);
    Some(LogRecord {
        at: parse_log_instant(time, zone)?,
        severity: severity_by_name(name)?,
        sqlstate,
        message: message.to_owned(),
    })
}

impl Records {
    fn take_record(&mut self, record: Option<LogRecord>) {
        match record {
            Some(record) => self.records.push(record),
            None => self.unreadable += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use results::log::Severity;

    use super::*;

    fn expected(severity: Severity, sqlstate: Option<&str>, message: &str) -> LogRecord {
        let at = "2026-11-20T17:09:13.123Z".parse().unwrap();
        LogRecord { at, severity, sqlstate: sqlstate.map(str::to_owned), message: message.to_owned() }
    }

    #[test]
    fn a_row_of_csvlog_may_have_line_breaks_and_quotes() {
        let text = "2026-11-20 17:09:13.123 UTC,,,42,,69.1,1,,2026-11-20 17:00:00 UTC,,0,LOG,00000,\"say \"\"a\"\"\nb\",,,,,,,,,\"\",\"checkpointer\",,0\n\
                    2026-11-20 17:09:13.123 UTC,\"u\",\"d\",43,\"[local]\",69.2,1,\"SELECT\",2026-11-20 17:00:00 UTC,3/4,0,ERROR,22012,\"division by zero\",,,,,,\"SELECT 1/0\",,,\"\",\"client backend\",,0\n\
                    torn";
        let found = parse_csv_log(text, &TimeZone::UTC);
        let division = expected(Severity::Error, Some("22012"), "division by zero");
        assert_eq!(found.records, [expected(Severity::Log, None, "say \"a\"\nb"), division]);
        assert_eq!(found.unreadable, 1);
    }

    #[test]
    fn a_line_of_jsonlog_is_a_message() {
        let text = r#"{"timestamp":"2026-11-20 17:09:13.123 UTC","pid":42,"error_severity":"FATAL","state_code":"53300","message":"sorry, too many clients already","backend_type":"client backend"}
{"timestamp":"2026-11"#;
        let found = parse_json_log(text, &TimeZone::UTC);
        assert_eq!(found.records, [expected(Severity::Fatal, Some("53300"), "sorry, too many clients already")]);
        assert_eq!(found.unreadable, 1);
    }
}
