//! A server's log that somebody kept, read without the server: in which form, with which prefix and in which zone it
//! was written is told from its lines.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use results::log::{LogAccess, LogFormat, Origin, ServerLog};

use super::record::Records;
use super::stderr::Prefix;
use super::{columns, empty_server_log, enter_log_records};

/// The prefixes that are looked for: PostgreSQL's own, Debian's, and those with the user, database,
/// application and client.
const PREFIXES: [&str; 5] =
    ["%m [%p] ", "%m [%p] %q%u@%d ", "%t [%p] ", "%t [%p]: user=%u,db=%d,app=%a,client=%h ", "%m [%p] %q%u@%d/%a "];

/// A log with its messages.
#[derive(Debug)]
pub struct KeptLog {
    format: LogFormat,
    records: Records,
}

impl KeptLog {
    /// The form of a log that begins with this line; none if it is none.
    #[must_use]
    pub fn format_of(line: &str) -> Option<LogFormat> {
        if line.starts_with("{\"timestamp\":\"") {
            return Some(LogFormat::Jsonlog);
        }
        let mut parts = line.splitn(4, ' ');
        let (date, time, rest) = (parts.next()?, parts.next()?, parts.next()?);
        let is_date = date.len() == 10 && date.split('-').all(|part| part.bytes().all(|b| b.is_ascii_digit()));
        let is_time = time.len() >= 8 && time.split([':', '.']).all(|part| part.bytes().all(|b| b.is_ascii_digit()));
        let zone_ends = rest.find(|c: char| !c.is_ascii_alphabetic());
        match (is_date && is_time, zone_ends) {
            (true, Some(at)) if rest[at..].starts_with(',') => Some(LogFormat::Csvlog),
            (true, None) => Some(LogFormat::Stderr),
            _ => None,
        }
    }

    /// Reads the text of a log.
    ///
    /// # Errors
    /// Why it cannot be, for a person: its zone is ambiguous, or its prefix is not known.
    pub fn read_log_text(text: &str, format: LogFormat) -> Result<Self, String> {
        let zone = zone_of_log(text, format)?;
        let records = match format {
            LogFormat::Csvlog => columns::parse_csv_log(text, &zone),
            LogFormat::Jsonlog => columns::parse_json_log(text, &zone),
            LogFormat::Stderr => {
                let read: Vec<Records> = PREFIXES
                    .iter()
                    .filter_map(|prefix| Some(Prefix::new(prefix).ok()?.parse_records(text, &zone)))
                    .collect();
                read.into_iter().max_by_key(|records| records.records.len()).ok_or("its log_line_prefix is unknown")?
            }
        };
        if records.records.is_empty() {
            return Err("none of its lines could be read as a message".to_owned());
        }
        Ok(Self { format, records })
    }

    /// How many messages it has.
    #[must_use]
    pub fn message_count(&self) -> usize {
        self.records.records.len()
    }

    /// Lines that could not be read as a message.
    #[must_use]
    pub fn unreadable_lines(&self) -> u64 {
        self.records.unreadable
    }

    /// What was logged from `start` to `end`, its instants relative to `start`.
    #[must_use]
    pub fn log_between(&self, start: Timestamp, end: Timestamp) -> ServerLog {
        let mut log =
            empty_server_log(Origin { access: Some(LogAccess::File), format: Some(self.format), ..Origin::default() });
        let inside = self.records.records.iter().filter(|record| (start..=end).contains(&record.at));
        let records = Records { records: inside.cloned().collect(), unreadable: 0 };
        // Which language it is nobody tells; an empty one makes no claim.
        enter_log_records(&mut log, &records, "", start);
        log
    }
}

/// The zone of a log's instants: abbreviations but for those of UTC are of several zones.
fn zone_of_log(text: &str, format: LogFormat) -> Result<TimeZone, String> {
    let line = text.lines().next().ok_or("it has no line")?;
    let line = line.strip_prefix("{\"timestamp\":\"").unwrap_or(line);
    let ends: &[char] = match format {
        LogFormat::Csvlog => &[','],
        LogFormat::Stderr => &[' '],
        LogFormat::Jsonlog => &['"'],
    };
    let name =
        line.splitn(3, ' ').nth(2).and_then(|rest| rest.split(ends).next()).ok_or("its first line has no time zone")?;
    match name {
        "UTC" | "GMT" => Ok(TimeZone::UTC),
        name => Err(format!("its timestamps have the ambiguous time zone {name:?}; convert them to UTC")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use results::log::LogEvent;

    const STARTING: &str = "checkpoint starting: time";

    #[test]
    fn each_form_is_told_from_its_lines_and_its_window_is_cut_out() {
        let json = format!(
            "{{\"timestamp\":\"2026-11-20 09:00:01.000 UTC\",\"pid\":7,\"error_severity\":\"LOG\",\"message\":\"{STARTING}\"}}\n"
        );
        let stderr = format!(
            "2026-11-20 09:00:01.000 UTC [7] LOG:  {STARTING}\n2026-11-20 09:01:00.000 UTC [7] LOG:  {STARTING}\n"
        );
        let debian = format!("2026-11-20 09:00:01 UTC [7] LOG:  {STARTING}\n");
        for (text, format) in [(&json, LogFormat::Jsonlog), (&stderr, LogFormat::Stderr), (&debian, LogFormat::Stderr)]
        {
            assert_eq!(KeptLog::format_of(text.lines().next().unwrap()), Some(format), "{text}");
            let log = KeptLog::read_log_text(text, format).unwrap_or_else(|error| panic!("{text}: {error}"));
            let start = "2026-11-20T09:00:00Z".parse().unwrap();
            let log = log.log_between(start, "2026-11-20T09:00:30Z".parse().unwrap());
            assert_eq!(log.entries.len(), 1, "{text}");
            assert_eq!(log.entries[0].at_us, 1_000_000);
            assert!(matches!(log.entries[0].event, LogEvent::CheckpointStarting { .. }));
        }
        assert_eq!(KeptLog::format_of("2026-11-20 09:00:01.000 UTC,,,7"), Some(LogFormat::Csvlog));
        assert_eq!(KeptLog::format_of("progress: 1.0 s, 5.0 tps"), None);
        let error = KeptLog::read_log_text(&stderr.replace("UTC", "CET"), LogFormat::Stderr).unwrap_err();
        assert!(error.contains("\"CET\""), "{error}");
    }
}
