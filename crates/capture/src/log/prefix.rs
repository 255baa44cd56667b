//! `log_line_prefix`: what stands before the level of each message, read back by the setting that wrote it.

use super::timestamp::ZoneReader;
use super::{EntryProblem, LogSessionId};

/// A setting, as its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LinePrefix {
    text: String,
    parts: Vec<PrefixPart>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum PrefixPart {
    Literal(Vec<u8>),
    Field(u8),
    /// `%q`: processes that are no sessions write nothing from here on.
    SessionsOnly,
}

/// What a prefix says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct PrefixValues {
    /// Fields that the line has.
    pub(crate) found: usize,
    pub(crate) at_us: Option<i64>,
    pub(crate) pid: Option<u32>,
    pub(crate) session: Option<LogSessionId>,
    pub(crate) session_line: Option<u64>,
    pub(crate) user: Vec<u8>,
    pub(crate) database: Vec<u8>,
    pub(crate) application: Vec<u8>,
    pub(crate) transaction: Vec<u8>,
    pub(crate) sqlstate: Vec<u8>,
}

/// Settings that are met often: PostgreSQL's own, those of distributions and clouds, and what log analysers ask for.
pub(crate) const USUAL_PREFIXES: &[&str] = &[
    "%m [%p] ",
    "%m [%p] %q%u@%d ",
    "%t [%p] ",
    "%t [%p]: ",
    "%m [%p]: ",
    "%t [%p] %q%u@%d ",
    "%m [%p] %q[user=%u,db=%d,app=%a] ",
    "%m [%p] %u@%d ",
    "%m %u@%d [%p] ",
    "%t:%r:%u@%d:[%p]:",
    "%m:%r:%u@%d:[%p]:%l:%e:%s:%v:%x:%c:%q%a:",
    "%m [%p]: [%l-1] db=%d,user=%u ",
    "%m [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: user=%u,db=%d,app=%a,client=%h ",
    "%t [%p]: [%l-1] user=%u,db=%d ",
    "%t [%p]: [%l-1] ",
    "%m [%p]: [%l-1] ",
    "%t-%c-",
    "%m-%c-",
    "%m|%u|%d|%c|",
    "%m [%p] %c ",
    "%m %c ",
    "%n [%p] ",
    "%m [%p] %v ",
    "%m [%p] %e ",
];

impl LinePrefix {
    /// Reads a setting.
    pub(crate) fn parse_setting(setting: &str) -> Self {
        let mut parts = Vec::new();
        let mut literal = Vec::new();
        let mut bytes = setting.bytes().peekable();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                literal.push(byte);
                continue;
            }
            // A width, as in `%-10p`.
            while bytes.peek().is_some_and(|next| *next == b'-' || next.is_ascii_digit()) {
                bytes.next();
            }
            match bytes.next() {
                Some(b'%') | None => literal.push(b'%'),
                Some(field) => {
                    if !literal.is_empty() {
                        parts.push(PrefixPart::Literal(std::mem::take(&mut literal)));
                    }
                    parts.push(if field == b'q' { PrefixPart::SessionsOnly } else { PrefixPart::Field(field) });
                }
            }
        }
        if !literal.is_empty() {
            parts.push(PrefixPart::Literal(literal));
        }
        Self { text: setting.to_owned(), parts }
    }

    /// The setting.
    pub(crate) fn as_text(&self) -> &str {
        &self.text
    }

    /// Whether it has one of these fields.
    pub(crate) fn has_any_field(&self, fields: &[u8]) -> bool {
        self.parts.iter().any(|part| matches!(part, PrefixPart::Field(field) if fields.contains(field)))
    }

    /// The values of a line and what is after the prefix, which begins with a word and a colon. `None` where the line
    /// has another form.
    pub(crate) fn read_line<'a>(
        &self,
        line: &'a [u8],
        zones: &ZoneReader,
    ) -> Option<Result<(PrefixValues, &'a [u8]), EntryProblem>> {
        let mut found = Vec::with_capacity(self.parts.len());
        let rest = match_parts(&self.parts, line, &mut found)?;
        let mut values = PrefixValues { found: found.len(), ..PrefixValues::default() };
        for (field, text) in found {
            if let Err(problem) = values.take_field(field, text, zones) {
                return Some(Err(problem));
            }
        }
        Some(Ok((values, rest)))
    }
}

