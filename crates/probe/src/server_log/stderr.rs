//! A log as lines with `log_line_prefix`: the prefix becomes a pattern, which finds the time, the SQLSTATE and the
//! message. A message goes on in lines that begin with a tab.

use std::fmt::Write as _;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use regex::{Captures, Regex};

use super::record::{LogRecord, Records, parse_log_instant, severity_by_name};

/// Why the lines of a log cannot be read.
#[derive(Debug, PartialEq, thiserror::Error)]
pub(super) enum Unusable {
    /// There is no instant.
    #[error("the lines of the log have no time: log_line_prefix is {0:?}; hint: add %m, %t or %n to it")]
    NoTime(String),
    /// It is no pattern.
    #[error("log_line_prefix {0:?} is not supported")]
    Pattern(String),
}

/// What lines of a log look like.
pub(super) struct Prefix {
    line: Regex,
}

impl Prefix {
    /// From the setting `log_line_prefix`.
    pub(super) fn new(setting: &str) -> Result<Self, Unusable> {
        let mut fields = PrefixFields::default();
        let mut pattern = "^".to_owned();
        let (mut optional, mut rest) = (false, setting);
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            if c != '%' {
                pattern.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
                continue;
            }
            // An escape may be padded: %-10p.
            let escape = rest.trim_start_matches(|c: char| c == '-' || c.is_ascii_digit());
            let padded = escape.len() != rest.len();
            let Some(c) = escape.chars().next() else { break };
            rest = &escape[c.len_utf8()..];
            let space = if padded { " *" } else { "" };
            match c {
                '%' => pattern.push('%'),
                'q' if optional => {}
                'q' => {
                    pattern.push_str("(?:");
                    optional = true;
                }
                field => {
                    let _infallible = write!(pattern, "{space}{}{space}", fields.pattern_of_escape(field));
                }
            }
        }
        if optional {
            // What follows %q is left out by processes without a session.
            pattern.push_str(")?");
        }
        if !fields.time {
            return Err(Unusable::NoTime(setting.to_owned()));
        }
        pattern.push_str(r"\s*(?P<severity>[\p{Lu}0-9]+): +(?P<message>.*)$");
        Regex::new(&pattern).map(|line| Self { line }).map_err(|_| Unusable::Pattern(setting.to_owned()))
    }

    /// The messages of a log, or of a part that begins with a whole line.
    pub(super) fn parse_records(&self, text: &str, zone: &TimeZone) -> Records {
        let mut found = Records::default();
        // Whether lines with a tab go on with the last record: not when DETAIL or STATEMENT came in between.
        let mut goes_on = false;
        for line in text.lines().filter(|line| !line.is_empty()) {
            if let Some(more) = line.strip_prefix('\t') {
                if let Some(last) = found.records.last_mut().filter(|_| goes_on) {
                    last.message.push('\n');
                    last.message.push_str(more);
                }
                continue;
            }
            goes_on = false;
            match self.line.captures(line) {
                Some(captures) if is_addition(&captures["severity"]) => {}
                captures => match captures.and_then(|captures| record_from_captures(&captures, zone)) {
                    Some(record) => {
                        found.records.push(record);
                        goes_on = true;
                    }
                    None => found.unreadable += 1,
                },
            }
        }
        found
    }
}

/// Lines that add to the message before.
fn is_addition(name: &str) -> bool {
    matches!(name, "DETAIL" | "HINT" | "CONTEXT" | "STATEMENT" | "QUERY" | "LOCATION" | "BACKTRACE")
}

fn record_from_captures(captures: &Captures<'_>, zone: &TimeZone) -> Option<LogRecord> {
    let field = |name| captures.name(name).map(|found| found.as_str());
    let at = match (field("time"), field("epoch")) {
        (Some(time), _) => parse_log_instant(time, zone)?,
        (None, Some(epoch)) => {
            let (seconds, millis) = epoch.split_once('.')?;
            Timestamp::from_millisecond(seconds.parse::<i64>().ok()? * 1000 + millis.parse::<i64>().ok()?).ok()?
        }
        (None, None) => return None,
    };
    // 00000 is success: a message that is no error.
    let sqlstate = field("sqlstate").filter(|state| !state.is_empty() && *state != "00000").map(str::to_owned);
    Some(LogRecord {
        at,
        severity: severity_by_name(&captures["severity"])?,
        sqlstate,
        message: captures["message"].to_owned(),
    })
}

