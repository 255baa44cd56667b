//! One message of a log in whatever form, before it is understood.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use results::log::Severity;

/// A message as it was logged.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LogRecord {
    /// When, by the server's clock.
    pub(super) at: Timestamp,
    pub(super) severity: Severity,
    /// Absent where the log does not have it.
    pub(super) sqlstate: Option<String>,
    /// The primary message, with its further lines.
    pub(super) message: String,
}

/// What a text of a log came to.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Records {
    pub(super) records: Vec<LogRecord>,
    /// Lines, or rows, that could not be read as a message.
    pub(super) unreadable: u64,
}

/// A severity by its English name; none where it is another language's.
pub(super) fn severity_by_name(name: &str) -> Option<Severity> {
    Some(match name {
        "LOG" => Severity::Log,
        "ERROR" => Severity::Error,
        "FATAL" => Severity::Fatal,
        "PANIC" => Severity::Panic,
        "WARNING" => Severity::Warning,
        "NOTICE" => Severity::Notice,
        "INFO" => Severity::Info,
        _ if name.starts_with("DEBUG") => Severity::Debug,
        _ => return None,
    })
}

/// `2026-11-20 17:09:13.123 CET` as an instant. The abbreviation is ambiguous, hence `zone` is `log_timezone`.
pub(super) fn parse_log_instant(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let (local, _abbreviation) = text.rsplit_once(' ')?;
    let local: DateTime = local.parse().ok()?;
    Some(local.to_zoned(zone.clone()).ok()?.timestamp())
}

/// The zone that `log_timezone` names.
pub(super) fn time_zone_by_name(name: &str) -> Option<TimeZone> {
    match name {
        // Known without a database of zones.
        "UTC" | "Etc/UTC" | "GMT" | "Etc/GMT" | "Zulu" => Some(TimeZone::UTC),
        name => TimeZone::get(name).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_read_in_the_zone_of_the_log_whatever_the_abbreviation() {
        let berlin = TimeZone::get("Europe/Berlin").unwrap();
        let check = |text, zone, expected: &str| {
            assert_eq!(parse_log_instant(text, &zone).unwrap(), expected.parse::<Timestamp>().unwrap(), "{text}");
        };
        check("2026-11-20 17:09:13.123 UTC", TimeZone::UTC, "2026-11-20T17:09:13.123Z");
        check("2026-07-01 12:00:00 CEST", berlin.clone(), "2026-07-01T10:00:00Z");
        check("2026-11-20 12:00:00.5 CET", berlin, "2026-11-20T11:00:00.5Z");
        assert_eq!(parse_log_instant("yesterday UTC", &TimeZone::UTC), None);
    }
}