impl PrefixValues {
    fn take_field(&mut self, field: u8, text: &[u8], zones: &ZoneReader) -> Result<(), EntryProblem> {
        let number = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse::<u64>().ok());
        match field {
            b't' | b'm' => self.at_us = Some(zones.parse_instant(text)?),
            b'n' => self.at_us = parse_epoch(text),
            b'p' => self.pid = number.and_then(|number| u32::try_from(number).ok()),
            b'c' => self.session = LogSessionId::parse_hex(text.trim_ascii()),
            b'l' => self.session_line = number,
            b'u' => self.user = known_name(text),
            b'd' => self.database = known_name(text),
            b'a' => self.application = known_name(text),
            b'v' => self.transaction = text.trim_ascii().to_vec(),
            b'e' => self.sqlstate = text.trim_ascii().to_vec(),
            _ => {}
        }
        Ok(())
    }
}

/// A name; a process that has none writes `[unknown]`.
fn known_name(text: &[u8]) -> Vec<u8> {
    let text = text.trim_ascii();
    if text == b"[unknown]" { Vec::new() } else { text.to_vec() }
}

/// Seconds since 1970 with milliseconds.
fn parse_epoch(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let ms: i64 = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    seconds.parse::<i64>().ok()?.checked_mul(1_000_000)?.checked_add(ms * 1000)
}