/// The fields of a pattern: only the first of a kind has a name, as a pattern can have it once only.
#[derive(Default)]
struct PrefixFields {
    time: bool,
    sqlstate: bool,
}

impl PrefixFields {
    fn pattern_of_escape(&mut self, escape: char) -> &'static str {
        let second = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [^\s\]:,]+";
        match escape {
            'm' | 't' if !std::mem::replace(&mut self.time, true) => {
                r"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)? [^\s\]:,]+)"
            }
            'n' if !std::mem::replace(&mut self.time, true) => r"(?P<epoch>\d+\.\d{3})",
            'e' if !std::mem::replace(&mut self.sqlstate, true) => "(?P<sqlstate>[0-9A-Z]{5}|)",
            'm' | 't' | 's' => second,
            'n' => r"\d+\.\d{3}",
            'p' | 'P' | 'l' => r"\d*",
            _ => ".*?",
        }
    }
}

#[cfg(test)]
mod tests {
    use results::log::Severity;

    use super::*;

    fn read(prefix: &str, text: &str) -> Records {
        Prefix::new(prefix).unwrap().parse_records(text, &TimeZone::UTC)
    }

    #[track_caller]
    fn check(prefix: &str, line: &str, severity: Severity, sqlstate: Option<&str>, message: &str) {
        let found = read(prefix, line);
        let expected = LogRecord {
            at: "2026-11-20T17:09:13.123Z".parse().unwrap(),
            severity,
            sqlstate: sqlstate.map(str::to_owned),
            message: message.to_owned(),
        };
        assert_eq!(found, Records { records: vec![expected], unreadable: 0 });
    }

    #[test]
    fn a_line_is_read_by_the_prefix_of_its_server() {
        let log = Severity::Log;
        check("%m [%p] ", "2026-11-20 17:09:13.123 UTC [42] LOG:  x: y", log, None, "x: y");
        check("%n %q%u@%d ", "1795194553.123 LOG:  x", log, None, "x");
        check("%n %q%u@%d ", "1795194553.123 me@db ERROR:  x", Severity::Error, None, "x");
        check(
            "[%-8p] %m %e:",
            "[42      ] 2026-11-20 17:09:13.123 UTC 40P01:ERROR:  deadlock detected",
            Severity::Error,
            Some("40P01"),
            "deadlock detected",
        );
        check("%m [%p] %b %e ", "2026-11-20 17:09:13.123 UTC [7] autovacuum worker 00000 LOG:  x", log, None, "x");
        check(
            "%t.123 %%[%p]: user=%u,db=%d,app=%a ",
            "2026-11-20 17:09:13.123 UTC.123 %[1]: user=,db=,app=pgbench: a LOG:  x",
            log,
            None,
            "x",
        );
    }

    #[test]
    fn a_message_goes_on_after_a_tab_and_its_additions_are_left_out() {
        let at = "2026-11-20 17:09:13.123 UTC [42]";
        let text = format!(
            "{at} LOG:  a\n\tb\n{at} DETAIL:  secret\n\tsecret\nfrom an archive command\n{at} ERROR:  c\n{at} STATEMENT:  d\n"
        );
        let found = read("%m [%p] ", &text);
        assert_eq!(found.records.iter().map(|record| record.message.as_str()).collect::<Vec<_>>(), ["a\nb", "c"]);
        assert_eq!(found.unreadable, 1);
    }

    #[test]
    fn a_severity_of_another_language_is_not_guessed() {
        let found = read("%m ", "2026-11-20 17:09:13.123 UTC FEHLER:  Division durch Null");
        assert_eq!((found.records.len(), found.unreadable), (0, 1));
    }

    #[test]
    fn lines_without_a_time_cannot_be_used() {
        assert_eq!(Prefix::new("[%p] ").err(), Some(Unusable::NoTime("[%p] ".to_owned())));
    }
}