/// Matches the parts one after another; a name ends at the first place after which the rest matches too.
fn match_parts<'a>(parts: &[PrefixPart], line: &'a [u8], found: &mut Vec<(u8, &'a [u8])>) -> Option<&'a [u8]> {
    let Some((part, others)) = parts.split_first() else {
        return level_word(line).map(|_| line);
    };
    match part {
        PrefixPart::Literal(literal) => match_parts(others, line.strip_prefix(literal.as_slice())?, found),
        PrefixPart::SessionsOnly => {
            let known = found.len();
            if let Some(rest) = match_parts(others, line, found) {
                return Some(rest);
            }
            found.truncate(known);
            level_word(line).map(|_| line)
        }
        PrefixPart::Field(field) => {
            if let Some(length) = fixed_length(*field, line) {
                let known = found.len();
                found.push((*field, &line[..length]));
                if let Some(rest) = match_parts(others, &line[length..], found) {
                    return Some(rest);
                }
                // A width fills up with spaces behind the value.
                let padding = line[length..].iter().take_while(|byte| **byte == b' ').count();
                if padding == 0 {
                    return None;
                }
                found.truncate(known + 1);
                return match_parts(others, &line[length + padding..], found);
            }
            if !is_name_field(*field) {
                return None;
            }
            let known = found.len();
            for length in 0..line.len().min(256) {
                let is_end = match others.first() {
                    Some(PrefixPart::Literal(literal)) => line[length..].starts_with(literal),
                    _ => true,
                };
                if is_end {
                    found.push((*field, &line[..length]));
                    if let Some(rest) = match_parts(others, &line[length..], found) {
                        return Some(rest);
                    }
                    found.truncate(known);
                }
            }
            None
        }
    }
}

fn is_name_field(field: u8) -> bool {
    matches!(field, b'u' | b'd' | b'a' | b'h' | b'L' | b'b' | b'i' | b'r')
}

/// The length of a field whose form is known, padding included.
fn fixed_length(field: u8, line: &[u8]) -> Option<usize> {
    // A field that may be empty has no padding before it that could be told from what follows it.
    let padding = if field == b'v' { 0 } else { line.iter().take_while(|byte| **byte == b' ').count() };
    let text = &line[padding..];
    let length = match field {
        b't' | b'm' | b's' => instant_length(text)?,
        b'n' => run_length(text, |byte| byte.is_ascii_digit() || byte == b'.')?,
        b'p' | b'P' | b'l' | b'x' => run_length(text, |byte| byte.is_ascii_digit())?,
        b'Q' => run_length(text, |byte| byte.is_ascii_digit() || byte == b'-')?,
        b'c' => run_length(text, |byte| byte.is_ascii_hexdigit() || byte == b'.')?,
        b'e' => run_length(text, |byte| byte.is_ascii_alphanumeric()).filter(|length| *length == 5)?,
        // Empty outside transactions.
        b'v' => run_length(text, |byte| byte.is_ascii_digit() || byte == b'/').unwrap_or(0),
        b'r' if text.starts_with(b"[local]") => 7,
        b'r' => {
            let open = memchr::memchr(b'(', &text[..text.len().min(80)])?;
            open + 1 + memchr::memchr(b')', &text[open..])?
        }
        _ => return None,
    };
    Some(padding + length)
}

fn run_length(text: &[u8], is_part: fn(u8) -> bool) -> Option<usize> {
    let length = text.iter().take_while(|byte| is_part(**byte)).count();
    if length == 0 { None } else { Some(length) }
}

/// The length of `2026-11-29 12:00:00.123 UTC`.
fn instant_length(text: &[u8]) -> Option<usize> {
    if text.len() < 20 || text[4] != b'-' || text[10] != b' ' || text[13] != b':' {
        return None;
    }
    let fraction = text[19..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let zone_at = 19 + fraction + 1;
    if text.get(zone_at - 1) != Some(&b' ') {
        return None;
    }
    let sign = usize::from(text.get(zone_at).is_some_and(|byte| matches!(byte, b'+' | b'-')));
    let zone = run_length(&text[zone_at + sign..], |byte| byte.is_ascii_alphanumeric())?;
    Some(zone_at + sign + zone)
}

/// Words that begin a message or a part of one.
const WORDS: &[&str] = &[
    "LOG",
    "ERROR",
    "FATAL",
    "PANIC",
    "WARNING",
    "NOTICE",
    "INFO",
    "DEBUG",
    "DETAIL",
    "HINT",
    "CONTEXT",
    "STATEMENT",
    "QUERY",
    "LOCATION",
    "DEBUG1",
    "DEBUG2",
    "DEBUG3",
    "DEBUG4",
    "DEBUG5",
    "BACKTRACE",
];

/// The word before a colon and spaces, and what is after them.
pub(crate) fn level_word(rest: &[u8]) -> Option<(&'static str, &[u8])> {
    let colon = memchr::memchr(b':', &rest[..rest.len().min(12)])?;
    let word = WORDS.iter().find(|word| word.as_bytes() == &rest[..colon])?;
    let after = &rest[colon + 1..];
    Some((word, after.strip_prefix(b"  ").unwrap_or(after.trim_ascii_start())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values_of(setting: &str, line: &str) -> Option<(PrefixValues, String)> {
        let (values, rest) =
            LinePrefix::parse_setting(setting).read_line(line.as_bytes(), &ZoneReader::default())?.unwrap();
        Some((values, String::from_utf8(rest.to_vec()).unwrap()))
    }

    #[test]
    fn prefixes_of_distributions_and_clouds_are_read() {
        let rds = "2026-11-29 12:00:00 UTC:10.0.0.1(5000):bob@shop:[42]:LOG:  x";
        let (values, rest) = values_of("%t:%r:%u@%d:[%p]:", rds).unwrap();
        assert_eq!((values.pid, values.user.as_slice(), rest.as_str()), (Some(42), &b"bob"[..], "LOG:  x"));
        let rds = "2026-11-29 12:00:00 UTC:::1(5000):bob@shop:[42]:LOG:  x";
        assert_eq!(values_of("%t:%r:%u@%d:[%p]:", rds).unwrap().0.database, b"shop");
        let azure = "2026-11-29 12:00:00 UTC-692ae2a0.1092-LOG:  x";
        let session = values_of("%t-%c-", azure).unwrap().0.session;
        assert_eq!(session, Some(LogSessionId { start_s: 0x692a_e2a0, pid: 0x1092 }));
        let debian = "2026-11-29 12:00:00.123 UTC [42] bob@my@shop LOG:  x";
        assert_eq!(values_of("%m [%p] %q%u@%d ", debian).unwrap().0.database, b"my@shop");
        let background = "2026-11-29 12:00:00.123 UTC [42] LOG:  x";
        assert_eq!(values_of("%m [%p] %q%u@%d ", background).unwrap().0.pid, Some(42));
        assert_eq!(values_of("%m [%p] ", debian), None);
        assert_eq!(values_of("%-8p|%m ", "42      |2026-11-29 12:00:00.123 +03 LOG:  x").unwrap().0.pid, Some(42));
        let epoch = values_of("%n [%p] ", "1764417600.5 [42] LOG:  x").unwrap().0.at_us;
        assert_eq!(epoch, Some(1_764_417_600_500_000));
    }
}
